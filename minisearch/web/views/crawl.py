"""Crawls that visitors start, where `serve --allow-crawl` permits it: a form, progress, and a stop button.

The crawl is a thread of the server, so there is one at a time, and it ends with the server. What it has fetched is in
the file, and the same form resumes it.
"""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from minisearch.engine import Engine
from minisearch.errors import BadInput, MiniSearchError
from minisearch.models import Failed, Page
from minisearch.web.config import settings
from minisearch.web.params import URL, integer, lenient

KEY = "minisearch.crawler"  # among the extensions of the application
MAX_PAGES = 10_000
NOT_STORED = {"Cache-Control": "no-store"}
RUNNING = ("crawling", "indexing", "ranking")

bp = Blueprint("crawl", __name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a crawl."""

    state: str = "idle"  # or one of RUNNING, done, stopped, failed
    url: str = ""
    fetched: int = 0
    failed: int = 0
    queued: int = 0
    last: str = ""
    error: str = ""

    @property
    def is_running(self) -> bool:
        """Whether the crawl is not over yet."""
        return self.state in RUNNING


class Crawler:
    """The one crawl of a server; `allow_private`: it may fetch private addresses."""

    def __init__(self, db: str, *, allow_private: bool) -> None:
        self._db, self._allow_private = db, allow_private
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.progress = Progress()

    def start(self, url: str, max_pages: int) -> None:
        """Start a crawl in a thread, unless one is running."""
        url = Engine.normalize(url)
        with self._lock:
            if self.progress.is_running:
                raise BadInput("a crawl is already running")
            self._stop.clear()
            self.progress = Progress("crawling", url)
        threading.Thread(target=self._run, args=(url, max_pages), name="crawl", daemon=True).start()

    def stop(self) -> None:
        """Stop the crawl soon, and index what it has fetched."""
        self._stop.set()

    def _run(self, url: str, max_pages: int) -> None:
        try:
            with Engine(self._db) as engine:
                self._crawl(engine, url, max_pages)
        except MiniSearchError as error:
            self._update(state="failed", error=str(error))
        except Exception:
            self._update(state="failed", error="Internal error. The server log has the details.")
            raise

    def _crawl(self, engine: Engine, url: str, max_pages: int) -> None:
        job = engine.crawling(
            url, max_pages=max_pages, workers=0, stop=self._stop.is_set, public_only=not self._allow_private
        )
        for visit in job:
            now = self.progress
            self._update(
                fetched=now.fetched + isinstance(visit.outcome, Page),
                failed=now.failed + isinstance(visit.outcome, Failed),
                queued=job.waiting(),
                last=visit.queued.url,
            )
        self._update(state="indexing")
        engine.index(compact=True)
        self._update(state="ranking")
        engine.rank()
        self._update(state="stopped" if self._stop.is_set() else "done")

    def _update(self, **changes: Any) -> None:
        self.progress = replace(self.progress, **changes)


def crawler() -> Crawler:
    """The crawler of this application, where crawls are allowed and the server is one process."""
    if not settings().allow_crawl:
        abort(404)
    if request.environ.get("wsgi.multiprocess"):  # each process would have a crawl of its own
        raise BadInput("crawls can be started only on a server with one process: run it with one worker")
    found: Crawler = current_app.extensions[KEY]
    return found


@bp.get("/crawl")
def show() -> tuple[str, dict[str, str]]:
    """The form, or the progress of the crawl. Without JavaScript the page reloads itself."""
    return render_template("crawl.html", progress=crawler().progress, max_pages=MAX_PAGES), NOT_STORED


@bp.post("/crawl")
def start() -> AnyResponse:
    """Start a crawl."""
    crawler().start(lenient("url", URL), lenient("pages", integer(1, MAX_PAGES, 100)))
    return redirect(url_for(".show"), 303)


@bp.post("/crawl/stop")
def stop() -> AnyResponse:
    """Stop the crawl."""
    crawler().stop()
    return redirect(url_for(".show"), 303)


@bp.get("/crawl/status")
def status() -> tuple[dict[str, Any], dict[str, str]]:
    """The progress, for a page that polls it."""
    progress = crawler().progress
    return {**asdict(progress), "is_running": progress.is_running}, NOT_STORED
