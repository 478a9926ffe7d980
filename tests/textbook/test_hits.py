"""`hits` by itself; with its fast sister: tests/rank/test_hits.py"""

from fractions import Fraction

import pytest

from minisearch.textbook.hits import hits


@pytest.mark.parametrize("name", ["000-hits", "001-hits"])
def test_published_rounds_and_limits_come_out(oracles, links_of, name):
    oracle = oracles[name]
    hub_first = oracle["params"]["order"] == "hub-first"
    for number in (1, 2, 3):
        hubs, authorities = hits(links_of(oracle["graph"]), rounds=number, hub_first=hub_first)
        for step, ours in ((f"h{number}", hubs), (f"a{number}", authorities)):
            expected = {page: float(Fraction(x)) for page, x in oracle["expected"]["steps"][step]["scaled"].items()}
            assert ours == pytest.approx(expected, rel=0, abs=1e-12)
    hubs, authorities = hits(links_of(oracle["graph"]), hub_first=hub_first)
    assert hubs == pytest.approx(oracle["expected"]["limit_h"], rel=0, abs=1e-12)
    assert authorities == pytest.approx(oracle["expected"]["limit_a"], rel=0, abs=1e-12)


def test_without_links_all_is_nought_and_without_pages_there_is_nothing():
    assert hits({"a": []}) == ({"a": 0}, {"a": 0})
    assert hits({}) == ({}, {})
