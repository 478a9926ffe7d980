import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.text.chunks import chunks
from minisearch.text.spellings import LONGEST, MARK, SHORTEST, by_table, by_words, spellings
from minisearch.text.terms import analyzer


def told(text):
    return {word: written or word for word, _, written in counted(chunks(text))}


def counted(pieces):
    return list(spellings(pieces, [1] * len(pieces)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pruning roses. PRUNING pruning", {"pruning": "pruning", "roses": "roses"}),
        ("Python", {"python": "python"}),  # it may have begun a sentence
        ("JSON json.JSONDecoder() ThreadPoolExecutor", ["JSON", "json.JSONDecoder", "ThreadPoolExecutor"]),
        ("snake_case utf-8 don't", ["snake_case", "utf-8", "don't"]),
        ("café Ruža мачка", {"cafe": "café", "ruza": "ruža", "мачка": "мачка"}),
        ("3.11 42 of a __ ... -- 検索器", {}),
        ("x" * (LONGEST + 1), {}),
    ],
)
def test_words_are_kept_as_people_write_them(text, found):
    assert told(text) == (found if isinstance(found, dict) else {word.lower(): word for word in found})


def test_words_are_counted_whatever_their_case():
    assert list(spellings([b"Rose", b"rose", b"ROSE."], [2, 3, 1])) == [("rose", 6, "")]


@given(st.text())
def test_any_text_has_spellings_that_no_term_has(text):
    words = counted(chunks(text))
    assert words == sorted(words)
    assert all(SHORTEST <= len(word) <= LONGEST for word, _, _ in words)
    assert not any(term.startswith(MARK) for term in analyzer("en").terms(text)[0])


letters = st.text("aAbBzZ019_.'-+#éÉßſKЂ検") | st.sampled_from(
    ["cafe", "Café", "CAFE", ".NET", "a.b", "A.B", "3.11x", "x" * 41]
)
counted_pieces = st.lists(st.tuples(letters.map(str.encode), st.integers(0, 3)), max_size=30)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@given(counted_pieces)
@example([(b"Cafe", 1), ("Café".encode(), 1), (b"CAFE", 2), (b"cafe.", 1)])
@example([(b"ABC", 1), (b"AbC", 1), (b"abc", 1), (b"Os.Path", 1), (b"1234567a", 1), (b"12345678a", 1)])
def test_spellings_are_the_same_when_compiled(counted):
    pieces, counts = [piece for piece, _ in counted], [count for _, count in counted]
    assert by_table(pieces, counts) == by_words(pieces, counts)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("pieces", "counts", "longest", "error"),
    [
        ([b"cat"], [], 40, ValueError),  # it was not counted
        ([b"cat"], [1], 300, ValueError),  # there is no room for such words
        (["cat"], [1], 40, TypeError),
    ],
)
def test_what_cannot_be_spelled_is_refused(pieces, counts, longest, error):
    with pytest.raises(error):
        compiled.spelled(pieces, np.array(counts, dtype=np.int64), [], 3, longest, 0)
