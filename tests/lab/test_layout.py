"""Where the pages of a web are drawn."""

import numpy as np
import pytest

from minisearch.lab.layout import HEIGHT, WIDTH, layout, ring


def random_links(n, links, seed=0):
    dice = np.random.default_rng(seed)
    return dice.integers(0, n, links), dice.integers(0, n, links)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 30, 61, 200])
def test_every_page_has_a_place_inside_the_picture(n):
    places = layout(n, *(random_links(n, 2 * n) if n else ([], [])))
    assert places.shape == (n, 2)
    assert np.isfinite(places).all()
    assert ((places >= 0) & (places <= [WIDTH, HEIGHT])).all()


@pytest.mark.parametrize("n", [20, 100])
def test_the_same_web_is_drawn_the_same_every_time(n):
    links = random_links(n, 3 * n)
    assert (layout(n, *links) == layout(n, *links)).all()


@pytest.mark.parametrize("n", [20, 100])
def test_linked_pages_lie_nearer_than_others(n):
    around = np.arange(n)
    places = layout(n, around, (around + 1) % n)  # a ring
    steps = np.hypot(*(places - np.roll(places, 1, axis=0)).T)
    apart = np.hypot(*(places - np.roll(places, n // 2, axis=0)).T)
    assert steps.mean() < apart.mean() / 2


@pytest.mark.parametrize("n", [2, 5, 20])
def test_the_first_page_of_a_chain_lies_to_the_left(n):
    across = layout(n, range(n - 1), range(1, n))[:, 0]
    assert across.argmin() == 0
    backwards = layout(n, range(n - 1, 0, -1), range(n - 2, -1, -1))[:, 0]
    assert backwards.argmin() == 0


STAR, CHAIN = (lambda n: ([0] * (n - 1), range(1, n))), (lambda n: (range(n - 1), range(1, n)))


@pytest.mark.parametrize(("n", "links"), [(12, STAR), (100, STAR), (200, CHAIN)])
def test_no_two_pages_lie_on_each_other(n, links):
    places = layout(n, *links(n))
    gaps = np.hypot(*(places[:, np.newaxis] - places[np.newaxis]).T)
    assert gaps[~np.eye(n, dtype=bool)].min() > 10


def test_separate_parts_and_loops_are_drawn_too():
    assert np.isfinite(layout(4, [0, 1, 2], [0, 0, 3])).all()


def test_a_ring_has_room_for_any_number():
    assert ring([10, 20], 0).shape == (0, 2)
    assert len(np.unique(ring([0, 0], 300).round(3), axis=0)) == 300
