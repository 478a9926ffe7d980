"""Crawling again: nothing is transferred twice, what changed is indexed alone, what is gone leaves the results."""

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from minisearch import Engine
from minisearch.crawl import frontier
from minisearch.crawl.recrawl import in_order, likely_change
from minisearch.errors import BadInput, NotFound
from minisearch.models import Queued
from minisearch.store.recrawl import Visited
from minisearch.testing.server import SiteServer
from minisearch.testing.zoo import Observed, compare
from minisearch.testing.zoo.content import prose

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(frontier, "FIRST_BACKOFF", 0.02)


class Counting(SiteServer):
    """Remembers what it answered."""

    def __init__(self, folder):
        super().__init__(folder)
        self.answers = []

    def answer(self, request):
        answer = super().answer(request)
        self.answers.append((request.path, answer[0], len(answer[2])))
        return answer


def dump(engine, *without):
    """All that is in the file, but for the times at which things were done, and the random number of a generation."""
    tables = {}
    for (table,) in engine.store.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table not in ("runs", "robots", "index_state", *without):
            tables[table] = [
                {name: value for name, value in row.items() if name not in ("checked_at", "computed_at")}
                for row in engine.store.db.query(f"SELECT * FROM {table}")
            ]
    return tables


def states(engine, base):
    rows = engine.store.db.query("SELECT url, trim(state || ' ' || rule) AS verdict FROM urls")
    return {row["url"].removeprefix(base): row["verdict"] for row in rows}


# -- a site of five hundred pages ----------------------------------------------------------------


