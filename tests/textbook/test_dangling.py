"""`removal` and `remove_and_return` by themselves; with their fast sister: tests/rank/test_dangling.py"""

from fractions import Fraction

import pytest

from minisearch.textbook.dangling import removal, remove_and_return


def test_the_published_removal_comes_out(oracles, links_of):
    oracle = oracles["000-dangling-removal"]
    left, stack = removal(links_of(oracle["graph"]))
    assert [page for page, _ in stack] == oracle["expected"]["removal_order"]
    assert list(left) == oracle["expected"]["reduced_nodes"]
    ranks = remove_and_return(links_of(oracle["graph"]), damping=1)
    expected = {page: float(Fraction(x)) for page, x in oracle["expected"]["final"].items()}
    assert ranks == pytest.approx(expected, rel=0, abs=1e-12)


def test_nothing_is_left_of_links_without_a_circle():
    assert removal({"a": ["b"], "b": ["c"]})[0] == {}
    assert remove_and_return({"a": ["b"], "b": []}) == {"a": 0, "b": 0}
