from dataclasses import fields
from math import inf, nan

import pytest

from minisearch import Engine
from minisearch.crawl.job import CrawlOptions
from minisearch.errors import BadInput
from minisearch.limits import MAY_BE_ZERO, Limits

NUMBERS = [each.name for each in fields(Limits) if each.name != "types"]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [-1, nan, inf, -inf, 1e300, "many", None, True])
def test_a_limit_that_makes_no_sense_is_refused(name, value):
    with pytest.raises(BadInput, match=f"the limit {name.replace('_', ' ')} must be"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", NUMBERS)
def test_some_limits_may_be_zero(name):
    if name in MAY_BE_ZERO:
        assert getattr(Limits(**{name: 0}), name) == 0
    else:
        with pytest.raises(BadInput):
            Limits(**{name: 0})


def test_a_worker_needs_memory_to_start():
    with pytest.raises(BadInput, match="the limit worker bytes must be between 300,000,000 and"):
        Limits(worker_bytes=10)


@pytest.mark.parametrize("name", [name for name in NUMBERS if not name.endswith("_seconds")])
def test_a_count_is_an_integer(name):
    with pytest.raises(BadInput, match="must be an integer, not 4e\\+08"):
        Limits(**{name: 4e8})


def test_types_are_a_list_of_texts():
    for types in ("text/html", (5,), 5):
        with pytest.raises(BadInput, match="the types must be a list"):
            Limits(types=types)


@pytest.mark.parametrize("name", ["workers", "max_pages", "max_depth", "max_requests"])
def test_a_number_of_pages_or_workers_is_an_integer(name):
    with pytest.raises(BadInput, match=r"must be an integer, not 2\.5"):
        CrawlOptions(**{name: 2.5})


@pytest.mark.parametrize("value", [-1, nan, inf, -inf, 1e300, "many"])
@pytest.mark.parametrize("name", ["delay", "workers", "max_pages", "max_depth"])
def test_an_option_of_a_crawl_that_makes_no_sense_is_refused(name, value):
    with pytest.raises(BadInput, match="must be"):
        CrawlOptions(**{name: value})


@pytest.mark.parametrize("delay", [nan, inf, -1])
def test_the_engine_refuses_a_delay_that_makes_no_sense_before_any_request(delay, site):
    site.show({"/": []})
    with Engine() as engine, pytest.raises(BadInput, match="the delay must be between 0 and 1,000,000"):
        engine.crawl(site.base + "/", delay=delay)
    assert site.requests == []


def test_a_recrawl_refuses_a_budget_and_a_delay_that_make_no_sense(site):
    site.show({"/": []})
    with Engine() as engine:
        engine.crawl(site.base + "/", workers=0)
        for options in ({"budget": nan}, {"budget": 0}, {"delay": inf}, {"delay": nan}):
            with pytest.raises(BadInput, match="must be between"):
                engine.recrawl(workers=0, **options)
