"""Import an archive: a crawl whose responses come from the archive instead of the web.

The crawl starts at the seeds that the archive records and follows links; what no link leads to is visited last. So an
import gives the same pages, links and verdicts as the crawl. Responses are parsed by a worker process, as in a crawl.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from minisearch.archives.mirror import Mirror
from minisearch.archives.warc_reader import Archive, Warc
from minisearch.crawl.job import CrawlJob
from minisearch.crawl.options import CrawlOptions, restored
from minisearch.crawl.recording import RECORDED
from minisearch.crawl.scope import Rules
from minisearch.crawl.sitemaps import sitemap_limits
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import Pool, Result, pool_of
from minisearch.errors import BadInput, BadUrl
from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import PAGE_STATUSES, Response, check_type
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import CrawlSummary, Failed, Found, Page, Skipped, Visit
from minisearch.store.database import Store
from minisearch.urls import host, normalize

ABSENT = "archive"  # the rule by which a URL is skipped that is not in the archive
OPTIONS = tuple(name for name in RECORDED if name != "seeds")  # of a recorded crawl
ANY_DEPTH = 1_000_000
NO_LIMIT = 1_000_000_000_000  # of pages, requests, bytes
NO_TRAPS = Limits(  # an archive is finite, however similar its URLs are
    shape_pages=NO_LIMIT, shape_alike=NO_LIMIT, path_segments=NO_LIMIT, repeats=NO_LIMIT
)


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

    def __init__(self, archive: Archive, pool: Pool, limits: Limits, *, is_recording: bool = False) -> None:
        self._archive, self._pool, self._limits = archive, pool, limits
        self._is_recording = is_recording  # then hosts that failed were skipped; other archives are imported whole
        self._results: list[Result] = []  # of tasks that need no parsing
        self._dates: dict[int, str] = {}  # of the responses that are being parsed
        self.requested: set[str] = set()

    def has_room(self) -> bool:
        """Whether another task can be taken: not before the last one is done."""
        return not self._results and not self._dates

    def submit(self, key: int, task: Task) -> None:
        """Look up the response for a task and pass it on to the pool."""
        if task.robots:
            self._results.append((key, self._archive.decision(task.url, robots=True) or RobotsFile(404)))
            return
        self.requested.add(task.url)
        try:
            found = self._find(task)
        except Rejected as error:
            self._results.append((key, Skipped(task.url, error.rule, error.detail)))
        except FetchError as error:
            self._results.append((key, Failed(task.url, error.rule, error.detail)))
        else:
            if found is None:
                decision = self._archive.decision(task.url)
                self._results.append((key, decision or Skipped(task.url, ABSENT)))
            else:
                response, self._dates[key] = found
                self._pool.submit(key, replace(task, response=response))

    def _find(self, task: Task) -> tuple[Response, str] | None:
        """The response for a task and its date; raises what a fetch would raise for it."""
        limits = sitemap_limits(self._limits) if task.sitemap else self._limits
        found = self._archive.response(task.url, limits)
        if found is not None and found[0].status in PAGE_STATUSES:
            check_type(found[0].headers, limits)
            if len(found[0].body) > limits.page_bytes:
                raise Rejected("size", limit=limits.page_bytes)
        return found

    def results(self, timeout: float) -> list[Result]:
        """The finished tasks. Pages get the date of their response."""
        done, self._results = self._results, []
        for key, result in [] if done else self._pool.results(timeout):
            date = self._dates.pop(key)
            done.append((key, replace(result, fetched_at=date) if isinstance(result, Page) and date else result))
        if self._is_recording:
            return done
        return [
            (key, replace(result, transient=False) if isinstance(result, Failed) else result) for key, result in done
        ]

    def close(self) -> None:
        """Stop the workers."""
        self._pool.close()


@dataclass(frozen=True)
class ArchiveRules(Rules):
    """The scope of an import: the URLs in the archive, decided when they are discovered, since most links lead out."""

    holds: Callable[[str], bool] = lambda _: True

    def judge(self, url: str, depth: int) -> Skipped | None:
        """Why `url` may not be visited; None if it may."""
        if url not in self.roots and not self.holds(url):
            return Skipped(url, ABSENT)
        return super().judge(url, depth)


class ImportJob:
    """One import. Iterating it imports, and yields each visit after it is stored.

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
        stop: Callable[[], bool] = lambda: False,
        each_batch: Callable[[], object] = lambda: None,
    ) -> None:
        self._store, self._archive = store, archive
        self._stop, self._each_batch = stop, each_batch
        self._began = time.monotonic()
        recorded_seeds, recorded = _recorded(archive.about)
        self._seeds = list(seeds or recorded_seeds or [archive.start()])
        self._is_recording = bool(recorded_seeds) and not seeds
        unknown = {"scope": "any", "max_depth": ANY_DEPTH, "sitemaps": ("none",), "limits": NO_TRAPS}
        settings = recorded if self._is_recording else unknown
        settings.setdefault("max_pages", NO_LIMIT)  # the archive is limit enough
        settings["max_requests"] = NO_LIMIT  # none is sent
        self._options = CrawlOptions(**settings, delay=0.0, workers=workers, parser=parser, keep_html=keep_html)
        self._pools: list[ArchivePool] = []
        self.ignored: Counter[str] = archive.ignored
        self.warning = archive.warning
        self.size = len(archive.urls())
        self._crawl = self._make_crawl()

    @property
    def fetched_before(self) -> int:
        """How many pages earlier runs have imported."""
        return self._crawl.fetched_before

    def _make_crawl(self) -> CrawlJob:
        """A crawl of the archive. It neither uses nor keeps the robots.txt files of the web."""
        return CrawlJob(
            self._store,
            self._seeds,
            self._options,
            stop=self._stop,
            each_batch=self._each_batch,
            resolve=lambda _: [],  # there are no connections
            make_pool=self._make_pool,
            make_rules=None if self._is_recording else self._make_rules,
            cache_robots=False,
            retry=False,  # the archive has the last response only
        )

    def _make_rules(self, roots: tuple[str, ...]) -> Rules:
        limits = self._options.limits
        return ArchiveRules(roots, "any", max_depth=ANY_DEPTH, limits=limits, holds=self._is_held)

    def _is_held(self, url: str) -> bool:
        return self._archive.location(url) is not None

    def _make_pool(self) -> Pool:
        options = self._options
        parsers = pool_of(
            options.workers or 0, parser=options.parser, limits=options.limits, keep_html=options.keep_html
        )
        self._pools.append(ArchivePool(self._archive, parsers, options.limits, is_recording=self._is_recording))
        return self._pools[-1]

    def __iter__(self) -> Iterator[Visit]:
        yield from self._crawl
        left = list(self._left())
        if not left or self._stop():
            return
        with self._store.transaction():
            found = [Found(url, host(url), 1) for url in left]
            self._store.urls.discover(self._crawl.crawl_id, None, found, max_depth=self._options.max_depth)
        self._crawl = self._make_crawl()
        yield from self._crawl

    def _left(self) -> Iterator[str]:
        """The URLs in the archive that nothing led to, in this run or an earlier one."""
        urls, location = self._store.urls, self._archive.location
        fetched = (url for url, _ in urls.fetched(self._crawl.crawl_id))
        seen = {location(url) for url in fetched}.union(*(map(location, pool.requested) for pool in self._pools))
        for url in self._archive.urls():
            if location(url) not in seen:
                known = urls.verdict(url)
                if known is None or (not self._is_recording and known.rule == "nofollow"):
                    yield url

    def waiting(self) -> int:
        """How many URLs are queued."""
        return self._crawl.waiting()

    def elapsed(self) -> float:
        """Seconds since it started."""
        return time.monotonic() - self._began

    def summary(self) -> CrawlSummary:
        """The fate of every URL."""
        return replace(self._crawl.summary(), seconds=self.elapsed())


