"""Scrapy, tuned: everything that costs time is removed or replaced.

selectolax parses the pages; only unseen URLs become requests, which makes the duplicate filter superfluous; pages are
stored where they are parsed, without items; all middlewares but those for redirects and errors are off, and so is
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

from bench.crawlers import Job, PageStore

INVISIBLE = ["script", "style", "noscript", "template"]
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
        self.store = PageStore(job.file)
        self.seen = {job.seed}
        self.joined: dict[tuple[str, str], str] = {}  # cache of urljoin: most links are repeated

    def parse(self, response: Response) -> Iterator[Request]:
        """Store a page and yield requests for its unseen links."""
        if not isinstance(response, HtmlResponse):
            return
        tree = LexborHTMLParser(response.body)
        links = self.links(tree, response.url)
        title = tree.css_first("title")
        tree.strip_tags(INVISIBLE)
        text = tree.body.text(separator=" ", strip=True) if tree.body else ""
        self.store.add(response.url, title.text(strip=True) if title else "", text, links)
        if self.store.count == self.job.pages:
            raise CloseSpider("page limit")
        for url in dict(links):
            if url not in self.seen:
                self.seen.add(url)
                if self.job.wants(url):
                    yield Request(url, dont_filter=True)

    def links(self, tree: LexborHTMLParser, base: str) -> list[tuple[str, str]]:
        """(URL, anchor text) of each link, each pair once, as minisearch stores them."""
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
        """Commit the last pages."""
        self.store.close()


def crawl(job: Job) -> None:
    """Crawl a site."""
    process = CrawlerProcess(SETTINGS)
    process.crawl(Site, job=job)
    process.start()