def test_an_unchanged_site_transfers_no_bodies_and_changes_nothing_but_times(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(500):
        links = "".join(
            f'<a href="{n}.html">to {n}</a> ' for n in (number * 2 % 500, number * 2 % 500 + 1, number // 2)
        )
        words = f"stone{number} {prose(f'page {number}')}"
        (folder / f"{number}.html").write_text(f"<title>Number {number}</title><p>{words}</p>{links}")
    server = Counting(folder)
    with server as base, Engine(tmp_path / "site.db") as engine:
        assert engine.crawl(f"{base}/1.html", workers=0).fetched == 500
        before = dump(engine)

        server.answers.clear()
        summary = engine.recrawl(workers=0)
        assert (summary.visited, summary.unchanged, summary.altered) == (500, 500, False)
        assert {status for _, status, _ in server.answers} == {304}
        assert sum(size for *_, size in server.answers) == 0
        assert len(server.answers) == 500
        assert dump(engine) == before
        assert engine.store.db.execute("SELECT min(checked_at) FROM pages").fetchone() > ("2026",)

        changed = folder / "77.html"
        changed.write_text(changed.read_text().replace("stone77 ", "pebble77 "))
        server.answers.clear()
        summary = engine.recrawl(workers=0)
        assert (summary.changed, summary.unchanged, summary.new, summary.gone) == (1, 499, 0, [])
        assert [path for path, status, _ in server.answers if status == 200] == ["/77.html"]
        (counts,) = engine.store.db.execute("SELECT counts FROM runs WHERE stage = 'index' ORDER BY id DESC").fetchone()
        assert json.loads(counts) == {"pages": 1}
        assert [hit.url for hit in engine.search("pebble77").hits] == [f"{base}/77.html"]
        assert not engine.search("stone77").total
        untouched = {row["page_id"]: row for row in before["contents"]}
        assert sum(row != untouched[row["page_id"]] for row in dump(engine)["contents"]) == 1


# -- the seasons of the zoo ----------------------------------------------------------------------


@pytest.fixture
def seasons(zoo):
    server = zoo.open("seasons")
    with Engine() as engine:
        engine.crawl(f"{server.base}/", workers=0)
        yield server, engine


def test_a_site_that_changed_overnight_is_as_its_key_says(seasons):
    server, engine = seasons
    server.day = 2
    engine.recrawl(workers=0)
    seen = Observed({server.base + path: verdict for path, verdict in states(engine, server.base).items()})
    assert not compare(server, server.scenario.second_visit, seen)


def test_a_site_that_lost_most_of_its_pages_is_as_expected_once_that_is_accepted(zoo):
    server = zoo.open("collapse")
    with Engine() as engine:
        engine.crawl(f"{server.base}/", workers=0)
        server.day = 2
        engine.recrawl(workers=0, accept_shrink=True)
        seen = Observed({server.base + path: verdict for path, verdict in states(engine, server.base).items()})
        assert not compare(server, server.scenario.second_visit, seen)
        assert engine.stats()["pages"] == 6


def test_what_changed_is_found_by_its_new_words_and_what_is_gone_not_at_all(seasons):
    server, engine = seasons
    before = {hit.url.removeprefix(server.base) for hit in engine.search("page", limit=50).hits}
    assert {"/gone", "/lost", "/sorry", "/leaves", "/turns"} <= before
    server.day = 2
    summary = engine.recrawl(workers=0)
    after = {hit.url.removeprefix(server.base) for hit in engine.search("page", limit=50).hits}
    assert before - after == {"/gone", "/lost", "/sorry", "/leaves", "/turns"}
    assert after - before == {"/new", "/new-home"}
    assert {url.removeprefix(server.base) for url, _ in summary.gone} == {"/gone", "/lost", "/sorry", "/leaves"}
    assert not engine.store.db.execute("SELECT 1 FROM links WHERE page_id NOT IN (SELECT id FROM pages)").fetchall()


def test_a_page_with_other_bytes_and_the_same_words_is_not_indexed_again(seasons):
    server, engine = seasons
    ask = "SELECT segment_id, fetched_at, etag FROM pages JOIN urls ON urls.id = pages.url_id WHERE urls.url = ?"
    segment, fetched_at, etag = engine.store.db.execute(ask, [f"{server.base}/touched"]).fetchone()
    server.day = 2
    summary = engine.recrawl(only=[f"{server.base}/touched"], workers=0)
    assert (summary.unchanged, summary.altered) == (1, False)
    now = engine.store.db.execute(ask, [f"{server.base}/touched"]).fetchone()
    assert now[:2] == (segment, fetched_at)
    assert now[2] != etag


def test_a_page_that_is_out_of_reach_is_kept_and_why_says_so(seasons):
    server, engine = seasons
    server.day = 2
    assert engine.recrawl(workers=0).kept == 1
    verdict = engine.why(f"{server.base}/breaks")
    assert (verdict.state, verdict.rule, verdict.indexed) == ("fetched", "kept", True)
    assert "500 Internal Server Error" in verdict.reason
    server.day = 1
    engine.recrawl(workers=0)
    assert engine.why(f"{server.base}/breaks").rule == "allowed"


def test_a_page_that_comes_back_is_found_again(seasons):
    server, engine = seasons
    server.day = 2
    engine.recrawl(workers=0)
    server.day = 1
    summary = engine.recrawl(workers=0)
    assert summary.new == 4  # gone, lost, sorry, leaves
    assert states(engine, server.base)["/gone"] == "fetched"


def test_every_url_has_a_sentence_after_the_second_visit_too(seasons):
    server, engine = seasons
    server.day = 2
    engine.recrawl(workers=0)
    for path in states(engine, server.base):
        verdict = engine.why(server.base + path)
        assert verdict.rule
        assert len(verdict.reason.split()) >= 3


# -- how much may go -----------------------------------------------------------------------------


def test_more_than_a_third_of_the_pages_is_not_dropped_without_being_asked(zoo):
    server = zoo.open("collapse")
    with Engine() as engine:
        engine.crawl(f"{server.base}/", workers=0)
        server.day = 2
        summary = engine.recrawl(workers=0)
        assert summary.shrunk
        assert not summary.gone
        assert engine.stats()["indexed"] == 31
        assert "nothing was dropped" in engine.why(f"{server.base}/page/29").reason


@pytest.mark.parametrize(("lost", "shrunk"), [(3, False), (4, True)])
def test_a_third_is_the_border(site, engine, lost, shrunk):
    pages = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    site.show({"/": [*pages], **pages})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": [*pages], **dict([*pages.items()][lost:])})
    assert engine.recrawl(workers=0).shrunk is shrunk


@pytest.mark.parametrize("status", [401, 403, 451])
def test_a_page_that_is_no_longer_public_leaves_the_results_but_not_a_whole_site_at_once(site, engine, status):
    """Which is more likely to have taken us for somebody it does not like."""
    pages = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    site.show({"/": [*pages], **pages})
    engine.crawl(f"{site.base}/", workers=0)
    closed = (status, {}, b"")
    site.show({"/": closed, **dict.fromkeys(pages, closed)})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, summary.gone, summary.kept) == (True, [], 9)
    assert all(engine.search(f"word{n}").total == 1 for n in range(8))

    site.show({"/": [*pages], **pages, "/3": closed})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, [url for url, _ in summary.gone]) == (False, [f"{site.base}/3"])
    assert engine.search("word3").total == 0
    assert engine.why(f"{site.base}/3").rule == f"http-{status}"


LEAVING = [
    "<title>Log in</title><p>Please log in to go on.",
    "<title>{n}</title><meta name=robots content=noindex><p>{words}",
    "",
    "<title>{n}</title><link rel=canonical href=/><p>{words}",
]


