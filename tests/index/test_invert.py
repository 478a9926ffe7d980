import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.index.invert import LAST_PLACE, MOST_PAGES, Document, invert
from minisearch.packing import unpack, unpack_positions
from minisearch.text.terms import analyzer, language

texts = st.lists(st.sampled_from(["cat", "Cats", "os.path", "C++", "ruža", "検索器", "_", "?"]), max_size=6).map(
    " ".join
)
fields = st.tuples(texts, texts, texts, texts)


@st.composite
def batches(draw):
    numbers = draw(st.lists(st.integers(1, 2**31), unique=True, max_size=5).map(sorted))
    return [Document(number, draw(fields), draw(st.sampled_from(["", "en", "sr-Latn", "tlh"]))) for number in numbers]


def expected(documents):
    return {
        (term, document.page_id, field, place)
        for document in documents
        for field, text in enumerate(document.texts)
        for term, place in zip(*analyzer(language(document.language)).terms(text), strict=True)
    }


@settings(deadline=None)
@given(batches())
def test_every_word_of_every_page_is_found_again_with_its_field_and_place(entries, documents):
    segment = invert(documents)
    assert segment.pages.tolist() == [document.page_id for document in documents]
    rows = list(segment.rows)
    assert segment.terms == len(rows)
    assert [row.term for row in rows] == sorted({row.term for row in rows})
    assert entries(segment, rows) == expected(documents)


def test_lengths_count_words_and_an_identifier_as_its_parts():
    segment = invert([Document(7, ("Cats", "", "/a-b", "use os.path.join or C++")), Document(9, ("", "", "", "one"))])
    assert segment.lengths.tolist() == [[1, 0], [0, 0], [2, 0], [6, 1]]


def test_a_page_is_read_by_the_rules_of_its_language(entries):
    told = [Document(1, ("", "", "", "gardens"), "en-GB"), Document(2, ("", "", "", "gardens"), "tlh")]
    segment = invert(told)
    assert segment.languages == ("en", "tlh")
    assert entries(segment) == {("garden", 1, 3, 0), ("gardens", 2, 3, 0)}


@pytest.mark.parametrize(("kind", "fields"), [("page", 4), ("anchor", 1)])
def test_an_empty_batch_makes_an_empty_segment(kind, fields):
    segment = invert([], kind)
    assert (segment.kind, segment.pages.tolist(), segment.languages, segment.terms) == (kind, [], (), 0)
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
    assert entries(segment) == {("click", 5, 0, 0), ("here", 5, 0, 1), ("here", 5, 0, 2)}


def test_words_past_the_last_place_are_counted_though_no_longer_told_apart():
    segment = invert([Document(1, ("", "", "", "word " * (LAST_PLACE + 3)))])
    (row,) = segment.rows
    counts = unpack(row.docs, row.df, 4).table().ravel()
    assert counts.tolist() == segment.lengths.ravel().tolist() == [0, 0, 0, LAST_PLACE + 3]
    assert unpack_positions(row.positions, counts)[-3:].tolist() == [LAST_PLACE] * 3


def test_more_pages_than_a_segment_can_number_are_refused():
    with pytest.raises(ValueError, match="too many for one segment"):
        invert(Document(number, ()) for number in range(MOST_PAGES + 1))
