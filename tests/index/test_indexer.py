"""Indexing adds what is new, drops what is outdated, and answers the same however it was cut into segments."""

import signal
import subprocess
import sys
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.crawl import job as crawling
from minisearch.errors import StoreError
from minisearch.index import builder, indexer
from minisearch.models import Found, Heading, Link, Page


def put_page(engine, name, text, *links, **facts):
    """Write a page into an engine, or a newer version of it."""
    store, urls = engine.store, [f"http://x/{name}", *(f"http://x/{link.url}" for link in links)]
    with store.transaction():
        crawl, _ = store.urls.begin_crawl(["http://x/"], {})
        store.urls.discover(crawl, None, [Found(url, "x", 0) for url in urls])
        ids = store.urls.ids(urls)
        stored_links = tuple(link._replace(url=f"http://x/{link.url}") for link in links)
        return store.pages.save(ids[urls[0]], Page(urls[0], text=text, links=stored_links, **facts), ids)


@pytest.fixture
def put(engine):
    return lambda name, text, *links, into=engine, **facts: put_page(into, name, text, *links, **facts)


def found(engine, query):
    """The names of the pages that a query finds, best first."""
    return [hit.url.removeprefix("http://x/") for hit in engine.search(query, limit=100).hits]


def members(engine):
    """For each segment, the pages that belong to it."""
    return [sorted(engine.store.postings.members([number])) for number, _, _ in engine.store.postings.sizes()]


def answers(engine):
    """Hits and scores of some queries."""
    return {
        query: [(hit.url, round(hit.score, 9)) for hit in engine.search(query, limit=50).hits]
        for query in ("apples", "pears number3", "anchor:apple", '"apples 7 and"', "number*", "p7")
    }


# -- what is indexed -----------------------------------------------------------------------------


def test_only_what_is_new_or_changed_is_indexed(engine, put):
    put("a", "apples")
    put("b", "bananas")
    put("c", "cherries")
    assert engine.index() == 3
    assert engine.index() == 0
    put("b", "blueberries")
    assert engine.index() == 1
    assert members(engine) == [[1, 3], [2]]


def test_all_pages_can_be_indexed_again(engine, put):
    for name in "abc":
        put(name, "apples")
        engine.index()
    before = engine.store.postings.sizes()
    assert engine.index(rebuild=True) == engine.index(again=True) == 3
    assert members(engine) == [[1, 2, 3]]
    assert not {number for number, _, _ in before} & {number for number, _, _ in engine.store.postings.sizes()}
    assert len(found(engine, "apples")) == 3


def test_a_changed_page_is_found_by_its_new_words_alone(engine, put):
    put("a", "apples and pears")
    engine.index()
    put("a", "apples and plums")
    engine.index()
    assert (found(engine, "pears"), found(engine, "plums"), found(engine, "apples")) == ([], ["a"], ["a"])


def test_between_its_change_and_the_next_indexing_a_page_is_not_found(engine, put):
    put("a", "apples")
    put("b", "apples")
    engine.index()
    put("a", "pears")
    assert (found(engine, "apples"), found(engine, "pears")) == (["b"], [])


def test_a_page_that_was_merged_into_another_is_no_longer_found(engine, put):
    put("a", "apples")
    put("b", "apples")
    engine.index()
    engine.store.pages.set_canonical(2, 1)
    engine.index()
    assert found(engine, "apples") == ["a"]


def test_an_index_whose_pages_are_all_outdated_is_an_empty_one(engine, put):
    put("a", "apples")
    engine.index()
    put("a", "apples", noindex="meta robots")
    for _ in range(2):
        assert engine.index() == 0
        assert (found(engine, "apples"), members(engine)) == ([], [])


def test_a_page_belongs_to_one_segment_however_often_it_changes(engine, put, monkeypatch):
    monkeypatch.setattr(indexer, "PAGES_AT_A_TIME", 3)
    for version in range(12):
        for name in "abcdefgh"[: 3 + version % 5]:
            put(name, f"version {version} of {name}")
        engine.index()
        assert sorted(page for home in members(engine) for page in home) == list(range(1, engine.stats()["pages"] + 1))
    assert sorted(found(engine, "version")) == list("abcdefg")


