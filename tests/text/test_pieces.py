"""Plain chunks are cut into words by short cuts, compiled or not, as token by token."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.text.chunks import CUTS
from minisearch.text.pieces import CompiledWords, Words, token_by_token, words
from minisearch.text.terms import speller
from minisearch.text.words import LONGEST

both = pytest.mark.parametrize(
    "make", [Words, pytest.param(CompiledWords, marks=pytest.mark.skipif(not compiled, reason="nothing is compiled"))]
)
letters = st.text("abAB1_.'-+#é", min_size=1, max_size=9) | st.sampled_from(["a" * LONGEST, "aB" * 40, "_", "__x__"])
chunks = st.lists(letters.map(str.encode), max_size=8)


def told(make, *batches):
    """For each batch which chunks are plain, and (words, places, span) of each of those."""
    cutter, known, found = make(), [], []
    for batch in batches:
        plain, pieces, fresh = cutter.cut(batch)
        known += fresh
        numbers, places = iter(pieces.words.tolist()), iter(pieces.places.tolist())
        made = [
            ([known[next(numbers)] for _ in range(count)], [next(places) for _ in range(count)], span)
            for count, span in zip(pieces.counts.tolist(), pieces.spans.tolist(), strict=True)
        ]
        found.append((plain.tolist(), made))
    assert len(set(known)) == len(known)
    return found


@both
def test_a_chunk_has_its_parts_and_stands_whole_where_it_begins(make):
    batch = [b"ThreadPool.map", b"(", b"HTTPServer", b"'Tis.", b"__init__", b"_", b"C++", b"don't", b"a..b"]
    assert told(make, batch) == [
        (
            [True, False, True, True, True, True, False, True, False],
            [
                (["thread", "threadpool.map", "pool", "map"], [0, 0, 1, 2], 3),
                (["http", "httpserver", "server"], [0, 0, 1], 2),
                (["tis"], [0], 1),
                (["init", "__init__"], [0, 0], 1),
                ([], [], 0),
                (["don't"], [0], 1),
            ],
        )
    ]


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@given(chunks, chunks)
@example([b"\0", b"", b"\xff\xfe", b"'" * 70, b"x" * (LONGEST + 1)], [b"-", b"+a", b"a+"])
def test_compiled_or_not_chunks_are_cut_alike(some, more):
    assert told(CompiledWords, some, more) == told(Words, some, more)


@both
@given(batch=chunks)
def test_what_is_plain_is_cut_as_token_by_token(make, batch):
    ((plain, made),) = told(make, batch)
    for chunk, (found, places, span) in zip([c for c, p in zip(batch, plain, strict=True) if p], made, strict=True):
        assert chunk.translate(CUTS) == chunk
        pieces, terms = token_by_token([chunk], speller(""))
        assert (found, places, [span]) == (terms, pieces.places.tolist(), pieces.spans.tolist())


def test_the_compiled_ones_are_taken_if_they_are_at_hand():
    assert isinstance(words(), CompiledWords if compiled else Words)
