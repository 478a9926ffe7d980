"""lab rank and lab surf: rank a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.lab_show import (
    Opened,
    as_json,
    decimals,
    digits,
    echo,
    graph_argument,
    open_graph,
    plot,
    print_json,
    show_table,
    talk,
)
from minisearch.cli.options import Integer
from minisearch.errors import BadInput
from minisearch.lab.options import APPLICABLE, METHODS
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.lab.experiment import Outcome
    from minisearch.lab.webs import Web

POLICIES = ["uniform", "teleport", "leak", "remove", "two-pass"]
MOST_COLUMNS = 40  # pages in a table of iterations
PRINTED = 16  # decimals of iterations that a source prints to the last digit
MOST_HITS = 1000  # of a query, whose scores are the topic scores of pages

_damping = click.option(
    "--damping", metavar="D", help="Probability of following a link, such as 0.85 or 17/20.  [default: 0.85]"
)
_teleport = click.option(
    "--teleport", metavar="WEIGHTS", help="Pages to teleport to, such as A,E or A=0.5,E=0.5.  [default: all pages]"
)
_top = click.option(
    "--top", type=Integer(1), default=20, show_default=True, metavar="N", help="Number of pages to show."
)


@click.command(cls=options.GroupedCommand, short_help="Rank the pages of a graph.")
@graph_argument
@options.option_group(
    "Algorithm",
    click.option("--method", type=click.Choice(METHODS), default="pagerank", show_default=True, help="How to rank."),
    _damping,
    click.option("--dangling", type=click.Choice(POLICIES), help="Where the rank of dangling pages goes."),
    _teleport,
    click.option("--start", metavar="WEIGHTS", help="Start vector, or the first page of a surfer."),
    click.option(
        "--convention", metavar="NAME", help="Follow a published convention: brin-page, networkx, cs101, thesis, ..."
    ),
    click.option("--decimals", type=int, metavar="N", help="Round the probability of each link to N decimals."),
    click.option("--rescale", is_flag=True, help="Scale the ranks to sum to 1."),
    click.option("--apart", is_flag=True, help="Rank each connected component alone, then combine them."),
    click.option("--exact", is_flag=True, help="Compute exact fractions."),
)
@options.option_group(
    "Convergence",
    options.option(
        "--iterations",
        "rounds",
        former=["--rounds"],
        type=int,
        metavar="N",
        help="Number of iterations.  [default: until it converges]",
    ),
    click.option(
        "--tolerance",
        type=options.POSITIVE_OR_ZERO,
        help="Stop when the residual is below X.  [default: 1e-10]",
    ),
    options.option(
        "--max-iterations",
        "max_rounds",
        former=["--max-rounds"],
        type=int,
        default=1000,
        show_default=True,
        metavar="N",
        help="Maximum number of iterations.",
    ),
)
@options.option_group(
    "TrustRank and topics",
    click.option(
        "--trust", "trusted", multiple=True, metavar="PAGE", help="trustrank: a page, a pattern or .edu; repeatable."
    ),
    click.option(
        "--topic", "topics", multiple=True, metavar="[NAME=]PAGES", help="topic: its pages, such as A,E; repeatable."
    ),
    click.option(
        "--prefer", "preference", metavar="WEIGHTS", help="topic: weight of each topic, such as news=2,sport=1."
    ),
)
@options.option_group(
    "HITS",
    click.option(
        "--order", type=click.Choice(["authority", "hub"]), default="authority", help="Scores to update first."
    ),
    click.option("--weighted", is_flag=True, help="Count repeated links and weights."),
    click.option(
        "--by-host", is_flag=True, help="Weight each host as one: k pages that link to a page count 1/k each."
    ),
    click.option("--fits", metavar="WEIGHTS", help="Relevance of each page to the topic, such as A=1,B=0.5."),
    click.option("--query", metavar="WORDS", help="On a crawl: rank only the base set of this query."),
    click.option("--plain", is_flag=True, help="With --query: Kleinberg's base set, with navigation, without weights."),
)
@options.option_group(
    "Random surfer",
    click.option("--steps", type=int, default=100_000, show_default=True, metavar="N", help="Number of moves."),
    click.option("--seed", type=Integer(0), default=0, show_default=True, metavar="N", help="Random seed."),
)
@options.option_group(
    "Output",
    click.option("--trace", is_flag=True, help="Show every iteration."),
    _top,
    click.option(
        "--picture", type=click.Choice(["convergence", "ranks"]), default="convergence", help="What --plot shows."
    ),
    plot,
    digits("6; 16 with --trace"),
    as_json,
)
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
      minisearch lab rank one-dead-end --trace --iterations 9
      minisearch lab rank one-dead-end --method solve --exact
      minisearch lab rank two-dead-ends --dangling remove --damping 1
      minisearch lab rank five-pages --method topic --topic A,E --damping 0.8
      minisearch lab rank crawl:docs.db --method hits --query "regular expression"
    """
    from minisearch.lab.experiment import as_its_source, perform
    from minisearch.lab.options import experiment
    from minisearch.lab.results import as_dict

    options.check_applicable(settings["method"], APPLICABLE)
    _check_stop(settings)
    if plain and query is None:
        raise BadInput("--plain needs --query")
    if plot is None and options.is_typed("picture"):
        raise BadInput("--picture needs --plot FILE")
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
    """Refuse limits that would have no effect."""
    if options.is_typed("max_rounds"):
        if settings["rounds"] is not None:
            raise BadInput("--iterations cannot be combined with --max-iterations")
        if settings["convention"] is not None:
            raise BadInput("--convention cannot be combined with --max-iterations; set --iterations N instead")
    for name, option in (("tolerance", "--tolerance"), ("max_rounds", "--max-iterations")):
        if settings["exact"] and settings["method"] != "trustrank" and options.is_typed(name):  # which iterates, too
            raise BadInput(f"--exact cannot be combined with {option}")


