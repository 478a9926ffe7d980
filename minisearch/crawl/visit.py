"""One task of a crawl: fetch a URL and read the response. No exception leaves it: every outcome is a record."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from minisearch.crawl.sitemaps import Sitemap, is_page, read_sitemap, sitemap_limits
from minisearch.errors import BadUrl
from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import (
    MAX_QUOTED,
    PAGE_STATUSES,
    REDIRECT_STATUSES,
    USER_AGENT,
    OriginHeaders,
    Response,
    Session,
    check_type,
    fetch,
    redirect_target,
    retry_after,
)
from minisearch.fetch.guard import Guard
from minisearch.fetch.robots import RobotsFile, fetch_robots
from minisearch.limits import Limits
from minisearch.models import Detail, Failed, Outcome, Page, Redirect, Skipped, Unchanged
from minisearch.parse.page import MAX_ELEMENTS, MAX_NESTING
from minisearch.parse.reader import extractor, read
from minisearch.parse.robots_meta import HEADER, in_header, is_from_header, noindex_reason

Fetch = Callable[..., Response]  # (url, session, limits, headers=...)
# Statuses of servers that cannot deal with a conditional request. They do not describe the page.
NO_CONDITIONS = (HTTPStatus.BAD_REQUEST, HTTPStatus.PRECONDITION_FAILED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
TRANSIENT = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)  # of the 4xx


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker has to do: fetch and read a page, the robots.txt of an origin, or a sitemap."""

    url: str
    robots: bool = False
    sitemap: bool = False
    again: bool = False  # whether it failed before
    etag: str = ""  # of the version we hold: the page is wanted only if it has changed
    last_modified: str = ""
    noindex: str = ""  # why that version is not indexed
    response: Response | None = None  # to be read instead of fetching the URL

    def conditions(self) -> dict[str, str]:
        """The headers of a conditional request."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class Visitor:
    """Does tasks, one after the other, over connections that stay open."""

    def __init__(
        self,
        *,
        user_agent: str = USER_AGENT,
        parser: str = "fast",
        limits: Limits | None = None,
        guard: Guard | None = None,
        origin_headers: OriginHeaders | None = None,
        session: Session | None = None,
        fetch: Fetch = fetch,
        keep_html: bool = True,
    ) -> None:
        self._keep_html = keep_html
        self._fetch = fetch  # where responses come from: the web, or an archive
        self._session = session or Session(user_agent, guard=guard, origin_headers=origin_headers)
        self._extract = extractor(parser)
        self._limits = limits or Limits()

    def __call__(self, task: Task) -> Outcome | RobotsFile | Sitemap:
        """Do a task. One that failed before gets a new connection: some servers break each in the same way."""
        if task.again:
            self._session.close()  # it opens new connections when they are needed
        if task.robots:
            return self._robots(task.url)
        limits = sitemap_limits(self._limits) if task.sitemap else self._limits
        try:
            response = task.response
            if response is None:
                response = self._fetch(task.url, self._session, limits, headers=task.conditions())
            else:
                _check_limits(response, limits)
        except Rejected as why:
            return Skipped(task.url, why.rule, why.detail)
        except FetchError as why:
            return Failed(task.url, why.rule, why.detail, why.transient)
        return self._read(task, response)

    def _read(self, task: Task, response: Response) -> Outcome | Sitemap:
        if response.status in REDIRECT_STATUSES:
            return _redirect(response)
        if task.conditions() and response.status in (HTTPStatus.NOT_MODIFIED, *NO_CONDITIONS):
            if response.status == HTTPStatus.NOT_MODIFIED and not _changes_noindex(response, task.noindex):
                return Unchanged(task.url)
            return Failed(task.url, f"http-{response.status}", transient=True)  # to be requested without conditions
        if response.status not in PAGE_STATUSES:
            return _http_error(response)
        if task.sitemap:
            return Skipped(task.url, "type", {"problem": "page"}) if is_page(response) else read_sitemap(response)
        return read(response, self._extract, max_links=self._limits.links, keep_html=self._keep_html)

    def _robots(self, site: str) -> Skipped | RobotsFile:
        try:
            return fetch_robots(site, self._session, self._limits)
        except Rejected as why:  # nothing of this site may be fetched
            return Skipped(site, why.rule, why.detail)


def _check_limits(response: Response, limits: Limits) -> None:
    """Reject a given response that would not have been fetched."""
    if response.status in PAGE_STATUSES:
        check_type(response.headers, limits)
        if len(response.body) > limits.page_bytes:
            raise Rejected("size", limit=limits.page_bytes)


def _changes_noindex(response: Response, noindex: str) -> bool:
    """Whether the header of an unchanged page changes whether it may be indexed."""
    header = noindex_reason(in_header(response.headers.get("x-robots-tag", "")), HEADER)
    return not noindex if header else is_from_header(noindex)


def _redirect(response: Response) -> Redirect | Failed:
    try:
        return Redirect(response.url, redirect_target(response.headers, response.url), response.status)
    except BadUrl as error:
        return Failed(response.url, "redirect", {"problem": "invalid", "error": str(error)[:MAX_QUOTED]})


def _http_error(response: Response) -> Failed:
    status = response.status
    is_transient = status in TRANSIENT or status >= 500
    pause = retry_after(response.headers, time.time()) if is_transient else 0.0
    return Failed(response.url, f"http-{status}", {}, is_transient, pause)


def status(outcome: Outcome) -> tuple[str, str, Detail]:
    """(state, rule, detail) of a URL with this outcome.

    >>> status(Redirect("http://a/", "http://b/", 301))
    ('merged', 'redirect', {'status': 301, 'target': 'http://b/'})
    >>> status(Redirect("http://a/", "http://b/", 200))
    ('merged', 'redirect', {'problem': 'refresh', 'target': 'http://b/'})
    """
    if isinstance(outcome, Page):
        return "fetched", *_note(outcome)
    if isinstance(outcome, Redirect):
        kind = {"problem": "refresh"} if outcome.status in PAGE_STATUSES else {"status": outcome.status}
        return "merged", "redirect", {**kind, "target": outcome.target}
    if isinstance(outcome, Unchanged):
        return "fetched", "", {}
    return "skipped" if isinstance(outcome, Skipped) else "failed", outcome.rule, outcome.detail


def _note(page: Page) -> tuple[str, Detail]:
    """(rule, detail) of a page that is not indexed or was not read completely."""
    detail: Detail = {}
    if page.noindex:
        detail["directive"] = page.noindex
    if page.untaken:
        taken = len({link.url for link in page.links})
        detail |= {"links": taken + page.untaken, "taken": taken, "untaken": page.untaken}
    if page.unread:
        detail |= {"elements": MAX_ELEMENTS, "nesting": MAX_NESTING, "unread": page.unread}
    return "noindex" if page.noindex else "links" if page.untaken else "elements" if page.unread else "", detail