@pytest.mark.parametrize("now", LEAVING, ids=["login", "noindex", "empty", "canonical"])
def test_pages_that_are_there_but_would_leave_the_results_are_not_dropped_without_being_asked(site, engine, now):
    words = {f"/{n}": f"word{n} " * 30 for n in range(8)}
    site.show({"/": [*words], **{path: f"<title>{path}</title><p>{said}" for path, said in words.items()}})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": [*words], **{path: now.format(n=path, words=said) for path, said in words.items()}})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, summary.changed, summary.kept) == (True, 0, 8)
    assert [engine.search(f"word{n}").total for n in range(8)] == [1] * 8
    assert all("nothing was dropped" in engine.why(f"{site.base}/{n}").reason for n in range(8))

    summary = engine.recrawl(workers=0, accept_shrink=True)
    assert (summary.shrunk, summary.kept) == (False, 0)
    assert engine.stats()["indexed"] <= 2


def test_a_few_pages_that_name_another_now_become_one_with_it(site, engine):
    words = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    named = {path: f"<link rel=canonical href=/7>{page}" for path, page in words.items()}
    site.show({"/": [*words], **words})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": [*words], **words, "/0": named["/0"], "/7": named["/7"]})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, summary.unchanged, summary.changed) == (False, 9, 0)
    assert states(engine, site.base)["/0"] == "merged canonical"
    site.show({"/": [*words], **words, "/0": named["/0"]})
    assert engine.recrawl(workers=0).unchanged == 9
    assert states(engine, site.base)["/0"] == "merged canonical"


def test_a_page_that_is_brought_back_is_just_as_it_was(site, engine):
    site.show({"/": [f"/{n}" for n in range(8)], **{f"/{n}": [f"/{n}", "/0", "/1"] for n in range(8)}})
    engine.crawl(f"{site.base}/", workers=0)
    tables = {
        "links": "SELECT page_id, position, url_id, anchor FROM links ORDER BY page_id, position",
        "contents": "SELECT page_id, text, headings FROM contents ORDER BY page_id",
        "pages": "SELECT url_id, title, etag, fetched_at, content_hash FROM pages ORDER BY id",
    }
    before = {name: engine.sql(query) for name, query in tables.items()}
    login = "<title>Log in</title>" + "".join(f"<p><a href=/{path}>{path}</a>" for path in ("log", "in", 0, 1, 2))
    site.show({"/": [f"/{n}" for n in range(8)], **{f"/{n}": login for n in range(8)}})
    for _ in range(2):
        assert engine.recrawl(workers=0).shrunk
        assert {name: engine.sql(query) for name, query in tables.items()} == before


LOGIN = "<title>Log in</title><p>Please log in to go on: <a href=/login>here</a> or <a href=/register>there</a>."


@pytest.mark.parametrize(
    "answer",
    [
        LOGIN,
        f"<meta name=robots content=noindex>{LOGIN}",
        (302, {"Location": "/login"}, b""),
        (404, {}, b""),
    ],
    ids=["login", "noindex", "redirect", "gone"],
)
def test_after_a_run_that_was_refused_all_is_as_it_was(site, engine, answer):
    words = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}<a href=/{n * 3 % 40}>on</a>" for n in range(40)}
    others = {
        "/twin": words["/7"],
        "/hidden": "<meta name=robots content=noindex><p>hidden",
        "/moved": (301, {"Location": "/5"}, b""),
        "/missing": (404, {}, b""),
    }
    site.show({"/": [*words, *others], **words, **others})
    engine.crawl(f"{site.base}/", workers=0)

    def known():
        tables = dump(engine, "url_history")
        urls = [(row["url"], row["state"], row["redirect_target_id"], row["page_id"]) for row in tables.pop("urls")]
        return tables, urls[:45], [engine.search(f"word{n}").hits for n in range(40)], engine.search("log").hits

    before = known()
    pages = ("/", *words, *others, "/login", "/register")
    site.show({path: answer if path != "/login" else LOGIN for path in pages})
    for _ in range(2):
        summary = engine.recrawl(workers=0)
        assert (summary.shrunk, summary.altered, summary.kept) == (True, False, 43)
        assert known() == before


