"""A crawl as a graph: pages named by their URLs, their scores, the top pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.lab.webs import Web
from minisearch.models import Hit
from minisearch.rank.hits import hits
from minisearch.rank.pagerank import DAMPING, pagerank
from minisearch.rank.structure import CLASSES, bow_tie
from minisearch.search.index_reader import link_prior, log_bounds

MOST_PAYERS = 4  # of one page

Ids = NDArray[np.int64]
Vector = NDArray[np.float64]
Columns = Mapping[str, Vector]


@dataclass(frozen=True, eq=False)
class Crawl:
    """The link graph of a crawl. Repeated links and loops are kept."""

    web: Web
    ids: tuple[int, ...]  # of its pages in the file, in the order of the web
    columns: Columns  # every score of every page; NaN where a ranking does not know a page

    def first(self, count: int, ranking: str = "pagerank") -> list[int]:
        """The places of the first pages of a ranking; of equals the one that was met first."""
        if ranking not in self.columns:
            raise BadInput(f'unknown ranking "{ranking[:40]}": choose from {", ".join(self.columns)}')
        values = np.nan_to_num(np.asarray(self.columns[ranking]), nan=-np.inf)
        chosen: list[int] = np.argsort(-values, kind="stable")[:count].tolist()
        return chosen

    def part(self, chosen: Sequence[int]) -> Web:
        """The web of some pages, and the links among them."""
        links = self.web.graph().part(chosen).counts.tocoo()
        sources, targets = (side.astype(np.int64) for side in links.coords)
        return Web(tuple(self.web.names[page] for page in chosen), sources, targets, links.data)

    def scores(self, chosen: Sequence[int]) -> dict[str, list[float]]:
        """Every score of some pages."""
        return {name: np.asarray(values)[list(chosen)].tolist() for name, values in self.columns.items()}

    def parts(self) -> list[str]:
        """The part of the bow tie in which each page lies."""
        return [CLASSES[label] for label in bow_tie(self.web.graph()).labels.tolist()]


def web_of(nodes: Sequence[int], urls: Mapping[int, str], ends: tuple[Ids, Ids, Ids]) -> Web:
    """The web of a crawl from what its file holds: the ids of its pages, their urls, and its links by page id."""
    if not len(nodes):
        raise BadInput("the file has no pages yet: run minisearch crawl first")
    numbers = np.zeros(max(nodes) + 1, dtype=np.int64)
    numbers[list(nodes)] = np.arange(len(nodes))
    sources, targets, counts = ends
    return Web(
        tuple(urls[page] for page in nodes), numbers[sources], numbers[targets], np.asarray(counts, dtype=np.float64)
    )


def crawl_of(
    nodes: Sequence[int], urls: Mapping[int, str], ends: tuple[Ids, Ids, Ids], known: Mapping[str, Vector]
) -> Crawl:
    """The same with every score: the stored rankings by page id, and those computed from the links."""
    web = web_of(nodes, urls, ends)
    return Crawl(web, tuple(nodes), _columns(web, nodes, known))


def _columns(web: Web, nodes: Sequence[int], known: Mapping[str, Vector]) -> Columns:
    """The stored rankings, and those computed from the links."""
    links = web.graph(repeated=False, loops=False)
    columns: dict[str, Vector] = {}
    for name, vector in known.items():
        padded = np.append(vector, np.full(max(0, max(nodes) + 1 - len(vector)), np.nan))
        columns[name] = padded[list(nodes)]
    if "pagerank" not in columns:
        columns["pagerank"] = pagerank(links).values
    if not {"authorities", "hubs"} <= set(columns):
        found = hits(links)
        columns |= {"authorities": found.authorities.values, "hubs": found.hubs.values}
    columns["in"], columns["out"] = (np.asarray(links.counts.sum(axis=axis), np.float64) for axis in (0, 1))
    first = {"pagerank": columns.pop("pagerank")}
    return {**first, **columns}


def without_link(
    crawl: Crawl, source: str, target: str, *, damping: float = DAMPING, repeated: bool = False, loops: bool = False
) -> tuple[Vector, Vector]:
    """PageRank by page id as it is, and as it would be if the links from one page to another did not exist."""
    web = crawl.web
    here = (web.sources == web.number(source)) & (web.targets == web.number(target))
    if not here.any():
        raise BadInput(f"{source} does not link to {target}, so there is no link to leave out")
    less = Web(web.names, web.sources[~here], web.targets[~here], web.weights[~here])
    before, after = (
        pagerank(each.graph(repeated=repeated, loops=loops), damping=damping).values for each in (web, less)
    )
    return _by_id(crawl, before), _by_id(crawl, after)


def _by_id(crawl: Crawl, values: Vector) -> Vector:
    vector = np.full(max(crawl.ids) + 1, np.nan)
    vector[list(crawl.ids)] = values
    return vector


def payers(
    crawl: Crawl, urls: Sequence[str], *, damping: float = DAMPING, repeated: bool = False, loops: bool = False
) -> list[tuple[str, str, float]]:
    """(from, to, rank paid) of the links that bring most to each of these pages, the largest payment first.

    The options are those with which the pages were ranked.
    """
    web, links, ranks = crawl.web, crawl.web.graph(repeated=repeated, loops=loops), crawl.columns["pagerank"]
    paid = []
    for url in urls:
        if url not in web.numbers:
            continue
        page, into = web.numbers[url], links.incoming
        row = slice(into.indptr[page], into.indptr[page + 1])
        sources, times = into.indices[row], into.data[row]
        worth = damping * np.nan_to_num(ranks[sources]) * times / links.out_degree[sources]
        best = np.argsort(-worth, kind="stable")[:MOST_PAYERS]
        paid += [(web.names[sources[place]], url, float(worth[place])) for place in best.tolist()]
    return sorted(paid, key=lambda link: -link[2])


@dataclass(frozen=True, slots=True)
class Shift:
    """A hit, its place now, and its place with other ranks."""

    hit: Hit
    place: int
    then: int
    score_then: float


def with_ranks(hits: Sequence[Hit], ranks: Vector, blend: float) -> list[Shift]:
    """The hits in the order they would have, were the ranks by page id these; text scores stay.

    >>> from minisearch.models import Hit
    >>> hits = [Hit("a", "a", 1.1, 1.0, 1.1, "", page_id=0), Hit("b", "b", 1.05, 1.05, 1.0, "", page_id=1)]
    >>> [(shift.hit.url, shift.place, shift.then) for shift in with_ranks(hits, np.array([0.1, 0.9]), 0.1)]
    [('b', 2, 1), ('a', 1, 2)]
    """
    prior = link_prior(ranks, log_bounds(ranks))
    factors = [1 + blend * float(prior[hit.page_id]) if hit.page_id < len(prior) else 1.0 for hit in hits]
    scores = [hit.text_score * factor for hit, factor in zip(hits, factors, strict=True)]
    order = sorted(range(len(hits)), key=lambda number: (not hits[number].all_words, -scores[number], number))
    return [Shift(hits[number], number + 1, then, scores[number]) for then, number in enumerate(order, 1)]
