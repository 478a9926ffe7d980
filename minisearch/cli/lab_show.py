"""Shared by the lab commands: the GRAPH argument, tables and numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import click

from minisearch.cli.options import Command, Integer, open_index, option_group
from minisearch.cli.output import echo as echo  # also for the other lab commands
from minisearch.cli.output import print_json as print_json
from minisearch.cli.output import print_table
from minisearch.cli.output import talk as talk
from minisearch.errors import BadInput
from minisearch.lab import address, edits, formats, presets
from minisearch.lab.webs import Web
from minisearch.models import counted

CRAWL = "crawl:"

as_json: Callable[[Command], Command] = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
plot: Callable[[Command], Command] = click.option("--plot", metavar="FILE", help="Save a plot to FILE (.svg or .png).")


def digits(usual: str) -> Callable[[Command], Command]:
    """The option --digits, with the default in its help."""
    text = f"Number of decimals to show.  [default: {usual}]"
    return click.option("--digits", type=Integer(0, 17), metavar="N", help=text)


def graph_argument(command: Command) -> Command:
    """GRAPH and the options that change it before it is used."""
    opening = option_group(
        "Graph",
        click.option(
            "--format", "form", type=click.Choice(formats.FORMS), help="File format, if the file name does not show it."
        ),
        click.option(
            "--edit",
            "changes",
            multiple=True,
            metavar="EDIT",
            help='Edit it first: "add A B", "cut A B", "remove A", "trap A", "dead-end A", "farm T 30"; repeatable.',
        ),
        click.option("--once", is_flag=True, help="Count repeated links once and ignore weights."),
        click.option("--no-loops", is_flag=True, help="Ignore self-links."),
    )
    return click.argument("graph", metavar="GRAPH")(opening(command))


@dataclass(frozen=True)
class Opened:
    """A graph that was opened by its name."""

    name: str
    web: Web
    file: str = ""  # the file of a crawl, if it is one


def open_graph(
    graph: str, *, form: str | None = None, changes: Sequence[str] = (), once: bool = False, no_loops: bool = False
) -> Opened:
    """Open a preset, a file, "-" for standard input, A:B;B:A or crawl:FILE.db, and apply the edits."""
    file = ""
    if graph.startswith(CRAWL):
        file = graph.removeprefix(CRAWL)
        web = crawled(file)
        if not (once or no_loops):
            talk('repeated links and self-links count; add --once --no-loops to rank as "minisearch rank" does')
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
    from minisearch.lab.crawls import web_of

    if not file:
        raise BadInput("crawl: needs a file name, such as crawl:docs.db")
    with open_index(file) as engine:
        graph = engine.link_graph()
        return web_of(graph.pages, graph.urls, graph.links)


def size_of(web: Web) -> str:
    """The number of pages and links.

    >>> size_of(Web.of("AB", [("A", "B")]))
    '2 pages and 1 link'
    """
    links = counted(int(web.size), "link") if web.size == int(web.size) else f"{web.size:g} links"
    return f"{counted(web.n, 'page')} and {links}"


def decimals(digits: int | None, pages: int, *, trace: bool = False) -> int:
    """How many decimals to show: enough to distinguish pages."""
    if digits is not None:
        return digits
    return 16 if trace else max(6, math.ceil(math.log10(max(pages, 1))) + 4)


def show_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: Collection[int] = (0,), title: str = ""
) -> None:
    """Print a table of formatted cells. The columns `words` are aligned left, the others right."""
    print_table(columns, rows, words=words, title=title)
