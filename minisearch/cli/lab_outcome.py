"""How an outcome of the lab is shown on a terminal, and drawn into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli.lab_show import show_table, talk
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.lab.experiment import Outcome
    from minisearch.lab.webs import Web

MOST_COLUMNS = 40  # pages in a table of rounds


def draw(web: Web, outcome: Outcome, graph: str, plot: str, kind: str = "convergence") -> None:
    """The picture of an outcome, into a file."""
    from minisearch.lab.outcomes import picture
    from minisearch.lab.plots import save

    save(picture(web, outcome, graph, kind), plot)


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
    from minisearch.lab.outcomes import order_of

    rows = []
    for page, place in order_of(order)[:top]:
        cells = [f"{values[page]:.{shown}f}" for values in columns.values()]
        if exact and outcome.fractions:
            cells.append(str(outcome.fractions[page]))
        rows.append((str(place), web.names[page], *cells))
    show_table(["place", "page", *columns, *(["exact"] if exact and outcome.fractions else [])], rows, words=(0, 1))
