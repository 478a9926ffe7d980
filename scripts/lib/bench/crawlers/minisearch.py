"""minisearch as it is, without indexing: robots.txt, normalisation, limits, merging and the journal are all at work."""

from __future__ import annotations

import minisearch.crawl.job  # noqa: F401 - loaded before the clock starts, as Scrapy and its parser are
from bench.crawlers import Job
from minisearch import Engine

NO_END = 10**9


def crawl(job: Job) -> None:
    """Crawl a site."""
    patterns = ("*.txt", *(f"{prefix}*" for prefix in job.avoided))
    with Engine(job.file) as engine:
        for _ in engine.crawling(
            job.seed,
            index=False,
            keep_html=job.crawler == "keeping",
            max_pages=job.pages or NO_END,
            max_depth=NO_END,
            exclude=patterns,
        ):
            pass
