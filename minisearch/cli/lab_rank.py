"""lab rank and lab surf: the commands that compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.lab_outcome import draw as draw_into
from minisearch.cli.lab_outcome import print_ranks, print_rounds
from minisearch.cli.lab_show import (
    Opened,
    as_json,
    decimals,
    digits,
    graph_argument,
    open_graph,
    plot,
    print_json,
    show_table,
    talk,
)
from minisearch.cli.shown import say
from minisearch.errors import BadInput
from minisearch.lab.heard import HEARD_BY, METHODS

if TYPE_CHECKING:
    from minisearch.lab.webs import Web

POLICIES = ["uniform", "teleport", "leak", "remove", "two-pass"]
MOST_ANSWERS = 1000  # to a query, whose scores tell how well pages fit the topic

_damping = click.option("--damping", metavar="D", help="Chance to follow a link, as 0.85 or 17/20.  [default: 0.85]")


@click.command(short_help="Rank the pages of a graph.")
@graph_argument
@click.option("--method", type=click.Choice(METHODS), default="pagerank", show_default=True, help="How to rank.")
@_damping
@click.option("--dangling", type=click.Choice(POLICIES), help="What becomes of readers on pages without links.")
@click.option("--rounds", type=int, metavar="N", help="Exactly so many rounds.  [default: until it settles]")
@click.option("--tolerance", type=options.FLOAT, metavar="X", help="Settled if a round changes less.  [default: 1e-10]")
@click.option("--max-rounds", type=int, default=1000, show_default=True, help="Give up after so many rounds.")
@click.option("--teleport", metavar="WEIGHTS", help="Where jumps lead: A=0.5,E=0.5 or A,E.  [default: anywhere]")
@click.option("--start", metavar="WEIGHTS", help="The first vector, or the first page of a surfer.")
@click.option("--convention", metavar="NAME", help="As somebody else does it: brin-page, networkx, cs101, thesis, ...")
@click.option("--decimals", type=int, metavar="N", help="Keep the share of a link to N decimals.")
@click.option("--rescale", is_flag=True, help="Make the ranks sum to 1 when they do not.")
@click.option("--apart", is_flag=True, help="Rank separate components by themselves, then put them together.")
@click.option("--exact", is_flag=True, help="In exact fractions.")
@click.option(
    "--trust", "trusted", multiple=True, metavar="PAGE", help="trustrank: a page, a pattern or .edu; repeatable."
)
@click.option(
    "--topic", "topics", multiple=True, metavar="[NAME=]PAGES", help="topic: its pages, as A,E; repeatable with names."
)
@click.option("--prefer", "preference", metavar="WEIGHTS", help="topic: how much a reader cares, as news=2,sport=1.")
@click.option("--order", type=click.Choice(["authority", "hub"]), default="authority", help="hits: who comes first.")
@click.option("--weighted", is_flag=True, help="hits: count repeated links and weights.")
@click.option("--by-host", is_flag=True, help="hits: k pages of one host that link to a page count 1/k each.")
@click.option("--fits", metavar="WEIGHTS", help="hits: how well each page fits the topic, as A=1,B=0.5.")
@click.option("--query", metavar="WORDS", help="hits on a crawl: only pages around the answers to this query.")
@click.option("--plain", is_flag=True, help="--query: as Kleinberg did, menus and all, without weights.")
@click.option("--steps", type=int, default=100_000, show_default=True, help="surfer: moves.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="surfer: for another walk.")
@click.option("--trace", is_flag=True, help="Show every round.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Show so many pages.")
@click.option(
    "--picture", type=click.Choice(["convergence", "ranks"]), default="convergence", help="What --plot draws."
)
@plot
@digits("6; 16 with --trace")
@as_json
def rank(
    graph: str,
    changes: tuple[str, ...],
    no_loops: bool,
    once: bool,
    form: str | None,
    query: str | None,
    plain: bool,
    top: int,
    picture: str,
    plot: str | None,
    digits: int | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Rank the pages of GRAPH.

    \b
      minisearch lab rank one-dead-end --trace --rounds 9
      minisearch lab rank one-dead-end --method solve --exact
      minisearch lab rank two-dead-ends --dangling remove --damping 1
      minisearch lab rank five-pages --method topic --topic A,E --damping 0.8
      minisearch lab rank crawl:docs.db --method hits --query "regular expression"
    """
    from minisearch.lab.experiment import as_its_source, perform
    from minisearch.lab.outcomes import as_dict
    from minisearch.lab.written import experiment

    options.check_heard(settings["method"], HEARD_BY)
    _check_stop(settings)
    if plain and query is None:
        raise BadInput("--plain goes with --query: it says how the pages around the answers are weighed")
    if plot is None and options.is_typed("picture"):
        raise BadInput("--picture goes with --plot FILE: it says what is drawn")
    opened = open_graph(graph, form=form, changes=changes, once=once, no_loops=no_loops)
    web = opened.web if query is None else _around(opened, query, plain=plain)
    if query is not None and settings["method"] == "hits":
        settings["weighted"] = not plain
    traced = settings["trace"]
    what = experiment(web, settings | {"trace": traced or plot is not None})
    if digits is None and not (changes or once or no_loops):
        what = as_its_source(graph, web, what)
    outcome = perform(web, what)
    if plot is not None:
        draw_into(web, outcome, graph, plot, picture)
    if as_json:
        print_json({"graph": graph, "method": what.method} | as_dict(web, outcome, traced=traced))
    else:
        shown = decimals(digits, web.n, trace=traced and what.method != "surfer")
        if traced:
            print_rounds(web, outcome, shown, exact=settings["exact"])
        print_ranks(web, outcome, shown, top, exact=settings["exact"])
        for note in (outcome.verdict, *outcome.notes):
            talk(note)


