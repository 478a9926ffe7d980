import numpy as np
import pytest

from minisearch.search.query import Word
from minisearch.search.snapshot import Snapshot


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

        def find(self, *terms):
            where = self.snapshot.find(Word(terms[0], terms))
            found = {self.paths[number]: {} for number in where.docs}
            for field, (docs, counts) in where.fields.items():
                for number, count in zip(docs.tolist(), counts.tolist(), strict=True):
                    found[self.paths[number]][field] = count
            assert where.df == len(found)
            return found

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
    assert (seen.snapshot.size, seen.snapshot.languages, seen.find("cat")) == (0, [], {})
    assert set(seen.snapshot.averages.values()) == {0.0}
