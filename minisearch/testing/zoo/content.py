"""Pages: duplicates, error pages without an error status, charsets, and pages that change."""

from __future__ import annotations

from minisearch.testing.server import Answer, Request, Response, Route, tagged, unless_known
from minisearch.testing.zoo.expectations import Costs, Count, Expectations
from minisearch.testing.zoo.scenario import Routes, ScenarioServer, error, html, page, pages, prose, redirect, scenario

SERBIAN = "Шума је мирна, а река тече поред старог млина."
CROATIAN = "Šuma žubori, čekajući kišu; đak nosi šešir."
JAPANESE = "森の中に古い水車があります。川は静かに流れています。"
GERMAN = "Der Bär schläft über den Winter, hört aber jedes Geräusch draußen."


# -- duplicates ----------------------------------------------------------------------------------


def canonical(url: str) -> str:
    """The element that names the canonical URL of a page."""
    return f'<link rel="canonical" href="{url}">'


@scenario(
    {
        "fetched": "/ /true /liar-missing /liar-noindex /liar-abroad /liar-error /ring-a /ring-b",
        "fetched noindex": "/hidden",
        "merged canonical": "/print /relative /by-redirect",
        "merged redirect": "/moved",
        "failed http-404": "/not-there",
    },
)
def canonicals(server: ScenarioServer) -> Routes:
    """Canonical links that are right, that are wrong, and that form a cycle."""
    text = f"<p>{prose('true', 200)}</p>"
    return {
        "/true": page("The true page", head=canonical("/true"), text=text),
        "/print": page("The true page for printers", head=canonical(server.base + "/true"), text=text),
        "/liar-missing": page("Names a page that does not exist", head=canonical("/not-there")),
        "/liar-noindex": page("Names a page that is not indexed", head=canonical("/hidden")),
        "/liar-abroad": page("Names another site", head=canonical(server.other_base + "/")),
        "/liar-error": page("Names nonsense", head=canonical("http://:80:80/")),
        "/ring-a": page("One of a cycle", head=canonical("/ring-b")),
        "/ring-b": page("The other of a cycle", head=canonical("/ring-a")),
        "/relative": page("The true page, by a relative URL", head=canonical("old/../true"), text=text),
        "/by-redirect": page("The true page, by a redirect", head=canonical("/moved"), text=text),
        "/hidden": page("Hidden", head='<meta name="robots" content="noindex">'),
        "/moved": redirect("/true", 301),
    }


@scenario(
    {
        "fetched": "/ /differs /differs/ /Case /case /item?id=1 /item?id=2 /frag /story",
        "fetched | merged": "/docs/ /docs/index.html /same /same/ /copy-1 /copy-2 /order?a=1&b=2 /order?b=2&a=1",
        "merged | unseen": "/story?utm_source=news&utm_medium=mail /story?gclid=Cj0K",
    },
    counts=tuple(Count(f"/{name}*", "fetched", 1, 1) for name in ("docs", "same", "copy", "order", "story")),
    requested={"/frag": (1, 1)},
)
def duplicates(_: ScenarioServer) -> Routes:
    """URLs that may lead to the same page, and tracking parameters: merged if the content is equal, else kept."""
    links = (
        "/docs/ /docs/index.html /same /same/ /differs /differs/ /copy-1 /copy-2 /Case /case "
        "/order?a=1&b=2 /order?b=2&a=1 /item?id=1 /item?id=2 /frag#one /frag#two /./dots/../frag "
        "/story /story?utm_source=news&utm_medium=mail /story?gclid=Cj0K"
    )
    return {
        "/": page("Duplicates", *links.split()),
        **dict.fromkeys(("/docs/", "/docs/index.html"), page("Documents, by either name")),
        **dict.fromkeys(("/same", "/same/"), page("The same with a slash and without")),
        **dict.fromkeys(("/copy-1", "/copy-2"), page("Copied word for word")),
        **pages("/differs", "/differs/", "/Case", "/case", "/order", "/item?id=1", "/item?id=2", "/frag", "/story"),
    }


# -- charsets ------------------------------------------------------------------------------------

CHARSETS = {  # path: text, codec, charset in the header, charset in the markup
    "/mark-not-header": (SERBIAN, "utf-8-sig", "windows-1251", ""),
    "/header-not-meta": (SERBIAN, "cp1251", "windows-1251", "utf-8"),
    "/meta": (CROATIAN, "iso-8859-2", "", "iso-8859-2"),
    "/undeclared": (JAPANESE, "utf-8", "", ""),
    "/undeclared-1251": (SERBIAN * 6, "cp1251", "", ""),
    "/latin1-is-utf8": (GERMAN, "utf-8", "iso-8859-1", ""),
    "/utf8-is-1251": (SERBIAN * 4, "cp1251", "utf-8", "windows-1251"),
}


@scenario(
    {"fetched": "/", "fetched | merged": " ".join(CHARSETS)},
    pages={path: text[:13] for path, (text, *_) in CHARSETS.items()},
)
def charsets(_: ScenarioServer) -> Routes:
    """Charsets declared by a byte order mark, a header or the markup, or not at all, or wrongly."""
    routes: dict[str, Route] = {}
    for path, (text, codec, header, meta) in CHARSETS.items():
        tag = f'<meta charset="{meta}">' if meta else ""
        markup = (
            f"<!DOCTYPE html><html><head>{tag}<title>Page {path}</title></head><body><p>{text} {path}</body></html>"
        )
        content_type = "text/html" + (f"; charset={header}" if header else "")
        routes[path] = Response(200, {"Content-Type": content_type}, markup.encode(codec))
    return routes


# -- pages that change between two visits --------------------------------------------------------

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
    second_visit=Expectations(
        {"fetched": "/ /page/0 /page/4"},
        counts=(Count("/page/*", "failed http-404", 25, 25),),
        costs=Costs(requests=80),
    ),
)
def collapse(server: ScenarioServer) -> Routes:
    """A site of thirty pages that has lost most of them overnight, as after a new installation of its server."""

    def serve(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2])
        return page(f"Page {number}") if server.day == 1 or number < 5 else error(404)

    return {"/": page("Collapse", *(f"/page/{number}" for number in range(30))), "*": serve}
