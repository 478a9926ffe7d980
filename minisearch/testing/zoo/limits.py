"""Too much of something: bytes, links, nesting, headers, characters in a URL, or the wrong kind of bytes."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from collections.abc import Iterator
from itertools import chain

from minisearch.testing.server import Raw, Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count, PageContent
from minisearch.testing.zoo.scenario import HTML, Routes, ScenarioServer, endless, html, page, prose, scenario

MIB = 1 << 20
GZIP, ZLIB = 31, 15  # window sizes, by which zlib knows the formats
LAST_BLOCK = b"\3\0"  # of a deflated stream: it is empty
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256)) * 8
GZIP_HEADER = gzip.compress(b"")[:10]  # empty blocks may follow without end
EMPTY_BLOCKS = b"\0\0\0\xff\xff" * 10_000
# 512 MiB of spaces, in 429 bytes.
BROTLI = base64.b64decode(
    "z///fwAEJnKkEUeYf89CwHkskSnV8esItun9P/j//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBI"
    "AMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC69//8"
    "//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/8///38AJADisAB07//5//8PgARAHBaA7v0/////AZAAiMMC"
    "0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcFoHv/z///fwAkAOKwAHTv//n//w+A"
    "BEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge/8f"
    "EgAAJABiiAAC"
)


def bomb(size: int, window: int) -> Iterator[bytes]:
    """`size` bytes of spaces, compressed a mebibyte at a time.

    Each mebibyte is compressed independently, so all are the same and one is enough: the server is not what is slow.
    """
    title, spaces = b"<title>Bomb</title>", b" " * MIB
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    yield packer.compress(title) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = packer.compress(spaces) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = zlib.crc32 if window == GZIP else zlib.adler32
    value = checksum(title)
    for _ in range(size // MIB):
        yield packed
        value = checksum(spaces, value)
    length = len(title) + size // MIB * MIB
    yield LAST_BLOCK + (struct.pack("<LL", value, length) if window == GZIP else struct.pack(">L", value))


def encoded(encoding: str, body: bytes | Iterator[bytes]) -> Response:
    """A response with a content encoding."""
    return Response(200, {**HTML, "Content-Encoding": encoding}, body)


def typed(content_type: str, body: bytes | Iterator[bytes]) -> Response:
    """A response with a content type."""
    return Response(200, {"Content-Type": content_type}, body)


@scenario(
    {"fetched": "/ /fits /small-after", "skipped size": "/large /endless /endless-line"},
    limits={"page_bytes": 1_000_000},
    requested={"/large /endless /endless-line": (1, 1)},
    costs=Costs(requests=8, bytes=20_000_000, seconds=60, memory=250_000_000, disk=5_000_000),
)
def bytes_too_many(_: ScenarioServer) -> Routes:
    """Pages that are too large, announced or not."""
    return {
        "/": page("Sizes", "/fits", "/large", "/endless", "/endless-line", "/small-after"),
        "/fits": page("Fits", words=8_000),
        "/large": page("Large", words=400_000),
        "/endless": Response(200, HTML, endless(b"<p>" + prose("endless", 5000).encode() + b"</p>\n")),
        "/endless-line": Response(200, HTML, endless(b"x" * 65536)),
        "/small-after": page("Small after all"),
    }


@scenario(
    {
        "fetched": "/ /honest /upper /raw /members /cut",
        "skipped size": "/gzip /deflate /twice /brotli /nothing",
        "failed encoding": "/many /not-gzip",
    },
    limits={"page_bytes": 5_000_000},
    requested={"/gzip /deflate /twice /brotli /nothing": (1, 1)},
    pages={
        "/honest": PageContent("Honest compression"),
        "/upper": PageContent("In capitals"),
        "/raw": PageContent("Raw"),
        "/members": PageContent("In parts", "Part two."),
    },
    costs=Costs(requests=19, bytes=15_000_000, seconds=40, memory=250_000_000, disk=5_000_000),
)
def bombs(_: ScenarioServer) -> Routes:
    """Small bodies that grow when they are decompressed, and an endless one that never does."""
    bodies: dict[str, Route] = {
        "/gzip": lambda _: encoded("gzip", bomb(512 * MIB, GZIP)),
        "/deflate": lambda _: encoded("deflate", bomb(512 * MIB, ZLIB)),
        "/brotli": encoded("br", BROTLI),
        "/twice": encoded("gzip, gzip", gzip.compress(b"".join(bomb(64 * MIB, GZIP)), 9)),
        "/many": encoded(", ".join(["gzip"] * 50), gzip.compress(b"x")),
        "/nothing": lambda _: encoded("gzip", chain([GZIP_HEADER], endless(EMPTY_BLOCKS))),
        "/not-gzip": encoded("gzip", html("Not compressed at all").encode()),
        "/cut": encoded("gzip", gzip.compress(html("Cut short").encode())[:-40]),
        "/honest": encoded("gzip", gzip.compress(html("Honest compression").encode())),
        "/upper": encoded("GZIP", gzip.compress(html("In capitals").encode())),
        "/raw": encoded("deflate", zlib.compress(html("Raw").encode(), wbits=-15)),
        "/members": encoded("gzip", gzip.compress(html("In parts").encode()) + gzip.compress(b"<p>Part two.")),
    }
    return {"/": page("Bombs", *bodies), **bodies}


@scenario(
    {
        "fetched": "/ /too-short /negative /empty /none",
        "failed truncated": "/too-long /chunk-cut /chunk-odd",
    },
    requested={"/too-long /chunk-cut": (3, 3), "/too-short": (1, 1)},
    pages={"/too-short": PageContent("Longer than its header", lacks="unheard"), "/none": PageContent("No length")},
    costs=Costs(seconds=30),
)
def lengths(_: ScenarioServer) -> Routes:
    """Bodies that are not as long as their headers say."""
    whole = html("Longer than its header").encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    bodies: dict[str, Route] = {
        "/too-long": Response(200, {**HTML, "Content-Length": "90000"}, html("Shorter than its header").encode()),
        "/too-short": Raw([head + b"Content-Length: %d\r\n\r\n" % len(whole) + whole + b"<p>unheard</p>" * 50]),
        "/negative": Response(200, {**HTML, "Content-Length": "-5"}, html("Less than nothing").encode()),
        "/chunk-cut": Raw([chunked + b"20\r\n<title>Cut</title><p>The rest is \r\n"]),
        "/chunk-odd": Raw([chunked + b"zebra\r\n<title>Odd</title>\r\n0\r\n\r\n"]),
        "/empty": Response(200, HTML, b""),
        "/none": Response(200, HTML, iter([html("No length").encode()])),
    }
    return {"/": page("Lengths", *bodies), **bodies}


@scenario(
    {
        "fetched": "/ /plain /latin",
        "failed headers": "/huge /many /endless /two-lengths",
        "failed protocol": "/none",
        "failed http-999": "/odd-status",
    },
    requested={"/none /two-lengths": (1, 1)},
    costs=Costs(bytes=20_000_000, seconds=60, memory=250_000_000),
)
def headers(_: ScenarioServer) -> Routes:
    """Headers that are huge, many, endless, or missing."""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    after = b"\r\n\r\n" + html("Behind the headers").encode()
    responses: dict[str, Route] = {
        "/huge": Raw([start, b"X-Huge: " + b"h" * MIB + after]),
        "/many": Raw([start, b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + after]),
        "/endless": Raw(chain([start], endless(b"X-Again: and again\r\n" * 100))),
        "/none": Raw([b"<html><title>HTTP/0.9</title>No headers at all</html>"]),
        "/two-lengths": Raw([start, b"Content-Length: 5\r\nContent-Length: 6" + after]),
        "/odd-status": Raw([b"HTTP/1.1 999 Who knows\r\nContent-Length: 0\r\n\r\n"]),
        "/latin": page("Latin headers", headers={"X-Drink": "caf\u00e9"}),
        "/plain": page("Plain headers"),
    }
    return {"/": page("Headers", *responses), **responses}


@scenario(
    {
        "fetched": "/ /zero /text /xhtml /untyped /mistyped",
        "skipped type": "/image /pdf /zip /json /octets",
        "skipped binary": "/png-as-html /pdf-as-html /png-mistyped",
        "failed http-204": "/no-content",
    },
    pages={"/zero": PageContent("With a zero", "A zero byte stood here."), "/xhtml": PageContent("Strict")},
    requested={"/zip /png-as-html": (1, 1)},
    costs=Costs(requests=17, bytes=5_000_000),
)
def types(_: ScenarioServer) -> Routes:
    """Content that is not a page, and content with a wrong type."""
    zero = html("With a zero").replace("</h1>", "</h1>\0<p>A zero byte stood here.</p>")
    xhtml = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Strict</title></head>'
    responses: dict[str, Route] = {
        "/image": typed("image/png", PNG),
        "/pdf": typed("application/pdf", PDF),
        "/zip": typed("application/zip", endless(b"PK\3\4" * 1000)),
        "/json": typed("application/json", b"{}"),
        "/octets": typed("application/octet-stream", html("Octets").encode()),
        "/png-as-html": Response(200, HTML, PNG),
        "/pdf-as-html": Response(200, HTML, PDF),
        "/png-mistyped": typed("png", PNG),
        "/zero": Response(200, HTML, zero.encode()),
        "/text": typed("text/plain", prose("plain text").encode()),
        "/xhtml": typed("application/xhtml+xml", f"{xhtml}<body><p>{prose('strict')}</p></body></html>".encode()),
        "/untyped": Response(200, {}, html("Untyped").encode()),
        "/mistyped": typed("html", html("Mistyped").encode()),
        "/no-content": Response(204, {}, b""),
    }
    return {"/": page("Types", *responses), **responses}


@scenario(
    {"fetched": "/ /title /description /headings /attributes /value /breaks /word /comment /escapes"},
    limits={"page_seconds": 20.0},
    pages={
        "/attributes": PageContent("Attributes", "The pearl lies among attributes."),
        "/word": PageContent(contains="The pearl lies behind a word."),
        "/comment": PageContent(contains="The pearl lies behind a comment."),
        "/escapes": PageContent(contains="The pearl is", lacks="\x1b"),
    },
    costs=Costs(requests=12, bytes=8_000_000, seconds=60, memory=300_000_000, disk=20_000_000),
)
def oversized(_: ScenarioServer) -> Routes:
    """Too much of one thing in a page: a title, attributes, line breaks, one word."""
    attributes = " ".join(f"a{number}=1" for number in range(50_000))
    parts = {
        "/title": page("Title " * 100_000),
        "/description": page("Description", head=f'<meta name="description" content="{"d " * 300_000}">'),
        "/headings": page("Headings", text="<h2>Again</h2>" * 10_000),
        "/attributes": page("Attributes", text=f"<div {attributes}>The pearl lies among attributes.</div>"),
        "/value": page("Value", text=f'<a href="/end" title="{"v" * 1_000_000}">The end</a>'),
        "/breaks": page("Breaks", text="one<br>" * 100_000),
        "/word": page("Word", text=f"<p>{'w' * 1_000_000} The pearl lies behind a word.</p>"),
        "/comment": page("Comment", text=f"<!-- {'c' * 1_000_000} --><p>The pearl lies behind a comment.</p>"),
        "/escapes": page("Escapes \x1b[31m and \x07 bells", text="<p>The pearl is \x1b[2J not gone.</p>"),
    }
    return {"/": page("Oversized", *parts), **parts}


@scenario(
    {"fetched": "/ /bloated /crowd /alone /n/0"},
    crawl={"max_pages": 10},
    counts=(Count("/n/*", least=100, most=10_000), Count(verdict="fetched", most=10)),
    costs=Costs(requests=12, bytes=5_000_000, seconds=40, memory=300_000_000, disk=10_000_000),
)
def links_too_many(_: ScenarioServer) -> Routes:
    """A page with fifty thousand links, and a small one with megabytes of URLs."""
    bloated = "".join(f'<a href="/{number}-{"x" * 900_000}">{number}</a> ' for number in range(10))
    links = "".join(f'<a href="/n/{number}">{number}</a> ' for number in range(50_000))
    return {
        "/": page("Many links", "/bloated", "/crowd", "/alone"),
        "/bloated": encoded("gzip", gzip.compress(html("Bloated", text=bloated).encode(), mtime=0)),
        "/crowd": page("Crowd", text=f"<p>{prose('crowd')}</p>{links}"),
        "/alone": page("Alone"),
        "*": lambda request: page(f"Number {request.path.rpartition('/')[2]}"),
    }


@scenario(
    {"fetched": "/ /open /div /b /blockquote /table /a /below-div /below-b /below-blockquote /below-a"},
    limits={"page_seconds": 20.0},
    pages={
        f"/{tag}": PageContent(f"Deep {tag}", f"The pearl lies at the bottom of {tag}")
        for tag in ("div", "b", "blockquote")
    },
    costs=Costs(requests=15, bytes=6_000_000, seconds=60, memory=400_000_000),
)
def nesting(_: ScenarioServer) -> Routes:
    """Elements in elements in elements, ten thousand deep."""

    def deep(tag: str, count: int, end: str) -> Response:
        inner = f'<p>The pearl lies at the bottom of {tag}. <a href="/below-{tag}">below</a></p>'
        return page(f"Deep {tag}", text=f"<p>{prose(tag)}</p>" + f"<{tag}>" * count + inner + end * count)

    return {
        "/": page("Nesting", "/div", "/b", "/blockquote", "/table", "/a", "/open"),
        **{f"/{tag}": deep(tag, 10_000, f"</{tag}>") for tag in ("div", "b", "blockquote")},
        "/table": deep("table><tr><td", 2_000, ""),
        "/a": page("Deep a", text=f"<p>{prose('a')}</p>" + '<a href="/below-a">x' * 10_000),
        "/open": page("Never closed", text="<div>" * 100_000 + prose("open")),
        **{f"/below-{tag}": page(f"Below {tag}") for tag in ("div", "b", "blockquote", "a")},
    }


@scenario(
    {"fetched": f"/ /{'s' * 1000}", "skipped length": f"/{'l' * 5000}"},
    counts=(
        Count("/1/2/3/*", "skipped path", 1, 1),
        Count("/grow*", "fetched", 2, 15),
        Count("/grow*", "skipped length", 1, 1),
        Count("/?q=a*", "skipped length", 1, 1),
    ),
)
def urls_too_long(_: ScenarioServer) -> Routes:
    """URLs that are long, and URLs that grow."""
    deep = "/" + "/".join(map(str, range(1, 40)))

    def grow(request: Request) -> Response:
        return page(f"Grown to {len(request.path)}", f"{request.path}&{'q' * 150}{len(request.path)}=1")

    return {
        "/": page("Long URLs", "/" + "l" * 5000, "/?q=" + "%61" * 3000, "/" + "s" * 1000, "/grow?q=1", deep),
        "/" + "s" * 1000: page("A thousand characters are fine"),
        "/grow": grow,
    }
