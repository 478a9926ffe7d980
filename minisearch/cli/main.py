"""The command line: one command for each stage. Results go to stdout, messages go to stderr.

Exit codes: 0 done or found, 1 nothing found or fetched, 2 an error or a wrong command, 3 the metrics are lower than
`eval --fail-under` allows, 4 a recrawl that would have removed more than a third of the pages, 130 interrupted.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from minisearch import __version__
from minisearch.cli import config
from minisearch.cli.output import suggest, talk
from minisearch.errors import BadInput, MiniSearchError

# The module of each command, by section of the help. A module is imported when its command is used.
SECTIONS = {
    "Build an index": {"crawl": "crawl", "recrawl": "crawl", "import": "crawl", "index": "crawl", "rank": "rank"},
    "Search": {"search": "search", "lucky": "search", "explain": "search", "serve": "search"},
    "Look inside": {"why": "show", "page": "show", "term": "show", "stats": "show", "sql": "show"},
    "Evaluate": {"eval": "evaluate", "judge": "evaluate", "rankers": "evaluate", "weights": "evaluate"},
    "Tools": {"url": "url", "graph": "graph", "shards": "shards", "lab": "lab"},
    "Learn": {"demo": "demo", "exercise": "demo"},
}
COMMANDS = {name: module for commands in SECTIONS.values() for name, module in commands.items()}
FORMER = {  # former names, which work but are not in the help
    "ladder": "rankers",
    "ranking": "weights",
    "fetch": "url fetch",
    "inspect": "url inspect",
    "robots": "url robots",
    "normalize": "url normalize",
    "replay": "graph replay",
    "shard": "shards split",
    "merge": "shards merge",
}


class LazyGroup(click.Group):
    """Commands that are imported when they are used. A mistyped one is answered with the nearest name."""

    def __init__(self, *args: Any, modules: Mapping[str, str] | None = None, default: str = "", **more: Any) -> None:
        """`modules` has the module of each command; `default` is the command that is meant if none is named."""
        super().__init__(*args, **more)
        self.modules, self.default = modules or {}, default

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in self.modules:
            return None
        module = import_module(f"minisearch.cli.{self.modules[cmd_name]}")
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(module, f"{name}_command", None) or getattr(module, name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command first if no command is named."""
        named = args[:1]
        if self.default and named not in (["--help"], ["-h"]) and not self.modules.keys() & set(named):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, with its defaults from minisearch.toml and the environment."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None:
            raise click.UsageError(f'No such command "{name}"{suggest(name, self.modules)}', ctx)
        group = [] if ctx.parent is None else [ctx.info_name or ""]
        values = _values(ctx.default_map or {})
        tables = {each: table for each, table in (ctx.default_map or {}).items() if each not in values}
        for each in tables.keys() - self.modules.keys():
            meant = suggest(each, [*self.modules, *FORMER])
            where = ".".join([*group, each])
            raise BadInput(f"{config.FILE} has a table [{where}], but there is no such command{meant}")
        own = {**(values if name == self.default else {}), **tables.get(name, {})}
        if not isinstance(command, click.Group):
            path = " ".join([*group, name])
            names = [path, *(group if name == self.default else [])]
            names += [former for former, current in FORMER.items() if current == path]
            shared = (ctx.find_root().obj or {}) | ({} if self.default else values)
            own = config.defaults(command, own, shared, path)
            others = {*COMMANDS, *FORMER, *(" ".join([*group, each]) for each in self.modules)}.difference(names, group)
            for message in config.bind_variables(command, names, others):
                talk(f"minisearch: {message}")
        ctx.default_map = {name: own}
        return name, command, args[1:]


def _values(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if not isinstance(value, dict)}


class Commands(LazyGroup):
    """All commands, in sections; errors are printed in one line."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Replace streams that are closed (`>&-`): the next file that is opened would be taken for one of them."""
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the end
        return super().main(*args, **more)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for title, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl([(f"{name:<8}", each.get_short_help_str(100)) for name, each in commands if each])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command by its current or a former name."""
        ctx.default_map = config.load(FORMER)
        ctx.obj = _values(ctx.default_map)  # outside of tables: for every command that has such an option
        if args[0] in FORMER:
            args = [*FORMER[args[0]].split(), *args[1:]]
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Parse the first words; --help among them prints at once."""
        with _one_line_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with _one_line_errors():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Print an error in one line, and exit."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise  # which prints the help
    except click.UsageError as error:
        message = " ".join(error.format_message().split()).removesuffix(".")
        command = error.ctx.command_path if error.ctx is not None else "minisearch"
        if isinstance(error, click.NoSuchOption):  # of a group: those of commands have a message of their own
            message = f"No such option: {error.option_name}. Options follow the name of a command"
        _fail(f'{message} (see "{command} --help")')
    except MiniSearchError as error:
        _fail(str(error))
    except sqlite3.DatabaseError as error:
        _fail(f"database error: {error}")
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has closed it
        sys.exit(0)
    except OSError as error:
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        with suppress(OSError):  # stdout may have no descriptor; if it has, Python must not try to write the rest
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _fail(f"{where}{error.strerror or error}")


def _fail(message: str, exit_code: int = 2) -> NoReturn:
    talk(f"minisearch: {message}")
    sys.exit(exit_code)


@click.group(
    cls=Commands,
    modules=COMMANDS,
    context_settings={"auto_envvar_prefix": config.PREFIX, "help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="minisearch")
def main() -> None:
    """Crawl a website, search it, and see why a page ranks first. One file holds the whole index.

    \b
      minisearch crawl https://example.com/docs/ --db docs.db
      minisearch search "how to install" --db docs.db
      minisearch serve --db docs.db

    Every option can also be set in minisearch.toml or by an environment variable (MINISEARCH_SEARCH_LIMIT=20).
    """
