"""Sites: robots.txt and sitemaps, duplicates, crawler traps, and pages that change between two visits."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qsl, urlsplit

from minisearch.testing.server import Answer, Request, Response, Route, tagged, unless_known
from minisearch.testing.zoo.content import WORDS, error, html, page, pages, prose, redirect
from minisearch.testing.zoo.responses import BOMB
from minisearch.testing.zoo.scenario import Costs, Count, Expectations, Routes, ScenarioServer, scenario

# -- robots.txt and robots directives; how rules are matched is a matter of the parser's own tests -------------------

PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
RULES = "User-agent: *\nDisallow: /shed/\n"


def robots(text: str) -> Response:
    """A robots.txt."""
    return Response(200, PLAIN, text.encode())


@scenario(
    {
        "fetched": "/ /open /shed/window /doc.pdf.html /list?page=2",
        "skipped robots": "/shed/rake /doc.pdf /list?sort=up",
    },
    requested={"/shed/rake /doc.pdf /list?sort=up": (0, 0), "/robots.txt": (1, 1)},
)
def robots_rules(_: ScenarioServer) -> Routes:
    """Rules with wildcards and exceptions: what is disallowed is not requested."""
    rules = f"{RULES}Allow: /shed/window\nDisallow: /*.pdf$\nDisallow: /*?sort=\n\nUser-agent: otherbot\nDisallow: /\n"
    linked = pages("/open", "/shed/rake", "/shed/window", "/doc.pdf", "/doc.pdf.html", "/list?sort=up", "/list?page=2")
    return {**linked, "/robots.txt": robots(rules)}


@scenario(
    {"skipped robots-unreachable": "/", "unseen": "/open"},
    requested={"/": (0, 0), "/robots.txt": (1, 6)},
)
def robots_error(_: ScenarioServer) -> Routes:
    """Status 500 for robots.txt: unreachable, so nothing may be fetched (RFC 9309, 2.3.1.4)."""
    return {**pages("/open"), "/robots.txt": error(500)}


@scenario(
    {
        "fetched": "/ /nofollow /theirs /header-theirs /rel /by-noindex",
        "fetched noindex": "/noindex /none /ours /header /header-ours",
        "skipped nofollow": "/by-none /by-nofollow /only-nofollow /only-ugc",
    },
    requested={"/by-none /by-nofollow /only-nofollow /only-ugc": (0, 0)},
)
def robots_meta(_: ScenarioServer) -> Routes:
    """Directives for robots in markup and in headers."""

    def directed(title: str, name: str, content: str, *links: str) -> Response:
        return page(title, *links, head=f'<meta name="{name}" content="{content}">')

    links = '<a rel="nofollow" href="/only-nofollow">not followed</a> <a rel="ugc" href="/only-ugc">nor this</a>'
    linked = {
        "/noindex": directed("Not to be indexed", "robots", "NOINDEX", "/by-noindex"),
        "/none": directed("Neither", "robots", "none", "/by-none"),
        "/nofollow": directed("Not to be followed", "robots", "nofollow", "/by-nofollow"),
        "/ours": directed("Not for minisearch", "minisearch", "noindex"),
        "/theirs": directed("Not for the other one", "otherbot", "noindex"),
        "/header": page("In a header", headers={"X-Robots-Tag": "noindex"}),
        "/header-ours": page("In a header for us", headers={"X-Robots-Tag": "minisearch: noindex"}),
        "/header-theirs": page("In a header for others", headers={"X-Robots-Tag": "otherbot: noindex, nofollow"}),
        "/rel": page("Links not to follow", text=f"<p>Some links here. {links}</p>"),
    }
    return {"/": page("Robots in pages", *linked), **linked, **pages("/by-noindex")}


# -- sitemaps ------------------------------------------------------------------------------------

XML = {"Content-Type": "application/xml"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def sitemap(*urls: str, kind: str = "url", doctype: str = "") -> Response:
    """A sitemap of these URLs, or a sitemap index (`kind` is "sitemap")."""
    root = f"{kind}index" if kind == "sitemap" else "urlset"
    items = "".join(f"<{kind}><loc>{url}</loc></{kind}>\n" for url in urls)
    return Response(200, XML, f"{DECLARATION}{doctype}<{root} {NAMESPACE}>\n{items}</{root}>\n".encode())


def sitemap_site(server: ScenarioServer, orphans: tuple[str, ...], sitemaps: Routes) -> dict[str, Route]:
    """A home page with one link, pages without links to them, and a robots.txt that names sitemaps."""
    lines = "".join(f"Sitemap: {server.base}{path}\n" for path in sitemaps)
    linked = pages("/linked", *orphans)
    return {"/": page("Home", "/linked"), **linked, **sitemaps, "/robots.txt": robots(RULES + lines)}


@scenario(
    {
        "fetched": "/ /linked /orphan /a?b=1&c=2",
        "skipped robots": "/shed/rake",
        "failed http-404": "/gone",
    },
)
def sitemap_plain(server: ScenarioServer) -> Routes:
    """A sitemap with pages that no link leads to, and with URLs that must not be fetched."""
    paths = ["/orphan", "/linked", "/shed/rake", "/gone", "/a?b=1&amp;c=2"]
    urls = [*(server.base + path for path in paths), server.other_base + "/", "not a url", "ftp://127.0.0.1/x", ""]
    return sitemap_site(server, ("/orphan", "/a?b=1&c=2"), {"/sitemap.xml": sitemap(*urls)})


@scenario(
    {"fetched": "/ /linked /good /before-it-broke"},
    limits={"page_bytes": 5_000_000},
    counts=(Count("*lol*", most=0), Count("*root:*", most=0)),
    costs=Costs(bytes=5_000_000, memory=300_000_000),
)
def sitemap_bombs(server: ScenarioServer) -> Routes:
    """Entities that multiply or read files, half a gigabyte in a small file, and truncated XML."""
    base = server.base
    laughs = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
    outside = '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    broken = f"{DECLARATION}<urlset {NAMESPACE}><url><loc>{base}/before-it-broke</loc></url><url><loc"
    files: dict[str, Route] = {
        "/laughs.xml": sitemap(f"{base}/&l9;", doctype=f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{laughs}]>'),
        "/outside.xml": sitemap(f"{base}/?&x;", doctype=outside),
        "/packed.xml.gz": Response(200, {"Content-Type": "application/gzip"}, BOMB),
        "/broken.xml": Response(200, XML, broken.encode()),
        "/page.xml": page("Not a sitemap"),
        "/missing.xml": error(404),
        "/good.xml": sitemap(f"{base}/good"),
    }
    return sitemap_site(server, ("/good", "/before-it-broke"), files)


@scenario({"fetched": "/ /linked /good"}, costs=Costs(requests=80))
def sitemap_nested(server: ScenarioServer) -> Routes:
    """Sitemap indexes in sitemap indexes without end, each of which names itself, too."""

    def deeper(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2])
        return sitemap(
            *(f"{server.base}/index/{each}" for each in (2 * number, 2 * number + 1, number)), kind="sitemap"
        )

    files: dict[str, Route] = {"/index/1": deeper, "/good.xml": sitemap(f"{server.base}/good")}
    return {**sitemap_site(server, ("/good",), files), "*": deeper}


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


# -- crawler traps, and sites that only look like them -------------------------------------------

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
