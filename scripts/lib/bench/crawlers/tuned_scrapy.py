"""Scrapy at its best: what is left of it when all that costs time is taken out or replaced.

selectolax reads the pages; only urls never seen before become requests, so that its filter has nothing to do; pages
are stored where they are read, without items; all middlewares but those for redirects and errors are off, and so is
robots.txt; the event loop is uvloop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from selectolax.lexbor import LexborHTMLParser

from bench.crawlers import Job, Shelf

UNSEEN = ["script", "style", "noscript", "template"]
SETTINGS: dict[str, Any] = {
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    "LOG_ENABLED": False,
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
    "EXTENSIONS_BASE": {},
    "SPIDER_MIDDLEWARES_BASE": {"scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": 50},
    "DOWNLOADER_MIDDLEWARES_BASE": {"scrapy.downloadermiddlewares.redirect.RedirectMiddleware": 600},
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "DOWNLOAD_DELAY": 0,
}


class Site(Spider):
    """All pages of a site."""

    name = "site"

    def __init__(self, job: Job) -> None:
        super().__init__(start_urls=[job.seed])
        self.job = job
        self.shelf = Shelf(job.file)
        self.seen = {job.seed}
        self.joined: dict[tuple[str, str], str] = {}  # what a link means in a folder: most are met many times

    def parse(self, response: Response) -> Iterator[Request]:
        """Store a page, and go on where it leads."""
        if not isinstance(response, HtmlResponse):
            return
        tree = LexborHTMLParser(response.body)
        links = self.links(tree, response.url)
        title = tree.css_first("title")
        tree.strip_tags(UNSEEN)
        text = tree.body.text(separator=" ", strip=True) if tree.body else ""
        self.shelf.put(response.url, title.text(strip=True) if title else "", text, links)
        if self.shelf.count == self.job.pages:
            raise CloseSpider("enough")
        for url in dict(links):
            if url not in self.seen:
                self.seen.add(url)
                if self.job.wants(url):
                    yield Request(url, dont_filter=True)

    def links(self, tree: LexborHTMLParser, base: str) -> list[tuple[str, str]]:
        """(url, anchor text), each pair once, as minisearch keeps them."""
        folder = base.rpartition("/")[0] + "/"
        found: dict[tuple[str, str], None] = {}
        for node in tree.css("a[href]"):
            href = (node.attributes["href"] or "").partition("#")[0].strip()
            if href:
                key = (base if href.startswith("?") else folder, href)
                url = self.joined.get(key)
                if url is None:
                    url = self.joined[key] = urljoin(*key)
                if url.startswith("http"):
                    found[url, node.text(strip=True)] = None
        return list(found)

    def closed(self, reason: str) -> None:  # noqa: ARG002 - as Scrapy calls it
        """That was the last one."""
        self.shelf.close()


def crawl(job: Job) -> None:
    """Crawl a site."""
    process = CrawlerProcess(SETTINGS)
    process.crawl(Site, job=job)
    process.start()
