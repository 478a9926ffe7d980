"""Segments are written once and read term by term; a page counts in the segment that it belongs to."""

from contextlib import closing

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from minisearch.errors import Damaged
from minisearch.records import Found, Page
from minisearch.store.store import Store
from tests.blocks import together

ROWS = [("bee", 2, b"docs of bee", b"places of bee", ""), ("hive", 1, b"docs of hive", b"places of hive", "")]


@pytest.fixture(params=[list, together], ids=["apart", "together"])
def store(request):
    """A store with pages 1, 2 and 3, in which each term has a row of its own, or several share one."""
    with closing(Store()) as store:
        store.kept = request.param
        crawl, _ = store.journal.begin(["http://x/1"], {})
        for number in (1, 2, 3):
            url = f"http://x/{number}"
            store.journal.meet(crawl, None, [Found(url, "x", 0)], max_depth=9)
            store.pages.save(number, Page(url), {})
        yield store


def add(store, *pages, kind="page", rows=ROWS, languages=("en", "sr")):
    fields = 4 if kind == "page" else 1
    lengths = np.arange(fields * len(pages)).reshape(fields, len(pages))
    spoken = np.arange(len(pages))[::-1] % len(languages)
    return store.postings.add(kind, np.array(pages), lengths, languages, spoken, store.kept(rows))


def test_a_segment_is_given_back_as_it_was_written(store):
    number = add(store, 1, 3)
    [facts] = store.postings.segments("page")
    assert (facts.id, facts.kind, facts.languages, facts.live) == (number, "page", ("en", "sr"), None)
    assert_array_equal(facts.pages, [1, 3])
    assert_array_equal(facts.lengths, [[0, 1], [2, 3], [4, 5], [6, 7]])
    assert_array_equal(facts.spoken, [1, 0])
    assert list(store.postings.rows(number)) == ROWS


def test_terms_are_looked_up_one_by_one(store):
    number = add(store, 1)
    assert store.postings.docs((number, 99), ["bee"]) == {"bee": [(number, 2, b"docs of bee", b"places of bee")]}
    assert store.postings.docs((number,), ["wasp"]) == {"wasp": []}


def test_a_term_that_is_rare_in_some_segments_is_told_in_their_order(store):
    first = add(store, 1)
    store.kept = together
    second = add(store, 2)
    store.kept = list
    third = add(store, 3)
    assert [segment for segment, *_ in store.postings.docs((third, second, first), ["bee"])["bee"]] == [
        first,
        second,
        third,
    ]


def test_words_as_they_are_written_are_found_by_how_they_begin(store):
    rows = [("!bee", 4, b"", b"", ""), ("!beehive", 9, b"", b"", "BeeHive"), ("bee", 1, b"docs", b"", "")]
    number = add(store, 1, rows=rows)
    assert store.postings.words(number, "!bee", 1, 9) == [("!bee", 4), ("!beehive", 9)]
    assert store.postings.words(number, "!b", 5, 9) == [("!beehive", 9)]
    assert store.postings.words(number, "!a", 1, 9) == []
    assert store.postings.written((number,), ["!bee", "!beehive", "!wasp"]) == {"!beehive": "BeeHive"}
    assert store.postings.count_terms() == 1


@pytest.mark.parametrize("many", [255, 256, 257, 300])
def test_pages_may_claim_any_number_of_languages(store, many):
    pages = range(1, many + 1)
    add(store, *pages, kind="anchor", languages=tuple(f"x{number}" for number in pages))
    [facts] = store.postings.segments("anchor")
    assert facts.spoken.tolist() == [*range(many)][::-1]


def test_terms_that_begin_alike_are_told_the_most_frequent_first(store):
    words = ["be", "bee", "beehive", "bees", "bef", "bee\U0010fffe", "=bee", "Bee"]
    number = add(store, 1, rows=[(word, df, b"", b"", "") for df, word in enumerate(words, 1)])
    add(store, 2, rows=[("beetle", 9, b"", b"", "")])
    found = [("bee\U0010fffe", 6), ("bees", 4), ("beehive", 3), ("bee", 2)]
    assert store.postings.beginning(number, "bee", 9) == found
    assert store.postings.beginning(number, "bee", 2) == found[:2]
    assert store.postings.beginning(number, "wasp", 9) == []


def test_no_prefix_is_a_pattern_and_of_two_as_frequent_the_alphabet_tells(store):
    number = add(store, 1, rows=[("cat", 1, b"", b"", ""), ("car", 1, b"", b"", ""), ("c_t", 1, b"", b"", "")])
    assert store.postings.beginning(number, "c", 9) == [("c_t", 1), ("car", 1), ("cat", 1)]
    assert store.postings.beginning(number, "c_", 9) == [("c_t", 1)]
    assert store.postings.beginning(number, "%", 9) == []


