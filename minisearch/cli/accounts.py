"""How the account of a score is told, and the accounts of two pages side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from minisearch.cli.shown import plain

if TYPE_CHECKING:
    from minisearch.models import Explanation
    from minisearch.search.compare import Comparison

SAID = {
    "word": "{word}: term {terms}",
    "identifier": "{word}: as a whole",
    "neighbours": "{word}: next to each other",
    "name": "{word}: this is a title, a heading or the text of a link",
    "exact": "{word}: this is the title, to the letter",
    "address": "{word}: this is the way to the page",
}
LACKING = "It lacks words that tell something, so pages that have them all stand before it, whatever their score."
MOST_PARTS = 12  # of two pages side by side that have a line of their own: the largest differences


def print_told(told: Explanation | Comparison) -> None:
    """The account of a score, or two accounts side by side."""
    from minisearch.models import Explanation

    if isinstance(told, Explanation):
        _print_account(told)
    else:
        _print_comparison(told)


def _print_comparison(told: Comparison) -> None:
    click.echo(f"{plain(told.because)}\n")
    rows = [
        (f"{plain(part.word)} ({part.kind}, {part.field})", part) for part in told.differences if part.kind != "links"
    ]
    rows, smaller = rows[:MOST_PARTS], [part for _, part in rows[MOST_PARTS:]]
    lines = [(name, part.first, part.second, part.worth) for name, part in rows]
    if smaller:
        named = f"{len(smaller)} smaller part{'s' * (len(smaller) > 1)}"
        sums = (sum(getattr(part, column) for part in smaller) for column in ("first", "second", "worth"))
        lines.append((named, *sums))
    width = max((len(name) for name, *_ in lines), default=0)
    click.echo(f"{'':<{width}}  {'first':>9}  {'second':>9}  {'worth':>9}")
    for name, one, other, worth in lines:
        click.echo(f"{name:<{width}}  {one:9.4f}  {other:9.4f}  {worth:+9.4f}")
    links = next(part for part in told.differences if part.kind == "links")
    first, second = told.first, told.second
    click.echo(f"{'words':<{width}}  {first.text_score:9.4f}  {second.text_score:9.4f}")
    click.echo(f"{'links':<{width}}  {links.first:9.4f}  {links.second:9.4f}  {links.worth:+9.4f}")
    click.echo(f"{'score':<{width}}  {first.score:9.4f}  {second.score:9.4f}  {first.score - second.score:+9.4f}")
    if told.changes:
        click.echo("\nwhat would turn it")
    for change in told.changes:
        click.echo(f"  {plain(change.said)}")


def _print_account(account: Explanation) -> None:
    click.echo(f"{plain(account.title)}\n{account.url}\n")
    if not account.matched:
        click.echo("It is not among the answers to this query; this is what it would get.\n")
    elif not account.all_words:
        click.echo(f"{LACKING}\n")
    for part in account.parts:
        named = ", ".join(part.terms)
        said = SAID[part.kind].format(word=part.word, terms=named)
        click.echo(f"{plain(said)}  (on {part.df} of {account.pages} pages, idf {part.idf:.4f})")
        for field in part.fields:
            click.echo(
                f"    {field.field:<9} {field.score:9.4f} = weight {field.weight:g} x idf {part.idf:.4f} "
                f"x saturation {field.saturation:.4f}   "
                f"({field.count} of {field.length} words, average {field.average:.1f})"
            )
        click.echo(f"    {'sum':<9} {part.score:9.4f}")
    for word in account.missing:
        click.echo(f"{plain(word)}  (not on this page)")
    click.echo(f"\nwords  {account.text_score:.4f}")
    click.echo(
        f"links  {account.link_factor:.4f} = 1 + blend {account.blend:g} x {account.prior:.4f}   "
        f"({account.ranking} {account.rank:.6f} on a log scale from 0 to 1)"
    )
    for payment in account.paid_by:
        click.echo(
            f"    {payment.share:6.1%} of {account.ranking} from {payment.url}   "
            f"({payment.rank:.6f} shared among {payment.links} links)"
        )
    click.echo(f"score  {account.score:.4f} = words x links")
