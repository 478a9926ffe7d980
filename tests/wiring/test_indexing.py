"""Indexing adds what is new, forgets what is outdated, and answers the same however it was cut into segments."""

import pytest

from minisearch import Engine
from minisearch.errors import StoreError
from minisearch.index import segments
from minisearch.records import Found, Link, Page
from minisearch.wiring import crawling, indexing, segmenter


@pytest.fixture
def put(engine):
    """Writes a page into the engine, or a newer version of it."""

    def put(name, text, *links, into=engine, **facts):
        store, urls = into.store, [f"http://x/{name}", *(f"http://x/{link.url}" for link in links)]
        with store.transaction():
            crawl, _ = store.journal.begin(["http://x/"], {})
            store.journal.meet(crawl, None, [Found(url, "x", 0) for url in urls], max_depth=9)
            ids = store.journal.ids(urls)
            told = tuple(link._replace(url=f"http://x/{link.url}") for link in links)
            return store.pages.save(ids[urls[0]], Page(urls[0], text=text, links=told, **facts), ids)

    return put


def found(engine, query):
    """The names of the pages that a query finds, best first."""
    return [hit.url.removeprefix("http://x/") for hit in engine.search(query, limit=100).hits]


def homes(engine):
    """For each segment, the pages that live in it."""
    return [facts.pages[facts.mask()].tolist() for facts in engine.store.postings.segments("page")]


def test_only_what_is_new_or_changed_is_indexed(engine, put):
    put("a", "apples")
    put("b", "bananas")
    assert engine.index() == 2
    assert engine.index() == 0
    put("b", "blueberries")
    put("c", "cherries")
    assert engine.index() == 2
    assert sorted(homes(engine)) == [[1], [2, 3]]


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


def test_a_page_that_became_an_alias_is_no_longer_found(engine, put):
    put("a", "apples")
    put("b", "apples")
    engine.index()
    engine.store.pages.merge(2, 1)
    engine.index()
    assert found(engine, "apples") == ["a"]


def test_an_index_whose_pages_are_all_outdated_is_an_empty_one(engine, put):
    put("a", "apples")
    engine.index()
    put("a", "apples", noindex="meta robots")
    for _ in range(2):
        assert engine.index() == 0
        assert (found(engine, "apples"), homes(engine)) == ([], [])


def test_a_page_lives_in_one_segment_however_often_it_changes(engine, put, monkeypatch):
    monkeypatch.setattr(segmenter, "PAGES_AT_A_TIME", 3)
    for version in range(12):
        for name in "abcdefgh"[: 3 + version % 5]:
            put(name, f"version {version} of {name}")
        engine.index()
        assert sorted(page for home in homes(engine) for page in home) == list(range(1, engine.stats()["pages"] + 1))
    assert len(homes(engine)) < segments.FAN
    assert sorted(found(engine, "version")) == list("abcdefg")


def test_segments_without_a_living_page_are_dropped_with_their_terms(engine, put):
    put("a", "apples")
    engine.index()
    put("a", "pears")
    engine.index()
    assert engine.stats()["terms"] == 1 + 1  # pear, and the a of its url
    assert len(homes(engine)) == 1


def test_what_was_fetched_is_searchable_while_the_crawl_goes_on(site, tmp_path, monkeypatch):
    monkeypatch.setattr(crawling, "INDEX_FIRST", 2)
    site.show({"/": ["/1", "/2", "/3"], **{f"/{n}": f"<p>page number {n}" for n in (1, 2, 3)}})
    seen = []
    with Engine(tmp_path / "web.db") as engine, Engine(tmp_path / "web.db") as reader:
        for _ in engine.crawling(site.base + "/", workers=0):
            seen.append(reader.search("number").total if reader.stats()["indexed"] else 0)
    assert seen == [0, 1, 1, 3]


def test_what_was_fetched_is_not_indexed_on_the_way_if_that_is_not_wanted(engine, site, monkeypatch):
    monkeypatch.setattr(crawling, "INDEX_FIRST", 1)
    site.show({"/": ["/1"], "/1": "<p>one"})
    engine.crawl(site.base + "/", workers=0, index=False)
    assert engine.stats()["indexed"] == 0


@pytest.mark.parametrize("fan", [2, 3, 1000], ids=["merged", "merged less", "unmerged"])
def test_segments_do_not_matter_to_the_answers(garden, fixtures, monkeypatch, fan):
    monkeypatch.setattr(segmenter, "PAGES_AT_A_TIME", 2)
    monkeypatch.setattr(crawling, "INDEX_FIRST", 4)
    monkeypatch.setattr(crawling, "INDEX_EVERY", 4)
    monkeypatch.setattr(segments, "FAN", fan)
    with Engine() as engine:
        engine.crawl(f"{fixtures}/garden/index.html", workers=0)
        assert (len(homes(engine)) > 5) == (fan == 1000)
        for query in [case["query"] for case in garden.key["queries"]]:
            cut, whole = (each.search(query, limit=100).hits for each in (engine, garden.engine))
            assert [hit.url for hit in cut] == [hit.url for hit in whole]
            assert [hit.score for hit in cut] == pytest.approx([hit.score for hit in whole], abs=1e-9)


def test_many_words_are_indexed_in_portions(engine, put, monkeypatch):
    monkeypatch.setattr(segmenter, "WORDS_AT_A_TIME", 10)
    for name in "abc":
        put(name, "many words " * 50)
    assert list(engine.indexing()) == [1, 1, 1]


