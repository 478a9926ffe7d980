"""The index reader: postings and positions over all segments, and what is cached for how long."""

import threading
import tracemalloc
from itertools import islice, pairwise, product

import numpy as np
import pytest
from cachetools import LRUCache
from hypothesis import given
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.search import index_reader
from minisearch.search.index_reader import (
    FIELDS,
    IndexReader,
    following,
    link_prior,
    log_bounds,
    split_occurrences,
)
from minisearch.search.query import Variant
from minisearch.store.postings import PostingStore
from minisearch.textbook import engine as textbook


class Index:
    """An engine of batches of pages, and its index as paths instead of document numbers."""

    def __init__(self, engine):
        self.engine = engine

    @property
    def reader(self):
        return IndexReader(self.engine.store, self.engine.store.postings.generation())

    @property
    def paths(self):
        """The path of each document, by its number."""
        pages = self.reader.pages.tolist()
        stored = self.engine.store.pages.get(pages)
        return [stored[page].url.rsplit("/", 1)[1] for page in pages]

    def postings(self, *terms, field=""):
        """{path: {field: how often}} of a word; a term may be followed by the languages in which it counts."""
        found, paths = self.reader.postings(variants(terms), field), self.paths
        assert (np.diff(found.docs) > 0).all()
        return {
            paths[doc]: {field: count for field, count in zip(FIELDS, counts, strict=True) if count}
            for doc, counts in zip(found.docs.tolist(), found.tf.T.tolist(), strict=True)
        }

    def occurrences(self, *terms, field="", on=None):
        """[(path, field, position)] of a word in order; on some pages, if they are named."""
        paths = self.paths
        docs = np.array([doc for doc, path in enumerate(paths) if on is None or path in on], dtype=np.int32)
        (found,) = self.reader.occurrences([(variants(terms), field)], docs)
        assert (np.diff(found) > 0).all()
        rows = zip(*(column.tolist() for column in split_occurrences(found)), strict=True)
        return [(paths[doc], FIELDS[row], position) for doc, row, position in rows]

    def in_languages(self, *tags):
        """The paths of the pages in some languages."""
        return [path for path, is_in in zip(self.paths, self.reader.in_languages(tags), strict=True) if is_in]


def variants(terms):
    return tuple(Variant(term) if isinstance(term, str) else Variant(term[0], frozenset(term[1:])) for term in terms)


@pytest.fixture
def index(webs):
    """Makes the index of batches of pages, each a segment."""
    return lambda *batches: Index(webs.build(*batches))


# -- postings --


def test_postings_have_the_frequency_in_each_field(webs, index):
    built = index(
        [
            webs.page("cat", "cat cat dog", title="Cats", headings=["a cat", "cat, cat"]),
            webs.page("b", "dog", links=[("cat", "a cat"), ("cat", "cat"), ("b", "cat")]),
        ]
    )
    assert built.postings("cat") == {"cat": {"title": 1, "headings": 3, "url": 1, "body": 2, "anchor": 2}}
    assert built.postings("dog") == {"cat": {"body": 1}, "b": {"body": 1}}
    assert built.postings("cow") == {}


def test_documents_of_all_segments_are_numbered_together(webs, index):
    built = index([webs.page("a", "cat")], [webs.page("b", "cat dog"), webs.page("c", "dog")])
    body = FIELDS.index("body")
    assert built.paths == ["a", "b", "c"]
    assert built.postings("cat") == {"a": {"body": 1}, "b": {"body": 1}}
    assert built.reader.lengths[body].tolist() == [1, 2, 1]
    assert built.reader.averages[body] == pytest.approx(4 / 3)


def test_only_the_newest_version_of_a_page_counts(webs, index):
    many = [webs.page(f"p{number}", "cat") for number in range(9)]
    built = index([*many, webs.page("a", "cat cat")], [webs.page("a", "dog")])
    assert len(built.paths) == 10
    assert built.postings("dog") == {"a": {"body": 1}}
    assert "a" not in built.postings("cat")
    assert "a" not in {path for path, _, _ in built.occurrences("cat")}


def test_a_page_fetched_again_is_left_out_until_it_is_indexed_again(webs, index):
    built = index([webs.page("a", "cat", links=[("b", "cat")]), webs.page("b", "dog")])
    webs.put(built.engine, [webs.page("b", "cow")])
    assert built.paths == ["a"]
    assert built.postings("cat") == {"a": {"body": 1}}
    assert (built.postings("dog"), built.postings("cow")) == ({}, {})
    built.engine.index()
    assert built.postings("cow") == {"b": {"body": 1}}


