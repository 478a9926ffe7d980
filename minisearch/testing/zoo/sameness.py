"""Pages that are one, pages that only look so, and pages that say they are."""

from __future__ import annotations

from collections.abc import Mapping

from minisearch.testing.server import Response, Route
from minisearch.testing.zoo.pen import HTML, Pen, html, moved, page, pen, prose


def canonical(url: str) -> str:
    """The element by which a page names its better self."""
    return f'<link rel="canonical" href="{url}">'


@pen
def canonicals(keeper: Pen) -> Mapping[str, Route]:
    """Canonical links that are true, that lie, and that run in a ring."""
    links = "/true /print /liar-missing /liar-noindex /liar-abroad /liar-error /ring-a /ring-b /relative /by-move"
    links += " /liar-content"
    noindex = '<meta name="robots" content="noindex">'
    text = f"<p>{prose('true', 200)}</p>"
    return {
        "/": page("Canonical", *links.split()),
        "/true": page("The true page", head=canonical("/true"), text=text),
        "/print": page("The true page for printers", head=canonical(keeper.base + "/true"), text=text),
        "/liar-content": page("Says it is a page it has nothing to do with", head=canonical("/true"), words=200),
        "/liar-missing": page("Says it is a page that is not there", head=canonical("/not-there")),
        "/liar-noindex": page("Says it is a page that hides", head=canonical("/hidden")),
        "/hidden": page("Hidden", head=noindex),
        "/liar-abroad": page("Says it is somebody else", head=canonical(keeper.neighbour + "/")),
        "/liar-error": page("Says it is nonsense", head=canonical("http://:80:80/")),
        "/ring-a": page("One of a ring", head=canonical("/ring-b")),
        "/ring-b": page("The other of a ring", head=canonical("/ring-a")),
        "/relative": page("The true page, told relatively", head=canonical("old/../true"), text=text),
        "/by-move": page("The true page, told by a redirect", head=canonical("/moved"), text=text),
        "/moved": moved("/true", 301),
    }


@pen
def twins(_: Pen) -> Mapping[str, Route]:
    """Twins by name: merged when they say the same, kept apart when they do not."""
    same, docs = page("The same with a slash and without"), page("Documents, by either name")
    identical = page("Copied word for word")
    links = (
        "/docs/ /docs/index.html /same /same/ /differs /differs/ /copy-1 /copy-2 /Case /case "
        "/order?a=1&b=2 /order?b=2&a=1 /item?id=1 /item?id=2 /frag#one /frag#two /./dots/../frag"
    )
    return {
        "/": page("Twins", *links.split()),
        "/docs/": docs,
        "/docs/index.html": docs,
        "/same": same,
        "/same/": same,
        "/differs": page("Without a slash"),
        "/differs/": page("With a slash, another page"),
        "/copy-1": identical,
        "/copy-2": identical,
        "/Case": page("Written large"),
        "/case": page("Written small"),
        "/order": page("In any order"),
        "/item?id=1": page("The first item"),
        "/item?id=2": page("The second item"),
        "/frag": page("With fragments"),
    }


@pen
def tracking(_: Pen) -> Mapping[str, Route]:
    """One page under many urls that differ in who sent the reader; and a parameter that matters."""
    marks = ("utm_source=news&utm_medium=mail", "gclid=Cj0K", "fbclid=IwAR", "mc_cid=1&mc_eid=2", "msclkid=9")
    return {
        "/": page(
            "Tracked", "/story", *(f"/story?{mark}" for mark in marks), "/story?page=2", "/story?page=2&utm_term=x"
        ),
        "/story": page("The story"),
        "/story?page=2": page("The story goes on"),
        "/story?page=2&utm_term=x": page("The story goes on"),
    }


@pen
def nearly(_: Pen) -> Mapping[str, Route]:
    """Pages that differ in a date or a counter, and pages that share only their frame."""
    frame = f"<nav>{prose('frame', 40)}</nav>"

    def dated(day: int) -> Response:
        text = f"<p>{prose('nearly', 400)}</p><p>Printed on day {day}, for the {day * 7}th time.</p>"
        return Response(200, HTML, html("Nearly the same", text=text).encode())

    def framed(name: str) -> Response:
        return Response(200, HTML, html(name, text=f"{frame}<p>{prose(name, 300)}</p>").encode())

    return {
        "/": page("Nearly", "/day/1", "/day/2", "/day/3", "/framed/1", "/framed/2", "/framed/3"),
        **{f"/day/{day}": dated(day) for day in (1, 2, 3)},
        **{f"/framed/{number}": framed(f"In a frame {number}") for number in (1, 2, 3)},
    }


@pen
def soft_404(_: Pen) -> Mapping[str, Route]:
    """A server that says "not found" politely, with status 200, whatever it is asked for."""

    def sorry(request: object) -> Response:
        path = getattr(request, "path", "")
        text = f"<p>Sorry, the page {path} could not be found. It may have been moved.</p><p>{prose('sorry', 30)}</p>"
        return page("404 - Page not found", text=text)

    return {
        "/": page("Polite", "/real", *(f"/lost/{number}" for number in range(6))),
        "/real": page("A real page about lost things: how page not found errors work"),
        "*": sorry,
    }
