"""`trustrank` by itself; with its fast sister: tests/rank/test_trustrank.py"""

from fractions import Fraction

import pytest

from minisearch.textbook.pagerank import pagerank
from minisearch.textbook.trustrank import spam_mass, trustrank


def test_the_derived_trust_and_mass_come_out(oracles, links_of):
    oracle = oracles["derived-trustrank"]
    expected = {
        what: {page: float(Fraction(x)) for page, x in table.items()} for what, table in oracle["expected"].items()
    }
    links = links_of(oracle["graph"])
    trust = trustrank(links, oracle["params"]["trusted"], damping=oracle["params"]["beta"])
    rank = pagerank(links, damping=1, tolerance=1e-15)
    assert trust == pytest.approx(expected["trustrank"], rel=0, abs=1e-12)
    assert spam_mass(rank, trust) == pytest.approx(expected["spam_mass"], rel=0, abs=1e-12)


def test_a_page_without_rank_has_no_mass():
    assert spam_mass({"a": 0.0}, {"a": 0.0}) == {"a": 0}
