"""graph rank: the ranks of a web that comes as files, without a crawl."""

from __future__ import annotations

import click

from minisearch.cli import options, scaling
from minisearch.cli.shown import counted, plain
from minisearch.errors import BadInput

METHODS = {"pagerank": ["rank"], "trustrank": ["rank"], "hits": ["authority", "hub"]}


@click.command()
@click.argument("vertices", metavar="VERTICES")
@click.argument("edges", nargs=-1, required=True, metavar="EDGES...")
@click.option("--out", required=True, metavar="FILE", help="Write the ranks: .parquet, or lines with tabs as .txt.gz.")
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    default="pagerank",
    show_default=True,
    help="What to rank by. For a topic: trustrank, with the hosts of the topic as --trust.",
)
@click.option("--damping", type=options.FRACTION, default=0.85, show_default=True, help="Chance to follow a link.")
@click.option("--trust", multiple=True, metavar="PATTERN", help="trustrank: a trusted host, or an ending like .edu.")
@click.option(
    "--tolerance", type=options.POSITIVE_OR_ZERO, default=1e-10, show_default=True, help="Stop below this change."
)
@click.option(
    "--max-rounds", type=click.IntRange(1), default=1000, show_default=True, help="Stop after so many rounds."
)
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="Show this many vertices.")
@scaling.cluster
@scaling.blocks
def rank(
    vertices: str,
    edges: tuple[str, ...],
    out: str,
    method: str,
    damping: float,
    trust: tuple[str, ...],
    tolerance: float,
    max_rounds: int,
    top: int,
    cluster: str | None,
    blocks: str | None,
) -> None:
    """Rank a web that comes as files: VERTICES and EDGES as Common Crawl publishes them, or as Parquet.

    The links are cut into blocks on disk, in a folder beside OUT that is removed at the end; they need not fit into
    memory. If it is stopped, run the same command again to continue.

    \b
      minisearch graph rank vertices.txt.gz edges.txt.gz --out ranks.parquet
    """
    from minisearch.cluster import webgraph

    if bool(trust) != (method == "trustrank"):
        raise BadInput("--trust and --method trustrank go together: name trusted hosts, or endings like .edu")
    options.check_applicable(method, {"damping": ["pagerank", "trustrank"]})
    webgraph.check_output(out)
    limits = {"tolerance": tolerance, "max_rounds": max_rounds}
    with scaling.measures(cluster, blocks, f"{out}.blocks") as measures:
        n, size = 0, sum(map(webgraph.estimate_edges, edges))
        trusted: list[int] = []
        for numbers, names in webgraph.vertices(vertices):
            n += len(numbers)
            trusted += webgraph.matching(numbers, names, trust)
        links = (chunk for path in edges for chunk in webgraph.edges(path, n))
        web = measures.graph(n, links, expected=size, origin=webgraph.fingerprint(vertices, *edges))
        click.echo(f"{web.n:,} vertices, {web.links:,} edges in {counted(len(web.blocks), 'block')}", err=True)
        if method == "hits":
            both = measures.hits(web, **limits)
            found = dict(zip(METHODS["hits"], (both.authorities, both.hubs), strict=True))
        else:
            teleport = webgraph.trust_options(n, trusted, trust)
            found = {"rank": measures.pagerank(web, damping=damping, **teleport, **limits)}
        webgraph.write_ranks(out, vertices, {name: scores.values for name, scores in found.items()})
        click.echo(f"{method} {next(iter(found.values())).verdict}; written to {out}", err=True)
        for what, scores in found.items():
            if len(found) > 1:
                click.echo(f"{what}:")
            for place, name, score in webgraph.top(vertices, scores.values, top):
                click.echo(f"{place:>3}. {score:.6g}  {plain(name)}")
