"""robots.txt, robots directives in pages, and sitemaps. How rules are matched is a matter of the parser's own tests."""

from __future__ import annotations

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.responses import BOMB
from minisearch.testing.zoo.scenario import Routes, ScenarioServer, error, page, pages, scenario

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
        "skipped scope | unseen": "{other}/",
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
