"""An import gives the same file as the crawl: a crawl is recorded, imported and compared table by table."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.fetch.robots import RobotsFile
from minisearch.testing.server import FIXTURES

QUIET = {"workers": 0, "index": False, "rank": False}


def facts(engine):
    """All that a crawl leaves in the file, except times and row ids."""
    db = engine.store.db
    return {
        "urls": db.execute(
            "SELECT status.url, status.state, status.depth, redirects, status.rule, status.detail, referrer, leads_to "
            "FROM url_status AS status JOIN urls ON urls.id = url_id ORDER BY status.url"
        ).fetchall(),
        "pages": db.execute(
            "SELECT urls.url, title, description, language, canonical, noindex, status, content_type, charset, "
            "charset_evidence, etag, last_modified, content_hash, headings, text, html, "
            "(SELECT duplicate_of FROM page_list WHERE page_id = pages.id) FROM pages "
            "JOIN urls ON urls.id = pages.url_id JOIN contents ON contents.page_id = pages.id ORDER BY urls.url"
        ).fetchall(),
        "links": db.execute(
            "SELECT source.url, position, told.url, anchor, nofollow, count FROM links "
            "JOIN pages ON pages.id = links.page_id JOIN urls AS source ON source.id = pages.url_id "
            "JOIN urls AS told ON told.id = links.url_id ORDER BY 1, 2"
        ).fetchall(),
    }


def assert_same(one, other):
    first, second = facts(one), facts(other)
    for table in first:
        assert first[table] == second[table], table


def ranks(engine):
    return {url: score for url, _, score in engine.top(1000)}


# -- our own archives ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["garden.warc.gz", "garden.warc"])
@pytest.mark.parametrize("workers", [0, 2])
def test_import_of_a_recorded_crawl_gives_the_same_file(fixtures, tmp_path, name, workers):
    path = tmp_path / name
    with Engine(tmp_path / "a.db") as crawled, Engine(tmp_path / "b.db") as imported:
        one = crawled.crawl(f"{fixtures}/garden/index.html", workers=workers, warc=path)
        two = imported.import_(path)
        assert (one.fetched, one.skipped, one.failed, one.merged) == (two.fetched, two.skipped, two.failed, two.merged)
        assert_same(crawled, imported)
        assert ranks(crawled) == pytest.approx(ranks(imported), abs=1e-12)
        for query in ("pruning roses", "paprika", "hedge maze", "soil -compost"):
            hits = [
                [(hit.url, hit.title, hit.snippet) for hit in each.search(query).hits] for each in (crawled, imported)
            ]
            assert hits[0] == hits[1]
            scores = [[hit.score for hit in each.search(query).hits] for each in (crawled, imported)]
            assert scores[0] == pytest.approx(scores[1], abs=1e-9)


ODD = {
    "/": '<title>Home</title><a href="/koi">k</a><a href="/moved">m</a><a href="/none">n</a><a href="/pic.png">p</a>'
    '<a href="/secret/x">s</a><a href="/hush">h</a><a href="/plain">t</a><a href="/busy">b</a><a href="/long">l</a>'
    '<a href="https://other.example/">o</a><a href="/binary">z</a><a href="/packed">q</a><a href="/%C5%A1">u</a>',
    "/koi": (200, {"Content-Type": "text/html; charset=koi8-r"}, "<title>Привет</title><p>мир".encode("koi8-r")),
    "/moved": (302, {"Location": "/koi?from=\u00c5\u00a1"}, b"go away"),
    "/koi?from=%C5%A1": (200, {"Content-Type": "text/html"}, "<p>Ово је ћирилица, па шта".encode("cp1251")),
    "/none": (404, {"Content-Type": "text/html"}, b"<p>nothing"),
    "/pic.png": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
    "/hush": (200, {"Content-Type": "text/html", "X-Robots-Tag": "noindex"}, b"<title>Hush</title>"),
    "/plain": (200, {"Content-Type": "text/plain", "ETag": "x", "Last-Modified": "Sat, 01 Jan 2022 00:00:00 GMT"}, b""),
    "/long": (200, {"Content-Type": "text/html", "Content-Length": "99999999"}, b"<p>too long"),
    "/binary": (200, {"Content-Type": "text/html"}, b"\0\1\2\3"),
    "/packed": (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(b"<title>Packed")),
    "/%C5%A1": '<title>Š</title><link rel=canonical href="/plain">',
}  # fmt: skip


@pytest.fixture
def odd(site):
    site.show(ODD)
    site.routes["/robots.txt"] = (200, {}, f"User-agent: *\nDisallow: /secret\nSitemap: {site.base}/map.xml".encode())
    listed = f"<urlset><url><loc>{site.base}/listed</loc></url></urlset>".encode()
    site.routes["/map.xml"] = (200, {"Content-Type": "application/xml"}, listed)
    site.routes["/listed"] = site._answer("/listed", ["/"])
    return site


def test_every_verdict_is_the_same(odd, tmp_path):
    path = tmp_path / "odd.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{odd.base}/", warc=path, scope="host", **QUIET)
        asked = len(odd.requests)
        imported.import_(path, **QUIET)
        assert len(odd.requests) == asked  # nobody was asked again
        assert_same(crawled, imported)


@pytest.mark.parametrize(("status", "retry_after"), [(503, "3"), (429, "3"), (503, "9999"), (429, "9999")])
def test_import_does_not_wait_for_robots_txt(site, tmp_path, status, retry_after):
    site.show({"/": []})
    site.routes["/robots.txt"] = (status, {"Retry-After": retry_after}, b"")
    path = tmp_path / "busy.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{site.base}/", warc=path, tries=2, **QUIET)
        began = time.monotonic()
        imported.import_(path, **QUIET)
        assert time.monotonic() - began < 2
        assert_same(crawled, imported)


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "9999"}])
def test_host_that_failed_is_skipped_by_the_import_too(site, tmp_path, headers):
    site.show({"/": [f"/{n}" for n in range(6)], **{f"/{n}": (503, headers, b"") for n in range(6)}})
    path = tmp_path / "failing.warc.gz"
    with Engine() as crawled, Engine() as imported:
        summary = crawled.crawl(f"{site.base}/", warc=path, tries=1, host_failures=3, **QUIET)
        assert summary.skipped["host-failures"] >= 3
        imported.import_(path, **QUIET)
        assert_same(crawled, imported)


def test_page_limit_of_the_crawl_holds_for_the_import(odd, tmp_path):
    path = tmp_path / "some.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{odd.base}/", warc=path, max_pages=3, **QUIET)
        summary = imported.import_(path, **QUIET)
        assert (summary.fetched, summary.waiting > 0) == (3, True)
        assert_same(crawled, imported)


def test_recording_is_continued_by_the_next_run(odd, tmp_path):
    path = tmp_path / "some.warc.gz"
    with Engine() as crawled, Engine() as imported:
        for limit in (2, 100):
            crawled.crawl(f"{odd.base}/", warc=path, max_pages=limit, **QUIET)
        imported.import_(path, **QUIET)
        assert facts(crawled)["pages"] == facts(imported)["pages"]
        assert facts(crawled)["links"] == facts(imported)["links"]


def test_date_of_an_imported_page_is_that_of_its_record(odd, tmp_path):
    path = tmp_path / "some.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{odd.base}/", warc=path, **QUIET)
        with path.open("rb") as file:
            dates = {record.rec_headers.get_header("WARC-Date") for record in ArchiveIterator(file)}
        imported.import_(path, **QUIET)
        times = {time for (time,) in imported.store.db.execute("SELECT fetched_at FROM pages")}
        assert times <= {f"{date[:19]}+00:00" for date in dates}


def test_import_ignores_stored_robots_txt(odd, tmp_path):
    path = tmp_path / "some.warc.gz"
    with Engine() as engine, Engine() as imported:
        engine.crawl(f"{odd.base}/", warc=path, **QUIET)
        with imported.store.transaction():
            imported.store.robots.save(odd.base, RobotsFile(200, "User-agent: *\nDisallow: /"))
        assert imported.import_(path, **QUIET).fetched > 1
        assert imported.store.robots.get(odd.base) == RobotsFile(200, "User-agent: *\nDisallow: /")


def test_interrupted_import_is_continued(odd, tmp_path):
    path = tmp_path / "some.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{odd.base}/", warc=path, scope="host", **QUIET)
        for patience in (0, 1, 3):
            turns = iter(range(patience + 1))
            importing = imported.importing(path, index=False, stop=lambda turns=turns: next(turns, None) is None)
            list(importing)
            assert importing.summary().interrupted
        imported.import_(path, **QUIET)
        assert_same(crawled, imported)


def test_later_crawl_fetches_what_the_archive_did_not_have(site, tmp_path):
    site.show({"/": ["/a", "/b"], "/a": [], "/b": []})
    path = tmp_path / "one.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{site.base}/", warc=path, max_pages=1, **QUIET)
        imported.import_(path, seeds=[f"{site.base}/"], **QUIET)
        assert imported.why(f"{site.base}/a").rule == "archive"
        assert imported.crawl(f"{site.base}/", **QUIET).fetched == 3


LINKS = st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=4)
WEBS = st.lists(LINKS | LINKS | LINKS | st.integers(0, 6), min_size=6, max_size=6).flatmap(
    lambda rest: LINKS.map(lambda first: [first, *rest])
)


@settings(max_examples=40, deadline=None)
@given(WEBS, st.integers(0, 4), st.integers(1, 8), st.sampled_from(["breadth", "newest", "best"]))
def test_import_of_any_recorded_crawl_is_the_same(site, tmp_path_factory, web, depth, limit, order):
    def page(number, links):
        written = (f'<a href="/{to}"{" rel=nofollow" if shun else ""}>x</a> ' for to, shun in links)
        return f"<title>{number}</title><p>{number} {''.join(written)}"

    moved = {n: (302, {"Location": f"/{to}"}, b"") for n, to in enumerate(web) if not isinstance(to, list)}
    site.show({f"/{n}": moved.get(n) or page(n, to) for n, to in enumerate(web)})
    path = tmp_path_factory.mktemp("warc") / "web.warc.gz"
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(f"{site.base}/0", warc=path, max_depth=depth, max_pages=limit, order=order, **QUIET)
        imported.import_(path, **QUIET)
        assert_same(crawled, imported)


def test_other_files_are_not_overwritten(site, tmp_path):
    site.show({"/": []})
    for name, content in (("a.warc.gz", b"precious"), ("a.warc", b"precious")):
        (tmp_path / name).write_bytes(content)
        with Engine() as engine, pytest.raises(BadInput, match="not a web archive"):
            engine.crawl(f"{site.base}/", warc=str(tmp_path / name), **QUIET)
        assert (tmp_path / name).read_bytes() == content
    with Engine() as engine, pytest.raises(BadInput, match="cannot write"):
        engine.crawl(f"{site.base}/", warc=str(tmp_path / "no" / "a.warc"), **QUIET)


# -- archives made by other tools ---------------------------------------------------------------------


@pytest.fixture
def foreign(tmp_path):
    """Writes an archive as other tools do; gives its path."""

    def write(*answers, name="other.warc.gz", packed=True):
        path = tmp_path / name
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=packed)
            writer.write_record(writer.create_warcinfo_record(name, {"software": "Heritrix"}))
            for url, kind, headers, body in answers:
                said = (
                    StatusAndHeaders("200 OK", headers, protocol="HTTP/1.0")
                    if kind in ("response", "request")
                    else None
                )
                more = {"Content-Type": headers[0][1]} if kind == "resource" else {}
                writer.write_record(
                    writer.create_warc_record(
                        url, kind, payload=BytesIO(body), length=len(body), http_headers=said, warc_headers_dict=more
                    )
                )
        return path

    return write


HTML = [("Content-Type", "text/html")]


def test_archive_of_another_tool_is_crawled_from_its_first_page(foreign, engine):
    chunked = b"6\r\n<p>cde\r\n0\r\n\r\n"
    path = foreign(
        ("dns:example.com", "resource", [("Content-Type", "text/dns")], b"93.184.215.14"),
        ("http://example.com/robots.txt", "response", [("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /"),
        ("http://example.com/", "request", HTML, b""),
        ("http://Example.com:80/", "response", HTML, b'<title>Home</title><a href="/a">a</a><a href="/gone">g</a>'),
        ("http://example.com/island", "response", HTML, b"<title>Nobody links here"),
        ("http://example.com/a", "response", [*HTML, ("Content-Encoding", "gzip")], gzip.compress(b"<title>A</title>")),
        ("http://example.com/c", "response", [*HTML, ("Transfer-Encoding", "chunked")], chunked),
        ("http://example.com/d", "resource", HTML, b"<title>D</title>"),
    )
    summary = engine.import_(path)
    verdicts = {url.rpartition("/")[2]: engine.why(f"http://example.com/{url}") for url in ("", "a", "island", "gone")}
    assert [verdicts[name].state for name in ("", "a", "island", "gone")] == ["fetched"] * 3 + ["skipped"]
    assert (verdicts["gone"].rule, verdicts["a"].depth) == ("archive", 1)
    assert summary.fetched == 5
    assert [hit.url for hit in engine.search("nobody").hits] == ["http://example.com/island"]
    assert engine.store.pages.id_of("http://example.com/c") is not None


def test_page_behind_a_nofollow_link_is_imported(foreign, engine):
    path = foreign(
        ("http://example.com/", "response", HTML, b'<title>Home</title><a rel=nofollow href="/a">a</a>'),
        ("http://example.com/a", "response", HTML, b"<title>Shunned</title>"),
    )
    engine.import_(path)
    assert engine.search("shunned").total == 1


def test_similar_pages_are_not_a_trap_in_an_archive(foreign, engine):
    pages = [
        (f"http://example.com/p{n}", "response", HTML, b"<title>Page %d</title><p>u%d" % (n, n)) for n in range(60)
    ]
    assert engine.import_(foreign(*pages), **QUIET).fetched == 60


def test_last_of_several_pages_for_a_url_counts(foreign, engine):
    busy = ("http://example.com/", "response", HTML, b"<title>First</title>")
    later = ("http://example.com/", "response", HTML, b"<title>Second</title>")
    engine.import_(foreign(busy, later))
    assert engine.search("second").total == 1
    assert engine.search("first").total == 0


def test_revisit_record_that_names_its_url(tmp_path, engine):
    path = tmp_path / "again.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        said = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
        body = BytesIO(b'<title>Once</title><a href="/again">x</a>')
        writer.write_record(writer.create_warc_record("http://a/", "response", payload=body, http_headers=said))
        for url, same in (("http://a/again", "http://a/"), ("http://a/lost", "http://elsewhere/")):
            writer.write_record(writer.create_revisit_record(url, "sha1:X", same, "2026-01-01T00:00:00Z", said))
    importing = engine.importing(path, index=False)
    list(importing)
    assert importing.ignored == {"revisit": 1}
    again = engine.why("http://a/again")
    assert (again.state, again.target) == ("merged", "http://a/")


def test_revisit_record_that_has_a_digest(tmp_path, engine):
    path = tmp_path / "again.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        said = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
        once = writer.create_warc_record("http://a/", "response", payload=BytesIO(b"<title>Once"), http_headers=said)
        writer.write_record(once)
        for url, digest in (("a/again", once.rec_headers.get_header("WARC-Payload-Digest")), ("a/lost", "sha1:X")):
            told = {"WARC-Payload-Digest": digest}  # as wget has it, without the other url
            writer.write_record(
                writer.create_warc_record(f"http://{url}", "revisit", http_headers=said, warc_headers_dict=told)
            )
    importing = engine.importing(path, index=False)
    list(importing)
    assert importing.ignored == {"revisit": 1}
    assert engine.why("http://a/again").target == "http://a/"


@pytest.mark.parametrize(
    "about",
    [
        "[" * 100_000,
        {"seeds": ["no url"]},
        {"seeds": ["http://example.com/"], "scope": "planet"},
        {"seeds": ["http://example.com/"], "max_depth": "x"},
        {"seeds": ["http://example.com/"], "max_depth": None},
        {"seeds": ["http://example.com/"], "max_pages": 10**30},
        {"seeds": ["http://example.com/"], "include": [5]},
        {"seeds": ["http://example.com/"], "limits": {"types": ["text/html"], "page_bytes": "x"}},
    ],
)
def test_archive_with_invalid_crawl_options_is_imported_like_any_other(tmp_path, engine, about):
    path = tmp_path / "odd.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        told = about if isinstance(about, str) else json.dumps(about)
        writer.write_record(writer.create_warcinfo_record("odd", {"minisearch-crawl": told}))
        said = StatusAndHeaders("200 OK", HTML, protocol="HTTP/1.1")
        for url in ("http://example.com/", "http://example.com/island"):
            page = BytesIO(f"<title>{url}".encode())
            writer.write_record(writer.create_warc_record(url, "response", payload=page, http_headers=said))
    assert engine.import_(path, **QUIET).fetched == 2


def children():
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


@pytest.mark.skipif(not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="needs Linux")
def test_crash_of_the_parsing_process_costs_one_page(foreign, engine):
    """A page that makes the parser use up its memory ends the process that parses it, not the import."""
    pages = [
        (f"http://example.com/{n}", "response", HTML, f'<title>Page {n}</title><a href="/{n + 1}">next'.encode())
        for n in range(10)
    ]
    others = set(children())
    importing = engine.importing(foreign(*pages), index=False)
    for number, _ in enumerate(importing):
        if number == 3:
            for pid in set(children()) - others:
                os.kill(pid, signal.SIGKILL)
    summary = importing.summary()
    assert summary.fetched >= 9
    assert summary.fetched + sum(summary.failed.values()) == 10


@pytest.mark.parametrize("packed", [True, False])
def test_truncated_archive_gives_its_complete_pages(foreign, engine, packed):
    big = os.urandom(50_000).hex().encode()
    path = foreign(
        ("http://example.com/", "response", HTML, b'<title>Whole</title><a href="/b">b'),
        ("http://example.com/b", "response", HTML, b"<title>Half" + big),
        packed=packed,
        name="cut.warc.gz" if packed else "cut.warc",
    )
    path.write_bytes(path.read_bytes()[:-20_000])
    importing = engine.importing(path, index=False)
    list(importing)
    assert importing.summary().fetched == 1
    assert re.fullmatch(r"damaged at byte [\d,]+, nothing after that was read", importing.warning)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a web archive"),
        (b"hello", "not a web archive"),
        (b"\x1f\x8bnonsense", "not a web archive"),
        (b"WARC/1.0\r\n\r\n", "contains no HTTP responses"),
        (gzip.compress(b"hello", mtime=0), "not a web archive"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "x.warc.gz"
    path.write_bytes(content)
    with Engine() as engine, pytest.raises(BadInput, match=message) as caught:
        engine.import_(path)
    assert "\n" not in str(caught.value)


def test_archive_compressed_as_a_whole_is_refused_with_advice(foreign, tmp_path):
    plain = foreign(
        *[(f"http://example.com/{n}", "response", HTML, b"<p>x" * 50) for n in range(9)], name="p.warc", packed=False
    )
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(gzip.compress(plain.read_bytes()))
    with Engine() as engine, pytest.raises(BadInput, match="warcio recompress"):
        engine.import_(whole)


# -- folders -------------------------------------------------------------------------------------


def test_folder_is_imported_below_its_base_url(tmp_path, engine):
    folder = tmp_path / "garden"
    shutil.copytree(FIXTURES / "garden", folder)
    summary = engine.import_(folder, base="https://example.com/garden")
    assert engine.lucky("hedge maze").url == "https://example.com/garden/hedge-maze-1.html"
    assert summary.fetched >= 27
    index = engine.why("https://example.com/garden/index.html")
    assert (index.state, index.rule, index.target) == ("merged", "identical", "https://example.com/garden/")


def test_recrawl_of_an_imported_folder_is_polite_and_stays_in_its_folder(tmp_path, engine, site):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.html").write_text("<p>Roses<a href=a.html>a</a><a href=/elsewhere>x</a>")
    engine.import_(tmp_path / "docs", base=f"{site.base}/docs/", keep_html=False, **QUIET)
    site.show({"/docs/": ["/docs/a.html", "/elsewhere"], "/docs/a.html": "<p>Tulips", "/elsewhere": "<p>Much more"})
    assert engine.recrawl(workers=0).new == 1
    assert site.asked == ["/docs/", "/docs/a.html"]
    ((written,),) = engine.sql("SELECT settings FROM runs WHERE stage = 'recrawl'")[1]
    settings = json.loads(written)
    assert (settings["delay"], settings["max_pages"], settings["scope"]) == (None, 1000, "path")
    assert settings["keep_html"] is False


def test_folder_with_repeating_names_is_imported_completely(tmp_path, engine):
    (tmp_path / "a/a/a/a").mkdir(parents=True)
    for name in ("index.html", "a/a/a/a/deep.html"):
        (tmp_path / name).write_text(f"<title>{name}")
    assert engine.import_(tmp_path, base="http://a/", **QUIET).fetched == 2


def test_folder_without_a_base_url_is_named_after_itself(tmp_path, engine):
    (tmp_path / "my notes").mkdir()
    (tmp_path / "my notes" / "a.html").write_text("<title>Hello</title>")
    engine.import_(tmp_path / "my notes")
    assert engine.lucky("hello").url == "http://localhost/my%20notes/a.html"


@pytest.fixture
def mirror(tmp_path):
    """What wget -m -E makes of a small site."""
    home = tmp_path / "mirror" / "www.example.com"
    (home / "docs").mkdir(parents=True)
    (home / "index.html").write_text(
        '<title>Home</title><a href="/docs/">d</a><a href="about">a</a><a href="/list.php?page=2">l</a><a href="/docs">'
    )
    (home / "docs" / "index.html").write_text('<title>Docs</title><a href="../about">a</a>')
    (home / "about.html").write_text("<title>About</title>")
    (home / "list.php?page=2").write_text("<html><title>List</title>")
    (home / "logo.png").write_bytes(b"\x89PNG")
    (home / ".hidden.html").write_text("<title>Hidden</title>")
    (home / "robots.txt").write_text("User-agent: *\nDisallow: /")
    return tmp_path / "mirror"


def test_wget_mirror_gives_the_urls_of_the_site(mirror, engine):
    importing = engine.importing(mirror, index=False)
    list(importing)
    home = "http://www.example.com"
    for path in ("/", "/docs/", "/about", "/list.php?page=2"):
        assert engine.why(home + path).state == "fetched", path
    moved = engine.why(f"{home}/docs")
    assert (moved.rule, moved.target) == ("redirect", f"{home}/docs/")
    assert importing.ignored[".png"] == 1
    assert importing.ignored["hidden or outside"] == 1


def test_links_out_of_the_mirror_folder_are_not_followed(mirror, engine, tmp_path):
    (tmp_path / "secret.html").write_text("<title>Secret</title>")
    home = mirror / "www.example.com"
    (home / "link.html").symlink_to(tmp_path / "secret.html")
    (home / "index.html").write_text(
        '<a href="/link.html">x</a><a href="/%2e%2e/%2e%2e/secret.html">y</a><a href="/..%2fx">'
    )
    engine.import_(mirror)
    assert engine.search("secret").total == 0


def test_mirror_of_an_https_site(mirror, engine):
    index = mirror / "www.example.com" / "index.html"
    index.write_text('<title>Home</title><a href="https://www.example.com/about">')
    engine.import_(mirror / "www.example.com")
    assert engine.why("https://www.example.com/about").state in ("fetched", "merged")


@pytest.mark.skipif(not shutil.which("wget"), reason="wget is not installed")
@pytest.mark.parametrize("form", ["warc", "mirror"])
def test_import_of_wget_output_equals_a_crawl(site, tmp_path, form):
    tree = {"/": ["/a", "/b/", "/none"], "/a": ["/b/c.html"], "/b/": ["/"], "/b/c.html": ["/a"]}
    site.show(tree)
    how = ["--warc-file=site", "-nd"] if form == "warc" else ["-E"]
    words = ["wget", "-q", "-r", "-l", "inf", *how, site.base + "/"]
    subprocess.run(words, cwd=tmp_path, timeout=60, check=False)  # it minds the page that is missing
    with Engine() as crawled, Engine() as imported:
        crawled.crawl(site.base + "/", **QUIET)
        imported.import_(tmp_path / "site.warc.gz" if form == "warc" else tmp_path, **QUIET)
        for engine in (crawled, imported):
            engine.rank()
        assert ranks(crawled) == pytest.approx(ranks(imported))
        assert facts(crawled)["links"] == facts(imported)["links"]


@pytest.mark.parametrize("name", ["none.warc", "empty"])
def test_missing_or_empty_source_is_refused(tmp_path, engine, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match=r"there is no|there are no pages"):
        engine.import_(tmp_path / name)


def test_archive_contains_the_crawl_options(odd, tmp_path):
    path = tmp_path / "odd.warc.gz"
    with Engine() as engine:
        engine.crawl(f"{odd.base}/", warc=path, scope="host", **QUIET)
    with path.open("rb") as file:
        first = next(iter(ArchiveIterator(file)))
        told = first.raw_stream.read().decode()
    line = next(line for line in told.splitlines() if line.startswith("minisearch-crawl:"))
    about = json.loads(line.partition(":")[2])
    assert (about["seeds"], about["scope"]) == ([f"{odd.base}/"], "host")
