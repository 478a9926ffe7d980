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

from minisearch.records import Failed, Page

if TYPE_CHECKING:
    from minisearch.wiring.crawling import Crawling


def watch(crawling: Crawling, max_pages: int) -> None:
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
        done = crawling.fetched_before
        task = progress.add_task("crawl", total=max_pages, completed=done, queued=0, failed=0, speed=0.0, host="")
        failed = 0
        for number, visit in enumerate(crawling):
            done += isinstance(visit.outcome, Page)
            failed += isinstance(visit.outcome, Failed)
            if number % 10 == 0:
                queued = crawling.waiting()
                known = done + queued
                progress.update(
                    task,
                    completed=done,
                    total=min(max_pages, known),
                    queued=queued,
                    failed=failed,
                    speed=(done - crawling.fetched_before) / max(crawling.elapsed(), 0.1),
                    host=visit.queued.host,
                )
