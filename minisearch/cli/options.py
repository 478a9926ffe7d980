"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

DEFAULT_DB = "minisearch.db"

Command = Callable[..., Any]

db: Callable[[Command], Command] = click.option(
    "--db",
    default=DEFAULT_DB,
    show_default=True,
    envvar="MINISEARCH_DB",
    metavar="FILE",
    help="The file that holds the search engine.",
)

blend: Callable[[Command], Command] = click.option(
    "--blend",
    type=click.FloatRange(0, 1),
    default=None,
    metavar="X",
    help="How much links count beside words: 0 words only, 1 much.  [default: 0.15]",
)

settings: Callable[[Command], Command] = click.option(
    "--set",
    "changed",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a number of the ranking for this query; repeatable. minisearch ranking lists them.",
)


def formats(command: Command) -> Command:
    """--json, --csv, --table."""
    for name, what in (
        ("table", "A table, one line a hit."),
        ("csv", "Comma-separated values with a header line."),
        ("json", "One JSON object."),
    ):
        command = click.option(f"--{name}", "form", flag_value=name, help=what)(command)
    return command
