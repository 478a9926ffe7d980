import numpy as np
import pytest

from minisearch.search.clauses import Variant, Word
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import spot_doc, spot_field, spot_place
from minisearch.store.postings import PostingStore


@pytest.fixture
def look(webs):
    """A snapshot of batches of pages, which shows for a term {path: {field: how often}}."""

    class Look:
        def __init__(self, *batches):
            self.engine = webs.build(*batches)
            self.snapshot = Snapshot(self.engine.store)

        def again(self):
            self.snapshot = Snapshot(self.engine.store)
            return self

        @property
        def paths(self):
            stored = self.engine.store.pages.get(self.snapshot.pages.tolist())
            return [stored[number].url.rsplit("/", 1)[1] for number in self.snapshot.pages.tolist()]

        def word(self, *terms):
            variants = (
                Variant(term) if isinstance(term, str) else Variant(term[0], frozenset(term[1:])) for term in terms
            )
            return Word("", tuple(variants))

        def find(self, *terms, field=""):
            where = self.snapshot.find(self.word(*terms), field)
            found = {self.paths[number]: {} for number in np.flatnonzero(where.mask)}
            for field, (docs, counts) in where.fields.items():
                for number, count in zip(docs.tolist(), counts.tolist(), strict=True):
                    found[self.paths[number]][field] = count
            assert where.df == len(found)
            return found

        def places(self, *terms, field="", wanted=None):
            """[(path, field, place)] of a term, in order."""
            where = self.snapshot.find(self.word(*terms), field)
            numbers = [number for number, path in enumerate(self.paths) if wanted is None or path in wanted]
            (spots,) = self.snapshot.spots((where, np.array(numbers, dtype=np.int64)))
            assert (np.diff(spots) > 0).all()
            columns = (spot_doc(spots), spot_field(spots), spot_place(spots).tolist())
            return [(self.paths[doc], FIELDS[field], place) for doc, field, place in zip(*columns, strict=True)]

    return Look


def test_a_word_is_found_in_every_field_with_its_count(webs, look):
    seen = look(
        [
            webs.page("cat", "cat cat dog", title="Cats", headings=["a cat", "cat, cat"]),
            webs.page("b", "dog", links=[("cat", "a cat"), ("cat", "cat"), ("b", "cat")]),
        ]
    )
    assert seen.find("cat") == {"cat": {"title": 1, "headings": 3, "url": 1, "body": 2, "anchor": 2}}
    assert seen.find("dog") == {"cat": {"body": 1}, "b": {"body": 1}}
    assert seen.find("cow") == {}


def test_pages_of_all_segments_are_numbered_together(webs, look):
    seen = look([webs.page("a", "cat")], [webs.page("b", "cat dog"), webs.page("c", "dog")])
    assert seen.paths == ["a", "b", "c"]
    assert seen.find("cat") == {"a": {"body": 1}, "b": {"body": 1}}
    assert seen.snapshot.lengths["body"].tolist() == [1, 2, 1]
    assert seen.snapshot.averages["body"] == pytest.approx(4 / 3)


def test_only_the_newest_version_of_a_page_counts(webs, look):
    many = [webs.page(f"p{number}", "cat") for number in range(9)]
    seen = look([*many, webs.page("a", "cat cat")], [webs.page("a", "dog")])
    assert len(seen.paths) == 10
    assert seen.find("dog") == {"a": {"body": 1}}
    assert "a" not in seen.find("cat")


def test_a_page_fetched_anew_is_out_until_it_is_indexed_anew(webs, look):
    seen = look([webs.page("a", "cat", links=[("b", "cat")]), webs.page("b", "dog")])
    webs.put(seen.engine, [webs.page("b", "cow")])
    assert seen.again().paths == ["a"]
    assert seen.find("cat") == {"a": {"body": 1}}
    assert (seen.find("dog"), seen.find("cow")) == ({}, {})
    seen.engine.index()
    assert seen.again().find("cow") == {"b": {"body": 1}}


def test_the_terms_of_one_word_in_two_languages_add_up(webs, look):
    seen = look(
        [
            webs.page("a", "gardens garden", language="en"),
            webs.page("b", "gardens garden", language="tlh", links=[("a", "gardens")]),
        ]
    )
    assert seen.snapshot.languages == ["en", "tlh"]
    assert seen.find("garden", "gardens") == {"a": {"body": 2, "anchor": 1}, "b": {"body": 2}}
    assert seen.find("gardens") == {"a": {"anchor": 1}, "b": {"body": 1}}


def test_a_term_counts_only_on_pages_by_whose_rules_it_was_made(webs, look):
    seen = look(
        [webs.page("a", "gardens garden", language="en"), webs.page("b", "gardens garden", language="tlh")],
        [webs.page("c", "garden", language="tlh")],
    )
    assert seen.find(("garden", "en")) == {"a": {"body": 2}}
    assert seen.find(("garden", "en"), ("gardens", "tlh")) == {"a": {"body": 2}, "b": {"body": 1}}
    assert seen.find(("garden", "en", "tlh")) == {"a": {"body": 2}, "b": {"body": 1}, "c": {"body": 1}}


