"""The journal of urls: who was met where, what was decided, and what comes next."""

from contextlib import closing, suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.models import Found, Link, Page, Queued, Skipped
from minisearch.store.database import Store

DEEPEST = 2
LIMITS = {"depth": DEEPEST, "redirects": 10}


class Book:
    """A journal with a crawl begun at /, written in names: '/a' stands for http://x/a."""

    def __init__(self, store):
        self.store, self.urls = store, store.urls
        self.crawl, _ = self.urls.begin_crawl(["http://x/"], {})
        self.meet("/", depth=0)

    def meet(self, *names, on="", depth, rule="", hops=0, count=False):
        detail = {"limit": LIMITS.get(rule)} if rule else {}
        found = [Found(f"http://x{name}", "x", depth, hops, rule, detail) for name in names]
        source = self.id(on) if on else None
        return self.urls.discover(self.crawl, source, found, count_inlinks=count)

    def fetch(self, name, *links, shunned=(), canonical=""):
        """Write a page down as the crawl does: the urls it leads to, then the page itself."""
        told = (Link(f"http://x{link}", nofollow=link in shunned) for link in links)
        page = Page(f"http://x{name}", links=tuple(told), canonical=canonical and f"http://x{canonical}")
        depth = self.see(name).depth + 1
        for link in filter(None, (*links, canonical)):
            rule = "depth" if depth > DEEPEST else "nofollow" if link in shunned else ""
            self.meet(link, on=name, depth=depth, rule=rule)
        self.store.pages.save(self.id(name), page, self.urls.ids(link.url for link in page.links))
        self.urls.set_status(self.id(name), "fetched")

    def move(self, name, target):
        self.meet(target, on=name, depth=self.see(name).depth, hops=1)
        self.urls.set_status(self.id(name), "merged", "redirect", {}, self.id(target))

    def id(self, name):
        return self.urls.ids([f"http://x{name}"])[f"http://x{name}"]

    def see(self, name):
        return self.urls.verdict(f"http://x{name}")

    def state(self, name):
        seen = self.see(name)
        return f"{seen.state} {seen.rule}".strip(), seen.depth

    def waiting(self, order="breadth", limit=99):
        queued = self.urls.next_queued(self.crawl, "x", order, limit)
        return [entry.url.removeprefix("http://x") for entry in queued]


@pytest.fixture
def book():
    with closing(Store()) as store:
        yield Book(store)


# -- meeting -------------------------------------------------------------------------------------


def test_a_url_that_is_met_waits_for_its_turn(book):
    assert book.meet("/a", on="/", depth=1) == {"x"}
    seen = book.see("/a")
    assert (seen.state, seen.depth, seen.found_on, seen.path) == ("queued", 1, "http://x/", ("http://x/",))


def test_a_url_that_is_met_twice_waits_once(book):
    book.meet("/a", on="/", depth=1)
    assert book.meet("/a", on="/", depth=1) == set()
    assert book.waiting() == ["/", "/a"]


def test_a_url_that_was_never_met_is_unknown(book):
    assert book.see("/nowhere") is None
    assert book.urls.ids(["http://x/nowhere"]) == {}


@pytest.mark.parametrize("rule", ["scope", "depth", "nofollow", "pattern", "length", "redirects"])
def test_a_url_that_we_skipped_is_let_in_when_met_again_under_better_circumstances(book, rule):
    book.meet("/a", on="/", depth=1, rule=rule)
    assert book.state("/a") == (f"skipped {rule}", 1)
    assert book.meet("/a", on="/", depth=1) == {"x"}
    assert book.state("/a") == ("queued", 1)


@pytest.mark.parametrize("rule", ["robots", "type", "size"])
def test_a_url_that_the_server_closed_stays_closed(book, rule):
    book.meet("/a", on="/", depth=1)
    book.urls.set_status(book.id("/a"), "skipped", rule)
    assert book.meet("/a", on="/", depth=1) == set()
    assert book.state("/a") == (f"skipped {rule}", 1)


@pytest.mark.parametrize("state", ["fetched", "merged", "failed"])
def test_what_was_decided_stays_decided(book, state):
    book.meet("/a", on="/", depth=1)
    book.urls.set_status(book.id("/a"), state)
    assert book.meet("/a", on="/", depth=1) == set()
    assert book.state("/a") == (state, 1)


