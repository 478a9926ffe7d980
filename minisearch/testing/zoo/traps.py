"""Crawler traps: sites without end; and sites that only look like traps, which are to be crawled completely."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.scenario import (
    HTML,
    WORDS,
    Routes,
    ScenarioServer,
    error,
    html,
    page,
    pages,
    prose,
    scenario,
)  # fmt: skip

VISITED = "fetched | merged"
MANY_PAGES = Costs(requests=100, bytes=1_000_000, seconds=60)


def each_visited(paths: Iterable[str]) -> tuple[Count, ...]:
    """At least one URL of each pattern was fetched."""
    return tuple(Count(path, VISITED, least=1) for path in paths)


def digest(request: Request) -> str:
    """A number that depends on the URL, in hexadecimal digits."""
    return hashlib.sha256(request.path.encode()).hexdigest()


@scenario(
    {"fetched": "/ /about /event"},
    counts=(Count("/calendar*", VISITED, 2, 60),),
    costs=MANY_PAGES,
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


@scenario(
    {"fetched": "/ /about"},
    counts=(Count("/day/*", VISITED, 2, 60),),
    costs=MANY_PAGES,
)
def calendar_paths(_: ScenarioServer) -> Routes:
    """A calendar with the date in the path, day by day."""

    def day(request: Request) -> Response:
        parts = request.path.strip("/").split("/")[1:]
        if len(parts) != 3 or not all(part.isdigit() for part in parts):
            return error(404)
        year, month, number = map(int, parts)
        after = year * 360 + month * 30 + number
        near = [f"/day/{n // 360}/{n % 360 // 30 + 1:02}/{n % 30 + 1:02}" for n in (after - 30, after - 31)]
        return page(f"{number}.{month}.{year}", *near, text=f"<p>{prose('day', 40)}</p>")

    return {"/": page("Diary", "/day/2024/01/01", "/about"), **pages("/about"), "*": day}


SHOP = ("shop", "cart", "help", "news", "terms")


@scenario(
    {"fetched": "/"},
    counts=(*each_visited(f"/{name}?*" for name in SHOP), Count(verdict="fetched", most=6)),
    costs=Costs(requests=200, bytes=1_000_000, seconds=60),
)
def sessions(_: ScenarioServer) -> Routes:
    """Five pages that put a new session id into every link."""

    def serve(request: Request) -> Response:
        name = request.path.partition("?")[0].strip("/")
        if name and name not in SHOP:
            return error(404)
        seed = digest(request)
        links = [f"/{each}?sid={hashlib.sha256((seed + each).encode()).hexdigest()[:32]}" for each in SHOP]
        return page(f"Session {name or 'home'}", *links)

    return {"*": serve}


@scenario(
    {"fetched": "/"},
    counts=(*each_visited(f"/{name};*" for name in SHOP[:3]), Count(verdict="fetched", most=4)),
    costs=Costs(requests=150, bytes=1_000_000, seconds=60),
)
def session_paths(_: ScenarioServer) -> Routes:
    """Session ids in the path, as Java servers write them."""

    def serve(request: Request) -> Response:
        name = request.path.partition(";")[0].strip("/")
        if name and name not in SHOP[:3]:
            return error(404)
        seed = digest(request).upper()
        links = [f"/{each};jsessionid={seed[step : step + 32]}" for step, each in enumerate(SHOP[:3])]
        return page(f"Servlet {name or 'home'}", *links)

    return {"*": serve}


@scenario(
    {"fetched": "/"},
    crawl={"max_pages": 30},
    counts=(
        *each_visited(f"/s/*/{name}" for name in SHOP[:3]),
        Count(verdict="fetched", least=30, most=30),
    ),
    costs=Costs(requests=34, bytes=300_000, seconds=20),
)
def session_words(_: ScenarioServer) -> Routes:
    """Session ids made of letters, so that each URL looks like a name: only a page limit ends the crawl."""

    def serve(request: Request) -> Response:
        name = request.path.rpartition("/")[2]
        if name and name not in SHOP[:3]:
            return error(404)
        seed = bytes.fromhex(digest(request))
        ids = ["".join(chr(ord("a") + byte % 26) for byte in seed[step : step + 10]) for step in range(3)]
        return page(f"Basket {name or 'home'}", *(f"/s/{id_}/{each}" for id_, each in zip(ids, SHOP, strict=False)))

    return {"*": serve}


@scenario(
    {"fetched": "/ /a/b/ /fine", "skipped path": "/a/b/a/b/a/b/", "unseen": "/a/b/a/b/a/b/a/b/"},
    costs=Costs(requests=12),
)
def repeating(_: ScenarioServer) -> Routes:
    """A wrong relative link: every page leads to itself, one folder deeper."""

    def serve(request: Request) -> Response:
        parts = [part for part in request.path.split("/") if part]
        if set(parts) <= {"a", "b"}:
            return page(f"Folder {' '.join(parts) or 'home'}", "a/b/", "/fine")
        return error(404)

    return {"*": serve, **pages("/fine")}


@scenario(
    {"fetched": "/ /goods /lamp"},
    counts=(Count("/goods?*", VISITED, most=100),),
    costs=Costs(requests=140, bytes=2_000_000, seconds=60),
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


@scenario(
    {"fetched": "/"},
    crawl={"max_pages": 30},
    counts=(Count(verdict="fetched", least=30, most=30),),
    costs=Costs(requests=34),
)
def babble(_: ScenarioServer) -> Routes:
    """Pages without end, each with words of its own: only the page limit helps."""

    def serve(request: Request) -> Response:
        seed = digest(request)
        names = [prose(seed + str(number), 1).strip(".").lower() for number in range(5)]
        return page(f"Babble {seed[:8]}", *(f"/{name}-{seed[n : n + 6]}" for n, name in enumerate(names)))

    return {"*": serve}


# -- sites that only look like traps -------------------------------------------------------------


@scenario(
    {"fetched": "/"},
    crawl={"max_depth": 400},
    limits={"shape_alike": 5},
    counts=(Count("/word/*", "fetched", 171, 171),),
    costs=Costs(requests=180, bytes=1_000_000, seconds=60),
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
    {"fetched": "/ /item?id=0 /item?id=59 /2024/05/01/ /2024/05/30/"},
    counts=(Count("/item*", "fetched", 60, 60), Count("/2024/*", "fetched", 30, 30)),
    costs=MANY_PAGES,
)
def archive(_: ScenarioServer) -> Routes:
    """Many pages of one URL pattern, each with content of its own."""
    items = {f"/item?id={number}": page(f"Item {number}", words=250) for number in range(60)}
    days = {f"/2024/05/{n:02}/": page(f"Entry {n}", f"/2024/05/{n + 1:02}/", words=250) for n in range(1, 31)}
    return {"/": page("Archive", *items, *days), **items, **days}


@scenario(
    {"fetched": "/"},
    crawl={"max_depth": 100},
    counts=(Count("/part/*", VISITED, 60, 60), Count("/page*", VISITED, 60, 60)),
    costs=Costs(requests=130, bytes=1_000_000, seconds=60),
)
def numbered(_: ScenarioServer) -> Routes:
    """Pages that differ in little but a number, all linked from one page; and a chain of files, as their dates show."""

    def numbered_page(title: str, number: int, *links: str) -> bytes:
        text = f"<p>This is what {title.lower()} {number} is about.</p>"
        return html(f"{title} {number}", *links, text=text).encode()

    dated = {**HTML, "Last-Modified": "Wed, 01 May 2024 10:00:00 GMT"}
    parts = {f"/part/{number}": Response(200, HTML, numbered_page("Part", number)) for number in range(60)}
    chain = {
        f"/page{n}.html": Response(200, dated, numbered_page("Page", n, *([f"/page{n + 1}.html"] if n < 60 else [])))
        for n in range(1, 61)
    }
    return {"/": page("Numbered", *parts, "/page1.html"), **parts, **chain}


@scenario(
    {"fetched": "/ /index.php?list=7&page=3 /index.php?goods=47"},
    limits={"shape_alike": 5},
    counts=(Count("/index.php?goods=*", "fetched", 48, 48), Count("/index.php?list=*", "fetched", 24, 24)),
    costs=Costs(requests=80, bytes=500_000, seconds=60),
)
def shop(_: ScenarioServer) -> Routes:
    """Short pages of goods that link to related ones, on numbered lists without titles, all of one script."""
    frame, goods = f"<p>{prose('shop', 90)}</p>", [f"{WORDS[number]} {WORDS[-number]}" for number in range(1, 49)]
    lists = [f"/index.php?list={kind}" for kind in range(8)]
    routes: dict[str, Route] = {}
    for number, name in enumerate(goods):
        related = [f"/index.php?goods={(number * step + 1) % len(goods)}" for step in (3, 5, 7)]
        routes[f"/index.php?goods={number}"] = page("Shop", *lists, *related, text=f"{frame}<h1>{name}</h1>")
    for kind, path in enumerate(lists):
        for number in range(3):
            shown = [kind * 6 + number * 2 + each for each in range(2)]
            links = [f"/index.php?goods={each}" for each in shown] + [f"{path}&page={number + 2}"] * (number < 2)
            text = frame + "".join(f"<p>{goods[each]}</p>" for each in shown)
            routes[f"{path}&page={number + 1}" if number else path] = page("Shop", *lists, *links, text=text)
    return {"/": page("Shop", *lists), **routes}
