"""The options of a crawl, and which earlier decisions depend on them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from minisearch.crawl.sitemaps import check_sources
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import USER_AGENT, check_agent
from minisearch.limits import MAX_SECONDS, Limits, check_number
from minisearch.parse.reader import PARSERS
from minisearch.store.urls import ORDERS

MAX_WORKERS = 1000
# Options that decisions about URLs depend on. They are stored with the crawl.
POLICY = ("scope", "include", "exclude", "max_depth", "limits", "allow_private")
RULES_OF_LIMITS = {  # limit -> the rules that go by it
    "page_bytes": "size",
    "header_bytes": "headers",
    "types": "type",
    "redirects": "redirects",
    "host_pages": "host-pages",
    "shape_pages": "shape-pages",
    "shape_alike": "trap duplicate-content",
}


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl."""

    max_pages: int = 1000
    max_requests: int | None = None  # sent in one run, with robots.txt, redirects ...; None: 3 x max_pages + 100
    max_depth: int = 20
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    order: str = "breadth"
    delay: float | None = None  # seconds between two requests to one host; None: 1 s, and none for this machine
    workers: int | None = None  # processes; None: one per core, more while they wait; 0: this process fetches
    user_agent: str = USER_AGENT
    parser: str = "fast"
    keep_html: bool = True
    limits: Limits = field(default_factory=Limits)
    allow_private: bool = False  # follow links to private addresses, wherever the seeds are
    sitemaps: tuple[str, ...] = ("robots",)  # those in robots.txt; or auto, none, or their URLs
    warc: str = ""  # the file into which all responses are recorded

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
        if not all(isinstance(pattern, str) for pattern in (*self.include, *self.exclude)):
            raise BadInput("the patterns of URLs to include or exclude must be texts")
        if self.delay is not None:
            check_number("the delay", self.delay, 0, MAX_SECONDS)
        if self.workers is not None:
            check_number("the number of workers", self.workers, 0, MAX_WORKERS)

    def policy(self) -> dict[str, Any]:
        """The options that decisions about URLs depend on, as they are stored."""
        options = asdict(self)
        return {name: options[name] for name in POLICY}


def with_limits(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a crawl, after limits given by their own names, such as `page_bytes=1000`, are collected.

    >>> with_limits({"tries": 1, "max_pages": 5})["limits"].tries
    1
    """
    names = {each.name for each in fields(Limits)}
    chosen = {name: tuple(value) if name == "types" else value for name, value in options.items() if name in names}
    rest = {name: value for name, value in options.items() if name not in names}
    return {**rest, "limits": replace(rest.get("limits") or Limits(), **chosen)}


def restored(stored: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The options with these `names`, as they were before they were stored as JSON."""
    options = {name: _from_json(value) for name, value in stored.items() if name in names}
    if "limits" in options:
        known = {each.name for each in fields(Limits)}
        limits = {name: _from_json(value) for name, value in options["limits"].items() if name in known}
        options["limits"] = Limits(**limits)
    return options


def changed_rules(before: dict[str, Any], policy: dict[str, Any]) -> set[str]:
    """The rules whose earlier decisions no longer hold, because the options they depend on have changed."""
    limits_before = {name: _from_json(value) for name, value in before.get("limits", {}).items()}
    limits = policy["limits"]
    changed = (rules for name, rules in RULES_OF_LIMITS.items() if limits_before.get(name) != limits[name])
    found = {rule for rules in changed for rule in rules.split()}
    return found | ({"address"} if before.get("allow_private") != policy["allow_private"] else set())


def _from_json(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
