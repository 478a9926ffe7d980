"""Rank the pages of a file: from stored links to stored scores, by PageRank, TrustRank, spam mass, topics or HITS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import Hits, hits
from minisearch.rank.pagerank import DAMPING, pagerank
from minisearch.rank.scores import Scores
from minisearch.rank.structure import bow_tie
from minisearch.rank.topic import preferred, topic_ranks
from minisearch.rank.trustrank import matching_pages, spam_mass, trusted_pages, trustrank
from minisearch.store.database import Store, now
from minisearch.store.rankings import RankingFacts

PAGES_AT_A_TIME = 100_000  # whose links are read at once, if not all are

Links = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]  # sources, targets, and how often


def link_graph(store: Store, *, repeated: bool = False, loops: bool = False) -> tuple[LinkGraph, NDArray[np.int64]]:
    """The link graph over merged pages, and the page id of each of its nodes."""
    nodes = np.array(store.pages.nodes(), dtype=np.int64)
    links = _numbered(nodes, [store.rankings.link_ends()])
    return WholeGraph().graph(len(nodes), links, repeated=repeated, loops=loops), nodes


def _numbered(nodes: NDArray[np.int64], links: Iterable[Links]) -> Iterator[Links]:
    """Links between pages as links between the nodes of a graph."""
    number = np.zeros(int(nodes.max(initial=0)) + 1, dtype=np.int64)
    number[nodes] = np.arange(len(nodes))
    return ((number[sources], number[targets], counts) for sources, targets, counts in links)


def link_statistics(graph: LinkGraph) -> dict[str, Any]:
    """How links are distributed over pages, and the bow tie they form."""
    return {
        "in": degree_distribution(graph.counts.sum(axis=0)),
        "out": degree_distribution(graph.counts.sum(axis=1)),
        "bow_tie": bow_tie(graph).sizes(),
        "edges": int(graph.counts.nnz),
    }


def degree_distribution(degrees: ArrayLike) -> list[tuple[int, int]]:
    """(degree, number of pages with this degree), ascending.

    >>> degree_distribution([1, 3, 1])
    [(1, 2), (3, 1)]
    """
    values, counts = np.unique(np.asarray(degrees).astype(np.int64).ravel(), return_counts=True)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


class Measures(Protocol):
    """Who computes: this process with the whole graph in its memory, or others, block by block (minisearch/cluster)."""

    def graph(
        self, n: int, links: Iterable[Links], *, expected: int = 0, repeated: bool = False, loops: bool = False
    ) -> Any:
        """The links between n pages, about as many as `expected`, as these measures take them."""

    def pagerank(self, graph: Any, /, **how: Any) -> Scores:
        """As `minisearch.rank.pagerank.pagerank`."""

    def hits(self, graph: Any, /, **how: Any) -> Hits:
        """As `minisearch.rank.hits.hits`, links counting as often as the graph has them."""


class WholeGraph:
    """Measures of a graph that is in the memory of this process."""

    def graph(
        self,
        n: int,
        links: Iterable[Links],
        *,
        expected: int = 0,  # noqa: ARG002
        repeated: bool = False,
        loops: bool = False,
    ) -> LinkGraph:
        """All links as one graph."""
        nothing = np.zeros(0, dtype=np.int64)
        parts = [(nothing, nothing, nothing), *links]
        sources, targets, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
        return LinkGraph.from_edges(n, sources, targets, weights=counts if repeated else None, loops=loops)

    def pagerank(self, graph: LinkGraph, /, **how: Any) -> Scores:
        """PageRank."""
        return pagerank(graph, **how)

    def hits(self, graph: LinkGraph, /, **how: Any) -> Hits:
        """Hubs and authorities."""
        return hits(graph, weighted=True, **how)


@dataclass(frozen=True)
class RankOptions:
    """What is to be computed, and how."""

    method: str = "pagerank"
    damping: float = DAMPING
    tolerance: float = 1e-10
    max_rounds: int = 1000
    repeated: bool = False  # repeated links count each time
    loops: bool = False  # links of a page to itself count
    dangling: str | None = None  # None: the default of the method
    trust: tuple[str, ...] = ()  # urls, patterns, domain endings
    topics: Mapping[str, tuple[str, ...]] | None = None  # name -> urls, patterns, domain endings
    prefer: Mapping[str, float] | None = None  # name of a topic -> its weight; 1 if not given

    def limits(self) -> dict[str, Any]:
        """When to stop."""
        return {"tolerance": self.tolerance, "max_rounds": self.max_rounds}

    def walk(self) -> dict[str, Any]:
        """Damping and limits of the iteration."""
        policy = {} if self.dangling is None else {"dangling": self.dangling}
        return {"damping": self.damping, **policy, **self.limits()}

    def parameters(self) -> dict[str, Any]:
        """What to store beside the scores."""
        parameters: dict[str, Any] = {
            "damping": self.damping,
            "tolerance": self.tolerance,
            "repeated": self.repeated,
            "loops": self.loops,
        }
        if self.method == "hits":
            del parameters["damping"]
        extras = {"dangling": self.dangling, "trust": self.trust, "topics": self.topics, "prefer": self.prefer}
        return parameters | {name: value for name, value in extras.items() if value}


def rank(store: Store, by: Measures | None = None, **chosen: Any) -> Scores:
    """Compute a ranking over the link graph of the file and store it. `chosen` are the fields of `RankOptions`.

    What is stored: pagerank; trustrank; spam_mass with the trustrank it comes from; topic and topic:NAME for each;
    authorities and hubs. The first of these is returned.
    """
    options = RankOptions(**{**chosen, "trust": tuple(chosen.get("trust", ()))})
    if options.method not in METHODS:
        raise BadInput(f'unknown ranking "{options.method}": choose from {", ".join(METHODS)}')
    addresses = store.pages.urls(store.pages.nodes()) if options.trust or options.topics else {}
    nodes = np.array(store.pages.nodes(), dtype=np.int64)
    urls = [addresses.get(page, "") for page in nodes.tolist()]
    links = _numbered(nodes, store.rankings.link_chunks(PAGES_AT_A_TIME if by else None))
    by = by or WholeGraph()
    expected = store.pages.counts()["links"]
    graph = by.graph(len(nodes), links, expected=expected, repeated=options.repeated, loops=options.loops)
    found = METHODS[options.method](graph, urls, options, by)
    with store.transaction():
        for name, scores in found.items():
            vector = np.full(int(nodes.max(initial=0)) + 1, np.nan)
            vector[nodes] = scores.values
            facts = (name, options.parameters(), scores.rounds, scores.residual, scores.converged, now(), vector)
            store.rankings.save(RankingFacts(*facts))
    return next(iter(found.values()))


def _pagerank(graph: Any, urls: list[str], options: RankOptions, by: Measures) -> dict[str, Scores]:  # noqa: ARG001
    return {"pagerank": by.pagerank(graph, **options.walk())}


def _trustrank(graph: Any, urls: list[str], options: RankOptions, by: Measures) -> dict[str, Scores]:
    return {"trustrank": trustrank(graph, trusted_pages(urls, options.trust), by=by.pagerank, **options.walk())}


def _spam_mass(graph: Any, urls: list[str], options: RankOptions, by: Measures) -> dict[str, Scores]:
    trust = _trustrank(graph, urls, options, by)["trustrank"]
    scores = by.pagerank(graph, **options.walk())
    mass = spam_mass(scores.values, trust.values)
    slower = max(scores, trust, key=lambda one: one.residual)
    converged = scores.converged and trust.converged
    return {"spam_mass": Scores(mass, slower.rounds, slower.residual, converged), "trustrank": trust}


def _topic(graph: Any, urls: list[str], options: RankOptions, by: Measures) -> dict[str, Scores]:
    if not options.topics:
        raise BadInput("give at least one topic and its pages, such as python=https://docs.python.org/*")
    topics: dict[str, Iterable[int]] = {name: matching_pages(urls, wanted) for name, wanted in options.topics.items()}
    ranks = topic_ranks(graph, topics, by=by.pagerank, **options.walk())
    mixed = preferred(ranks, {**dict.fromkeys(ranks, 1.0), **(options.prefer or {})})
    return {"topic": mixed, **{f"topic:{name}": scores for name, scores in ranks.items()}}


def _hits(graph: Any, urls: list[str], options: RankOptions, by: Measures) -> dict[str, Scores]:  # noqa: ARG001
    found = by.hits(graph, **options.limits())
    return {"authorities": found.authorities, "hubs": found.hubs}


METHODS: dict[str, Callable[[Any, list[str], RankOptions, Measures], dict[str, Scores]]] = {
    "pagerank": _pagerank,
    "trustrank": _trustrank,
    "spam-mass": _spam_mass,
    "topic": _topic,
    "hits": _hits,
}
