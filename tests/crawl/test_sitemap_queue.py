import pytest

from minisearch.crawl import sitemaps as module
from minisearch.crawl.sitemaps import Sitemap, SitemapQueue, check_sources, is_sitemap
from minisearch.errors import BadInput
from minisearch.models import Failed, Found, Redirect, Skipped
from minisearch.urls import host

SITE = "https://example.com"
ROOTS = [f"{SITE}/docs/"]


def judge(url, depth):
    return Found(url, host(url), depth, rule="" if "/docs/" in url else "scope")


def add(queue, site, named):
    """The next sitemap, now that the robots.txt of a site names these."""
    queue.add_from_robots(site, named, ROOTS)
    return queue.pop()


def take(queue, queued, outcome):
    return queue.on_result(queued, outcome, judge)


def test_sitemaps_in_robots_txt_are_given_one_after_the_other():
    queue = SitemapQueue(["robots"], wanted=9)
    assert queue.pop() is None
    first = add(queue, SITE, ["/1.xml", f"{SITE}/2.xml", "/1.xml", "mailto:x"])
    assert (first.url, is_sitemap(first)) == (f"{SITE}/1.xml", True)
    assert queue.pop().url == f"{SITE}/2.xml"
    assert queue.pop() is None


@pytest.mark.parametrize(
    ("sources", "named", "expected"),
    [
        (["none"], ["/1.xml"], None),
        (["robots"], [], None),
        (["robots"], ["/1.xml"], f"{SITE}/1.xml"),
        (["auto"], ["/1.xml"], f"{SITE}/1.xml"),
        (["auto"], [], f"{SITE}/sitemap.xml"),
        ([f"{SITE}/own.xml"], ["/1.xml"], None),
    ],
)
def test_the_sources_say_which_sitemaps_are_read(sources, named, expected):
    found = add(SitemapQueue(sources, wanted=9), SITE, named)
    assert (found.url if found else None) == expected


def test_the_robots_txt_of_a_site_counts_once():
    queue = SitemapQueue(["auto"], wanted=9)
    assert add(queue, SITE, ["/1.xml"]).url == f"{SITE}/1.xml"
    assert add(queue, SITE, ["/1.xml"]) is None


def test_a_sitemap_that_the_user_named_is_first():
    queue = SitemapQueue([f"{SITE}/own.xml", "robots"], wanted=9)
    queue.add_named(ROOTS)
    assert queue.pop().url == f"{SITE}/own.xml"
    assert add(queue, SITE, ["/1.xml"]).url == f"{SITE}/1.xml"


def test_only_the_sites_we_started_from_have_sitemaps():
    assert add(SitemapQueue(["auto"], wanted=9), "https://other.example", ["/1.xml"]) is None


@pytest.mark.parametrize("sources", [["some"], ["none", "robots"], ["ftp://example.com/x"]])
def test_invalid_sources_are_refused(sources):
    with pytest.raises(BadInput):
        check_sources(sources)


def test_the_urls_of_a_sitemap_are_one_link_away_and_judged_by_the_rules():
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["/1.xml"])
    reported, found = take(queue, queued, Sitemap(queued.url, (f"{SITE}/docs/a", f"{SITE}/blog/b")))
    assert [(each.url, each.depth, each.rule) for each in found] == [
        (f"{SITE}/docs/a", 1, ""),
        (f"{SITE}/blog/b", 1, "scope"),
    ]
    assert reported == Skipped(queued.url, "sitemap", {"urls": 2})


def test_a_sitemap_may_speak_of_the_host_that_named_it_only():
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["https://cdn.example/1.xml"])
    pages = (f"{SITE}/docs/a", "https://cdn.example/b", "https://example.com:8080/c")
    reported, found = take(queue, queued, Sitemap(queued.url, pages, dropped=4))
    assert [each.url for each in found] == [f"{SITE}/docs/a"]
    assert reported.detail == {"urls": 1, "dropped": 6}


def test_index_files_lead_on_but_not_to_other_hosts_nor_for_ever(monkeypatch):
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["/0.xml"])
    for level in range(1, module.MAX_LEVELS + 1):
        reported, _ = take(
            queue, queued, Sitemap(queued.url, (), (f"{SITE}/{level}.xml", "https://other.example/x.xml"))
        )
        assert reported.detail == {"urls": 0, "sitemaps": 2, "dropped": 1}
        queued = queue.pop()
        assert queued.url == f"{SITE}/{level}.xml"
    reported, _ = take(queue, queued, Sitemap(queued.url, (), (f"{SITE}/deeper.xml",)))
    assert reported.detail["dropped"] == 1
    assert queue.pop() is None


def test_index_files_in_a_ring_are_read_once():
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["/0.xml"])
    take(queue, queued, Sitemap(queued.url, (), (f"{SITE}/0.xml",)))
    assert queue.pop() is None


def test_no_more_sitemaps_are_read_than_there_may_be():
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["/index.xml"])
    take(queue, queued, Sitemap(queued.url, (), tuple(f"{SITE}/{n}.xml" for n in range(9999))))
    read = 0
    while queue.pop():
        read += 1
    assert read == module.MAX_FILES - 1


def test_robots_txt_cannot_name_any_number_of_sitemaps():
    queue = SitemapQueue(["robots"], wanted=9)
    assert add(queue, SITE, ["mailto:x", *(f"/{n}.xml" for n in range(module.MAX_FILES + 5))])
    assert sum(1 for _ in iter(queue.pop, None)) == module.MAX_FILES - 1


def test_when_there_are_enough_urls_the_rest_is_left_and_said():
    queue = SitemapQueue(["robots"], wanted=2)
    queued = add(queue, SITE, ["/1.xml", "/2.xml"])
    reported, _ = take(queue, queued, Sitemap(queued.url, tuple(f"{SITE}/docs/{n}" for n in range(5))))
    assert reported.detail == {"urls": 5, "left": 1}
    assert queue.pop() is None


def test_redirects_of_a_sitemap_are_followed_up_to_a_limit():
    queue = SitemapQueue(["robots"], wanted=9)
    queued, hops = add(queue, SITE, ["/0"]), 0
    while queued:
        reported, found = take(queue, queued, Redirect(queued.url, f"{SITE}/{hops + 1}", 301))
        assert (reported.rule, found) == ("sitemap", ())
        queued, hops = queue.pop(), hops + 1
    assert hops == 1 + module.MAX_LEVELS


@pytest.mark.parametrize(
    "outcome", [Failed("u", "timeout", {"seconds": 9}, True), Skipped("u", "type", {"type": "image/png"})]
)
def test_a_sitemap_that_cannot_be_read_is_reported_and_not_taken_for_a_page(outcome):
    queue = SitemapQueue(["robots"], wanted=9)
    queued = add(queue, SITE, ["/1.xml"])
    reported, _ = take(queue, queued, outcome)
    cause = {"rule": outcome.rule, **outcome.detail}
    assert reported == Failed(queued.url, "sitemap", {"problem": "unreadable", "cause": cause})
