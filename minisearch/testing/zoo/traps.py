"""Crawler traps: sites without end; and sites that only look like traps, which are to be crawled completely."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qsl, urlsplit

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.scenario import WORDS, Routes, ScenarioServer, page, pages, prose, scenario

VISITED = "fetched | merged"


@scenario(
    {"fetched": "/ /about /event"},
    counts=(Count("/calendar*", VISITED, 2, 60),),
    costs=Costs(requests=100),
)
def calendar(_: ScenarioServer) -> Routes:
    """An empty calendar whose next month always has a next month."""

    def month(request: Request) -> Response:
        query = dict(parse_qsl(urlsplit(request.path).query))
        number = int(query.get("year", "2024")) * 12 + int(query.get("month", "1")) - 1
        near = [f"/calendar?year={n // 12}&month={n % 12 + 1}" for n in (number - 1, number + 1)]
        days = "".join(f"<td>{day}</td>" for day in range(1, 31))
        text = f"<p>{prose('calendar', 30)}</p><table><tr>{days}</tr></table><p>No events this month.</p>"
        return page(f"Calendar {number % 12 + 1}/{number // 12}", *near, "/event", text=text)

    home = page("Club", "/calendar?year=2024&month=1", "/about")
    return {"/": home, "/calendar": month, **pages("/event", "/about")}


SHOP = ("shop", "cart", "help", "news", "terms")


@scenario(
    {"fetched": "/"},
    counts=(*(Count(f"/{name}?*", VISITED, least=1) for name in SHOP), Count(verdict="fetched", most=6)),
    costs=Costs(requests=200),
)
def sessions(_: ScenarioServer) -> Routes:
    """Five pages that put a new session id into every link."""

    def serve(request: Request) -> Response:
        name = request.path.partition("?")[0].strip("/")
        new = {each: hashlib.sha256(f"{request.path} {each}".encode()).hexdigest()[:32] for each in SHOP}
        links = [f"/{each}?sid={session}" for each, session in new.items()]
        return page(f"Session {name or 'home'}", *links)

    return {"/": serve, "*": serve}


@scenario(
    {"fetched": "/ /a/b/ /fine", "skipped path": "/a/b/a/b/a/b/", "unseen": "/a/b/a/b/a/b/a/b/"},
    counts=(Count("/list*", "fetched", 2, 15), Count("/list*", "skipped length", 1, 1)),
)
def growing(_: ScenarioServer) -> Routes:
    """URLs that grow from page to page: by a wrong relative link, and by one more parameter."""

    def deeper(request: Request) -> Response:
        return page(f"Folder {request.path}", "a/b/", "/fine")

    def longer(request: Request) -> Response:
        return page(f"List of {len(request.path)}", f"{request.path}&{'q' * 150}{len(request.path)}=1")

    return {"/": page("Growing", "a/b/", "/list?q=1", "/fine"), "/list": longer, **pages("/fine"), "*": deeper}


@scenario(
    {"fetched": "/ /goods /lamp"},
    counts=(Count("/goods?*", VISITED, most=100),),
    costs=Costs(requests=140, bytes=2_000_000),
)
def facets(_: ScenarioServer) -> Routes:
    """Filters that can be combined in any way and order and show nearly the same."""
    filters = [f"{name}={value}" for name in ("colour", "size", "brand", "price") for value in range(5)]

    def serve(request: Request) -> Response:
        chosen = [part for part in urlsplit(request.path).query.split("&") if part]
        links = ["/goods?" + "&".join([*chosen, each]) for each in filters if each not in chosen]
        text = f"<p>{prose('goods', 120)}</p><p>Chosen: {', '.join(chosen) or 'nothing'}.</p>"
        return page("Goods", *links, "/lamp", text=text)

    return {"/": page("Shop", "/goods"), "/goods": serve, **pages("/lamp")}


# -- sites that only look like traps -------------------------------------------------------------


@scenario(
    {"fetched": "/"},
    crawl={"max_depth": 400},
    limits={"shape_alike": 5},
    counts=(Count("/word/*", "fetched", 168, 168),),
    costs=Costs(requests=180),
)
def glossary(_: ScenarioServer) -> Routes:
    """Pages with the same navigation, each found on the one before it, each about another word."""
    names = sorted(WORDS)
    frame = f"<p>{prose('frame', 40)}</p>"
    words: dict[str, Route] = {
        f"/word/{name}": page(f"The word {name}", f"/word/{after}", text=f"{frame}<p>{prose(name, 120)}</p>")
        for name, after in zip(names, names[1:] + names[:1], strict=True)
    }
    return {"/": page("Glossary", f"/word/{names[0]}"), **words}


@scenario(
    {"fetched": "/"},
    crawl={"max_depth": 100},
    counts=(Count("/part/*", VISITED, 60, 60), Count("/page*", VISITED, 60, 60)),
    costs=Costs(requests=130),
)
def numbered(_: ScenarioServer) -> Routes:
    """Pages that differ in little but a number, all linked from one page; and a chain of files, as their dates show."""
    dated = {"Last-Modified": "Wed, 01 May 2024 10:00:00 GMT"}
    routes: dict[str, Route] = {}
    for number in range(60):
        text = f"<p>This is what page {number} is about.</p>"
        routes[f"/part/{number}"] = page(f"Part {number}", text=text)
        after = [f"/page{number + 1}.html"] if number < 59 else []
        routes[f"/page{number}.html"] = page(f"Page {number}", *after, text=text, headers=dated)
    return {"/": page("Numbered", *(f"/part/{number}" for number in range(60)), "/page0.html"), **routes}
