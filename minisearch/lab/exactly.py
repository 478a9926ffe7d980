"""Rounds in exact fractions, for webs that fit on a board; and fractions as decimals of which every digit is right."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import ORDERS
from minisearch.rank.matrices import Matrix, Number, fraction, fractions, jumps, share
from minisearch.rank.patience import look

MOST_PAGES, MOST_ROUNDS = 50, 100  # the fractions grow with every round

Row = list[Fraction]


def exact_rounds(
    graph: LinkGraph,
    rounds: int,
    *,
    damping: Number,
    teleport: Sequence[Number] | None = None,
    dangling: str = "uniform",
) -> list[Row]:
    """The start vector 1/n and each iteration of PageRank in exact fractions.

    >>> pair = LinkGraph.from_edges(2, sources=[0, 1], targets=[1, 1], loops=True)
    >>> [str(share) for share in exact_rounds(pair, 1, damping=1)[1]]
    ['0', '1']
    """
    chance = share(damping, "damping")
    _check(graph, rounds)
    follow = fractions(graph, "S", teleport=teleport, dangling=dangling)
    jump = jumps(graph.n, teleport)
    rows = [[Fraction(1, graph.n)] * graph.n]
    for _ in range(rounds):
        moved = _times(rows[-1], follow)
        rows.append([chance * paid + (1 - chance) * given for paid, given in zip(moved, jump, strict=True)])
    return rows


def exact_hits(
    graph: LinkGraph,
    rounds: int,
    *,
    order: str = "authority",
    weighted: bool = False,
    fits: Sequence[Number] | None = None,
) -> list[tuple[str, Row, Row]]:
    """(name, raw, scaled to a maximum of 1) of every update of HITS, in exact fractions."""
    if order not in ORDERS:
        raise BadInput(f'unknown order "{order}": choose from {", ".join(ORDERS)}')
    _check(graph, rounds)
    out = fractions(graph, "counts" if weighted else "links")
    into = [list(column) for column in zip(*out, strict=True)]
    topic = [Fraction(1)] * graph.n if fits is None else [fraction(weight, "fits") for weight in fits]
    now = {"h": [Fraction(1)] * graph.n, "a": [Fraction(1)] * graph.n}
    steps = []
    for number in range(1, rounds + 1):
        for name in ("a", "h") if order == "authority" else ("h", "a"):
            given = [value * fit for value, fit in zip(now["h" if name == "a" else "a"], topic, strict=True)]
            raw = _times(given, out if name == "a" else into)
            top = max(raw)
            now[name] = [value / top for value in raw] if top else raw
            steps.append((f"{name}{number}", raw, now[name]))
    return steps


def _times(row: Row, matrix: Matrix) -> Row:
    pages, out = range(len(row)), []
    for to in pages:
        look()
        out.append(sum((row[page] * matrix[page][to] for page in pages if row[page]), start=Fraction(0)))
    return out


def _check(graph: LinkGraph, rounds: int) -> None:
    if not 0 <= rounds <= MOST_ROUNDS or graph.n > MOST_PAGES:
        raise BadInput(
            f"exact iterations are limited to {MOST_PAGES} pages and {MOST_ROUNDS} iterations, not "
            f"{graph.n} pages and {rounds} iterations"
        )


def cut_off(value: float) -> str:
    """A number with sixteen decimals, the digits after them cut off: what is left of the digits that tell it apart.

    >>> cut_off(2 / 3), cut_off(0.25)
    ('0.6666666666666666', '0.2500000000000000')
    """
    whole, _, rest = format(Decimal(repr(value)), "f").partition(".")
    return f"{whole}.{rest[:16]:0<16}"


def in_decimals(value: Fraction | float, digits: int) -> str:
    """A number with `digits` decimals; a fraction is rounded exactly.

    >>> in_decimals(Fraction(2, 3), 20), in_decimals(0.5, 2)
    ('0.66666666666666666667', '0.50')
    """
    if not isinstance(value, Fraction):
        return f"{value:.{digits}f}"
    whole, rest = divmod(round(abs(value) * 10**digits), 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
