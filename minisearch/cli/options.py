"""Options that several commands share, option groups, and options with former names."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from minisearch.cli.output import suggest
from minisearch.errors import BadInput, MiniSearchError

if TYPE_CHECKING:
    from minisearch.cluster.dask import Cluster
    from minisearch.cluster.ranks import BlockRanking
    from minisearch.engine import Engine

DEFAULT_DB = "minisearch.db"
MAX_THREADS = 8
CONTINUE = "; run the same command again to continue"

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


# -- machinery -------------------------------------------------------------------------------


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
    """A command whose help shows its options by group, and whose errors name the nearest option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words after the command."""
        takes_db = any(each.name == "db" for each in self.params) and "--db" not in args
        files = [each for each in args if takes_db and each.endswith(".db") and os.path.isfile(each)]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise self.no_such_option(error.option_name, ctx) from None
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out if an option has no value
            if files and type(error) is click.UsageError:  # an extra argument; wrong values have types of their own
                raise click.UsageError(f"{error.message}; did you mean --db {files[0]}?", error.ctx) from None
            raise

    def no_such_option(self, name: str, ctx: click.Context, hint: str = "") -> click.UsageError:
        """The error for an unknown option, with the nearest one or a hint."""
        meant = suggest(name, (each for option in self.get_params(ctx) for each in option.opts))
        return click.UsageError(f"No such option: {name}{meant or hint}", ctx)

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


def command(name: str | None = None) -> Callable[[Command], click.Command]:
    """`click.command` for a `GroupedCommand`."""
    return click.command(name, cls=GroupedCommand)


# A query may begin with a minus: whatever is not an option is part of it.
QUERY_SETTINGS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}


class QueryCommand(GroupedCommand):
    """A command that takes a query. An unknown word with two dashes is a mistyped option, not part of the query."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse mistyped options before anything is parsed."""
        if args == ["-h"]:
            args = ["--help"]
        known = [name for each in self.get_params(ctx) for name in (*each.opts, *getattr(each, "former", ()))]
        for word in args[: args.index("--")] if "--" in args else args:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known and not any(map(str.isspace, word)):
                raise self.no_such_option(name, ctx, '. To search for this text, put "--" before it.')
        return super().parse_args(ctx, args)


def query_command(function: Command) -> click.Command:
    """A command with the argument QUERY..."""
    function = click.argument("query", nargs=-1, required=True)(function)
    return click.command(cls=QueryCommand, context_settings=QUERY_SETTINGS)(function)


def check_applicable(method: str, methods_by_option: Mapping[str, Sequence[str]]) -> None:
    """Refuse an option that the method does not use. Options that are not listed apply to all methods."""
    context = click.get_current_context()
    for each in context.command.params:
        methods = methods_by_option.get(each.name or "", (method,))
        if method not in methods and is_typed(each.name or ""):
            raise BadInput(f"{each.opts[0]} does not apply to --method {method}, only to {', '.join(methods)}")


def is_typed(name: str) -> bool:
    """Whether an option was given on the command line, not by minisearch.toml or the environment."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


# -- types -----------------------------------------------------------------------------------


class _Finite(click.FloatRange):
    """A number in a range; NaN and infinity are in none."""

    name = "number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """What the help shows for the value."""
        return "X"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse a number and check its range."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number


class Integer(click.IntRange):
    """An integer in a range."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The integer; minisearch.toml may have a fraction."""
        if isinstance(value, float):
            self.fail(f"{value!r} is not a valid integer.", param, ctx)
        return int(super().convert(value, param, ctx))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """What the help shows for the value."""
        return "N"


POSITIVE_OR_ZERO = _Finite(0)
FRACTION = _Finite(0, 1)


class _Header(click.ParamType[tuple[str, str]]):
    """'Name: value'; several in the environment are separated by newlines."""

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


# -- options ---------------------------------------------------------------------------------

