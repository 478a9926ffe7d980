"""Sitemaps: pages that no link leads to, and files that no parser should trust."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping

from minisearch.testing.server import Request, Response, Route
from minisearch.testing.zoo.limits import MIB, bomb
from minisearch.testing.zoo.pen import PLAIN, Pen, missing, page, pen, robots

XML = {"Content-Type": "application/xml"}
GZIP = {"Content-Type": "application/gzip"}
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(urls: Iterable[str]) -> bytes:
    """A sitemap of these urls."""
    items = "".join(f"<url><loc>{url}</loc><lastmod>2024-05-01</lastmod></url>\n" for url in urls)
    return f"{DECLARATION}<urlset {NAMESPACE}>\n{items}</urlset>\n".encode()


def index(urls: Iterable[str]) -> bytes:
    """A sitemap of these sitemaps."""
    items = "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls)
    return f"{DECLARATION}<sitemapindex {NAMESPACE}>\n{items}</sitemapindex>\n".encode()


def site(keeper: Pen, *names: str, pages: str = "", files: Mapping[str, Route]) -> dict[str, Route]:
    """A home page with one link, orphans in `pages`, and a robots.txt that names sitemaps."""
    lines = "".join(f"Sitemap: {keeper.base}{name}\n" for name in names)
    orphans: dict[str, Route] = {path: page(f"Orphan {path}") for path in pages.split()}
    home: dict[str, Route] = {"/": page("Home", "/linked"), "/linked": page("Linked")}
    return {**home, **orphans, "/robots.txt": robots(f"User-agent: *\nDisallow: /shed/\n{lines}"), **files}


@pen
def sitemap_plain(keeper: Pen) -> Mapping[str, Route]:
    """A sitemap named in robots.txt, with pages that no link leads to, or that may not be fetched."""
    told = ["/orphan", "/linked", "/shed/rake", "/gone", "/a?b=1&amp;c=2"]
    urls = [*(keeper.base + path for path in told), keeper.neighbour + "/", "not a url", "ftp://127.0.0.1/x", ""]
    files: dict[str, Route] = {"/sitemap.xml": Response(200, XML, urlset(urls))}
    return site(keeper, "/sitemap.xml", pages="/orphan /shed/rake /a?b=1&c=2", files=files)


@pen
def sitemap_kinds(keeper: Pen) -> Mapping[str, Route]:
    """An index, a compressed sitemap, a list in plain text, and charsets that XML parsers do not know."""
    base = keeper.base
    files: dict[str, Route] = {
        "/index.xml": Response(200, XML, index([f"{base}/one.xml", f"{base}/two.xml.gz"])),
        "/one.xml": Response(200, XML, urlset([f"{base}/in-one"])),
        "/two.xml.gz": Response(200, GZIP, gzip.compress(urlset([f"{base}/in-two"]))),
        "/list.txt": Response(200, PLAIN, f"\ufeff{base}/in-list\r\n\r\n{base}/in-list-too\r\n".encode()),
        "/marked.xml": Response(200, XML, b"\xef\xbb\xbf" + urlset([f"{base}/in-marked"])),
        "/letters.xml": Response(200, XML, _in_charset("x-klingon", f"{base}/in-letters", "utf-8")),
        "/wide.xml": Response(200, XML, _in_charset("shift_jis", f"{base}/in-wide", "shift_jis")),
    }
    names = ("/index.xml", "/list.txt", "/marked.xml", "/letters.xml", "/wide.xml")
    pages = "/in-one /in-two /in-list /in-list-too /in-marked /in-letters /in-wide"
    return site(keeper, *names, pages=pages, files=files)


def _in_charset(said: str, address: str, written: str) -> bytes:
    """A sitemap that says it is in one charset and may be in another."""
    return urlset([address]).decode().replace("UTF-8", said).encode(written)


@pen
def sitemap_bombs(keeper: Pen) -> Mapping[str, Route]:
    """Entities that multiply, entities that read files, half a gigabyte in a small file, and XML that breaks off."""
    base = keeper.base
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))

    def entities(declared: str, path: str) -> bytes:
        start = f"{DECLARATION}<!DOCTYPE urlset [{declared}]><urlset {NAMESPACE}>"
        return f"{start}<url><loc>{base}{path}</loc></url></urlset>".encode()

    files: dict[str, Route] = {
        "/laughs.xml": Response(200, XML, entities(f'<!ENTITY l0 "lol">{laughs}', "/&l9;")),
        "/outside.xml": Response(200, XML, entities('<!ENTITY x SYSTEM "file:///etc/passwd">', "/?&x;")),
        "/packed.xml.gz": lambda _: Response(200, GZIP, bomb(512 * MIB, 31)),
        "/broken.xml": Response(200, XML, urlset([f"{base}/before-it-broke"])[:-20] + b"<url><loc"),
        "/page.xml": page("No sitemap at all"),
        "/missing.xml": missing(),
        "/good.xml": Response(200, XML, urlset([f"{base}/good"])),
    }
    return site(keeper, *files, pages="/good /before-it-broke", files=files)


@pen
def sitemap_nested(keeper: Pen) -> Mapping[str, Route]:
    """An index of indexes of indexes, without end; and one that names itself."""

    def deeper(request: Request) -> Response:
        number = int(request.path.rpartition("/")[2] or 0)
        more = (f"{keeper.base}/index/{number * 2 + step}" for step in (1, 2))
        return Response(200, XML, index([*more, keeper.base + request.path]))

    files: dict[str, Route] = {"/good.xml": Response(200, XML, urlset([f"{keeper.base}/good"])), "*": deeper}
    return site(keeper, "/index/1", "/good.xml", pages="/good", files=files)


@pen
def sitemap_large(keeper: Pen) -> Mapping[str, Route]:
    """More urls in one sitemap than the protocol allows (50,000)."""
    urls = urlset(f"{keeper.base}/n/{number}" for number in range(60_000))
    files: dict[str, Route] = {
        "/sitemap.xml": Response(200, XML, urls),
        "*": lambda request: page(f"Number {request.path}"),
    }
    return site(keeper, "/sitemap.xml", files=files)
