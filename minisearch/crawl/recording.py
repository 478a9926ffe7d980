"""Record a crawl in a WARC file while it runs.

Workers turn each response into a WARC record and send it along with the outcome; the pool appends the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from minisearch.archives.warc_writer import WarcFile, decision_record, is_compressed, response_record
from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.visit import Task, Visitor
from minisearch.crawl.workers import Pool, Result, pool_of
from minisearch.fetch.fetcher import Response, Session, fetch
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Outcome, Skipped

# What an import needs in order to repeat the crawl. Other options, such as request headers, are not written.
RECORDED = ("seeds", "scope", "include", "exclude", "max_depth", "max_pages", "order", "sitemaps", "limits")


class Recorded(NamedTuple):
    """The outcome of a task and its WARC records."""

    outcome: Outcome | RobotsFile | Sitemap
    records: bytes


class RecordingVisitor:
    """A visitor that keeps the responses it gets; its options are those of Visitor."""

    def __init__(self, *, compressed: bool = True, **options: Any) -> None:
        self._compressed = compressed
        self._responses: list[Response] = []
        self._visit = Visitor(fetch=self._fetch, **options)

    def _fetch(self, url: str, session: Session, limits: Limits, **options: Any) -> Response:
        response = fetch(url, session, limits, **options)
        self._responses.append(response)
        return response

    def __call__(self, task: Task) -> Recorded:
        """Run a task."""
        self._responses.clear()
        outcome = self._visit(task)
        if self._responses:
            records = b"".join(response_record(each, compressed=self._compressed) for each in self._responses)
        else:
            records = _decision(task, outcome, self._compressed)
        return Recorded(outcome, records)


class RecordingPool:
    """A pool whose workers record; appends their records to a file."""

    def __init__(self, pool: Pool, path: str | Path, about: Mapping[str, Any]) -> None:
        self._pool = pool
        self._tasks: dict[int, Task] = {}
        try:
            self._file = WarcFile(path, {name: about[name] for name in RECORDED if name in about})
        except BaseException:
            pool.close()
            raise

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
            if not isinstance(result, Recorded):  # the worker died, and the pool made the result
                result = Recorded(result, _decision(task, result, self._file.compressed))
            self._file.append(result.records)
            done.append((key, result.outcome))
        return done

    def close(self) -> None:
        """Stop the workers and close the file."""
        self._pool.close()
        self._file.close()


def recording_pool(path: str, about: Mapping[str, Any], workers: int, *, most: int = 0, **options: Any) -> Pool:
    """A pool that records into the file at `path`; `about` holds the seeds and options of the crawl."""
    options["record"] = "gzip" if is_compressed(path) else "plain"
    return RecordingPool(pool_of(workers, most=most, **options), path, about)


def _decision(task: Task, outcome: Outcome | RobotsFile | Sitemap, compressed: bool) -> bytes:
    """The record of an outcome without a response; empty if it needs none."""
    if not isinstance(outcome, RobotsFile | Skipped | Failed):
        return b""
    return decision_record(task.url, outcome, robots=task.robots, compressed=compressed)
