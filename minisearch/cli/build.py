"""crawl, index: the commands that make the file."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options, scaling
from minisearch.cli.limits import limits
from minisearch.cli.shown import counted, say

if TYPE_CHECKING:
    from minisearch.engine import Engine
    from minisearch.models import CrawlSummary

STILL_QUEUED = {  # why, by CrawlSummary.limit_reached
    "pages": "page limit reached: run the same command with a higher --max-pages to continue",
    "requests": "request limit reached: run the same command again to continue, or with a higher --max-requests",
    "": "run the same command again to continue",
}


def _workers(_: click.Context, __: click.Parameter, typed: str) -> int | None:
    """A number of processes, or "auto", which is None to the engine."""
    if typed != "auto" and not typed.isdecimal():
        raise click.BadParameter(f"{typed!r} is neither a number from 0 on nor auto")
    return None if typed == "auto" else int(typed)


def _checked(ways: tuple[str, ...]) -> tuple[str, ...]:
    for way in ways:
        if way not in ("robots", "auto", "none") and not way.lower().startswith(("http://", "https://")):
            raise click.BadParameter(f'"{way}" is not robots, auto, none or an address')
    return ways


@click.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@options.db
@click.option("--only", multiple=True, metavar="URL", help="Ask for this url again, and for no other; may be repeated.")
@click.option("--max-pages", type=click.IntRange(1), default=1000, show_default=True, help="Fetch at most this many.")
@click.option(
    "--max-requests",
    type=click.IntRange(1),
    metavar="N",
    help="Send at most this many requests, with redirects, retries, robots.txt and sitemaps.  "
    "[default: 3 x max-pages + 100]",
)
@click.option(
    "--max-depth",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Go at most this many links away from the start.",
)
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
    type=options.POSITIVE_OR_ZERO,
    metavar="S",
    help="Seconds between requests to one host. [default: 1; none on this machine]",
)
@click.option(
    "--workers",
    callback=_workers,
    default="auto",
    show_default=True,
    metavar="N|auto",
    help="Processes that fetch; auto: one per core, and more while all of them wait for slow servers.",
)
@click.option(
    "--sitemaps",
    multiple=True,
    callback=lambda _context, _option, ways: _checked(ways),
    default=["robots"],
    metavar="WHICH",
    help="Sitemaps to read: robots (those in robots.txt), auto (those, or else /sitemap.xml), none, or a URL; "
    "may be repeated.  [default: robots]",
)
@click.option("--user-agent", metavar="TEXT", help="User-Agent header of the requests.")
@options.header
@click.option(
    "--parser", type=click.Choice(["fast", "soup"]), default="fast", show_default=True, help="Which parser reads HTML."
)
@click.option("--warc", default="", metavar="FILE", help="Record all answers into a web archive (.warc or .warc.gz).")
@click.option("--no-html", is_flag=True, help="Keep the text of pages only, not their HTML.")
@click.option("--no-index", is_flag=True, help="Do not index and rank afterwards.")
@limits
def crawl(
    urls: tuple[str, ...],
    db: str,
    only: tuple[str, ...],
    no_html: bool,
    no_index: bool,
    user_agent: str | None,
    header: dict[str, str],
    **settings: Any,
) -> None:
    """Crawl from URL... into the file, then index and rank.

    Run the same command again to go on with a crawl that was stopped, by Ctrl-C or by accident.
    """
    if only:
        from minisearch.cli.recrawl import visit

        if urls:
            raise click.UsageError("--only asks for nothing but the urls it names: leave out the others")
        visit((), db, only=only, headers=header)
        return
    if not urls:
        raise click.UsageError("name at least one URL to start from")
    from minisearch.engine import Engine

    if user_agent:
        settings["user_agent"] = user_agent
    settings = {name: value for name, value in settings.items() if value is not None and value != ()}
    for url in urls:
        Engine.normalize(url)  # what is no url is told before a file is made for it
    with Engine(db) as engine:
        with interruptible() as stop:
            crawling = engine.crawling(
                *urls, index=not no_index, keep_html=not no_html, stop=stop, headers=header, **settings
            )
            show_progress(crawling, settings["max_pages"])
        if not no_index:
            index_and_rank(engine)
        summary = crawling.summary()
        if not summary.fetched and not summary.interrupted:
            for url in urls:
                talk(f"{url}: {engine.why(url).reason}")
    print_summary(summary, db)
    if summary.interrupted:
        sys.exit(130)
    if not summary.fetched:
        sys.exit(1)


@click.command()
@options.db
@click.option("--rebuild", is_flag=True, help="Rebuild the whole index from the stored pages, e.g. if it is damaged.")
@click.option("--again", "rebuild", is_flag=True, hidden=True, help="The former name of --rebuild.")
@scaling.cluster
def index(db: str, rebuild: bool, cluster: str | None) -> None:
    """Index the pages that are new or changed."""
    from minisearch.engine import Engine

    with scaling.workers(cluster) as workers, Engine(db, create=False) as engine:
        count = engine.index(workers.each if workers else None, rebuild=rebuild)
    click.echo(f"indexed {counted(count, 'page')}")


@contextmanager
def interruptible() -> Iterator[Any]:
    """The first Ctrl-C asks the crawl to stop, the second one stops it."""
    asked: list[bool] = []

    def ask(_signal: int, _frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(True)
        talk("", "stopping after the pages under way; Ctrl-C again to stop at once")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def show_progress(crawling: Any, max_pages: int) -> None:
    """Run a crawl to its end, and show how it gets on if somebody is there to see it."""
    if not sys.stderr.isatty():
        for _ in crawling:
            pass
        return
    from minisearch.cli.progress import watch

    watch(crawling, max_pages)


def index_and_rank(engine: Engine) -> None:
    """Make what was fetched searchable, and say what takes so long."""
    talk("indexing ...")
    engine.index(compact=True)
    talk("ranking ...")
    engine.rank()


def print_summary(summary: CrawlSummary, db: str, queued: str = "") -> None:
    """Print what became of every URL; `queued` says why some are still queued."""
    counts = [f"{summary.fetched} fetched", f"{summary.merged} merged"]
    counts += [_by_rule(name, rules) for name, rules in (("skipped", summary.skipped), ("failed", summary.failed))]
    counts += [f"{summary.waiting} queued"] * bool(summary.waiting)
    say(f"{counted(summary.discovered, 'URL')} discovered: {', '.join(counts)}")
    if summary.waiting:
        say("interrupted: " * summary.interrupted + (queued or STILL_QUEUED[summary.limit_reached]))
    for note in summary.notes:
        say(note)
    click.echo(f"{counted(summary.indexed, 'page')} indexed, {summary.seconds:.1f} s, in {db}")


def _by_rule(name: str, rules: dict[str, int]) -> str:
    """The number of URLs skipped or failed, and how many by each rule.

    >>> _by_rule("skipped", {"robots": 1, "scope": 2}), _by_rule("failed", {})
    ('3 skipped (scope 2, robots 1)', '0 failed')
    """
    parts = ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items(), key=lambda item: -item[1]))
    return f"{sum(rules.values())} {name}" + (f" ({parts})" if parts else "")


def talk(*lines: str) -> None:
    """Say something beside the results."""
    say(*lines, err=True)
