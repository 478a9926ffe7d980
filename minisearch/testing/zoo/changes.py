"""Sites that change between two visits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from email.utils import formatdate

from minisearch.testing.server import Answer, Request, Response, Route
from minisearch.testing.zoo.pen import HTML, Pen, html, missing, moved, page, pen, prose

NAMES = "stays stays-dated untagged changes changes-dated touched gone lost sorry leaves turns breaks"


def tagged(markup: str, request: Request, *, dated: bool = False) -> Response:
    """A page with an ETag, or with a date alone; and 304 for those who have it."""
    digest = hashlib.sha256(markup.encode()).hexdigest()
    when = formatdate(1_704_067_200 + int(digest[:6], 16), usegmt=True)
    name, asked, value = (
        ("Last-Modified", "If-Modified-Since", when) if dated else ("ETag", "If-None-Match", f'"{digest[:12]}"')
    )
    if request.headers.get(asked) == value:
        return Response(304, {name: value})
    return Response(200, {**HTML, name: value}, markup.encode())


@pen
def seasons(keeper: Pen) -> Mapping[str, Route]:
    """Pages that stay, change, move, vanish and appear overnight: set `day` to 2."""

    def at(name: str, *, dated: bool = False, changes: bool = False) -> Route:
        def route(request: Request) -> Answer:
            version = keeper.day if changes else 1
            return tagged(html(f"Page {name}", text=f"<p>{prose(f'{name} {version}')}</p>"), request, dated=dated)

        return route

    def home(request: Request) -> Answer:
        links = [f"/{name}" for name in NAMES.split()]
        return tagged(html("Seasons", *links, *(["/new"] if keeper.day > 1 else [])), request)

    def overnight(first: Response, then: Answer) -> Route:
        def route(_: Request) -> Answer:
            return first if keeper.day == 1 else then

        return route

    def touched(request: Request) -> Answer:  # other bytes, the same words
        return tagged(html("Touched", head=f"<meta name=generator content=v{keeper.day}>"), request)

    sorry = html("Page not found", text=f"<p>Sorry, this page could not be found.</p><p>{prose('sorry', 20)}</p>")
    return {
        "/": home,
        "/stays": at("stays"),
        "/stays-dated": at("stays-dated", dated=True),
        "/untagged": page("Page untagged"),
        "/changes": at("changes", changes=True),
        "/changes-dated": at("changes-dated", dated=True, changes=True),
        "/touched": touched,
        "/gone": overnight(page("Page gone"), missing(410)),
        "/lost": overnight(page("Page lost"), missing(404)),
        "/sorry": overnight(page("Page sorry"), Response(200, HTML, sorry.encode())),
        "/leaves": overnight(page("Page leaves"), moved("/new-home", 301)),
        "/new-home": page("Page leaves"),
        "/turns": overnight(page("Page turns"), page("Page turns", head='<meta name="robots" content="noindex">')),
        "/breaks": overnight(page("Page breaks"), missing(500)),
        "/new": page("Page new"),
    }


@pen
def collapse(keeper: Pen) -> Mapping[str, Route]:
    """A site of thirty pages that has lost most of them overnight, as when a server is set up anew."""

    def at(number: int) -> Route:
        def route(_: Request) -> Answer:
            return page(f"Page {number}") if keeper.day == 1 or number < 5 else missing()

        return route

    pages = {f"/page/{number}": at(number) for number in range(30)}
    return {"/": page("Collapse", *pages), **pages}