db = option(
    "--db", default=DEFAULT_DB, show_default=True, envvar="MINISEARCH_DB", metavar="FILE", help="The index file."
)
json_format = option("--json", "as_json", is_flag=True, help="Print one JSON object.")
user_agent = option("--user-agent", default="", metavar="TEXT", help="User-Agent header to send.")
delay = option(
    "--delay",
    type=POSITIVE_OR_ZERO,
    metavar="S",
    show_default="1; 0 on this machine",
    help="Seconds between requests to one host.",
)
header = option(
    "--header",
    type=_Header(),
    multiple=True,
    callback=lambda _context, _option, headers: dict(headers),
    metavar="'NAME: VALUE'",
    help="Send this header, e.g. for authorization, to the origins of the seed URLs only. It is never stored. "
    "Repeatable; in MINISEARCH_CRAWL_HEADER or MINISEARCH_RECRAWL_HEADER, one per line.",
)
parser = option(
    "--parser",
    type=click.Choice(["fast", "bs4", "soup"]),
    default="fast",
    show_default=True,
    metavar="[fast|bs4]",
    callback=lambda _context, _option, name: "soup" if name == "bs4" else name,
    help="HTML parser.",
)
damping = option("--damping", type=FRACTION, default=0.85, show_default=True, help="Probability of following a link.")
tolerance = option(
    "--tolerance", type=POSITIVE_OR_ZERO, default=1e-10, show_default=True, help="Converged below this change."
)
max_iterations = option(
    "--max-iterations",
    "max_rounds",
    former=["--max-rounds"],
    type=Integer(1),
    default=1000,
    show_default=True,
    help="Maximum number of iterations.",
)
blend = option("--blend", type=FRACTION, metavar="X", help="Weight of the link score; 0: words only.  [default: 0.15]")
prior = option(
    "--prior",
    metavar="RANKING",
    help='Ranking used as link score, such as trustrank, computed by "minisearch rank".  [default: pagerank]',
)
weights = option(
    "--set",
    "changed",
    multiple=True,
    metavar="NAME=VALUE",
    help='Change a ranking weight for this query; repeatable. "minisearch weights" lists them.',
)


def open_index(db: str, **settings: Any) -> Engine:
    """The engine on an index file that exists."""
    from minisearch.engine import Engine

    others = sorted(Path().glob("*.db"))
    if db == DEFAULT_DB and not os.path.exists(db) and others:
        raise BadInput(f'there is no file "{db}": name another one with --db {others[0]}')
    return Engine(db, create=False, **settings)


def read_weights(changed: Sequence[str], prior: str | None = None) -> dict[str, float | str]:
    """The ranking weights given by --set and --prior."""
    from minisearch.search.params import read_settings

    return read_settings([*changed, *([] if prior is None else [f"prior={prior}"])])


FORMATS = {
    "json": "Print one JSON object.",
    "csv": "Print comma-separated values with a header line.",
    "table": "Print a table with one line per result.",
}


def format_option(name: str) -> Decorator:
    """The option for an output format; the command gets the format that is chosen, or None, as `form`."""
    return option(f"--{name}", is_flag=True, expose_value=False, callback=_choose_format, help=FORMATS[name])


def _choose_format(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    chosen = ctx.params.setdefault("form", None)  # options of the command line are read first
    if value and chosen is None:
        ctx.params["form"] = option.name
    elif value and ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"--{chosen} and --{option.name} cannot be combined", ctx)


# -- where work is done ----------------------------------------------------------------------

cluster = option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this machine.",
)
blocks = option(
    "--blocks", metavar="FOLDER", help="Keep links on disk in this folder instead of in memory; removed at the end."
)
processes = option(
    "--processes", type=Integer(1, 64), metavar="N", help="Number of processes that read the files of a pattern."
)


@contextmanager
def readers(count: int | None, address: str | None) -> Iterator[Any]:
    """The readers of the files of a pattern: a number of processes, the workers of a cluster, or None."""
    if count is not None and address is not None:
        raise BadInput("--processes and --cluster cannot be combined")
    with workers(address) as found:
        if found is None:
            yield count
            return
        from minisearch.shards.executors import on_cluster

        yield on_cluster(found.client)


@contextmanager
def workers(address: str | None) -> Iterator[Cluster | None]:
    """The cluster at an address, if one is given."""
    if address is None:
        yield None
        return
    from minisearch.cluster.dask import connect

    with connect(address) as found:
        yield found


@contextmanager
def measures(address: str | None, folder: str | None, default: str) -> Iterator[BlockRanking]:
    """Link analysis by blocks in a folder, computed here or on a cluster.

    The folder is removed at the end, but kept after a failure, so that running the same command again continues.
    After wrong input it is of no use.
    """
    from concurrent.futures import ThreadPoolExecutor

    from minisearch.cluster.ranks import BlockRanking, Executor

    with workers(address) as found, ThreadPoolExecutor(min(os.cpu_count() or 1, MAX_THREADS)) as threads:
        place = Path(folder or default)
        is_new, work = not place.exists(), BlockRanking(place, found.executor() if found else Executor(threads.map))
        try:
            yield work
        except BadInput:
            if is_new:
                work.clear()
            raise
        except BrokenPipeError:
            raise  # of standard output, not of our files
        except OSError as error:
            reason = error.strerror or "the disk is full"  # numpy gives no reason when it cannot write an array
            again = "" if isinstance(error, NotADirectoryError | FileExistsError) else CONTINUE
            raise MiniSearchError(f'cannot work in "{place}": {reason}{again}') from error
    work.clear()