# -- what others say -----------------------------------------------------------------------------


def test_a_word_that_stands_only_in_a_link_finds_the_page_it_leads_to(engine, put):
    put("a", "text", Link("b", "the ultimate guide"))
    put("b", "nothing of that kind")
    engine.index()
    assert found(engine, "ultimate") == ["b"]
    assert engine.search("ultimate").hits[0].text_score > 0


def test_what_links_say_is_forgotten_with_the_links(engine, put):
    put("a", "text", Link("b", "the ultimate guide"))
    put("b", "other text")
    engine.index()
    put("a", "text")
    engine.index()
    assert found(engine, "ultimate") == []
    assert engine.store.postings.segments("anchor") == []


@pytest.mark.parametrize("link", [Link("a", "ultimate"), Link("b", "ultimate", nofollow=True), Link("b", "")], ids=str)
def test_some_links_say_nothing(engine, put, link):
    put("a", "text", link)
    put("b", "other text")
    engine.index()
    assert found(engine, "ultimate") == []


def test_what_links_to_an_alias_say_counts_for_the_page_that_was_kept(engine, site):
    home = '<p><a href="/old">ultimate</a> <a href="/twin">definitive</a>'
    site.show({"/": home, "/old": (301, {"Location": "/new"}, b""), "/new": "<p>x y", "/twin": "<p>x y"})
    engine.crawl(site.base + "/", workers=0)
    for word in ("ultimate", "definitive"):
        assert {hit.url for hit in engine.search(word).hits} == {site.base + "/", site.base + "/new"}


def test_links_are_read_by_the_language_of_the_page_they_stand_on(engine, put):
    put("a", "text", Link("b", "gardening"), language="en")
    put("b", "друго", language="sr")
    engine.index()
    assert found(engine, "gardens") == ["b"]


def test_the_words_of_a_url_count():
    assert segmenter.readable("http://x/a/b-c.html?q=d%20e#f") == "/a/b-c.html q=d e"


@pytest.mark.parametrize(
    "url",
    ["http://x/a/b-c.html", "https://x:80/", "http://x", "http://x/a;b=c", "http://[::1]/a", "http://x/a%20", "x/y"],
)
def test_a_plain_url_is_read_as_any_other(url):
    assert segmenter.readable(url) == segmenter.readable(url + "#")


def test_each_link_text_is_read_by_the_rules_of_the_page_it_stands_on(engine, put):
    put("a", "deutsch", Link("c", "Häuser"), language="de")
    put("b", "english", Link("c", "running"), language="en")
    put("c", "told of")
    engine.index()
    engine.rank()
    assert (found(engine, "anchor:haus"), found(engine, "anchor:run")) == (["c"], ["c"])


@pytest.fixture
def shared(monkeypatch):
    """Lets even a few pages be shared among two processes."""
    monkeypatch.setattr(indexing, "MANY", 1)
    monkeypatch.setattr(indexing.os, "cpu_count", lambda: 2)


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


def told(engine):
    return {
        query: [(hit.url, pytest.approx(hit.score, abs=1e-12)) for hit in engine.search(query, limit=50).hits]
        for query in ("apples", "pears number3", "anchor:apple", '"apples 7 and"', "number*", "p7")
    }


def test_two_processes_make_an_index_that_answers_the_same(some_pages, shared, monkeypatch):
    two, one = some_pages
    assert two.index() == 30
    assert len(homes(two)) == 2
    monkeypatch.setattr(indexing, "MANY", 10**9)
    assert one.index() == 30
    assert len(homes(one)) == 1
    assert told(two) == told(one)


def test_pages_that_are_alike_are_found_while_other_processes_index_them(tmp_path, put, shared):
    facts = {"simhash": 0b1111, "words": 500, "subject": 1}
    with Engine(tmp_path / "web.db") as engine:
        put("old", "apples", into=engine, **facts | {"simhash": 0b0111})
        engine.index()
        near = [put(f"p{number}", "apples", into=engine, **facts) for number in range(3)]
        other = put("other", "pears", into=engine, **facts | {"simhash": 1 << 40})
        asked = put("asked", "apples", into=engine, **facts, noindex="it asks for it")
        engine.index()
        alike = dict(engine.store.file.db.execute("SELECT id, alike FROM pages").fetchall())
    assert len({alike[page] for page in (1, *near)}) == 1
    assert alike[1] is not None
    assert alike[other] is alike[asked] is None


def test_a_process_that_dies_is_told_and_the_next_run_goes_on(some_pages, shared, monkeypatch):
    engine, _ = some_pages
    started = indexing.start

    def start_and_kill(*share):
        child, results = started(*share)
        child.kill()
        return child, results

    monkeypatch.setattr(indexing, "start", start_and_kill)
    with pytest.raises(StoreError, match="a process that was indexing died"):
        engine.index()
    monkeypatch.setattr(indexing, "start", started)
    engine.index()
    assert len(found(engine, "apples")) == 30


def test_a_page_with_a_damaged_text_is_told_in_words(engine, put):
    put("a", "apples")
    with engine.store.transaction():
        engine.store.file.db.conn.execute("UPDATE contents SET text = CAST(x'6120636166e9' AS TEXT)")
    with pytest.raises(StoreError, match="not UTF-8"):
        engine.index()
