"""Sites and languages of the answers, counted; and whether the first of them is clearly first."""

import pytest

from minisearch.records import Hit
from minisearch.search.lucky import nearly_tied


def test_every_answer_is_counted_once_by_site_and_once_by_language(garden):
    found = garden.engine.search("garden", facets=True)
    assert sum(count for _, count in found.sites) == found.total
    assert sum(count for _, count in found.languages) == found.total
    assert [site for site, _ in found.sites] == [garden.home.split("/")[2]]
    counts = [count for _, count in found.languages]
    assert counts == sorted(counts, reverse=True)


def test_a_count_is_what_the_filter_leaves(garden):
    found = garden.engine.search("garden OR башта OR vrt", facets=True)
    assert len(found.languages) > 1
    for language, count in found.languages:
        assert garden.engine.search(f"(garden OR башта OR vrt) lang:{language}").total == count


def test_nothing_is_counted_unasked_or_in_an_empty_file(garden, engine):
    assert garden.engine.search("garden").sites == ()
    assert engine.search("garden", facets=True).languages == ()


def hit(score, all_words=True):
    return Hit("http://a/", "", score, score, 1.0, "", all_words=all_words)


@pytest.mark.parametrize(
    ("hits", "tied"),
    [
        ([], False),
        ([hit(5)], False),
        ([hit(5), hit(5)], True),
        ([hit(5), hit(4.9)], True),
        ([hit(5), hit(4)], False),
        ([hit(5), hit(4.9, all_words=False)], False),
    ],
)
def test_two_are_nearly_tied_if_little_lies_between_them(hits, tied):
    assert nearly_tied(hits) is tied
