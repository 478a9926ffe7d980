"""crawl, index, rank: the commands that make the file."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options

if TYPE_CHECKING:
    from minisearch.records import CrawlSummary

STOPPED = "interrupted; the same command goes on"


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@options.db
@click.option("--max-pages", type=click.IntRange(1), default=1000, show_default=True, help="Fetch at most this many.")
@click.option("--max-depth", type=click.IntRange(0), default=20, show_default=True, help="Links away from the start.")
@click.option(
    "--scope",
    type=click.Choice(["path", "host", "domain", "any"]),
    default="path",
    show_default=True,
    help="How far to go: below the start's folder, its host, its host with subdomains, anywhere.",
)
@click.option("--include", multiple=True, metavar="GLOB", help="Only urls that match; may be repeated.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No urls that match; may be repeated.")
@click.option(
    "--order",
    type=click.Choice(["breadth", "newest", "best"]),
    default="breadth",
    show_default=True,
    help="Nearest first, newest first, or most linked first.",
)
@click.option(
    "--delay",
    type=click.FloatRange(0),
    metavar="S",
    help="Seconds between requests to one host. [default: 1; none on this machine]",
)
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes that fetch. [default: one a core]")
@click.option("--user-agent", metavar="TEXT", help="How to introduce ourselves.")
@click.option(
    "--parser", type=click.Choice(["fast", "soup"]), default="fast", show_default=True, help="Who reads HTML."
)
@click.option("--no-html", is_flag=True, help="Keep the text of pages only, not their HTML.")
@click.option("--no-index", is_flag=True, help="Do not index and rank afterwards.")
def crawl(
    urls: tuple[str, ...], db: str, no_html: bool, no_index: bool, user_agent: str | None, **settings: Any
) -> None:
    """Crawl from URL... into the file, then index and rank.

    Run the same command again to go on with a crawl that was stopped, by Ctrl-C or by accident.
    """
    from minisearch.engine import Engine

    if user_agent:
        settings["user_agent"] = user_agent
    for url in urls:
        Engine.normalize(url)  # what is no url is told before a file is made for it
    with Engine(db) as engine:
        with _interruptible() as stop:
            crawling = engine.crawling(*urls, index=not no_index, keep_html=not no_html, stop=stop, **settings)
            _show_progress(crawling, settings["max_pages"])
        if not no_index:
            _talk("indexing ...")
            engine.index()
            _talk("ranking ...")
            engine.rank()
        summary = crawling.summary()
    _print_summary(summary, db, settings["max_pages"])
    if summary.interrupted:
        sys.exit(130)
    if not summary.fetched:
        sys.exit(1)


@click.command()
@options.db
def index(db: str) -> None:
    """Index the pages that are not searchable yet."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        count = engine.index()
    click.echo(f"indexed {count} pages")


@click.command()
@options.db
@click.option(
    "--damping", type=click.FloatRange(0, 1), default=0.85, show_default=True, help="Chance to follow a link."
)
@click.option("--tolerance", type=click.FloatRange(0), default=1e-10, show_default=True, help="Stop below this change.")
@click.option(
    "--max-rounds", type=click.IntRange(1), default=1000, show_default=True, help="Stop after so many rounds."
)
@click.option("--repeated", is_flag=True, help="Count repeated links each time.")
@click.option("--loops", is_flag=True, help="Count links of a page to itself.")
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="Show this many pages.")
def rank(db: str, top: int, **settings: Any) -> None:
    """Compute PageRank over the links of the crawl."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        scores = engine.rank(**settings)
        first = engine.top(top)
    settled = "settled" if scores.converged else "did NOT settle"
    _talk(
        f"PageRank of {len(scores.values)} pages {settled} after {scores.rounds} rounds (change {scores.residual:.1e})"
    )
    for url, title, score in first:
        click.echo(f"{score:.6f}  {url}  {title}")


@contextmanager
def _interruptible() -> Iterator[Any]:
    """The first Ctrl-C asks the crawl to stop, the second one stops it."""
    asked: list[bool] = []

    def ask(_signal: int, _frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(True)
        _talk("\nstopping after the pages under way; Ctrl-C again to stop at once")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def _show_progress(crawling: Any, max_pages: int) -> None:
    if not sys.stderr.isatty():
        for _ in crawling:
            pass
        return
    from minisearch.cli.progress import watch

    watch(crawling, max_pages)


def _print_summary(summary: CrawlSummary, db: str, max_pages: int) -> None:
    click.echo(
        f"fetched {summary.fetched}, indexed {summary.indexed}, merged {summary.merged} of {summary.met} urls met"
    )
    for name, reasons in (("skipped", summary.skipped), ("failed", summary.failed)):
        if reasons:
            parts = ", ".join(f"{rule} {count}" for rule, count in sorted(reasons.items(), key=lambda item: -item[1]))
            click.echo(f"{name} {sum(reasons.values())}: {parts}")
    if summary.waiting:
        limit = f"the limit is {max_pages} pages; the same command with a higher --max-pages goes on"
        click.echo(f"waiting {summary.waiting} ({STOPPED if summary.interrupted else limit})")
    click.echo(f"{summary.seconds:.1f} s, in {db}")


def _talk(text: str) -> None:
    click.echo(text, err=True)