def _around(opened: Opened, query: str, *, plain: bool) -> Web:
    """The base set of a query in a crawl."""
    from minisearch.lab.topics import around

    if not opened.file:
        raise BadInput("--query needs a crawl: give the graph as crawl:FILE.db")
    with options.open_index(opened.file) as engine:
        hits = engine.search(query, limit=MOST_HITS, snippets=False).hits
    if not hits:
        raise BadInput(f'no page matches "{query}"')
    web = around(opened.web, {hit.url: hit.score for hit in hits}, plain=plain)
    talk(f"pages that match the query: {len(hits)}; pages in the base set: {web.n}")
    return web


@click.command(short_help="Simulate a random surfer.")
@graph_argument
@click.option("--steps", type=Integer(1, 100_000_000), default=1000, show_default=True, help="Number of moves.")
@click.option("--seed", type=Integer(0), default=0, show_default=True, help="Random seed.")
@_damping
@click.option(
    "--dangling", type=click.Choice(["uniform", "teleport"]), help="Where the surfer goes from dangling pages."
)
@_teleport
@click.option("--start", metavar="PAGE", help="First page.  [default: random]")
@click.option(
    "--draw",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="R",
    help="Show which page the random number R chooses from the first page.",
)
@click.option("--path", "show_path", is_flag=True, help="Show the pages in visiting order.")
@_top
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
    """Simulate a random surfer on GRAPH and count the visits.

    The error is one standard error, estimated from parts of the walk. The first page does not count as a visit.
    """
    from minisearch.lab.experiment import Experiment, perform
    from minisearch.lab.options import weights_of
    from minisearch.lab.results import as_dict

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
        raise AssertionError("a surfer has a path")
    if plot is not None:
        draw_into(web, outcome, graph, plot)
    way = [web.names[page] for page in outcome.surf.path.tolist()] if show_path else []
    distances = outcome.surf.distances(outcome.columns["exact"])
    if as_json:
        first = {"graph": graph, "start": web.names[outcome.surf.start], "moves": steps, "seed": seed}
        history = [{"moves": moves, "distance": distance} for moves, distance in distances]
        print_json(first | as_dict(web, outcome) | {"distances": history} | ({"path": way} if way else {}))
        return
    if show_path:
        echo(" ".join([web.names[outcome.surf.start], *way]), "")
    print_ranks(web, outcome, decimals(digits, web.n), top)
    moments, far = zip(*((f"{moves:,}", f"{distance:.4f}") for moves, distance in distances[::4]), strict=True)
    talk(f"distance from the exact ranks after {', '.join(moments)} moves: {', '.join(far)}")
    for note in (outcome.verdict, *outcome.notes):
        talk(note)