def test_segments_to_which_no_page_belongs_are_dropped_with_their_terms(engine, put):
    put("a", "apples")
    engine.index()
    put("a", "pears")
    engine.index()
    assert engine.stats()["terms"] == 1 + 1  # pear, and the a of its url
    assert len(members(engine)) == 1
    for table in ("terms", "blocks", "words"):
        assert engine.sql(f"SELECT count(DISTINCT segment_id) FROM {table}")[1] == [(1,)]


def test_many_words_are_indexed_in_several_segments(engine, put, monkeypatch):
    monkeypatch.setattr(builder, "MOST_RUNS", 10)
    monkeypatch.setattr(builder, "BATCH_RUNS", 0)
    for name in "abc":
        put(name, "many words " * 50)
    assert list(engine.indexing()) == [1, 1, 1]


def test_what_was_fetched_is_searchable_while_the_crawl_goes_on(site, tmp_path, monkeypatch):
    monkeypatch.setattr(crawling, "INDEX_FIRST", 2)
    site.show({"/": ["/1", "/2", "/3"], **{f"/{n}": f"<p>page number {n}" for n in (1, 2, 3)}})
    seen = []
    with Engine(tmp_path / "web.db") as engine, Engine(tmp_path / "web.db") as reader:
        for _ in engine.crawling(site.base + "/", workers=0):
            seen.append(reader.search("number").total if reader.stats()["indexed"] else 0)
    assert seen == [0, 1, 1, 3]


def test_what_was_fetched_is_not_indexed_during_a_crawl_if_that_is_not_wanted(engine, site, monkeypatch):
    monkeypatch.setattr(crawling, "INDEX_FIRST", 1)
    site.show({"/": ["/1"], "/1": "<p>one"})
    engine.crawl(site.base + "/", workers=0, index=False)
    assert engine.stats()["indexed"] == 0


# -- the vocabulary ------------------------------------------------------------------------------


def test_the_vocabulary_has_each_term_once_with_its_number_of_pages(engine, put, monkeypatch):
    monkeypatch.setattr(indexer, "small_enough", lambda sizes, added: [])
    put("1", "rose roses roses", title="Roses", headings=(Heading(1, "Rosemary"),))
    engine.index()
    put("2", "rosemary and time", Link("1", "rosette"))
    put("3", "time")
    engine.index()
    assert len(members(engine)) == 2
    _, rows = engine.sql("SELECT term, df FROM vocabulary WHERE term LIKE 'ros%'")
    assert rows == [("rose", 1), ("rosemari", 2)]  # what links say is not counted
    _, rows = engine.sql("SELECT term, df FROM vocabulary ORDER BY term")
    assert rows == [("1", 1), ("2", 1), ("3", 1), ("and", 1), ("rose", 1), ("rosemari", 2), ("time", 2)]
    assert engine.stats()["terms"] == len(rows)


def test_exact_match_keys_are_terms_but_no_vocabulary(engine, put):
    put("a", "text", title="= Rose > garden", headings=(Heading(1, ">>> x"),))
    engine.index()
    _, rows = engine.sql("SELECT term FROM terms")
    assert ("=rose garden",) in rows
    _, rows = engine.sql("SELECT term FROM vocabulary")
    assert sorted(term for (term,) in rows) == ["a", "garden", "rose", "text", "x"]


# -- segments ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=9))
def test_one_run_indexes_at_most_as_many_old_pages_as_it_adds(runs):
    """Each run has new pages, and some that changed."""
    built, build_segment = [], builder.build_segment
    with pytest.MonkeyPatch.context() as patch, Engine() as engine:

        def spy(documents, kind="page"):
            documents = list(documents)
            built.extend(document.page_id for document in documents)
            return build_segment(documents, kind)

        patch.setattr(builder, "build_segment", spy)
        pages = 0
        for new, changed in runs:
            for number in [*range(pages, pages + new), *range(min(pages, changed))]:
                put_page(engine, f"p{number}", "apples")
            added = new + min(pages, changed)
            pages += new
            built.clear()
            assert engine.index() == added
            assert len(built) == len(set(built))
            assert len(built) <= 2 * added
            assert sum(map(len, members(engine))) == pages
        assert len(found(engine, "apples")) == pages


