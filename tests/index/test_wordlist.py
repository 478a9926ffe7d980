"""The word list: words as people write them, with their usual spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.index import wordlist
from minisearch.index.builder import Document, build_segment
from minisearch.index.wordlist import LONGEST, SHORTEST, count_words


def words(*texts):
    """The word list of pages with these texts."""
    return build_segment([Document(page, ("", "", "", text)) for page, text in enumerate(texts, 1)]).words


def spellings(text):
    return {word: spelling or word for word, _, spelling in words(text)}


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
        ("é" * (LONGEST + 1), {}),
    ],
)
def test_words_are_listed_as_people_write_them(text, found):
    assert spellings(text) == (found if isinstance(found, dict) else {word.lower(): word for word in found})


def test_words_are_counted_whatever_their_case():
    assert count_words([(b"Rose", 2), (b"rose", 3), (b"ROSE.", 1)]) == [("rose", 6, "")]


def test_the_usual_spelling_is_the_most_frequent_one():
    assert count_words([(b"JSON", 3), (b"json", 2), (b"Json", 9)]) == [("json", 14, "")]
    assert count_words([(b"JSON", 3), (b"json", 2)]) == [("json", 5, "JSON")]
    assert count_words([(b"JSON", 2), (b"json", 2)]) == [("json", 4, "")]


def test_words_of_all_fields_and_languages_are_counted():
    documents = [
        Document(1, ("Roses", "roses", "/roses.html", "roses"), "en"),
        Document(2, ("", "", "", "roses"), "sr"),
    ]
    assert ("roses", 4, "") in build_segment(documents).words


def test_of_very_many_words_those_that_occur_once_are_left_out(monkeypatch):
    text = "roses roses rose os.path os.path pruning_roses " + "snake_case " * wordlist.FEW
    assert [word for word, _, _ in words(text)] == ["os.path", "pruning_roses", "rose", "roses", "snake_case"]
    monkeypatch.setattr(wordlist, "MANY", 4)
    assert [word for word, _, _ in words(text)] == ["roses", "snake_case"]


@given(st.text())
def test_any_text_has_a_sorted_word_list(text):
    found = words(text)
    assert found == sorted(found)
    assert len({word for word, _, _ in found}) == len(found)
    assert all(SHORTEST <= len(word) <= LONGEST and occurrences > 0 for word, occurrences, _ in found)
    assert all(spelling != word for word, _, spelling in found)
