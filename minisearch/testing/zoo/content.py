"""Pages: duplicates, similar pages, error pages without an error status, charsets, and pages that change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from email.utils import formatdate

from minisearch.testing.server import Answer, Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count, Expectations, PageContent
from minisearch.testing.zoo.scenario import HTML, Routes, ScenarioServer, error, html, page, prose, redirect, scenario

SERBIAN = "Шума је мирна, а река тече поред старог млина."
RUSSIAN = "В лесу родилась ёлочка, в лесу она росла, зимой и летом стройная, зелёная была."
CROATIAN = "Šuma žubori, čekajući kišu; đak nosi šešir."
JAPANESE = "森の中に古い水車があります。川は静かに流れています。"
CHINESE = "森林里有一座老磨坊，河水静静地流着。"
GERMAN = "Der Bär schläft über den Winter, hört aber jedes Geräusch draußen."


# -- duplicates ----------------------------------------------------------------------------------


def canonical(url: str) -> str:
    """The element that names the canonical URL of a page."""
    return f'<link rel="canonical" href="{url}">'


@scenario(
    {
        "fetched": "/ /true /liar-missing /liar-noindex /liar-abroad /liar-error /ring-a /ring-b",
        "fetched noindex": "/hidden",
        "fetched | merged canonical": "/liar-content",
        "merged canonical": "/print /relative /by-redirect",
        "merged redirect": "/moved",
        "failed http-404": "/not-there",
    },
    costs=Costs(requests=18),
)
def canonicals(server: ScenarioServer) -> Routes:
    """Canonical links that are right, that are wrong, and that form a cycle."""
    text = f"<p>{prose('true', 200)}</p>"
    linked: dict[str, Route] = {
        "/true": page("The true page", head=canonical("/true"), text=text),
        "/print": page("The true page for printers", head=canonical(server.base + "/true"), text=text),
        "/liar-content": page("Names a page of other content", head=canonical("/true"), words=200),
        "/liar-missing": page("Names a page that does not exist", head=canonical("/not-there")),
        "/liar-noindex": page("Names a page that is not indexed", head=canonical("/hidden")),
        "/liar-abroad": page("Names another site", head=canonical(server.other + "/")),
        "/liar-error": page("Names nonsense", head=canonical("http://:80:80/")),
        "/ring-a": page("One of a cycle", head=canonical("/ring-b")),
        "/ring-b": page("The other of a cycle", head=canonical("/ring-a")),
        "/relative": page("The true page, by a relative URL", head=canonical("old/../true"), text=text),
        "/by-redirect": page("The true page, by a redirect", head=canonical("/moved"), text=text),
    }
    return {
        "/": page("Canonical", *linked),
        **linked,
        "/hidden": page("Hidden", head='<meta name="robots" content="noindex">'),
        "/moved": redirect("/true", 301),
    }


@scenario(
    {"fetched": "/ /differs /differs/ /Case /case /item?id=1 /item?id=2 /frag /story /story?page=2"},
    groups=(
        "/docs/ /docs/index.html",
        "/same /same/",
        "/copy-1 /copy-2",
        "/order?a=1&b=2 /order?b=2&a=1",
        "/story /story?utm_source=news&utm_medium=mail /story?gclid=Cj0K /story?fbclid=IwAR /story?mc_cid=1&mc_eid=2"
        " /story?msclkid=9",
        "/story?page=2 /story?page=2&utm_term=x",
    ),
    requested={"/frag": (1, 1)},
    costs=Costs(requests=32),
)
def duplicates(_: ScenarioServer) -> Routes:
    """URLs that may lead to the same page, and tracking parameters: merged if the content is equal, else kept."""
    links = (
        "/docs/ /docs/index.html /same /same/ /differs /differs/ /copy-1 /copy-2 /Case /case "
        "/order?a=1&b=2 /order?b=2&a=1 /item?id=1 /item?id=2 /frag#one /frag#two /./dots/../frag "
        "/story /story?utm_source=news&utm_medium=mail /story?gclid=Cj0K /story?fbclid=IwAR "
        "/story?mc_cid=1&mc_eid=2 /story?msclkid=9 /story?page=2 /story?page=2&utm_term=x"
    )
    same, docs = page("The same with a slash and without"), page("Documents, by either name")
    identical, second_page = page("Copied word for word"), page("The story goes on")
    return {
        "/": page("Duplicates", *links.split()),
        "/docs/": docs,
        "/docs/index.html": docs,
        "/same": same,
        "/same/": same,
        "/differs": page("Without a slash"),
        "/differs/": page("With a slash, another page"),
        "/copy-1": identical,
        "/copy-2": identical,
        "/Case": page("In capitals"),
        "/case": page("In small letters"),
        "/order": page("In any order"),
        "/item?id=1": page("The first item"),
        "/item?id=2": page("The second item"),
        "/frag": page("With fragments"),
        "/story": page("The story"),
        "/story?page=2": second_page,
        "/story?page=2&utm_term=x": second_page,
    }


@scenario(
    {"fetched": "/ /framed/1 /framed/2 /framed/3"},
    groups=("/day/1 /day/2 /day/3",),
    costs=Costs(requests=10),
)
def near_duplicates(_: ScenarioServer) -> Routes:
    """Pages that differ in a date or a counter, and pages that share only their navigation."""

    def dated(day: int) -> Response:
        text = f"<p>{prose('nearly', 400)}</p><p>Printed on day {day}, for the {day * 7}th time.</p>"
        return page("Nearly the same", text=text)

    def framed(name: str) -> Response:
        return page(name, text=f"<nav>{prose('frame', 40)}</nav><p>{prose(name, 300)}</p>")

    routes = {f"/day/{day}": dated(day) for day in (1, 2, 3)}
    routes |= {f"/framed/{number}": framed(f"In a frame {number}") for number in (1, 2, 3)}
    return {"/": page("Nearly", *routes), **routes}


@scenario(
    {
        "fetched": "/ /real",
        "skipped soft-404": "/lost/0 /lost/1 /lost/2 /lost/3 /lost/4 /lost/5",
    },
    costs=Costs(requests=12),
)
def soft_404(_: ScenarioServer) -> Routes:
    """Error pages with status 200, for whatever is requested."""

    def sorry(request: Request) -> Response:
        text = f"<p>Sorry, the page {request.path} could not be found. It may have been moved.</p>"
        return page("404 - Page not found", text=f"{text}<p>{prose('sorry', 30)}</p>")

    return {
        "/": page("Polite", "/real", *(f"/lost/{number}" for number in range(6))),
        "/real": page("A real page about lost things: how page not found errors work"),
        "*": sorry,
    }


# -- charsets ------------------------------------------------------------------------------------

DECLARED = (  # path, text, codec, charset in the header, charset in the markup; expected: charset, evidence
    ("/utf8-bom", "\ufeff" + SERBIAN, "utf-8", "windows-1251", "", "utf-8", "mark"),
    ("/utf16le-bom", "\ufeff" + SERBIAN, "utf-16-le", "", "", "utf-16le", "mark"),
    ("/utf16be-bom", "\ufeff" + SERBIAN, "utf-16-be", "", "", "utf-16be", "mark"),
    ("/utf16-header", SERBIAN, "utf-16-le", "utf-16le", "", "utf-16le", "header"),
    ("/1251-header", SERBIAN, "cp1251", "windows-1251", "", "windows-1251", "header"),
    ("/1251-meta", SERBIAN, "cp1251", "", "windows-1251", "windows-1251", "meta"),
    ("/8859-2", CROATIAN, "iso-8859-2", "", "iso-8859-2", "iso-8859-2", "meta"),
    ("/1250", CROATIAN, "cp1250", "windows-1250", "", "windows-1250", "header"),
    ("/sjis", JAPANESE, "shift_jis", "Shift_JIS", "", "shift_jis", "header"),
    ("/eucjp", JAPANESE, "euc_jp", "", "euc-jp", "euc-jp", "meta"),
    ("/gb", CHINESE, "gb18030", "", "gb2312", "", "meta"),
    ("/latin1", GERMAN, "cp1252", "iso-8859-1", "", "windows-1252", "header"),
    ("/undeclared-utf8", CROATIAN, "utf-8", "", "", "utf-8", "."),
    ("/undeclared-1251", f"{RUSSIAN} " * 6, "cp1251", "", "", "windows-1251", "."),
    ("/undeclared-koi8", f"{RUSSIAN} " * 6, "koi8-r", "", "", "koi8-r", "."),
    ("/undeclared-sjis", JAPANESE * 6, "shift_jis", "", "", "shift_jis", "."),
)
DECLARED_WRONGLY = (
    ("/latin1-is-utf8", GERMAN, "utf-8", "iso-8859-1", "", "utf-8", "utf-8"),
    ("/utf8-is-1251", f"{SERBIAN} " * 4, "cp1251", "utf-8", "windows-1251", "windows-1251", "."),
    ("/utf8-is-1251-too", f"{SERBIAN} " * 4, "cp1251", "utf-8", "", "windows-1251", "."),
    ("/meta-is-utf8", CROATIAN, "utf-8", "", "iso-8859-2", "utf-8", "utf-8"),
    ("/unknown", CROATIAN, "utf-8", "x-klingon", "", "utf-8", "."),
    ("/two-charsets", SERBIAN, "cp1251", "windows-1251", "utf-8", "windows-1251", "header"),
    ("/some-broken", GERMAN * 20 + "\udcff broken \udcc3", "utf-8", "utf-8", "", "utf-8", "unreadable"),
    ("/mojibake", SERBIAN.encode().decode("latin-1"), "utf-8", "utf-8", "", "utf-8", "mojibake|twice"),
)
Rows = Iterable[tuple[str, str, str, str, str, str, str]]


def in_charsets(rows: Rows) -> Routes:
    """A page for each row, and one that links to them."""
    routes: dict[str, Route] = {}
    for number, (path, text, codec, header, meta, *_) in enumerate(rows):
        start, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
        tag = f'<meta charset="{meta}">' if meta else ""
        body = f"<p>{text} {number}</p>" * 2
        markup = f"{start}<!DOCTYPE html><html><head>{tag}<title>Page {path}</title></head><body>{body}</body></html>"
        content_type = "text/html" + (f"; charset={header}" if header else "")
        routes[path] = Response(200, {"Content-Type": content_type}, markup.encode(codec, "surrogateescape"))
    return {"/": page("Charsets", *routes), **routes}


def read_in_charsets(rows: Rows) -> dict[str, PageContent]:
    """What should be read on the page of each row."""
    pages = {}
    for path, text, *_, charset, evidence in rows:
        start = SERBIAN if path == "/mojibake" else text.removeprefix("\ufeff")
        pages[path] = PageContent(contains=start[:13], charset=charset, evidence=evidence)
    return pages


@scenario(
    {"fetched": "/", "fetched | merged": " ".join(row[0] for row in DECLARED)},
    pages=read_in_charsets(DECLARED),
)
def charsets(_: ScenarioServer) -> Routes:
    """Charsets declared by a byte order mark, a header or the markup, or not at all."""
    return in_charsets(DECLARED)


@scenario(
    {"fetched": "/", "fetched | merged": " ".join(row[0] for row in DECLARED_WRONGLY)},
    pages=read_in_charsets(DECLARED_WRONGLY),
    costs=Costs(requests=12),
)
def wrong_charsets(_: ScenarioServer) -> Routes:
    """Charsets declared wrongly: the bytes decide, and the page notes the evidence."""
    return in_charsets(DECLARED_WRONGLY)


# -- pages that change between two visits --------------------------------------------------------


def tagged(markup: str, request: Request, *, dated: bool = False) -> Response:
    """A page with an ETag, or with a date alone; status 304 for clients that have it."""
    digest = hashlib.sha256(markup.encode()).hexdigest()
    header, condition, value = "ETag", "If-None-Match", f'"{digest[:12]}"'
    if dated:
        date = formatdate(1_704_067_200 + int(digest[:6], 16), usegmt=True)
        header, condition, value = "Last-Modified", "If-Modified-Since", date
    if request.headers.get(condition) == value:
        return Response(304, {header: value})
    return Response(200, {**HTML, header: value}, markup.encode())


STAYING = "/ /stays /stays-dated /untagged /changes /changes-dated /touched"


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

    def changing(name: str, *, dated: bool = False, changes: bool = False) -> Route:
        def route(request: Request) -> Answer:
            version = server.day if changes else 1
            return tagged(html(f"Page {name}", text=f"<p>{prose(f'{name} {version}')}</p>"), request, dated=dated)

        return route

    def overnight(first: Response, then: Answer) -> Route:
        return lambda _: first if server.day == 1 else then

    def touched(request: Request) -> Answer:  # other bytes, the same words
        return tagged(html("Touched", head=f"<meta name=generator content=v{server.day}>"), request)

    def home(request: Request) -> Answer:
        return tagged(html("Seasons", *linked, *(["/new"] if server.day > 1 else [])), request)

    sorry = f"<p>Sorry, this page could not be found.</p><p>{prose('sorry', 20)}</p>"
    linked: dict[str, Route] = {
        "/stays": changing("stays"),
        "/stays-dated": changing("stays-dated", dated=True),
        "/untagged": page("Page untagged"),
        "/changes": changing("changes", changes=True),
        "/changes-dated": changing("changes-dated", dated=True, changes=True),
        "/touched": touched,
        "/gone": overnight(page("Page gone"), error(410)),
        "/lost": overnight(page("Page lost"), error(404)),
        "/sorry": overnight(page("Page sorry"), page("Page not found", text=sorry)),
        "/leaves": overnight(page("Page leaves"), redirect("/new-home", 301)),
        "/turns": overnight(page("Page turns"), page("Page turns", head='<meta name="robots" content="noindex">')),
        "/breaks": overnight(page("Page breaks"), error(500)),
    }
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

    def at(number: int) -> Route:
        return lambda _: page(f"Page {number}") if server.day == 1 or number < 5 else error(404)

    routes = {f"/page/{number}": at(number) for number in range(30)}
    return {"/": page("Collapse", *routes), **routes}
