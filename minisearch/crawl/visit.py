"""One task of a crawl: fetch a URL and read the response. No exception leaves it: every outcome is a record."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from minisearch.crawl.sitemaps import Sitemap, is_page, read_sitemap, sitemap_limits
from minisearch.errors import BadUrl
from minisearch.fetch import deadline
from minisearch.fetch.announced import redirect_target, retry_after
from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import (
    LONGEST_TOLD,
    MOVED,
    SHOWN,
    USER_AGENT,
    Response,
    Session,
    check_type,
    fetch,
    open_session,
)
from minisearch.fetch.guard import AddressBlocked, Guard, bare_host
from minisearch.fetch.robots import RobotsFile, fetch_robots
from minisearch.limits import Limits
from minisearch.parse.reader import extractor, read
from minisearch.parse.robots_meta import HEADER, in_header, is_from_header, noindex_reason
from minisearch.parse.sketches import sketch
from minisearch.records import Failed, Outcome, Page, Redirect, Skipped, Unchanged

Fetch = Callable[..., Response]  # (url, session, limits, headers=...)
# Statuses of servers that cannot deal with a conditional request. They say nothing about the page.
NO_CONDITIONS = (HTTPStatus.BAD_REQUEST, HTTPStatus.PRECONDITION_FAILED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
TRANSIENT = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)  # of the 4xx


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker has to do: fetch and read a page, the robots.txt of an origin, or a sitemap."""

    url: str
    robots: bool = False
    sitemap: bool = False
    again: bool = False  # whether it failed before
    sketch: bool = False  # whether the page is to be compared with others of its URL pattern
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
        session: Session | None = None,
        fetch: Fetch = fetch,
        keep_html: bool = True,
    ) -> None:
        self._keep_html = keep_html
        self._fetch = fetch  # where responses come from: the web, or an archive
        self._session = session or open_session(user_agent, guard=guard)
        self._extract = extractor(parser)
        self._limits = limits or Limits()

    def __call__(self, task: Task) -> Outcome | RobotsFile | Sitemap:
        """Do a task. A task that failed before gets a new connection: some servers break each in the same way."""
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
            return Skipped(task.url, why.reason, why.rule)
        except FetchError as why:
            return Failed(task.url, why.reason, why.rule, why.transient)
        return self._read(task, response)

    def _read(self, task: Task, response: Response) -> Outcome | RobotsFile | Sitemap:
        if response.status in MOVED:
            return _redirect(response)
        if task.conditions() and response.status in (HTTPStatus.NOT_MODIFIED, *NO_CONDITIONS):
            if response.status == HTTPStatus.NOT_MODIFIED and not _changes_noindex(response, task.noindex):
                return Unchanged(task.url)
            return self(replace(task, etag="", last_modified=""))
        if response.status not in SHOWN:
            return _http_error(response)
        if task.sitemap:
            return Skipped(task.url, "it is an HTML page", "type") if is_page(response) else read_sitemap(response)
        outcome = read(response, self._extract, max_links=self._limits.links, keep_html=self._keep_html)
        if task.sketch and isinstance(outcome, Page):
            return replace(outcome, sketch=sketch(outcome))
        return outcome

    def _robots(self, site: str) -> Skipped | RobotsFile:
        try:
            with deadline.within(self._limits.page_seconds) as time_left:
                file = fetch_robots(site, self._session, self._limits)
            late = f"not done after {self._limits.page_seconds:g} seconds"
            return RobotsFile(0, trouble=late) if time_left.late else file  # a part of it must not count as all of it
        except FetchError as why:
            return RobotsFile(0, trouble=why.reason)
        except Rejected as why:
            if isinstance(why, AddressBlocked) and why.host == bare_host(site + "/"):
                return Skipped(site, why.reason, why.rule)  # nothing of this site may be fetched
            return RobotsFile(0, trouble=why.reason)


def _check_limits(response: Response, limits: Limits) -> None:
    """Reject a given response that would not have been fetched."""
    if response.status in SHOWN:
        check_type(response.headers, limits)
        if len(response.body) > limits.page_bytes:
            raise Rejected(f"larger than {limits.page_bytes:,} bytes", "size")


def _changes_noindex(response: Response, noindex: str) -> bool:
    """Whether the header of an unchanged page changes whether it may be indexed."""
    header = noindex_reason(in_header(response.headers.get("x-robots-tag", "")), HEADER)
    return not noindex if header else is_from_header(noindex)


def _redirect(response: Response) -> Redirect | Failed:
    try:
        return Redirect(response.url, redirect_target(response.headers, response.url), response.status)
    except BadUrl as error:
        return Failed(response.url, f"redirects to an invalid URL: {str(error)[:LONGEST_TOLD]}", "redirect")


def _http_error(response: Response) -> Failed:
    status = response.status
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    is_transient = status in TRANSIENT or status >= 500
    pause = retry_after(response.headers, time.time()) if is_transient else 0.0
    reason = f"the server answered {status} {phrase}".rstrip()
    return Failed(response.url, reason, f"http-{status}", is_transient, pause)
