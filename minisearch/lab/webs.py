"""A graph with named pages.

The algorithms of minisearch/rank know pages by number only; a Web also keeps their names and every link as it was
given: a link that is listed twice is two links, and weight 2 means the same as twice. What is counted is decided when
a Web is converted to a LinkGraph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph

MOST_PAGES = 2_000_000  # that a number at the head of a file can call for: more is a slip of the pen

MOST_LINKS = 50_000_000  # that are written one by one
MOST_REPEATS = 1_000_000  # of links, beyond the first of each


@dataclass(frozen=True, eq=False)
class Web:
    """Named pages and their links; made once, then only read.

    >>> web = Web.of("ABC", [("A", "B"), ("A", "C"), ("B", "C"), ("B", "C")])
    >>> web
    Web(pages=3, links=4)
    >>> web.links()
    [('A', 'B', 1.0), ('A', 'C', 1.0), ('B', 'C', 2.0)]
    """

    names: tuple[str, ...]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        for array in (self.sources, self.targets, self.weights):
            array.setflags(write=False)

    @classmethod
    def of(cls, names: Iterable[str], links: Iterable[tuple[str, str] | tuple[str, str, float]] = ()) -> Web:
        """The web of these pages and links, all by name; a third part of a link is its weight."""
        names = tuple(names)
        number = {name: place for place, name in enumerate(names)}
        if len(number) < len(names):
            twice = next(name for place, name in enumerate(names) if number[name] != place)
            raise BadInput(f'two pages are called "{twice}"')
        ends = []
        for source, target, *weight in links:
            for name in (source, target):
                if name not in number:
                    raise BadInput(f'no page is called "{name}"')
            ends.append((number[source], number[target], weight[0] if weight else 1.0))
        return cls.numbered(names, [end[0] for end in ends], [end[1] for end in ends], [end[2] for end in ends])

    @classmethod
    def numbered(
        cls,
        names: Iterable[str],
        sources: Sequence[int],
        targets: Sequence[int],
        weights: Sequence[float] | None = None,
    ) -> Web:
        """The web of these pages, with links given by page numbers."""
        weighed = np.ones(len(sources)) if weights is None else np.asarray(weights, dtype=np.float64)
        return cls(tuple(names), np.asarray(sources, np.int64), np.asarray(targets, np.int64), weighed)

    @property
    def n(self) -> int:
        """How many pages there are."""
        return len(self.names)

    @property
    def size(self) -> float:
        """How many links there are, a repeated one each time, one of weight w as w."""
        return float(self.weights.sum())

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each page by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """The number of a page; BadInput if there is none of that name."""
        if name not in self.numbers:
            known = ", ".join(self.names[:8]) + (", ..." if self.n > 8 else "")
            raise BadInput(f'no page is called "{name}"' + (f": the pages are {known}" if known else ""))
        return self.numbers[name]

    @cached_property
    def counts(self) -> csr_array:
        """Row s, column t: how often page s links to page t."""
        counts = coo_array((self.weights, (self.sources, self.targets)), shape=(self.n, self.n)).tocsr()
        counts.sort_indices()
        return counts

    def links(self) -> list[tuple[str, str, float]]:
        """(from, to, how often) of every pair of linked pages, by name, in the order of the pages."""
        counts = self.counts.tocoo()
        rows, columns = counts.coords
        pairs = zip(rows.tolist(), columns.tolist(), counts.data.tolist(), strict=True)
        return [(self.names[source], self.names[target], often) for source, target, often in pairs]

    def each_link(self, form: str) -> Iterator[tuple[int, int]]:
        """Both ends of every link by number, as often as it counts, for a format that knows of no weights."""
        if self.size > MOST_LINKS or self.size - self.counts.nnz > MOST_REPEATS:
            raise BadInput(f"{self.size:g} links are too many to write one by one as {form}: choose csv")
        counts = self.counts.tocoo()
        rows, columns = counts.coords
        for source, target, often in zip(rows.tolist(), columns.tolist(), counts.data.tolist(), strict=True):
            if often != int(often):
                names = f"{self.names[source]} links {often:g} times to {self.names[target]}"
                raise BadInput(f"the {form} format has no weights ({names}): choose csv")
            yield from repeat((source, target), int(often))

    def graph(self, *, repeated: bool = True, loops: bool = True) -> LinkGraph:
        """The same for the algorithms. Without `repeated` every link counts once, whatever its weight."""
        weights = self.weights if repeated else None
        return LinkGraph.from_edges(self.n, self.sources, self.targets, weights=weights, loops=loops)

    def vector(self, weights: dict[str, float]) -> NDArray[np.float64]:
        """One number for each page, from numbers by name; 0 for pages that are not named."""
        vector = np.zeros(self.n)
        for name, weight in weights.items():
            vector[self.number(name)] = weight
        return vector

    def checked(self, name: str, weights: ArrayLike) -> NDArray[np.float64]:
        """Weights of the pages, called `name`: one for each, 0 or more, and not all zero; BadInput if they are not."""
        try:
            vector = np.asarray(weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise BadInput(f"{name} must be a list of numbers, one for each of the {self.n} pages") from None
        if vector.shape != (self.n,):
            raise BadInput(f"{name} needs one number for each of the {self.n} pages, but has {vector.size}")
        for page, weight in zip(self.names, vector.tolist(), strict=True):
            if not 0 <= weight < np.inf:
                raise BadInput(f"{name} gives {page} the weight {weight:g}: use finite numbers, 0 or more")
        if not vector.any():
            raise BadInput(f"{name} is zero everywhere: at least one page needs a positive weight")
        return vector

    def counting(self, *, repeated: bool = True, loops: bool = True) -> Web:
        """The same web with repeated links and weights counted once unless `repeated`, and no loops unless `loops`."""
        kept = self.graph(repeated=repeated, loops=loops).counts.tocoo()
        sources, targets = (side.astype(np.int64) for side in kept.coords)
        return Web(self.names, sources, targets, kept.data)

    def __eq__(self, other: object) -> bool:
        """The same pages in the same order, each linking as often to the same pages."""
        if not isinstance(other, Web):
            return NotImplemented
        return self.names == other.names and (self.counts != other.counts).nnz == 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Web(pages={self.n}, links={self.size:g})"


def letter(place: int) -> str:
    """The name of the page at a place: A to Z, then AA, AB, ... as in a spreadsheet.

    >>> [letter(place) for place in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def place_of(name: str) -> int:
    """The place of the page that a letter names; -1 if it is no such name.

    >>> [place_of(name) for name in ("A", "ZZ", "7", "É")]
    [0, 701, -1, -1]
    """
    if not (name.isascii() and name.isalpha() and name.isupper() and len(name) < 8):
        return -1
    place = 0
    for character in name:
        place = place * 26 + ord(character) - ord("A") + 1
    return place - 1
