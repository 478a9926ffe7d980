"""How to crawl: what a person may choose, and that it makes sense."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from minisearch.crawl.sitemaps import check_sources
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import USER_AGENT, check_agent
from minisearch.limits import MAX_SECONDS, Limits, check_number
from minisearch.parse.reader import PARSERS
from minisearch.store.verdicts import ORDERS

MAX_WORKERS = 1000


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl. What is not said here is decided by the rules of good manners."""

    max_pages: int = 1000
    max_requests: int | None = None  # sent in one run, with robots.txt, redirects ...; None: 3 x max_pages + 100
    max_depth: int = 20
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    order: str = "breadth"
    delay: float | None = None  # seconds between two requests to one host; None: 1 s, and none for this machine
    workers: int | None = None  # processes; None: one per core, more while they wait; 0: none, all is done in this one
    user_agent: str = USER_AGENT
    parser: str = "fast"
    keep_html: bool = True
    limits: Limits = field(default_factory=Limits)
    allow_private: bool = False  # let links lead to addresses inside, wherever the seeds are
    sitemaps: tuple[str, ...] = ("robots",)  # those in robots.txt; or auto, none, or their urls
    warc: str = ""  # the file into which all answers are recorded

    def __post_init__(self) -> None:
        check_agent(self.user_agent)
        check_sources(self.sitemaps)
        check_number("the page limit", self.max_pages, 1)
        check_number("the maximum depth", self.max_depth, 0)
        if self.max_requests is not None:
            check_number("the request limit", self.max_requests, 1)
        if self.order not in ORDERS:
            raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {self.order!r}")
        if self.parser not in PARSERS:
            raise BadInput(f"parser must be one of {', '.join(PARSERS)}, not {self.parser!r}")
        if self.delay is not None:
            check_number("the delay", self.delay, 0, MAX_SECONDS)
        if self.workers is not None:
            check_number("the number of workers", self.workers, 0, MAX_WORKERS)


def with_limits(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a crawl in which limits may stand by their own names, put together: `page_bytes=1000`.

    >>> with_limits({"tries": 1, "max_pages": 5})["limits"].tries
    1
    """
    names = {each.name for each in fields(Limits)}
    chosen = {name: tuple(value) if name == "types" else value for name, value in options.items() if name in names}
    rest = {name: value for name, value in options.items() if name not in names}
    return {**rest, "limits": replace(rest.get("limits") or Limits(), **chosen)}
