"""What links say, each saying once: against the plain way, row by row."""

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.records import Found, Link, Page
from minisearch.store import sayings
from minisearch.store.store import Store

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


@pytest.mark.parametrize("at_a_time", [1, 3, 500])
def test_each_saying_is_told_once_whatever_it_has_in_it(store, monkeypatch, at_a_time):
    monkeypatch.setattr(sayings, "PAGES_AT_A_TIME", at_a_time)
    found = store.pages.anchors()
    assert found == plainly(store.file.db.conn)
    assert {text for _, text, _ in found} == {*WORDS} - {""}


def test_a_link_to_an_address_that_is_not_in_the_file_says_nothing(store):
    before = store.pages.anchors()
    conn = store.file.db.conn
    conn.execute("PRAGMA foreign_keys = OFF")
    conn.execute("INSERT INTO links (page, n, url, anchor, nofollow, count) VALUES (1, 99, 1000000, 'gone', 0, 1)")
    assert store.pages.anchors() == before


def test_without_links_nothing_is_said():
    with closing(Store()) as store:
        assert store.pages.anchors() == []


words = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(sayings.APART), min_size=1, max_size=5)
links = st.tuples(st.integers(1, 9), st.integers(1, 9), words | st.sampled_from(WORDS), st.booleans())


@settings(deadline=None, max_examples=50)
@given(st.lists(links, max_size=20))
def test_any_links_say_what_sql_finds(many):
    with closing(Store()) as store:
        crawl, _ = store.journal.begin(["http://x/"], {})
        urls = [f"http://x/{number}" for number in range(10)]
        store.journal.meet(crawl, None, [Found(url, "x", 0) for url in urls], max_depth=9)
        ids = store.journal.ids(urls)
        for n, url in enumerate(urls[:7]):
            said = tuple(Link(urls[to], text, nofollow=shunned) for page, to, text, shunned in many if page == n)
            store.pages.save(ids[url], Page(url, links=said, language="en" if n % 2 else "sr"), ids)
        assert store.pages.anchors() == plainly(store.file.db.conn)
