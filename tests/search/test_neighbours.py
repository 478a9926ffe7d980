from itertools import pairwise

import numpy as np
import pytest

from minisearch.search.clauses import Variant, Word
from minisearch.search.neighbours import counted, gained
from minisearch.search.occurrences import Heard
from minisearch.search.recipe import DEFAULT, FIELDS
from minisearch.search.snapshot import Snapshot


@pytest.fixture
def snapshot(webs):
    first = webs.page("cat", "cat dog cat", title="A dog cat", links=[("p9", "dog cat"), ("p140", "cat dog")])
    pages = (webs.page(f"p{n}", "dog " * (n % 3) + "cat dog " * (n % 5)) for n in range(150))
    return Snapshot(webs.build([first, *pages]).store)


def pairs_of(snapshot, *rows, field=""):
    """The neighbours in rows of words; a comma stands between the terms of one word."""
    found = []
    for row in rows:
        words = [Word(text, tuple(map(Variant, text.split(",")))) for text in row.split()]
        heard = [Heard(word, field, (where := snapshot.find(word, field)), where.idf, 1.0) for word in words]
        found += pairwise(heard)
    return found


ROWS = [["dog cat"], ["cat dog", "dog cat"], ["cat,dog cow cat"], ["dog dog", "cat,dog cat"]]
SOME = [[4, 9, 30], [0, 4, 9], [1, 2, 3, 4], list(range(151)), list(range(0, 151, 9))]


@pytest.mark.parametrize("field", ["", "body", "title"])
@pytest.mark.parametrize("rows", ROWS)
def test_neighbours_are_counted_as_their_places_tell(snapshot, rows, field):
    pairs = pairs_of(snapshot, *rows, field=field)
    for numbers in SOME:
        pages = np.array(numbers)
        plain = np.zeros((len(pairs), len(numbers), len(FIELDS)), dtype=int)
        for row, (first, second) in enumerate(pairs):
            before, after = (set(snapshot.spots((one.where, pages))[0].tolist()) for one in (first, second))
            for spot in after & {spot + 1 for spot in before}:
                plain[row, numbers.index(spot >> 24), spot >> 21 & 7] += 1
        assert counted(snapshot, pairs, pages).tolist() == plain.tolist()


@pytest.mark.parametrize("rows", ROWS)
def test_what_is_gained_is_the_same_whatever_was_looked_at_before(snapshot, rows):
    pairs = pairs_of(snapshot, *rows)
    for numbers in SOME:
        pages = np.array(numbers)
        plain = np.zeros(len(numbers))
        for (first, second), table in zip(pairs, counted(snapshot, pairs, pages), strict=True):
            for name, counts in zip(FIELDS, table.T, strict=True):
                share = DEFAULT.neighbours[name] * min(first.idf, second.idf)
                plain += share * snapshot.scale.saturation(name, counts, pages)
        assert gained(snapshot, pairs, pages) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("name", ["neighbours.body", "k1", "blend"])
def test_with_another_recipe_it_is_worked_out_anew(snapshot, name):
    pages = np.arange(9)
    before = gained(snapshot, pairs_of(snapshot, "dog cat"), pages)
    other = snapshot.by(DEFAULT.changed({name: 0.9}))
    after = gained(other, pairs_of(other, "dog cat"), pages)
    assert before.any()
    assert (after == before).all() == (name == "blend")
    assert (gained(snapshot, pairs_of(snapshot, "dog cat"), pages) == before).all()


def test_what_was_gained_is_weighed(snapshot):
    pair = pairs_of(snapshot, "dog cat")
    gained(snapshot, pair, np.arange(150))
    ((kept, _),) = snapshot._gains._found.values()
    assert set(kept) == set(range(150))
    assert kept.memory() > 10_000