def test_until_the_end_of_a_recrawl_the_old_pages_are_found_and_nothing_else(site, engine):
    pages = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(60)}
    site.show({"/": [*pages], **pages})
    engine.crawl(f"{site.base}/", workers=0)
    before = dump(engine, "url_history", "urls")
    hits = [engine.search(f"word{n}").hits for n in range(60)]
    asked = []

    def answer(request):
        asked.append(request.path)
        other = f"<title>{request.path}</title><p>other words on {request.path * 20}"
        return (200, {"Content-Type": "text/html"}, other.encode()) if len(asked) <= 30 else (404, {}, b"")

    site.show({"/": [*pages], **dict.fromkeys(pages, answer)})
    found = []
    for crawl in engine.recrawling(workers=0):
        for visit in crawl:
            found.append(visit)
            if len(found) == 28:
                assert engine.search("other").total == 0
                assert [engine.search(f"word{n}").hits for n in range(60)] == hits
    assert crawl.found.shrunk
    engine.index()
    assert dump(engine, "url_history", "urls") == before
    assert [engine.search(f"word{n}").hits for n in range(60)] == hits


def of_its_own(name, count=12):
    """The pages of a site, each with words that no other has."""
    return {f"/{n}": f"<title>{name} {n}</title><p>{f'{name}{n} ' * 30}" for n in range(count)}


@pytest.fixture
def neighbours(site, engine):
    """Two sites of one crawl, one much smaller than the other."""
    large, small = of_its_own("large", 60), of_its_own("small")
    site.show({"/": [*large], **large})
    other = type(site)().show({"/": [*small], **small})
    with other as other.base:
        engine.crawl(f"{site.base}/", f"{other.base}/", workers=0)
        yield site, large, other


@pytest.mark.parametrize(
    "answer",
    [LOGIN, (404, {}, b""), (302, {"Location": "/login"}, b"")],
    ids=["login", "gone", "redirect"],
)
def test_a_site_that_lost_its_pages_keeps_them_while_its_neighbours_go_on(engine, neighbours, answer):
    site, large, small = neighbours
    site.show({"/": [*large], **large, "/7": (404, {}, b""), "/8": "<title>New</title><p>novelty", "/9": "<p>9"})
    small.show(dict.fromkeys(small.routes, answer) | {"/login": LOGIN})
    pages = engine.stats()["pages"]
    summary = engine.recrawl(workers=0)
    assert summary.shrunk
    assert summary.refused == [small.base.removeprefix("http://")]
    assert [url for url, _ in summary.gone] == [f"{site.base}/7"]
    assert (summary.changed, summary.new, engine.stats()["pages"]) == (2, 0, pages - 1)
    assert [engine.search(f"small{n}").total for n in range(12)] == [1] * 12
    assert f"{small.base}/login" not in states(engine, "")
    assert (engine.search("large7").total, engine.search("novelty").total) == (0, 1)


def test_a_site_that_moved_to_another_host_is_not_lost(engine, neighbours):
    site, large, small = neighbours
    moved = {path: (301, {"Location": f"{site.base}/moved{path}"}, b"") for path in small.routes}
    site.show({"/": [*large], **large, **{f"/moved{path}": page for path, page in small.routes.items()}})
    small.show(moved)
    summary = engine.recrawl(workers=0)
    assert (summary.refused, len(summary.gone), summary.new) == ([], 13, 13)
    assert [hit.url for hit in engine.search("small7").hits] == [f"{site.base}/moved/7"]


def test_a_site_of_a_few_pages_may_lose_them(site, engine):
    large, few = of_its_own("large", 60), of_its_own("few", 5)
    site.show({"/": [*large], **large})
    small = type(site)().show({"/": [*few], **few})
    with small as base:
        engine.crawl(f"{site.base}/", f"{base}/", workers=0)
        small.show({})
        summary = engine.recrawl(workers=0)
    assert (summary.shrunk, len(summary.gone)) == (False, 6)


def tagged(body, **headers):
    """A page that has not changed, and what its server says beside."""

    def answer(request):
        same = request.headers.get("If-None-Match") == '"1"'
        return 304 if same else 200, {"Content-Type": "text/html", "ETag": '"1"', **headers}, b"" if same else body

    return answer


def test_what_a_server_says_of_an_unchanged_page_is_heard(site, engine):
    body, wish = b"<title>Roses</title><p>Roses and more roses.", {"X-Robots-Tag": "noindex"}
    show = lambda **headers: site.show({"/": ["/a", "/b", "/c"], "/a": tagged(body, **headers), "/b": ["/"], "/c": []})  # noqa: E731
    show()
    engine.crawl(f"{site.base}/", workers=0)
    for headers, indexed, asked in [({}, 1, 1), (wish, 0, 2), (wish, 0, 1), ({}, 1, 2), ({}, 1, 1)]:
        show(**headers)
        engine.recrawl(workers=0)
        assert (engine.search("roses").total, site.asked.count("/a")) == (indexed, asked)


