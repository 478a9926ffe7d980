"""Positions of the pages of a graph: linked pages near each other, the same positions for the same graph every time.

Small graphs are laid out by stress: the distance of two pages should be the number of clicks between them (Kamada and
Kawai, 1989; by majorization, Gansner, Koren and North, 2004). Large ones are laid out by forces: links attract, pages
repel one another, those with many links more (after Jacomy and others, ForceAtlas2, 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

Points = NDArray[np.float64]

FEW = 60  # pages up to which the number of clicks between all of them is looked at
ROUNDS = 150
PULL, GRAVITY = 4.0, 0.5  # of links, and toward the middle, beside pages pushing one another away
APART = 1.6  # clicks that pages without any path between them are drawn beyond the farthest ones
ROOMY = 0.45  # of the side of the square that each page has for itself if all have the same: no two lie nearer
WIDTH, HEIGHT = 1000.0, 640.0  # of the picture
MARGIN = 70.0


def layout(n: int, sources: ArrayLike, targets: ArrayLike, *, seed: int = 0) -> Points:
    """A place (x, y) for each of n pages, inside WIDTH times HEIGHT.

    >>> layout(2, [0], [1]).round().tolist()
    [[70.0, 320.0], [930.0, 320.0]]
    """
    if n == 0:
        return np.zeros((0, 2))
    links = _undirected(n, sources, targets)
    start = _circle(n, np.random.default_rng(seed))
    return _spaced(_fitted(_by_clicks(links, start) if n <= FEW else _by_forces(links, start)))


def ring(centre: ArrayLike, count: int) -> Points:
    """Positions of `count` new pages on rings around a page."""
    places, radius, left = [], 70.0, count
    while left > 0:
        here = min(left, int(radius // 8))
        angles = np.linspace(0, 2 * np.pi, here, endpoint=False) - np.pi / 2
        places.append(np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius)
        left, radius = left - here, radius + 26
    around = np.concatenate(places) if places else np.zeros((0, 2))
    shifted: Points = around + np.asarray(centre, dtype=np.float64)
    return shifted


def _undirected(n: int, sources: ArrayLike, targets: ArrayLike) -> coo_array:
    ends = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    proper = ends[0] != ends[1]
    rows, columns = (end[proper] for end in ends)
    links = coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n)).tocsr()
    links = (links + links.T).tocsr()
    links.data[:] = 1
    return links


def _circle(n: int, dice: np.random.Generator) -> Points:
    """A circle, shaken a little: what lies exactly in a line or in one place never gets out of it."""
    angles = 2 * np.pi * np.arange(n) / n
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) + dice.normal(0, 0.01, (n, 2))


def _by_clicks(links: coo_array, start: Points) -> Points:
    n = len(start)
    if n == 1:
        return start
    clicks = shortest_path(links, directed=False, unweighted=True)
    reached = np.isfinite(clicks)
    clicks[~reached] = clicks[reached].max(initial=1.0) + APART
    np.fill_diagonal(clicks, 1.0)
    weights = clicks**-2.0
    np.fill_diagonal(weights, 0.0)
    pull = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places: Points = start * clicks.max() / 2
    for _ in range(ROUNDS):
        distance = _distances(places)
        ratio = weights * clicks / distance
        np.fill_diagonal(ratio, 0.0)
        places = pull @ (np.diag(ratio.sum(axis=1)) - ratio) @ places
    return places


def _by_forces(links: coo_array, start: Points) -> Points:
    n = len(start)
    rows, columns = links.tocoo().coords
    mass = 1.0 + np.asarray(links.sum(axis=1), dtype=np.float64)
    masses, size = np.outer(mass, mass), float(np.sqrt(n))
    x, y = (start * size).T
    for number in range(ROUNDS):
        across, down = np.subtract.outer(x, x), np.subtract.outer(y, y)
        push = masses / (across * across + down * down + 0.01)
        to_x, to_y = x[columns] - x[rows], y[columns] - y[rows]
        length = np.hypot(to_x, to_y) + 1e-9
        pull = PULL * np.log1p(length) / length
        force_x, force_y = (
            (push * apart).sum(axis=1)
            + np.bincount(rows, weights=pull * to, minlength=n)
            - GRAVITY / size * mass * place
            for apart, to, place in ((across, to_x, x), (down, to_y, y))
        )
        force = np.hypot(force_x, force_y) + 1e-9
        step = np.minimum(force / mass, size / 4 * (1 - number / ROUNDS) ** 1.5) / force  # ever smaller steps
        x, y = x + step * force_x, y + step * force_y
    return np.stack([x, y], axis=1)


def _distances(places: Points) -> Points:
    apart = places[:, np.newaxis] - places[np.newaxis]
    distances: Points = np.sqrt((apart**2).sum(axis=2)) + 1e-9
    return distances


def _spaced(places: Points) -> Points:
    """With pages that lie nearly on each other moved apart, so that each can be seen and touched."""
    room = ROOMY * np.sqrt(WIDTH * HEIGHT / len(places))
    low, high = np.array([MARGIN, MARGIN]) / 2, np.array([WIDTH, HEIGHT]) - MARGIN / 2
    for _ in range(ROUNDS // 3):
        apart = places[:, np.newaxis] - places[np.newaxis]
        distance = np.sqrt((apart**2).sum(axis=2)) + 1e-9
        lacking = np.maximum(0.0, room - distance)
        np.fill_diagonal(lacking, 0.0)
        if not lacking.any():
            break
        places = np.clip(places + ((lacking / distance / 2)[:, :, np.newaxis] * apart).sum(axis=1) / 2, low, high)
    return places


def _fitted(places: Points) -> Points:
    """Turned so that it is widest from left to right, and scaled to fill the picture."""
    places = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(places, full_matrices=False) if len(places) > 1 else (0, 0, np.eye(2))
    axes = axes * np.where(axes[:, :1] + axes[:, 1:] < 0, -1.0, 1.0)  # the axes are unique except for their sign
    turned: Points = places @ axes.T
    if len(places) > 1 and turned[0, 0] > 0:  # the first page to the left, the first word on a line
        turned[:, 0] = -turned[:, 0]
    low, high = turned.min(axis=0), turned.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    span = np.maximum(high - low, 1e-3 * max(float((high - low).max()), 1.0))
    scale = np.minimum(room / span, 1.6 * (room / span).min())  # stretched a little, where that uses the room
    fitted: Points = (turned - (low + high) / 2) * scale + np.array([WIDTH, HEIGHT]) / 2
    return fitted
