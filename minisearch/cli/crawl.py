"""crawl, recrawl, import, index: the commands that build the index."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option, option_group
from minisearch.cli.output import echo, show_progress, talk
from minisearch.errors import BadInput
from minisearch.limits import Limits, check_limit
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.crawl.recrawl import RecrawlSummary
    from minisearch.engine import Engine
    from minisearch.models import CrawlSummary

WOULD_SHRINK = 4  # exit code of a recrawl that would have removed more than a third of the pages of a site
MAX_LISTED = 20  # removed pages, and sites that would shrink
STILL_QUEUED = {  # why, by CrawlSummary.limit_reached
    "pages": "page limit reached: run the same command with a higher --max-pages to continue",
    "requests": "request limit reached: run the same command again to continue, or with a higher --max-requests",
    "": "run the same command again to continue",
}
DEFAULTS = {each.name: each.default for each in fields(Limits)}


def _limit(names: str, help_text: str, metavar: str = "N") -> options.Decorator:
    """The option for a limit; `names` are those of the option and of the limit, which is a former name of it."""
    name, limit = names.split()
    default: Any = DEFAULTS[limit]
    former = f"--{limit.replace('_', '-')}"
    return option(
        name,
        limit,
        type=int if isinstance(default, int) else float,
        metavar=metavar,
        callback=_check_limit,
        former=[former] if former != name else (),
        help=f"{help_text}  [default: {f'{default:,}' if isinstance(default, int) else f'{default:g}'}]",
    )


def _check_limit(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None:
        try:
            check_limit("it", option.name or "", value)
        except BadInput as error:
            raise click.BadParameter(str(error)) from error
    return value


def _workers(typed: object) -> int | None:
    """A number of processes, or "auto", which is None for the engine."""
    word = str(typed)
    if word != "auto" and not word.isdecimal():
        raise click.BadParameter(f'{word!r} is neither a number nor "auto"')
    return None if word == "auto" else int(word)


workers = option(
    "--workers",
    type=_workers,
    default="auto",
    show_default=True,
    metavar="N|auto",
    help="Number of fetching processes; auto: one per core, and more while all of them wait for slow servers.",
)
max_requests = option(
    "--max-requests",
    type=Integer(1),
    metavar="N",
    show_default="3 x pages + 100",
    help="Maximum number of requests, including redirects, retries, robots.txt and sitemaps.",
)
no_html = option("--no-html", is_flag=True, help="Store only the text of pages, not their HTML.")
no_index = option("--no-index", is_flag=True, help="Do not index and rank afterwards.")


@options.command()
@click.argument("urls", nargs=-1, metavar="URL...")
@option_group(
    "What to crawl",
    option("--max-pages", type=Integer(1), default=1000, show_default=True, help="Maximum number of pages."),
    option("--max-depth", type=Integer(0), default=20, show_default=True, help="Maximum link depth."),
    max_requests,
    option(
        "--scope",
        type=click.Choice(["path", "host", "domain", "any"]),
        default="path",
        show_default=True,
        help="Stay in the folder of the seed URL, on its host, on its host and subdomains, or go anywhere.",
    ),
    option("--include", multiple=True, metavar="GLOB", help="Crawl only URLs that match; repeatable."),
    option("--exclude", multiple=True, metavar="GLOB", help="Skip URLs that match; repeatable."),
    option(
        "--type", "types", multiple=True, metavar="TYPE", help="Content type to accept, such as text/html; repeatable."
    ),
    option(
        "--sitemaps",
        multiple=True,
        default=["robots"],
        metavar="WHICH",
        help="Sitemaps to read: robots (those in robots.txt), auto (those, or else /sitemap.xml), none, or a URL; "
        "repeatable.  [default: robots]",
    ),
    option(
        "--order",
        type=click.Choice(["breadth", "newest", "best"]),
        default="breadth",
        show_default=True,
        help="Breadth-first, newest-first or most-linked-first.",
    ),
    option("--only", multiple=True, hidden=True, metavar="URL", help='Former name of "recrawl --only".'),
)
@option_group(
    "Requests",
    options.delay,
    workers,
    options.user_agent,
    options.header,
    _limit("--timeout page_seconds", "Maximum time for one page.", "S"),
    _limit("--read-timeout silence_seconds", "Maximum time without a byte from the server.", "S"),
    option("--retries", type=Integer(0), metavar="N", help="Retries of a URL after transient errors.  [default: 2]"),
    option("--tries", type=int, metavar="N", hidden=True, help="The number of --retries and 1."),
    _limit("--max-retry-after pause_seconds", "Longest Retry-After to honour.", "S"),
    _limit("--max-redirects redirects", "Maximum length of a redirect chain."),
    option("--allow-private", is_flag=True, help="Follow links and redirects to private addresses."),
)
@option_group(
    "Limits",
    _limit("--max-size page_bytes", "Maximum size of a page, decompressed.", "BYTES"),
    _limit("--max-header-size header_bytes", "Maximum size of the response headers.", "BYTES"),
    _limit("--max-memory worker_bytes", "Maximum memory of a worker process for one page (Linux).", "BYTES"),
    _limit("--max-links links", "Maximum number of URLs taken from one page."),
    _limit("--max-url-length url_length", "Maximum length of a URL in characters."),
    _limit("--max-path-segments path_segments", "Maximum number of path segments of a URL."),
    _limit("--max-repeated-segments repeats", "Maximum number of consecutive repetitions of path segments."),
    _limit("--max-per-host host_pages", "Maximum number of pages from one host; 0: no limit."),
    _limit("--max-host-failures host_failures", "Skip a host after this many consecutive failures."),
    _limit("--max-per-pattern pattern_pages", "Maximum number of pages with the same URL pattern (ids ignored)."),
    _limit("--max-duplicates pattern_repeats", "Skip a URL pattern after this many near-duplicate pages."),
)
@option_group(
    "Storage",
    options.db,
    option("--warc", default="", metavar="FILE", help="Record all responses in a web archive (.warc or .warc.gz)."),
    options.parser,
    no_html,
    no_index,
)
def crawl(
    urls: tuple[str, ...],
    db: str,
    only: tuple[str, ...],
    no_html: bool,
    no_index: bool,
    header: dict[str, str],
    retries: int | None,
    **settings: Any,
) -> None:
    """Crawl a website, then index and rank its pages.

    Run the same command again to resume an interrupted crawl.

    \b
      minisearch crawl https://example.com/docs/ --db docs.db
      minisearch crawl https://example.com/ --max-pages 500 --exclude '*/archive/*'
    """
    from minisearch.crawl.job import CrawlOptions, with_limits
    from minisearch.engine import Engine

    if only:
        click.get_current_context().invoke(recrawl, urls=urls, db=db, only=only, header=header)
        return
    if not urls:
        raise click.UsageError("Missing argument URL: where should the crawl start?")
    for each in urls:
        if os.path.isdir(each):
            raise BadInput(f'"{each}" is a folder: use "minisearch import {each}"')
        if os.path.isfile(each):
            raise BadInput(f'"{each}" is a file, not a URL: did you mean --db {each}?')
    if retries is not None:
        settings["tries"] = retries + 1
    settings = {name: value for name, value in settings.items() if value not in (None, "", ())}
    for url in urls:
        Engine.normalize(url)  # a wrong URL or option is reported before a file is created
    CrawlOptions(**with_limits(settings))
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
    _exit(summary)


@options.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@options.db
@option("--only", multiple=True, metavar="URL", help="Fetch only this URL again; repeatable.")
@option("--budget", type=Integer(1), metavar="N", help="Fetch only N pages, the most important first.")
@max_requests
@option("--accept-shrink", is_flag=True, help="Remove pages that are gone even if they are over a third of a site.")
@options.delay
@workers
@options.user_agent
@options.header
def recrawl(urls: tuple[str, ...], db: str, only: tuple[str, ...], header: dict[str, str], **settings: Any) -> None:
    """Fetch known pages again and update the index.

    Pages that changed are indexed again, pages that are gone are removed. Servers send only what has
    changed. URL... are the seed URLs of one crawl; without them, all crawls are repeated.
    """
    from minisearch.crawl.recrawl import run

    settings = {name: value for name, value in settings.items() if value not in (None, "")}
    if only and urls:
        raise BadInput("--only cannot be combined with URL arguments")
    with options.open_index(db) as engine, interruptible() as stop:
        crawls = engine.recrawling(*urls, only=only, stop=stop, headers=header, report=talk, **settings)
        summary = run(crawls, watch=lambda crawl: show_progress(crawl, crawl.planned, revisits=True))
        if engine.pending():  # since a crawl that was killed
            index_and_rank(engine)
        elif summary.altered:
            _note_stale_prior(engine)
        requested = [engine.why(url) for url in only]
    _print_recrawl(summary, db)
    removed = dict(summary.gone)  # which are listed already
    for verdict in requested:
        if verdict.state in ("failed", "skipped") and verdict.url not in removed:
            echo(f"  not fetched: {verdict.url} ({verdict.reason})")
    if summary.interrupted:
        sys.exit(130)
    if summary.shrunk:
        sys.exit(WOULD_SHRINK)
    if summary.visited and summary.kept == summary.visited:
        sys.exit(1)


@options.command("import")
@click.argument("path", metavar="FILE|FOLDER")
@options.db
@option("--base", default="", metavar="URL", help="URL of the FOLDER.  [default: derived from its name]")
@option("--seed", "seeds", multiple=True, metavar="URL", help="Seed URL; repeatable.")
@options.parser
@no_html
@no_index
def import_command(
    path: str, db: str, base: str, seeds: tuple[str, ...], parser: str, no_html: bool, no_index: bool
) -> None:
    """Import a web archive, an HTML folder or a wget mirror.

    Web archives are .warc, .warc.gz and .arc files. Pages are parsed, merged, indexed and ranked exactly as if they
    had been crawled.

    \b
      minisearch crawl https://example.com/ --warc example.warc.gz
      minisearch import example.warc.gz --db copy.db
      minisearch import site/ --base https://example.com/
    """
    from minisearch.crawl.recording import open_archive
    from minisearch.engine import Engine

    for seed in seeds:
        Engine.normalize(seed)
    archive = open_archive(path, base)  # what cannot be imported is reported before a file is created
    with Engine(db) as engine:
        with interruptible() as stop:
            importing = engine.importing(
                archive, seeds=seeds, parser=parser, keep_html=not no_html, index=not no_index, stop=stop
            )
            show_progress(importing, importing.size)
        if not no_index:
            index_and_rank(engine)
        summary = importing.summary()
    print_summary(summary, db, "these URLs are not in the archive, or were queued when it was recorded")
    if os.path.isdir(path) and not base:
        echo(f"the first page is {archive.start()}; --base changes the URL of the folder")
    if importing.ignored:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in importing.ignored.most_common())
        echo(f"ignored {sum(importing.ignored.values()):,}: {kinds}")
    if importing.warning:
        echo(f'warning: "{path}" is {importing.warning}')
    _exit(summary)


@options.command()
@options.db
@option("--rebuild", former=["--again"], is_flag=True, help="Rebuild the whole index, e.g. if it is damaged.")
@options.cluster
def index(db: str, rebuild: bool, cluster: str | None) -> None:
    """Index pages that are new or changed."""

    with options.workers(cluster) as found, options.open_index(db) as engine:
        count = engine.index(found.imap if found else None, rebuild=rebuild)
    click.echo(f"indexed {counted(count, 'page')}")


@contextmanager
def interruptible() -> Iterator[Any]:
    """The first Ctrl-C stops the crawl after the current pages, the second one immediately."""
    requested: list[bool] = []

    def request_stop(_signal: int, _frame: object) -> None:
        if requested:
            raise KeyboardInterrupt
        requested.append(True)
        click.echo("\nfinishing the current pages; press Ctrl-C again to stop immediately", err=True)

    before = signal.signal(signal.SIGINT, request_stop)
    try:
        yield lambda: bool(requested)
    finally:
        signal.signal(signal.SIGINT, before)


def index_and_rank(engine: Engine) -> None:
    """Make fetched pages searchable."""
    talk("indexing ...")
    engine.index(compact=True)
    talk("ranking ...")
    engine.rank()
    _note_stale_prior(engine)


def _note_stale_prior(engine: Engine) -> None:
    """Say that the ranking that search uses was not computed again, if it is not PageRank."""
    prior = engine.ranking()["prior"]
    if prior != "pagerank":
        talk(f'search uses the ranking "{prior}", which was not recomputed: run "minisearch rank" for it again')


def print_summary(summary: CrawlSummary, db: str, queued: str = "") -> None:
    """Print how many URLs have each status; `queued` says why some are still queued."""
    counts = [f"{summary.fetched:,} fetched", f"{summary.merged:,} merged"]
    counts += [_by_rule(name, rules) for name, rules in (("skipped", summary.skipped), ("failed", summary.failed))]
    counts += [f"{summary.waiting:,} queued"] * bool(summary.waiting)
    echo(f"{counted(summary.discovered, 'URL')} discovered: {', '.join(counts)}")
    if summary.waiting or summary.limit_reached:
        echo("interrupted: " * summary.interrupted + (queued or STILL_QUEUED[summary.limit_reached]))
    echo(*summary.notes)
    click.echo(f"{counted(summary.indexed, 'page')} indexed, {summary.seconds:.1f} s, in {db}")


def _by_rule(name: str, rules: dict[str, int]) -> str:
    """The number of URLs skipped or failed, and how many by each rule.

    >>> _by_rule("skipped", {"robots": 1, "scope": 2}), _by_rule("failed", {})
    ('3 skipped (scope 2, robots 1)', '0 failed')
    """
    parts = ", ".join(f"{rule} {count:,}" for rule, count in sorted(rules.items(), key=lambda item: -item[1]))
    return f"{sum(rules.values()):,} {name}" + (f" ({parts})" if parts else "")


def _print_recrawl(summary: RecrawlSummary, db: str) -> None:
    if summary.not_visited:
        stopped = "interrupted" if summary.interrupted else "request limit reached"
        click.echo(f"{stopped}: {counted(summary.not_visited, 'URL')} left for the next recrawl")
    kept = "kept" if summary.refused else "unreachable and kept"
    click.echo(
        f"checked {summary.visited:,} of {counted(summary.pages, 'page')}: {summary.unchanged:,} unchanged, "
        f"{summary.changed:,} changed, {len(summary.gone):,} gone, {summary.kept:,} {kept}; {summary.new:,} new"
    )
    for url, reason in summary.gone[:MAX_LISTED]:
        echo(f"  gone: {url} ({reason})")
    if len(summary.gone) > MAX_LISTED:
        click.echo(f"  and {len(summary.gone) - MAX_LISTED:,} more")
    if summary.refused:
        sites = ", ".join(summary.refused[:MAX_LISTED]) + ", ..." * (len(summary.refused) > MAX_LISTED)
        talk(f"more than a third of the pages of {sites} would be removed; none was (use --accept-shrink)")
    click.echo(f"{summary.seconds:.1f} s, in {db}")


def _exit(summary: CrawlSummary) -> None:
    if summary.interrupted:
        sys.exit(130)
    if not summary.fetched:
        sys.exit(1)
