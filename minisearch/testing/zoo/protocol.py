"""Slow servers, redirects, other origins, and servers that fail for a while or for good."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from email.utils import formatdate

from minisearch.testing.server import Answer, Raw, Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count, PageContent
from minisearch.testing.zoo.scenario import (
    HTML,
    PLAIN,
    Routes,
    ScenarioServer,
    endless,
    error,
    html,
    in_turn,
    page,
    redirect,
    scenario,
)  # fmt: skip

STATUSES = (301, 302, 303, 307, 308)
PRIVATE_URLS = """
http://10.0.0.1/ http://192.168.1.1/ http://172.16.0.1/ http://169.254.169.254/latest/meta-data/ http://100.64.0.1/
http://0.0.0.0:9/ http://224.0.0.1/ http://255.255.255.255/ http://[fe80::1]/ http://[fd00::1]/
http://[::ffff:10.0.0.1]/ http://[64:ff9b::a00:1]/ http://[2002:a00:1::]/ http://167772161/ http://10.1/
http://0x0a000001/ http://012.0.0.1/"""
PRIVATE = PRIVATE_URLS.split()
OTHER_SCHEMES = "file:///etc/passwd javascript:alert(1) mailto:a@b.example ftp://127.0.0.1/ tel:+38111"


# -- slow servers --------------------------------------------------------------------------------


def drip(server: ScenarioServer, text: bytes, pause: float) -> Iterator[bytes]:
    """The bytes of a text one at a time, then spaces."""
    for number in range(600):
        if server.closed.is_set():
            return
        yield text[number : number + 1] or b" "
        server.wait(pause)


@scenario(
    {"fetched": "/ /steady /quick", "failed timeout": "/drip /headers /nothing /half"},
    limits={"page_seconds": 1.2, "silence_seconds": 0.6},
    requested={"/drip /headers /nothing /half": (1, 3)},
    costs=Costs(seconds=60),
)
def slow(server: ScenarioServer) -> Routes:
    """Servers that send a body or headers byte by byte, nothing at all, or half a page."""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Slow: "

    def steady(_: Request) -> Response:
        text = html("Slow but steady").encode()
        return Response(200, HTML, in_pieces(text[:200], text[200:400], text[400:], pause=0.05))

    def half(_: Request) -> Response:
        return Response(200, HTML, in_pieces(html("Half a page").encode()[:200], b"", pause=60))

    def in_pieces(*pieces: bytes, pause: float) -> Iterator[bytes]:
        for piece in pieces:
            yield piece
            server.wait(pause)

    return {
        "/": page("Slow", "/drip", "/steady", "/headers", "/nothing", "/half", "/quick"),
        "/drip": lambda _: Response(200, HTML, drip(server, html("Drip").encode(), 0.1)),
        "/headers": lambda _: Raw(drip(server, start + b"s" * 600, 0.1)),
        "/nothing": lambda _: server.wait(),
        "/half": half,
        "/steady": steady,
        "/quick": page("Quick"),
    }


# -- redirects and other origins -----------------------------------------------------------------


@scenario(
    {
        "fetched": "/ /to-301 /to-302 /to-303 /to-307 /to-308 /short-4 /caf%C3%A9",
        "merged redirect": "/301 /302 /303 /307 /308 /short-0 /short-3 /spaced /letters /wordy",
        "skipped redirect": "/long-0",
        "failed redirect-loop": "/ring-a /ring-b /ring-c /self",
        "failed redirect": "/nowhere /nonsense /empty /file /script",
        "failed http-304": "/unneeded",
        "unseen": "/long-12 /long-30 file:///etc/passwd",
    },
    requested={"/self /ring-a": (1, 1)},
    counts=(Count("/long-*", "skipped redirects", 1, 1),),
    costs=Costs(requests=50, bytes=6_000_000),
)
def redirects(_: ScenarioServer) -> Routes:
    """Redirects of every status, short and long chains, loops, and some that lead nowhere."""
    odd: dict[str, Route] = {
        "/nowhere": Response(302, PLAIN, b""),
        "/nonsense": redirect("http://:80:80/"),
        "/empty": redirect(""),
        "/file": redirect("file:///etc/passwd"),
        "/script": redirect("javascript:alert(1)"),
        "/spaced": redirect("  /to-301  "),
        "/letters": Raw([b"HTTP/1.1 302 Found\r\nLocation: /caf\xc3\xa9\r\nContent-Length: 0\r\n\r\n"]),
        "/wordy": lambda _: redirect("/to-302", 302, endless(b"You are being redirected. " * 2000)),
        "/unneeded": Response(304, {}, b""),
    }
    by_status = {f"/{status}": redirect(f"/to-{status}", status) for status in STATUSES}
    return {
        "/": page("Redirects", *by_status, "/short-0", "/long-0", "/ring-a", "/self", *odd),
        **by_status,
        **{f"/to-{status}": page(f"Reached by {status}") for status in STATUSES},
        **{f"/short-{number}": redirect(f"/short-{number + 1}") for number in range(4)},
        "/short-4": page("End of the short chain"),
        **{f"/long-{number}": redirect(f"/long-{number + 1}") for number in range(30)},
        "/long-30": page("End of the long chain"),
        "/ring-a": redirect("/ring-b"),
        "/ring-b": redirect("/ring-c"),
        "/ring-c": redirect("/ring-a"),
        "/self": redirect("/self"),
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
    costs=Costs(requests=22, seconds=30),
)
def private_addresses(_: ScenarioServer) -> Routes:
    """Redirects and links to addresses of the internal network, in every spelling."""
    targets = {f"/to/{number}": redirect(url) for number, url in enumerate(PRIVATE)}
    return {"/": page("Internal", *targets, *PRIVATE[:4], "/fine"), **targets, "/fine": page("Fine")}


