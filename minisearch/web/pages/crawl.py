"""A crawl started from a page, where the owner allows it: a form, live progress, and a button that stops it.

The crawl is a thread of the server, so there is one at a time, and it ends with the server; what it has fetched is in
the file, and the same form goes on with it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from minisearch.engine import Engine
from minisearch.errors import BadInput, MiniSearchError
from minisearch.models import Failed, Page
from minisearch.web.settings import settings

KEY = "minisearch.crawler"  # among the extensions of the application
MOST_PAGES = 10_000
A_MOMENT = 0.5  # seconds between two reports to a page that watches
LONGEST_WATCH = 600  # seconds; a browser that still watches asks again by itself

pages = Blueprint("crawl", __name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a crawl is."""

    state: str = "idle"  # crawling, indexing, ranking, done, stopped or failed
    url: str = ""
    fetched: int = 0
    failed: int = 0
    waiting: int = 0
    last: str = ""
    trouble: str = ""

    @property
    def is_running(self) -> bool:
        """Whether there is still something to wait for."""
        return self.state in ("crawling", "indexing", "ranking")


class Crawler:
    """The one crawl of a server. `inside`: whether it may begin at an address inside our own network."""

    def __init__(self, db: str, *, inside: bool) -> None:
        self._db, self._inside = db, inside
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.progress = Progress()

    def start(self, url: str, most: int) -> None:
        """Begin, unless a crawl is running."""
        url = Engine.normalize(url)
        with self._lock:
            if self.progress.is_running:
                raise BadInput("a crawl is running already: wait for it, or stop it")
            self._stop.clear()
            self.progress = Progress("crawling", url)
        threading.Thread(target=self._run, args=(url, most), name="crawl", daemon=True).start()

    def stop(self) -> None:
        """Let the crawl end soon, with all it has fetched indexed."""
        self._stop.set()

    def _run(self, url: str, most: int) -> None:
        try:
            with Engine(self._db) as engine:
                self._crawl(engine, url, most)
        except MiniSearchError as error:
            self._tell(state="failed", trouble=str(error))
        except Exception:
            self._tell(state="failed", trouble="Something went wrong here; the log knows more.")
            raise

    def _crawl(self, engine: Engine, url: str, most: int) -> None:
        crawling = engine.crawling(url, max_pages=most, workers=0, stop=self._stop.is_set, public_only=not self._inside)
        for visit in crawling:
            now = self.progress
            self._tell(
                fetched=now.fetched + isinstance(visit.outcome, Page),
                failed=now.failed + isinstance(visit.outcome, Failed),
                waiting=crawling.waiting(),
                last=visit.queued.url,
            )
        self._tell(state="indexing")
        engine.index(compact=True)
        self._tell(state="ranking")
        engine.rank()
        self._tell(state="stopped" if self._stop.is_set() else "done")

    def _tell(self, **news: object) -> None:
        self.progress = replace(self.progress, **news)  # type: ignore[arg-type]


def crawler() -> Crawler:
    """The crawler of this application, if its owner allows crawls."""
    if not settings().allow_crawl:
        abort(404)
    found: Crawler = current_app.extensions[KEY]
    return found


@pages.get("/crawl")
def show() -> Response:
    """The form, or how far the crawl is. Without scripts the page loads itself again."""
    progress = crawler().progress
    answer = Response(render_template("crawl.html", progress=progress, most=MOST_PAGES), mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.post("/crawl")
def start() -> AnyResponse:
    """Begin a crawl."""
    most = min(max(request.form.get("pages", 100, type=int), 1), MOST_PAGES)
    crawler().start(request.form.get("url", "")[:8000], most)
    return redirect(url_for("crawl.show"), 303)


@pages.post("/crawl/stop")
def stop() -> AnyResponse:
    """End it."""
    crawler().stop()
    return redirect(url_for("crawl.show"), 303)


@pages.get("/crawl/events")
def events() -> Response:
    """How far it is, again and again (server-sent events)."""
    watched = crawler()

    def tell() -> Iterator[str]:
        until = time.monotonic() + LONGEST_WATCH
        while time.monotonic() < until:
            progress = watched.progress
            yield f"data: {json.dumps(asdict(progress))}\n\n"
            if not progress.is_running:
                return
            time.sleep(A_MOMENT)

    answer = Response(tell(), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"  # nginx shall pass each report on at once
    return answer
