"""The command line: one command for each stage. Results go to stdout, talk goes to stderr.

Exit codes: 0 done or found, 1 nothing found or fetched, 2 an error or a wrong command, 3 the answers are worse than
`eval --fail-under` allows, 4 a recrawl that would have dropped more than a third of the pages, 130 interrupted.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from minisearch import __version__
from minisearch.cli import config
from minisearch.errors import MiniSearchError

# Where each command lives. A module is loaded when its command is used, so that the others cost nothing.
COMMANDS = {
    "crawl": "minisearch.cli.build",
    "recrawl": "minisearch.cli.recrawl",
    "shard": "minisearch.cli.shards",
    "merge": "minisearch.cli.shards",
    "import": "minisearch.cli.archives",
    "index": "minisearch.cli.build",
    "rank": "minisearch.cli.rank",
    "search": "minisearch.cli.find",
    "lucky": "minisearch.cli.find",
    "explain": "minisearch.cli.find",
    "ladder": "minisearch.cli.ranking",
    "ranking": "minisearch.cli.ranking",
    "judge": "minisearch.cli.judging",
    "eval": "minisearch.cli.judging",
    "why": "minisearch.cli.look",
    "page": "minisearch.cli.inside",
    "term": "minisearch.cli.inside",
    "sql": "minisearch.cli.inside",
    "stats": "minisearch.cli.look",
    "replay": "minisearch.cli.replay",
    "fetch": "minisearch.cli.touch",
    "inspect": "minisearch.cli.touch",
    "robots": "minisearch.cli.touch",
    "normalize": "minisearch.cli.touch",
    "graph": "minisearch.cli.lab_graph",
    "lab": "minisearch.cli.lab",
    "serve": "minisearch.cli.serve",
    "demo": "minisearch.cli.demo",
    "exercise": "minisearch.cli.exercise",
}


class Commands(click.Group):
    """The commands, loaded when needed, with our errors told in one line."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Begin."""
        _stand_in_for_closed_streams()
        return super().main(*args, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name + "_" * iskeyword(cmd_name)  # no function can be called "import"
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), name)
        return command

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the first words; they may ask for help, which is told at once."""
        with _told_in_one_line(), _ended_in_words():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; what goes wrong is told in one helpful line."""
        with _told_in_one_line(), _ended_in_words():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def _ended_in_words() -> Iterator[None]:
    try:
        yield
    except MiniSearchError as error:
        from minisearch.cli.shown import say

        say(f"minisearch: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo("minisearch: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has seen enough
        sys.exit(0)
    except sqlite3.DatabaseError as error:
        click.echo(f"minisearch: the file cannot be read or written: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        click.echo(f"minisearch: {where}{error.strerror or error}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # lest Python tries to write the rest
        sys.exit(2)


def _stand_in_for_closed_streams() -> None:
    """Read and write nothing where nothing is open (`>&-`): else the next file we open would be taken for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the end


class OneLine(click.ClickException):
    """Words that make no command, told in one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Tell it."""
        click.echo(f"minisearch: {self.message}", err=True, file=file)


@contextmanager
def _told_in_one_line() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise  # whoever says nothing is shown what there is
    except click.UsageError as error:
        message = " ".join(error.format_message().split()).removesuffix(".")
        command = error.ctx.command_path if error.ctx is not None else "minisearch"
        raise OneLine(f'{message} ("{command} --help" tells more)') from error


@click.group(cls=Commands, context_settings={"auto_envvar_prefix": "MINISEARCH", "help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="minisearch")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A whole search engine in one file: crawl a site, search it, and see why a page came first.

    \b
      minisearch crawl https://example.com/docs/ --db docs.db
      minisearch search "how to install" --db docs.db
      minisearch serve --db docs.db

    Every option can also stand in minisearch.toml or in the environment (MINISEARCH_SEARCH_LIMIT=20).
    """
    ctx.default_map = config.load(COMMANDS)
