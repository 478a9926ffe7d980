"""Sitemaps that explode or never end."""

from __future__ import annotations

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.expectations import Costs, Count
from minisearch.testing.zoo.responses import BOMB
from minisearch.testing.zoo.scenario import Routes, ScenarioServer, page, pages, scenario

XML = {"Content-Type": "application/xml"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def sitemap(*urls: str, kind: str = "url", doctype: str = "") -> Response:
    """A sitemap of these URLs, or a sitemap index (`kind` is "sitemap")."""
    root = f"{kind}index" if kind == "sitemap" else "urlset"
    items = "".join(f"<{kind}><loc>{url}</loc></{kind}>\n" for url in urls)
    return Response(200, XML, f"{DECLARATION}{doctype}<{root} {NAMESPACE}>\n{items}</{root}>\n".encode())


def sitemap_site(server: ScenarioServer, sitemaps: Routes) -> dict[str, Route]:
    """A home page with one link, pages without links to them, and a robots.txt that names sitemaps."""
    lines = "".join(f"Sitemap: {server.base}{path}\n" for path in sitemaps)
    rules = Response(200, {"Content-Type": "text/plain"}, lines.encode())
    linked = pages("/linked", "/good", "/before-it-broke")
    return {"/": page("Home", "/linked"), **linked, **sitemaps, "/robots.txt": rules}


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
    outside = '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    broken = f"{DECLARATION}<urlset {NAMESPACE}><url><loc>{base}/before-it-broke</loc></url><url><loc"
    files: dict[str, Route] = {
        "/laughs.xml": sitemap(f"{base}/&l9;", doctype=f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{laughs}]>'),
        "/outside.xml": sitemap(f"{base}/?&x;", doctype=outside),
        "/packed.xml.gz": Response(200, {"Content-Type": "application/gzip"}, BOMB),
        "/broken.xml": Response(200, XML, broken.encode()),
        "/page.xml": page("Not a sitemap"),
        "/good.xml": sitemap(f"{base}/good"),
    }
    return sitemap_site(server, files)


@scenario({"fetched": "/ /linked /good"}, costs=Costs(requests=80, seconds=60))
def sitemap_nested(server: ScenarioServer) -> Routes:
    """Sitemap indexes in sitemap indexes without end, each of which names itself, too."""

    def deeper(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2])
        return sitemap(
            *(f"{server.base}/index/{each}" for each in (2 * number, 2 * number + 1, number)), kind="sitemap"
        )

    files: dict[str, Route] = {"/index/1": deeper, "/good.xml": sitemap(f"{server.base}/good")}
    return {**sitemap_site(server, files), "*": deeper}
