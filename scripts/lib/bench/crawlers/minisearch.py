"""minisearch without indexing: with robots.txt, URL normalization, limits, duplicates and a status for every URL."""

from __future__ import annotations

import minisearch.crawl.job  # noqa: F401 - imported before the clock starts, as Scrapy and its parser are
from bench.crawlers import Job
from minisearch import Engine

UNLIMITED = 10**9


def crawl(job: Job) -> None:
    """Crawl a site."""
    patterns = ("*.txt", *(f"{prefix}*" for prefix in job.excluded))
    with Engine(job.file) as engine:
        for _ in engine.crawling(
            job.seed,
            index=False,
            keep_html=job.crawler == "keeping",
            max_pages=job.pages or UNLIMITED,
            max_depth=UNLIMITED,
            exclude=patterns,
        ):
            pass