def test_twins_that_stay_as_they_are_are_no_loss(site, engine):
    words = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    hidden = {f"/a{n}": f"<meta name=robots content=noindex>{words[f'/{n}']}" for n in range(4)}
    twins = hidden | {f"/b{n}": words[f"/{n}"] for n in range(4, 8)}
    site.show({"/": [*twins, *words], **twins, **words})
    engine.crawl(f"{site.base}/", workers=0)
    before = dump(engine, "url_history")
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, summary.changed, summary.kept, summary.unchanged) == (False, 0, 0, 17)
    assert dump(engine, "url_history") == before


def test_a_few_pages_that_say_the_same_now_become_one(site, engine):
    words = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    site.show({"/": [*words], **words})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": [*words], **words, "/4": "<p>moved away", "/5": "<p>moved away"})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, summary.changed, summary.kept) == (False, 2, 0)
    assert engine.why(f"{site.base}/5").rule == "identical"
    assert not engine.search("word5").total


def test_pages_that_moved_are_not_lost(site, engine):
    pages = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(8)}
    site.show({"/": [*pages], **pages})
    engine.crawl(f"{site.base}/", workers=0)
    moved = {path: (301, {"Location": f"/new{path}"}, b"") for path in pages}
    site.show({"/": [*pages], **moved, **{f"/new{path}": page for path, page in pages.items()}})
    summary = engine.recrawl(workers=0)
    assert (summary.shrunk, len(summary.gone), summary.new) == (False, 8, 8)
    assert [hit.url for hit in engine.search("word5").hits] == [f"{site.base}/new/5"]


def test_a_copy_takes_the_place_of_a_page_that_is_gone(site, engine):
    said = "<title>Twice</title><p>" + "said twice over " * 20
    site.show({"/": ["/a", "/deep/b", "/c", "/d"], "/a": said, "/deep/b": said, "/c": "<p>cc", "/d": "<p>dd"})
    engine.crawl(f"{site.base}/", workers=0)
    assert engine.why(f"{site.base}/deep/b").state == "merged"
    site.show({"/": ["/a", "/deep/b", "/c", "/d"], "/deep/b": said, "/c": "<p>cc", "/d": "<p>dd"})
    engine.recrawl(workers=0)
    assert [hit.url for hit in engine.search("twice").hits] == [f"{site.base}/deep/b"]
    assert engine.why(f"{site.base}/deep/b").state == "fetched"


# -- which first ---------------------------------------------------------------------------------


def known(number=1, *, page=1, score=0.1, fetched=10.0, checked=0.0, modified=None):
    """A page fetched and checked so many days ago."""
    when = (NOW - timedelta(days=days) for days in (fetched, checked))
    header = format_datetime(NOW - timedelta(days=modified), usegmt=True) if modified is not None else ""
    fetched_at, checked_at = (time.isoformat() for time in when)
    return Visited(Queued(number, f"http://a/{number}", "a", 1), 1, page, "", header, fetched_at, checked_at, score)


@pytest.mark.parametrize(
    ("likelier", "other"),
    [
        (known(fetched=10, checked=9), known(fetched=10, checked=1)),  # longer ago
        (known(fetched=3, checked=2), known(fetched=300, checked=2)),  # found the same for a shorter time
        (known(fetched=3, checked=3), known(fetched=3, checked=3, modified=500)),  # and so its server says
    ],
)
def test_a_page_that_changes_often_is_likelier_to_have_changed(likelier, other):
    assert 0 <= likely_change(other, NOW) < likely_change(likelier, NOW) <= 1


def test_what_counts_and_changes_comes_first_and_what_was_no_page_last():
    famous, steady = known(1, score=0.5, checked=5), known(2, score=0.5, fetched=900, checked=5)
    minor, broken = known(3, score=0.001, checked=5), known(4, page=None, score=0.9)
    assert [each.queued.id for each in in_order([broken, minor, steady, famous], NOW)] == [1, 2, 3, 4]


@pytest.mark.parametrize("written", ["", "soon", "2026-13-45"])
def test_times_that_nobody_can_read_mean_that_anything_may_have_happened(written):
    strange = Visited(Queued(1, "http://a/", "a", 0), 1, 1, "", written, written, written, 1.0)
    assert likely_change(strange, NOW) == 1.0


def test_a_budget_asks_for_the_most_important_pages_alone(site, engine):
    pages = {f"/{n}": ["/hub"] for n in range(9)}
    site.show({"/": [*pages], **pages, "/hub": ["/"]})
    engine.crawl(f"{site.base}/", workers=0)
    with engine.store.transaction():  # some pages may be a second older than others, which tells nothing
        engine.store.db.execute("UPDATE pages SET fetched_at = '2024-05-01T00:00:00+00:00'")
    site.show({"/": [*pages], **pages, "/hub": ["/", "/fresh"], "/fresh": []})
    summary = engine.recrawl(workers=0, budget=2)
    assert sorted(site.asked) == ["/", "/hub"]  # everybody links to the one, and it to the other
    assert (summary.visited, summary.pages) == (2, 11)