@scenario(
    {
        "fetched": "/ /secret /cookie /after-cookie",
        "skipped redirect": "/port",
        "skipped scope": "{other}/ {other}/moved",
        "skipped scheme": OTHER_SCHEMES,
    },
    notes={"cookie": ("",), "authorization": ("",)},
    counts=(Count("*secret@*", most=0), Count("data:*", "fetched | failed | queued", most=0)),
    costs=Costs(requests=8),
)
def other_origins(server: ScenarioServer) -> Routes:
    """Other ports, passwords in URLs, cookies, and URLs of other schemes."""
    own = server.base.removeprefix("http://")

    def noting(header: str, title: str) -> Callable[[Request], Answer]:
        def route(request: Request) -> Answer:
            server.note(header.lower(), request.headers.get(header, ""))
            return page(title)

        return route

    links = [*OTHER_SCHEMES.split(), "data:text/html,<p>x", f"http://user:secret@{own}/secret", f"{server.other}/"]
    return {
        "/": page("Other origins", "/port", "/cookie", *links),
        "/port": redirect(f"{server.other}/moved"),
        "/cookie": page("Cookie", "/after-cookie", headers={"Set-Cookie": "crumb=1; Path=/"}),
        "/after-cookie": noting("Cookie", "After the cookie"),
        "/secret": noting("Authorization", "Requested with a password"),
    }


# -- failures ------------------------------------------------------------------------------------


@scenario(
    {
        "fetched": "/ /once /twice /hangs-up /cut",
        "failed http-500": "/always",
        "failed http-502": "/bad-gateway",
        "failed http-410": "/gone",
        "failed http-404": "/lost",
        "failed http-403": "/forbidden",
        "failed http-418": "/teapot",
    },
    requested={
        "/once /hangs-up /cut": (2, 2),
        "/twice /always /bad-gateway": (3, 3),
        "/gone /lost /forbidden /teapot": (1, 1),
    },
    pages={"/cut": PageContent("Cut at first")},
    costs=Costs(requests=22, seconds=60),
)
def flaky(_: ScenarioServer) -> Routes:
    """Failures that pass, and failures that stay."""
    whole = html("Cut at first").encode()
    cut = Response(200, {**HTML, "Content-Length": str(len(whole))}, whole[:50])
    routes: dict[str, Route] = {
        "/once": in_turn(error(503), page("Works after one failure")),
        "/twice": in_turn(error(500), error(502), page("Works after two failures")),
        "/always": error(500),
        "/bad-gateway": error(502),
        "/hangs-up": in_turn(None, page("Works after hanging up")),
        "/cut": in_turn(cut, Response(200, HTML, whole)),
        "/gone": error(410),
        "/lost": error(404),
        "/forbidden": error(403),
        "/teapot": error(418),
    }
    return {"/": page("Flaky", *routes), **routes}


@scenario(
    {"fetched": "/ /seconds /date"},
    requested={"/seconds /date": (2, 2)},
    pauses={"seconds": 1.9, "date": 1.9},
    costs=Costs(requests=8, seconds=60),
)
def retry_after(server: ScenarioServer) -> Routes:
    """Retry-After in seconds with status 429, and as a date with status 503."""

    def later(name: str, status: int, pause: Callable[[], str]) -> Callable[[Request], Answer]:
        def route(_: Request) -> Answer:
            server.note(name, str(time.monotonic()))
            if len(server.notes[name]) > 1:
                return page(f"Then {name}")
            return Response(status, {"Retry-After": pause()}, b"")

        return route

    return {
        "/": page("Later", "/seconds", "/date"),
        "/seconds": later("seconds", 429, lambda: "2"),
        # Dates have no fractions: it is two to three seconds away.
        "/date": later("date", 503, lambda: formatdate(time.time() + 3, usegmt=True)),
    }


@scenario(
    {"fetched": "/ /odd /past", "failed http-503": "/year"},
    limits={"pause_seconds": 1.0},
    requested={"/odd /past": (2, 2), "/year": (1, 3)},
    costs=Costs(requests=10, seconds=60),
)
def retry_after_years(_: ScenarioServer) -> Routes:
    """Retry-After of a year, in the past, and "soon"."""
    past = formatdate(0, usegmt=True)
    return {
        "/": page("Never", "/odd", "/past", "/year"),
        "/odd": in_turn(Response(503, {"Retry-After": "soon"}, b""), page("Soon it was")),
        "/past": in_turn(Response(503, {"Retry-After": past}, b""), page("Long since")),
        "/year": Response(503, {"Retry-After": "31536000"}, b""),
    }


@scenario(
    {"fetched": "/", "failed connection": "/part/0", "skipped host-failures": "/part/39"},
    limits={"host_failures": 10},
    counts=(Count("/part/*", "fetched", most=0), Count("/part/*", least=40, most=40)),
    costs=Costs(requests=45, seconds=60),
)
def dead_host(_: ScenarioServer) -> Routes:
    """A host that responds once and then closes every connection."""
    return {"/": page("Dying", *(f"/part/{number}" for number in range(40))), "*": lambda _: None}
