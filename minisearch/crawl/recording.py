"""Recordings of crawls: write one while a crawl runs, and import one as if it was crawled.

Workers send each response along with the outcome; the pool writes them to the file.

An import is a crawl whose responses come from an archive instead of the web: a WARC file or a folder. It starts at the
seeds that the archive records and follows links; what no link leads to is visited last. So an import gives the same
pages, links and verdicts as the crawl. Responses are parsed by a worker process, as in a crawl.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from minisearch.archives.mirror import Mirror
from minisearch.archives.warc_reader import Warc
from minisearch.archives.warc_writer import WarcFile, decision_record, response_record
from minisearch.crawl.frontier import RetryPolicy
from minisearch.crawl.job import CrawlJob, CrawlOptions, restored
from minisearch.crawl.policy import Rules
from minisearch.crawl.sitemaps import Sitemap, sitemap_limits
from minisearch.crawl.visit import Task, Visitor
from minisearch.crawl.workers import Pool, Result, pool_of
from minisearch.errors import BadInput, BadUrl
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Response, Session, fetch
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import MAX_SECONDS, Limits
from minisearch.models import Failed, Found, Outcome, Page, Skipped, Visit
from minisearch.store.database import Store
from minisearch.urls import host, normalize

Archive = Mirror | Warc

# What an import needs in order to repeat the crawl. Other options, such as request headers, are not written.
RECORDED = ("seeds", "scope", "include", "exclude", "max_depth", "max_pages", "order", "sitemaps", "limits")
ABSENT = "archive"  # the rule by which a URL is skipped that is not in the archive
ANY_DEPTH = 1_000_000
NO_LIMIT = 1_000_000_000_000  # of pages, requests, bytes
WHOLE = Limits(  # an archive is finite, however similar its URLs are, and its hosts cannot be overloaded
    pattern_pages=NO_LIMIT,
    pattern_repeats=NO_LIMIT,
    path_segments=NO_LIMIT,
    repeats=NO_LIMIT,
    host_failures=NO_LIMIT,
    pause_seconds=MAX_SECONDS,
)


# -- recording -----------------------------------------------------------------------------------


class Recorded(NamedTuple):
    """The outcome of a task, and the response that it was made from."""

    outcome: Outcome | RobotsFile | Sitemap
    response: Response | None


class RecordingVisitor:
    """A visitor that keeps the responses it gets; its options are those of Visitor."""

    def __init__(self, **options: Any) -> None:
        self._response: Response | None = None
        self._visit = Visitor(fetch=self._fetch, **options)

    def _fetch(self, url: str, session: Session, limits: Limits, **options: Any) -> Response:
        self._response = fetch(url, session, limits, **options)
        return self._response

    def __call__(self, task: Task) -> Recorded:
        """Run a task."""
        self._response = None
        return Recorded(self._visit(task), self._response)


class RecordingPool:
    """A pool whose workers send responses as well; writes them to a file.

    `about` holds the seeds and options of the crawl; other options are those of the pool.
    """

    def __init__(self, path: str | Path, about: Mapping[str, Any], workers: int, **options: Any) -> None:
        # The file first: if it cannot be written, no worker is started.
        self._file = WarcFile(path, {name: about[name] for name in RECORDED if name in about})
        self._pool = pool_of(workers, record=True, **options)
        self._tasks: dict[int, Task] = {}

    def has_room(self) -> bool:
        """Whether the pool can take another task."""
        return self._pool.has_room()

    def submit(self, key: int, task: Task) -> None:
        """Hand a task to the pool."""
        self._tasks[key] = task
        self._pool.submit(key, task)

    def results(self, timeout: float) -> list[Result]:
        """The finished tasks, after their records are written."""
        done: list[Result] = []
        results: list[tuple[int, Any]] = [*self._pool.results(timeout)]
        for key, result in results:
            task = self._tasks.pop(key)
            # If a worker died, the result is of the pool.
            outcome, response = result if isinstance(result, Recorded) else (result, None)
            if response is not None:
                self._file.add(response_record(response))
            elif isinstance(outcome, RobotsFile | Skipped | Failed):
                self._file.add(decision_record(task.url, outcome, robots=task.robots))
            done.append((key, outcome))
        return done

    def close(self) -> None:
        """Stop the workers and close the file."""
        self._pool.close()
        self._file.close()


# -- import --------------------------------------------------------------------------------------


def open_archive(path: str | Path, base: str = "") -> Archive:
    """The archive in a file or a folder."""
    path = Path(path)
    if not path.exists():
        raise BadInput(f'there is no "{path}" to import')
    if path.is_dir():
        return Mirror(path, base)
    if path.suffix.lower() in (".html", ".htm"):
        raise BadInput(f'"{path}" is one page: import the folder it is in')
    return Warc(path)


class ArchivePool:
    """Takes responses from an archive and has a pool parse them, one at a time.

    One at a time, because which pages a crawl with a page limit visits depends on the order in which it sees links.
    """

    def __init__(self, archive: Archive, pool: Pool, limits: Limits) -> None:
        self._archive, self._pool, self._limits = archive, pool, limits
        self._results: list[Result] = []  # of tasks that need no parsing
        self._dates: dict[int, str] = {}  # of the responses that are being parsed

    def has_room(self) -> bool:
        """Whether another task can be taken: not before the last one is done."""
        return not self._results and not self._dates

    def submit(self, key: int, task: Task) -> None:
        """Look up the response for a task and pass it on to the pool."""
        if task.robots:
            self._results.append((key, self._archive.decision(task.url, robots=True) or RobotsFile(404)))
            return
        try:
            found = self._archive.response(task.url, sitemap_limits(self._limits) if task.sitemap else self._limits)
        except FetchError as error:
            self._results.append((key, Failed(task.url, error.rule, error.detail)))
            return
        if found is None:
            self._results.append((key, self._archive.decision(task.url) or Skipped(task.url, ABSENT)))
        else:
            response, self._dates[key] = found
            self._pool.submit(key, replace(task, response=response))

    def results(self, timeout: float) -> list[Result]:
        """The finished tasks. Pages get the date of their response."""
        done, self._results = self._results, []
        for key, result in [] if done else self._pool.results(timeout):
            date = self._dates.pop(key)
            done.append((key, replace(result, fetched_at=date) if isinstance(result, Page) and date else result))
        return done

    def close(self) -> None:
        """Stop the workers."""
        self._pool.close()


@dataclass(frozen=True)
class ArchiveRules(Rules):
    """The scope of an import: the URLs in the archive, decided when they are discovered, since most links lead out."""

    location: Callable[[str], object] = lambda _: None  # what holds the response for a URL

    def judge(self, url: str, depth: int) -> Skipped | None:
        """Why `url` may not be visited; None if it may."""
        if url not in self.roots and self.location(url) is None:
            return Skipped(url, ABSENT)
        return super().judge(url, depth)


class ImportJob(CrawlJob):
    """One import: a crawl of an archive. It neither uses nor keeps the robots.txt files of the web.

    `workers` is 1 or 0: whether pages are parsed by a process of its own, which a page cannot hang or crash, or by this
    one.
    """

    def __init__(
        self,
        store: Store,
        archive: Archive,
        *,
        seeds: Sequence[str] = (),
        parser: str = "fast",
        keep_html: bool = True,
        workers: int = 1,
        **how: Any,
    ) -> None:
        recorded_seeds, recorded = _recorded(archive.about)
        self._archive = archive
        self._is_recording = bool(recorded_seeds) and not seeds
        unknown = {"scope": "any", "max_depth": ANY_DEPTH, "sitemaps": ("none",), "limits": WHOLE}
        settings = recorded if self._is_recording else unknown
        settings.setdefault("max_pages", NO_LIMIT)  # the archive is limit enough
        settings["max_requests"] = NO_LIMIT  # none is sent
        options = CrawlOptions(**settings, workers=workers, parser=parser, keep_html=keep_html)
        seeds = seeds or recorded_seeds or [archive.start()]
        super().__init__(store, seeds, options, resolve=lambda _: [], **how)  # there are no connections
        self._retry_policy = RetryPolicy(replace(options.limits, tries=1))  # the archive has the last response only
        self._delay = 0.0
        self._load_robots, self._save_robots = lambda _: None, lambda *_: None
        self.ignored: Counter[str] = archive.ignored
        self.warning = archive.warning
        self.size = len(archive.urls())

    def _rules_for(self, roots: tuple[str, ...]) -> Rules:
        if self._is_recording:
            return super()._rules_for(roots)
        limits = self._options.limits
        return ArchiveRules(roots, "any", max_depth=ANY_DEPTH, limits=limits, location=self._archive.location)

    def _pool(self) -> Pool:
        options = self._options
        parsers = pool_of(
            options.workers or 0, parser=options.parser, limits=options.limits, keep_html=options.keep_html
        )
        return ArchivePool(self._archive, parsers, options.limits)

    def _settings(self) -> dict[str, Any]:
        """The options of a recorded crawl. A recrawl of another archive has the usual limits: the web has no end."""
        settings = super()._settings()
        return settings if self._is_recording else {name: settings[name] for name in ("parser", "keep_html")}

    def __iter__(self) -> Iterator[Visit]:
        yield from super().__iter__()
        left = [Found(url, host(url), 1) for url in self._left()]
        if not left or self._stop():
            return
        with self._store.transaction():
            self._store.urls.discover(self.crawl_id, None, left)
        yield from super().__iter__()

    def _left(self) -> Iterator[str]:
        """The URLs in the archive that nothing led to, in this run or an earlier one."""
        urls, location = self._store.urls, self._archive.location
        seen = {location(url) for url, _ in urls.fetched(self.crawl_id)}
        for url in self._archive.urls():
            if location(url) not in seen:
                known = urls.verdict(url)
                if known is None or (not self._is_recording and known.rule == "nofollow"):
                    yield url


def _recorded(about: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The seeds and options of the crawl that an archive is a recording of; nothing if it is not one of ours."""
    seeds = about.get("seeds")
    if not isinstance(seeds, list) or not seeds or not all(isinstance(seed, str) for seed in seeds):
        return [], {}
    try:
        settings = restored(about, {*RECORDED} - {"seeds"})
        options = CrawlOptions(**settings)
        Rules(tuple(map(normalize, seeds)), options.scope)
    except (BadInput, BadUrl, TypeError, ValueError, KeyError, AttributeError):
        return [], {}  # of another version: treated as any other archive
    return seeds, settings
