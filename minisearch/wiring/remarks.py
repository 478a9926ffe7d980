"""Remarks: what is said about redirects, and about pages that were taken only in part; and which rules go by which
settings.
"""

from __future__ import annotations

from typing import Any

from minisearch.fetch.fetcher import PAGE_STATUSES
from minisearch.parse.page import MAX_ELEMENTS, MAX_NESTING
from minisearch.records import Page, Redirect

DECIDING = {  # limit -> the rules that go by it
    "page_bytes": "size",
    "header_bytes": "headers",
    "types": "type",
    "redirects": "redirects",
    "host_pages": "host-pages",
    "shape_pages": "shape-pages",
    "shape_alike": "trap duplicate-content",
}


def remark(page: Page) -> tuple[str, str]:
    """(rule, reason) of a page that was fetched, but not with all its consequences."""
    said = []
    if page.noindex:
        said.append(f"not indexed: the page asks for it ({page.noindex})")
    if page.untaken:
        links = len({link.url for link in page.links})
        said.append(f"of the {links + page.untaken:,} urls it links to, {links:,} were taken, which is the limit")
    if page.unread:
        limits = f"{MAX_ELEMENTS:,} elements or {MAX_NESTING:,} levels of nesting"
        said.append(f"it has more than {limits}, which is the limit: {page.unread:,} characters were not read")
    rule = "noindex" if page.noindex else "links" if page.untaken else "elements" if page.unread else ""
    return rule, f"fetched, but {'; '.join(said)}" if said else ""


def redirects(moved: Redirect) -> str:
    """Where a url sends its readers, and how.

    >>> redirects(Redirect("http://a/", "http://b/", 301)), redirects(Redirect("http://a/", "http://b/", 200))
    ('redirects (301) to http://b/', 'redirects (meta refresh) to http://b/')
    """
    how = "meta refresh" if moved.status in PAGE_STATUSES else moved.status
    return f"redirects ({how}) to {moved.target}"


def decided_by(before: dict[str, Any], now: dict[str, Any]) -> set[str]:
    """The rules that skipped urls for the sake of settings that are different now."""
    then, limits = before.get("limits", {}), now["limits"]
    changed = (named for name, named in DECIDING.items() if then.get(name) != _plain(limits[name]))
    rules = {rule for named in changed for rule in named.split()}
    return rules | ({"address"} if before.get("allow_private") != now["allow_private"] else set())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value  # as it comes back from JSON
