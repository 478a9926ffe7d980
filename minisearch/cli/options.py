"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import click
from click.core import ParameterSource

from minisearch.errors import BadInput

DEFAULT_DB = "minisearch.db"

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


class Option(click.Option):
    """An option that may have `former` names, which work but are not in the help, and belongs to a group of options."""

    def __init__(self, *args: Any, former: Sequence[str] = (), group: str = "Options", **more: Any) -> None:
        super().__init__(*args, **more)
        self.former, self.group = former, group

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser know the former names, too."""
        current = self.opts
        self.opts = [*current, *self.former]
        super().add_to_parser(parser, ctx)
        self.opts = current


def option(*names: str, **attributes: Any) -> Decorator:
    """`click.option` for an `Option`."""
    return click.option(*names, cls=Option, **attributes)


def option_group(title: str, *options: Decorator) -> Decorator:
    """Options under a title of their own in the help of a `GroupedCommand`."""

    def decorate(function: Command) -> Command:
        for each in reversed(options):
            function = each(function)
            function.__click_params__[-1].group = title  # type: ignore[attr-defined]
        return function

    return decorate


class GroupedCommand(click.Command):
    """A command whose help shows its options by group."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group, in the order of their first options; those without a group are last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            record = each.get_help_record(ctx)
            if record is not None and isinstance(each, click.Option):
                groups.setdefault(getattr(each, "group", "Options"), []).append(record)
        groups["Options"] = groups.pop("Options")  # --help is one of them
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)


class _Finite(click.FloatRange):
    """A number in a range; NaN and infinity are in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse a number and check its range."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


FLOAT = _Finite()
POSITIVE_OR_ZERO = _Finite(0)
FRACTION = _Finite(0, 1)


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
    type=FRACTION,
    default=None,
    metavar="X",
    help="How much links count beside words: 0 words only, 1 much.  [default: 0.15]",
)


class _Header(click.ParamType[tuple[str, str]]):
    """'Name: value'; several in the environment are one a line."""

    name = "header"
    envvar_list_splitter = "\n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Split and check a header. The value may be secret and is not repeated in errors."""
        from minisearch.fetch.fetcher import check_header

        if isinstance(value, tuple):
            return value
        name, colon, content = str(value).partition(":")
        try:
            check_header(name if colon else "", content.strip())
        except BadInput as error:
            self.fail(str(error), param, ctx)
        return name, content.strip()


header: Callable[[Command], Command] = click.option(
    "--header",
    type=_Header(),
    multiple=True,
    callback=lambda _context, _option, headers: dict(headers),
    metavar="'NAME: VALUE'",
    help="Send this header, e.g. for authorization, to the origins of the start URLs only. It is never stored. "
    "May be repeated. In the environment: MINISEARCH_CRAWL_HEADER or MINISEARCH_RECRAWL_HEADER, one a line.",
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


def check_applicable(method: str, methods_by_option: Mapping[str, Sequence[str]]) -> None:
    """Refuse an option that the method does not use. Options that are not listed apply to all methods."""
    context = click.get_current_context()
    for each in context.command.params:
        methods = methods_by_option.get(each.name or "", (method,))
        if method not in methods and is_typed(each.name or ""):
            raise BadInput(f"{each.opts[0]} is for --method {either(methods)}, not for {method}")


def is_typed(name: str) -> bool:
    """Whether an option stands in this very command. What the settings file says is meant for other commands, too."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def either(words: Sequence[str]) -> str:
    """One of these.

    >>> either(["hits"]), either(["topic", "surfer", "eigen"])
    ('hits', 'topic, surfer or eigen')
    """
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
