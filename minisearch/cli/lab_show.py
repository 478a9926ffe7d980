"""What the commands of the lab share: how a graph is named, how tables and numbers are shown."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from minisearch.cli.options import Command
from minisearch.cli.shown import as_json as json_text
from minisearch.cli.shown import plain, say
from minisearch.errors import BadInput
from minisearch.lab import address, edits, formats, presets
from minisearch.lab.webs import Web

CRAWL = "crawl:"
FOLDED = 24  # letters to which a column of words may be folded

as_json: Callable[[Command], Command] = click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
plot: Callable[[Command], Command] = click.option(
    "--plot", metavar="FILE", help="Draw it into FILE, which ends with .svg or .png."
)


def digits(usual: str) -> Callable[[Command], Command]:
    """The option of how many decimals are shown, which tells how many are `usual`."""
    told = f"Show so many decimals.  [default: {usual}]"
    return click.option("--digits", type=click.IntRange(0, 17), metavar="N", help=told)


def graph_argument(command: Command) -> Command:
    """GRAPH, and what can be done to it before it is used."""
    for option in (
        click.option(
            "--edit",
            "changes",
            multiple=True,
            metavar="EDIT",
            help='Change it first: "add A B", "cut A B", "remove A", "trap A", "dead-end A", "farm T 30"; repeatable.',
        ),
        click.option("--no-loops", is_flag=True, help="Leave out links of a page to itself."),
        click.option("--once", is_flag=True, help="Count a repeated link once, and a weight as 1."),
        click.option(
            "--format", "form", type=click.Choice(formats.FORMS), help="The format of the file, if its name is silent."
        ),
    ):
        command = option(command)
    return click.argument("graph", metavar="GRAPH")(command)


@dataclass(frozen=True)
class Opened:
    """A graph as the command line asked for it."""

    name: str
    web: Web
    file: str = ""  # the file of a crawl, if it is one


def open_graph(
    graph: str, *, form: str | None = None, changes: Sequence[str] = (), once: bool = False, no_loops: bool = False
) -> Opened:
    """A preset by name, a file, "-" for standard input, A:B;B:A or crawl:FILE.db; changed if so asked."""
    file = ""
    if graph.startswith(CRAWL):
        file = graph.removeprefix(CRAWL)
        web = crawled(file)
        if not (once or no_loops):
            talk('repeated links and loops count; --once --no-loops ranks as "minisearch rank" does')
    elif form is None and presets.preset(graph) and not os.path.exists(graph):
        web = presets.web(graph)
    elif graph == "-" or os.path.exists(graph) or formats.by_ending(graph) or os.sep in graph or form:
        web = formats.read(graph, form)
    elif address.looks_like_one(graph):
        web = address.read(graph, "the graph")
    else:
        raise presets.unknown(graph)
    web = edits.edit(web, *changes)
    if once or no_loops:
        web = web.counting(repeated=not once, loops=not no_loops)
    return Opened(graph, web, file)


def crawled(file: str) -> Web:
    """The link graph of a crawl, its pages named by their urls."""
    from minisearch.engine import Engine
    from minisearch.lab.crawls import web_of

    if not file:
        raise BadInput("crawl: needs the name of a file after it, as in crawl:docs.db")
    with Engine(file, create=False) as engine:
        graph = engine.link_graph()
        return web_of(graph.pages, graph.urls, graph.links)


def decimals(digits: int | None, pages: int, *, trace: bool = False) -> int:
    """How many decimals to show: enough to tell pages apart."""
    if digits is not None:
        return digits
    return 16 if trace else max(6, math.ceil(math.log10(max(pages, 1))) + 4)


def show_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: Collection[int] = (0,), title: str = ""
) -> None:
    """A table on stdout; the columns `words` are words, the others numbers. Pretty on a terminal."""
    columns, lines = [plain(column) for column in columns], [[plain(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _show_pretty(columns, lines, words, title)
        return
    if title:
        click.echo(title)
    widths = [max(len(cell) for cell in column) for column in zip(columns, *lines, strict=True)]
    for line in (list(columns), *lines):
        cells = (
            cell.ljust(width) if number in words else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())


def _show_pretty(columns: Sequence[str], lines: list[list[str]], words: Collection[int], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for number, column in enumerate(columns):
        word = number in words
        table.add_column(Text(column), justify="left" if word else "right", overflow="fold", no_wrap=not word)
    for line in lines:
        table.add_row(*(Text(cell) for cell in line))
    console = Console(highlight=False)
    # Words may be folded, but a number that is cut is wrong: rather let the terminal break the line.
    widths = [max(map(len, column)) for column in zip(columns, *lines, strict=True)]
    least = sum(min(width, FOLDED) if number in words else width for number, width in enumerate(widths))
    console.width = max(console.width, least + 3 * len(widths) + 2)
    console.print(table)


def print_json(data: Any) -> None:
    """One JSON object on stdout."""
    click.echo(json_text(data))


def talk(text: str) -> None:
    """Print a line on stderr, beside the results; nothing if it is empty."""
    if text:
        say(text, err=True)
