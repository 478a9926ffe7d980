"""Where the work on blocks is done: the tasks of a round, put together in one way, whoever carries them out.

A task is a function and what it is given; what comes back is a handle, which other tasks can be given. Here tasks are
done by threads of this process; minisearch/scale/cluster.py hands them to the workers of a cluster.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Protocol, Self

from minisearch.scale.blocks import Source, opened

Handle = Any
TOGETHER = 4  # how many are taken at a time: blocks by a combiner, parts by a step of a tree


class Workshop(Protocol):
    """Whoever carries out tasks."""

    rounds_between: int  # checkpoints: after how many rounds what has been done is worth keeping

    def lay(self, source: Source) -> Handle:
        """A block or a piece of a vector, ready to be worked on."""

    def do(self, task: Callable[..., Any], *given: Any) -> Handle:
        """Have a task done; among what is `given` there may be handles, and lists of handles."""

    def take(self, handles: Sequence[Handle]) -> list[Any]:
        """What came out."""


class Threads:
    """Tasks done in this process, at the same time on all its cores: the products of blocks let others run."""

    rounds_between = 1

    def __init__(self, count: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(count or min(os.cpu_count() or 1, 8))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def lay(self, source: Source) -> Handle:
        """The source itself: a mapped file is opened by each task that needs it, so that it need not stay in memory."""
        return source

    def do(self, task: Callable[..., Any], *given: Any) -> Handle:
        """Tasks begin in the order in which they are given, so that none waits for one that cannot begin."""
        return self._pool.submit(_run, task, given)

    def take(self, handles: Sequence[Handle]) -> list[Any]:
        """What came out."""
        return [_ready(handle) for handle in handles]


def _run(task: Callable[..., Any], given: Iterable[Any]) -> Any:
    return task(*map(_ready, given))


def _ready(given: Any) -> Any:
    if isinstance(given, list):
        return [_ready(each) for each in given]
    return given.result() if isinstance(given, Future) else opened(given)


def tree(workshop: Workshop, task: Callable[[list[Any]], Any], parts: Sequence[Handle]) -> Handle:
    """All parts made one, a few at a time: no task waits for, or holds, more than these."""
    while len(parts) > 1:
        groups = [list(parts[at : at + TOGETHER]) for at in range(0, len(parts), TOGETHER)]
        parts = [workshop.do(task, group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]
