"""HITS: good hubs link to good authorities, and good authorities are linked from good hubs.

J. Kleinberg, "Authoritative Sources in a Hyperlinked Environment", 1999. authority = links^T hub and
hub = links authority, each scaled to a maximum of 1, repeatedly. Textbooks differ in which is updated
first; the limit is the same. The modified HITS of lecture slides on search models (Serbian)
lets each page count by how well it fits the topic, and each link by a weight.
The same in plain Python: minisearch/textbook/hits.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.scores import Scores, Vector, check_limits, numbers

ORDERS = ("authority", "hub")  # who is updated first in a round


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One update of hubs or authorities: what the links gave, and the same scaled to a maximum of 1."""

    name: str  # "a1", "h1", "a2" ...
    raw: Vector
    scaled: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Two numbers per page: how good a hub it is, and how good an authority."""

    hubs: Scores
    authorities: Scores
    steps: tuple[Step, ...] = field(default=(), repr=False)  # on request: every update

    @property
    def converged(self) -> bool:
        """Whether it converged."""
        return self.hubs.converged

    @property
    def verdict(self) -> str:
        """Whether it converged, as a sentence."""
        return self.hubs.verdict


def hits(
    graph: LinkGraph,
    *,
    order: str = "authority",
    weighted: bool = False,
    topic: ArrayLike | None = None,
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    rounds: int | None = None,
    trace: bool = False,
) -> Hits:
    """Hubs and authorities, the best of each with 1.

    A link counts once however often it is repeated, unless `weighted`: then it counts as `graph.counts` says.
    `topic` is how well each page fits the topic: what a page gives to others is multiplied by it.
    It ends when a round changes hubs and authorities by no more than `tolerance` in all.

    >>> star = hits(LinkGraph.from_edges(3, sources=[0, 1], targets=[2, 2]))
    >>> star.hubs.values, star.authorities.values
    (array([1., 1., 0.]), array([0., 0., 1.]))
    """
    if order not in ORDERS:
        raise BadInput(f'unknown order "{order}": choose from {", ".join(ORDERS)}')
    limit = check_limits(tolerance, max_rounds, rounds)
    fits = np.ones(graph.n) if topic is None else numbers("topic", topic, graph.n)
    links = graph if weighted or (graph.incoming.data == 1).all() else graph.plain(loops=True)
    updates = [("a", links.incoming), ("h", links.counts)]
    if order == "hub":
        updates.reverse()
    return _settle(updates, fits, tolerance, limit, exactly=rounds is not None, trace=trace)


def _settle(
    updates: list[tuple[str, csr_array]], fits: Vector, tolerance: float, limit: int, *, exactly: bool, trace: bool
) -> Hits:
    n = len(fits)
    now = {"h": np.ones(n), "a": np.ones(n)}
    steps: list[Step] = []
    kept: dict[str, list[Vector]] = {name: [vector] for name, vector in now.items()}
    residual, done = np.inf, 0
    while done < limit and (exactly or residual > tolerance):
        done += 1
        residual = 0.0
        for name, links in updates:
            raw = links @ (now["h" if name == "a" else "a"] * fits)
            top = raw.max(initial=0.0)
            scaled: Vector = raw / top if top > 0 else raw
            residual += float(np.abs(scaled - now[name]).sum())
            now[name] = scaled
            if trace:
                steps.append(Step(f"{name}{done}", raw, scaled))
                kept[name].append(scaled)
    settled = residual <= tolerance
    hubs, authorities = (
        Scores(now[name], done, residual, settled, tuple(kept[name]) if trace else ()) for name in "ha"
    )
    return Hits(hubs, authorities, tuple(steps))


def shared_by_host(graph: LinkGraph, hosts: Sequence[str]) -> LinkGraph:
    """The graph with each link weighing 1/k, if k pages of the same host link to the same page.

    So that one author with many pages speaks with one voice; to be used with `weighted`.
    """
    if len(hosts) != graph.n:
        raise BadInput(f"{graph.n} pages need as many hosts, not {len(hosts)}")
    _, number = np.unique(np.asarray(hosts, dtype=object).astype(str), return_inverse=True)
    links = graph.counts.tocoo()
    sources, targets = links.coords
    voices = number[sources].astype(np.int64) * graph.n + targets
    _, group, size = np.unique(voices, return_inverse=True, return_counts=True)
    return LinkGraph.from_edges(graph.n, sources, targets, loops=True, weights=1 / size[group])


def neighbourhood(graph: LinkGraph, roots: Sequence[int], *, most_in: int = 50) -> list[int]:
    """The base set of a query: the root pages, all they link to, and up to `most_in` pages linking to each."""
    chosen = set(roots)
    for page in roots:
        chosen.update(graph.targets(page).tolist())
        chosen.update(graph.sources(page)[:most_in].tolist())
    return sorted(chosen)