def test_a_url_met_nearer_to_the_seed_moves_up(book):
    book.meet("/a", on="/", depth=1)
    book.meet("/b", on="/a", depth=2)
    book.meet("/b", on="/", depth=1)
    assert (book.see("/b").depth, book.see("/b").found_on) == (1, "http://x/")


def test_a_url_met_farther_away_stays_where_it_is(book):
    book.meet("/a", "/b", on="/", depth=1)
    book.meet("/b", on="/a", depth=2)
    assert (book.see("/b").depth, book.see("/b").found_on) == (1, "http://x/")


def test_what_is_let_in_by_a_page_farther_away_stays_as_near_as_it_was(book):
    book.meet("/a", on="/", depth=1, rule="scope")
    book.meet("/b", on="/", depth=1)
    book.meet("/a", on="/b", depth=2)
    assert (*book.state("/a"), book.see("/a").found_on) == ("queued", 1, "http://x/")


def test_a_nofollow_link_brings_nothing_nearer(book):
    book.meet("/a", on="/", depth=1)
    book.meet("/b", on="/a", depth=2)
    book.meet("/b", on="/", depth=1, rule="nofollow")
    assert book.state("/b") == ("queued", 2)


def test_a_nofollow_link_does_not_let_in_what_was_too_deep(book):
    book.meet("/a", on="/", depth=3, rule="depth")
    assert book.meet("/a", on="/", depth=1, rule="nofollow") == set()
    assert book.state("/a") == ("skipped depth", 3)


def test_what_only_nofollow_links_led_to_is_as_deep_as_the_first_link_that_counts(book):
    book.meet("/a", on="/", depth=1, rule="nofollow")
    book.meet("/b", on="/", depth=1)
    book.meet("/a", on="/b", depth=2)
    assert (*book.state("/a"), book.see("/a").found_on) == ("queued", 2, "http://x/b")


def test_a_link_that_counts_says_more_than_one_marked_nofollow(book):
    book.meet("/a", on="/", depth=1, rule="nofollow")
    book.meet("/a", on="/", depth=3, rule="depth")
    assert book.state("/a") == ("skipped depth", 3)
    book.meet("/a", on="/", depth=1, rule="nofollow")
    assert book.state("/a") == ("skipped depth", 3)


# -- coming nearer -------------------------------------------------------------------------------


def test_a_fetched_page_that_comes_nearer_brings_along_what_it_leads_to(book):
    book.fetch("/", "/a")
    book.fetch("/a", "/b")
    book.fetch("/b", "/c")
    assert book.state("/c") == ("skipped depth", 3)
    assert book.meet("/b", on="/", depth=1) == {"x"}
    assert book.state("/b") == ("fetched", 1)
    assert book.state("/c") == ("queued", 2)
    assert book.see("/c").path == ("http://x/", "http://x/b")


def test_what_came_nearer_and_was_fetched_is_not_let_in_again(book):
    book.fetch("/", "/a")
    book.fetch("/a", "/b")
    book.fetch("/b", "/c")
    book.meet("/b", on="/", depth=1)
    book.urls.set_status(book.id("/c"), "fetched")
    assert book.meet("/c", on="/b", depth=2) == set()
    assert book.state("/c") == ("fetched", 2)


def test_what_is_still_too_deep_stays_out_but_is_nearer(book):
    book.meet("/a", on="/", depth=5, rule="depth")
    assert book.meet("/a", on="/", depth=4, rule="depth") == set()
    assert book.state("/a") == ("skipped depth", 4)


def test_coming_nearer_passes_along_redirects_at_no_cost(book):
    book.meet("/old", on="/", depth=2)
    book.move("/old", "/new")
    book.fetch("/new", "/beyond")
    book.meet("/old", on="/", depth=1)
    assert [book.state(name) for name in ("/new", "/beyond")] == [("fetched", 1), ("queued", 2)]


def test_coming_nearer_passes_along_canonical_links(book):
    book.meet("/print", on="/", depth=2)
    book.fetch("/print", canonical="/screen")
    assert book.state("/screen") == ("skipped depth", 3)
    book.meet("/print", on="/", depth=1)
    assert book.state("/screen") == ("queued", 2)


