"""lab doctor, errata, conventions: explain published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli.lab_show import (
    Opened,
    as_json,
    echo,
    graph_argument,
    open_graph,
    print_json,
    show_table,
    talk,
)
from minisearch.cli.options import Integer
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.lab.doctor import Diagnosis
    from minisearch.lab.presets import Erratum
    from minisearch.lab.webs import Web


@click.command(short_help="Explain how given ranks were computed.")
@graph_argument
@click.argument("numbers", required=False, metavar="[NUMBERS]")
@click.option("--teleport", metavar="WEIGHTS", help="Pages to teleport to, if known, such as A,E or A=0.5,E=0.5.")
@click.option("--partial", is_flag=True, help="Allow pages without a number.")
@click.option("--most", type=Integer(1, 50), default=3, show_default=True, help="Number of explanations to show.")
@as_json
def doctor(
    graph: str,
    numbers: str | None,
    teleport: str | None,
    partial: bool,
    most: int,
    as_json: bool,
    **opening: Any,
) -> None:
    """Find the convention, damping and iterations that give NUMBERS for the pages of GRAPH.

    NUMBERS is a CSV file (page,number), a JSON file, - for standard input, or a list of numbers in the order of the
    pages. Give exactly the digits that are printed. Without NUMBERS, the published numbers of a preset are explained.

    \b
      minisearch lab doctor five-pages ".19 .23 .06 .28 .14"
      minisearch lab doctor my-graph.csv my-ranks.csv
    """
    from minisearch.lab.claims import read_claims
    from minisearch.lab.doctor import as_dict, diagnose
    from minisearch.lab.options import weights_of

    opened = open_graph(graph, **opening)
    web = opened.web
    if numbers is None:
        cases = _printed(opened)
    else:
        jump = None if teleport is None else weights_of(teleport, web, "teleport")
        cases = [("", read_claims(numbers, web, partial=partial), jump)]
    found = [(title, diagnose(web, claims, teleport=jump, most=most)) for title, claims, jump in cases]
    if as_json:
        print_json([{"graph": graph, "where": title} | as_dict(web, diagnosis) for title, diagnosis in found])
        return
    for place, (title, diagnosis) in enumerate(found):
        click.echo("\n" if place else "", nl=False)
        if title:
            click.echo(title)
        _print(web, diagnosis)


def _printed(opened: Opened) -> list[tuple[str, Any, Any]]:
    """The published numbers of a preset, with their source and teleport vector."""
    from minisearch.lab.doctor import reported_in
    from minisearch.lab.presets import preset, published

    known = preset(opened.name)
    tables = published(known.id) if known else []
    if not tables:
        raise BadInput("there are no published numbers for this graph: give a file or a list of numbers")
    return [(f"{table.source}, {table.where}", *reported_in(table, opened.web)) for table in tables]


def _print(web: Web, diagnosis: Diagnosis) -> None:
    from minisearch.lab.doctor import FIT, sentences

    first, *more = sentences(web, diagnosis)
    echo(first, *(f"  {sentence}" for sentence in more))
    best, right = diagnosis.best, diagnosis.right
    reported = {claim.page: claim for claim in diagnosis.claims}
    rows = [
        (name, _given(reported, name), f"{best.values[page]:.6f}", f"{right[page]:.6f}")
        for page, name in enumerate(web.names[:40])
    ]
    given = f"{diagnosis.sum:.6g}" if len(reported) == web.n else "-"
    sums = ("sum", given, f"{best.values.sum():.6f}", f"{right.sum():.6f}")
    show_table(["page", "given", "computed", "exact"], [*rows, sums])
    for number, other in enumerate(diagnosis.explanations[1:], 2):
        talk(f"{number}. {other.words}: {FIT[other.fit]}")
    talk(f"{diagnosis.tried:,} vectors compared")


def _given(reported: Any, name: str) -> str:
    return "-" if name not in reported else reported[name].text


@click.command(short_help="List errors in published numbers.")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--source", metavar="WORD", help="Only this source: part of its author or title.")
@click.option("--kind", type=click.Choice(["value", "text", "formula", "code", "ocr"]), help="Only this kind.")
@as_json
def errata(name: str | None, source: str | None, kind: str | None, as_json: bool) -> None:
    """List errors in the literature with the correct value and the cause, or show one by its ID in detail."""
    from dataclasses import asdict

    from minisearch.lab.presets import errata as all_errata
    from minisearch.lab.presets import erratum

    if name and (source or kind):
        raise BadInput(f"{name} cannot be combined with --source or --kind")
    chosen = [erratum(name)] if name else all_errata(source, kind)
    if as_json:
        print_json([asdict(one) for one in chosen])
        return
    if not chosen:
        of_kind = f" of the kind {kind}" if kind else ""
        raise BadInput(f'no known erratum{of_kind} in a source matching "{source}"')
    last = ""
    for one in chosen:
        if one.source != last:
            click.echo(f"{chr(10) if last else ''}{one.source}")
            last = one.source
        _print_erratum(one)
    if name:
        _print_numbers(chosen[0])
    else:
        talk(f"{len(chosen)} errata")


def _print_erratum(one: Erratum) -> None:
    from minisearch.lab.presets import KINDS

    click.echo(f"  {one.id}  {one.where}  ({KINDS[one.kind]}{f', {one.graph}' if one.graph else ''})")
    for label, text in (("printed", one.printed), ("correct", one.correct), ("cause", one.why)):
        click.echo(f"      {label:<8} {text}")


def _print_numbers(one: Erratum) -> None:
    """Print the diagnosis of an erratum that is a table of numbers."""
    from minisearch.lab.doctor import diagnose, reported_in
    from minisearch.lab.presets import web as web_of

    table = one.numbers()
    if table is None:
        return
    web = web_of(table.graph)
    reported, jump = reported_in(table, web)
    click.echo()
    _print(web, diagnose(web, reported, teleport=jump, most=1))


@click.command(short_help="List published PageRank conventions.")
@as_json
def conventions(as_json: bool) -> None:
    """List published PageRank conventions, to be used with `lab rank --convention NAME`."""
    from minisearch.lab.doctor import in_word
    from minisearch.lab.views import conventions_view
    from minisearch.rank.conventions import CONVENTIONS

    if as_json:
        print_json(conventions_view())
        return
    rows = []
    for one in CONVENTIONS.values():
        ends = f"{one.rounds} iterations" if one.rounds is not None else f"{one.stop} < {one.tolerance:g}"
        kept = "all" if one.decimals is None else str(one.decimals)
        choices = (f"{one.damping:g}", one.dangling, one.repeated, in_word(one.loops), ends, one.jump, one.start, kept)
        rows.append((one.name, *choices))
    columns = ["name", "damping", "dangling", "repeated", "loops", "until", "teleport", "start", "digits"]
    show_table(columns, rows, words=range(len(columns)))
    for one in CONVENTIONS.values():
        talk(f"{one.name}: {one.source}")
    talk(
        "all of these update pages together and do not scale the ranks; lab doctor also tries updates in turn, and "
        "ranks scaled to a sum, maximum or length of 1"
    )
