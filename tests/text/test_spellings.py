import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.text.chunks import chunks
from minisearch.text.spellings import LONGEST, MARK, SHORTEST, spellings
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