def test_the_terms_of_a_word_in_two_languages_are_added_up(webs, index):
    built = index(
        [
            webs.page("a", "gardens garden", language="en"),
            webs.page("b", "gardens garden", language="tlh", links=[("a", "gardens")]),
        ]
    )
    assert built.reader.languages == ("en", "tlh")
    assert built.postings("garden", "gardens") == {"a": {"body": 2, "anchor": 1}, "b": {"body": 2}}
    assert built.postings("gardens") == {"a": {"anchor": 1}, "b": {"body": 1}}


def test_a_term_of_a_language_counts_only_on_pages_in_that_language(webs, index):
    built = index(
        [webs.page("a", "gardens garden", language="en"), webs.page("b", "gardens garden", language="tlh")],
        [webs.page("c", "garden", language="tlh")],
    )
    assert built.postings(("garden", "en")) == {"a": {"body": 2}}
    assert built.postings(("garden", "en"), ("gardens", "tlh")) == {"a": {"body": 2}, "b": {"body": 1}}
    assert built.postings(("garden", "en", "tlh")) == {"a": {"body": 2}, "b": {"body": 1}, "c": {"body": 1}}
    assert built.occurrences(("garden", "en")) == [("a", "body", 0), ("a", "body", 1)]


def test_postings_can_be_restricted_to_a_field(webs, index):
    built = index([webs.page("cat", "cat cat", title="Cats", links=[("b", "cat")]), webs.page("b", "cat")])
    assert built.postings("cat", field="title") == {"cat": {"title": 1}}
    assert built.postings("cat", field="anchor") == {"b": {"anchor": 1}}
    assert built.postings("cat", field="headings") == {}


def test_a_page_that_only_anchor_texts_describe_has_postings(webs, index):
    built = index([webs.page("a", links=[("b", "the best cats")]), webs.page("b")])
    assert built.postings("cat") == {"b": {"anchor": 1}}


def test_a_word_that_stands_very_often_on_a_page_is_counted_exactly(webs, index):
    built = index([webs.page("a", "cat " * 70_000), webs.page("b", "cat " * 300, title="cat")])
    assert built.postings("cat") == {"a": {"body": 70_000}, "b": {"title": 1, "body": 300}}
    assert built.occurrences("cat", on="a")[-1] == ("a", "body", 69_999)


def test_an_empty_index_has_no_documents(index):
    built = index([])
    assert (built.reader.size, built.reader.languages) == (0, ())
    assert (built.postings("cat"), built.occurrences("cat"), built.in_languages("en")) == ({}, [], [])
    assert set(built.reader.averages) == {0.0}


# -- positions --


def test_occurrences_are_ordered_by_page_field_and_position(webs, index):
    built = index(
        [webs.page("a", "a cat and a cat", title="Cats", headings=["one cat", "cats"], links=[("b", "my cat")])],
        [webs.page("b", "cat")],
    )
    on_a = [("a", "title", 0), ("a", "headings", 1), ("a", "headings", 3), ("a", "body", 1), ("a", "body", 4)]
    assert built.occurrences("cat") == [*on_a, ("b", "body", 0), ("b", "anchor", 1)]
    assert built.occurrences("cat", on="a") == on_a
    assert built.occurrences("cat", field="headings") == on_a[1:3]
    assert built.occurrences("cat", on="") == built.occurrences("cow") == []


def test_occurrences_of_several_terms_are_those_of_each(webs, index):
    built = index(
        [webs.page("a", "one two one two three", title="Two", links=[("b", "two three")]), webs.page("b", "two")],
        [webs.page("c", "three two one", headings=["one two"])],
    )
    order = {path: number for number, path in enumerate(built.paths)}
    apart = [found for term in ("one", "two", "four") for found in built.occurrences(term)]
    assert built.occurrences("one", "two", "four") == sorted(
        apart, key=lambda found: (order[found[0]], FIELDS.index(found[1]), found[2])
    )
    assert len(apart) == 11


numbers = st.sets(st.integers(0, 60)).map(lambda drawn: np.array(sorted(drawn), dtype=np.int64))


@given(numbers, numbers)
def test_following_are_the_occurrences_one_further(first, second):
    assert following(first, second).tolist() == sorted({*(first + 1).tolist()} & {*second.tolist()})


