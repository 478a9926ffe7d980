"""Redirects: chains, loops, and places nobody should go."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from minisearch.testing.server import Answer, Raw, Request, Response, Route
from minisearch.testing.zoo.pen import PLAIN, Pen, endless, moved, page, pen

PRIVATE = (
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://172.16.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://0.0.0.0:9/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[2002:a00:1::]/",
    "http://167772161/",
    "http://10.1/",
    "http://0x0a000001/",
    "http://012.0.0.1/",
)


OTHER_KINDS = (
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,<p>x",
    "mailto:a@b.example",
    "ftp://127.0.0.1/",
    "tel:+38111",
)


@pen
def redirects(_: Pen) -> Mapping[str, Route]:
    """Redirects of every status, short chains and long ones, rings, and none that lead anywhere."""
    statuses = (301, 302, 303, 307, 308)
    odd = ("nowhere", "nonsense", "empty", "file", "script", "spaced", "letters", "wordy", "unneeded")
    links = [*(f"/{status}" for status in statuses), "/short-0", "/long-0", "/ring-a", "/self", *(f"/{o}" for o in odd)]
    return {
        "/": page("Redirects", *links),
        **{f"/{status}": moved(f"/to-{status}", status) for status in statuses},
        **{f"/to-{status}": page(f"Reached by {status}") for status in statuses},
        **{f"/short-{n}": moved(f"/short-{n + 1}") for n in range(4)},
        "/short-4": page("End of the short chain"),
        **{f"/long-{n}": moved(f"/long-{n + 1}") for n in range(30)},
        "/long-30": page("End of the long chain"),
        "/ring-a": moved("/ring-b"),
        "/ring-b": moved("/ring-c"),
        "/ring-c": moved("/ring-a"),
        "/self": moved("/self"),
        "/nowhere": Response(302, PLAIN, b""),
        "/nonsense": moved("http://:80:80/"),
        "/empty": moved(""),
        "/file": moved("file:///etc/passwd"),
        "/script": moved("javascript:alert(1)"),
        "/spaced": moved("  /to-301  "),
        "/letters": Raw([b"HTTP/1.1 302 Found\r\nLocation: /caf\xc3\xa9\r\nContent-Length: 0\r\n\r\n"]),
        "/caf%C3%A9": page("Coffee house"),
        "/wordy": lambda _: moved("/to-302", 302, endless(b"You are being redirected. " * 2000)),
        "/unneeded": Response(304, {}, b""),
    }


@pen
def guarded(_: Pen) -> Mapping[str, Route]:
    """Redirects and links to addresses of the inner network, in every spelling."""
    return {
        "/": page("Guarded", *(f"/to/{number}" for number in range(len(PRIVATE))), *PRIVATE[:4], "/fine"),
        **{f"/to/{number}": moved(place) for number, place in enumerate(PRIVATE)},
        "/fine": page("Fine"),
    }


@pen
def strangers(keeper: Pen) -> Mapping[str, Route]:
    """Other ports, passwords in urls, cookies, and urls of other kinds."""
    own, near = keeper.base.removeprefix("http://"), keeper.neighbour

    def noting(name: str, header: str, title: str) -> Callable[[Request], Answer]:
        def route(request: Request) -> Answer:
            keeper.note(name, request.headers.get(header, ""))
            return page(title)

        return route

    return {
        "/": page("Strangers", "/port", near + "/", "/cookie", f"http://user:secret@{own}/secret", *OTHER_KINDS),
        "/port": moved(near + "/moved"),
        "/cookie": page("Cookie", "/after-cookie", headers={"Set-Cookie": "crumb=1; Path=/"}),
        "/after-cookie": noting("cookie", "Cookie", "After the cookie"),
        "/secret": noting("authorization", "Authorization", "Asked with a password"),
    }
