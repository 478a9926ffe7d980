"""robots.txt, robots directives in pages, and sitemaps. How rules are matched is a matter of the parser's own tests."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.limits import GZIP, MIB, bomb
from minisearch.testing.zoo.protocol import drip
from minisearch.testing.zoo.scenario import (
    PLAIN,
    Routes,
    ScenarioServer,
    error,
    in_turn,
    page,
    pages,
    redirect,
    scenario,
)  # fmt: skip

RULES = "User-agent: *\nDisallow: /shed/\n"
OBEYED = {"fetched": "/ /open", "skipped robots": "/shed/rake"}
IGNORED = {"fetched": "/ /open /shed/rake"}
UNREACHABLE = {"skipped robots-unreachable": "/", "unseen": "/open"}


def robots(text: str) -> Response:
    """A robots.txt."""
    return Response(200, PLAIN, text.encode())


def site(rules: Route, *paths: str) -> dict[str, Route]:
    """A home page that links to `paths`, and the response for /robots.txt."""
    linked = pages(*(paths or ("/open", "/shed/rake")))
    return {"/": page("Home", *linked), **linked, "/robots.txt": rules}


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
    paths = "/open /shed/rake /shed/window /doc.pdf /doc.pdf.html /list?sort=up /list?page=2"
    return site(robots(rules), *paths.split())


@scenario(UNREACHABLE, requested={"/": (0, 0), "/robots.txt": (1, 6)}, costs=Costs(seconds=60))
def robots_error(_: ScenarioServer) -> Routes:
    """Status 500 for robots.txt: unreachable, so nothing may be fetched (RFC 9309, 2.3.1.4)."""
    return site(error(500))


@scenario(OBEYED, requested={"/robots.txt": (2, 3)}, costs=Costs(seconds=60))
def robots_recovers(_: ScenarioServer) -> Routes:
    """Status 503 for robots.txt at first, then a file."""
    return site(in_turn(error(503), robots(RULES)))


@scenario(
    UNREACHABLE,
    limits={"page_seconds": 1.2, "silence_seconds": 0.6},
    requested={"/": (0, 0), "/robots.txt": (1, 4)},
    costs=Costs(seconds=60),
)
def robots_drip(server: ScenarioServer) -> Routes:
    """A robots.txt that arrives byte by byte."""
    return site(lambda _: Response(200, PLAIN, drip(server, RULES.encode() + b"#" * 900, 0.1)))


@scenario(IGNORED, requested={"/robots-5": (1, 1), "/robots-12": (0, 0)})
def robots_redirects(_: ScenarioServer) -> Routes:
    """More than five redirects to robots.txt: as if there were none."""
    chain = {f"/robots-{number}": redirect(f"/robots-{number + 1}") for number in range(1, 12)}
    return {**site(redirect("/robots-1")), **chain, "/robots-12": robots(RULES)}


@scenario(OBEYED, requested={"/shed/rake": (0, 0)}, other_paths="/robots.txt")
def robots_elsewhere(server: ScenarioServer) -> Routes:
    """A robots.txt on another server: its rules apply here all the same."""
    server.other_routes["/robots.txt"] = robots(RULES)
    return site(redirect(server.other + "/robots.txt"))


@scenario(IGNORED, costs=Costs(bytes=3_000_000, memory=250_000_000))
def robots_bomb(_: ScenarioServer) -> Routes:
    """A robots.txt of half a gigabyte, compressed."""
    return site(lambda _: Response(200, {**PLAIN, "Content-Encoding": "gzip"}, bomb(512 * MIB, GZIP)))


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

    def tagged(title: str, name: str, content: str, *links: str) -> Response:
        return page(title, *links, head=f'<meta name="{name}" content="{content}">')

    links = '<a rel="nofollow" href="/only-nofollow">not followed</a> <a rel="ugc" href="/only-ugc">nor this</a>'
    linked = {
        "/noindex": tagged("Not to be indexed", "robots", "NOINDEX", "/by-noindex"),
        "/none": tagged("Neither", "robots", "none", "/by-none"),
        "/nofollow": tagged("Not to be followed", "robots", "nofollow", "/by-nofollow"),
        "/ours": tagged("Not for minisearch", "minisearch", "noindex"),
        "/theirs": tagged("Not for the other one", "otherbot", "noindex"),
        "/header": page("In a header", headers={"X-Robots-Tag": "noindex"}),
        "/header-ours": page("In a header for us", headers={"X-Robots-Tag": "minisearch: noindex"}),
        "/header-theirs": page("In a header for others", headers={"X-Robots-Tag": "otherbot: noindex, nofollow"}),
        "/rel": page("Links not to follow", text=f"<p>Some links here. {links}</p>"),
    }
    others = pages("/by-noindex", "/by-none", "/by-nofollow", "/only-nofollow", "/only-ugc")
    return {"/": page("Robots in pages", *linked), **linked, **others}


# -- sitemaps ------------------------------------------------------------------------------------

XML = {"Content-Type": "application/xml"}
GZIPPED = {"Content-Type": "application/gzip"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(*urls: str) -> bytes:
    """A sitemap of these URLs."""
    items = "".join(f"<url><loc>{url}</loc><lastmod>2024-05-01</lastmod></url>\n" for url in urls)
    return f"{DECLARATION}<urlset {NAMESPACE}>\n{items}</urlset>\n".encode()


def sitemap_index(*urls: str) -> bytes:
    """A sitemap of these sitemaps."""
    items = "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls)
    return f"{DECLARATION}<sitemapindex {NAMESPACE}>\n{items}</sitemapindex>\n".encode()


def sitemap_site(
    server: ScenarioServer, sitemaps: Iterable[str], orphans: str, files: Mapping[str, Route]
) -> dict[str, Route]:
    """A home page with one link, pages without links to them, and a robots.txt that names sitemaps."""
    lines = "".join(f"Sitemap: {server.base}{path}\n" for path in sitemaps)
    return {**site(robots(RULES + lines), "/linked"), **pages(*orphans.split()), **files}


@scenario(
    {
        "fetched": "/ /linked /orphan /a?b=1&c=2",
        "skipped robots": "/shed/rake",
        "failed http-404": "/gone",
        "skipped scope | unseen": "{other}/",
    },
    costs=Costs(requests=12),
)
def sitemap_plain(server: ScenarioServer) -> Routes:
    """A sitemap with pages that no link leads to, and with URLs that must not be fetched."""
    paths = ["/orphan", "/linked", "/shed/rake", "/gone", "/a?b=1&amp;c=2"]
    urls = [*(server.base + path for path in paths), server.other + "/", "not a url", "ftp://127.0.0.1/x", ""]
    files: dict[str, Route] = {"/sitemap.xml": Response(200, XML, urlset(*urls))}
    return sitemap_site(server, files, "/orphan /shed/rake /a?b=1&c=2", files)


@scenario({"fetched": "/ /linked /in-one /in-two /in-list /in-list-too /in-marked /in-letters /in-wide"})
def sitemap_formats(server: ScenarioServer) -> Routes:
    """An index, a compressed sitemap, a plain text list, a byte order mark, and charsets unknown to XML parsers."""
    base = server.base
    files: dict[str, Route] = {
        "/index.xml": Response(200, XML, sitemap_index(f"{base}/one.xml", f"{base}/two.xml.gz")),
        "/list.txt": Response(200, PLAIN, f"\ufeff{base}/in-list\r\n\r\n{base}/in-list-too\r\n".encode()),
        "/marked.xml": Response(200, XML, b"\xef\xbb\xbf" + urlset(f"{base}/in-marked")),
        "/letters.xml": Response(200, XML, urlset(f"{base}/in-letters").replace(b"UTF-8", b"x-klingon")),
        "/wide.xml": Response(200, XML, urlset(f"{base}/in-wide").replace(b"UTF-8", b"shift_jis")),
    }
    inner: dict[str, Route] = {
        "/one.xml": Response(200, XML, urlset(f"{base}/in-one")),
        "/two.xml.gz": Response(200, GZIPPED, gzip.compress(urlset(f"{base}/in-two"))),
    }
    orphans = "/in-one /in-two /in-list /in-list-too /in-marked /in-letters /in-wide"
    return sitemap_site(server, files, orphans, {**files, **inner})


@scenario(
    {"fetched": "/ /linked /good /before-it-broke"},
    limits={"page_bytes": 5_000_000},
    counts=(Count("*lol*", most=0), Count("*root:*", most=0)),
    costs=Costs(requests=24, bytes=5_000_000, seconds=40, memory=300_000_000, disk=5_000_000),
)
def sitemap_bombs(server: ScenarioServer) -> Routes:
    """Entities that multiply or read files, half a gigabyte in a small file, and truncated XML."""
    base = server.base
    laughs = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))

    def with_entities(declared: str, path: str) -> Response:
        start = f"{DECLARATION}<!DOCTYPE urlset [{declared}]><urlset {NAMESPACE}>"
        return Response(200, XML, f"{start}<url><loc>{base}{path}</loc></url></urlset>".encode())

    files: dict[str, Route] = {
        "/laughs.xml": with_entities(f'<!ENTITY l0 "lol">{laughs}', "/&l9;"),
        "/outside.xml": with_entities('<!ENTITY x SYSTEM "file:///etc/passwd">', "/?&x;"),
        "/packed.xml.gz": lambda _: Response(200, GZIPPED, bomb(512 * MIB, GZIP)),
        "/broken.xml": Response(200, XML, urlset(f"{base}/before-it-broke")[:-20] + b"<url><loc"),
        "/page.xml": page("Not a sitemap"),
        "/missing.xml": error(404),
        "/good.xml": Response(200, XML, urlset(f"{base}/good")),
    }
    return sitemap_site(server, files, "/good /before-it-broke", files)


@scenario({"fetched": "/ /linked /good"}, costs=Costs(requests=80, seconds=60))
def sitemap_nested(server: ScenarioServer) -> Routes:
    """Sitemap indexes in sitemap indexes without end, each of which names itself, too."""

    def deeper(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2] or 0)
        more = (f"{server.base}/index/{number * 2 + step}" for step in (1, 2))
        return Response(200, XML, sitemap_index(*more, server.base + request.path))

    files: dict[str, Route] = {"/good.xml": Response(200, XML, urlset(f"{server.base}/good")), "*": deeper}
    return sitemap_site(server, ("/index/1", "/good.xml"), "/good", files)


@scenario(
    {"fetched": "/"},
    crawl={"max_pages": 10},
    counts=(Count("/n/*", least=100, most=50_000), Count(verdict="fetched", most=10)),
    costs=Costs(requests=16, bytes=8_000_000, seconds=60, memory=350_000_000, disk=40_000_000),
)
def sitemap_large(server: ScenarioServer) -> Routes:
    """More URLs in one sitemap than the protocol allows (50,000)."""
    urls = [f"{server.base}/n/{number}" for number in range(60_000)]
    files: dict[str, Route] = {
        "/sitemap.xml": Response(200, XML, urlset(*urls)),
        "*": lambda request: page(f"Number {request.path}"),
    }
    return sitemap_site(server, ["/sitemap.xml"], "", files)
