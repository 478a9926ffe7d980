"""Workers: processes that each fetch **and** read pages, so that only finished records travel.

They are plain child processes that talk over pipes: copies of this one where that is sound (forking.py), else
interpreters of their own (`python -m minisearch.crawl.workers`). No script that uses the engine has to be written in a
special way, and a worker that hangs or dies takes nothing with it but the page it was at.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from minisearch.crawl.calm import calm
from minisearch.crawl.forking import Copy, fork, may_fork
from minisearch.crawl.pipes import Inbox, pack, send, send_packed
from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.travel import Packer, Page, Unpacker
from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.parse.reader import PARSERS
from minisearch.records import Failed, Outcome

AHEAD = 2  # tasks a worker holds, so that it never waits for the next one
QUICK = 0.1  # seconds; a worker that was so quick with its last task holds
FAR_AHEAD = 8  # so many, for a few are done while we see to it that what was fetched lasts
UNREAD = 1 << 14  # bytes of tasks that surely fit into the pipe to a worker that does not read just now
PIPE = 1 << 20  # bytes of results that can wait for us to read them, while a worker goes on
START = 10.0  # seconds in which a process has surely begun to work
SLOW = 1.0  # seconds at one task, after which a worker is taken to wait for a server, and is given no second one
GRACE = 5.0  # seconds past its limit after which a worker is taken for dead
LARGE = 1_000_000  # letters of a page after which a worker tidies up: what it gave back it soon needs again

Result = tuple[int, Outcome | RobotsFile | Sitemap]


class Pool(Protocol):
    """Something that does tasks. A key tells which task a result belongs to."""

    def has_room(self) -> bool:
        """Whether another task can be taken now."""

    def submit(self, key: int, task: Task) -> None:
        """Take a task."""

    def results(self, timeout: float) -> list[Result]:
        """What was finished; waits up to `timeout` seconds for something."""

    def close(self) -> None:
        """Stop, whatever is still under way."""


class Inline:
    """No processes: each task is done here, at once. For tests, and for looking at what goes on."""

    def __init__(self, visit: Callable[[Task], Outcome | RobotsFile | Sitemap]) -> None:
        self._visit = visit
        self._done: list[Result] = []

    def has_room(self) -> bool:
        """One at a time."""
        return not self._done

    def submit(self, key: int, task: Task) -> None:
        """Do it."""
        self._done.append((key, self._visit(task)))

    def results(self, timeout: float) -> list[Result]:  # noqa: ARG002 - nothing to wait for
        """What was just done."""
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        """Nothing is under way."""


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[bytes] | Copy
    tasks_to: int  # a pipe
    results_from: Inbox
    held: deque[tuple[int, Task]] = field(default_factory=deque)
    sent: deque[int] = field(default_factory=deque)  # the bytes of those among them that were sent to it
    since: float = 0.0  # when it began its present task
    is_new: bool = True  # it has done nothing yet, and may still be loading what it needs
    ahead: int = AHEAD  # tasks it should hold

    def waits(self) -> bool:
        """Whether it has been at its task for so long that it must be waiting for a server, and does wait."""
        is_late = bool(self.held) and time.monotonic() - self.since > (START if self.is_new else SLOW)
        return is_late and _sleeps(self.process.pid)

    def hand_on(self) -> None:
        """Send it what it holds as far as there is room: if we waited until it reads, it might wait for us to read."""
        for _, task in islice(self.held, len(self.sent), None):
            packed = pack(task)
            if self.sent and sum(self.sent) + len(packed) > UNREAD:
                return
            self.sent.append(len(packed))
            with suppress(BrokenPipeError):  # it has died: results() will notice
                send_packed(self.tasks_to, packed)


class Processes:
    """A pool of child processes: `count` of them if there are tasks, and up to `most` while all of them wait for slow
    servers.
    """

    def __init__(self, count: int, *, most: int = 0, **options: Any) -> None:
        self._options = options
        self._count, self._most = count, max(count, most)
        limits = options.get("limits") or Limits()
        self._patience = limits.page_seconds + GRACE
        import_module(PARSERS[options.get("parser", "fast")])  # once, for all copies of this process
        self._poll = select.poll()
        self._by_pipe: dict[int, _Worker] = {}
        self._workers = [self._start()]  # the others while this one is at its first task, for that takes a while

    def _start(self) -> _Worker:
        tasks, tasks_to = os.pipe()
        results_from, results = os.pipe()
        with suppress(AttributeError, OSError):  # not all systems know it, nor grant it
            fcntl.fcntl(results, fcntl.F_SETPIPE_SZ, PIPE)
        process = fork(work, tasks, results) if may_fork() else _spawn(tasks, results)
        os.close(tasks)
        os.close(results)
        worker = _Worker(process, tasks_to, Inbox(results_from, Unpacker()))
        send(tasks_to, self._options)
        self._poll.register(results_from, select.POLLIN)
        self._by_pipe[results_from] = worker
        return worker

    def has_room(self) -> bool:
        """Whether some worker would otherwise run dry, or there may be another one."""
        return self._least_busy() is not None or (len(self._workers) < self._most and self._all_wait())

    def _least_busy(self) -> _Worker | None:
        fit = [each for each in self._workers if len(each.held) < each.ahead and not each.waits()]
        return min(fit, key=lambda worker: len(worker.held), default=None)

    def _all_wait(self) -> bool:
        return all(worker.waits() for worker in self._workers)

    def submit(self, key: int, task: Task) -> None:
        """Hand a task to the worker that holds the fewest."""
        worker = self._least_busy()
        if worker is None and len(self._workers) < self._most and self._all_wait():
            worker = self._start()
            self._workers.append(worker)
        if worker is None:
            worker = min(self._workers, key=lambda worker: len(worker.held))
        if not worker.held:
            worker.since = time.monotonic()
        worker.held.append((key, task))
        worker.hand_on()
        if len(self._workers) < self._count:
            self._workers.append(self._start())

    def results(self, timeout: float) -> list[Result]:
        """What was finished; a worker that died or hangs is replaced, its page counts as failed."""
        done: list[Result] = []
        for pipe, _ in self._poll.poll(timeout * 1000):
            worker = self._by_pipe[pipe]
            try:
                results = worker.results_from.take()
            except (EOFError, OSError):
                done += self._replace(worker, "the process that read it died", "crash")
                continue
            if not results:  # but a part of one
                continue
            now = time.monotonic()
            worker.ahead = FAR_AHEAD if now - worker.since < QUICK * len(results) else AHEAD
            worker.since = now
            worker.is_new = False
            for result in results:
                done.append((worker.held.popleft()[0], result))
                worker.sent.popleft()
            worker.hand_on()
        for worker in list(self._workers):
            if worker.held and time.monotonic() - worker.since > self._patience + START * worker.is_new:
                done += self._replace(worker, f"not done after {self._patience:g} seconds", "timeout")
        return done

    def _replace(self, worker: _Worker, reason: str, rule: str) -> Iterator[Result]:
        self._end(worker)
        self._workers[self._workers.index(worker)] = fresh = self._start()
        held = list(worker.held)
        fresh.held.extend(held[1:])  # they were only waiting their turn
        fresh.hand_on()
        fresh.since = time.monotonic()
        for key, task in held[:1]:
            # A process may die for reasons of its own, so the page gets another try; one that hangs has had its time.
            failed = Failed(task.url, reason, rule, transient=rule == "crash")
            yield key, RobotsFile(0, trouble=reason) if task.robots else failed

    def _end(self, worker: _Worker) -> None:
        pipe = worker.results_from.pipe
        self._poll.unregister(pipe)
        del self._by_pipe[pipe]
        worker.process.kill()
        worker.process.wait()
        os.close(worker.tasks_to)
        worker.results_from.close()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.process.kill()  # all of them first: what they leave behind is cleared away meanwhile
        for worker in self._workers:
            self._end(worker)
        self._workers = []


def give_back_memory() -> None:
    """Return to the system what lies about in pieces: C libraries keep it, and a large page takes thirty times its
    size for a moment.
    """
    with suppress(AttributeError, OSError):  # only the GNU library knows how
        ctypes.CDLL(None).malloc_trim(0)


def _sleeps(pid: int) -> bool:
    """Whether a process waits for something, and not for its turn on a busy machine; yes if nobody can tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] != "R"