def test_small_segments_are_indexed_again_together(engine, put):
    for number in range(32):
        put(f"p{number}", "apples")
        engine.index()
    assert sum(map(len, members(engine))) == 32
    assert len(members(engine)) <= 16


@pytest.mark.parametrize("wide", [True, False])
def test_segments_are_compacted_when_a_crawl_is_over(site, engine, monkeypatch, wide):
    monkeypatch.setattr(crawling, "INDEX_FIRST", 1)
    monkeypatch.setattr(crawling, "INDEX_EVERY", 1)
    monkeypatch.setattr(indexer, "small_enough", lambda sizes, added: [])
    monkeypatch.setattr(indexer, "MOST_SEGMENTS", 4)
    monkeypatch.setattr(indexer, "KEPT", 2)
    pages = 12 if wide else 3
    site.show({"/": [f"/{n}" for n in range(pages)], **{f"/{n}": f"<p>number{n} apples" for n in range(pages)}})
    sizes = []
    crawl = engine.crawling(site.base + "/", workers=0)
    for _ in crawl:
        sizes.append(len(members(engine)))
    assert max(sizes) >= pages
    engine.index()
    assert len(members(engine)) > 4 or not wide
    engine.crawl(site.base + "/", workers=0)
    assert len(members(engine)) == (3 if wide else 4)
    assert len(found(engine, "apples")) == pages


@pytest.mark.parametrize("policy", ["compact", "all at once", "never"])
def test_segments_do_not_matter_to_the_answers(garden, fixtures, monkeypatch, policy):
    monkeypatch.setattr(indexer, "PAGES_AT_A_TIME", 2)
    monkeypatch.setattr(crawling, "INDEX_FIRST", 4)
    monkeypatch.setattr(crawling, "INDEX_EVERY", 4)
    if policy == "never":
        monkeypatch.setattr(indexer, "small_enough", lambda sizes, added: [])
        monkeypatch.setattr(indexer, "due", lambda sizes: [])
    with Engine() as engine:
        engine.crawl(f"{fixtures}/garden/index.html", workers=0)
        if policy == "all at once":
            engine.index(rebuild=True)
        assert len(members(engine)) > 5 if policy == "never" else len(members(engine)) <= indexer.MOST_SEGMENTS
        for query in [case["query"] for case in garden.key["queries"]]:
            cut, whole = (each.search(query, limit=100).hits for each in (engine, garden.engine))
            assert [hit.url for hit in cut] == [hit.url for hit in whole]
            assert [hit.score for hit in cut] == pytest.approx([hit.score for hit in whole], abs=1e-9)


# -- anchor texts and URLs -----------------------------------------------------------------------


def test_a_word_that_stands_only_in_a_link_finds_the_page_it_leads_to(engine, put):
    put("a", "text", Link("b", "the ultimate guide"))
    put("b", "nothing of that kind")
    engine.index()
    assert found(engine, "ultimate") == ["b"]
    assert engine.search("ultimate").hits[0].text_score > 0


def test_anchor_texts_are_dropped_with_the_links(engine, put):
    put("a", "text", Link("b", "the ultimate guide"))
    put("b", "other text")
    engine.index()
    put("a", "text")
    engine.index()
    assert found(engine, "ultimate") == []
    assert [segment.kind for segment in engine.store.postings.segments()] == ["page"]


@pytest.mark.parametrize("link", [Link("a", "ultimate"), Link("b", "ultimate", nofollow=True), Link("b", "")], ids=str)
def test_some_links_say_nothing(engine, put, link):
    put("a", "text", link)
    put("b", "other text")
    engine.index()
    assert found(engine, "ultimate") == []


