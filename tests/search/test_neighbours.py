from collections import Counter
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.search import bm25, neighbours, spots
from minisearch.search.clauses import Variant, Word
from minisearch.search.neighbours import counted, gained
from minisearch.search.occurrences import Heard
from minisearch.search.recipe import DEFAULT, FIELDS
from minisearch.search.snapshot import Snapshot

needs_it = pytest.mark.skipif(not compiled, reason="nothing is compiled")


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


@needs_it
@pytest.mark.parametrize("field", ["", "body", "title"])
@pytest.mark.parametrize("rows", ROWS)
def test_compiled_or_not_the_same_is_gained(snapshot, rows, field, monkeypatch):
    pairs = pairs_of(snapshot, *rows, field=field)
    for numbers in SOME:
        pages = np.array(numbers)
        found = neighbours._looked_for(snapshot, pairs, pages)
        with monkeypatch.context() as patch:
            patch.setattr(neighbours, "compiled", None)
            assert neighbours._looked_for(snapshot, pairs, pages).tolist() == found.tolist()


some_spots = st.sets(st.builds(spots.spot, st.integers(0, 5), st.integers(0, 7), st.integers(0, 4)), max_size=60).map(
    sorted
)
spot_pairs = st.lists(st.tuples(some_spots, some_spots, st.floats(0, 9)), min_size=1, max_size=4)
fields_told = st.tuples(
    st.floats(0, 9),
    st.lists(st.integers(0, 255), min_size=6, max_size=6),
    st.floats(0.1, 300),
    st.floats(0, 1),
)


@needs_it
@given(
    spot_pairs,
    st.lists(fields_told, min_size=5, max_size=5),
    st.floats(0.001, 99),
    st.sampled_from(["u1", "u2", "u4", "i8"]),
)
def test_compiled_or_not_spots_gain_the_same(drawn, fields, k1, kind):
    lengths = [np.array(each, dtype=kind) for _, each, _, _ in fields]
    pages = np.arange(6)
    told = [(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), idf) for first, second, idf in drawn]
    given_fields = [(share, column, mean, b) for (share, _, mean, b), column in zip(fields, lengths, strict=True)]
    found = compiled.neighbours(told, pages, given_fields, k1)
    expected = []
    for first, second, idf in told:
        cells = Counter((spots.following(first, second) >> 21).tolist())
        row = [0.0] * 6
        for cell, often in sorted(cells.items()):
            if cell & 7 < 5:
                share, _, average, b = fields[cell & 7]
                norms = bm25.norms(lengths[cell & 7][[cell >> 3]].astype(np.int64), average, b, k1)
                row[cell >> 3] += share * idf * float(bm25.saturation(np.array([often]), norms, k1)[0])
        expected.append(row)
    assert found is not None
    assert np.frombuffer(found).reshape(len(told), 6).tolist() == expected


ones = np.ones(1, dtype=np.int64)
length = (1.0, np.ones(6, dtype=np.uint8), 1.0, 0.5)


@needs_it
@pytest.mark.parametrize(
    "wrong",
    [
        ([1], ones, [length], 1.0),
        ([(ones, ones)], ones, [length], 1.0),
        ([(ones.astype(np.int32), ones, 1.0)], ones, [length], 1.0),
        ([(ones, ones.astype(float), 1.0)], ones, [length], 1.0),
        ([(ones, 2 * ones, 1.0)], ones, [length], 1.0),  # on page 0, which was not asked for
        ([(ones, 2 * ones, 1.0)], 0 * ones, [(1.0, np.ones(0, dtype=np.uint8), 1.0, 0.5)], 1.0),
        ([], ones, [1], 1.0),
        ([], ones, [length] * 9, 1.0),
        ([], ones, [(1.0, ones.astype(float), 1.0, 0.5)], 1.0),
        ([], ones.astype(np.int32), [length], 1.0),
    ],
)
def test_spots_that_cannot_be_are_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.neighbours(*wrong)
    assert compiled.neighbours([(ones, 2 * ones, 1.0)], 0 * ones, [length], 1.0) is not None
    assert compiled.neighbours([(np.array([2, 2]), ones, 1.0)], 0 * ones, [length], 1.0) is None


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


numbers = st.integers(0, 5)
gains = st.dictionaries(numbers, st.floats(0, 9))


@needs_it
@given(st.lists(gains, min_size=1, max_size=4), st.lists(numbers, max_size=6), st.sampled_from(["i4", "i8"]))
def test_what_is_known_is_added_up_alike(known, pages, kind):
    told = compiled.gained(known, np.array(pages, dtype=kind))
    lacking = any(page not in one for one in known for page in pages)
    assert (told is None) == lacking
    if told is not None:
        assert np.frombuffer(told).tolist() == [reduce(add, (one[page] for one in known)) for page in pages]


@needs_it
@pytest.mark.parametrize("wrong", [([None], np.zeros(1, int)), ([{0: 1.0}], np.zeros(1)), (None, np.zeros(1, int))])
def test_what_nobody_gains_is_refused(wrong):
    with pytest.raises(TypeError):
        compiled.gained(*wrong)
