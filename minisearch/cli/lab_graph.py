"""graph: the link graph of a crawl, looked at or written for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options

if TYPE_CHECKING:
    from minisearch.lab.webs import Web


class _Graph(click.Command):
    """`graph rank` is a command of its own; what else is named is the file of a crawl."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Whose arguments these are."""
        if args[:1] != ["rank"]:
            return super().make_context(info_name, args, parent, **extra)
        from minisearch.cli.graph_rank import rank

        return rank.make_context(f"{info_name} rank", args[1:], parent, **extra)


@click.command(cls=_Graph)
@click.argument("file", required=False, metavar="[FILE.db]")
@options.db
@click.option("--export", metavar="OUT", help="Write it: OUT ends with .gexf, .graphml, .json, .csv, .tsv, ...")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only the N pages with the highest PageRank.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def graph(file: str | None, db: str, export: str | None, top: int | None, as_json: bool) -> None:
    """Show the link graph of a crawl in numbers, or write it for Gephi and others.

    In GEXF, GraphML and node-link JSON every page has all its scores: the rankings that the file holds, and PageRank,
    authorities, hubs, links in and out.

    "minisearch graph rank" ranks a web that comes as files; it has a --help of its own.

    \b
      minisearch graph docs.db --export docs.gexf --top 500
      minisearch graph rank vertices.txt.gz edges.txt.gz --out ranks.parquet
    """
    from minisearch.cli.lab_show import crawled, print_json, show_table, talk
    from minisearch.lab.formats import write
    from minisearch.rank.structure import bow_tie

    file = file or db
    web = crawled(file)
    columns = scores_of(file, web)
    shape = bow_tie(web.graph()).sizes()
    if top is not None:
        web, columns = _first(web, columns, top)
    if export is not None:
        form = write(web, export, scores=columns)
        talk(f"{web.n} pages and {web.size:g} links as {form}")
        return
    first = sorted(range(web.n), key=lambda page: -columns["pagerank"][page])[: top or 10]
    if as_json:
        rows = [
            {"url": web.names[page]} | {name: _plain(values[page]) for name, values in columns.items()}
            for page in first
        ]
        print_json({"pages": web.n, "links": web.size, "bow_tie": shape, "top": rows})
        return
    talk(f"{web.n} pages, {web.size:g} links")
    talk("bow tie: " + ", ".join(f"{name} {size}" for name, size in shape.items()))
    names = [name for name in columns if name not in ("in", "out")]
    cells = [
        (web.names[page], *(f"{columns[name][page]:.6f}" for name in names), *_degrees(columns, page)) for page in first
    ]
    show_table(["url", *names, "in", "out"], cells)


def _degrees(columns: dict[str, Any], page: int) -> tuple[str, str]:
    return f"{columns['in'][page]:g}", f"{columns['out'][page]:g}"


def _plain(value: float) -> float | None:
    return float(value) if value == value else None  # NaN: this ranking does not know the page


def scores_of(file: str, web: Web) -> dict[str, Any]:
    """Every score of every page: the rankings that are in the file, and those that are computed here."""
    from minisearch.engine import Engine
    from minisearch.rank.hits import hits
    from minisearch.rank.pagerank import pagerank

    links = web.graph(repeated=False, loops=False)
    columns: dict[str, Any] = {}
    with Engine(file, create=False) as engine, engine.store.reading():
        nodes = engine.store.pages.nodes()
        for name in engine.store.ranks.names():
            known = engine.store.ranks.get(name)
            if known is not None:
                vector = known.vector
                columns[name] = [float(vector[page]) if page < len(vector) else float("nan") for page in nodes]
    columns.setdefault("pagerank", pagerank(links).values)
    found = hits(links)
    columns.setdefault("authorities", found.authorities.values)
    columns.setdefault("hubs", found.hubs.values)
    columns["in"] = links.counts.sum(axis=0)
    columns["out"] = links.counts.sum(axis=1)
    return columns


def _first(web: Web, columns: dict[str, Any], top: int) -> tuple[Web, dict[str, Any]]:
    """The pages with the highest PageRank, and the links among them."""
    from minisearch.lab.webs import Web

    ranks = columns["pagerank"]
    chosen = sorted(range(web.n), key=lambda page: -ranks[page] if ranks[page] == ranks[page] else 0.0)[:top]
    part = web.graph().part(chosen).counts.tocoo()
    sources, targets = (side.astype("int64") for side in part.coords)
    smaller = Web(tuple(web.names[page] for page in chosen), sources, targets, part.data)
    return smaller, {name: [values[page] for page in chosen] for name, values in columns.items()}