def _recorded(about: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The seeds and options of the crawl that an archive is a recording of; nothing if it is not one of ours."""
    seeds = about.get("seeds")
    if not isinstance(seeds, list) or not seeds or not all(isinstance(seed, str) for seed in seeds):
        return [], {}
    try:
        settings = restored(about, OPTIONS)
        options = CrawlOptions(**settings)
        if not all(map(_is_like, _plain_values(options), _plain_values(CrawlOptions()))):
            return [], {}
        Rules(tuple(map(normalize, seeds)), options.scope, max_depth=options.max_depth)
    except (BadInput, BadUrl, TypeError, ValueError, KeyError, AttributeError):
        return [], {}  # of another version: treated as any other archive
    return seeds, settings


def _plain_values(options: CrawlOptions) -> list[Any]:
    """The values of all recorded options, limits included."""
    limits = [getattr(options.limits, field.name) for field in fields(Limits)]
    return [getattr(options, name) for name in OPTIONS if name != "limits"] + limits


def _is_like(value: Any, default: Any) -> bool:
    """Whether a value may replace the default of an option.

    >>> _is_like(("a", "b"), ()), _is_like((1,), ()), _is_like(2, 1.5), _is_like("2", 1), _is_like(10**30, 1)
    (True, False, True, False, False)
    """
    if isinstance(default, tuple):
        return all(isinstance(each, str) for each in value)
    if isinstance(default, str):
        return isinstance(value, str)
    return isinstance(value, int | float if isinstance(default, float) else int) and value <= NO_LIMIT
