"""Hubs and authorities of a web in blocks: the same rounds as in minisearch/rank/hits.py, piece by piece."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minisearch.errors import BadInput
from minisearch.rank.hits import ORDERS, Hits
from minisearch.rank.scores import Scores, Vector, check_limits
from minisearch.scale.blocks import Blocks
from minisearch.scale.checkpoint import Checkpoints, State
from minisearch.scale.passes import Passes, added
from minisearch.scale.workshop import Handle, Workshop, tree


def hits(
    web: Blocks,
    workshop: Workshop,
    *,
    order: str = "authority",
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    rounds: int | None = None,
    checkpoints: Checkpoints | None = None,
) -> Hits:
    """Hubs and authorities, the best of each with 1. Options are those of `minisearch.rank.hits.hits`.

    Links count as often as they are kept in the blocks.
    """
    if order not in ORDERS:
        raise BadInput(f'no order is called "{order}": choose from {", ".join(ORDERS)}')
    limit = check_limits(tolerance, max_rounds, rounds)
    do, take = workshop.do, workshop.take
    passes = Passes(web, workshop)
    sizes = [web.pages(piece).stop - web.pages(piece).start for piece in range(web.k)]
    state = (checkpoints.resumed() if checkpoints else None) or State(
        0, np.inf, {name: [np.ones(size) for size in sizes] for name in "ha"}
    )
    now = {name: [workshop.lay(piece) for piece in pieces] for name, pieces in state.pieces.items()}
    done, residual = state.done, state.residual
    updates = [("a", "h", passes.forward), ("h", "a", passes.backward)]

    def update(name: str, by: str, walk: Callable[[list[Handle]], list[Handle]]) -> float:
        raw = [do(_filled, piece, size) for piece, size in zip(walk(now[by]), sizes, strict=True)]
        (top,) = take([tree(workshop, _largest, [do(_top, piece) for piece in raw])])
        scaled = [do(_scaled, piece, top) for piece in raw]
        changes = [do(_change, before, after) for before, after in zip(now[name], scaled, strict=True)]
        now[name] = scaled
        (change,) = take([tree(workshop, added, changes)])
        return float(change[0])

    while web.n and done < limit and (rounds is not None or residual > tolerance):
        residual = sum(update(*each) for each in (updates if order == "authority" else reversed(updates)))
        done += 1
        if checkpoints and done % workshop.rounds_between == 0:
            kept = checkpoints.save(State(done, residual, {name: take(pieces) for name, pieces in now.items()}))
            now = {name: [workshop.lay(piece) for piece in pieces] for name, pieces in kept.items()}
    settled = residual <= tolerance or not web.n
    hubs, authorities = (
        Scores(np.concatenate([np.zeros(0), *take(now[name])]), done, residual, settled) for name in "ha"
    )
    return Hits(hubs, authorities)


def _filled(piece: Vector | None, size: int) -> Vector:
    return np.zeros(size) if piece is None else piece


def _top(piece: Vector) -> Vector:
    return np.array([piece.max(initial=0.0)])


def _largest(tops: list[Vector]) -> Vector:
    largest: Vector = np.max(tops, axis=0)
    return largest


def _scaled(raw: Vector, top: Vector) -> Vector:
    scaled: Vector = raw / (top if top > 0 else 1.0)
    return scaled


def _change(before: Vector, after: Vector) -> Vector:
    return np.array([np.abs(after - before).sum()])
