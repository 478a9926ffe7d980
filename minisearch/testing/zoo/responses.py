"""Responses: too much of something, not what their headers say, slow, redirected, or failing for a while."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from itertools import repeat

from minisearch.testing.server import Answer, Raw, Request, Response, Route
from minisearch.testing.zoo.content import HTML, error, html, page, prose, redirect
from minisearch.testing.zoo.scenario import Costs, Count, Routes, ScenarioServer, scenario

# -- too much, or not what the headers say -------------------------------------------------------

MIB = 1 << 20
BOMB = gzip.compress(b" " * MIB) * 512  # gzip data may consist of many members
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    """One response after the other; the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def encoded(encoding: str, body: bytes) -> Response:
    """A response with a content encoding."""
    return Response(200, {**HTML, "Content-Encoding": encoding}, body)


@scenario(
    {"fetched": "/ /fits /small-after", "skipped size": "/large /endless /endless-line"},
    limits={"page_bytes": 1_000_000},
    requested={"/large /endless /endless-line": (1, 1)},
    costs=Costs(bytes=20_000_000, memory=250_000_000),
)
def bytes_too_many(_: ScenarioServer) -> Routes:
    """Pages that are too large, announced or not."""
    return {
        "/fits": page("Fits", words=8_000),
        "/large": page("Large", words=400_000),
        "/endless": lambda _: Response(200, HTML, repeat(prose("endless", 5000).encode(), 20_000)),  # a gigabyte
        "/endless-line": lambda _: Response(200, HTML, repeat(b"x" * MIB, 1000)),
        "/small-after": page("Small after all"),
    }


