"""Pages are written whole, replaced whole, and lend their links to whoever asks."""

from contextlib import closing

import pytest

from minisearch.models import Found, Heading, Link, Page
from minisearch.store.database import Store


class Shelf:
    """A store into which pages are put by name: 'a' stands for http://x/a."""

    def __init__(self, store):
        self.store, self.pages = store, store.pages
        self.crawl, _ = store.urls.begin_crawl(["http://x/"], {})

    def put(self, name, *links, **facts):
        told = tuple(link if isinstance(link, Link) else Link(f"http://x/{link}", f"to {link}") for link in links)
        page = Page(f"http://x/{name}", links=told, **{"title": name, "text": f"about {name}", **facts})
        ids = {url: self.url(url) for url in (page.url, *(link.url for link in told))}
        return self.pages.save(ids[page.url], page, ids, keep_html=True)

    def url(self, url):
        self.store.urls.discover(self.crawl, None, [Found(url, "x", 0)])
        return self.store.urls.ids([url])[url]

    def rows(self, table):
        return list(self.store.db.query(f"SELECT * FROM {table}"))


def edges(shelf):
    """(page, page, count) of the links between pages of the file."""
    return list(zip(*(ends.tolist() for ends in shelf.store.rankings.link_ends()), strict=True))


def index(shelf, *names):
    """Let pages belong to some segment."""
    db = shelf.store.db
    db.execute("INSERT OR IGNORE INTO segments VALUES (1, 'page', 0, 0, '[]', '', '', '')")
    db.execute(f"UPDATE pages SET segment_id = 1 WHERE title IN ({', '.join(repr(name) for name in names)})")


@pytest.fixture
def shelf():
    with closing(Store()) as store:
        yield Shelf(store)


def test_a_page_is_given_back_as_it_was_written(shelf):
    headings = (Heading(1, "Roses", 0, "top"), Heading(2, "Руже", 9, ""))
    number = shelf.put("a", title="Roses", text="Roses.\nRed ones.", headings=headings)
    page = shelf.pages.get([number])[number]
    assert (page.url, page.title) == ("http://x/a", "Roses")
    assert shelf.pages.text(number) == ("Roses.\nRed ones.", list(headings))


def test_a_page_that_is_not_there_is_not_made_up(shelf):
    assert shelf.pages.get([7]) == {}
    assert shelf.pages.text(7) == ("", [])
    assert shelf.pages.id_of("http://x/a") is None


def test_openings_are_read_at_once_with_all_headings(shelf):
    long = shelf.put("a", text="Müßig, ja", headings=(Heading(1, "Top", 0, "t"), Heading(2, "Low", 99)))
    short = shelf.put("b", text="be")
    found = shelf.pages.openings([long, short, 999], 5)
    assert found == {long: ("Müßig", [[1, "Top", 0, "t"], [2, "Low", 99, ""]]), short: ("be", [])}
    assert shelf.pages.openings([], 5) == {}


def test_page_ids_are_dense(shelf):
    assert [shelf.put(name, "far", "away") for name in "abc"] == [1, 2, 3]


def test_a_newer_version_replaces_the_older_and_keeps_its_id(shelf):
    before = shelf.put("a", "b", "c", text="old")
    shelf.put("b")
    assert shelf.put("a", "d", text="new") == before
    assert shelf.pages.text(before)[0] == "new"
    assert [row["anchor"] for row in shelf.rows("links") if row["page_id"] == before] == ["to d"]
    assert shelf.pages.counts()["pages"] == 2


def test_a_newer_version_waits_to_be_indexed_again(shelf):
    shelf.put("a")
    index(shelf, "a")
    assert shelf.pages.count_pending() == 0
    shelf.put("a")
    assert shelf.pages.pending() == [1]


def test_a_page_for_which_another_stands_waits_no_more_until_it_changes(shelf):
    shelf.pages.set_canonical(shelf.put("a"), shelf.put("b"))
    assert shelf.pages.pending() == [2]
    shelf.put("a")
    assert shelf.pages.pending() == [1, 2]


@pytest.mark.parametrize(("noindex", "kept"), [("", ("about a", b"<html>")), ("meta robots", ("", None))])
def test_what_asks_not_to_be_indexed_is_not_stored_either(shelf, noindex, kept):
    shelf.put("a", "b", noindex=noindex, html=b"<html>")
    [row] = shelf.rows("contents")
    assert (row["text"], row["html"]) == kept
    assert shelf.pages.count_pending() == (not noindex)
    assert shelf.pages.counts()["links"] == 1


def test_repeated_links_are_counted_by_their_words(shelf):
    shelf.put("a", "b", "b", Link("http://x/b", "elsewhere"), Link("http://x/b", "elsewhere", nofollow=True))
    assert [(row["position"], row["anchor"], row["nofollow"], row["count"]) for row in shelf.rows("links")] == [
        (0, "to b", 0, 2),
        (1, "elsewhere", 0, 1),
        (2, "elsewhere", 1, 1),
    ]