# -- languages and ranks --


def test_documents_are_selected_by_language(webs, index):
    built = index([webs.page("a", language="en-GB"), webs.page("b", language="hr")], [webs.page("c", language="sr")])
    assert built.in_languages("sr") == ["c"]
    assert built.in_languages("en", "sr-Cyrl") == ["a", "c"]
    assert built.in_languages("sh") == ["b", "c"]
    assert built.in_languages("fr") == []


def test_the_languages_are_those_of_anchor_texts_too(webs, index):
    built = index([webs.page("a", "cat", links=["b"]), webs.page("b", "dog", language="en")])
    assert built.reader.languages == ("en",)
    webs.put(built.engine, [webs.page("c", links=[("b", "мачка")], language="sr", noindex="a rule")])
    built.engine.index()
    assert built.reader.languages == ("en", "sr")


def test_pages_without_a_rank_have_no_prior(webs, index):
    built = index([webs.page("a", links=["b"]), webs.page("b")])
    assert built.reader.prior.tolist() == [0, 1]
    webs.put(built.engine, [webs.page("c", "new")])
    built.engine.index()
    assert np.isnan(built.reader.ranks).tolist() == [False, False, True]
    assert built.reader.prior.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("ranks", "scaled"),
    [
        ([], []),
        ([0.3], [0]),
        ([0.5, 0.5], [0, 0]),
        ([0.1, 0.01, 0.001], [1, 0.5, 0]),
        ([0.1, np.nan, 0.001, 0], [1, 0, 0, 0]),  # without a rank: as the least linked
        ([np.nan, np.nan], [0, 0]),
        ([0.5, 0.5 * (1 + 1e-12)], [0, 0]),  # equal but for rounding
    ],
)
def test_the_prior_is_the_logarithm_of_the_rank_scaled_to_one(ranks, scaled):
    assert link_prior(np.array(ranks), log_bounds(np.array(ranks))) == pytest.approx(scaled)


@given(st.lists(st.floats(1e-12, 1) | st.just(0.0), max_size=20))
def test_the_prior_keeps_the_order_and_is_that_of_the_textbook(ranks):
    prior = link_prior(np.array(ranks), log_bounds(np.array(ranks)))
    slow = textbook.prior(dict(enumerate(ranks)))
    assert ((prior >= 0) & (prior <= 1)).all()
    assert (np.diff(prior[np.argsort(ranks, kind="stable")]) >= 0).all()
    assert prior == pytest.approx([slow.get(page, 0) for page in range(len(ranks))], abs=1e-6)


# -- generations and the cache --


@pytest.fixture
def reads(monkeypatch):
    """What is read of the index: the terms of each look-up, and "segments" whenever all segments are read."""
    found = []
    postings, segments = PostingStore.postings, PostingStore.segments

    def read_postings(self, numbers, terms):
        found.append({*terms})
        return postings(self, numbers, found[-1])

    def read_segments(self):
        found.append("segments")
        return segments(self)

    monkeypatch.setattr(PostingStore, "postings", read_postings)
    monkeypatch.setattr(PostingStore, "segments", read_segments)
    return found


@pytest.fixture
def file(webs, tmp_path):
    path = tmp_path / "index.db"
    pages = [webs.page("a", "red cat", links=["b"]), webs.page("b", "red dog"), webs.page("c", "cat", links=["b"])]
    webs.build(pages, path=path).close()
    return path


def scores(results):
    return [(hit.url, hit.score) for hit in results]


def test_the_terms_of_a_query_are_read_together_and_once(file, reads):
    with Engine(file) as engine:
        first = scores(engine.search("red cat dog"))
        assert reads[0] == "segments"
        assert {"red", "cat", "dog"} < reads[1]
        count = len(reads)
        assert scores(engine.search("red cat dog")) == first
        assert len(reads) == count
        engine.search("red cow")
        assert "cow" in reads[count]
        assert "red" not in set().union(*reads[count:])


def test_commits_that_do_not_touch_the_index_leave_the_cache_in_place(webs, file, reads):
    with Engine(file) as engine, Engine(file) as crawler:
        before = scores(engine.search("red cat"))
        count = len(reads)
        for number in range(3):
            webs.put(crawler, [webs.page(f"new{number}", "red cat", links=["a"])])  # fetched, not yet indexed
            assert scores(engine.search("red cat")) == before
        assert len(reads) == count
        crawler.index()
        assert len(engine.search("red cat")) == len(before) + 3
        assert len(reads) > count


