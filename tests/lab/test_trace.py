"""Every round, as floating point, as fractions, as pictures."""

import pytest

from minisearch.errors import BadInput
from minisearch.lab.plots import svg
from minisearch.lab.presets import web as preset
from minisearch.lab.results import convergence, frequencies, ranks_by_round, trace
from minisearch.rank.pagerank import pagerank
from minisearch.rank.surfer import surf


def test_the_nine_rounds_of_the_article_are_there(oracles):
    printed = oracles["003-iterations"]["printed"]
    web = preset("003-four")
    traced = trace(web, pagerank(web.graph(), rounds=9, trace=True))
    assert len(traced.rows) == 10
    for number, row in printed.items():
        for page, value in row.items():
            assert traced.as_dicts()[int(number)][page] == pytest.approx(value, abs=2.5e-16)


def test_only_pages_that_take_part_have_rounds():
    web = preset("two-dead-ends")
    removed = trace(web, pagerank(web.graph(), dangling="remove", trace=True, rounds=2), dangling="remove")
    assert removed.names == ("A", "B", "D")
    once = trace(web, pagerank(web.graph(), dangling="two-pass", trace=True, rounds=2), dangling="two-pass")
    assert once.names == ("A", "B", "C", "D")
    assert len(once.rows[0]) == 4


def test_what_was_not_traced_has_no_rounds():
    web = preset("five-pages")
    with pytest.raises(BadInput, match="no iterations to show"):
        trace(web, pagerank(web.graph()))


def test_pictures_show_every_round_and_every_page():
    web = preset("five-pages")
    traced = trace(web, pagerank(web.graph(), rounds=12, trace=True))
    chart = convergence(traced, "five pages", damping=0.85)
    change, bound = chart.series
    assert list(change.ys) == traced.changes
    assert len(bound.ys) == 12
    assert ">bound 0.85^n</text>" in svg(chart)  # not shortened, as long names are
    assert chart.log
    lines = ranks_by_round(traced, "five pages").series
    assert [line.name for line in lines] == ["D", "B", "A", "E", "C"]
    assert all(len(line.xs) == 13 for line in lines)


def test_a_surfers_picture_has_error_bars_beside_what_is_exact():
    web = preset("nine-links")
    walk = surf(web.graph(), 1000, damping=0.9)
    chart = frequencies(web, walk, pagerank(web.graph(), damping=0.9).values, "nine links")
    counted, exact = chart.series
    assert list(chart.x_names) == ["0", "2", "1", "3"]
    assert sum(counted.ys) == pytest.approx(1)
    assert list(counted.errors) == pytest.approx((2 * walk.errors()[[0, 2, 1, 3]]).tolist())
    assert sum(exact.ys) == pytest.approx(1)
