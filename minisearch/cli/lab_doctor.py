"""lab doctor and lab errata: the commands that explain other people's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli.lab_show import (
    Opened,
    as_json,
    graph_argument,
    open_graph,
    print_json,
    show_table,
    talk,
)
from minisearch.cli.shown import say
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.lab.doctor import Diagnosis
    from minisearch.lab.errata import Erratum
    from minisearch.lab.webs import Web


@click.command(short_help="Explain somebody's numbers.")
@graph_argument
@click.argument("numbers", required=False, metavar="[NUMBERS]")
@click.option("--teleport", metavar="WEIGHTS", help="Where jumps lead, if that is known: A=0.5,E=0.5 or A,E.")
@click.option("--partial", is_flag=True, help="Some pages have no number: go by the others.")
@click.option("--most", type=click.IntRange(1, 50), default=3, show_default=True, help="Explanations to show.")
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
    """Say what somebody did who got NUMBERS for the pages of GRAPH.

    NUMBERS is a CSV file (page,number), a JSON file, - or a row of numbers in the order of the pages; digits count, so
    give all that are printed and no more. Without it, the numbers that are printed for a preset are explained.

    \b
      minisearch lab doctor five-pages ".19 .23 .06 .28 .14"
      minisearch lab doctor my-graph.csv my-ranks.csv
    """
    from minisearch.lab.claims import read_claims
    from minisearch.lab.doctor import diagnose
    from minisearch.lab.findings import as_dict
    from minisearch.lab.written import weights_of

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
    """The printed numbers of a preset, with where they stand and where jumps lead."""
    from minisearch.lab.findings import told_in
    from minisearch.lab.presets import preset, published

    known = preset(opened.name)
    tables = published(known.id) if known else []
    if not tables:
        raise BadInput("there are no printed numbers for this graph: name a file with numbers, or a row of them")
    return [(f"{table.source}, {table.where}", *told_in(table, opened.web)) for table in tables]


def _print(web: Web, diagnosis: Diagnosis) -> None:
    from minisearch.lab.findings import FIT, sentences

    first, *more = sentences(web, diagnosis)
    say(first, *(f"  {sentence}" for sentence in more))
    best, right = diagnosis.best, diagnosis.right
    told = {claim.page: claim for claim in diagnosis.claims}
    rows = [
        (name, _given(told, name), f"{best.values[page]:.6f}", f"{right[page]:.6f}")
        for page, name in enumerate(web.names[:40])
    ]
    given = f"{diagnosis.sum:.6g}" if len(told) == web.n else "-"
    sums = ("sum", given, f"{best.values.sum():.6f}", f"{right.sum():.6f}")
    show_table(["page", "given", "so computed", "done exactly"], [*rows, sums])
    for number, other in enumerate(diagnosis.explanations[1:], 2):
        talk(f"{number}. {other.words}: {FIT[other.fit]}")
    talk(f"{diagnosis.tried:,} vectors were compared")


def _given(told: Any, name: str) -> str:
    return "-" if name not in told else told[name].text


@click.command(short_help="Misprints of the literature.")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--source", metavar="WORD", help="Only those of a source: a part of its author or title.")
@click.option("--kind", type=click.Choice(["value", "text", "formula", "code", "ocr"]), help="Only those of a kind.")
@as_json
def errata(name: str | None, source: str | None, kind: str | None, as_json: bool) -> None:
    """List the misprints of the literature, with what is right and the cause; of one, by its ID, all that is known."""
    from dataclasses import asdict

    from minisearch.lab.errata import errata as all_errata
    from minisearch.lab.errata import erratum

    if name and (source or kind):
        raise BadInput(f"{name} is one misprint: leave out --source and --kind")
    chosen = [erratum(name)] if name else all_errata(source, kind)
    if as_json:
        print_json([asdict(one) for one in chosen])
        return
    if not chosen:
        of_kind = f" of the kind {kind}" if kind else ""
        raise BadInput(f'no misprint{of_kind} is known in a source like "{source}"')
    last = ""
    for one in chosen:
        if one.source != last:
            click.echo(f"{chr(10) if last else ''}{one.source}")
            last = one.source
        _print_erratum(one)
    if name:
        _print_numbers(chosen[0])
    else:
        talk(f"{len(chosen)} misprints")


def _print_erratum(one: Erratum) -> None:
    from minisearch.lab.errata import KINDS

    click.echo(f"  {one.id}  {one.where}  ({KINDS[one.kind]}{f', {one.graph}' if one.graph else ''})")
    for label, text in (("printed", one.printed), ("right", one.correct), ("because", one.why)):
        click.echo(f"      {label:<8} {text}")


def _print_numbers(one: Erratum) -> None:
    """The doctor's word on it, where it is a table of numbers."""
    from minisearch.lab.doctor import diagnose
    from minisearch.lab.findings import told_in
    from minisearch.lab.presets import web as web_of

    table = one.numbers()
    if table is None:
        return
    web = web_of(table.graph)
    told, jump = told_in(table, web)
    click.echo()
    _print(web, diagnose(web, told, teleport=jump, most=1))


@click.command(short_help="The choices on which PageRanks differ.")
@as_json
def conventions(as_json: bool) -> None:
    """Show the named conventions: who computes PageRank how. `lab rank --convention NAME` does it so."""
    from minisearch.lab.findings import in_word
    from minisearch.lab.views import conventions_view
    from minisearch.rank.conventions import CONVENTIONS

    if as_json:
        print_json(conventions_view())
        return
    rows = []
    for one in CONVENTIONS.values():
        ends = f"{one.rounds} rounds" if one.rounds is not None else f"{one.stop} < {one.tolerance:g}"
        kept = "all" if one.decimals is None else str(one.decimals)
        choices = (f"{one.damping:g}", one.dangling, one.repeated, in_word(one.loops), ends, one.jump, one.start, kept)
        rows.append((one.name, *choices))
    columns = ["name", "damping", "dangling", "repeated", "loops", "until", "jump", "start", "digits"]
    show_table(columns, rows, words=range(len(columns)))
    for one in CONVENTIONS.values():
        talk(f"{one.name}: {one.source}")
    talk(
        "all of them update pages together and leave the ranks as they come; the doctor also tries pages updated in "
        "turn, and ranks scaled to the sum, the largest or the length 1"
    )
