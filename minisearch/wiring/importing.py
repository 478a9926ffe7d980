"""An archive into the file: a crawl that is answered from the archive instead of the web.

The crawl begins where the archive says it began and goes the same way; what no link leads to is visited last. So
what is imported has the same pages, links and verdicts as if it had been crawled.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from minisearch.archives.mirror import Mirror
from minisearch.archives.warc_reader import ABSENT, NOT_THERE, Archive, ArchiveVisitor, Warc
from minisearch.crawl.scope import Rules
from minisearch.errors import BadInput, BadUrl
from minisearch.limits import Limits
from minisearch.records import CrawlSummary, Found, Skipped, Visit
from minisearch.store.store import Store
from minisearch.urls import host, normalize
from minisearch.wiring.choices import CrawlOptions
from minisearch.wiring.crawling import Crawling

AGAIN = ("scope", "include", "exclude", "max_depth", "max_pages", "order", "sitemaps", "limits")  # that shaped a crawl
ANY_DEPTH = 1_000_000
NO_LIMIT = 1_000_000_000_000  # of pages, bytes ...
NO_TRAPS = Limits(  # an archive has an end, however much its urls are alike
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


@dataclass(frozen=True)
class _Rules(Rules):
    """The borders of a crawl of what an archive holds, decided when a url is met: most links lead out of it."""

    holds: Callable[[str], bool] = lambda _: True

    def judge(self, url: str, depth: int) -> Skipped | None:
        if url not in self.roots and not self.holds(url):
            return Skipped(url, NOT_THERE, ABSENT)
        return super().judge(url, depth)


class _Crawling(Crawling):
    """A crawl of an archive. Its robots.txt is that of the archive: nothing to go by on the web, then or later."""

    def __init__(self, *arguments: Any, holds: Callable[[str], bool] | None, **options: Any) -> None:
        self._holds = holds  # if it was crawled by others, we do not know their rules
        super().__init__(*arguments, **options)

    def _begin(self) -> int:
        crawl = super()._begin()
        if self._holds is not None:
            self._rules = _Rules(
                self._rules.roots, "any", max_depth=ANY_DEPTH, limits=self._options.limits, holds=self._holds
            )
            with self._store.transaction():
                self._store.journal.reconsider(crawl, self._rules.judge)
        return crawl

    def _recall_robots(self, site: str) -> None:  # noqa: ARG002
        return None

    def _keep_robots(self) -> None:
        self._robots_read.clear()


class Importing:
    """One import. Iterating it imports, and gives each visit when it is written down."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        *,
        seeds: Sequence[str] = (),
        parser: str = "fast",
        keep_html: bool = True,
        stop: Callable[[], bool] = lambda: False,
        each_batch: Callable[[], object] = lambda: None,
    ) -> None:
        self._store, self._archive = store, archive
        self._stop, self._each_batch = stop, each_batch
        self._began = time.monotonic()
        told, recorded = _recorded(archive.about)
        self._seeds = list(seeds or told or [archive.start()])
        self._ours = bool(told) and not seeds
        others = {"scope": "any", "max_depth": ANY_DEPTH, "sitemaps": ("none",), "limits": NO_TRAPS}
        settings = recorded if self._ours else others
        settings.setdefault("max_pages", NO_LIMIT)  # what the archive holds is limit enough
        settings["max_requests"] = NO_LIMIT  # none is sent
        self._options = CrawlOptions(**settings, delay=0.0, workers=0, parser=parser, keep_html=keep_html)
        self._visitor = ArchiveVisitor(archive, parser=parser, limits=self._options.limits)
        self.passed: Counter[str] = archive.passed
        self.size = len(archive.urls())
        self._crawling = self._crawl()
        self.fetched_before = self._crawling.fetched_before

    def _crawl(self) -> Crawling:
        return _Crawling(
            self._store,
            self._seeds,
            self._options,
            stop=self._stop,
            each_batch=self._each_batch,
            visitor=self._visitor,
            resolve=lambda _: [],  # nobody is connected to
            holds=None if self._ours else self._archive.has,
        )

    def __iter__(self) -> Iterator[Visit]:
        yield from self._crawling
        left = list(self._left())
        if not left or self._stop():
            return
        with self._store.transaction():
            found = [Found(url, host(url), 1) for url in left]
            self._store.journal.meet(self._crawling.crawl_id, None, found, max_depth=self._options.max_depth)
        self._crawling = self._crawl()
        yield from self._crawling

    def _left(self) -> Iterator[str]:
        """What is in the archive and nothing led to, in this run or an earlier one."""
        journal, place = self._store.journal, self._archive.place
        asked = {*self._visitor.asked, *(url for url, _ in journal.fetched(self._crawling.crawl_id))}
        places = {place(url) for url in asked}
        for url in self._archive.urls():
            if place(url) not in places:
                known = journal.verdict(url)
                if known is None or (not self._ours and known.rule == "nofollow"):
                    yield url

    def waiting(self) -> int:
        """How many urls wait for their turn."""
        return self._crawling.waiting()

    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def summary(self) -> CrawlSummary:
        """What became of every url."""
        return replace(self._crawling.summary(), seconds=self.elapsed())


def _recorded(about: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The seeds and the options of the crawl that an archive is the record of, if it is one of ours."""
    seeds = about.get("seeds")
    if not isinstance(seeds, list) or not seeds or not all(isinstance(seed, str) for seed in seeds):
        return [], {}
    try:
        settings: dict[str, Any] = {name: about[name] for name in AGAIN if name in about}
        for name in ("include", "exclude", "sitemaps"):
            if name in settings:
                settings[name] = tuple(settings[name])
        if "limits" in settings:
            known = {field.name for field in fields(Limits)}
            limits = {name: value for name, value in settings["limits"].items() if name in known}
            settings["limits"] = Limits(**limits | {"types": tuple(limits["types"])})
        options = CrawlOptions(**settings)
        if not all(map(_alike, _plain_values(options), _plain_values(CrawlOptions()))):
            return [], {}
        Rules(tuple(map(normalize, seeds)), options.scope, max_depth=options.max_depth)
    except (BadInput, BadUrl, TypeError, ValueError, KeyError, AttributeError):
        return [], {}  # of a version that speaks of other things: taken as any other archive
    return seeds, settings


def _plain_values(options: CrawlOptions) -> list[Any]:
    """All that shaped a crawl, limits and all."""
    limits = [getattr(options.limits, field.name) for field in fields(Limits)]
    return [getattr(options, name) for name in AGAIN if name != "limits"] + limits


def _alike(value: Any, usual: Any) -> bool:
    """Whether a value can stand where there usually is another.

    >>> _alike(("a", "b"), ()), _alike((1,), ()), _alike(2, 1.5), _alike("2", 1), _alike(10**30, 1)
    (True, False, True, False, False)
    """
    if isinstance(usual, tuple):
        return all(isinstance(each, str) for each in value)
    if isinstance(usual, str):
        return isinstance(value, str)
    return isinstance(value, int | float if isinstance(usual, float) else int) and value <= NO_LIMIT
