"""Scrapy as its documentation teaches it: a spider with a LinkExtractor and XPath, items, and a pipeline into SQLite.

Settings are the defaults, with robots.txt obeyed as in every new project, and without the lines of the log about
every page. New projects also come with a delay of a second, which nobody needs on loopback.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from bench.crawlers import Job, Shelf

TEXT = "//body//text()[not(ancestor::script or ancestor::style)]"


class Site(Spider):
    """All pages of a site."""

    name = "site"
    link_extractor = LinkExtractor()

    def __init__(self, job: Job) -> None:
        super().__init__(start_urls=[job.seed])
        self.job = job

    def parse(self, response: Response) -> Iterator[Any]:
        """What a page says, and where it leads."""
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


class IntoSqlite:
    """The pipeline."""

    def __init__(self, file: str) -> None:
        self.shelf = Shelf(file)

    @classmethod
    def from_crawler(cls, crawler: Any) -> IntoSqlite:
        """As Scrapy makes it."""
        return cls(crawler.settings["SHELF"])

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        """Store a page."""
        self.shelf.put(**item)
        return item

    def close_spider(self) -> None:
        """That was the last one."""
        self.shelf.close()


def crawl(job: Job) -> None:
    """Crawl a site."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "ERROR",
            "ITEM_PIPELINES": {IntoSqlite: 300},
            "SHELF": job.file,
            "CLOSESPIDER_PAGECOUNT": job.pages or 0,
        }
    )
    process.crawl(Site, job=job)
    process.start()
