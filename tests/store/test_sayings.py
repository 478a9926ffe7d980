"""What links say, each saying once: against the plain way, row by row."""

from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.records import Found, Link, Page
from minisearch.store import sayings
from minisearch.store.store import Store

needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")
both = pytest.mark.parametrize("plain", [pytest.param(False, marks=needed), True], ids=["compiled", "plain"])
WORDS = ["bee", "a bee", f"b{sayings.APART}ee", sayings.APART, "пчела", "bee, and", '"bee"', "", "0"]


def plainly(conn):
    """The same by SQL alone."""
    rows = conn.execute(
        "SELECT DISTINCT urls.page, anchor, source.language FROM links JOIN pages AS source ON source.id = links.page "
        "JOIN urls ON urls.id = links.url JOIN pages AS told ON told.id = urls.page WHERE NOT nofollow "
        "AND anchor != '' AND source.merged_into IS NULL AND told.merged_into IS NULL AND told.noindex = '' "
        "AND urls.page != links.page"
    )
    return sorted(rows)


@pytest.fixture
def store():
    """Twenty pages of thirty that link to one another; one of them is an alias, one asks not to be indexed."""
    with closing(Store()) as store:
        crawl, _ = store.journal.begin(["http://x/"], {})
        urls = [f"http://x/{number}" for number in range(30)]
        store.journal.meet(crawl, None, [Found(url, "x", 0) for url in urls], max_depth=9)
        ids = store.journal.ids(urls)
        for n, url in enumerate(urls[:20]):
            links = (
                Link(urls[(7 * n + 5 * i) % 29], WORDS[(n + i) % len(WORDS)], nofollow=(n + i) % 11 == 0)
                for i in range(n % 13)
            )
            page = Page(url, links=tuple(links), language=("", "en", "sr")[n % 3], noindex="asked" if n == 4 else "")
            store.pages.save(ids[url], page, ids)
        store.pages.merge(6, 1)
        store.pages.stand_for(ids[urls[5]], 1)
        yield store


@both
@pytest.mark.parametrize("at_a_time", [1, 3, 500])
def test_each_saying_is_told_once_whatever_it_has_in_it(store, monkeypatch, at_a_time, plain):
    monkeypatch.setattr(sayings, "PAGES_AT_A_TIME", at_a_time)
    monkeypatch.setattr(sayings, "compiled", None if plain else compiled)
    found = store.pages.anchors()
    assert found == plainly(store.file.db.conn)
    assert {text for _, text, _ in found} == {*WORDS} - {""}


@both
def test_a_link_to_an_address_that_is_not_in_the_file_says_nothing(store, monkeypatch, plain):
    monkeypatch.setattr(sayings, "compiled", None if plain else compiled)
    before = store.pages.anchors()
    conn = store.file.db.conn
    conn.execute("PRAGMA foreign_keys = OFF")
    conn.execute("INSERT INTO links (page, n, url, anchor, nofollow, count) VALUES (1, 99, 1000000, 'gone', 0, 1)")
    assert store.pages.anchors() == before


@both
def test_without_links_nothing_is_said(monkeypatch, plain):
    monkeypatch.setattr(sayings, "compiled", None if plain else compiled)
    with closing(Store()) as store:
        assert store.pages.anchors() == []


words = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(sayings.APART), min_size=1, max_size=5)
links = st.tuples(st.integers(1, 9), st.integers(1, 9), words | st.sampled_from(WORDS), st.booleans())


@needed
@settings(deadline=None, max_examples=50)
@given(st.lists(links, max_size=20))
def test_compiled_or_not_links_say_the_same(many):
    with closing(Store()) as store:
        crawl, _ = store.journal.begin(["http://x/"], {})
        urls = [f"http://x/{number}" for number in range(10)]
        store.journal.meet(crawl, None, [Found(url, "x", 0) for url in urls], max_depth=9)
        ids = store.journal.ids(urls)
        for n, url in enumerate(urls[:7]):
            said = tuple(Link(urls[to], text, nofollow=shunned) for page, to, text, shunned in many if page == n)
            store.pages.save(ids[url], Page(url, links=said, language="en" if n % 2 else "sr"), ids)
        told = []
        for met, numbers in (sayings.heard(store.file.db.conn), sayings.read(store.file.db.conn)):
            said = {number: (language, text) for language, known in numbers.items() for text, number in known.items()}
            told.append(sorted((int(key) >> 32, *said[int(key) & sayings.LAST_NUMBER]) for key in met))
            assert len(said) == sum(map(len, numbers.values()))
        assert told[0] == told[1]


@needed
@pytest.mark.parametrize(
    ("row", "error"),
    [
        ((1, 1, "", "bee"), ValueError),
        ((1, 1, "x", "bee"), ValueError),
        ((1, 1, "1,1", "bee"), ValueError),
        ((1, 2, "1", f"a{sayings.APART}b"), ValueError),
        ((1, 1, "1", ""), ValueError),
        ((1, 1, "1" * 30, "bee"), ValueError),
        ((1, 1, "1", f"a{sayings.APART}b"), ValueError),  # whoever is asked says nothing
        ((1, 1, 1, "bee"), TypeError),
        ((1, 1, "1", None), TypeError),
        ((2, 1, "1", "bee"), TypeError),  # has a language without a table
        ([1, 1, "1", "bee"], TypeError),
    ],
)
def test_links_that_make_no_sense_are_refused(row, error):
    tongues, tables, about = {1: "en", 2: "sr"}, {"en": sayings._new_table(), "sr": None}, np.array([0, 5, 0])
    with pytest.raises(error):
        sayings._new_table().hear([row], tongues, tables, about, lambda page: [], 0)


@needed
def test_a_page_that_counts_for_nothing_is_passed_over():
    met, tables = sayings._new_table(), {"en": sayings._new_table()}
    rows = [(1, 1, "1", "bee"), (3, 1, "nonsense", "bee"), (1, 2, "1,9", f"bee{sayings.APART}wasp")]
    assert met.hear(rows, {1: "en"}, tables, np.array([0, 5, 0]), list, 7) == 9
    assert np.frombuffer(met.content(), np.int64).tolist() == [5 << 32 | 7]
    texts, numbers = tables["en"].texts()
    assert dict(zip(texts, np.frombuffer(numbers, np.int32).tolist(), strict=True)) == {"bee": 7, "wasp": 8}
