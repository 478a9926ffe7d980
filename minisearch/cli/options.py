"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
        ("table", "A table, one line per hit."),
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


def check_heard(method: str, heard_by: Mapping[str, Sequence[str]]) -> None:
    """An option that says nothing to the method is a mistake. Options that are not named here speak to all methods."""
    here = click.get_current_context()
    for option in here.command.params:
        methods = heard_by.get(option.name or "", (method,))
        if method not in methods and is_typed(option.name or ""):
            raise BadInput(f"{option.opts[0]} is for --method {either(methods)}, not for {method}")


def is_typed(name: str) -> bool:
    """Whether an option stands in this very command. What the settings file says is meant for other commands, too."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def either(words: Sequence[str]) -> str:
    """One of these.

    >>> either(["hits"]), either(["topic", "surfer", "eigen"])
    ('hits', 'topic, surfer or eigen')
    """
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