def test_a_budget_of_nothing_is_refused(engine):
    with pytest.raises(BadInput):
        engine.recrawl(budget=0)


# -- which crawl ---------------------------------------------------------------------------------


def test_a_file_without_a_crawl_says_so(engine):
    with pytest.raises(NotFound, match="nothing was crawled"):
        engine.recrawl()


def test_one_crawl_of_several_can_be_named(site, engine):
    site.show({"/a/": ["/a/1"], "/a/1": [], "/b/": ["/b/1"], "/b/1": []})
    engine.crawl(f"{site.base}/a/", workers=0)
    engine.crawl(f"{site.base}/b/", workers=0)
    site.requests.clear()
    assert engine.recrawl(f"{site.base}/b/", workers=0).visited == 2
    assert sorted(site.asked) == ["/b/", "/b/1"]
    assert engine.recrawl(workers=0).visited == 4
    with pytest.raises(NotFound, match="no crawl of"):
        engine.recrawl(f"{site.base}/c/")


def test_the_borders_of_the_crawl_hold_the_second_time_too(site, engine):
    site.show({"/": ["/in", "/out"], "/in": [], "/out": []})
    engine.crawl(f"{site.base}/", workers=0, exclude=["*/out"], max_depth=1)
    site.show({"/": ["/in", "/out", "/in2"], "/in": ["/deep"], "/in2": [], "/out": [], "/deep": []})
    engine.recrawl(workers=0)
    found = states(engine, site.base)
    assert (found["/in2"], found["/out"], found["/deep"]) == ("fetched", "skipped pattern", "skipped depth")


def test_a_crawl_is_run_again_as_it_was_run_the_last_time(site, engine):
    site.show({"/": ["/a"], "/a": []})
    engine.crawl(f"{site.base}/", workers=0, user_agent="somebot/1.0", keep_html=False, max_pages=3)
    agents = []

    def home(request):
        agents.append(request.headers["User-Agent"])
        return 200, {"Content-Type": "text/html"}, b"<title>new</title><a href=/b>b</a><a href=/c>c</a>"

    site.show({"/": home, "/a": [], "/b": [], "/c": []})
    assert engine.recrawl(workers=0).new == 1  # there was room for three
    assert agents == ["somebot/1.0"]
    assert engine.store.db.execute("SELECT count(html) FROM contents").fetchone() == (0,)
    assert engine.recrawl(workers=0, max_pages=10, user_agent="otherbot/1.0").new == 1
    assert agents[-1] == "otherbot/1.0"


BAD_NIGHTS = {
    "/type": (200, {"Content-Type": "application/json"}, b"{}"),
    "/bytes": (200, {"Content-Type": "text/html"}, bytes(range(256)) * 20),
    "/loop": (302, {"Location": "/loop"}, b""),
    "/nothing": (204, {}, b""),
    "/forbidden": (403, {}, b""),
}


@pytest.mark.parametrize("first", [False, True], ids=["after a good one", "the first"])
def test_a_page_is_back_after_a_bad_night(site, engine, first):
    usual = {path: f"<title>{path}</title><p>{prose(path)}" for path in (*BAD_NIGHTS, *(f"/{n}" for n in range(20)))}
    pages = {"/": [*usual], **usual}
    if not first:
        site.show(pages)
        engine.crawl(f"{site.base}/", workers=0)
    site.show({**pages, **BAD_NIGHTS})
    engine.crawl(f"{site.base}/", workers=0)
    engine.recrawl(workers=0)
    lost = {path for path, state in states(engine, site.base).items() if state != "fetched"}
    assert lost >= {*BAD_NIGHTS} - {"/nothing"}
    site.show(pages)
    engine.recrawl(workers=0)
    never = {"/type", "/bytes"} if first else set()  # what never was a page is not asked for each time
    assert {path for path, state in states(engine, site.base).items() if state != "fetched"} == never


def test_robots_that_forbid_a_page_now_make_it_leave(site, engine):
    pages = {"/": ["/a", "/b", "/c"], "/a": [], "/b": [], "/c": []}
    site.show(pages)
    engine.crawl(f"{site.base}/", workers=0)
    engine.store.db.execute("DELETE FROM robots")  # a day has passed
    site.show({**pages, "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /a")})
    summary = engine.recrawl(workers=0)
    assert [url for url, _ in summary.gone] == [f"{site.base}/a"]
    assert states(engine, site.base)["/a"] == "skipped robots"


