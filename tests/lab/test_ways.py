"""Ways to compute PageRank: each told once, in words that say what makes a difference."""

import numpy as np
import pytest
from hypothesis import given, settings

from minisearch.lab.presets import web as preset
from minisearch.lab.ways import SCALES, Facts, in_words, key, nearest, scaled, ways
from minisearch.rank.conventions import CONVENTIONS, rank_by
from tests.lab.conftest import drawn_webs


def test_no_way_comes_twice_and_fewest_changes_come_first():
    found = list(ways(preset("one-dead-end").graph(), changes=2))
    assert len({key(way) for way, _ in found}) == len(found)
    assert [changes for _, changes in found] == sorted(changes for _, changes in found)


@settings(max_examples=20)
@given(web=drawn_webs(most=4))
def test_choices_that_are_set_aside_make_no_difference(web):
    graph = web.graph()
    for convention in CONVENTIONS.values():
        plain = Facts.of(graph).canonical(convention)
        if convention.stop == "sum" or convention.rounds is not None:
            assert np.allclose(rank_by(graph, plain).values, rank_by(graph, convention).values, rtol=0, atol=1e-9)


@settings(max_examples=10)
@given(web=drawn_webs(most=3))
def test_every_way_can_be_computed_and_told(web):
    graph = web.graph()
    for way, _ in ways(graph, changes=1):
        if way.damping < 1 or way.rounds is not None:
            assert np.isfinite(rank_by(graph, way).values).all()
        assert in_words(way, graph)


def test_words_leave_out_what_makes_no_difference():
    assert in_words(CONVENTIONS["cs101"], preset("five-pages").graph()) == "10 multiplications, damping 0.8"
    assert in_words(CONVENTIONS["thesis"], preset("two-dead-ends").graph()) == (
        "49 multiplications with 1/3 stored as 0.33, no teleporting (damping 1), the rank of dangling pages is lost"
    )
    assert "self-links are left out" in in_words(CONVENTIONS["cs50ai"], preset("spider-trap").graph())
    assert "a repeated link counts each time" in in_words(CONVENTIONS["stoimenova"], preset("nine-links").graph())


def test_the_nearest_convention_is_the_convention_itself():
    graph = preset("one-dead-end").graph()
    for name, convention in CONVENTIONS.items():
        names, apart = nearest(convention, graph)
        assert name in names
        assert apart == {}


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_scales_do_what_they_say_and_leave_zero_alone(scale):
    rows = scaled(np.array([[1.0, 3.0], [0.0, 0.0]]), scale)
    told = {
        "none": [1, 3],
        "percent": [100, 300],
        "sum": [0.25, 0.75],
        "max": [1 / 3, 1],
        "n": [0.5, 1.5],
        "euclidean": [0.1**0.5, 0.9**0.5],
    }
    assert rows[0].tolist() == pytest.approx(told[scale])
    assert rows[1].tolist() == [0, 0]