def visitor(*, record: str = "", **options: Any) -> Callable[[Task], Any]:
    """Who does the tasks: a plain visitor, or one that records what it hears ("gzip" or "plain")."""
    if not record:
        return Visitor(**options)
    from minisearch.archives.warc_writer import RecordingVisitor

    return RecordingVisitor(compressed=record == "gzip", **options)


def pool_of(workers: int, *, most: int = 0, **options: Any) -> Pool:
    """So many processes, and up to `most`; or none, and all is done in this one. Options are those of `visitor`."""
    return Processes(workers, most=most, **options) if workers else Inline(visitor(**options))


def _spawn(tasks: int, results: int) -> subprocess.Popen[bytes]:
    """A worker in an interpreter of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "minisearch.crawl.workers"],
        stdin=tasks,
        stdout=results,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        process_group=0,  # Ctrl-C at a terminal is for the parent alone
    )


def work(tasks: int, results: int) -> None:
    """A worker's life: options first, then tasks until the pipe closes."""
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing printed may end up among the results
    sent = _sent(tasks)
    with suppress(EOFError, BrokenPipeError, MemoryError), calm():  # a page too large to read ends us, not the crawl
        visit, pack = visitor(**next(sent)), Packer()
        for task in sent:
            result = visit(task)
            send(results, result, pack)
            is_large = isinstance(result, Page) and len(result.text) > LARGE
            del result  # lest it stay until the next one is there
            if is_large:
                give_back_memory()


def _sent(pipe: int) -> Iterator[Any]:
    """What comes through a pipe, until it closes."""
    inbox = Inbox(pipe)
    while True:
        yield from inbox.take()


def main() -> None:
    """The life of a worker that was started by itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which lets us finish
    work(os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno()))


if __name__ == "__main__":
    main()
