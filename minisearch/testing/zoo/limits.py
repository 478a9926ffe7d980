"""Too much of something: bytes, links, nesting, headers, or a response that does not match its headers."""

from __future__ import annotations

import gzip

from minisearch.testing.server import Raw, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.scenario import HTML, Routes, ScenarioServer, endless, html, page, prose, scenario

MIB = 1 << 20
BOMB = gzip.compress(b" " * MIB) * 512  # gzip data may consist of many members
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def encoded(encoding: str, body: bytes) -> Response:
    """A response with a content encoding."""
    return Response(200, {**HTML, "Content-Encoding": encoding}, body)


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
        "/endless": lambda _: Response(200, HTML, endless(b"<p>" + prose("endless", 5000).encode() + b"</p>\n")),
        "/endless-line": lambda _: Response(200, HTML, endless(b"x" * 65536)),
        "/small-after": page("Small after all"),
    }


@scenario(
    {"fetched": "/ /honest /members", "skipped size": "/gzip /twice", "failed encoding": "/many /not-gzip"},
    limits={"page_bytes": 5_000_000},
    requested={"/gzip /twice": (1, 1)},
    pages={"/honest": "Honest compression", "/members": "Part two."},
    costs=Costs(bytes=15_000_000, seconds=40, memory=250_000_000, disk=5_000_000),
)
def bombs(_: ScenarioServer) -> Routes:
    """Small bodies that grow when they are decompressed."""
    bodies: dict[str, Route] = {
        "/gzip": encoded("gzip", BOMB),
        "/twice": encoded("gzip, gzip", gzip.compress(BOMB)),
        "/many": encoded(", ".join(["gzip"] * 50), gzip.compress(b"x")),
        "/not-gzip": encoded("gzip", html("Not compressed at all").encode()),
        "/honest": encoded("gzip", gzip.compress(html("Honest compression").encode())),
        "/members": encoded("gzip", gzip.compress(html("In parts").encode()) + gzip.compress(b"<p>Part two.")),
    }
    return {"/": page("Bombs", *bodies), **bodies}


@scenario(
    {
        "fetched": "/ /longer-than-its-length /no-length /empty /latin",
        "failed truncated": "/shorter-than-its-length /chunk-cut",
        "failed headers": "/huge-header /many-headers /two-lengths",
        "failed protocol": "/no-headers",
        "failed http-999": "/odd-status",
        "failed http-204": "/no-content",
        "skipped type": "/image",
        "skipped binary": "/image-as-html",
    },
    requested={"/chunk-cut": (3, 3), "/no-headers /two-lengths /image-as-html": (1, 1)},
    costs=Costs(requests=25, bytes=20_000_000, seconds=60, memory=250_000_000),
)
def malformed(_: ScenarioServer) -> Routes:
    """Responses with wrong lengths, too many headers or none, an unknown status, or without a page."""
    text = html("A page").encode()
    responses: dict[str, Route] = {
        "/longer-than-its-length": Raw([HEAD + b"Content-Length: %d\r\n\r\n" % len(text) + text + b"unread" * 50]),
        "/shorter-than-its-length": Response(200, {**HTML, "Content-Length": "90000"}, text),
        "/no-length": Response(200, HTML, [html("No length").encode()]),
        "/two-lengths": Raw([HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + text]),
        "/chunk-cut": Raw([HEAD + b"Transfer-Encoding: chunked\r\n\r\n20\r\n<title>Cut</title>\r\n"]),
        "/huge-header": Raw([HEAD + b"X-Huge: " + b"h" * MIB + b"\r\n\r\n" + text]),
        "/many-headers": Raw([HEAD + b"X-Again: and again\r\n" * 1_000_000]),
        "/no-headers": Raw([b"<html><title>HTTP/0.9</title>No headers at all</html>"]),
        "/odd-status": Raw([b"HTTP/1.1 999 Who knows\r\nContent-Length: 0\r\n\r\n"]),
        "/latin": page("Latin headers", headers={"X-Drink": "caf\u00e9"}),
        "/empty": Response(200, HTML),
        "/no-content": Response(204),
        "/image": Response(200, {"Content-Type": "image/png"}, PNG),
        "/image-as-html": Response(200, HTML, PNG),
    }
    return {"/": page("Malformed", *responses), **responses}


PEARL = "The pearl lies at the bottom."


@scenario(
    {"fetched": "/ /title /attributes /breaks /word /div /b /open /below"},
    limits={"page_seconds": 20.0},
    pages=dict.fromkeys(("/attributes", "/word", "/div", "/b"), PEARL),
    costs=Costs(requests=12, bytes=8_000_000, seconds=60, memory=400_000_000, disk=20_000_000),
)
def oversized(_: ScenarioServer) -> Routes:
    """Too much of one thing in a page: a title, attributes, line breaks, one word, nested elements."""
    attributes = " ".join(f"a{number}=1" for number in range(50_000))
    parts = {
        "/title": page("Title " * 100_000),
        "/attributes": page("Attributes", text=f"<div {attributes}>{PEARL}</div>"),
        "/breaks": page("Breaks", text="one<br>" * 100_000),
        "/word": page("Word", text=f"<p>{'w' * 1_000_000} {PEARL}</p>"),
        "/div": page("Deep div", text="<div>" * 10_000 + f'{PEARL}<a href="/below">below</a>' + "</div>" * 10_000),
        "/b": page("Deep b", text="<b>" * 10_000 + PEARL + "</b>" * 10_000),
        "/open": page("Never closed", text="<div>" * 100_000 + prose("open")),
    }
    return {"/": page("Oversized", *parts), **parts, "/below": page("Below")}


@scenario(
    {"fetched": "/ /crowd /alone /n/0"},
    crawl={"max_pages": 10},
    counts=(Count("/n/*", least=100, most=10_000), Count(verdict="fetched", most=10)),
    costs=Costs(requests=12, bytes=5_000_000, seconds=40, memory=300_000_000, disk=10_000_000),
)
def links_too_many(_: ScenarioServer) -> Routes:
    """A page with fifty thousand links."""
    links = "".join(f'<a href="/n/{number}">{number}</a> ' for number in range(50_000))
    return {
        "/": page("Many links", "/crowd", "/alone"),
        "/crowd": page("Crowd", text=f"<p>{prose('crowd')}</p>{links}"),
        "/alone": page("Alone"),
        "*": lambda request: page(f"Number {request.path.rpartition('/')[2]}"),
    }
