"""What the product makes of every scenario is what is expected of a good crawler."""

import re

import pytest

from minisearch.testing.zoo import compare


def test_verdicts_contents_and_costs_are_as_expected(crawl):
    assert not compare(crawl.server, crawl.server.scenario.expected, crawl.observed())


def test_every_url_has_a_rule_and_a_reason(crawl):
    by_verdict = {}  # of many thousands of URLs with the same sentence, some are enough
    for row in crawl.engine.store.db.query("SELECT url, state, rule, detail FROM urls"):
        by_verdict.setdefault((row["state"], row["rule"], row["detail"]), []).append(row["url"])
    for urls in by_verdict.values():
        for url in urls[:500]:
            verdict = crawl.engine.why(url)
            assert re.fullmatch(r"[a-z0-9-]+", verdict.rule), f"{url}: {verdict.rule!r}"
            assert len(verdict.reason.split()) >= 3, f"{url}: {verdict.reason!r}"
            assert '{"' not in verdict.reason, f"{url}: {verdict.reason!r}"  # a rule without a sentence


@pytest.mark.parametrize("name", ["slow", "bombs", "oversized", "flaky", "sessions"])
def test_expectations_hold_with_worker_processes(crawl_scenario, name):
    with crawl_scenario(name, workers=2) as crawl:
        assert not compare(crawl.server, crawl.server.scenario.expected, crawl.observed())


@pytest.mark.parametrize("name", ["malformed", "charsets", "robots-rules", "canonicals"])
def test_expectations_hold_with_the_soup_parser(crawl_scenario, name):
    with crawl_scenario(name, parser="soup") as crawl:
        assert not compare(crawl.server, crawl.server.scenario.expected, crawl.observed())
