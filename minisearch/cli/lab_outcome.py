"""Print and plot the result of an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli.lab_show import show_table, talk
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.lab.experiment import Outcome
    from minisearch.lab.webs import Web

MOST_COLUMNS = 40  # pages in a table of iterations
PRINTED = 16  # decimals of iterations that a source prints to the last digit


def draw(web: Web, outcome: Outcome, graph: str, plot: str, kind: str = "convergence") -> None:
    """Save the plot of an outcome to a file."""
    from minisearch.lab.plots import save
    from minisearch.lab.results import picture

    save(picture(web, outcome, graph, kind), plot)


def print_rounds(web: Web, outcome: Outcome, shown: int, *, exact: bool = False) -> None:
    """Print a table of every iteration."""
    names = outcome.trace.names if outcome.trace is not None else web.names
    if len(names) > MOST_COLUMNS:
        raise BadInput(f"a table of {len(names)} columns is too wide: --json prints all iterations")
    rows: list[tuple[str, Any]]
    if outcome.trace is not None:
        kept = outcome.trace.fractions or (outcome.trace.printed if shown == PRINTED else ()) or outcome.trace.rows
        numbers = outcome.trace.moments or range(len(kept))
        rows = [(str(number), row) for number, row in zip(numbers, kept, strict=True)]
    elif outcome.steps:
        rows = [(name, scaled) for name, _, scaled in outcome.exact_steps or outcome.steps]
    else:
        raise BadInput("this method has no iterations to show")
    first = "moves" if outcome.surf is not None else "iteration"
    show_table([first, *names], [[name, *(_cell(value, shown, exact) for value in row)] for name, row in rows])
    click.echo()


def _cell(value: Any, shown: int, exact: bool = False) -> str:
    from minisearch.lab.exact import in_decimals

    return str(value) if exact or isinstance(value, str) else in_decimals(value, shown)


def print_ranks(web: Web, outcome: Outcome, shown: int, top: int, *, exact: bool = False) -> None:
    """Print the pages by descending score; hubs and authorities of a large graph in two tables."""
    columns: dict[str, Any] = dict(outcome.columns)
    if len(columns) == 2 and "hub" in columns and web.n > top:
        for name, values in columns.items():
            _print_by(web, values, {name: values}, shown, top)
            click.echo()
    else:
        if outcome.fractions:
            columns[next(iter(columns))] = outcome.fractions
        elif outcome.trace is not None and outcome.trace.printed and shown == PRINTED:
            columns[next(iter(columns))] = outcome.trace.printed[-1]
        _print_by(web, outcome.main, columns, shown, top, outcome.fractions if exact else ())
    if web.n > top:
        talk(f"{top} of {web.n} pages; --top {web.n} shows all")


def _print_by(web: Web, order: Any, columns: dict[str, Any], shown: int, top: int, exact: Any = ()) -> None:
    from minisearch.lab.results import order_of

    rows = []
    for page, place in order_of(order)[:top]:
        cells = [_cell(values[page], shown) for values in columns.values()]
        rows.append((str(place), web.names[page], *cells, *([str(exact[page])] if exact else [])))
    show_table(["rank", "page", *columns, *(["exact"] if exact else [])], rows, words=(0, 1))
