"""Plain chunks are cut into words by short cuts as token by token."""

from hypothesis import given
from hypothesis import strategies as st

from minisearch.text.chunks import CUTS
from minisearch.text.pieces import Words, token_by_token
from minisearch.text.terms import speller
from minisearch.text.words import LONGEST

letters = st.text("abAB1_.'-+#é", min_size=1, max_size=9) | st.sampled_from(["a" * LONGEST, "aB" * 40, "_", "__x__"])
chunks = st.lists(letters.map(str.encode), max_size=8)


def told(*batches):
    """For each batch which chunks are plain, and (words, places, span) of each of those."""
    cutter, known, found = Words(), [], []
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


def test_a_chunk_has_its_parts_and_stands_whole_where_it_begins():
    batch = [b"ThreadPool.map", b"(", b"HTTPServer", b"'Tis.", b"__init__", b"_", b"C++", b"don't", b"a..b"]
    assert told(batch) == [
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


@given(batch=chunks)
def test_what_is_plain_is_cut_as_token_by_token(batch):
    ((plain, made),) = told(batch)
    for chunk, (found, places, span) in zip([c for c, p in zip(batch, plain, strict=True) if p], made, strict=True):
        assert chunk.translate(CUTS) == chunk
        pieces, terms = token_by_token([chunk], speller(""))
        assert (found, places, [span]) == (terms, pieces.places.tolist(), pieces.spans.tolist())
