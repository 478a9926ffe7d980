"""A crawl's progress, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from minisearch.models import Failed, Page

if TYPE_CHECKING:
    from minisearch.crawl.job import CrawlJob


def watch(crawling: CrawlJob, max_pages: int) -> None:
    """Run a crawl to its end, showing pages done, queued, failed, per second, and the host at hand."""
    columns = (
        SpinnerColumn(),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[queued]} queued"),
        TextColumn("{task.fields[failed]} failed"),
        TextColumn("{task.fields[speed]:.0f} pages/s"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[host]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("crawl", total=max_pages, queued=0, failed=0, speed=0.0, host="")
        fetched = failed = 0
        for number, visit in enumerate(crawling):
            fetched += isinstance(visit.outcome, Page)
            failed += isinstance(visit.outcome, Failed)
            if number % 10 == 0:
                queued = crawling.waiting()
                done = crawling.fetched_before + fetched
                progress.update(
                    task,
                    completed=done,
                    total=min(max_pages, done + queued),
                    queued=queued,
                    failed=failed,
                    speed=fetched / max(crawling.elapsed(), 0.1),
                    host=visit.queued.host,
                )
