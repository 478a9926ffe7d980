"""`surf` by itself; with its fast sister: tests/rank/test_surfer.py"""

import pytest

from minisearch.textbook.surfer import frequencies, next_page, surf


def test_a_thousand_moves_come_as_near_as_the_published_ones(oracles, links_of):
    oracle = oracles["002-surfer-1000"]
    links = links_of(oracle["graph"])
    for start in links:
        shares = frequencies(surf(links, start, 1000, damping=oracle["params"]["beta"]))
        assert sum(shares.values()) == pytest.approx(1)
        for page, share in oracle["expected"]["stationary"].items():
            assert abs(shares[page] - share) < 4 * oracle["expected"]["std_error"][page]


def test_the_next_page_is_the_first_whose_running_sum_is_greater(oracles):
    row = [0.205, 0.385, 0.025, 0.385]
    for drawn, page in oracles["002-next-page"]["expected"]["draws"]:
        assert next_page(row, drawn) == int(page)
    assert next_page([0.5, 0.4999999], 0.99999999) == 1


def test_from_a_dead_end_the_reader_goes_anywhere():
    assert set(surf({"a": ["end"]}, "end", 200, damping=1)) == {"a", "end"}
    assert surf({}, "nowhere", 0) == []
