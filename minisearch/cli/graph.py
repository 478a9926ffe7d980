"""graph: show and export the link graph of a crawl, rank a graph from files, replay a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.main import LazyGroup
from minisearch.cli.options import Integer, option
from minisearch.cli.output import print_found, print_table, sanitize, talk
from minisearch.errors import BadInput
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.crawl.replay import Replay

ORDERS = ("breadth", "newest", "best")
SHARES = (0.5, 0.8, 0.9)
METHODS = ("pagerank", "trustrank", "hits")


@click.group(cls=LazyGroup, modules=dict.fromkeys(("show", "rank", "replay"), "graph"), default="show")
def graph() -> None:
    """Show, export and rank link graphs. Without a command, show.

    \b
      minisearch graph docs.db --export docs.gexf --top 500
      minisearch graph rank vertices.txt.gz edges.txt.gz --out ranks.parquet
      minisearch graph replay docs.db
    """


@options.command()
@click.argument("file", required=False, metavar="[FILE.db]")
@options.db
@option("--export", metavar="OUT", help="Write the graph to OUT (.gexf, .graphml, .json, .csv, .tsv, ...).")
@option("--top", type=Integer(1), help="Only the N pages with the highest PageRank.")
@options.json_format
def show(file: str | None, db: str, export: str | None, top: int | None, as_json: bool) -> None:
    """Show the link graph of a crawl, or export it.

    The export can be opened in Gephi and similar tools. GEXF, GraphML and node-link JSON (.json) include the scores
    of every page: the rankings in the file, PageRank, authorities, hubs, and the numbers of links in and out. Other
    formats have the links only.

    \b
      minisearch graph docs.db --export docs.gexf --top 500
    """
    from minisearch.cli.lab_show import size_of
    from minisearch.lab.crawls import crawl_of
    from minisearch.lab.formats import WITH_SCORES, form_to_write, write
    from minisearch.rank.structure import bow_tie

    with options.open_index(file or db) as engine:
        crawl = crawl_of(*engine.link_graph())
    chosen = range(crawl.web.n) if top is None else crawl.first(top)
    web, columns = crawl.web if top is None else crawl.part(chosen), crawl.scores(chosen)
    if export is not None:
        form = write(web, export, scores=columns if form_to_write(export) in WITH_SCORES else None)
        talk(f"{size_of(web)} as {form}")
        return
    shape = bow_tie(crawl.web.graph()).sizes()
    first = crawl.first(10) if top is None else range(web.n)
    rows = [
        {"url": web.names[page]} | {name: _number(values[page]) for name, values in columns.items()} for page in first
    ]
    talk("" if as_json else size_of(web))
    print_found({"pages": web.n, "links": web.size, "bow_tie": shape, "top": rows}, as_json, _print_graph)


def _print_graph(found: dict[str, Any]) -> None:
    talk("bow tie: " + ", ".join(f"{name} {size:,}" for name, size in found["bow_tie"].items()))
    formats = {"url": "", "in": ",.0f", "out": ",.0f"}
    cells = [
        ["" if value is None else f"{value:{formats.get(name, '.6f')}}" for name, value in row.items()]
        for row in found["top"]
    ]
    print_table(list(found["top"][0]) if cells else [], cells, words=(0,))


def _number(value: float) -> float | None:
    return float(value) if value == value else None  # NaN: this ranking does not know the page


@options.command()
@click.argument("vertices", metavar="VERTICES")
@click.argument("edges", nargs=-1, required=True, metavar="EDGES...")
@option("--out", required=True, metavar="FILE", help="File for the ranks: .parquet, or tab-separated .txt.gz.")
@option(
    "--method",
    type=click.Choice(METHODS),
    default="pagerank",
    show_default=True,
    help="Algorithm. For a topic: trustrank with the hosts of the topic as --trust.",
)
@options.damping
@option(
    "--trust", multiple=True, metavar="PATTERN", help="trustrank: a trusted host or a domain like .edu; repeatable."
)
@options.tolerance
@options.max_iterations
@option("--top", type=Integer(0), default=10, show_default=True, help="Number of vertices to show.")
@options.cluster
@options.blocks
def rank(
    vertices: str,
    edges: tuple[str, ...],
    out: str,
    method: str,
    damping: float,
    trust: tuple[str, ...],
    top: int,
    cluster: str | None,
    blocks: str | None,
    **limits: float,
) -> None:
    """Rank a graph from files.

    Files are in the format of Common Crawl or Parquet. The links are divided into blocks on disk, in a folder beside
    OUT that is removed at the end, so they need not fit into memory. Run the same command again to resume after an
    interruption.

    \b
      minisearch graph rank vertices.txt.gz edges.txt.gz --out ranks.parquet
    """
    from minisearch.cluster import webgraph

    if method == "trustrank" and not trust:
        raise BadInput("--method trustrank needs --trust, a host or a domain like .edu")
    options.check_applicable(method, {"damping": ["pagerank", "trustrank"], "trust": ["trustrank"]})
    webgraph.check_output(out)
    with options.measures(cluster, blocks, f"{out}.blocks") as measures:
        n, size = 0, sum(map(webgraph.estimate_edges, edges))
        trusted: list[int] = []
        for numbers, names in webgraph.vertices(vertices):
            n += len(numbers)
            trusted += webgraph.matching(numbers, names, trust)
        links = (chunk for path in edges for chunk in webgraph.edges(path, n))
        web = measures.graph(n, links, expected=size, origin=webgraph.fingerprint(vertices, *edges))
        vertices_and_edges = f"{counted(web.n, 'vertex', 'vertices')}, {counted(web.links, 'edge')}"
        talk(f"{vertices_and_edges} in {counted(len(web.blocks), 'block')}")
        if method == "hits":
            both = measures.hits(web, **limits)
            found = {"authority": both.authorities, "hub": both.hubs}
        else:
            teleport = webgraph.trust_options(n, trusted, trust)
            found = {"rank": measures.pagerank(web, damping=damping, **teleport, **limits)}
        webgraph.write_ranks(out, vertices, {name: scores.values for name, scores in found.items()})
        talk(f"{method} {next(iter(found.values())).verdict}; written to {out}")
        for what, scores in found.items():
            if len(found) > 1:
                click.echo(f"{what}:")
            for place, name, score in webgraph.top(vertices, scores.values, top):
                click.echo(f"{place:>3}. {score:.6g}  {sanitize(name)}")


@options.command()
@click.argument("file", metavar="FILE")
@option(
    "--order",
    "orders",
    type=click.Choice(ORDERS),
    multiple=True,
    help="Breadth-first, newest-first or most-linked-first; repeatable.  [default: all]",
)
@option("--plot", "plot", former=["--svg"], metavar="PICTURE", help="Draw the curves into this file (.svg or .png).")
@options.json_format
def replay(file: str, orders: tuple[str, ...], plot: str | None, as_json: bool) -> None:
    """Compare crawl orders on the crawl in FILE, without the network.

    For each order, the table shows how much of all PageRank the first n pages have. "ideal" is the order of a crawler
    that knows the ranks in advance.
    """

    with options.open_index(file) as engine:
        replays = engine.replay(*(orders or ORDERS))
    if plot:
        from minisearch.lab.plots import Chart, Series, save

        lines = [Series(each.order, *each.curve()) for each in replays]
        save(Chart("How soon important pages are found", "pages fetched", "share of PageRank", lines), plot)
        talk(f"drawn: {plot}")
    found = {
        each.order: {
            "pages": len(each.urls),
            "mean": each.mean,
            "pages_for": {share: each.pages_for(share) for share in SHARES},
            "mass": each.mass.tolist(),
        }
        for each in replays
    }
    print_found(found, as_json, lambda _found: _print_replays(replays))


def _print_replays(replays: list[Replay]) -> None:
    from minisearch.crawl.replay import table

    talk("share of all PageRank after fetching this many pages")
    rows = [(f"{count:,}", *(f"{share:.1%}" for share in shares)) for count, shares in table(replays)]
    rows.append(("mean", *(f"{each.mean:.1%}" for each in replays)))
    for share in SHARES:
        counts = (each.pages_for(share) for each in replays)
        rows.append((f"{share:.0%} at", *(f"{pages:,}" if pages else "-" for pages in counts)))
    print_table(["pages", *(each.order for each in replays)], rows, words=())
    if unreachable := len(replays[-1].urls) - min(len(each.urls) for each in replays):
        talk(f"{counted(unreachable, 'page is', 'pages are')} not reachable by recorded links")