def test_anchor_texts_of_links_to_a_merged_page_count_for_the_page_that_was_kept(engine, site):
    home = '<p><a href="/old">ultimate</a> <a href="/twin">definitive</a>'
    site.show({"/": home, "/old": (301, {"Location": "/new"}, b""), "/new": "<p>x y", "/twin": "<p>x y"})
    engine.crawl(site.base + "/", workers=0)
    for word in ("ultimate", "definitive"):
        assert {hit.url for hit in engine.search(word).hits} == {site.base + "/", site.base + "/new"}


def test_anchor_texts_are_read_by_the_language_of_the_page_they_stand_on(engine, put):
    put("a", "text", Link("b", "gardening"), language="en")
    put("b", "друго", language="sr")
    engine.index()
    assert found(engine, "gardens") == ["b"]


def test_each_anchor_text_is_read_by_the_rules_of_its_own_page(engine, put):
    put("a", "deutsch", Link("c", "Häuser"), language="de")
    put("b", "english", Link("c", "running"), language="en")
    put("c", "told of")
    engine.index()
    engine.rank()
    assert (found(engine, "anchor:haus"), found(engine, "anchor:run")) == (["c"], ["c"])


def test_a_stem_of_one_language_is_not_found_in_anchor_texts_of_another(engine, put):
    put("a", "english", Link("b", "back to the start"), language="en")
    put("b", "here", language="en")
    put("c", "друго", Link("d", "друго"), language="sr")  # in which "too" has the stem "to"
    put("d", "треће", Link("b", "drugi tekst"), language="sr")
    engine.index()
    assert sorted(found(engine, "anchor:drugi")) == ["b", "d"]
    put("d", "треће", language="sr")
    engine.index()
    assert found(engine, "anchor:too") == []


def test_the_words_of_a_url_count(engine, put):
    assert indexer.url_words("http://x/a/b-c.html?q=d%20e#f") == "/a/b-c.html q=d e"
    put("apple-tree.html", "text")
    engine.index()
    assert found(engine, "url:tree") == ["apple-tree.html"]


# -- several processes ---------------------------------------------------------------------------


@pytest.fixture
def shared(monkeypatch):
    """Lets even a few pages be shared among two processes."""
    monkeypatch.setattr(indexer, "MANY", 1)
    monkeypatch.setattr(indexer.os, "cpu_count", lambda: 2)


@pytest.fixture
def some_pages(tmp_path, put):
    """Two files with the same pages, not indexed yet."""
    engines = [Engine(tmp_path / "one.db"), Engine(tmp_path / "two.db")]
    for engine in engines:
        for number in range(30):
            text = f"apples {number} and pears number{number % 7}"
            put(f"p{number}", text, Link(f"p{(number * 7 + 1) % 30}", f"apple of {number % 4}"), into=engine)
    yield engines
    for engine in engines:
        engine.close()


def test_two_processes_make_an_index_that_answers_the_same(some_pages, shared, monkeypatch):
    two, one = some_pages
    assert two.index() == 30
    assert len(members(two)) == 2
    monkeypatch.setattr(indexer, "MANY", 10**9)
    assert one.index() == 30
    assert len(members(one)) == 1
    assert answers(two) == answers(one)
    view = "SELECT * FROM vocabulary ORDER BY term"
    assert one.sql(view) == two.sql(view)


def test_a_machine_with_many_cores_makes_few_segments(some_pages, shared, monkeypatch):
    monkeypatch.setattr(indexer.os, "cpu_count", lambda: 64)
    engine, _ = some_pages
    engine.index()
    assert len(members(engine)) == indexer.MOST_PROCESSES
    assert indexer.due(engine.store.postings.sizes()) == []