def test_a_word_can_be_looked_for_in_one_field(webs, look):
    seen = look([webs.page("cat", "cat cat", title="Cats", links=[("b", "cat")]), webs.page("b", "cat")])
    assert seen.find("cat", field="title") == {"cat": {"title": 1}}
    assert seen.find("cat", field="anchor") == {"b": {"anchor": 1}}
    assert seen.find("cat", field="headings") == {}


def test_places_are_told_by_page_field_and_order(webs, look):
    seen = look(
        [webs.page("a", "a cat and a cat", title="Cats", headings=["one cat", "cats"], links=[("b", "my cat")])],
        [webs.page("b", "cat")],
    )
    on_a = [("a", "title", 0), ("a", "headings", 1), ("a", "headings", 3), ("a", "body", 1), ("a", "body", 4)]
    assert seen.places("cat") == [*on_a, ("b", "body", 0), ("b", "anchor", 1)]
    assert seen.places("cat", wanted="a") == on_a
    assert seen.places("cat", field="headings") == on_a[1:3]
    assert seen.places("cat", wanted="") == seen.places("cow") == []


def test_pages_are_told_apart_by_language_and_site(webs, look):
    seen = look([webs.page("a", language="en-GB"), webs.page("b", language="hr")], [webs.page("deep/c", language="sr")])
    assert seen.snapshot.in_languages(("sr",)).tolist() == [False, False, True]
    assert seen.snapshot.in_languages(("en", "sr-Cyrl")).tolist() == [True, False, True]
    assert seen.snapshot.in_languages(("sh",)).tolist() == [False, True, True]
    assert seen.snapshot.in_languages(("fr",)).tolist() == [False, False, False]
    assert seen.snapshot.sites.on(("site",)).tolist() == [True, True, True]
    assert seen.snapshot.sites.on(("site/deep", "elsewhere")).tolist() == [False, False, True]


def test_a_folder_of_a_site_is_what_stands_below_it_whatever_the_case(webs, look):
    seen = look([webs.page(path) for path in ("docs", "Docs/a", "docs?b", "docs-c", "docsd", "e/docs", "docs/f/g")])
    below = {"site/docs": "docs a docs?b g", "http://SITE/DOCS/": "docs a docs?b g", "site/docs/f": "g", "te": ""}
    for site, paths in below.items():
        on = np.flatnonzero(seen.snapshot.sites.on((site,)))
        assert [seen.paths[number] for number in on] == paths.split()


def test_the_languages_are_those_of_the_words_about_pages_too(webs, look):
    seen = look([webs.page("a", "cat", links=["b"]), webs.page("b", "dog", language="en")])
    assert seen.snapshot.languages == ["en"]
    webs.put(seen.engine, [webs.page("c", links=[("b", "мачка")], language="sr", noindex="a rule")])
    seen.engine.index()
    assert seen.again().snapshot.languages == ["en", "sr"]


def test_a_page_that_only_others_speak_about_is_found(webs, look):
    seen = look([webs.page("a", links=[("b", "the best cats")]), webs.page("b")])
    assert seen.find("cat") == {"b": {"anchor": 1}}


def test_pages_without_a_rank_have_no_prior(webs, look):
    seen = look([webs.page("a", links=["b"]), webs.page("b")])
    assert seen.snapshot.prior.tolist() == [0, 1]
    webs.put(seen.engine, [webs.page("c", "new")])
    seen.engine.index()
    seen.again()
    assert np.isnan(seen.snapshot.ranks).tolist() == [False, False, True]
    assert seen.snapshot.prior.tolist() == [0, 1, 0]


def test_without_pages_there_is_nothing(look):
    seen = look([])
    assert (seen.snapshot.size, seen.snapshot.languages, seen.find("cat"), seen.places("cat")) == (0, [], {}, [])
    assert set(seen.snapshot.averages.values()) == {0.0}


def test_what_is_asked_for_together_is_read_together_and_once(webs, monkeypatch):
    with webs.build([webs.page("a", "red cat"), webs.page("b", "red dog"), webs.page("c", "cat")]) as engine:
        asked = []
        docs = PostingStore.docs
        monkeypatch.setattr(PostingStore, "docs", lambda self, *given: asked.append(given[1]) or docs(self, *given))
        first = engine.search("red cat dog").hits
        assert len(asked) == 1
        assert {"red", "cat", "dog"} < set(asked[0])
        assert [hit.score for hit in engine.search("red cat dog").hits] == [hit.score for hit in first]
        assert len(asked) == 1
        engine.search("red cow")
        assert "cow" in asked[1]
        assert "red" not in asked[1]
