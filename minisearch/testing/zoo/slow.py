"""Servers that take their time: nothing, a byte now and then, headers letter by letter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from minisearch.testing.server import Raw, Response, Route
from minisearch.testing.zoo.pen import HTML, Pen, html, page, pen


def drip(keeper: Pen, text: bytes, pause: float) -> Iterator[bytes]:
    """A byte at a time; when the text is over, spaces."""
    for number in range(600):
        if keeper.over.is_set():
            return
        yield text[number : number + 1] or b" "
        keeper.wait(pause)


@pen
def drips(keeper: Pen) -> Mapping[str, Route]:
    """A page that arrives a byte at a time, for minutes: each byte in time, the whole never."""
    text = html("Drip").encode()
    return {
        "/": page("Drips", "/drip", "/steady"),
        "/drip": lambda _: Response(200, HTML, drip(keeper, text, 0.1)),
        "/steady": lambda _: Response(200, HTML, _steady(keeper, html("Slow but steady").encode())),
    }


def _steady(keeper: Pen, text: bytes) -> Iterator[bytes]:
    third = len(text) // 3
    for start in (0, third, 2 * third):
        yield text[start : start + third if start < 2 * third else None]
        keeper.wait(0.05)


@pen
def slow_headers(keeper: Pen) -> Mapping[str, Route]:
    """Headers letter by letter: no body, no timeout between two bytes."""
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Slow: "
    return {
        "/": page("Slow headers", "/headers", "/quick"),
        "/headers": lambda _: Raw(drip(keeper, start + b"s" * 600, 0.1)),
        "/quick": page("Quick"),
    }


@pen
def silence(keeper: Pen) -> Mapping[str, Route]:
    """A server that takes the call and says nothing, or stops in the middle."""

    def nothing(_: object) -> None:
        keeper.wait()

    def half(_: object) -> Response:
        return Response(200, HTML, _then_wait(keeper, html("Half a page").encode()[:200]))

    return {
        "/": page("Silence", "/nothing", "/half", "/loud"),
        "/nothing": nothing,
        "/half": half,
        "/loud": page("Loud"),
    }


def _then_wait(keeper: Pen, text: bytes) -> Iterator[bytes]:
    yield text
    keeper.wait()