def test_coming_nearer_does_not_pass_along_canonical_links_to_other_hosts(book):
    book.meet("/a", on="/", depth=2)
    book.urls.discover(book.crawl, 1, [Found("http://y/a", "y", 3, 0, "depth", {"limit": DEEPEST})])
    book.store.pages.save(book.id("/a"), Page("http://x/a", canonical="http://y/a"), {})
    assert book.meet("/a", on="/", depth=1) == set()
    assert book.urls.verdict("http://y/a").state == "skipped"


def test_coming_nearer_does_not_pass_along_nofollow_links(book):
    book.meet("/a", on="/", depth=2)
    book.fetch("/a", "/b", shunned=["/b"])
    book.meet("/a", on="/", depth=1)
    assert book.state("/b") == ("skipped depth", 3)


def test_pages_that_link_in_a_ring_come_nearer_once(book):
    book.meet("/a", on="/", depth=2)
    book.fetch("/a", "/b")
    book.meet("/b", on="/", depth=2)
    book.fetch("/b", "/a")
    book.meet("/a", on="/", depth=1)
    assert [book.state(name) for name in ("/a", "/b")] == [("fetched", 1), ("fetched", 2)]


def test_a_page_that_came_nearer_while_under_way_catches_up(book):
    book.meet("/a", on="/", depth=2)
    book.meet("/a", on="/", depth=1)
    book.meet("/b", on="/a", depth=3, rule="depth")  # as it was judged when /a set out
    book.store.pages.save(book.id("/a"), Page("http://x/a", links=(Link("http://x/b"),)), {"http://x/b": book.id("/b")})
    assert book.urls.catch_up(Queued(book.id("/a"), "http://x/a", "x", 2)) == {"x"}
    assert book.state("/b") == ("queued", 2)


# -- going on ------------------------------------------------------------------------------------


def test_the_same_seeds_are_the_same_crawl_in_any_order(book):
    number, changed = book.urls.begin_crawl(["http://x/a", "http://x/b"], {"scope": "path"})
    assert not changed
    again = ["http://x/b", "http://x/a", "http://x/a"]
    assert book.urls.begin_crawl(again, {"scope": "path"}) == (number, None)
    assert book.urls.begin_crawl(again, {"scope": "host"}) == (number, {"scope": "path"})
    assert book.urls.begin_crawl(again, {"scope": "host"}) == (number, None)


def rules(*closed):
    """A judge who closes some urls."""
    return lambda url, depth: (
        Skipped(url, "pattern", {"pattern": "closed"}) if url.removeprefix("http://x") in closed else None
    )


@pytest.mark.parametrize("rule", ["scope", "depth", "pattern", "length"])
def test_changed_rules_let_in_what_the_old_ones_kept_out(book, rule):
    book.meet("/a", on="/", depth=1, rule=rule)
    book.urls.reevaluate(book.crawl, rules())
    assert book.state("/a") == ("queued", 1)


def test_changed_rules_keep_out_what_was_waiting_but_not_what_was_fetched(book):
    book.meet("/a", "/b", on="/", depth=1)
    book.urls.set_status(book.id("/b"), "fetched")
    book.urls.reevaluate(book.crawl, rules("/a", "/b"))
    assert [book.state(name)[0] for name in ("/a", "/b")] == ["skipped pattern", "fetched"]


@pytest.mark.parametrize("rule", ["nofollow", "scope"])
def test_changed_rules_do_not_let_in_what_only_nofollow_links_lead_to(book, rule):
    book.fetch("/", "/a", shunned=["/a"])
    book.urls.set_status(book.id("/a"), "skipped", rule)
    book.urls.reevaluate(book.crawl, rules())
    assert book.state("/a")[0] == "skipped nofollow"


def test_changed_rules_do_not_undo_too_many_redirects(book):
    book.meet("/a", on="/", depth=1, rule="redirects", hops=11)
    book.urls.reevaluate(book.crawl, rules())
    assert book.state("/a")[0] == "skipped redirects"


def test_after_reconsidering_nothing_old_is_remembered(book):
    book.meet("/a", on="/", depth=1)
    book.urls.reevaluate(book.crawl, rules("/a"))
    assert book.meet("/a", on="/", depth=1) == {"x"}  # judged anew, as by a page under newer rules still