def test_near_duplicates_are_grouped_whoever_indexed_them(tmp_path, put, shared):
    facts = {"simhash": 0b1111, "words": 500, "subject": 1}
    with Engine(tmp_path / "web.db") as engine:
        put("old", "apples", into=engine, **facts | {"simhash": 0b0111})
        engine.index()
        near = [put(f"p{number}", "apples", into=engine, **facts) for number in range(3)]
        other = put("other", "pears", into=engine, **facts | {"simhash": 1 << 40})
        asked = put("asked", "apples", into=engine, **facts, noindex="it asks for it")
        engine.index()
        alike = dict(engine.store.db.execute("SELECT id, near_duplicate_group FROM pages").fetchall())
    assert len({alike[page] for page in (1, *near)}) == 1
    assert alike[1] is not None
    assert alike[other] is alike[asked] is None


# -- what can go wrong ---------------------------------------------------------------------------


@pytest.fixture
def half_indexed(some_pages, put):
    """An engine with 30 pages in the index, of which two have changed, and one that is new."""
    engine, _ = some_pages
    engine.index()
    for number in range(2):
        put(f"p{number}", "apples and plums", into=engine)
    put("new", "apples", into=engine)
    return engine


def state(engine):
    """What is in the index."""
    return members(engine), answers(engine), engine.sql("SELECT * FROM segments")[1]


def test_processes_import_nothing_from_the_current_folder(half_indexed, shared, monkeypatch, tmp_path):
    (tmp_path / "json.py").write_text("raise ImportError('not the json of Python')")
    monkeypatch.chdir(tmp_path)
    assert half_indexed.index() == 3


def test_a_process_that_is_killed_is_reported_in_one_line_and_the_old_index_stays(
    half_indexed, shared, monkeypatch, tmp_path, capfd
):
    before = state(half_indexed)
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(indexer.sys, "executable", str(killed))
        with pytest.raises(StoreError, match=r"^a process that was indexing ended early: .*$") as error:
            half_indexed.index()
    assert "\n" not in str(error.value)
    assert capfd.readouterr().err == ""
    assert state(half_indexed) == before
    assert half_indexed.index() == 3
    assert len(found(half_indexed, "apples")) == 31


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_segment_that_cannot_be_written_leaves_the_old_index(half_indexed, monkeypatch, rebuild):
    before, write_segment = state(half_indexed), indexer.write_segment

    def write_and_fail(store, segment):
        write_segment(store, segment)
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(indexer, "write_segment", write_and_fail)
        with pytest.raises(OSError, match="the disk is full"):
            half_indexed.index(rebuild=rebuild)
    assert state(half_indexed) == before
    assert half_indexed.index(rebuild=rebuild) == (31 if rebuild else 3)
    assert len(found(half_indexed, "apples")) == 31


KILL = """
import os, signal, sys
from minisearch import Engine
from minisearch.index import indexer

def write_and_die(store, segment, write_segment=indexer.write_segment):
    write_segment(store, segment)
    os.kill(os.getpid(), signal.SIGKILL)

indexer.write_segment = write_and_die
Engine(sys.argv[1]).index(rebuild=sys.argv[2] == "rebuild")
"""


@pytest.mark.parametrize("how", ["new", "rebuild"])
def test_a_run_that_is_killed_before_it_commits_leaves_the_old_index(half_indexed, how):
    before = state(half_indexed)
    path = half_indexed.store.path
    half_indexed.close()
    done = subprocess.run([sys.executable, "-c", KILL, path, how], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
    with closing(Engine(path)) as engine:
        assert state(engine) == before
        assert engine.index() == 3
        assert len(found(engine, "apples")) == 31


@pytest.mark.parametrize("processes", [1, 2])
def test_a_page_with_a_damaged_text_is_reported_in_one_line(some_pages, shared, monkeypatch, processes):
    monkeypatch.setattr(indexer.os, "cpu_count", lambda: processes)
    engine, _ = some_pages
    with engine.store.transaction():
        engine.store.db.conn.execute("UPDATE contents SET text = CAST(x'6120636166e9' AS TEXT) WHERE page_id = 29")
    with pytest.raises(StoreError, match=r"^the text of a page in this file is damaged: it is not UTF-8.*$"):
        engine.index()
