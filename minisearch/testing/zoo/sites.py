"""Sites: robots.txt and sitemaps, duplicates, crawler traps, and pages that change between two visits."""

from __future__ import annotations

import hashlib
from typing import Any

from minisearch.testing.server import Request, Response, Route, tagged, unless_known
from minisearch.testing.zoo.content import WORDS, error, html, page, pages, prose, redirect
from minisearch.testing.zoo.responses import BOMB
from minisearch.testing.zoo.scenario import Costs, Count, Expectations, Routes, ScenarioServer, scenario

NOINDEX = '<meta name="robots" content="noindex">'

# -- robots.txt and robots directives; how rules are matched is a matter of the parser's own tests -------------------


def robots(text: str) -> Response:
    """A robots.txt."""
    return Response(200, {"Content-Type": "text/plain"}, text.encode())


@scenario(
    {
        "fetched": "/ /shed/window /doc.pdf.html /list?page=2 /nofollow /theirs /rel /by-noindex",
        "fetched noindex": "/noindex /none /ours /header",
        "skipped robots": "/shed/rake /doc.pdf /list?sort=up",
        "skipped nofollow": "/by-none /by-nofollow /only-nofollow /only-ugc",
    },
    requested={
        "/shed/rake /doc.pdf /list?sort=up /by-none /by-nofollow /only-nofollow /only-ugc": (0, 0),
        "/robots.txt": (1, 1),
    },
)
def robots_rules(_: ScenarioServer) -> Routes:
    """Rules with wildcards and exceptions in robots.txt, and directives in markup and in headers."""
    rules = "User-agent: *\nDisallow: /shed/\nAllow: /shed/window\nDisallow: /*.pdf$\nDisallow: /*?sort=\n"
    links = '<a rel="nofollow" href="/only-nofollow">not followed</a> <a rel="ugc" href="/only-ugc">nor this</a>'
    return {
        "/robots.txt": robots(f"{rules}\nUser-agent: otherbot\nDisallow: /\n"),
        **pages("/shed/rake", "/shed/window", "/doc.pdf", "/doc.pdf.html", "/list?sort=up", "/list?page=2"),
        "/noindex": page("Not to be indexed", "/by-noindex", head=NOINDEX.upper()),
        "/none": page("Neither", "/by-none", head='<meta name="robots" content="none">'),
        "/nofollow": page("Not to be followed", "/by-nofollow", head='<meta name="robots" content="nofollow">'),
        "/ours": page("Not for minisearch", head='<meta name="minisearch" content="noindex">'),
        "/theirs": page("Not for the other one", head='<meta name="otherbot" content="noindex">'),
        "/header": page("In a header", headers={"X-Robots-Tag": "noindex"}),
        "/rel": page("Links not to follow", text=f"<p>Some links here. {links}</p>"),
        "*": page("What a page with directives links to"),
    }


@scenario(
    {"skipped robots-unreachable": "/", "unseen": "/open"},
    requested={"/": (0, 0), "/robots.txt": (1, 6)},
)
def robots_error(_: ScenarioServer) -> Routes:
    """Status 500 for robots.txt: unreachable, so nothing may be fetched (RFC 9309, 2.3.1.4)."""
    return {**pages("/open"), "/robots.txt": error(500)}


# -- sitemaps ------------------------------------------------------------------------------------

XML = {"Content-Type": "application/xml"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*urls: str, kind: str = "url", doctype: str = "") -> Response:
    """A sitemap of these URLs, or a sitemap index (`kind` is "sitemap")."""
    root = f"{kind}index" if kind == "sitemap" else "urlset"
    items = "".join(f"<{kind}><loc>{url}</loc></{kind}>\n" for url in urls)
    markup = f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}<{root} {NAMESPACE}>\n{items}</{root}>\n'
    return Response(200, XML, markup.encode())