def _check_stop(settings: Mapping[str, Any]) -> None:
    """When to stop is said once: a limit that nothing would ask for is a mistake."""
    if options.is_typed("max_rounds"):
        if settings["rounds"] is not None:
            raise BadInput("--rounds says exactly how many rounds there are: leave out --max-rounds")
        if settings["convention"] is not None:
            raise BadInput("a convention knows when to stop: leave out --max-rounds, or say --rounds N")
    for name in ("tolerance", "max_rounds"):  # beside trust stands PageRank, which settles
        if settings["exact"] and settings["method"] != "trustrank" and options.is_typed(name):
            raise BadInput(f"exact fractions do not settle by and by: leave out --{name.replace('_', '-')}")


def _around(opened: Opened, query: str, *, plain: bool) -> Web:
    """The pages of a crawl around the answers to a query."""
    from minisearch.engine import Engine
    from minisearch.lab.topics import around

    if not opened.file:
        raise BadInput("--query searches a crawl: name the graph as crawl:FILE.db")
    with Engine(opened.file, create=False) as engine:
        hits = engine.search(query, limit=MOST_ANSWERS, snippets=False).hits
    if not hits:
        raise BadInput(f'no page answers "{query}", so there is nothing to start from')
    web = around(opened.web, {hit.url: hit.score for hit in hits}, plain=plain)
    talk(f"{len(hits)} pages answer the query; the best of them and their neighbours are {web.n}")
    return web


@click.command(short_help="Let a random surfer walk.")
@graph_argument
@click.option("--steps", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, help="Moves.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The same seed, the same walk.")
@_damping
@click.option(
    "--dangling", type=click.Choice(["uniform", "teleport"]), help="Where readers go from pages without links."
)
@click.option("--teleport", metavar="WEIGHTS", help="Where jumps lead: A=0.5,E=0.5 or A,E.  [default: anywhere]")
@click.option("--start", metavar="PAGE", help="The first page.  [default: a jump decides]")
@click.option(
    "--draw", type=options.FLOAT, metavar="R", help="Show where a draw from 0 to 1 leads from the first page."
)
@click.option("--path", "show_path", is_flag=True, help="Show the pages in the order of the walk.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Show so many pages.")
@plot
@digits("6")
@as_json
def surf(
    graph: str,
    steps: int,
    seed: int,
    damping: str | None,
    dangling: str | None,
    teleport: str | None,
    start: str | None,
    draw: float | None,
    show_path: bool,
    top: int,
    plot: str | None,
    digits: int | None,
    as_json: bool,
    **opening: Any,
) -> None:
    """Let a random surfer walk through GRAPH, and count the visits.

    The error is one standard error, from how much parts of the walk differ. The start is no visit.
    """
    from minisearch.lab.experiment import Experiment, perform
    from minisearch.lab.outcomes import as_dict
    from minisearch.lab.written import weights_of

    web = open_graph(graph, **opening).web
    jump = None if teleport is None else weights_of(teleport, web, "teleport")
    if draw is not None:
        how = {"damping": damping or "0.85", "dangling": dangling or "uniform", "teleport": jump}
        _show_draw(web, start, draw, how, as_json=as_json)
        return
    what = Experiment(
        "surfer",
        damping=damping,
        dangling=dangling,
        teleport=jump,
        start=None if start is None else web.vector({start: 1.0}),
        steps=steps,
        seed=seed,
    )
    outcome = perform(web, what)
    if outcome.surf is None:
        raise AssertionError("a surfer has a walk")
    if plot is not None:
        draw_into(web, outcome, graph, plot)
    way = [web.names[page] for page in outcome.surf.path.tolist()] if show_path else []
    distances = outcome.surf.distances(outcome.columns["exact"])
    if as_json:
        first = {"graph": graph, "start": web.names[outcome.surf.start], "moves": steps, "seed": seed}
        far = [{"moves": moves, "distance": distance} for moves, distance in distances]
        print_json(first | as_dict(web, outcome) | {"distances": far} | ({"path": way} if way else {}))
        return
    if show_path:
        say(" ".join([web.names[outcome.surf.start], *way]), "")
    print_ranks(web, outcome, decimals(digits, web.n), top)
    talk("distance from the exact vector: " + ", ".join(f"{far:.4f} after {moves:,}" for moves, far in distances[::4]))
    for note in (outcome.verdict, *outcome.notes):
        talk(note)


def _show_draw(web: Web, start: str | None, drawn: float, how: dict[str, Any], *, as_json: bool) -> None:
    """How a number decides about one move."""
    from minisearch.lab.views import draw_view

    for name, option in (("steps", "--steps"), ("seed", "--seed"), ("show_path", "--path"), ("plot", "--plot")):
        if options.is_typed(name):
            raise BadInput(f"--draw shows one move and makes none: leave out {option}")
    found = draw_view(web, start or web.names[0], drawn, **how)
    if as_json:
        print_json(found)
        return
    show_table(["page", "chance", "up to"], [(p, f"{c:.6f}", f"{u:.6f}") for p, c, u in found["points"]])
    talk(f"{drawn:g} leads from {found['from']} to {found['to']}: the first page whose running sum is greater")
