"""recrawl: the command that visits again what is in the file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.build import interruptible, show_progress, talk
from minisearch.cli.shown import counted, say

if TYPE_CHECKING:
    from minisearch.crawl.recrawl import RecrawlSummary

SHRUNK = 4  # exit code: more than a third of the pages of a site would leave the results, and none was dropped
SHOWN = 20  # pages that are gone, and sites that would shrink, that are listed


@click.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@options.db
@click.option("--budget", type=click.IntRange(1), metavar="N", help="Ask for N pages only, the most important first.")
@click.option(
    "--max-requests",
    type=click.IntRange(1),
    metavar="N",
    help="Send at most this many requests, with redirects, retries, robots.txt and sitemaps.  "
    "[default: 3 x pages + 100]",
)
@click.option(
    "--accept-shrink", is_flag=True, help="Drop pages that are gone even if they are more than a third of a site."
)
@click.option(
    "--delay",
    type=options.POSITIVE_OR_ZERO,
    metavar="S",
    help="Seconds between requests to one host. [default: 1; none on this machine]",
)
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes that fetch. [default: one per core]")
@click.option("--user-agent", metavar="TEXT", help="User-Agent header of the requests.")
@options.header
def recrawl(urls: tuple[str, ...], db: str, header: dict[str, str], **settings: Any) -> None:
    """Visit the pages in the file again: what has changed is indexed again, what is gone leaves the results.

    Servers are asked only for what has changed. URL... are the starts of one crawl; without them, all are run again.
    """
    visit(urls, db, headers=header, **{name: value for name, value in settings.items() if value is not None})


def visit(urls: tuple[str, ...], db: str, **settings: Any) -> None:
    """Visit again, index, rank, and print a summary."""
    from minisearch.crawl.recrawl import run
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine, interruptible() as stop:
        crawls = engine.recrawling(*urls, stop=stop, **settings)
        summary = run(crawls, watch=lambda crawl: show_progress(crawl, crawl.planned))
        if summary.altered or engine.pending():
            talk("indexing and ranking ...")
            engine.index(compact=True)
            engine.rank()
        requested = [engine.why(url) for url in settings.get("only", ())]
    _print_summary(summary, db)
    gone = dict(summary.gone)  # which is printed already
    for verdict in requested:
        if verdict.state in ("failed", "skipped") and verdict.url not in gone:
            say(f"  no page: {verdict.url} ({verdict.reason})")
    if summary.interrupted:
        sys.exit(130)
    if summary.shrunk:
        sys.exit(SHRUNK)


def _print_summary(summary: RecrawlSummary, db: str) -> None:
    if summary.not_visited:
        click.echo(
            f"request limit reached: {counted(summary.not_visited, 'URL')} not visited, left to the next recrawl"
        )
    kept = "kept as they were" if summary.refused else "out of reach and kept"
    click.echo(
        f"visited {summary.visited} of {summary.pages} pages: {summary.unchanged} unchanged, "
        f"{summary.changed} changed, {len(summary.gone)} gone, {summary.kept} {kept}; {summary.new} new"
    )
    for url, reason in summary.gone[:SHOWN]:
        say(f"  gone: {url} ({reason})")
    if len(summary.gone) > SHOWN:
        click.echo(f"  and {len(summary.gone) - SHOWN} more")
    if summary.refused:
        sites = ", ".join(summary.refused[:SHOWN]) + ", ..." * (len(summary.refused) > SHOWN)
        would_leave = "would leave the results, so they all stay as they were: --accept-shrink drops them"
        talk(f"more than a third of the pages of {sites} {would_leave}")
    click.echo(f"{summary.seconds:.1f} s, in {db}")
