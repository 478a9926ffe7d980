from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.index import invert as inverting
from minisearch.index.invert import MOST_PAGES, Document, invert
from minisearch.index.keys import LAST_PLACE
from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, unpack, unpack_positions
from minisearch.text.names import names, title_names
from minisearch.text.terms import analyzer, language
from tests.blocks import opened

words = st.sampled_from(["cat", "Cats", "os.path", "C++", "ruža", "検索器", "_", "?", "-", "\n"])
texts = st.lists(words, max_size=6).map(" ".join)
fields = st.tuples(texts, texts, texts, texts)


@st.composite
def batches(draw):
    numbers = draw(st.lists(st.integers(1, 2**31), unique=True, max_size=5).map(sorted))
    return [Document(number, draw(fields), draw(st.sampled_from(["", "en", "sr-Latn", "tlh"]))) for number in numbers]


def expected(documents, fields=PAGE_FIELDS):
    """What the segment should say, worked out line by line and token by token."""
    found = set()
    for document in documents:
        analyse = analyzer(language(document.language))
        for number, (field, text) in enumerate(zip(fields, document.texts, strict=True)):
            at = 0
            for line in text.split("\n") if field in ("headings", "anchor") else [text]:
                terms, places = analyse.terms(line)
                found |= {
                    (term, document.page_id, number, at + place) for term, place in zip(terms, places, strict=True)
                }
                at += max(places, default=-1) + 2
            if field not in ("url", "body"):
                of_line = title_names if field == "title" else names
                called = {name for line in text.split("\n") for name in of_line(line, analyse)}
                found |= {(name, document.page_id, number, 0) for name in called}
    return found


@settings(deadline=None)
@given(batches())
def test_every_word_of_every_page_is_found_again_with_its_field_and_place(entries, documents):
    segment = invert(documents)
    assert segment.pages.tolist() == [document.page_id for document in documents]
    spoken = [segment.languages[number] for number in segment.spoken]
    assert spoken == [language(document.language) for document in documents]
    rows = opened(segment.rows)
    assert [row.term for row in rows] == sorted({row.term for row in rows})
    assert entries(segment, rows) == expected(documents)


@settings(deadline=None)
@given(batches())
def test_a_body_may_come_as_the_bytes_it_is_stored_in(documents):
    stored = [replace(each, texts=(*each.texts[:3], each.texts[3].encode())) for each in documents]
    assert list(invert(stored).rows) == list(invert(documents).rows)


@settings(deadline=None)
@given(st.lists(texts, max_size=6))
def test_every_word_of_what_others_say_is_found_again(entries, said):
    documents = [Document(number, (text,), "en") for number, text in enumerate(said)]
    assert entries(invert(documents, "anchor")) == expected(documents, ANCHOR_FIELDS)


@pytest.mark.parametrize(("letters", "words_at_once"), [(0, 1), (20, 2), (100, 7), (10**6, 3), (0, 10**6)])
def test_a_batch_in_many_runs_and_portions_is_the_same(entries, monkeypatch, letters, words_at_once):
    some = ["Cats and dogs", "os.path\nmore cats", "/a/b", "cats cats dogs in os.path", "", "ruža"]
    documents = [
        Document(number, tuple(some[(number * step) % 6] for step in (1, 2, 3, 5)), ("en", "sr", "")[number % 3])
        for number in range(1, 40)
    ]
    whole = invert(documents)
    rows = opened(whole.rows)
    monkeypatch.setattr(inverting, "LETTERS_AT_A_TIME", letters)
    monkeypatch.setattr(inverting, "ENTRIES_AT_A_TIME", words_at_once)
    segment = invert(documents)
    assert opened(segment.rows) == rows
    assert segment.lengths.tolist() == whole.lengths.tolist()
    assert (segment.languages, segment.spoken.tolist()) == (whole.languages, whole.spoken.tolist())
    assert entries(segment, rows) == expected(documents)


def test_lengths_count_words_and_an_identifier_as_its_parts():
    segment = invert([Document(7, ("Cats", "", "/a-b", "use os.path.join or C++")), Document(9, ("", "", "", "one"))])
    assert segment.lengths.tolist() == [[1, 0], [0, 0], [2, 0], [6, 1]]


