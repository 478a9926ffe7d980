"""lab: the laboratory of links. Its commands are in cli/lab_*.py, each loaded when it is used."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import click

from minisearch.errors import BadInput

COMMANDS = {  # in the order in which one meets them
    "presets": "minisearch.cli.lab_web",
    "rank": "minisearch.cli.lab_rank",
    "surf": "minisearch.cli.lab_rank",
    "matrix": "minisearch.cli.lab_web",
    "removal": "minisearch.cli.lab_web",
    "bowtie": "minisearch.cli.lab_web",
    "blocks": "minisearch.cli.lab_web",
    "farm": "minisearch.cli.lab_change",
    "compare": "minisearch.cli.lab_change",
    "convert": "minisearch.cli.lab_change",
    "doctor": "minisearch.cli.lab_doctor",
    "errata": "minisearch.cli.lab_doctor",
    "conventions": "minisearch.cli.lab_doctor",
    "index-structures": "minisearch.cli.lab_structures",
}


class LabCommands(click.Group):
    """The experiments, loaded when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which command it is; an option that is given nothing is a slip, and not as if it were not there."""
        empty = [before for before, word in pairwise(args) if not word and before.startswith("--")]
        empty += [word[:-1] for word in args if word.startswith("--") and word.endswith("=")]
        if empty:
            raise BadInput(f"{empty[0]} is empty: say what it is, or leave it out")
        return super().resolve_command(ctx, args)


@click.group(cls=LabCommands)
def lab() -> None:
    """Try the link algorithms of the literature, on a blackboard graph or on a crawl.

    GRAPH is a preset's name (five-pages), a file (.pairs.txt .ints.txt .matrix.txt .csv .tsv .json .gexf .graphml, or
    Common Crawl's vertices and edges, also packed with .gz), - for standard input, crawl:FILE.db, or just "A:B,C;B:A".

    \b
      minisearch lab rank one-dead-end --trace --iterations 9
      minisearch lab rank one-dead-end --method solve --exact
      minisearch lab doctor five-pages ".19 .23 .06 .28 .14"
      minisearch lab compare ten-pages --edit "add J A"
    """
