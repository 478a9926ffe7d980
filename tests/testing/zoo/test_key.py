"""The answer key of the zoo holds, in full."""

import re

import pytest

from minisearch.testing.zoo.judge import differences


def test_what_becomes_of_every_url_is_as_the_key_says(visit):
    assert not differences(visit.pen, visit.key, visit.seen())


def test_every_url_met_has_a_sentence_that_names_its_rule(visit):
    told = {}  # urls by what the file says of them: of many thousands with the very same sentence, some are enough
    for row in visit.engine.store.file.db.query("SELECT url, state, rule, reason FROM urls"):
        told.setdefault((row["state"], row["rule"], row["reason"]), []).append(row["url"])
    for urls in told.values():
        for url in urls[:500]:
            why = visit.engine.why(url)
            assert re.fullmatch(r"[a-z0-9-]+", why.rule), f"{url}: {why.rule!r}"
            assert len(why.reason.split()) >= 3, f"{url}: {why.reason!r}"


@pytest.mark.parametrize("name", ["drips", "slow-headers", "silence", "bombs", "nesting", "flaky", "sessions"])
def test_the_key_holds_with_worker_processes_too(crawled, name):
    with crawled(name, workers=2) as visit:
        assert not differences(visit.pen, visit.key, visit.seen())


@pytest.mark.parametrize("name", ["types", "charsets", "charset-lies", "robots-meta", "canonicals"])
def test_the_key_holds_with_the_other_parser_too(crawled, name):
    with crawled(name, parser="soup") as visit:
        assert not differences(visit.pen, visit.key, visit.seen())
