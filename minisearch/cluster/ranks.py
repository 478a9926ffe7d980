"""PageRank and HITS of a graph in blocks: one iteration is `map(update, columns)`.

The formulas are those of rank/power.py and rank/hits.py. Only a few numbers of each range come back after an iteration:
what it changed, and the rank on dangling pages. Where the tasks run is the business of the executor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import truediv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.cluster import blocks
from minisearch.cluster.blocks import BlockGraph, Line, Links, cut, load, multiply
from minisearch.cluster.checkpoint import Checkpoints, State
from minisearch.errors import BadInput
from minisearch.rank.hits import ORDERS, Hits
from minisearch.rank.pagerank import DAMPING, DANGLING, check_damping
from minisearch.rank.scores import Scores, Vector, check_limits, probabilities

POLICIES = ("uniform", "teleport", "leak")  # for dangling pages, that work block by block

Vectors = dict[str, list[Any]]  # name -> parts: arrays, or what the executor's map returns


@dataclass(frozen=True)
class Executor:
    """Where tasks run. The defaults run them here, one after another; a pool's `map` runs them on its threads."""

    map: Callable[..., Iterable[Any]] = map  # its results are values, or futures that other tasks take as arguments
    gather: Callable[[Iterable[Any]], list[Any]] = list  # the values of such results
    place: Callable[[list[Any]], list[Any]] = list  # files and arrays to where tasks can read them
    checkpoint_every: int = 1  # iterations


LOCAL = Executor()


def pagerank(
    graph: BlockGraph,
    executor: Executor = LOCAL,
    *,
    damping: float = DAMPING,
    teleport: ArrayLike | None = None,
    dangling: str = "uniform",
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    start: ArrayLike | None = None,
    rounds: int | None = None,
    checkpoints: Checkpoints | None = None,
) -> Scores:
    """PageRank by power iteration. Options are those of `minisearch.rank.pagerank.pagerank`."""
    check_damping(damping)
    limit = check_limits(tolerance, max_rounds, rounds)
    if dangling not in POLICIES:
        problem = "needs the whole graph in memory" if dangling in DANGLING else "is not a policy for dangling pages"
        raise BadInput(f'"{dangling}" {problem}: choose from {", ".join(POLICIES)}')

    if graph.n == 0:
        return Scores(np.zeros(0), 0, 0.0, converged=True)
    graph = graph.placed(executor.place)

    def split(name: str, weights: ArrayLike | None) -> list[Any]:
        if weights is None:
            return [1 / graph.n] * graph.k
        return executor.place(graph.parts(probabilities(name, weights, graph.n)))

    jump = split("teleport", teleport)
    fill = {"uniform": split("", None), "teleport": jump, "leak": [0.0] * graph.k}[dangling]
    first = probabilities("start", np.ones(graph.n) if start is None else start, graph.n)
    state = _begin(graph, executor, checkpoints, {"rank": first})
    dangling_rank = sum(executor.gather(executor.map(_dangling_rank, state.vectors["rank"], graph.degrees)))

    def iterate(vectors: Vectors) -> tuple[Vectors, float]:
        nonlocal dangling_rank
        before = vectors["rank"]
        shares = list(executor.map(_shares, before, graph.degrees))
        columns = [graph.line(j, shares) for j in range(graph.k)]
        update = partial(_update_rank, damping=damping, dangling_rank=dangling_rank)
        after = list(executor.map(update, columns, graph.sizes(), fill, jump))
        facts = executor.gather(executor.map(_facts, before, after, graph.degrees))
        dangling_rank = sum(rank for _, rank in facts)
        return {"rank": after}, sum(change for change, _ in facts)

    state = _repeat(iterate, state, tolerance if rounds is None else None, limit, graph, executor, checkpoints)
    return _scores(state, "rank", tolerance)


def hits(
    graph: BlockGraph,
    executor: Executor = LOCAL,
    *,
    order: str = "authority",
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    rounds: int | None = None,
    checkpoints: Checkpoints | None = None,
) -> Hits:
    """Hubs and authorities, each with a maximum of 1. Options are those of `minisearch.rank.hits.hits`.

    Links count with the weights in the blocks.
    """
    if order not in ORDERS:
        raise BadInput(f'no order is called "{order}": choose from {", ".join(ORDERS)}')
    limit = check_limits(tolerance, max_rounds, rounds)
    graph = graph.placed(executor.place)
    sizes = graph.sizes()
    names = ORDERS if order == "authority" else ORDERS[::-1]

    def update(vectors: Vectors, name: str) -> float:
        transposed, other = (True, "authority") if name == "hub" else (False, "hub")
        lines = [graph.line(number, vectors[other], transposed=transposed) for number in range(graph.k)]
        raw = list(executor.map(partial(multiply, transposed=transposed), lines, sizes))
        highest = max(executor.gather(executor.map(np.max, raw)), default=0.0)
        scaled = list(executor.map(truediv, raw, [highest or 1.0] * graph.k))
        changes = executor.gather(executor.map(_change, vectors[name], scaled))
        vectors[name] = scaled
        return float(sum(changes))

    def iterate(vectors: Vectors) -> tuple[Vectors, float]:
        updated = dict(vectors)
        return updated, sum(update(updated, name) for name in names)

    state = _begin(graph, executor, checkpoints, dict.fromkeys(names, np.ones(graph.n)))
    state = _repeat(iterate, state, tolerance if rounds is None else None, limit, graph, executor, checkpoints)
    return Hits(_scores(state, "hub", tolerance), _scores(state, "authority", tolerance))


