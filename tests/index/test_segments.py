import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.index.invert import Document, invert
from minisearch.index.segments import FAN, TERMS_AT_A_TIME, Part, due, merge
from tests.blocks import opened

texts = st.lists(st.sampled_from(["cat", "dog", "os.path", "C++", "ruža"]), max_size=5).map(" ".join)


@st.composite
def histories(draw):
    """Batches of documents; some pages come again in a later batch, and then their older version is outdated."""
    tags = st.sampled_from(["en", "sr", "tlh", ""])
    batches, numbers = [], st.lists(st.integers(0, 6), unique=True, max_size=4).map(sorted)
    for _ in range(draw(st.integers(1, 4))):
        batches.append([Document(n, draw(st.tuples(texts, texts, texts, texts)), draw(tags)) for n in draw(numbers)])
    return batches


def part(documents, live=None):
    segment = invert(documents)
    mask = np.ones(len(documents), dtype=bool) if live is None else np.array(live, dtype=bool)
    return Part(segment.pages, segment.lengths, segment.languages, segment.spoken, mask, opened(segment.rows))


def spoken(segment, order):
    return [segment.languages[segment.spoken[number]] for number in order]


@settings(deadline=None)
@given(histories())
def test_a_merge_holds_what_inverting_the_newest_pages_at_once_would(entries, batches):
    newest = {document.page_id: (n, document) for n, batch in enumerate(batches) for document in batch}
    merged = merge([part(b, [newest[d.page_id][0] == n for d in b]) for n, b in enumerate(batches)])
    at_once = invert([document for _, (_, document) in sorted(newest.items())])
    order = np.argsort(merged.pages)
    assert entries(merged) == entries(at_once)
    assert merged.pages[order].tolist() == at_once.pages.tolist()
    assert merged.lengths[:, order].tolist() == at_once.lengths.tolist()
    assert spoken(merged, order) == spoken(at_once, range(len(newest)))


def test_a_term_that_only_outdated_pages_had_vanishes(entries):
    old = part([Document(1, ("", "", "", "gone")), Document(2, ("", "", "", "kept"))], live=[False, True])
    assert entries(merge([old])) == {("kept", 2, 3, 0)}


def test_a_merge_of_nothing_but_outdated_pages_is_empty():
    merged = merge([part([Document(1, ("", "", "", "gone"))], live=[False])])
    assert (merged.pages.tolist(), [row for row in opened(merged.rows) if row.docs]) == ([], [])
    assert merged.lengths.shape == (4, 0)


def test_languages_add_up():
    parts = [part([Document(1, ("a",) * 4, "sr")]), part([Document(2, ("a",) * 4, "en"), Document(3, ("a",) * 4)])]
    merged = merge(parts)
    assert (merged.languages, merged.spoken.tolist()) == (("en", "sr"), [1, 0, 0])


def test_each_page_keeps_its_language_when_pages_before_it_go():
    told = [Document(number, ("a",) * 4, tag) for number, tag in enumerate(["tlh", "sr", "en", "sr"])]
    merged = merge([part(told, live=[False, True, True, False]), part(told[:1]), part(told[3:])])
    assert spoken(merged, range(4)) == ["sr", "en", "tlh", "sr"]


def test_a_term_of_very_many_pages_survives_a_merge(entries):
    told = [Document(number, ("", "", "", "rose " * (number % 3 + 1))) for number in range(700)]
    live = [number % 5 > 0 for number in range(700)]
    merged = merge([part(told[:400], live[:400]), part(told[400:], live[400:])])
    assert entries(merged) == entries(invert([document for document in told if document.page_id % 5]))


def test_more_terms_than_are_merged_at_a_time_come_out_in_order(entries):
    many = " ".join(f"w{number}" for number in range(TERMS_AT_A_TIME + 5))
    merged = merge([part([Document(1, ("", "", "", many))]), part([Document(2, ("", "", "", many))])])
    rows = opened(merged.rows)
    words = [word for word in sorted(many.split()) if len(word) > 2]
    assert {row.df for row in rows} == {2}
    assert [row.term for row in rows] == [f"!{word}" for word in words] + sorted(many.split())


@pytest.mark.parametrize(
    ("sizes", "live", "chosen"),
    [
        ([], [], []),
        ([1] * (FAN - 1), None, []),
        ([1] * FAN, None, [*range(FAN)]),
        ([100, *[1] * FAN], None, [*range(1, FAN + 1)]),
        ([64] * FAN + [511], None, [*range(FAN + 1)]),  # 64 and 511 are of one tier, 512 is of the next
        ([64] * FAN + [512], None, [*range(FAN)]),
        ([10], [8], []),
        ([10], [7], [0]),
        ([5, 10, 5], [5, 0, 5], [1]),
    ],
)
def test_segments_are_merged_when_many_are_of_like_size_or_one_is_outdated(sizes, live, chosen):
    assert due(sizes, sizes if live is None else live) == chosen


@settings(deadline=None)
@given(st.lists(st.integers(1, 5000), max_size=40))
def test_merging_what_is_due_comes_to_an_end_and_leaves_few_of_each_size(sizes):
    total = sum(sizes)
    while chosen := due(sizes, sizes):
        assert len(chosen) > 1
        sizes = [size for i, size in enumerate(sizes) if i not in chosen] + [sum(sizes[i] for i in chosen)]
    assert sum(sizes) == total
    assert all(sum(FAN**tier <= size < FAN ** (tier + 1) for size in sizes) < FAN for tier in range(7))
