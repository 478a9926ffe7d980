"""Remarks: details of redirects, and of pages that were taken only in part; and which rules go by which settings."""

from __future__ import annotations

from typing import Any

from minisearch.fetch.fetcher import PAGE_STATUSES
from minisearch.parse.page import MAX_ELEMENTS, MAX_NESTING
from minisearch.records import Detail, Page, Redirect

DECIDING = {  # limit -> the rules that go by it
    "page_bytes": "size",
    "header_bytes": "headers",
    "types": "type",
    "redirects": "redirects",
    "host_pages": "host-pages",
    "shape_pages": "shape-pages",
    "shape_alike": "trap duplicate-content",
}


def remark(page: Page) -> tuple[str, Detail]:
    """(rule, detail) of a page that was fetched, but not with all its consequences."""
    detail: Detail = {}
    if page.noindex:
        detail["directive"] = page.noindex
    if page.untaken:
        taken = len({link.url for link in page.links})
        detail |= {"links": taken + page.untaken, "taken": taken, "untaken": page.untaken}
    if page.unread:
        detail |= {"elements": MAX_ELEMENTS, "nesting": MAX_NESTING, "unread": page.unread}
    return "noindex" if page.noindex else "links" if page.untaken else "elements" if page.unread else "", detail


def redirects(moved: Redirect) -> Detail:
    """Where a url sends its readers, and how.

    >>> redirects(Redirect("http://a/", "http://b/", 301)), redirects(Redirect("http://a/", "http://b/", 200))
    ({'status': 301, 'target': 'http://b/'}, {'problem': 'refresh', 'target': 'http://b/'})
    """
    how = {"problem": "refresh"} if moved.status in PAGE_STATUSES else {"status": moved.status}
    return {**how, "target": moved.target}


def decided_by(before: dict[str, Any], now: dict[str, Any]) -> set[str]:
    """The rules that skipped urls for the sake of settings that are different now."""
    then, limits = before.get("limits", {}), now["limits"]
    changed = (named for name, named in DECIDING.items() if then.get(name) != _plain(limits[name]))
    rules = {rule for named in changed for rule in named.split()}
    return rules | ({"address"} if before.get("allow_private") != now["allow_private"] else set())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value  # as it comes back from JSON
