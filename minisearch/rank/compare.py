"""Before and after: what a change of links does to the ranks, who moved, and why."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import DAMPING, pagerank
from minisearch.rank.scores import Vector, places

SAME = 1e-9  # ranks that differ by less are the same: the tolerance is 1e-10


@dataclass(frozen=True, slots=True)
class Move:
    """One page in two webs. A page that is missing from one has None there."""

    page: Hashable
    before: float | None
    after: float | None
    place_before: int | None
    place_after: int | None
    why: str

    @property
    def change(self) -> float:
        """How much rank it gained."""
        return (self.after or 0.0) - (self.before or 0.0)


def compare(
    before: LinkGraph,
    after: LinkGraph,
    names: Sequence[Hashable],
    names_after: Sequence[Hashable] | None = None,
    **how: Any,
) -> list[Move]:
    """Every page of either web, those that moved most first. Options are those of `pagerank`.

    `names` tell which pages are the same; `names_after`, if the second web has other pages.
    """
    names_after = names if names_after is None else names_after
    damping = float(how.get("damping", DAMPING))
    first = Ranked(before, names, pagerank(before, **how).values, damping)
    return moves(first, Ranked(after, names_after, pagerank(after, **how).values, damping))


def moves(first: Ranked, second: Ranked) -> list[Move]:
    """Every page of either graph, the largest change first."""
    found = [_move(page, first, second) for page in dict.fromkeys([*first.names, *second.names])]
    return sorted(found, key=lambda move: -abs(move.change))


class Ranked:
    """A graph with the scores of its pages by name. `damping` is None if they are not PageRanks."""

    def __init__(
        self, graph: LinkGraph, names: Sequence[Hashable], values: Vector, damping: float | None = None
    ) -> None:
        if len(names) != graph.n or len(set(names)) != graph.n:
            raise BadInput(f"{graph.n} pages need as many different names, not {len(set(names))}")
        self.graph, self.names = graph, list(names)
        self.number = {name: page for page, name in enumerate(self.names)}
        self.damping, self.values = damping, values
        self.places = places(values.round(12))  # what differs by less is the same

    def rank(self, name: Hashable) -> float | None:
        """The score of a page."""
        page = self.number.get(name)
        return None if page is None else float(self.values[page])

    def place(self, name: Hashable) -> int | None:
        """The position of a page by its score."""
        page = self.number.get(name)
        return None if page is None else self.places[page]

    def contributions(self, name: Hashable) -> dict[Hashable, float]:
        """How much rank each page that links here contributes, or how often it links here if these are no PageRanks."""
        page = self.number.get(name)
        if page is None:
            return {}
        links, degree = self.graph.incoming, self.graph.out_degree
        row = slice(links.indptr[page], links.indptr[page + 1])
        ends = zip(links.indices[row].tolist(), links.data[row].tolist(), strict=True)
        if self.damping is None:
            return {self.names[source]: times for source, times in ends}
        return {
            self.names[source]: self.damping * float(self.values[source]) * times / float(degree[source])
            for source, times in ends
        }


def _move(page: Hashable, first: Ranked, second: Ranked) -> Move:
    return Move(
        page, first.rank(page), second.rank(page), first.place(page), second.place(page), _why(page, first, second)
    )


def _why(page: Hashable, first: Ranked, second: Ranked) -> str:
    """What did most for a page in the direction in which it moved."""
    if page not in second.number:
        return "the page was removed"
    new = "" if page in first.number else "the page is new; "
    before, after = first.rank(page) or 0.0, second.rank(page) or 0.0
    paid_before, paid_after = first.contributions(page), second.contributions(page)
    if new and not paid_after:
        return f"{new}no page links to it"
    if abs(after - before) < SAME:
        return "no change"
    gains = {
        source: paid_after.get(source, 0.0) - paid_before.get(source, 0.0) for source in {**paid_before, **paid_after}
    }
    if second.damping is None:
        return new + (_changed_links(paid_before, paid_after) or "the scores of pages that link to it changed")
    by_jumps = after - before - sum(gains.values())
    direction = 1 if after > before else -1
    source = max(gains, key=lambda name: direction * gains[name], default=None)
    amount = 0.0 if source is None else gains[source]
    more = "more" if direction > 0 else "less"
    if source is None or direction * by_jumps > direction * amount:
        return f"{new}teleporting and dangling pages contribute {abs(by_jumps):.4f} {more}"
    if source not in paid_before:
        return f"{new}a new link from {source} contributes {amount:.4f}"
    if source not in paid_after:
        gone = "was removed" if source not in second.number else "no longer links to it"
        return f"{new}{source} {gone}, which contributed {-amount:.4f}"
    return f"{new}the link from {source} contributes {abs(amount):.4f} {more}"


def _changed_links(before: dict[Hashable, float], after: dict[Hashable, float]) -> str:
    """The first link to a page that was added or removed."""
    added = next((source for source in after if after[source] > before.get(source, 0.0)), None)
    removed = next((source for source in before if before[source] > after.get(source, 0.0)), None)
    if added is not None:
        return f"a new link from {added}"
    return "" if removed is None else f"{removed} no longer links to it"
