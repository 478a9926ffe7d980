"""graph: show or export the link graph of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from minisearch.cli import options

if TYPE_CHECKING:
    from minisearch.lab.crawls import Crawl


@click.command("show")
@click.argument("file", required=False, metavar="[FILE.db]")
@options.db
@click.option("--export", metavar="OUT", help="Write the graph to OUT (.gexf, .graphml, .json, .csv, .tsv, ...).")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only the N pages with the highest PageRank.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(file: str | None, db: str, export: str | None, top: int | None, as_json: bool) -> None:
    """Show the link graph of a crawl, or export it.

    The export can be opened in Gephi and similar tools. GEXF, GraphML and node-link JSON (.json) include the scores
    of every page: the rankings in the file, PageRank, authorities, hubs, and the numbers of links in and out. Other
    formats have the links only.

    \b
      minisearch graph docs.db --export docs.gexf --top 500
    """
    from minisearch.cli.lab_show import print_json, show_table, size_of, talk
    from minisearch.lab.formats import WITH_SCORES, form_to_write, write
    from minisearch.rank.structure import bow_tie

    crawl = crawled(file or db)
    shape = bow_tie(crawl.web.graph()).sizes()
    chosen = range(crawl.web.n) if top is None else crawl.first(top)
    web, columns = crawl.web if top is None else crawl.part(chosen), crawl.scores(chosen)
    if export is not None:
        form = write(web, export, scores=columns if form_to_write(export) in WITH_SCORES else None)
        talk(f"{size_of(web)} as {form}")
        return
    first = crawl.first(10) if top is None else range(web.n)
    if as_json:
        rows = [
            {"url": web.names[page]} | {name: _plain(values[page]) for name, values in columns.items()}
            for page in first
        ]
        print_json({"pages": web.n, "links": web.size, "bow_tie": shape, "top": rows})
        return
    talk(size_of(web))
    talk("bow tie: " + ", ".join(f"{name} {size}" for name, size in shape.items()))
    names = [name for name in columns if name not in ("in", "out")]
    cells = [
        (web.names[page], *(f"{columns[name][page]:.6f}" for name in names), *_degrees(columns, page)) for page in first
    ]
    show_table(["url", *names, "in", "out"], cells)


def _degrees(columns: dict[str, list[float]], page: int) -> tuple[str, str]:
    return f"{columns['in'][page]:g}", f"{columns['out'][page]:g}"


def _plain(value: float) -> float | None:
    return float(value) if value == value else None  # NaN: this ranking does not know the page


def crawled(file: str) -> Crawl:
    """The link graph of a crawl with every score of every page."""
    from minisearch.engine import Engine
    from minisearch.lab.crawls import crawl_of

    with Engine(file, create=False) as engine:
        return crawl_of(*engine.link_graph())