@scenario(
    {"fetched": "/ /honest /members", "skipped size": "/gzip /twice", "failed encoding": "/many /not-gzip"},
    limits={"page_bytes": 5_000_000},
    requested={"/gzip /twice": (1, 1)},
    pages={"/honest": "Honest compression", "/members": "Part two."},
    costs=Costs(bytes=15_000_000, memory=250_000_000),
)
def bombs(_: ScenarioServer) -> Routes:
    """Small bodies that grow when they are decompressed."""
    return {
        "/gzip": encoded("gzip", BOMB),
        "/twice": encoded("gzip, gzip", gzip.compress(BOMB)),
        "/many": encoded(", ".join(["gzip"] * 50), gzip.compress(b"x")),
        "/not-gzip": encoded("gzip", html("Not compressed at all").encode()),
        "/honest": encoded("gzip", gzip.compress(html("Honest compression").encode())),
        "/members": encoded("gzip", gzip.compress(html("In parts").encode()) + gzip.compress(b"<p>Part two.")),
    }


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
    costs=Costs(bytes=20_000_000, memory=250_000_000),
)
def malformed(_: ScenarioServer) -> Routes:
    """Responses with wrong lengths, too many headers or none, an unknown status, or without a page."""
    text = html("A page").encode()
    return {
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


PEARL = "The pearl lies at the bottom."


@scenario(
    {"fetched": "/ /title /attributes /breaks /word /div /b /open /below"},
    limits={"page_seconds": 20.0},
    pages=dict.fromkeys(("/attributes", "/word", "/div", "/b"), PEARL),
    costs=Costs(bytes=8_000_000, memory=400_000_000),
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
    costs=Costs(bytes=5_000_000, memory=300_000_000),
)
def links_too_many(_: ScenarioServer) -> Routes:
    """A page with fifty thousand links."""
    links = "".join(f'<a href="/n/{number}">{number}</a> ' for number in range(50_000))
    return {
        "/crowd": page("Crowd", text=f"<p>{prose('crowd')}</p>{links}"),
        "/alone": page("Alone"),
        "*": lambda request: page(f"Number {request.path.rpartition('/')[2]}"),
    }


STATUSES = (301, 302, 303, 307, 308)
PRIVATE_URLS = """
http://10.0.0.1/ http://192.168.1.1/ http://172.16.0.1/ http://169.254.169.254/latest/meta-data/ http://100.64.0.1/
http://0.0.0.0:9/ http://224.0.0.1/ http://255.255.255.255/ http://[fe80::1]/ http://[fd00::1]/
http://[::ffff:10.0.0.1]/ http://[64:ff9b::a00:1]/ http://[2002:a00:1::]/ http://167772161/ http://10.1/
http://0x0a000001/ http://012.0.0.1/"""
PRIVATE = PRIVATE_URLS.split()
OTHER_SCHEMES = "file:///etc/passwd javascript:alert(1) mailto:a@b.example ftp://127.0.0.1/ tel:+38111"


# -- charsets ------------------------------------------------------------------------------------

SERBIAN = "Шума је мирна, а река тече поред старог млина."
CROATIAN = "Šuma žubori, čekajući kišu; đak nosi šešir."
JAPANESE = "森の中に古い水車があります。川は静かに流れています。"
GERMAN = "Der Bär schläft über den Winter, hört aber jedes Geräusch draußen."

CHARSETS = {  # path: text, codec, charset in the header, charset in the markup
    "/mark-not-header": (SERBIAN, "utf-8-sig", "windows-1251", ""),
    "/header-not-meta": (SERBIAN, "cp1251", "windows-1251", "utf-8"),
    "/meta": (CROATIAN, "iso-8859-2", "", "iso-8859-2"),
    "/undeclared": (JAPANESE, "utf-8", "", ""),
    "/undeclared-1251": (SERBIAN * 6, "cp1251", "", ""),
    "/latin1-is-utf8": (GERMAN, "utf-8", "iso-8859-1", ""),
    "/utf8-is-1251": (SERBIAN * 4, "cp1251", "utf-8", "windows-1251"),
}


@scenario(
    {"fetched": "/", "fetched | merged": " ".join(CHARSETS)},
    pages={path: text[:13] for path, (text, *_) in CHARSETS.items()},
)
def charsets(_: ScenarioServer) -> Routes:
    """Charsets declared by a byte order mark, a header or the markup, or not at all, or wrongly."""
    routes: dict[str, Route] = {}
    for path, (text, codec, header, meta) in CHARSETS.items():
        tag = f'<meta charset="{meta}">' if meta else ""
        markup = (
            f"<!DOCTYPE html><html><head>{tag}<title>Page {path}</title></head><body><p>{text} {path}</body></html>"
        )
        content_type = "text/html" + (f"; charset={header}" if header else "")
        routes[path] = Response(200, {"Content-Type": content_type}, markup.encode(codec))
    return routes


# -- slow servers --------------------------------------------------------------------------------


@scenario(
    {"fetched": "/ /steady /quick", "failed timeout": "/drip /headers /nothing /half"},
    limits={"page_seconds": 1.2, "silence_seconds": 0.6},
    requested={"/drip /headers /nothing /half": (1, 3)},
)
def slow(server: ScenarioServer) -> Routes:
    """Servers that send a body or headers byte by byte, nothing at all, or half a page."""

    def in_pieces(text: bytes, size: int, pause: float) -> Iterator[bytes]:
        for start in range(0, len(text), size):
            yield text[start : start + size]
            server.closed.wait(pause)

    def silent(_: Request) -> None:
        server.closed.wait(60)

    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Slow: " + b"s" * 600
    text = html("Slow").encode()
    return {
        "/drip": lambda _: Response(200, HTML, in_pieces(text, size=1, pause=0.1)),
        "/headers": lambda _: Raw(in_pieces(head, size=1, pause=0.1)),
        "/nothing": silent,
        "/half": lambda _: Response(200, HTML, in_pieces(text, size=len(text) // 2, pause=60)),
        "/steady": lambda _: Response(200, HTML, in_pieces(text, size=200, pause=0.05)),
        "/quick": page("Quick"),
    }


# -- redirects and other origins -----------------------------------------------------------------


@scenario(
    {
        "fetched": "/ /to-301 /to-302 /to-303 /to-307 /to-308 /short-4 /caf%C3%A9",
        "merged redirect": "/301 /302 /303 /307 /308 /short-0 /short-3 /spaced /letters",
        "skipped redirect": "/long-0",
        "failed redirect-loop": "/ring-a /ring-b /ring-c /self",
        "failed redirect": "/nowhere /nonsense /empty /file",
        "failed http-304": "/unneeded",
        "unseen": "/long-12 /long-30 file:///etc/passwd",
    },
    requested={"/self /ring-a": (1, 1)},
    counts=(Count("/long-*", "skipped redirects", 1, 1),),
)
def redirects(_: ScenarioServer) -> Routes:
    """Redirects of every status, short and long chains, loops, and some that lead nowhere."""
    odd: dict[str, Route] = {
        "/nowhere": Response(302),
        "/nonsense": redirect("http://:80:80/"),
        "/empty": redirect(""),
        "/file": redirect("file:///etc/passwd"),
        "/spaced": redirect("  /to-301  "),
        "/letters": Raw([b"HTTP/1.1 302 Found\r\nLocation: /caf\xc3\xa9\r\nContent-Length: 0\r\n\r\n"]),
        "/unneeded": Response(304),
        "/ring-a": redirect("/ring-b"),
        "/self": redirect("/self"),
    }
    by_status = {f"/{status}": redirect(f"/to-{status}", status) for status in STATUSES}
    return {
        "/": page("Redirects", *by_status, "/short-0", "/long-0", *odd),
        **by_status,
        **{f"/to-{status}": page(f"Reached by {status}") for status in STATUSES},
        **{f"/short-{number}": redirect(f"/short-{number + 1}") for number in range(4)},
        "/short-4": page("End of the short chain"),
        **{f"/long-{number}": redirect(f"/long-{number + 1}") for number in range(30)},
        "/ring-b": redirect("/ring-c"),
        "/ring-c": redirect("/ring-a"),
        "/caf%C3%A9": page("Coffee house"),
        **odd,
    }


@scenario(
    {
        "fetched": "/ /fine",
        "skipped redirect": " ".join(f"/to/{number}" for number in range(len(PRIVATE))),
        "skipped address": " ".join((*PRIVATE[:4], "http://[fe80::1]/", "http://[fd00::1]/")),
    },
    crawl={"scope": "any"},
    counts=(Count(verdict="fetched", most=2), Count(verdict="failed", most=0), Count("*", "skipped address", least=10)),
)
def private_addresses(_: ScenarioServer) -> Routes:
    """Redirects and links to addresses of the internal network, in every spelling."""
    targets = {f"/to/{number}": redirect(url) for number, url in enumerate(PRIVATE)}
    return {"/": page("Internal", *targets, *PRIVATE[:4], "/fine"), **targets, "/fine": page("Fine")}


@scenario(
    {
        "fetched": "/ /secret /cookie /after-cookie",
        "skipped redirect": "/port",
        "skipped scheme": OTHER_SCHEMES,
    },
    counts=(
        Count("*secret@*", most=0),
        Count("*/moved", "skipped scope", 1, 1),
        Count("data:*", "fetched | failed | queued", most=0),
    ),
)
def other_origins(server: ScenarioServer) -> Routes:
    """Other ports, passwords in URLs, cookies, and URLs of other schemes."""

    def unless_sent(header: str, response: Response) -> Route:
        return lambda request: error(400) if header in request.headers else response

    with_password = server.base.replace("http://", "http://user:secret@") + "/secret"
    return {
        "/": page(
            "Other origins",
            *("/port", "/cookie", with_password, f"{server.other_base}/", "data:text/html,<p>x"),
            *OTHER_SCHEMES.split(),
        ),
        "/port": redirect(f"{server.other_base}/moved"),
        "/cookie": page("Cookie", "/after-cookie", headers={"Set-Cookie": "crumb=1; Path=/"}),
        "/after-cookie": unless_sent("Cookie", page("After the cookie")),
        "/secret": unless_sent("Authorization", page("Requested without the password")),
    }


# -- failures ------------------------------------------------------------------------------------


@scenario(
    {
        "fetched": "/ /once /twice /hangs-up /cut",
        "failed http-500": "/always",
        "failed http-410": "/gone",
        "failed http-404": "/lost",
        "failed http-403": "/forbidden",
        "failed http-418": "/teapot",
    },
    requested={
        "/once /hangs-up /cut": (2, 2),
        "/twice /always": (3, 3),
        "/gone /lost /forbidden /teapot": (1, 1),
    },
    pages={"/cut": "Cut at first"},
)
def flaky(_: ScenarioServer) -> Routes:
    """Failures that pass, and failures that stay."""
    cut = Response(200, {**HTML, "Content-Length": "1000"}, b"<p>Cut")
    return {
        "/once": in_turn(error(503), page("Works after one failure")),
        "/twice": in_turn(error(500), error(502), page("Works after two failures")),
        "/always": error(500),
        "/hangs-up": in_turn(None, page("Works after hanging up")),
        "/cut": in_turn(cut, page("Cut at first")),
        "/gone": error(410),
        "/lost": error(404),
        "/forbidden": error(403),
        "/teapot": error(418),
    }


@scenario(
    {"fetched": "/ /seconds /date", "failed http-503": "/year"},
    limits={"pause_seconds": 5.0},
    requested={"/seconds /date": (2, 2), "/year": (1, 1)},
)
def retry_after(_: ScenarioServer) -> Routes:
    """Retry-After in seconds, as a date, and of a year. Who comes back too soon is sent away again."""

    def later(status: int, pause: float, *, dated: bool = False) -> Route:
        opens_at = 0.0

        def route(_: Request) -> Response:
            nonlocal opens_at
            opens_at = opens_at or time.time() + pause  # from the first request on
            if time.time() >= opens_at:
                return page(f"After {status}")
            value = formatdate(opens_at + 1, usegmt=True) if dated else str(pause)  # dates have no fractions
            return Response(status, {"Retry-After": value})

        return route

    return {"/seconds": later(429, 2), "/date": later(503, 2, dated=True), "/year": later(503, 31_536_000)}
