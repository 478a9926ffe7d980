"""Servers that fail for a while, or for good."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from email.utils import formatdate

from minisearch.testing.server import Answer, Request, Response, Route
from minisearch.testing.zoo.pen import HTML, Pen, html, in_turn, missing, page, pen


@pen
def flaky(_: Pen) -> Mapping[str, Route]:
    """Failures that pass, and failures that stay."""
    whole = html("Cut at first").encode()
    cut = Response(200, {**HTML, "Content-Length": str(len(whole))}, whole[:50])
    paths = ["once", "twice", "always", "bad-gateway", "hangs-up", "cut", "gone", "lost", "forbidden", "teapot"]
    return {
        "/": page("Flaky", *(f"/{path}" for path in paths)),
        "/once": in_turn(missing(503), page("Well after one failure")),
        "/twice": in_turn(missing(500), missing(502), page("Well after two failures")),
        "/always": missing(500),
        "/bad-gateway": missing(502),
        "/hangs-up": in_turn(None, page("Well after hanging up")),
        "/cut": in_turn(cut, Response(200, HTML, whole)),
        "/gone": missing(410),
        "/lost": missing(404),
        "/forbidden": missing(403),
        "/teapot": missing(418),
    }


def _later(keeper: Pen, name: str, pause: str) -> Callable[[Request], Answer]:
    """Asks for a pause once, and notes when it is asked again."""
    answers = in_turn(
        Response(503 if name.startswith("date") else 429, {"Retry-After": pause}, b""), page(f"Then {name}")
    )

    def route(request: Request) -> Answer:
        keeper.note(name, str(time.monotonic()))
        return answers(request)

    return route


@pen
def later_seconds(keeper: Pen) -> Mapping[str, Route]:
    """ "Come back in two seconds", said with 429."""
    return {"/": page("Later", "/seconds"), "/seconds": _later(keeper, "seconds", "2")}


@pen
def later_date(keeper: Pen) -> Mapping[str, Route]:
    """ "Come back at a certain time", said with 503. (Dates have no fractions: it is two to three seconds away.)"""
    told: list[Callable[[Request], Answer]] = []

    def dated(request: Request) -> Answer:
        if not told:
            told.append(_later(keeper, "date", formatdate(time.time() + 3, usegmt=True)))
        return told[0](request)

    return {"/": page("Later", "/date"), "/date": dated}


@pen
def later_never(_: Pen) -> Mapping[str, Route]:
    """ "Come back in a year", "come back yesterday" and "come back soon": nobody waits for the first."""
    past = formatdate(0, usegmt=True)
    return {
        "/": page("Never", "/odd", "/past", "/year"),
        "/odd": in_turn(Response(503, {"Retry-After": "soon"}, b""), page("Soon it was")),
        "/past": in_turn(Response(503, {"Retry-After": past}, b""), page("Long since")),
        "/year": Response(503, {"Retry-After": "31536000"}, b""),
    }


@pen
def dead_host(_: Pen) -> Mapping[str, Route]:
    """A host that answers once and then hangs up, whatever it is asked."""
    return {"/": page("Dying", *(f"/part/{number}" for number in range(40))), "*": lambda _: None}
