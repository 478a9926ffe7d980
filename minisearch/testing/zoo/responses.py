"""Responses: too large, not what their headers say, slow, redirected, or failing for a while."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from itertools import repeat

from minisearch.testing.server import Answer, Raw, Request, Response, Route
from minisearch.testing.zoo.content import HTML, error, html, page, pages, prose, redirect
from minisearch.testing.zoo.scenario import Costs, Count, Routes, ScenarioServer, scenario

# -- too much, or not what the headers say -------------------------------------------------------

MIB = 1 << 20
BOMB = gzip.compress(b" " * MIB) * 512  # gzip data may consist of many members
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
GZIP = {**HTML, "Content-Encoding": "gzip"}


@scenario(
    {"fetched": "/ /fits", "skipped size": "/large /endless /endless-line /gzip /gzip-twice"},
    limits={"page_bytes": 1_000_000},
    requested={"/large /endless /endless-line /gzip /gzip-twice": (1, 1)},
    costs=Costs(bytes=20_000_000, memory=250_000_000),
)
def bombs(_: ScenarioServer) -> Routes:
    """Pages that are too large, announced or not, and decompression bombs."""
    return {
        "/large": page("Large", words=400_000),
        "/endless": lambda _: Response(200, HTML, repeat(prose("endless", 5000).encode(), 20_000)),  # a gigabyte
        "/endless-line": lambda _: Response(200, HTML, repeat(b"x" * MIB, 1000)),
        "/gzip": Response(200, GZIP, BOMB),
        "/gzip-twice": Response(200, {**HTML, "Content-Encoding": "gzip, gzip"}, gzip.compress(BOMB)),
        "/fits": page("Fits", words=8_000),
    }


@scenario(
    {
        "fetched": "/ /longer-than-its-length /no-length /empty /latin /gzip-members",
        "failed truncated": "/shorter-than-its-length /chunk-cut",
        "failed headers": "/huge-header /many-headers /two-lengths",
        "failed encoding": "/gzip-50-times /not-gzip",
        "failed protocol": "/no-headers",
        "failed http-999": "/odd-status",
        "failed http-204": "/no-content",
        "skipped type": "/image",
        "skipped binary": "/image-as-html",
    },
    requested={"/chunk-cut": (3, 3), "/no-headers /two-lengths /image-as-html": (1, 1)},
    pages={"/gzip-members": "Part two."},
    costs=Costs(bytes=20_000_000, memory=250_000_000),
)
def malformed(_: ScenarioServer) -> Routes:
    """Responses with wrong lengths or encodings, too many headers or none, an unknown status, or without a page."""
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
        "/gzip-50-times": Response(200, {**HTML, "Content-Encoding": ", ".join(["gzip"] * 50)}, gzip.compress(b"x")),
        "/gzip-members": Response(200, GZIP, gzip.compress(text) + gzip.compress(b"<p>Part two.")),
        "/not-gzip": Response(200, GZIP, text),
        "/empty": Response(200, HTML),
        "/no-content": Response(204),
        "/image": Response(200, {"Content-Type": "image/png"}, PNG),
        "/image-as-html": Response(200, HTML, PNG),
    }


PEARL = "The pearl lies at the bottom."


@scenario(
    {"fetched": "/ /title /attributes /breaks /word /div /b /open /below /links /n/0"},
    crawl={"max_pages": 20},
    limits={"page_seconds": 20.0},
    counts=(Count("/n/*", least=100, most=10_000),),
    pages=dict.fromkeys(("/attributes", "/word", "/div", "/b"), PEARL),
    costs=Costs(bytes=10_000_000, memory=400_000_000),
)
def oversized(_: ScenarioServer) -> Routes:
    """Too much of one thing in a page: a title, attributes, line breaks, one word, nested elements, links."""
    attributes = " ".join(f"a{number}=1" for number in range(50_000))
    links = "".join(f'<a href="/n/{number}">{number}</a> ' for number in range(50_000))
    return {
        "/title": page("Title " * 100_000),
        "/attributes": page("Attributes", text=f"<div {attributes}>{PEARL}</div>"),
        "/breaks": page("Breaks", text="one<br>" * 100_000),
        "/word": page("Word", text=f"<p>{'w' * 1_000_000} {PEARL}</p>"),
        "/div": page("Deep div", text="<div>" * 10_000 + f'{PEARL}<a href="/below">below</a>' + "</div>" * 10_000),
        "/b": page("Deep b", text="<b>" * 10_000 + PEARL + "</b>" * 10_000),
        "/open": page("Never closed", text="<div>" * 100_000 + prose("open")),
        "/links": page("Links", text=links),
        "*": lambda request: page(f"Page {request.path}"),
    }


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


@scenario({"fetched": f"/ {' '.join(CHARSETS)}"}, pages={path: text[:13] for path, (text, *_) in CHARSETS.items()})
def charsets(_: ScenarioServer) -> Routes:
    """Charsets declared by a byte order mark, a header or the markup, or not at all, or wrongly."""
    routes: dict[str, Route] = {}
    for path, (text, codec, header, meta) in CHARSETS.items():
        markup = html(f"Page {path}", head=f'<meta charset="{meta}">' if meta else "", text=f"<p>{text} {path}</p>")
        content_type = f"text/html; charset={header}" if header else "text/html"
        routes[path] = Response(200, {"Content-Type": content_type}, markup.encode(codec))
    return routes


# -- slow servers --------------------------------------------------------------------------------


@scenario(
    {"fetched": "/ /steady", "failed timeout": "/drip /headers /nothing /half"},
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

    text = html("Slow").encode()
    return {
        "/drip": lambda _: Response(200, HTML, in_pieces(text, size=1, pause=0.1)),
        "/headers": lambda _: Raw(in_pieces(HEAD + b"X-Slow: " + b"s" * 600, size=1, pause=0.1)),
        "/nothing": silent,
        "/half": lambda _: Response(200, HTML, in_pieces(text, size=len(text) // 2, pause=60)),
        "/steady": lambda _: Response(200, HTML, in_pieces(text, size=200, pause=0.05)),
    }


# -- redirects and other origins -----------------------------------------------------------------

STATUSES = ("/301", "/302", "/303", "/307", "/308")


@scenario(
    {
        "fetched": "/ /end",
        "merged redirect": f"{' '.join(STATUSES)} /once /twice /spaced",
        "skipped redirect": "/chain",
        "failed redirect-loop": "/ring-a /ring-b /self",
        "failed redirect": "/nowhere /nonsense /file",
        "unseen": f"/chain{'+' * 30} file:///etc/passwd",
    },
    requested={"/self /ring-a": (1, 1)},
    counts=(Count("/chain*", "skipped redirects", 1, 1),),
)
def redirects(_: ScenarioServer) -> Routes:
    """Redirects of every status, chains, one without end, loops, and some that lead nowhere."""
    return {
        **{path: redirect("/end", int(path[1:])) for path in STATUSES},
        "/once": redirect("/end"),
        "/twice": redirect("/once"),
        "/spaced": redirect("  /end  "),
        "/end": page("End of the redirects"),
        "/chain": redirect("/chain+"),
        "*": lambda request: redirect(request.path + "+"),
        "/ring-a": redirect("/ring-b"),
        "/ring-b": redirect("/ring-a"),
        "/self": redirect("/self"),
        "/nowhere": Response(302),
        "/nonsense": redirect("http://:80:80/"),
        "/file": redirect("file:///etc/passwd"),
    }


HOSTS = """10.0.0.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 [fd00::1] [::ffff:10.0.0.1] [64:ff9b::a00:1]
[2002:a00:1::] 167772161 10.1 0x0a000001 012.0.0.1"""
INSIDE = {f"/to/{number}": f"http://{host}/" for number, host in enumerate(HOSTS.split())}


@scenario(
    {"fetched": "/ /fine", "skipped redirect": " ".join(INSIDE), "skipped address": "http://10.0.0.1/"},
    crawl={"scope": "any"},
    counts=(Count(verdict="failed", most=0), Count(verdict="skipped address", least=10)),
)
def private_addresses(_: ScenarioServer) -> Routes:
    """Redirects and links to addresses of the internal network, in every spelling."""
    redirects = {path: redirect(url) for path, url in INSIDE.items()}
    return {"/": page("Internal", *INSIDE, *INSIDE.values(), "/fine"), **redirects, **pages("/fine")}


OTHER_SCHEMES = "file:///etc/passwd javascript:alert(1) mailto:a@b.example ftp://127.0.0.1/ tel:+38111"


@scenario(
    {
        "fetched": "/ /secret /cookie /after-cookie",
        "skipped redirect": "/port",
        "skipped scheme": OTHER_SCHEMES,
    },
    counts=(Count("*secret@*", most=0), Count("*/moved", "skipped scope", 1, 1)),
)
def other_origins(server: ScenarioServer) -> Routes:
    """Other ports, passwords in URLs, cookies, and URLs of other schemes."""

    def unless_sent(header: str) -> Route:
        return lambda request: error(400) if header in request.headers else page(f"Requested without {header}")

    with_password = server.base.replace("http://", "http://user:secret@") + "/secret"
    linked = ("/port", "/cookie", with_password, f"{server.other_base}/", *OTHER_SCHEMES.split())
    return {
        "/": page("Other origins", *linked),
        "/port": redirect(f"{server.other_base}/moved"),
        "/cookie": page("Cookie", "/after-cookie", headers={"Set-Cookie": "crumb=1; Path=/"}),
        "/after-cookie": unless_sent("Cookie"),
        "/secret": unless_sent("Authorization"),
    }


# -- failures ------------------------------------------------------------------------------------


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    """One response after the other; the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def refused_for(pause: int, status: int, *, dated: bool = False) -> Route:
    """A page that may be had some seconds after the first request; Retry-After says so."""
    times: list[float] = []

    def route(_: Request) -> Response:
        times.append(time.time())
        opens_at = times[0] + pause
        if times[-1] >= opens_at:
            return page(f"After {status}")
        value = formatdate(opens_at + 1, usegmt=True) if dated else str(pause)  # dates have no fractions
        return Response(status, {"Retry-After": value})

    return route


@scenario(
    {
        "fetched": "/ /once /twice /hangs-up /cut /seconds /date",
        "failed http-500": "/always",
        "failed http-503": "/year",
        "failed http-410": "/gone",
        "failed http-403": "/forbidden",
    },
    limits={"pause_seconds": 5.0},
    requested={
        "/once /hangs-up /cut /seconds /date": (2, 2),
        "/twice /always": (3, 3),
        "/year /gone /forbidden": (1, 1),
    },
    pages={"/cut": "Cut at first"},
)
def flaky(_: ScenarioServer) -> Routes:
    """Failures that pass, at once or when Retry-After says so, and failures that stay."""
    cut = Response(200, {**HTML, "Content-Length": "1000"}, b"<p>Cut")
    return {
        "/once": in_turn(error(503), page("Works after one failure")),
        "/twice": in_turn(error(500), error(502), page("Works after two failures")),
        "/hangs-up": in_turn(None, page("Works after hanging up")),
        "/cut": in_turn(cut, page("Cut at first")),
        "/seconds": refused_for(2, 429),
        "/date": refused_for(2, 503, dated=True),
        "/always": error(500),
        "/year": refused_for(31_536_000, 503),
        "/gone": error(410),
        "/forbidden": error(403),
    }