@scenario(
    {
        "fetched": "/ /linked /orphan /a?b=1&c=2 /before-it-broke",
        "skipped robots": "/shed/rake",
        "failed http-404": "/gone",
    },
    limits={"page_bytes": 5_000_000},
    counts=(Count("*lol*", most=0), Count("*root:*", most=0)),
    costs=Costs(requests=100, bytes=5_000_000, memory=300_000_000),
)
def sitemaps(server: ScenarioServer) -> Routes:
    """Sitemaps with orphans and with URLs that must not be fetched; XML and gzip bombs, and indexes without end."""
    base = server.base
    listed = [base + path for path in ("/orphan", "/linked", "/shed/rake", "/gone", "/a?b=1&amp;c=2")]
    laughs = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
    outside = '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    broken = f"<urlset {NAMESPACE}><url><loc>{base}/before-it-broke</loc></url><url><loc"

    def nested(request: Request) -> Response:
        return sitemap(*(f"{base}{request.path}{end}" for end in ("0", "1", "")), kind="sitemap")

    files: dict[str, Route] = {
        "/index/": nested,
        "/laughs.xml": sitemap(f"{base}/&l9;", doctype=f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{laughs}]>'),
        "/outside.xml": sitemap(f"{base}/?&x;", doctype=outside),
        "/packed.xml.gz": Response(200, {"Content-Type": "application/gzip"}, BOMB),
        "/broken.xml": Response(200, XML, broken.encode()),
        "/page.xml": page("Not a sitemap"),
        "/missing.xml": error(404),
        "/good.xml": sitemap(*listed, f"{server.other_base}/", "http://[bad", "ftp://127.0.0.1/x", ""),
    }
    rules = "User-agent: *\nDisallow: /shed/\n" + "".join(f"Sitemap: {base}{path}\n" for path in files)
    routes = {"/gone": error(404), **pages("/linked", "/orphan", "/a?b=1&c=2", "/before-it-broke"), **files}
    return {"/": page("Home", "/linked"), **routes, "*": nested, "/robots.txt": robots(rules)}


# -- duplicates ----------------------------------------------------------------------------------

SAME = {  # URLs of the same page
    "/docs*": "/docs/ /docs/index.html",
    "/same*": "/same /same/",
    "/copy*": "/copy-1 /copy-2",
    "/order*": "/order?a=1&b=2 /order?b=2&a=1",
    "/story*": "/story /story?utm_source=news&utm_medium=mail /story?gclid=Cj0K",
}
DIFFERENT = ("/differs", "/differs/", "/Case", "/case", "/item?id=1", "/item?id=2")


@scenario(
    {"fetched": f"/ /frag {' '.join(DIFFERENT)}", "fetched | merged | unseen": " ".join(SAME.values())},
    counts=tuple(Count(pattern, "fetched", 1, 1) for pattern in SAME),
    requested={"/frag": (1, 1)},
)
def duplicates(_: ScenarioServer) -> Routes:
    """URLs that may lead to the same page, and tracking parameters: merged if the content is equal, else kept."""
    same = {url: page(f"The same at {pattern}") for pattern, urls in SAME.items() for url in urls.split()}
    return {**same, **pages(*DIFFERENT), "/frag": page("Fragments", "/frag#one", "/frag#two", "/./dots/../frag")}


@scenario(
    {
        "fetched": "/ /true /liar-missing /liar-noindex /liar-abroad /liar-error /ring-a /ring-b",
        "fetched noindex": "/hidden",
        "merged canonical": "/print",
        "failed http-404": "/not-there",
    },
)
def canonicals(server: ScenarioServer) -> Routes:
    """Canonical links that are right, that are wrong, and that form a cycle."""
    text = f"<p>{prose('true', 200)}</p>"

    def naming(url: str, **content: Any) -> Response:
        return page(f"Names {url}", head=f'<link rel="canonical" href="{url}">', **content)

    return {
        "/true": naming("/true", text=text),
        "/print": naming(f"{server.base}/old/../true", text=text),
        "/liar-missing": naming("/not-there"),
        "/liar-noindex": naming("/hidden"),
        "/liar-abroad": naming(f"{server.other_base}/"),
        "/liar-error": naming("http://:80:80/"),
        "/ring-a": naming("/ring-b"),
        "/ring-b": naming("/ring-a"),
        "/hidden": page("Hidden", head=NOINDEX),
    }


# -- crawler traps, and a site that only looks like one ------------------------------------------

VISITED = "fetched | merged"


