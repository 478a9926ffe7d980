"""How an outcome of the lab is shown: as a table, as JSON, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli.lab_show import show_table, talk
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.lab.experiment import Outcome
    from minisearch.lab.webs import Web

MOST_COLUMNS = 40  # pages in a table of rounds


def draw(web: Web, outcome: Outcome, graph: str, plot: str, picture: str = "") -> None:
    """The picture of an outcome, into a file."""
    from minisearch.lab.plots import save
    from minisearch.lab.trace import convergence, frequencies, ranks_by_round

    if outcome.surf is not None:
        title = f"{graph}: a surfer after {outcome.surf.steps:,} moves"
        save(frequencies(web, outcome.surf, outcome.columns["exact"], title), plot)
    elif outcome.trace is None:
        raise BadInput("there are no rounds to draw: pagerank, trustrank, topic and surfer have pictures")
    elif picture == "ranks":
        save(ranks_by_round(outcome.trace, f"{graph}: ranks by round"), plot)
    else:
        save(convergence(outcome.trace, f"{graph}: how fast it settles", damping=outcome.damping), plot)


def as_dict(web: Web, outcome: Outcome, *, traced: bool = False) -> dict[str, Any]:
    """An outcome for JSON."""
    from minisearch.rank.scores import places

    place = places(outcome.main.round(12))
    pages = []
    for page in (-outcome.main).argsort(kind="stable").tolist():
        row: dict[str, Any] = {"page": web.names[page], "place": place[page]}
        row |= {name.replace(" ", "_"): float(values[page]) for name, values in outcome.columns.items()}
        if outcome.fractions:
            row["exact"] = str(outcome.fractions[page])
        pages.append(row)
    found: dict[str, Any] = {"pages": pages, "verdict": outcome.verdict, "settled": outcome.converged}
    found |= {"rounds": outcome.rounds, "residual": outcome.residual if outcome.residual < float("inf") else None}
    if traced and outcome.trace is not None:
        found["trace"] = outcome.trace.as_dicts()
        exact = [dict(zip(web.names, map(str, row), strict=True)) for row in outcome.trace.fractions]
        found |= {"exact_trace": exact} if exact else {}
    if traced and outcome.steps:
        found["steps"] = [
            {"name": name, "raw": _named(web, raw), "scaled": _named(web, scaled)}
            for name, raw, scaled in outcome.steps
        ]
    return found | {"notes": list(outcome.notes)}


def _named(web: Web, values: Any) -> dict[str, float]:
    return dict(zip(web.names, values.tolist(), strict=True))


def print_rounds(web: Web, outcome: Outcome, shown: int) -> None:
    """A table of every round."""
    names = outcome.trace.names if outcome.trace is not None else web.names
    if len(names) > MOST_COLUMNS:
        raise BadInput(f"a table of {len(names)} columns does not fit on a screen: --json gives all rounds")
    if outcome.trace is not None and outcome.trace.fractions:
        rows = [[str(number), *map(str, row)] for number, row in enumerate(outcome.trace.fractions)]
    elif outcome.trace is not None:
        rows = [[str(number), *_cells(row, shown)] for number, row in enumerate(outcome.trace.rows)]
    elif outcome.steps:
        rows = [[name, *_cells(scaled, shown)] for name, _, scaled in outcome.steps]
    else:
        raise BadInput("this method has no rounds to show")
    show_table(["round", *names], rows)
    click.echo()


def _cells(values: Any, shown: int) -> list[str]:
    return [f"{value:.{shown}f}" for value in values]


def print_ranks(web: Web, outcome: Outcome, shown: int, top: int, *, exact: bool = False) -> None:
    """The pages by falling rank; hubs and authorities of a large web each by their own."""
    if len(outcome.columns) == 2 and "hub" in outcome.columns and web.n > top:
        for name, values in outcome.columns.items():
            _print_by(web, outcome, values, {name: values}, shown, top, exact=exact)
            click.echo()
    else:
        _print_by(web, outcome, outcome.main, outcome.columns, shown, top, exact=exact)
    if web.n > top:
        talk(f"the first {top} of {web.n} pages: --top {web.n} shows all")


def _print_by(web: Web, outcome: Outcome, order: Any, columns: Any, shown: int, top: int, *, exact: bool) -> None:
    from minisearch.rank.scores import places

    place = places(order.round(12))
    rows = []
    for page in (-order).argsort(kind="stable")[:top].tolist():
        cells = [f"{values[page]:.{shown}f}" for values in columns.values()]
        if exact and outcome.fractions:
            cells.append(str(outcome.fractions[page]))
        rows.append((str(place[page]), web.names[page], *cells))
    show_table(["place", "page", *columns, *(["exact"] if exact and outcome.fractions else [])], rows, words=(0, 1))
