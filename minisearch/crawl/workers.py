"""What the crawler gives its tasks to: worker processes, or this process.

A worker fetches and parses pages, so that only finished records are sent to the parent. Workers are subprocesses
(`python -m minisearch.crawl.workers`), so a script that calls `Engine.crawl` needs no `if __name__ == "__main__"` and
may have threads. A worker that exceeds its time or memory limit, or crashes, is replaced and costs one page.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.visit import Task, Visitor
from minisearch.errors import MiniSearchError
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Outcome

AHEAD = 6  # tasks a worker holds, so that it need not wait for the next one
SLOW = 1.0  # seconds at one task after which a worker is given no others
START_SECONDS = 60.0  # in which a process must be ready to work
OUT_OF_MEMORY = 3  # the exit status of a worker that would exceed its memory limit
GRACE = 5.0  # seconds beyond the limit of a page after which its worker is killed

Result = tuple[int, Outcome | RobotsFile | Sitemap]


class Pool(Protocol):
    """Runs tasks; a key identifies the task of a result. `results` waits up to `timeout` seconds for some."""

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


class _Worker:
    """A worker process as its parent sees it."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.connection, theirs = Pipe()
        path = os.pathsep.join(each or os.getcwd() for each in sys.path)
        with theirs:
            self.process = subprocess.Popen(
                # -P: a module of the current folder must not replace one of ours, unless it does so here
                [sys.executable, "-P", "-m", "minisearch.crawl.workers", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # A thread of numpy for each core would reserve more address space than a worker may have.
                env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
                process_group=0,  # Ctrl-C at a terminal is for the parent alone
            )
        self.tasks: deque[tuple[int, Task]] = deque()  # sent, and not finished; the first is in progress
        self.is_ready = False
        self.since = time.monotonic()  # the start of the process, then of the task in progress
        self.connection.send(options)

    def submit(self, key: int, task: Task) -> None:
        if self.is_ready and not self.tasks:
            self.since = time.monotonic()
        self.tasks.append((key, task))
        with suppress(OSError):  # it has died: the pool notices when it reads
            self.connection.send(task)

    def receive(self) -> list[Result]:
        """The result that has arrived; none if the worker reports that it is ready. EOFError: it has died."""
        result = self.connection.recv()
        self.since = time.monotonic()
        was_ready, self.is_ready = self.is_ready, True
        return [(self.tasks.popleft()[0], result)] if was_ready else []

    def seconds(self) -> float:
        """How long the task in progress has taken."""
        return time.monotonic() - self.since if self.tasks else 0.0

    def is_slow(self) -> bool:
        return self.is_ready and self.seconds() > SLOW

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()


class WorkerPool:
    """`count` worker processes, and up to `most` while all of them wait for slow servers."""

    def __init__(self, count: int, *, most: int = 0, limits: Limits | None = None, **options: Any) -> None:
        self._count, self._most = count, max(count, most)
        self._limits = limits or Limits()
        self._options = {"limits": self._limits, **options}
        self._workers = [_Worker(self._options) for _ in range(count)]
        self._has_started = False  # whether any worker was ever ready

    def has_room(self) -> bool:
        """Whether a worker would otherwise run out of tasks, or another one may be started."""
        return self._may_start() or any(len(each.tasks) < AHEAD and not each.is_slow() for each in self._workers)

    def _may_start(self) -> bool:
        all_slow = all(worker.is_slow() for worker in self._workers)
        return len(self._workers) < (self._most if all_slow else self._count)

    def submit(self, key: int, task: Task) -> None:
        """Send a task to the worker that holds the fewest, but not to a slow one if there are others."""
        if self._may_start():
            self._workers.append(_Worker(self._options))
        min(self._workers, key=lambda each: (each.is_slow(), len(each.tasks))).submit(key, task)

    def results(self, timeout: float) -> list[Result]:
        """What was finished; a worker that died or takes too long is stopped, and its page has failed."""
        results: list[Result] = []
        workers = {worker.connection: worker for worker in self._workers}
        for connection in wait(workers, timeout):
            worker = workers[connection]  # type: ignore[index]
            try:
                results += worker.receive()
                self._has_started = True
            except (EOFError, OSError):
                if not self._has_started:
                    raise MiniSearchError("the worker processes of the crawl end as soon as they start") from None
                results += self._drop(worker, "crash")
        for worker in list(self._workers):
            limit = self._limits.page_seconds + GRACE if worker.is_ready else START_SECONDS
            if worker.seconds() > limit:
                seconds = limit if not worker.is_ready else self._limits.page_seconds
                results += self._drop(worker, "timeout", problem="total", seconds=seconds)
        return results

    def _drop(self, worker: _Worker, rule: str, **detail: Any) -> list[Result]:
        """Stop a worker: its task in progress has failed, the others go to other workers."""
        worker.stop()
        self._workers.remove(worker)
        if worker.process.returncode == OUT_OF_MEMORY:
            detail |= {"problem": "memory", "limit": self._limits.worker_bytes}
        if not worker.tasks:
            return []
        (key, failed), *others = worker.tasks
        for other in others:
            self.submit(*other)
        if failed.robots:
            return [(key, RobotsFile(0, error={"rule": rule, **detail}))]
        # A process may die for reasons of its own, so the page may be tried again; one that hangs has had its time.
        return [(key, Failed(failed.url, rule, detail, transient=rule == "crash"))]

    def close(self) -> None:
        """Stop all workers."""
        while self._workers:
            self._workers.pop().stop()


def visitor(*, record: bool = False, **options: Any) -> Callable[[Task], Any]:
    """A visitor; with `record`, one that returns its responses as well, for a web archive."""
    if not record:
        return Visitor(**options)
    from minisearch.crawl.recording import RecordingVisitor

    return RecordingVisitor(**options)


def pool_of(workers: int, *, most: int = 0, **options: Any) -> Pool:
    """A pool of this many processes, and up to `most`; 0: none. Options are those of `visitor`."""
    return WorkerPool(workers, most=most, **options) if workers else Inline(visitor(**options))


def main() -> None:
    """Run a worker: receive the options of a visitor, then tasks, and send a result for each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(int(sys.argv[1]))
    options = connection.recv()
    if sys.platform == "linux":  # no other system holds a process to it
        with suppress(ValueError):  # it has a stricter limit already
            resource.setrlimit(resource.RLIMIT_AS, (options["limits"].worker_bytes,) * 2)
    visit = visitor(**options)
    tasks: SimpleQueue[Task] = SimpleQueue()
    # Tasks are read at all times: the parent may be sending a large one while we send a large result.
    Thread(target=_receive, args=(connection, tasks), daemon=True).start()
    connection.send("ready")
    while True:
        connection.send(visit(tasks.get()))


def _receive(connection: Connection, tasks: SimpleQueue[Task]) -> None:
    with suppress(EOFError, OSError):
        while True:
            tasks.put(connection.recv())
    os._exit(0)  # the parent has ended


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (EOFError, OSError):
        pass  # the parent has ended
