"""Segments are written once and read term by term; a page counts in the segment that it belongs to."""

from contextlib import closing

import pytest

from minisearch.models import Found, Page
from minisearch.store.database import Store

TERMS = [("bee", 2, 0, 0), ("hive", 1, 0, 1), ("wax", 2, 1, 0)]
BLOCKS = [(b"docs 0", b"positions 0"), (b"docs 1", b"positions 1")]
WORDS = [("bees", 3, ""), ("hive", 1, "HIVE")]
COLUMNS = (b"pages", b"lengths", b"language")


@pytest.fixture
def store():
    """A store with pages 1, 2 and 3."""
    with closing(Store()) as store:
        crawl, _ = store.urls.begin_crawl(["http://x/1"], {})
        for number in (1, 2, 3):
            url = f"http://x/{number}"
            store.urls.discover(crawl, None, [Found(url, "x", 0)])
            store.pages.save(number, Page(url), {})
        yield store


def add(store, *pages, kind="page", terms=TERMS, blocks=BLOCKS, words=()):
    return store.postings.add(kind, pages, ("en", "sr"), COLUMNS, terms, blocks, words)


def with_df(**df):
    """Terms with a document frequency, all in one block."""
    return {
        "terms": [(term, count, 0, place) for place, (term, count) in enumerate(sorted(df.items()))],
        "blocks": [(b"docs", b"")],
    }


def test_a_segment_is_given_back_as_it_was_written(store):
    number = add(store, 1, 3)
    [segment] = store.postings.segments()
    assert segment == (number, "page", 2, ("en", "sr"), *COLUMNS, None)
    row = store.db.table("segments").get(number)
    assert (row["size"], row["terms"]) == (2, 3)


def test_terms_are_looked_up_in_some_segments(store):
    first, second = add(store, 1), add(store, 2)
    found = store.postings.postings([second, first, 99], ["wax", "bee", "wasp"])
    assert [row.segment_id for row in found] == [first, first, second, second]
    of_second = {row.term: row for row in found if row.segment_id == second}
    bee, wax = of_second["bee"], of_second["wax"]
    assert (bee.df, bee.place, bee.docs) == (2, 0, b"docs 0")
    assert (wax.df, wax.place, wax.docs) == (2, 0, b"docs 1")
    assert store.postings.postings([second], []) == store.postings.postings([], ["bee"]) == []


def test_positions_are_read_block_by_block(store):
    first, second = add(store, 1), add(store, 2)
    rows = store.postings.postings([first, second], ["bee", "wax"])
    blocks = {(row.segment_id, row.block_id): row.docs.replace(b"docs", b"positions") for row in rows}
    assert len(blocks) == 4
    assert store.postings.positions(blocks) == blocks
    assert store.postings.positions([]) == {}


def test_terms_with_a_prefix_are_given_the_most_frequent_first(store):
    add(store, 1, **with_df(be=1, bee=2, beehive=3, bees=1, bef=5, **{"bee\U0010fffe": 6, "=bee": 7, "Bee": 8}))
    add(store, 2, **with_df(beetle=1, bees=3))
    add(store, 3, kind="anchor", **with_df(bee=3))
    found = [("bee\U0010fffe", 6), ("bee", 5), ("bees", 4), ("beehive", 3), ("beetle", 1)]
    assert store.postings.terms_with_prefix("bee", 9) == found
    assert store.postings.terms_with_prefix("bee", 2) == found[:2]
    assert store.postings.terms_with_prefix("wasp", 9) == []


def test_no_prefix_is_a_pattern_and_equally_frequent_terms_are_in_alphabetical_order(store):
    add(store, 1, **with_df(cat=1, car=1, c_t=1))
    assert store.postings.terms_with_prefix("c", 9) == [("c_t", 1), ("car", 1), ("cat", 1)]
    assert store.postings.terms_with_prefix("c_", 9) == [("c_t", 1)]
    assert store.postings.terms_with_prefix("%", 9) == []


