"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import click
from click.core import ParameterSource

from minisearch.errors import BadInput

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


# A query may begin with a minus: what is no option of ours is part of it.
ANY_QUERY = {"ignore_unknown_options": True, "help_option_names": ["--help"]}


class Asking(click.Command):
    """A command that takes a query. A word with two dashes is meant for us, so it is refused if we do not know it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for slips before anything is read."""
        known = [name for option in self.get_params(ctx) for name in option.opts]
        for word in args[: args.index("--")] if "--" in args else args:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known and not any(map(str.isspace, word)):
                near = get_close_matches(name, known, 1)
                meant = f"did you mean {near[0]}?" if near else f"{self.name} --help lists them."
                raise click.UsageError(f'no such option: {name}; {meant} To search for it, write "--" before it.', ctx)
        return super().parse_args(ctx, args)


def check_nobody_walks() -> None:
    """Hubs and authorities have no readers who follow links at random, or get stuck."""
    here = click.get_current_context()
    for name in ("damping", "dangling"):
        if here.get_parameter_source(name) is ParameterSource.COMMANDLINE:  # what the settings say is for other methods
            raise BadInput(f"--{name} says nothing to --method hits: leave it out")