def test_pages_wait_to_be_indexed_in_order_and_all_can_be_indexed_again(shelf):
    for name in "abc":
        shelf.put(name)
    index(shelf, "b")
    assert shelf.pages.pending() == [1, 3]
    assert shelf.pages.count_pending() == 2
    shelf.pages.set_canonical(3, 1)
    assert shelf.pages.pending(rebuild=True) == [1, 2]


def test_links_keep_their_fragment(shelf):
    links = [Link("http://x/b", "b", fragment=fragment) for fragment in ("", "one", "two", "one")]
    shelf.put("a", *links)
    shelf.put("b")
    assert [(row["fragment"], row["count"]) for row in shelf.rows("links")] == [("", 1), ("one", 2), ("two", 1)]
    assert sum(count for _, _, count in edges(shelf)) == 4


def test_edges_are_followed_links_between_pages_we_hold(shelf):
    shelf.put("a", "a", "b", "b", "c", Link("http://x/d", nofollow=True))
    shelf.put("b", "a")
    shelf.put("d")
    assert sorted(edges(shelf)) == [(1, 1, 1), (1, 2, 2), (2, 1, 1)]
    assert shelf.pages.nodes() == [1, 2, 3]


def test_links_to_an_alias_count_for_its_page_and_its_own_do_not_count(shelf):
    kept, alias = shelf.put("kept"), shelf.put("alias", "other")
    shelf.put("other", "alias")
    shelf.pages.set_canonical(alias, kept)
    shelf.pages.set_target(shelf.url("http://x/alias"), kept)
    assert list(edges(shelf)) == [(3, kept, 1)]
    assert shelf.pages.nodes() == [kept, 3]
    assert shelf.pages.id_of("http://x/alias") == kept


def test_a_redirect_leads_to_the_page_that_it_stands_for(shelf):
    number = shelf.put("new")
    shelf.pages.set_target(shelf.url("http://x/old"), number)
    assert shelf.pages.id_of("http://x/old") == number
    shelf.pages.set_target(shelf.url("http://x/old"), None)
    assert shelf.pages.id_of("http://x/old") is None


def test_anchors_are_what_others_say_about_a_page_that_may_be_indexed_each_saying_once(shelf):
    told = (Link("http://x/b", "bee"), Link("http://x/b", "bee"), Link("http://x/b", ""))
    shelf.put("a", *told, language="en", noindex="it asks for it")
    shelf.put("b", Link("http://x/b", "myself"), Link("http://x/a", "unindexed"))
    shelf.put("c", Link("http://x/b", "paid", nofollow=True), Link("http://x/b", "пчела"), language="sr")
    shelf.put("d", Link("http://x/b", "bee"), language="en")
    assert list(shelf.pages.anchor_texts()) == [(2, "bee", "en"), (2, "пчела", "sr")]


def test_in_links_name_who_links_to_a_page_by_any_of_its_names(shelf):
    kept = shelf.put("kept", "kept")
    shelf.pages.set_target(shelf.url("http://x/old"), kept)
    shelf.put("a", Link("http://x/old", "the old one"))
    shelf.put("b", Link("http://x/kept", "paid", nofollow=True))
    urls = ["http://x/kept", "http://x/old"]
    assert shelf.store.inspect.linking(urls) == [(2, "http://x/a")]
    assert shelf.store.inspect.in_links(urls, "pagerank") == [("http://x/a", "a", "the old one", 1, None)]
    assert shelf.store.inspect.anchor_texts(urls) == [("the old one", "")]


def test_pages_are_counted_by_crawl(shelf):
    shelf.put("a")
    shelf.put("b")
    index(shelf, "b")
    assert (shelf.pages.count(shelf.crawl), shelf.pages.count_indexed(shelf.crawl)) == (2, 1)
    assert (shelf.pages.count(99), shelf.pages.count_indexed(99)) == (0, 0)
    assert shelf.pages.counts() == {"pages": 2, "indexed": 1, "merged": 0, "links": 0}


def test_twins_tell_what_merging_has_to_know(shelf):
    shelf.put("a", canonical="http://x/b", content_hash="h1")
    shelf.put("b", noindex="meta robots")
    first, second = shelf.pages.duplicate_candidates()
    assert (first.url, first.canonical, first.content_hash, first.noindex) == ("http://x/a", "http://x/b", "h1", 0)
    assert (second.host, second.depth, second.noindex, second.canonical_page_id) == ("x", 0, 1, None)


def test_the_views_show_links_by_url(shelf):
    shelf.put("a", "b")
    assert shelf.rows("in_links") == [
        {"url": "http://x/b", "linked_from": "http://x/a", "anchor": "to b", "nofollow": 0, "count": 1, "fragment": ""}
    ]
    assert [(row["url"], row["links_to"]) for row in shelf.rows("out_links")] == [("http://x/a", "http://x/b")]
    assert [(row["url"], row["state"]) for row in shelf.rows("url_status")] == [
        ("http://x/a", "queued"),
        ("http://x/b", "queued"),
    ]