def _show_draw(web: Web, start: str | None, drawn: float, how: dict[str, Any], *, as_json: bool) -> None:
    """Show how a random number chooses the next page."""
    from minisearch.lab.views import draw_view

    for name, option in (("steps", "--steps"), ("seed", "--seed"), ("show_path", "--path"), ("plot", "--plot")):
        if options.is_typed(name):
            raise BadInput(f"--draw cannot be combined with {option}")
    found = draw_view(web, start or web.names[0], drawn, **how)
    if as_json:
        print_json(found)
        return
    show_table(["page", "probability", "up to"], [(p, f"{c:.6f}", f"{u:.6f}") for p, c, u in found["points"]])
    talk(f"{drawn:g} leads from {found['from']} to {found['to']}, the first page with a larger cumulative probability")


# -- results ---------------------------------------------------------------------------------


def draw_into(web: Web, outcome: Outcome, graph: str, plot: str, kind: str = "convergence") -> None:
    """Save the plot of an outcome to a file."""
    from minisearch.lab.plots import save
    from minisearch.lab.results import picture

    save(picture(web, outcome, graph, kind), plot)


def print_rounds(web: Web, outcome: Outcome, shown: int, *, exact: bool = False) -> None:
    """Print a table of every iteration."""
    names = outcome.trace.names if outcome.trace is not None else web.names
    if len(names) > MOST_COLUMNS:
        raise BadInput(f"a table of {len(names)} columns is too wide: --json prints all iterations")
    rows: list[tuple[str, Any]]
    if outcome.trace is not None:
        kept = outcome.trace.fractions or (outcome.trace.printed if shown == PRINTED else ()) or outcome.trace.rows
        numbers = outcome.trace.moments or range(len(kept))
        rows = [(str(number), row) for number, row in zip(numbers, kept, strict=True)]
    elif outcome.steps:
        rows = [(name, scaled) for name, _, scaled in outcome.exact_steps or outcome.steps]
    else:
        raise BadInput("this method has no iterations to show")
    first = "moves" if outcome.surf is not None else "iteration"
    show_table([first, *names], [[name, *(_cell(value, shown, exact) for value in row)] for name, row in rows])
    click.echo()


def _cell(value: Any, shown: int, exact: bool = False) -> str:
    from minisearch.lab.exact import in_decimals

    return str(value) if exact or isinstance(value, str) else in_decimals(value, shown)


def print_ranks(web: Web, outcome: Outcome, shown: int, top: int, *, exact: bool = False) -> None:
    """Print the pages by descending score; hubs and authorities of a large graph in two tables."""
    columns: dict[str, Any] = dict(outcome.columns)
    if len(columns) == 2 and "hub" in columns and web.n > top:
        for name, values in columns.items():
            _print_by(web, values, {name: values}, shown, top)
            click.echo()
    else:
        if outcome.fractions:
            columns[next(iter(columns))] = outcome.fractions
        elif outcome.trace is not None and outcome.trace.printed and shown == PRINTED:
            columns[next(iter(columns))] = outcome.trace.printed[-1]
        _print_by(web, outcome.main, columns, shown, top, outcome.fractions if exact else ())
    if web.n > top:
        talk(f"{top:,} of {counted(web.n, 'page')}; --top {web.n} shows all")


def _print_by(web: Web, order: Any, columns: dict[str, Any], shown: int, top: int, exact: Any = ()) -> None:
    from minisearch.lab.results import order_of

    rows = []
    for page, place in order_of(order)[:top]:
        cells = [_cell(values[page], shown) for values in columns.values()]
        rows.append((str(place), web.names[page], *cells, *([str(exact[page])] if exact else [])))
    show_table(["rank", "page", *columns, *(["exact"] if exact else [])], rows, words=(0, 1))