def test_words_of_all_segments_are_counted_together(store):
    add(store, 1, words=[("bee", 4, ""), ("beehive", 9, "BeeHive"), ("json", 1, "Json")])
    add(store, 2, words=[("bee", 6, ""), ("json", 5, "JSON")])
    postings = store.postings
    assert postings.words_with_prefix("be", 9) == [("bee", 10), ("beehive", 9)]
    assert postings.words_with_prefix("be", 1) == [("bee", 10)]
    assert sorted(postings.words_of_length("b", 1, 9)) == [("bee", 10), ("beehive", 9)]
    assert postings.words_of_length("b", 4, 7) == [("beehive", 9)]
    assert postings.words_of_length("a", 1, 9) == []
    spelled = {"beehive": "BeeHive", "json": "JSON"}  # as it is in the segment that has it most often
    assert postings.spellings(["bee", "beehive", "json", "wasp"]) == spelled


def test_the_pages_of_a_new_segment_belong_to_it(store):
    number = add(store, 1, 3)
    assert [row["segment_id"] for row in store.db.table("pages").rows] == [number, None, number]
    assert store.postings.members([number]) == [1, 3]
    assert store.postings.members([]) == []


def test_a_page_that_moved_to_another_segment_no_longer_counts_in_the_old_one(store):
    first, second = add(store, 1, 2, 3), add(store, 2)
    old, new = store.postings.segments()
    assert (old.live, new.live) == ([1, 3], None)
    assert store.postings.sizes() == [(first, 3, 2), (second, 1, 1)]


def test_a_segment_that_all_pages_have_left_has_no_live_page(store):
    first, second = add(store, 1, 2), add(store, 1, 2)
    assert [segment.live for segment in store.postings.segments()] == [[], None]
    assert store.postings.sizes() == [(first, 2, 0), (second, 2, 2)]


def test_anchor_texts_leave_the_segment_of_a_page_alone(store):
    own = add(store, 1)
    add(store, 1, kind="anchor")
    assert store.db.table("pages").get(1)["segment_id"] == own
    assert [(segment.kind, segment.live) for segment in store.postings.segments()] == [("page", None), ("anchor", None)]
    assert store.postings.sizes() == [(own, 1, 1)]


def test_a_dropped_segment_is_gone_with_all_its_rows(store):
    first, second = add(store, 1, words=WORDS), add(store, 1, words=WORDS)
    store.postings.drop([first])
    assert [segment.id for segment in store.postings.segments()] == [second]
    for table in ("terms", "blocks", "words"):
        assert {row["segment_id"] for row in store.db.table(table).rows} == {second}


def test_blocks_of_a_new_segment_do_not_take_the_place_of_others(store):
    first, second = add(store, 1), add(store, 2)
    store.postings.drop([first])
    third = add(store, 3)
    blocks = {segment: {row.block_id for row in store.postings.postings([segment], ["bee", "wax"])}
              for segment in (second, third)}  # fmt: skip
    assert len(blocks[second]) == len(blocks[third]) == 2
    assert not blocks[second] & blocks[third]


def test_terms_are_counted_once_and_not_those_of_anchor_texts(store):
    assert store.postings.is_empty()
    add(store, 1)
    add(store, 2)
    add(store, 3, kind="anchor", **with_df(wasp=1))
    assert not store.postings.is_empty()
    assert store.postings.count_terms() == 3


def test_the_vocabulary_shows_how_many_pages_have_a_term_and_no_exact_match_keys(store):
    add(store, 1, 2, **with_df(bee=2, hive=1, **{"=bee": 1, "==bees": 1, "<": 1, ">": 1}))
    add(store, 3, **with_df(bee=1))
    add(store, 1, kind="anchor", **with_df(bee=1, wasp=1))
    rows = store.db.query("SELECT * FROM vocabulary")
    assert [tuple(row.values()) for row in rows] == [("<", 1), (">", 1), ("bee", 3), ("hive", 1)]
    assert store.postings.count_terms() == 4


def test_every_change_of_the_index_is_another_generation(store):
    seen = {store.postings.generation()}

    def changed():
        before = len(seen)
        seen.add(store.postings.generation())
        return len(seen) > before

    number = add(store, 1, 2)
    assert changed()
    store.pages.save(2, Page("http://x/2", text="new"), {})  # which is no longer in the index
    assert changed()
    store.pages.save(3, Page("http://x/3", text="new"), {})
    store.urls.begin_crawl(["http://y/"], {})
    assert not changed()  # what is not in the index does not count
    store.postings.drop([number])
    assert changed()
