"""Scrapy as in its documentation: a spider with a LinkExtractor and XPath, items, and a pipeline to SQLite.

Settings are the defaults, with robots.txt obeyed as in every new project, and without a log line for every page. New
projects also have a download delay of a second, which loopback does not need.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from bench.crawlers import Job, PageStore

TEXT = "//body//text()[not(ancestor::script or ancestor::style)]"


class Site(Spider):
    """All pages of a site."""

    name = "site"
    link_extractor = LinkExtractor()

    def __init__(self, job: Job) -> None:
        super().__init__(start_urls=[job.seed])
        self.job = job

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield the item of a page and requests for its links."""
        if not isinstance(response, HtmlResponse):
            return
        links = self.link_extractor.extract_links(response)
        yield {
            "url": response.url,
            "title": response.xpath("//title/text()").get(default=""),
            "text": " ".join(" ".join(response.xpath(TEXT).getall()).split()),
            "links": [(link.url, link.text) for link in links],
        }
        for link in links:
            if self.job.wants(link.url):
                yield response.follow(link, self.parse)


class SqlitePipeline:
    """The item pipeline."""

    def __init__(self, file: str) -> None:
        self.store = PageStore(file)

    @classmethod
    def from_crawler(cls, crawler: Any) -> SqlitePipeline:
        """Create the pipeline."""
        return cls(crawler.settings["PAGE_STORE"])

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        """Store a page."""
        self.store.add(**item)
        return item

    def close_spider(self) -> None:
        """Commit the last pages."""
        self.store.close()


def crawl(job: Job) -> None:
    """Crawl a site."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "ERROR",
            "ITEM_PIPELINES": {SqlitePipeline: 300},
            "PAGE_STORE": job.file,
            "CLOSESPIDER_PAGECOUNT": job.pages or 0,
        }
    )
    process.crawl(Site, job=job)
    process.start()
