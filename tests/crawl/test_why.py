"""What became of a url, in words. (What becomes of urls in a crawl: test_job.py, test_merging.py.)"""

import pytest

from minisearch.errors import BadUrl, NotFound


@pytest.fixture
def crawled(engine, site):
    site.show({"/": ["/story?utm_source=mail&page=2", "/late"], "/story?page=2": "<p>two", "/late": "<p>late"})
    engine.crawl(site.base + "/", workers=0, max_pages=2)
    return engine


def test_a_page_is_fetched_and_indexed(crawled, site):
    verdict = crawled.why(site.base + "/")
    assert (verdict.state, verdict.rule) == ("fetched", "allowed")
    assert verdict.reason == "fetched and indexed: no rule excludes it"


def test_a_url_whose_turn_has_not_come_waits_for_the_budget(crawled, site):
    verdict = crawled.why(site.base + "/late")
    assert (verdict.state, verdict.rule) == ("queued", "budget")


def test_a_url_that_tells_who_sent_the_reader_is_the_one_without(crawled, site):
    typed = site.base + "/story?utm_source=mail&page=2"
    verdict = crawled.why(typed)
    assert (verdict.url, verdict.state, verdict.rule) == (typed, "merged", "tracking")
    assert verdict.target == site.base + "/story?page=2"
    assert verdict.reason.startswith(f"without its tracking parameters (utm_source) it is {verdict.target}, fetched:")


def test_what_was_never_met_has_no_verdict(crawled, site):
    with pytest.raises(NotFound):
        crawled.why(site.base + "/nowhere?fbclid=1")
    with pytest.raises(BadUrl):
        crawled.why("http://[bad/")
