"""Pages that change, move or vanish between two visits, with and without an error status."""

from __future__ import annotations

from minisearch.testing.server import Answer, Request, Response, Route, tagged, unless_known
from minisearch.testing.zoo.expectations import Costs, Count, Expectations
from minisearch.testing.zoo.scenario import Routes, ScenarioServer, error, html, page, prose, redirect, scenario

STAYING = "/ /stays /untagged /changes /touched"


@scenario(
    {"fetched": f"{STAYING} /gone /lost /sorry /leaves /turns /breaks"},
    second_visit=Expectations(
        {
            "fetched": f"{STAYING} /new /new-home",
            "fetched noindex": "/turns",
            "failed http-410": "/gone",
            "failed http-404": "/lost",
            "skipped soft-404": "/sorry",
            "merged redirect": "/leaves",
        },
        costs=Costs(requests=45, seconds=40),
    ),
)
def seasons(server: ScenarioServer) -> Routes:
    """Pages that stay, change, move, vanish and appear overnight."""

    def changing(*versions: str) -> Route:
        return lambda request: unless_known(request, tagged(versions[server.day - 1].encode()))

    def overnight(first: Answer, then: Answer) -> Route:
        return lambda _: first if server.day == 1 else then

    sorry = f"<p>Sorry, this page could not be found.</p><p>{prose('sorry', 20)}</p>"
    linked: dict[str, Route] = {
        "/stays": changing(html("Page stays"), html("Page stays")),
        "/untagged": page("Page untagged"),
        "/changes": changing(html("Page changes"), html("Page changes", words=80)),
        "/touched": changing(html("Touched"), html("Touched", head="<meta name=generator content=v2>")),
        "/gone": overnight(page("Page gone"), error(410)),
        "/lost": overnight(page("Page lost"), error(404)),
        "/sorry": overnight(page("Page sorry"), page("Page not found", text=sorry)),
        "/leaves": overnight(page("Page leaves"), redirect("/new-home", 301)),
        "/turns": overnight(page("Page turns"), page("Page turns", head='<meta name="robots" content="noindex">')),
        "/breaks": overnight(page("Page breaks"), error(500)),
    }
    home = changing(html("Seasons", *linked), html("Seasons", *linked, "/new"))
    return {"/": home, **linked, "/new-home": page("Page leaves"), "/new": page("Page new")}


@scenario(
    {"fetched": "/ /page/0 /page/29"},
    costs=Costs(requests=40),
    second_visit=Expectations(
        {"fetched": "/ /page/0 /page/4"},
        counts=(Count("/page/*", "failed http-404", 25, 25),),
        costs=Costs(requests=80, bytes=600_000, seconds=40),
    ),
)
def collapse(server: ScenarioServer) -> Routes:
    """A site of thirty pages that has lost most of them overnight, as after a new installation of its server."""

    def serve(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2])
        return page(f"Page {number}") if server.day == 1 or number < 5 else error(404)

    return {"/": page("Collapse", *(f"/page/{number}" for number in range(30))), "*": serve}
