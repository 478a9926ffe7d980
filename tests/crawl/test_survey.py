import pytest

from minisearch.crawl import survey as module
from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.survey import Survey, check_ways, is_sitemap
from minisearch.errors import BadInput
from minisearch.records import Failed, Found, Redirect, Skipped
from minisearch.urls import host

SITE = "https://example.com"
ROOTS = [f"{SITE}/docs/"]


def judge(url, depth):
    return Found(url, host(url), depth, rule="" if "/docs/" in url else "scope")


def take(survey, queued, outcome):
    return survey.read(queued, outcome, judge)


def test_sitemaps_named_in_robots_txt_are_handed_out_one_after_the_other():
    survey = Survey(["robots"], wanted=9)
    assert survey.begin(ROOTS) is None
    first = survey.heard_of(SITE, ["/1.xml", f"{SITE}/2.xml", "/1.xml", "mailto:x"], ROOTS)
    assert (first.url, is_sitemap(first)) == (f"{SITE}/1.xml", True)
    assert survey.next().url == f"{SITE}/2.xml"
    assert survey.next() is None


@pytest.mark.parametrize(
    ("ways", "named", "expected"),
    [
        (["none"], ["/1.xml"], None),
        (["robots"], [], None),
        (["robots"], ["/1.xml"], f"{SITE}/1.xml"),
        (["auto"], ["/1.xml"], f"{SITE}/1.xml"),
        (["auto"], [], f"{SITE}/sitemap.xml"),
        ([f"{SITE}/own.xml"], ["/1.xml"], None),
    ],
)
def test_the_person_says_which_are_read(ways, named, expected):
    found = Survey(ways, wanted=9).heard_of(SITE, named, ROOTS)
    assert (found.url if found else None) == expected


def test_a_site_is_heard_once():
    survey = Survey(["auto"], wanted=9)
    assert survey.heard_of(SITE, ["/1.xml"], ROOTS).url == f"{SITE}/1.xml"
    assert survey.heard_of(SITE, ["/1.xml"], ROOTS) is None


def test_a_sitemap_that_the_person_named_is_first():
    survey = Survey([f"{SITE}/own.xml", "robots"], wanted=9)
    assert survey.begin(ROOTS).url == f"{SITE}/own.xml"
    assert survey.heard_of(SITE, ["/1.xml"], ROOTS).url == f"{SITE}/1.xml"


def test_only_the_sites_we_started_from_are_surveyed():
    assert Survey(["auto"], wanted=9).heard_of("https://other.example", ["/1.xml"], ROOTS) is None


@pytest.mark.parametrize("ways", [["some"], ["none", "robots"], ["ftp://example.com/x"]])
def test_senseless_ways_are_refused(ways):
    with pytest.raises(BadInput):
        check_ways(ways)


def test_the_urls_of_a_sitemap_are_one_link_away_and_judged_by_the_rules():
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["/1.xml"], ROOTS)
    told, found = take(survey, queued, Sitemap(queued.url, (f"{SITE}/docs/a", f"{SITE}/blog/b")))
    assert [(each.url, each.depth, each.rule) for each in found] == [
        (f"{SITE}/docs/a", 1, ""),
        (f"{SITE}/blog/b", 1, "scope"),
    ]
    assert told == Skipped(queued.url, "read as a sitemap: 2 urls taken", "sitemap")


def test_a_sitemap_may_speak_of_the_host_that_named_it_only():
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["https://cdn.example/1.xml"], ROOTS)
    pages = (f"{SITE}/docs/a", "https://cdn.example/b", "https://example.com:8080/c")
    told, found = take(survey, queued, Sitemap(queued.url, pages, dropped={"named twice": 4}))
    assert [each.url for each in found] == [f"{SITE}/docs/a"]
    assert told.reason == "read as a sitemap: 1 url taken; dropped 4 (named twice), 2 (another host)"


def test_index_files_lead_on_but_not_to_other_hosts_nor_for_ever(monkeypatch):
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["/0.xml"], ROOTS)
    for level in range(1, module.DEEPEST + 1):
        told, _ = take(survey, queued, Sitemap(queued.url, (), (f"{SITE}/{level}.xml", "https://other.example/x.xml")))
        assert told.reason.endswith("2 sitemaps named; dropped 1 (a sitemap of another host)")
        queued = survey.next()
        assert queued.url == f"{SITE}/{level}.xml"
    told, _ = take(survey, queued, Sitemap(queued.url, (), (f"{SITE}/deeper.xml",)))
    assert told.reason.endswith("dropped 1 (nested too deeply)")
    assert survey.next() is None


def test_index_files_in_a_ring_are_read_once():
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["/0.xml"], ROOTS)
    take(survey, queued, Sitemap(queued.url, (), (f"{SITE}/0.xml",)))
    assert survey.next() is None


def test_no_more_sitemaps_are_read_than_there_may_be():
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["/index.xml"], ROOTS)
    take(survey, queued, Sitemap(queued.url, (), tuple(f"{SITE}/{n}.xml" for n in range(9999))))
    read = 0
    while survey.next():
        read += 1
    assert read == module.MOST_FILES - 1


def test_what_robots_txt_names_and_is_not_read_is_told_with_the_next_sitemap():
    survey = Survey(["robots"], wanted=9)
    named = [f"/{n}.xml" for n in range(module.MOST_FILES + 5)]
    queued = survey.heard_of(SITE, ["mailto:x", *named], ROOTS)
    told, _ = take(survey, queued, Sitemap(queued.url))
    assert told.reason == (
        "read as a sitemap: 0 urls taken; of the sitemaps in robots.txt not read 5 (past the first 100), 1 (no address)"
    )


def test_when_there_are_enough_urls_the_rest_is_left_and_said():
    survey = Survey(["robots"], wanted=2)
    queued = survey.heard_of(SITE, ["/1.xml", "/2.xml"], ROOTS)
    told, _ = take(survey, queued, Sitemap(queued.url, tuple(f"{SITE}/docs/{n}" for n in range(5))))
    assert told.reason.endswith("5 urls taken; 1 more sitemap not read, for these urls are as many as may be fetched")
    assert survey.next() is None


def test_redirects_of_a_sitemap_are_followed_up_to_a_limit():
    survey = Survey(["robots"], wanted=9)
    queued, hops = survey.heard_of(SITE, ["/0"], ROOTS), 0
    while queued:
        told, found = take(survey, queued, Redirect(queued.url, f"{SITE}/{hops + 1}", 301))
        assert (told.rule, found) == ("sitemap", ())
        queued, hops = survey.next(), hops + 1
    assert hops == 1 + module.MOST_REDIRECTS
    assert told.reason.endswith("which is not read")


@pytest.mark.parametrize(
    "outcome", [Failed("u", "no answer", "timeout", True), Skipped("u", "its type is image/png", "type")]
)
def test_a_sitemap_that_cannot_be_read_is_told_and_not_taken_for_a_page(outcome):
    survey = Survey(["robots"], wanted=9)
    queued = survey.heard_of(SITE, ["/1.xml"], ROOTS)
    told, _ = take(survey, queued, outcome)
    assert told == Failed(queued.url, f"a sitemap that could not be read: {outcome.reason}", "sitemap")