def test_a_page_is_read_by_the_rules_of_its_language(entries):
    told = [Document(1, ("", "", "", "gardens"), "en-GB"), Document(2, ("", "", "", "gardens"), "tlh")]
    segment = invert(told)
    assert (segment.languages, segment.spoken.tolist()) == (("en", "tlh"), [0, 1])
    assert entries(segment) == {("garden", 1, 3, 0), ("gardens", 2, 3, 0)}


@pytest.mark.parametrize(("kind", "fields"), [("page", 4), ("anchor", 1)])
def test_an_empty_batch_makes_an_empty_segment(kind, fields):
    segment = invert([], kind)
    assert (segment.kind, segment.pages.tolist(), segment.languages) == (kind, [], ())
    assert segment.spoken.tolist() == []
    assert segment.lengths.shape == (fields, 0)
    assert list(segment.rows) == []


def test_a_page_without_words_is_there_all_the_same(entries):
    segment = invert([Document(3, ("", "", "", "")), Document(4, ("", "", "", "word"))])
    assert segment.pages.tolist() == [3, 4]
    assert segment.lengths.tolist() == [[0, 0], [0, 0], [0, 0], [0, 1]]
    assert entries(segment) == {("word", 4, 3, 0)}


def test_what_others_say_has_one_field(entries):
    segment = invert([Document(5, ("click here\nhere",))], "anchor")
    assert segment.lengths.tolist() == [[3]]
    places = {("click", 5, 0, 0), ("here", 5, 0, 1), ("here", 5, 0, 3)}  # none follows across the lines
    assert entries(segment) == places | {("=click here", 5, 0, 0), ("=here", 5, 0, 0)}


def test_titles_and_headings_can_be_asked_for_as_a_whole_and_no_name_counts_as_a_word(entries):
    segment = invert([Document(1, ("Red roses - Garden", "os.path\nRoses", "/red", "red roses"))])
    called = {(term, field) for term, _, field, _ in entries(segment) if term.startswith("=")}
    titles = {("=red rose garden", 0), ("=red rose", 0), ("==red roses garden", 0), ("==red roses", 0)}
    assert called == titles | {("=os path", 1), ("=path", 1), ("=rose", 1)}
    assert segment.lengths.tolist() == [[3], [3], [1], [2]]


def test_a_name_is_counted_as_often_as_it_is_given():
    segment = invert([Document(1, ("here\nthere\nhere",))], "anchor")
    rows = {row.term: row for row in opened(segment.rows)}
    assert unpack(rows["=here"].docs, 1, 1).table().tolist() == [[2]]


def test_words_past_the_last_place_are_counted_though_no_longer_told_apart():
    segment = invert([Document(1, ("", "", "", "word " * (LAST_PLACE + 3)))])
    _, row = opened(segment.rows)  # the word as it is written, and the term
    postings = unpack(row.docs, row.df, 4)
    counts = postings.table()
    assert counts.tolist() == segment.lengths.T.tolist() == [[0, 0, 0, LAST_PLACE + 3]]
    assert unpack_positions(row.positions, postings)[-3:].tolist() == [LAST_PLACE] * 3


def test_more_pages_than_a_segment_can_number_are_refused():
    with pytest.raises(ValueError, match="too many for one segment"):
        invert(Document(number, ()) for number in range(MOST_PAGES + 1))


def test_words_are_kept_as_they_are_written_with_how_often():
    texts = ["pruning pruned pruning. ThreadPool", "Pruning the roses", "roses the"]
    documents = [Document(page, ("", "", "", text), "en") for page, text in enumerate(texts, 1)]
    words = {row.term: (row.df, row.word) for row in opened(invert(documents).rows) if row.term.startswith("!")}
    assert words == {
        "!pruned": (1, ""),
        "!pruning": (3, ""),
        "!roses": (2, ""),
        "!the": (2, ""),
        "!threadpool": (1, "ThreadPool"),
    }
    assert not any(row.term.startswith("!") for row in opened(invert([Document(1, ("roses",))], "anchor").rows))