def test_rows_come_in_the_order_of_their_terms(store):
    number = add(store, 1, rows=reversed(ROWS))
    assert [row[0] for row in store.postings.rows(number)] == ["bee", "hive"]


def test_the_pages_of_a_new_segment_belong_to_it(store):
    number = add(store, 1, 3)
    assert [row["segment"] for row in store.file.db.table("pages").rows] == [number, None, number]
    assert store.file.db.table("segments").get(number)["terms"] == 2
    assert store.file.db.table("segments").get(number)["size"] == 2


def test_a_page_that_moved_to_another_segment_is_no_longer_live_in_the_old_one(store):
    add(store, 1, 2, 3)
    add(store, 2)
    old, new = store.postings.segments("page")
    assert old.mask().tolist() == [True, False, True]
    assert (new.live, new.mask().tolist()) == (None, [True])


def test_a_segment_that_all_pages_have_left_is_dead(store):
    add(store, 1, 2)
    add(store, 1, 2)
    assert store.postings.segments("page")[0].mask().tolist() == [False, False]


def test_anchors_leave_the_segment_of_a_page_alone(store):
    own = add(store, 1)
    add(store, 1, kind="anchor")
    assert store.file.db.table("pages").get(1)["segment"] == own
    [told] = store.postings.segments("anchor")
    assert (told.live, told.lengths[0].tolist()) == (None, [0])


def test_a_dropped_segment_is_gone_with_its_rows(store):
    first, second = add(store, 1), add(store, 1)
    store.postings.drop([first])
    assert [facts.id for facts in store.postings.segments("page")] == [second]
    assert (list(store.postings.rows(first)), list(store.postings.rows(second))) == ([], ROWS)


def test_terms_are_counted_once_and_not_those_of_anchors(store):
    assert store.postings.is_empty()
    add(store, 1)
    add(store, 2)
    add(store, 3, kind="anchor", rows=[("wasp", 1, b"", b"", "")])
    assert not store.postings.is_empty()
    assert store.postings.count_terms() == 2


def test_the_view_shows_how_many_pages_have_a_term(store):
    add(store, 1, 2)
    rows = store.file.db.query("SELECT * FROM index_terms")
    assert list(rows) == [{"term": "bee", "pages": 2}, {"term": "hive", "pages": 1}]


def test_long_positions_have_a_number_in_their_place(store):
    store.kept = list  # what is long has a row of its own
    number = add(store, 1, rows=[("ant", 1, b"docs", b"a" * 700, ""), ("bee", 1, b"docs", b"b" * 900, "")])
    told = store.postings.docs((number,), ["ant", "bee"])
    (*_, ant), (*_, bee) = (row for (row,) in told.values())
    assert store.postings.positions([(number, bee), (number, ant)]) == {
        (number, ant): b"a" * 700,
        (number, bee): b"b" * 900,
    }


def test_a_segment_may_keep_some_terms_apart_and_others_together(store):
    rows = [(name, df, b"docs", b"places", "") for df, name in enumerate(["ant", "bee", "beetle", "bug", "wasp"], 1)]
    store.kept = lambda rows: [*rows[::2], *together(rows[1::2])]
    number = add(store, 1, rows=rows)
    assert list(store.postings.rows(number)) == rows
    assert store.postings.beginning(number, "b", 9) == [("bug", 4), ("beetle", 3), ("bee", 2)]
    assert store.postings.beginning(number, "bee", 1) == [("beetle", 3)]
    assert store.postings.known((number,), ["bee", "beetle", "moth"]) == {"bee", "beetle"}
    assert store.postings.docs((number,), ["ant", "bug"]) == {
        "ant": [(number, 1, b"docs", b"places")],
        "bug": [(number, 4, b"docs", b"places")],
    }
    assert store.postings.count_terms() == store.file.db.table("segments").get(number)["terms"] == 5


@pytest.mark.parametrize("packed", [b"", b"\0", b"\x80nonsense", b"\0\x04\x06docs", b"\0\x04\x06docsplacesmore"])
def test_what_is_not_a_block_of_ours_is_told_as_damaged(store, packed):
    store.kept = together
    number = add(store, 1, rows=[("bee", 2, b"docs", b"places", "")])
    store.file.db.execute("UPDATE rare SET packed = ?", (packed,))
    with pytest.raises(Damaged):
        store.postings.docs((number,), ["bee"])
