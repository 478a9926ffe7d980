"""What the crawler gives its tasks to: `Inline` does them in this process, `WorkerPool` (workers.py) in others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.visit import Task
from minisearch.fetch.robots import RobotsFile
from minisearch.records import Outcome

Result = tuple[int, Outcome | RobotsFile | Sitemap]


class Pool(Protocol):
    """Does tasks; a key says which task a result belongs to. `results` waits up to `timeout` seconds for some."""

    def has_room(self) -> bool: ...  # noqa: D102
    def submit(self, key: int, task: Task) -> None: ...  # noqa: D102
    def results(self, timeout: float) -> list[Result]: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


class Inline:
    """A pool without processes: each task is done at once, in this process."""

    def __init__(self, visit: Callable[[Task], Outcome | RobotsFile | Sitemap]) -> None:
        self._visit = visit
        self._done: list[Result] = []

    def has_room(self) -> bool:
        """One task at a time."""
        return not self._done

    def submit(self, key: int, task: Task) -> None:
        """Do a task."""
        self._done.append((key, self._visit(task)))

    def results(self, timeout: float) -> list[Result]:  # noqa: ARG002 - nothing to wait for
        """The result of the last task."""
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        """Nothing is in progress."""
