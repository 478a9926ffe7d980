"""lab: the laboratory of link analysis. Its commands are in cli/lab_*.py."""

from __future__ import annotations

from itertools import pairwise

import click

from minisearch.cli.main import LazyGroup
from minisearch.errors import BadInput

COMMANDS = {  # in the order of the lessons
    "presets": "lab_web",
    "rank": "lab_rank",
    "surf": "lab_rank",
    "matrix": "lab_web",
    "removal": "lab_web",
    "bowtie": "lab_web",
    "blocks": "lab_web",
    "farm": "lab_change",
    "compare": "lab_change",
    "convert": "lab_change",
    "doctor": "lab_doctor",
    "errata": "lab_doctor",
    "conventions": "lab_doctor",
    "index-structures": "lab_structures",
}


class LabCommands(LazyGroup):
    """The experiments. An option with an empty value is a mistake, not an option that was left out."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse empty values, then find the command."""
        empty = [before for before, word in pairwise(args) if not word and before.startswith("--")]
        empty += [word[:-1] for word in args if word.startswith("--") and word.endswith("=")]
        if empty:
            raise BadInput(f"{empty[0]} needs a value")
        return super().resolve_command(ctx, args)


@click.group(cls=LabCommands, modules=COMMANDS)
def lab() -> None:
    """Try link analysis algorithms on small graphs or on a crawl.

    GRAPH is the name of a preset (five-pages), a file (.pairs.txt .ints.txt .matrix.txt .csv .tsv .json .gexf
    .graphml, or Common Crawl's vertices and edges; .gz of each), - for standard input, crawl:FILE.db, or "A:B,C;B:A".

    \b
      minisearch lab rank one-dead-end --trace --iterations 9
      minisearch lab rank one-dead-end --method solve --exact
      minisearch lab doctor five-pages ".19 .23 .06 .28 .14"
      minisearch lab compare ten-pages --edit "add J A"
    """