def test_a_page_that_changed_or_is_gone_is_not_found_at_once(webs, file):
    with Engine(file) as engine, Engine(file) as crawler:
        assert len(engine.search("red")) == 2
        webs.put(crawler, [webs.page("a", "blue cat")])
        assert [hit.url for hit in engine.search("red")] == [webs.url("b")]


@pytest.mark.parametrize(
    "change",
    [
        lambda engine: engine.rank(damping=0.5),
        lambda engine: engine.ranking({"k1": 1.2}),
        lambda engine: engine.index(rebuild=True),
    ],
    ids=["rank", "settings", "rebuild"],
)
def test_ranking_settings_and_index_each_change_the_generation(file, change):
    with Engine(file) as engine, Engine(file) as writer:
        before, old = scores(engine.search("red cat")), engine.store.postings.generation()
        change(writer)
        assert engine.store.postings.generation() != old
        with Engine(file) as fresh:
            after = scores(fresh.search("red cat"))
        assert scores(engine.search("red cat")) == after
        assert len(before) == len(after)


def test_two_files_have_different_generations(webs, tmp_path):
    generations = set()
    for name in ("a", "b"):
        with webs.build([webs.page("a", "cat")], path=tmp_path / f"{name}.db") as engine:
            generations.add(engine.store.postings.generation())
    assert len(generations) == 2


def test_all_readers_of_a_file_share_one_cache(file, reads):
    with Engine(file) as engine:
        expected = scores(engine.search("cat"))
        count = len(reads)
        assert scores(engine.search("cat", settings={"k1": 1.2})) != expected
        assert len(reads) == count
    found = []

    def search():
        with Engine(file) as other:
            found.append(scores(other.search("cat")))

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert len(reads) == count


def small_cache(monkeypatch, size):
    """A cache of its own, with room for so many bytes."""
    monkeypatch.setattr(index_reader, "CACHE_BYTES", size)
    cache = LRUCache(size, index_reader._cache.getsizeof)
    monkeypatch.setattr(index_reader, "_cache", cache)
    return cache


WORDS = ["".join(letters) for letters in islice(product("bdgklm", "aeiou", "nrst", "aeiou"), 500)]


@pytest.fixture(scope="module")
def library(webs):
    """Sixty pages of 400 words."""
    dice = np.random.default_rng(3)
    return [webs.page(f"p{number}", " ".join(dice.choice(WORDS, 400))) for number in range(60)]


def test_the_cache_is_bounded_whatever_is_searched(webs, library, monkeypatch):
    with webs.build(library) as engine:
        queries = [f'"{first} {second}" {first}' for first, second in pairwise(WORDS[:50])]
        expected = [scores(engine.search(query, snippets=False)) for query in queries]
        cache = small_cache(monkeypatch, 100_000)
        assert [scores(engine.search(query, snippets=False)) for query in queries] == expected
        assert 50_000 < cache.currsize <= 100_000


def test_what_does_not_fit_into_the_cache_is_read_each_time(webs, library, monkeypatch):
    with webs.build(library) as engine:
        expected = scores(engine.search(f"{WORDS[0]} {WORDS[1]}"))
        cache = small_cache(monkeypatch, 100)
        assert scores(engine.search(f"{WORDS[0]} {WORDS[1]}")) == expected
        assert not cache


def test_the_cache_takes_little_more_memory_than_it_counts(webs, library, monkeypatch):
    with webs.build(library) as engine:
        engine.search("warm up")
        cache = small_cache(monkeypatch, 10_000_000)
        tracemalloc.start()
        try:
            for first, second in pairwise(WORDS[:120]):
                engine.search(f'"{first} {second}"', snippets=False)
            taken, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert taken < 2 * cache.currsize


def test_the_pages_of_several_files_are_numbered_anew_when_one_of_them_grows(webs, tmp_path):
    for name in ("1", "2"):
        webs.build([webs.page(f"{name}/a", f"cat number{name}")], path=tmp_path / f"{name}.db").close()
    with Engine(str(tmp_path / "*.db")) as several, Engine(tmp_path / "1.db") as first:
        before = scores(several.search("cat"))
        assert len(before) == 2
        webs.put(first, [webs.page("1/b", "not yet indexed")])
        assert scores(several.search("cat")) == before