def _begin(graph: BlockGraph, executor: Executor, checkpoints: Checkpoints | None, first: dict[str, Vector]) -> State:
    """The state of the last checkpoint, or the first one."""
    saved = checkpoints.resume() if checkpoints else None
    return _placed(saved or State(0, np.inf, first), graph, executor)


def _placed(state: State, graph: BlockGraph, executor: Executor) -> State:
    """A state with its vectors in parts, where tasks can read them."""
    vectors = {name: executor.place(graph.parts(vector)) for name, vector in state.vectors.items()}
    return replace(state, vectors=vectors)


def _gathered(state: State, executor: Executor) -> State:
    """A state with whole vectors."""
    nothing = np.zeros(0)  # if there are no pages
    vectors = {name: np.concatenate([nothing, *executor.gather(parts)]) for name, parts in state.vectors.items()}
    return replace(state, vectors=vectors)


def _repeat(
    iterate: Callable[[Vectors], tuple[Vectors, float]],
    state: State,
    tolerance: float | None,
    limit: int,
    graph: BlockGraph,
    executor: Executor,
    checkpoints: Checkpoints | None,
) -> State:
    """Iterate until nothing changes by more than `tolerance`, at most `limit` times; the vectors it gives are whole."""
    while state.done < limit and (tolerance is None or state.residual > tolerance):
        vectors, residual = iterate(state.vectors)
        state = State(state.done + 1, residual, vectors)
        if checkpoints and state.done % executor.checkpoint_every == 0:
            whole = _gathered(state, executor)
            checkpoints.save(whole)
            state = _placed(whole, graph, executor)
    return _gathered(state, executor)


def _scores(state: State, name: str, tolerance: float) -> Scores:
    return Scores(state.vectors[name], state.done, state.residual, converged=state.residual <= tolerance)


# -- tasks, which may run in other processes ---------------------------------------------------


def _dangling_rank(rank: Any, degree: Any) -> float:
    return float(rank[load(degree) == 0].sum())


def _shares(rank: Any, degree: Any) -> Vector:
    """What every link of a page carries; 0 for dangling pages."""
    links = load(degree)
    shares: Vector = np.divide(rank, links, out=np.zeros(len(links)), where=links > 0)
    return shares


def _update_rank(line: Line, size: int, fill: Any, jump: Any, *, damping: float, dangling_rank: float) -> Vector:
    rank: Vector = damping * (multiply(line, size) + dangling_rank * fill) + (1 - damping) * jump
    return rank


def _facts(before: Any, after: Vector, degree: Any) -> tuple[float, float]:
    return _change(before, after), _dangling_rank(after, degree)


def _change(before: Any, after: Vector) -> float:
    return float(np.abs(after - before).sum())


# -- both, with their files ----------------------------------------------------------------------


class BlockRanking:
    """Link analysis by blocks in a work folder, which also holds the checkpoints."""

    def __init__(self, folder: str | Path, executor: Executor = LOCAL, *, k: int | None = None) -> None:
        self._folder, self._executor, self._k = Path(folder), executor, k

    def graph(self, n: int, links: Iterable[Links], **options: Any) -> BlockGraph:
        """Cut links into blocks. Options are those of `cut`."""
        return cut(self._folder, n, links, k=self._k, **options)

    def pagerank(self, graph: BlockGraph, /, **options: Any) -> Scores:
        """PageRank, from the last checkpoint on. Options are those of `pagerank`."""
        return pagerank(graph, self._executor, checkpoints=self._checkpoints("pagerank", graph, options), **options)

    def hits(self, graph: BlockGraph, /, **options: Any) -> Hits:
        """Hubs and authorities, from the last checkpoint on. Options are those of `hits`."""
        return hits(graph, self._executor, checkpoints=self._checkpoints("hits", graph, options), **options)

    def _checkpoints(self, method: str, graph: BlockGraph, options: dict[str, Any]) -> Checkpoints:
        """The checkpoints of this graph and these options, except those that only say when to stop."""
        settings = {
            name: value if value is None or isinstance(value, str | float | int) else _hash(value)
            for name, value in options.items()
            if name not in ("tolerance", "max_rounds")
        }
        name = json.dumps([method, graph.name, graph.n, graph.size, settings], sort_keys=True)
        return Checkpoints(self._folder / f"{method}-{hashlib.sha256(name.encode()).hexdigest()[:16]}.npz", name)

    def clear(self) -> None:
        """Remove blocks and checkpoints, and the folder if nothing else is in it."""
        blocks.clear(self._folder)
        for method in ("pagerank", "hits"):
            for checkpoint in self._folder.glob(f"{method}-*.npz*"):
                checkpoint.unlink()
        with suppress(OSError):  # it is not empty, or it was never made
            self._folder.rmdir()


def _hash(values: ArrayLike) -> str:
    return hashlib.sha256(np.ascontiguousarray(values).data).hexdigest()