def test_a_page_that_is_named_as_a_sitemap_is_checked_once(site, engine):
    robots = (200, {"Content-Type": "text/plain"}, f"Sitemap: {site.base}/a".encode())
    site.show({"/": ["/a"], "/a": [], "/robots.txt": robots})
    engine.crawl(site.base + "/", workers=0)
    summary = engine.recrawl(workers=0)
    assert (summary.pages, summary.unchanged, summary.kept, summary.gone) == (2, 2, 0, [])


def test_robots_that_do_not_answer_make_nothing_leave(site, engine):
    pages = {"/": ["/a"], "/a": []}
    site.show(pages)
    engine.crawl(f"{site.base}/", workers=0)
    engine.store.db.execute("DELETE FROM robots")
    site.show({**pages, "/robots.txt": (500, {}, b"")})
    summary = engine.recrawl(workers=0)
    assert (summary.kept, summary.gone) == (2, [])


# -- by hand -------------------------------------------------------------------------------------


def test_a_url_can_be_asked_for_again_by_hand(seasons):
    server, engine = seasons
    server.requests.clear()
    server.day = 2
    summary = engine.recrawl(only=[f"{server.base}/changes"], workers=0)
    assert [path for _, path in server.requests] == ["/changes"]
    assert (summary.changed, summary.visited) == (1, 1)


def test_a_url_asked_for_by_hand_is_transferred_though_it_has_not_changed(seasons):
    server, engine = seasons
    sent = server.sent
    assert engine.recrawl(only=[f"{server.base}/stays"], workers=0).unchanged == 1
    until = time.monotonic() + 10  # the server counts what it has sent when we may have it already
    while server.sent - sent <= 500 and time.monotonic() < until:
        time.sleep(0.01)
    assert server.sent - sent > 500


def test_a_url_that_failed_can_be_asked_for_again(site, engine):
    site.show({"/": ["/a"], "/a": (404, {}, b"")})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": ["/a"], "/a": ["/b"], "/b": []})
    assert engine.recrawl(only=[f"{site.base}/a"], workers=0).new == 1
    assert site.asked == ["/a"]
    assert states(engine, site.base) == {"/": "fetched", "/a": "fetched", "/b": "queued"}


def test_a_page_asked_for_by_hand_may_go_however_few_there_are(site, engine):
    site.show({"/": ["/a"], "/a": []})
    engine.crawl(f"{site.base}/", workers=0)
    site.show({"/": ["/a"]})
    assert len(engine.recrawl(only=[f"{site.base}/a"], workers=0).gone) == 1


def test_a_url_that_was_never_discovered_cannot_be_recrawled(seasons):
    server, engine = seasons
    with pytest.raises(NotFound, match="is not in the file"):
        engine.recrawl(only=[f"{server.base}/unheard-of"])


# -- with processes, and when it is cut short ----------------------------------------------------


def test_worker_processes_ask_conditionally_too(seasons):
    server, engine = seasons
    sent = server.sent
    assert engine.recrawl(workers=2).unchanged == 11
    assert server.sent - sent < 9_000  # the bodies of the few pages that have no tag


def test_a_run_that_is_stopped_keeps_what_it_learned(seasons):
    server, engine = seasons
    server.day = 2
    visits = []
    summary = engine.recrawl(workers=0, stop=lambda: bool(visits) or visits.append(1) is not None)
    assert summary.interrupted
    assert summary.not_visited
    assert engine.stats()["pages"] >= 10


@pytest.fixture
def broken_off(site, engine):
    """A recrawl that ended after some visits: the pages visited, and the file before it."""
    pages = {f"/{n}": f"<title>{n}</title><p>{f'word{n} ' * 30}" for n in range(20)}
    site.show({"/": [*pages], **pages})
    engine.crawl(f"{site.base}/", workers=0)
    before = dump(engine, "staged_recrawls", "staged_visits")
    other = {path: f"{page}other" for path, page in pages.items()}
    site.show({"/": [*pages, "/new"], **other, "/new": "<p>novel"})
    for crawl in engine.recrawling(workers=0):
        visits = iter(crawl)
        visited = [next(visits).queued.url.removeprefix(site.base) for _ in range(8)]
        visits.close()
    site.requests.clear()
    return visited, before