@scenario(
    {"fetched": "/ /about /event"},
    counts=(Count("/calendar*", VISITED, 2, 60),),
    costs=Costs(requests=100),
)
def calendar(_: ScenarioServer) -> Routes:
    """An empty calendar whose next month always has a next month."""

    def month(request: Request) -> Response:
        number = int(request.path.rpartition("=")[2])
        near = [f"/calendar?month={n}" for n in (number - 1, number + 1)]
        days = "".join(f"<td>{day}</td>" for day in range(1, 31))
        text = f"<p>{prose('calendar', 30)}</p><table><tr>{days}</tr></table><p>No events this month.</p>"
        return page(f"Calendar {number % 12 + 1}/{number // 12}", *near, "/event", text=text)

    home = page("Club", "/calendar?month=24288", "/about")
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
        return page(f"Session {name or 'home'}", *(f"/{each}?sid={session}" for each, session in new.items()))

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
        chosen = [part for part in request.path.partition("?")[2].split("&") if part]
        links = ["/goods?" + "&".join([*chosen, each]) for each in filters if each not in chosen]
        text = f"<p>{prose('goods', 120)}</p><p>Chosen: {', '.join(chosen) or 'nothing'}.</p>"
        return page("Goods", *links, "/lamp", text=text)

    return {"/": page("Shop", "/goods"), "/goods": serve, **pages("/lamp")}


@scenario(
    {"fetched": "/"},
    crawl={"max_depth": 400},
    limits={"pattern_repeats": 5},
    counts=(Count("/word/*", "fetched", 168, 168),),
    costs=Costs(requests=180),
)
def glossary(_: ScenarioServer) -> Routes:
    """Pages with the same navigation, each found on the one before it, each about another word: no trap."""
    names = sorted(WORDS)
    frame = f"<p>{prose('frame', 40)}</p>"
    words: dict[str, Route] = {
        f"/word/{name}": page(f"The word {name}", f"/word/{after}", text=f"{frame}<p>{prose(name, 120)}</p>")
        for name, after in zip(names, names[1:] + names[:1], strict=True)
    }
    return {"/": page("Glossary", f"/word/{names[0]}"), **words}


# -- pages that change between two visits --------------------------------------------------------

STAYING = "/stays /untagged /changes /touched"
CHANGING = "/gone /lost /sorry /leaves /turns /breaks"


def overnight(server: ScenarioServer, first: Response, then: Response) -> Route:
    """A response that is another one on the second day."""
    return lambda request: unless_known(request, first if server.day == 1 else then)


@scenario(
    {"fetched": f"/ {STAYING} {CHANGING}"},
    second_visit=Expectations(
        {
            "fetched": f"/ {STAYING} /new /new-home",
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

    def dated(title: str, *links: str, **content: Any) -> Response:
        return tagged(html(title, *links, **content).encode())

    linked = f"{STAYING} {CHANGING}".split()
    changes = {  # path: on the first day, on the second
        "/stays": (dated("Page stays"), dated("Page stays")),
        "/untagged": (page("Page untagged"), page("Page untagged")),
        "/changes": (dated("Page changes"), dated("Page changes", text=prose("changed"))),
        "/touched": (dated("Touched"), dated("Touched", head="<meta name=generator content=v2>")),
        "/gone": (dated("Page gone"), error(410)),
        "/lost": (dated("Page lost"), error(404)),
        "/sorry": (dated("Page sorry"), dated("Page not found", text=f"<p>Sorry, not found.</p>{prose('sorry', 20)}")),
        "/leaves": (dated("Page leaves"), redirect("/new-home", 301)),
        "/turns": (dated("Page turns"), dated("Page turns", head=NOINDEX)),
        "/breaks": (dated("Page breaks"), error(500)),
        "/": (dated("Seasons", *linked), dated("Seasons", *linked, "/new")),
    }
    routes = {path: overnight(server, *answers) for path, answers in changes.items()}
    return {**routes, "/new-home": page("Page leaves"), "/new": page("Page new")}


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
    kept = pages(*(f"/page/{number}" for number in range(5)))
    lost = [f"/page/{number}" for number in range(5, 30)]
    return {**kept, **{path: overnight(server, page(f"Page {path}"), error(404)) for path in lost}}