@pytest.mark.parametrize(
    ("state", "after"),
    [("failed", "queued"), ("skipped", "queued"), ("fetched", "fetched"), ("merged", "merged"), ("queued", "queued")],
)
def test_seeds_that_could_not_be_had_are_tried_again(book, state, after):
    book.urls.set_status(book.id("/"), state)
    book.urls.retry(book.crawl, ["http://x/"])
    assert book.state("/") == (after, 0)


# -- the frontier --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("breadth", ["/", "/late", "/early", "/deep"]),
        ("newest", ["/late", "/deep", "/early", "/"]),
        ("best", ["/deep", "/", "/late", "/early"]),
    ],
)
def test_what_comes_next_depends_on_the_order(book, order, expected):
    book.meet("/early", on="/", depth=2)
    book.meet("/deep", on="/early", depth=3)
    book.meet("/late", on="/", depth=1)
    book.meet("/deep", on="/late", depth=3, count=True)
    assert book.waiting(order) == expected
    assert book.waiting(order, limit=2) == expected[:2]


def test_links_are_counted_by_pages_and_only_those_that_count(book):
    book.fetch("/", "/a", "/b", "/b", "/c", shunned=["/c"])
    book.fetch("/a", "/b")
    book.meet("/c", on="/a", depth=2)
    book.urls.count_inlinks(book.crawl)
    rows = book.store.db.execute("SELECT url, inlinks FROM urls WHERE state = 'queued' ORDER BY url")
    assert rows.fetchall() == [("http://x/b", 2), ("http://x/c", 0)]


def test_links_counted_while_they_are_discovered_are_those_counted_afterwards(book):
    for name, links in (("/", ["/a", "/b"]), ("/a", ["/b", "/c"])):
        depth = book.see(name).depth + 1
        book.meet(*links, on=name, depth=depth, count=True)
        book.fetch(name, *links)
    counted = "SELECT url, inlinks FROM urls WHERE state = 'queued' ORDER BY url"
    rows = book.store.db.execute(counted).fetchall()
    book.urls.count_inlinks(book.crawl)
    assert rows == book.store.db.execute(counted).fetchall() == [("http://x/b", 2), ("http://x/c", 1)]


def test_only_hosts_with_something_to_fetch_wait(book):
    book.urls.discover(book.crawl, 1, [Found("http://y/", "y", 1), Found("http://z/", "z", 1, 0, "scope")])
    assert sorted(book.urls.queued_hosts(book.crawl)) == ["x", "y"]
    assert book.urls.count_queued(book.crawl) == 2


def test_each_crawl_has_a_frontier_of_its_own(book):
    other, _ = book.urls.begin_crawl(["http://x/elsewhere"], {})
    book.urls.discover(other, None, [Found("http://x/elsewhere", "x", 0)])
    assert book.waiting() == ["/"]
    assert [queued.url for queued in book.urls.next_queued(other, "x", "breadth", 9)] == ["http://x/elsewhere"]


# -- looking -------------------------------------------------------------------------------------


def test_the_path_leads_from_the_seed(book):
    for depth, (source, name) in enumerate([("/", "/a"), ("/a", "/b"), ("/b", "/c")], 1):
        book.meet(name, on=source, depth=depth)
    assert book.see("/c").path == ("http://x/", "http://x/a", "http://x/b")
    assert book.see("/").path == ()


def test_a_page_that_is_named_as_a_seed_later_was_found_on_no_page(book):
    book.meet("/a", on="/", depth=1)
    book.meet("/a", depth=0)
    assert (book.see("/a").depth, book.see("/a").found_on, book.see("/a").path) == (0, "", ())


def test_a_very_long_path_is_told_from_its_end(book):
    names = ["/", *(f"/{step}" for step in range(1, 151))]
    for depth, (source, name) in enumerate(pairwise(names), 1):
        book.meet(name, on=source, depth=depth)
    path = book.see("/150").path
    assert (len(path), path[-1]) == (100, "http://x/149")


def test_the_tally_counts_every_url_once(book):
    book.meet("/a", "/b", on="/", depth=1)
    book.meet("/c", "/d", on="/", depth=1, rule="scope")
    book.urls.set_status(book.id("/a"), "failed", "http-404")
    expected = {"failed": {"http-404": 1}, "queued": {"": 2}, "skipped": {"scope": 2}}
    assert book.urls.counts() == book.urls.counts(book.crawl) == expected
    assert book.urls.counts(crawl=99) == {}


