"""A segment holds every word of every page with its field and position, as a naive inversion finds them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.analysis.analyzer import analyzer, language
from minisearch.analysis.names import line_keys, title_keys
from minisearch.index import builder
from minisearch.index.builder import LAST_POSITION, Document, build_segment, build_segments
from minisearch.index.codec import ANCHOR_FIELDS, PAGE_FIELDS, decode_block, decode_gaps

WORDS = "cat Cats running os.path snake_case C++ .NET don't x86-64 HTTPServer ruža Мачка naïve Häuser 検索器 ภาษา 🚀"
words = st.sampled_from([*WORDS.split(), *"_?-…=", "a\u00adb", "1.", "--json", "=x", "\ud800", "\x00", "\n"])
texts = st.lists(words, max_size=8).map(" ".join) | st.text(max_size=12)
tags = st.sampled_from(["", "en", "sr-Latn", "de", "ja", "tr", "tlh"])


@st.composite
def batches(draw, fields=4):
    numbers = draw(st.lists(st.integers(1, 2**31), unique=True, max_size=5).map(sorted))
    return [Document(number, draw(st.tuples(*[texts] * fields)), draw(tags)) for number in numbers]


def parts_of(document):
    """For each field of a document its (text, language)s."""
    own = [((text, document.language),) if isinstance(text, str) else text for text in document.texts]
    return [[(text, language(tag)) for text, tag in parts] for parts in own]


def lines_of(field, text):
    return text.split("\n") if field in ("headings", "anchor") else [text]


def inverted(documents, fields=PAGE_FIELDS):
    """What the segment should hold, worked out line by line by `Analyzer.terms`, in index order."""
    found = []
    for document in documents:
        for number, (field, parts) in enumerate(zip(fields, parts_of(document), strict=True)):
            at = 0
            for text, name in parts:
                for line in lines_of(field, text):
                    terms, positions = analyzer(name).terms(line)
                    found += [
                        (term, document.page_id, number, at + position)
                        for term, position in zip(terms, positions, strict=True)
                    ]
                    at += max(positions, default=-1) + 2
                if field not in ("url", "body"):
                    keys = title_keys if field == "title" else line_keys
                    found += [
                        (key, document.page_id, number, 0)
                        for line in text.split("\n")
                        for key in keys([line], analyzer(name))[0]
                    ]
    return sorted(found)


def lengths(documents, fields=PAGE_FIELDS):
    """How many words each field of each document has: positions that are taken by a word."""
    found = [[0] * len(documents) for _ in fields]
    for number, document in enumerate(documents):
        for place, (field, parts) in enumerate(zip(fields, parts_of(document), strict=True)):
            for text, name in parts:
                for line in lines_of(field, text):
                    found[place][number] += max(analyzer(name).terms(line)[1], default=-1) + 1
    return found


def held(segment):
    """All of a segment but how it was cut into blocks."""
    return (
        segment.kind, segment.pages.tolist(), segment.lengths.tolist(), segment.languages, segment.language.tolist(),
        [(term, df) for term, df, _, _ in segment.terms], segment.words,
    )  # fmt: skip


@given(batches())
@example([Document(1, ("a b", "a\nb", "/a", "C++ a_b"), "en"), Document(2, ("\n", "\n\n", "", "\n"), "sr")])
def test_a_segment_equals_a_naive_inversion(entries, documents):
    segment = build_segment(documents)
    assert entries(segment) == inverted(documents)
    assert segment.lengths.tolist() == lengths(documents)
    assert segment.pages.tolist() == [document.page_id for document in documents]
    spoken = [segment.languages[place] for place in segment.language]
    assert spoken == [language(document.language) for document in documents]


@given(batches(fields=1))
def test_anchor_texts_are_inverted_too(entries, documents):
    segment = build_segment(documents, "anchor")
    assert entries(segment) == inverted(documents, ANCHOR_FIELDS)
    assert segment.lengths.tolist() == lengths(documents, ANCHOR_FIELDS)
    assert segment.words == []


@given(st.lists(st.lists(st.tuples(texts, tags), min_size=1, max_size=4).map(tuple), max_size=4))
def test_a_field_may_have_texts_in_several_languages(entries, drawn):
    documents = [Document(number, (parts,), parts[0][1]) for number, parts in enumerate(drawn, 1)]
    segment = build_segment(documents, "anchor")
    assert entries(segment) == inverted(documents, ANCHOR_FIELDS)
    assert segment.lengths.tolist() == lengths(documents, ANCHOR_FIELDS)


# -- batches, blocks, segments -------------------------------------------------------------------


@pytest.fixture
def documents():
    """Some pages with frequent and rare words, in three languages."""
    some = ["Cats and dogs", "os.path\nmore cats", "/a/b", "cats cats dogs in os.path", "", "ruža", "日本語 C++"]
    return [
        Document(number, tuple(some[number * step % 7] for step in (1, 2, 3, 5)), ("en", "sr", "")[number % 3])
        for number in range(1, 60)
    ]


@pytest.mark.parametrize("batch", [0, 5, 40])
@pytest.mark.parametrize("keys", [1, 7, 10**6])
def test_it_makes_no_difference_how_much_is_worked_on_at_a_time(entries, monkeypatch, documents, batch, keys):
    whole = build_segment(documents)
    monkeypatch.setattr(builder, "BATCH_RUNS", batch)
    monkeypatch.setattr(builder, "ENCODED_AT_A_TIME", keys)
    segment = build_segment(documents)
    assert held(segment) == held(whole)
    assert entries(segment) == inverted(documents)


@pytest.mark.parametrize("size", [0, 1, 30, 200, 10**9])
def test_it_makes_no_difference_how_large_blocks_are(entries, monkeypatch, documents, size):
    whole = build_segment(documents)
    monkeypatch.setattr(builder, "BLOCK_BYTES", size)
    segment = build_segment(documents)
    assert held(segment) == held(whole)
    assert entries(segment) == inverted(documents)
    assert len(segment.blocks) == {0: len(segment.terms), 10**9: 1}.get(size, len(segment.blocks))


def test_rare_terms_share_blocks_and_a_frequent_one_has_its_own(monkeypatch):
    pages = 4000
    documents = [Document(page, ("", "", "", f"everywhere rare{page}")) for page in range(1, pages + 1)]
    segment = build_segment(documents)
    sharing = Counter(block for _, _, block, _ in segment.terms)
    assert [sharing[block] for term, _, block, _ in segment.terms if term == "everywher"] == [1]
    assert len(sharing) < pages / 100
    places = Counter((block, place) for _, _, block, place in segment.terms)
    assert set(places.values()) == {1}


@given(batches())
def test_terms_are_in_alphabetical_order_and_are_there_once(documents):
    terms = [term[0] for term in build_segment(documents).terms]
    assert terms == sorted(set(terms))


@pytest.mark.parametrize(
    ("limit", "most", "sizes"),
    [("MOST_RUNS", 10, [1, 1, 1]), ("MOST_PAGES", 2, [2, 1]), ("MOST_RUNS", 10**9, [3])],
)
def test_a_full_segment_takes_no_more_documents_and_the_others_go_into_the_next(
    entries, monkeypatch, limit, most, sizes
):
    monkeypatch.setattr(builder, limit, most)
    monkeypatch.setattr(builder, "BATCH_RUNS", 0)
    texts = ["one two three " * 5, "four five six " * 5, "seven " * 20]
    documents = [Document(page, ("", "", "", text)) for page, text in enumerate(texts, 1)]
    segments = list(build_segments(documents))
    assert [len(segment.pages) for segment in segments] == sizes
    assert sorted(entry for segment in segments for entry in entries(segment)) == inverted(documents)


@pytest.mark.parametrize(("kind", "fields"), [("page", 4), ("anchor", 1)])
def test_no_documents_make_an_empty_segment(kind, fields):
    segment = build_segment([], kind)
    assert (segment.kind, segment.pages.tolist(), segment.languages) == (kind, [], ())
    assert segment.language.tolist() == []
    assert segment.lengths.shape == (fields, 0)
    assert (segment.terms, segment.blocks, segment.words) == ([], [], [])
    assert list(build_segments([], kind)) == []


# -- by example ----------------------------------------------------------------------------------


def test_lengths_count_words_and_an_identifier_as_its_parts():
    documents = [Document(7, ("Cats", "", "/a-b", "use os.path.join or C++")), Document(9, ("", "", "", "one"))]
    assert build_segment(documents).lengths.tolist() == [[1, 0], [0, 0], [2, 0], [6, 1]]


def test_a_page_is_read_by_the_rules_of_its_language(entries):
    segment = build_segment(
        [Document(1, ("", "", "", "gardens"), "en-GB"), Document(2, ("", "", "", "gardens"), "tlh")]
    )
    assert (segment.languages, segment.language.tolist()) == (("en", "tlh"), [0, 1])
    assert entries(segment) == [("garden", 1, 3, 0), ("gardens", 2, 3, 0)]


def test_a_page_without_words_is_there_all_the_same(entries):
    segment = build_segment([Document(3, ("", "", "", "")), Document(4, ("", "", "", "word"))])
    assert segment.pages.tolist() == [3, 4]
    assert segment.lengths.tolist() == [[0, 0], [0, 0], [0, 0], [0, 1]]
    assert entries(segment) == [("word", 4, 3, 0)]


def test_words_of_two_lines_of_anchor_texts_are_not_adjacent(entries):
    segment = build_segment([Document(5, ("click here\nhere",))], "anchor")
    assert segment.lengths.tolist() == [[3]]
    assert entries(segment) == [
        ("=click here", 5, 0, 0), ("=here", 5, 0, 0), ("click", 5, 0, 0), ("here", 5, 0, 1), ("here", 5, 0, 3),
    ]  # fmt: skip


def test_titles_and_headings_have_exact_match_keys_which_do_not_count_as_words(entries):
    segment = build_segment([Document(1, ("Red roses - Garden", "os.path\nRoses", "/red", "red roses"))])
    keys = {(term, field) for term, _, field, _ in entries(segment) if term.startswith("=")}
    title = {("=red rose garden", 0), ("=red rose", 0), ("==red roses garden", 0), ("==red roses", 0)}
    assert keys == title | {("=os path", 1), ("=path", 1), ("=rose", 1)}
    assert segment.lengths.tolist() == [[3], [3], [1], [2]]


def test_an_exact_match_key_is_counted_as_often_as_a_line_has_it(entries):
    segment = build_segment([Document(1, ("here\nthere\nHERE",))], "anchor")
    assert Counter(entries(segment))["=here", 1, 0, 0] == 2


def test_words_past_the_last_position_are_counted_though_no_longer_told_apart():
    segment = build_segment([Document(1, ("", "", "", "word " * (LAST_POSITION + 3)))])
    ((_, _, _, place),), ((docs, positions),) = segment.terms, segment.blocks
    assert decode_block(docs, 4).postings(place).tf.T.tolist() == [[0, 0, 0, LAST_POSITION + 3]]
    assert segment.lengths.T.tolist() == [[0, 0, 0, LAST_POSITION + 3]]
    assert decode_gaps(positions, decode_block(docs, 4), np.array([0]))[-3:].tolist() == [1, 0, 0]


def test_the_word_list_has_words_as_they_are_written_with_how_often():
    texts = ["pruning pruned pruning. ThreadPool", "Pruning the roses", "roses the"]
    documents = [Document(page, ("", "", "", text), "en") for page, text in enumerate(texts, 1)]
    assert build_segment(documents).words == [
        ("pruned", 1, ""),
        ("pruning", 3, ""),
        ("roses", 2, ""),
        ("the", 2, ""),
        ("threadpool", 1, "ThreadPool"),
    ]
