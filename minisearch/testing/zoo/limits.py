"""Too much of something: bytes, links, nesting, headers, letters in a url, or the wrong kind of bytes."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from collections.abc import Iterator, Mapping
from itertools import chain

from minisearch.testing.server import Raw, Response, Route
from minisearch.testing.zoo.pen import HTML, Pen, endless, html, page, pen, prose

MIB = 1 << 20
GZIP_WINDOW = 31  # as zlib names the format
LAST_BLOCK = b"\3\0"  # of a deflated stream: it holds nothing
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256)) * 8
# 512 MiB of spaces, in 429 bytes.
BROTLI = base64.b64decode(
    "z///fwAEJnKkEUeYf89CwHkskSnV8esItun9P/j//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBI"
    "AMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC69//8"
    "//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/8///38AJADisAB07//5//8PgARAHBaA7v0/////AZAAiMMC"
    "0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcFoHv/z///fwAkAOKwAHTv//n//w+A"
    "BEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge/8f"
    "EgAAJABiiAAC"
)


PACKINGS = "gzip deflate brotli twice many nothing not-gzip cut honest upper raw members"
OPENED = gzip.compress(b"")[:10]  # what follows may be blocks that hold nothing, without end
KINDS = "image pdf zip json octets png-as-html pdf-as-html png-mistyped zero text xhtml untyped mistyped no-content"


def bomb(size: int, window: int) -> Iterator[bytes]:
    """`size` bytes of spaces, compressed a mebibyte at a time (window 31: gzip, 15: zlib).

    Each mebibyte is packed as if nothing stood before it, so all come out the same and one is enough: whoever waits
    for the bomb is not kept waiting by us.
    """
    title, spaces = b"<title>Bomb</title>", b" " * MIB
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    yield packer.compress(title) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = packer.compress(spaces) + packer.flush(zlib.Z_FULL_FLUSH)
    check = zlib.crc32 if window == GZIP_WINDOW else zlib.adler32
    checked = check(title)
    for _ in range(size // MIB):
        yield packed
        checked = check(spaces, checked)
    length = len(title) + size // MIB * MIB
    yield LAST_BLOCK + (struct.pack("<LL", checked, length) if window == GZIP_WINDOW else struct.pack(">L", checked))


@pen
def bytes_too_many(_: Pen) -> Mapping[str, Route]:
    """Pages larger than anyone wants, said beforehand or not."""
    large = html("Large", words=400_000).encode()
    return {
        "/": page("Sizes", "/fits", "/large", "/endless", "/endless-line", "/small-after"),
        "/fits": Response(200, HTML, html("Fits", words=8_000).encode()),
        "/large": Response(200, HTML, large),
        "/endless": Response(200, HTML, endless(b"<p>" + prose("endless", 5000).encode() + b"</p>\n")),
        "/endless-line": Response(200, HTML, endless(b"x" * 65536)),
        "/small-after": page("Small after all"),
    }


@pen
def bombs(_: Pen) -> Mapping[str, Route]:
    """Small bodies that grow when they are unpacked, and one without end that never does."""
    packed = {**HTML, "Content-Encoding": "gzip"}
    twice = gzip.compress(b"".join(bomb(64 * MIB, 31)), 9)
    return {
        "/": page("Bombs", *(f"/{name}" for name in PACKINGS.split())),
        "/gzip": lambda _: Response(200, packed, bomb(512 * MIB, 31)),
        "/deflate": lambda _: Response(200, {**HTML, "Content-Encoding": "deflate"}, bomb(512 * MIB, 15)),
        "/brotli": Response(200, {**HTML, "Content-Encoding": "br"}, BROTLI),
        "/twice": Response(200, {**HTML, "Content-Encoding": "gzip, gzip"}, twice),
        "/many": Response(200, {**HTML, "Content-Encoding": ", ".join(["gzip"] * 50)}, gzip.compress(b"x")),
        "/nothing": lambda _: Response(200, packed, chain([OPENED], endless(b"\0\0\0\xff\xff" * 10_000))),
        "/not-gzip": Response(200, packed, html("Not packed at all").encode()),
        "/cut": Response(200, packed, gzip.compress(html("Cut short").encode())[:-40]),
        "/honest": Response(200, packed, gzip.compress(html("Honestly packed").encode())),
        "/upper": Response(200, {**HTML, "Content-Encoding": "GZIP"}, gzip.compress(html("Told loudly").encode())),
        "/raw": Response(200, {**HTML, "Content-Encoding": "deflate"}, zlib.compress(html("Raw").encode(), wbits=-15)),
        "/members": Response(200, packed, gzip.compress(html("In parts").encode()) + gzip.compress(b"<p>Part two.")),
    }


@pen
def lengths(_: Pen) -> Mapping[str, Route]:
    """Bodies that are not as long as they say."""
    whole = html("Said too little").encode()
    told_less = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(whole)}\r\n\r\n".encode()
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    return {
        "/": page("Lengths", "/too-long", "/too-short", "/negative", "/chunk-cut", "/chunk-odd", "/empty", "/none"),
        "/too-long": Response(200, {**HTML, "Content-Length": "90000"}, html("Said too much").encode()),
        "/too-short": Raw([told_less + whole + b"<p>unheard</p>" * 50]),
        "/negative": Response(200, {**HTML, "Content-Length": "-5"}, html("Less than nothing").encode()),
        "/chunk-cut": Raw([start + b"20\r\n<title>Cut</title><p>The rest is \r\n"]),
        "/chunk-odd": Raw([start + b"zebra\r\n<title>Odd</title>\r\n0\r\n\r\n"]),
        "/empty": Response(200, HTML, b""),
        "/none": Response(200, HTML, iter([html("No length at all").encode()])),
    }


@pen
def headers(_: Pen) -> Mapping[str, Route]:
    """Headers that are huge, many, or none at all."""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    after = b"\r\n\r\n" + html("Behind the headers").encode()
    return {
        "/": page("Headers", "/huge", "/many", "/endless", "/none", "/two-lengths", "/odd-status", "/latin", "/plain"),
        "/huge": Raw([start, b"X-Huge: " + b"h" * MIB + after]),
        "/many": Raw([start, b"".join(b"X-%d: y\r\n" % n for n in range(20_000)) + after]),
        "/endless": Raw(chain([start], endless(b"X-Again: and again\r\n" * 100))),
        "/none": Raw([b"<html><title>HTTP/0.9</title>No headers at all</html>"]),
        "/two-lengths": Raw([start, b"Content-Length: 5\r\nContent-Length: 6" + after]),
        "/odd-status": Raw([b"HTTP/1.1 999 Who knows\r\nContent-Length: 0\r\n\r\n"]),
        "/latin": Response(200, {**HTML, "X-Drink": "caf\u00e9"}, html("Latin headers").encode()),
        "/plain": page("Plain headers"),
    }


@pen
def types(_: Pen) -> Mapping[str, Route]:
    """Things that are no pages, and things that are not what they say."""
    text = html("With a zero").replace("</h1>", "</h1>\0<p>A zero byte stood here.</p>")
    xhtml = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Strict</title></head>'
    return {
        "/": page("Types", *(f"/{name}" for name in KINDS.split())),
        "/image": Response(200, {"Content-Type": "image/png"}, PNG),
        "/pdf": Response(200, {"Content-Type": "application/pdf"}, PDF),
        "/zip": Response(200, {"Content-Type": "application/zip"}, endless(b"PK\3\4" * 1000)),
        "/json": Response(200, {"Content-Type": "application/json"}, b"{}"),
        "/octets": Response(200, {"Content-Type": "application/octet-stream"}, html("Octets").encode()),
        "/png-as-html": Response(200, HTML, PNG),
        "/pdf-as-html": Response(200, HTML, PDF),
        "/zero": Response(200, HTML, text.encode()),
        "/text": Response(200, {"Content-Type": "text/plain"}, prose("plain text").encode()),
        "/xhtml": Response(
            200,
            {"Content-Type": "application/xhtml+xml"},
            f"{xhtml}<body><p>{prose('strict')}</p></body></html>".encode(),
        ),
        "/untyped": Response(200, {}, html("Untyped").encode()),
        "/mistyped": Response(200, {"Content-Type": "html"}, html("Mistyped").encode()),
        "/png-mistyped": Response(200, {"Content-Type": "png"}, PNG),
        "/no-content": Response(204, {}, b""),
    }


@pen
def oversized(_: Pen) -> Mapping[str, Route]:
    """Too much of one thing in a page: a title, a heading, an attribute, attributes, line breaks, one word."""
    attributes = " ".join(f"a{number}=1" for number in range(50_000))
    parts = {
        "title": page("Title " * 100_000),
        "description": page("Description", head=f'<meta name="description" content="{"d " * 300_000}">'),
        "headings": page("Headings", text="<h2>Again</h2>" * 10_000),
        "attributes": page("Attributes", text=f"<div {attributes}>The pearl lies among attributes.</div>"),
        "value": page("Value", text=f'<a href="/end" title="{"v" * 1_000_000}">The end</a>'),
        "breaks": page("Breaks", text="one<br>" * 100_000),
        "word": page("Word", text=f"<p>{'w' * 1_000_000} The pearl lies behind a word.</p>"),
        "comment": page("Comment", text=f"<!-- {'c' * 1_000_000} --><p>The pearl lies behind a comment.</p>"),
        "escapes": page("Escapes \x1b[31m and \x07 bells", text="<p>The pearl is \x1b[2J not gone.</p>"),
    }
    return {
        "/": page("Oversized", *(f"/{name}" for name in parts)),
        **{f"/{name}": part for name, part in parts.items()},
    }


@pen
def links_too_many(_: Pen) -> Mapping[str, Route]:
    """One page with fifty thousand links, and one of a few bytes that spells out megabytes of urls."""
    bloated = "".join(f'<a href="/{number}-{"x" * 900_000}">{number}</a> ' for number in range(10))
    packed = gzip.compress(html("Bloated", text=bloated).encode(), mtime=0)
    links = "".join(f'<a href="/n/{number}">{number}</a> ' for number in range(50_000))
    return {
        "/": page("Many links", "/bloated", "/crowd", "/alone"),
        "/bloated": Response(200, {**HTML, "Content-Encoding": "gzip"}, packed),
        "/crowd": Response(200, HTML, html("Crowd", text=f"<p>{prose('crowd')}</p>{links}").encode()),
        "/alone": page("Alone"),
        "*": lambda request: page(f"Number {request.path.rpartition('/')[2]}"),
    }


@pen
def nesting(_: Pen) -> Mapping[str, Route]:
    """Elements in elements in elements, ten thousand deep."""

    def deep(tag: str, count: int, closed: bool = True) -> Response:
        inner = f'<p>The pearl lies at the bottom of {tag}. <a href="/below-{tag}">below</a></p>'
        text = f"<p>{prose(tag)}</p>" + f"<{tag}>" * count + inner + f"</{tag}>" * (count if closed else 0)
        return Response(200, HTML, html(f"Deep {tag}", text=text).encode())

    return {
        "/": page("Nesting", "/div", "/b", "/blockquote", "/table", "/a", "/open"),
        **{f"/{tag}": deep(tag, 10_000) for tag in ("div", "b", "blockquote")},
        "/table": deep("table><tr><td", 2_000, closed=False),
        "/a": Response(
            200, HTML, html("Deep a", text=f"<p>{prose('a')}</p>" + '<a href="/below-a">x' * 10_000).encode()
        ),
        "/open": Response(200, HTML, html("Never closed", text="<div>" * 100_000 + prose("open")).encode()),
        **{f"/below-{tag}": page(f"Below {tag}") for tag in ("div", "b", "blockquote", "a")},
    }


@pen
def urls_too_long(_: Pen) -> Mapping[str, Route]:
    """Urls that are long, and urls that grow."""

    deep = "/" + "/".join(map(str, range(1, 40)))

    def grow(request: object) -> Response:
        path = str(getattr(request, "path", "/grow?q=1"))
        return page(f"Grown to {len(path)}", path + "&" + "q" * 150 + f"{len(path)}=1")

    return {
        "/": page("Long urls", "/" + "l" * 5000, "/?q=" + "%61" * 3000, "/" + "s" * 1000, "/grow?q=1", deep),
        "/" + "s" * 1000: page("A thousand letters are fine"),
        "/grow": grow,
    }