def test_a_recrawl_that_broke_off_changes_nothing_and_continues(site, engine, broken_off):
    visited, before = broken_off
    assert dump(engine, "staged_recrawls", "staged_visits") == before
    summary = engine.recrawl(workers=0)
    assert (summary.visited, summary.changed, summary.new) == (21, 21, 1)
    assert not {*visited} & {*site.asked}
    assert engine.search("other").total == 20
    assert [count for count, *_ in engine.sql("SELECT count(*) FROM staged_visits")[1]] == [0]


@pytest.mark.parametrize("then", ["crawl", "only"])
def test_after_another_command_a_recrawl_starts_over(site, engine, broken_off, then):
    if then == "crawl":
        engine.crawl(f"{site.base}/", workers=0)
    else:
        engine.recrawl(only=[f"{site.base}/3"], workers=0)
    site.requests.clear()
    summary = engine.recrawl(workers=0)
    assert summary.visited == 21
    assert len({*site.asked} - {"/new"}) == 21


def test_a_recrawl_that_cannot_index_changes_nothing(site, engine, broken_off, monkeypatch):
    _, before = broken_off
    with monkeypatch.context() as patch:
        patch.setattr(engine, "rank", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            engine.recrawl(workers=0)
    assert dump(engine, "staged_recrawls", "staged_visits") == before
    site.requests.clear()
    assert engine.recrawl(workers=0).changed == 21
    assert site.asked == []


@pytest.mark.usefixtures("broken_off")
def test_a_budget_holds_for_a_recrawl_that_broke_off_too(site, engine):
    assert engine.recrawl(workers=0, budget=10).visited == 10
    assert len(site.asked) == 2


@pytest.mark.usefixtures("broken_off")
def test_a_budget_holds_for_a_job_that_is_iterated_again(engine):
    for crawl in engine.recrawling(workers=0, budget=10):
        visits = iter(crawl)
        next(visits)
        visits.close()
        assert len([*crawl]) == 1


def test_a_new_disallow_is_noticed_when_robots_txt_is_older_than_an_hour(tmp_path, site):
    site.show({"/": ["/open", "/shut"], "/open": "<p>Open", "/shut": "<p>Marigold"})
    file = tmp_path / "a.db"
    with Engine(file) as engine:
        engine.crawl(site.base + "/", workers=0)
    site.show({**site.routes, "/robots.txt": (200, {}, b"User-agent: *\nDisallow: /shut")})
    with Engine(file) as engine:
        engine.recrawl(workers=0)
        assert ("GET", "/robots.txt") not in site.requests, "it was fetched a moment ago"
        assert "/shut" in site.asked
    site.requests.clear()
    with Engine(file) as engine:
        an_hour_ago = (datetime.now(UTC) - timedelta(minutes=61)).isoformat(timespec="seconds")
        with engine.store.transaction():
            engine.store.db.conn.execute("UPDATE robots SET fetched_at = ?", [an_hour_ago])
        engine.recrawl(workers=0, accept_shrink=True)
        assert ("GET", "/robots.txt") in site.requests
        assert sorted(site.asked) == ["/", "/open"]
        assert engine.why(site.base + "/shut").rule == "robots"
        assert engine.search("marigold").total == 0


@pytest.mark.parametrize("answer", ["gone", "there"])
def test_the_pages_of_another_crawl_are_left_to_it(site, engine, answer):
    site.show({"/": ["/one"], "/one": "one", "/b/": ["/b/y"], "/b/y": "yes"})
    engine.crawl(site.base + "/", workers=0)
    engine.crawl(site.base + "/b/", workers=0)
    if answer == "gone":
        site.show({"/": ["/one", "/b/y"], "/one": "one", "/b/": "no links"})
    else:
        site.show({"/": ["/one", "/b/y"], "/one": "one", "/b/": ["/b/y"], "/b/y": "yes"})
    summary = engine.recrawl(site.base + "/", workers=0)
    assert (summary.changed, summary.new) == (1, 0)
    assert engine.why(site.base + "/b/y").state == "fetched"
    summary = engine.recrawl(workers=0, accept_shrink=True)
    assert (len(summary.gone), summary.new) == (answer == "gone", 0)
    assert engine.why(site.base + "/b/y").state == ("failed" if answer == "gone" else "fetched")
    assert engine.search("yes").total == (answer == "there")


def test_a_page_that_becomes_a_redirect_keeps_its_history(site, engine):
    site.show({"/": ["/a", "/b"], "/a": "<p>One thing.", "/b": "<p>Another thing."})
    engine.crawl(f"{site.base}/", workers=0)
    site.routes["/a"] = (301, {"Location": "/b"}, b"")
    engine.recrawl(workers=0)
    verdict = engine.why(f"{site.base}/a")
    assert (verdict.rule, [past.state for past in verdict.past]) == ("redirect", ["fetched"])