def test_redirects_of_seeds_are_followed_to_their_end_even_in_a_ring(book):
    for source, target in (("/", "/a"), ("/a", "/b"), ("/b", "/")):
        book.move(source, target)
    assert list(book.urls.redirect_targets(["http://x/"])) == ["http://x/a", "http://x/b", "http://x/"]
    assert book.urls.redirects()[book.id("/a")][:2] == ("http://x/a", book.id("/b"))


def test_what_was_rolled_back_is_forgotten(book):
    with suppress(ZeroDivisionError), book.store.transaction():
        book.meet("/a", on="/", depth=1)
        raise ZeroDivisionError
    assert book.see("/a") is None
    assert book.meet("/a", on="/", depth=1) == {"x"}
    assert book.waiting() == ["/", "/a"]


# -- shortest ways -------------------------------------------------------------------------------


def test_of_pages_that_are_equally_near_the_first_by_name_is_where_a_url_was_found(book):
    book.meet("/b", "/a", "/c", on="/", depth=1)
    for source, told in (("/b", "/b"), ("/c", "/b"), ("/a", "/a")):
        book.meet("/x", on=source, depth=2)
        assert book.see("/x").found_on == f"http://x{told}"


def test_a_link_marked_nofollow_is_not_where_a_url_was_found_if_there_is_a_better_one(book):
    book.meet("/b", "/a", on="/", depth=1)
    book.meet("/x", on="/b", depth=2)
    book.meet("/x", on="/a", depth=2, rule="nofollow")
    assert book.see("/x").found_on == "http://x/b"


def test_a_url_is_as_many_redirects_away_as_on_the_shortest_way(book):
    book.meet("/a", on="/", depth=1, hops=10)
    book.move("/a", "/b")
    book.urls.set_status(book.id("/b"), "skipped", "redirects", {"limit": 9})
    book.urls._conn.execute("UPDATE urls SET redirects = 11 WHERE id = ?", (book.id("/b"),))
    assert book.meet("/a", on="/", depth=1) == {"x"}
    assert book.state("/b") == ("queued", 1)


def test_a_redirect_that_came_nearer_while_it_was_under_way_is_caught_up_with(book):
    book.meet("/a", on="/", depth=1, hops=10)
    book.meet("/a", on="/", depth=1)  # a link leads there as well
    book.meet("/b", on="/a", depth=1, hops=11, rule="redirects")
    book.urls.set_status(book.id("/a"), "merged", "redirect", {}, book.id("/b"))
    assert book.urls.catch_up(Queued(book.id("/a"), "http://x/a", "x", 1, 10)) == {"x"}
    assert book.state("/b") == ("queued", 1)


def test_reconsidering_tells_which_hosts_have_something_to_fetch(book):
    book.meet("/a", on="/", depth=1, rule="scope")
    book.meet("/b", on="/", depth=1, rule="size")
    assert book.urls.reevaluate(book.crawl, lambda *_: None) == {"x"}
    assert (book.state("/a")[0], book.state("/b")[0]) == ("queued", "skipped size")
    assert book.urls.reevaluate(book.crawl, lambda *_: None, ["size"]) == {"x"}
    assert book.state("/b")[0] == "queued"


names = st.sampled_from([f"/{number}" for number in range(70)])
met = st.builds(
    lambda name, host, depth, rule: Found(f"http://{host}{name}", host, depth, 0, rule, {"for": rule} if rule else {}),
    names,
    st.sampled_from("xy"),
    st.integers(1, 3),
    st.sampled_from(["", "", "scope", "nofollow", "robots"]),
)


@given(st.lists(st.lists(met, max_size=90, unique_by=lambda found: found.url), max_size=5))
def test_urls_met_together_are_written_down_as_if_they_were_met_one_by_one(pages):
    with closing(Store()) as one, closing(Store()) as other:
        together, alone = Book(one), Book(other)
        for found in pages:
            woken = [alone.urls.discover(alone.crawl, 1, [url]) for url in found]
            assert together.urls.discover(together.crawl, 1, found) == set().union(*woken)
        assert [*one.db.query("SELECT * FROM urls")] == [*other.db.query("SELECT * FROM urls")]
