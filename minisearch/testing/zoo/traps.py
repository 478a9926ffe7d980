"""Traps: sites without end, and one that only looks like it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.pen import HTML, WORDS, Pen, html, missing, page, pen, prose


@pen
def calendar(_: Pen) -> Mapping[str, Route]:
    """A calendar whose next month always has a next month, and nothing in it."""

    def month(request: Request) -> Response:
        asked = dict(parse_qsl(urlsplit(request.path).query))
        number = int(asked.get("year", "2024")) * 12 + int(asked.get("month", "1")) - 1
        near = [f"/calendar?year={n // 12}&month={n % 12 + 1}" for n in (number - 1, number + 1)]
        days = "".join(f"<td>{day}</td>" for day in range(1, 31))
        text = f"<p>{prose('calendar', 30)}</p><table><tr>{days}</tr></table><p>No events this month.</p>"
        title = f"Calendar {number % 12 + 1}/{number // 12}"
        return Response(200, HTML, html(title, *near, "/event", text=text).encode())

    return {"/": page("Club", "/calendar?year=2024&month=1", "/about"), "/calendar": month, **_pages("event", "about")}


@pen
def calendar_paths(_: Pen) -> Mapping[str, Route]:
    """The same with the date in the path, day by day."""

    def day(request: Request) -> Response:
        parts = request.path.strip("/").split("/")[1:]
        if len(parts) != 3 or not all(part.isdigit() for part in parts):
            return missing()
        year, month, number = map(int, parts)
        after = year * 360 + month * 30 + number
        near = [f"/day/{n // 360}/{n % 360 // 30 + 1:02}/{n % 30 + 1:02}" for n in (after - 30, after - 31)]
        return Response(200, HTML, html(f"{number}.{month}.{year}", *near, text=f"<p>{prose('day', 40)}</p>").encode())

    return {"/": page("Diary", "/day/2024/01/01", "/about"), **_pages("about"), "*": day}


@pen
def sessions(_: Pen) -> Mapping[str, Route]:
    """Five pages that give every link a new session id, so that nothing was ever seen before."""
    names = ("shop", "cart", "help", "news", "terms")

    def serve(request: Request) -> Response:
        path = request.path.partition("?")[0].strip("/")
        if path and path not in names:
            return missing()
        seed = hashlib.sha256(request.path.encode()).hexdigest()
        links = [f"/{name}?sid={hashlib.sha256((seed + name).encode()).hexdigest()[:32]}" for name in names]
        return page(f"Session {path or 'home'}", *links)

    return {"*": serve}


@pen
def session_paths(_: Pen) -> Mapping[str, Route]:
    """The same with the session id in the path, as Java servers write it."""
    names = ("shop", "cart", "help")

    def serve(request: Request) -> Response:
        path = request.path.partition(";")[0].strip("/")
        if path and path not in names:
            return missing()
        seed = hashlib.sha256(request.path.encode()).hexdigest().upper()
        links = [f"/{name};jsessionid={seed[step : step + 32]}" for step, name in enumerate(names)]
        return page(f"Servlet {path or 'home'}", *links)

    return {"*": serve}


@pen
def session_words(_: Pen) -> Mapping[str, Route]:
    """Session ids that are made of letters alone, so that each url looks like a name."""
    names = ("shop", "cart", "help")

    def serve(request: Request) -> Response:
        name = request.path.rpartition("/")[2]
        if name and name not in names:
            return missing()
        digest = hashlib.sha256(request.path.encode()).digest()
        ids = ["".join(chr(ord("a") + byte % 26) for byte in digest[step : step + 10]) for step in range(3)]
        return page(f"Basket {name or 'home'}", *(f"/s/{word}/{each}" for word, each in zip(ids, names, strict=True)))

    return {"*": serve}


@pen
def glossary(_: Pen) -> Mapping[str, Route]:
    """No trap: pages in a frame of their own site, each found on the one before it, and each about another word."""
    names = sorted(WORDS)
    frame = f"<p>{prose('frame', 40)}</p>"
    pages: dict[str, Route] = {
        f"/word/{name}": page(f"The word {name}", f"/word/{after}", text=f"{frame}<p>{prose(name, 120)}</p>")
        for name, after in zip(names, names[1:] + names[:1], strict=True)
    }
    return {"/": page("Glossary", f"/word/{names[0]}"), **pages}


@pen
def repeating(_: Pen) -> Mapping[str, Route]:
    """A wrong relative link: every page leads to itself, one folder deeper."""

    def serve(request: Request) -> Response:
        parts = [part for part in request.path.split("/") if part]
        if set(parts) <= {"a", "b"}:
            return page(f"Folder {' '.join(parts) or 'home'}", "a/b/", "/fine")
        return missing()

    return {"*": serve, **_pages("fine")}


@pen
def facets(_: Pen) -> Mapping[str, Route]:
    """A shop whose filters can be combined in any way and order, always showing much the same."""
    filters = [f"{name}={value}" for name in ("colour", "size", "brand", "price") for value in range(5)]

    def serve(request: Request) -> Response:
        chosen = [part for part in urlsplit(request.path).query.split("&") if part]
        links = ["/goods?" + "&".join([*chosen, each]) for each in filters if each not in chosen]
        text = f"<p>{prose('goods', 120)}</p><p>Chosen: {', '.join(chosen) or 'nothing'}.</p>"
        return Response(200, HTML, html("Goods", *links, "/lamp", text=text).encode())

    return {"/": page("Shop", "/goods"), "/goods": serve, **_pages("lamp")}


@pen
def depths(_: Pen) -> Mapping[str, Route]:
    """A chain of forty pages, each a link further away."""
    return {"/": page("Step 0", "/step/1"), **{f"/step/{n}": page(f"Step {n}", f"/step/{n + 1}") for n in range(1, 41)}}


@pen
def babble(_: Pen) -> Mapping[str, Route]:
    """Pages without end, each with words of its own: only a budget helps."""

    def serve(request: Request) -> Response:
        seed = hashlib.sha256(request.path.encode()).hexdigest()
        return page(
            f"Babble {seed[:8]}",
            *(f"/{prose(seed + str(n), 1).strip('.').lower()}-{seed[n : n + 6]}" for n in range(5)),
        )

    return {"*": serve}


@pen
def archive(_: Pen) -> Mapping[str, Route]:
    """No trap: many pages of one shape, each with something of its own to say. All of them count."""
    items = {f"/item?id={number}": page(f"Item {number}", words=250) for number in range(60)}
    days = {f"/2024/05/{n:02}/": page(f"Entry {n}", f"/2024/05/{n + 1:02}/", words=250) for n in range(1, 31)}
    return {"/": page("Archive", *items, *days), **items, **days}


@pen
def quotas(_: Pen) -> Mapping[str, Route]:
    """No trap, but more pages of one host and of one shape than are wanted of either."""
    items: dict[str, Route] = {f"/item/{number}": page(f"Item {number}") for number in range(30)}
    names: dict[str, Route] = {f"/name/{name}": page(f"The name {name}") for name in WORDS[:30]}
    return {"/": page("Quotas", *items, *names), **items, **names}


@pen
def numbered(_: Pen) -> Mapping[str, Route]:
    """No trap either: pages that differ in little but a number, all listed on one page; and a chain of documents
    that are files, as their dates show.
    """
    parts = [f"/part/{number}" for number in range(60)]

    def said(title: str, number: int, *links: str) -> str:
        return html(f"{title} {number}", *links, text=f"<p>This is what {title.lower()} {number} is about.</p>")

    listed = {path: Response(200, HTML, said("Part", n).encode()) for n, path in enumerate(parts)}
    dated = {**HTML, "Last-Modified": "Wed, 01 May 2024 10:00:00 GMT"}
    chain = {
        f"/page{n}.html": Response(200, dated, said("Page", n, f"/page{n + 1}.html").encode()) for n in range(1, 60)
    }
    chain["/page60.html"] = Response(200, dated, said("Page", 60).encode())
    return {"/": page("Numbered", *parts, "/page1.html"), **listed, **chain}


@pen
def shop(_: Pen) -> Mapping[str, Route]:
    """Nor this: short goods that name related ones, on numbered lists without names of their own, all of one script."""
    frame, goods = f"<p>{prose('shop', 90)}</p>", [f"{WORDS[number]} {WORDS[-number]}" for number in range(1, 49)]
    lists = [f"/index.php?list={kind}" for kind in range(8)]
    pages: dict[str, Route] = {}
    for number, name in enumerate(goods):
        related = [f"/index.php?goods={(number * step + 1) % len(goods)}" for step in (3, 5, 7)]
        pages[f"/index.php?goods={number}"] = page("Shop", *lists, *related, text=f"{frame}<h1>{name}</h1>")
    for kind, path in enumerate(lists):
        for number in range(3):
            shown = [kind * 6 + number * 2 + each for each in range(2)]
            links = [f"/index.php?goods={each}" for each in shown] + [f"{path}&page={number + 2}"] * (number < 2)
            text = frame + "".join(f"<p>{goods[each]}</p>" for each in shown)
            pages[f"{path}&page={number + 1}" if number else path] = page("Shop", *lists, *links, text=text)
    return {"/": page("Shop", *lists), **pages}


def _pages(*names: str) -> dict[str, Route]:
    return {f"/{name}": page(f"Page {name}") for name in names}
