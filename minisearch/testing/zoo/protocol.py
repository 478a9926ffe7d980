"""Slow servers, redirects, other origins, and servers that fail for a while or for good."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email.utils import formatdate

from minisearch.testing.server import Raw, Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.scenario import HTML, Routes, ScenarioServer, error, html, in_turn, page, redirect, scenario

STATUSES = (301, 302, 303, 307, 308)
PRIVATE_URLS = """
http://10.0.0.1/ http://192.168.1.1/ http://172.16.0.1/ http://169.254.169.254/latest/meta-data/ http://100.64.0.1/
http://0.0.0.0:9/ http://224.0.0.1/ http://255.255.255.255/ http://[fe80::1]/ http://[fd00::1]/
http://[::ffff:10.0.0.1]/ http://[64:ff9b::a00:1]/ http://[2002:a00:1::]/ http://167772161/ http://10.1/
http://0x0a000001/ http://012.0.0.1/"""
PRIVATE = PRIVATE_URLS.split()
OTHER_SCHEMES = "file:///etc/passwd javascript:alert(1) mailto:a@b.example ftp://127.0.0.1/ tel:+38111"


# -- slow servers --------------------------------------------------------------------------------


@scenario(
    {"fetched": "/ /steady /quick", "failed timeout": "/drip /headers /nothing /half"},
    limits={"page_seconds": 1.2, "silence_seconds": 0.6},
    requested={"/drip /headers /nothing /half": (1, 3)},
    costs=Costs(seconds=60),
)
def slow(server: ScenarioServer) -> Routes:
    """Servers that send a body or headers byte by byte, nothing at all, or half a page."""

    def in_pieces(text: bytes, size: int, pause: float) -> Iterator[bytes]:
        for start in range(0, len(text), size):
            yield text[start : start + size]
            server.wait(pause)

    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Slow: " + b"s" * 600
    text = html("Slow").encode()
    return {
        "/": page("Slow", "/drip", "/steady", "/headers", "/nothing", "/half", "/quick"),
        "/drip": lambda _: Response(200, HTML, in_pieces(text, size=1, pause=0.1)),
        "/headers": lambda _: Raw(in_pieces(head, size=1, pause=0.1)),
        "/nothing": lambda _: server.wait(),
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
    costs=Costs(requests=50),
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
    counts=(Count("*secret@*", most=0), Count("data:*", "fetched | failed | queued", most=0)),
    costs=Costs(requests=8),
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
    costs=Costs(seconds=60),
)
def flaky(_: ScenarioServer) -> Routes:
    """Failures that pass, and failures that stay."""
    cut = Response(200, {**HTML, "Content-Length": "1000"}, b"<p>Cut")
    routes: dict[str, Route] = {
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
    return {"/": page("Flaky", *routes), **routes}


@scenario(
    {"fetched": "/ /seconds /date", "failed http-503": "/year"},
    limits={"pause_seconds": 5.0},
    requested={"/seconds /date": (2, 2), "/year": (1, 1)},
    costs=Costs(requests=8, seconds=60),
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

    routes = {"/seconds": later(429, 2), "/date": later(503, 2, dated=True), "/year": later(503, 31_536_000)}
    return {"/": page("Later", *routes), **routes}
