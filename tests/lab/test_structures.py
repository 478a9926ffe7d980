"""The structures of an index agree with one another, and are timed."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab.structures import PUBLISHED, STRUCTURES, cut, library_pages, measure, spreads

ORACLES = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text("utf-8"))["oracles"]
BY_ID = {oracle["id"]: oracle for oracle in ORACLES}

words = st.text("abcdé", min_size=1, max_size=3)
collections = st.lists(st.lists(words, max_size=12).map(" ".join), max_size=6)


@given(texts=collections)
def test_all_structures_find_the_same(texts):
    pages = [(f"page {number}", text) for number, text in enumerate(texts)]
    built = []
    for make in STRUCTURES.values():
        structure = make()
        assert structure.build(pages, lambda: False) == len(pages)
        built.append(structure)
    for word in {*" ".join(texts).split(), "nowhere"}:
        assert {structure.lookup(word) for structure in built} == {" ".join(texts).split().count(word)}


def test_each_structure_is_timed_on_each_size():
    pages = library_pages(20, words=40)
    found = list(measure(pages, sizes=(10, 20)))
    assert [(timing.structure, timing.pages) for timing in found] == [
        (name, size) for size, name in itertools.product((10, 20), STRUCTURES)
    ]
    assert all(not timing.stopped and timing.lookup is not None and timing.build >= 0 for timing in found)
    assert all(timing.words <= 40 * timing.pages for timing in found)


def test_the_published_times_stand_beside_ours():
    table = BY_ID["004-timing"]["printed"]
    for name, key in (("hash table, sum of letters", "list_seconds"), ("Python map", "map_seconds")):
        assert PUBLISHED[name] == dict(zip(table["pages"], table[key], strict=True))
    timing = next(t for t in measure(library_pages(10, 5), sizes=(10,)) if t.structure == "Python map")
    assert timing.published == 0.022313


def test_what_takes_too_long_is_stopped_and_says_so():
    ticks = itertools.count()
    found = list(measure(library_pages(10, 5), sizes=(10,), patience=3, clock=lambda: float(next(ticks))))
    assert all(timing.stopped and timing.lookup is None and 0 < timing.done < 10 for timing in found)


def test_there_must_be_enough_pages():
    with pytest.raises(BadInput, match="there are 3 pages to index, not 10"):
        list(measure(library_pages(3, 5), sizes=(10,)))


def test_the_bad_hash_spreads_words_worse_than_the_better_one():
    bad, better = spreads(library_pages(100, 200))
    assert sum(bad.counts) == sum(better.counts)
    assert bad.chi_square > 10 * better.chi_square
    for spread, oracle in ((bad, "004-hash-bad"), (better, "004-hash-better")):
        expected = BY_ID[oracle]["expected"]
        low, high, chi = spread.published
        assert (low, high) == (expected["min"], expected["max"])
        assert chi == pytest.approx(expected["chi_square"], abs=0.005)


def test_library_pages_are_the_same_every_time_and_short():
    pages = library_pages(12, words=30)
    assert pages == library_pages(12, words=30)
    assert len(pages) == 12
    assert all(0 < len(text.split()) <= 30 for _, text in pages)


def test_pages_without_words_are_left_out():
    assert cut([("a", "one two three"), ("b", " ")], 2) == [("a", "one two")]
