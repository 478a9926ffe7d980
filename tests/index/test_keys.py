"""Words are put in the order of the index by sorting or by counting, and it is the same order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.index import invert as inverting
from minisearch.index import keys, planes
from minisearch.index.invert import Document, invert
from minisearch.native.loops import compiled

pytestmark = pytest.mark.skipif(not compiled, reason="nothing is compiled")

words = st.sampled_from(["cat", "Cats", "os.path", "C++", "ruža", "検索器", "_", "a.a.a", "a-a", "-", "\n"])
texts = st.lists(words, max_size=8).map(" ".join)
tags = st.sampled_from(["", "en", "sr-Latn", "tlh"])
documents = st.lists(st.builds(Document, st.just(0), st.tuples(texts, texts, texts, texts), tags), max_size=6)


def rows(monkeypatch, made, order, pack):
    monkeypatch.setattr(inverting, "in_order", order)
    monkeypatch.setattr("minisearch.index.pack.in_planes", pack)
    return list(invert(made).rows)


@given(documents)
def test_counting_gives_what_sorting_gives(made):
    with pytest.MonkeyPatch.context() as patch:
        assert rows(patch, made, keys.by_counting, planes.term_by_term) == rows(
            patch, made, keys.by_sorting, planes.all_at_once
        )


def test_what_stands_beyond_the_last_place_counts_as_standing_there():
    long = "a.b " * (keys.LAST_PLACE // 2 + 3)
    with pytest.MonkeyPatch.context() as patch:
        made = [Document(0, ("", "", "", long), "en")]
        assert rows(patch, made, keys.by_counting, planes.term_by_term) == rows(
            patch, made, keys.by_sorting, planes.all_at_once
        )


def numbers(*values):
    return np.array(values, dtype=np.int32)


@given(st.lists(st.lists(st.integers(0, 9), max_size=9), max_size=120))
def test_one_by_one_or_at_once_chunks_are_counted_alike(told):
    runs = [keys.Run(numbers(*chunks), np.array([len(chunks)]), numbers(0)) for chunks in told]
    assert keys.counted_one_by_one(runs, 10).tolist() == keys.counted_at_once(runs, 10).tolist()


@pytest.mark.parametrize("chunk", [-1, 3])
def test_a_chunk_that_nobody_knows_is_not_counted(chunk):
    with pytest.raises(ValueError, match="nobody knows"):
        keys.counted_one_by_one([keys.Run(numbers(0, chunk), np.array([2]), numbers(0))], 3)


@pytest.mark.parametrize(
    ("run", "terms", "room"),
    [
        ((numbers(7), np.array([1]), numbers(0)), numbers(0), 9),  # a chunk that nobody knows
        ((numbers(0), np.array([2]), numbers(0)), numbers(0), 9),  # a text longer than all chunks
        ((numbers(0), np.array([1]), numbers(0)), numbers(3), 9),  # a term that nobody counted
        ((numbers(0, 0), np.array([2]), numbers(0)), numbers(0), 1),  # more words than were counted
        ((numbers(0), np.array([1]), numbers()), numbers(0), 9),  # a text without a number
    ],
)
def test_what_does_not_belong_together_is_refused(run, terms, room):
    columns = (numbers(0), numbers(1), numbers(1), terms, numbers(0))
    with pytest.raises(ValueError, match="room"):
        compiled.spread_words([run], *columns, np.zeros(1, dtype=np.int64), np.zeros(room, dtype=np.int64))


def test_a_chunk_with_terms_that_are_not_there_is_refused():
    columns = (numbers(0), numbers(2), numbers(1), numbers(0), numbers(0))
    with pytest.raises(ValueError, match="not there"):
        compiled.count_terms(np.ones(1, dtype=np.int64), *columns, np.zeros(2, dtype=np.int64))
