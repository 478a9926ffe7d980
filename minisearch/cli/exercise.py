"""exercise: the questions of the handbook, and a check of the answers."""

from __future__ import annotations

import sys
import textwrap

import click


@click.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--check", metavar="ANSWER", help="Say whether this is right; if not, give a hint. Exit code 1 if not.")
@click.option("--hint", is_flag=True, help="Give the hint without an answer.")
def exercise(number: int | None, check: str | None, hint: bool) -> None:
    """Show exercise NUMBER of the handbook, or list them all.

    The handbook and the garden come with minisearch: "minisearch demo --sites" serves them, to be read and crawled.

    \b
      minisearch exercise 3
      minisearch exercise 3 --check 0.41
    """
    from minisearch.lesson import exercises

    if number is None:
        if check is not None or hint:
            raise click.UsageError("say which exercise: minisearch exercise 3 --check ANSWER")
        for one in exercises.exercises():
            click.echo(f"{one.number:2}. {one.level:6}  {textwrap.shorten(one.question, 90, placeholder=' ...')}")
        return
    found = exercises.exercise(number)
    if check is None:
        click.echo(textwrap.fill(f"{number}. ({found.level}) {found.question}", 100))
        if hint:
            click.echo(f"hint: {found.hint}")
        click.echo(f"answer with {exercises.EXPECTED[found.kind]}:  minisearch exercise {number} --check ANSWER")
    elif found.accepts(check):
        shown = f"  You can see it with:  {found.command}" if found.command else ""
        click.echo(f"right: {found.answer}.{shown}")
    else:
        click.echo(f"not yet.  Hint: {found.hint}")
        click.echo(f"to read: {found.page}")
        sys.exit(1)
