"""Where shards run: in threads, in processes, or on the workers of a Dask cluster. All run the same calls."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from minisearch.errors import BadInput, MiniSearchError
from minisearch.shards.search import Call, Executor, ShardFile

if TYPE_CHECKING:
    from minisearch.cluster.dask import Cluster

PROCESS_GONE = "a process that read some of the files is gone: ask again"

OpenExecutor: TypeAlias = Callable[[Sequence[str]], Executor]

_files: dict[tuple[str, str], ShardFile] = {}  # that are open in this process, by their executor and path
_files_lock = Lock()


def executor(chosen: int | OpenExecutor | None) -> OpenExecutor:
    """Threads, a number of processes, or a given executor.

    Processes import the main module of the program, so a script needs its `if __name__ == "__main__"`.
    """
    if chosen is None:
        return Threads
    if isinstance(chosen, int) and chosen < 1:
        raise BadInput(f"at least 1 process has to read the files, not {chosen}")
    return partial(Processes, count=chosen) if isinstance(chosen, int) else chosen


class Threads:
    """A thread of this process for each shard."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths, self._name = paths, uuid4().hex
        self._pool = ThreadPoolExecutor(len(paths))  # which starts its threads when they are needed

    def map(self, calls: Sequence[Call]) -> list[Any]:
        """What each call gives."""
        return list(self._pool.map(run_here, repeat(self._name), self._paths, calls))

    def close(self) -> None:
        """Close the files, once all calls have ended."""
        self._pool.shutdown()
        close_here(self._name)


class Processes:
    """Processes of this machine, each with its share of the shards. If one of them dies, all are started again."""

    def __init__(self, paths: Sequence[str], count: int) -> None:
        self._paths, self._count = paths, min(count, len(paths))
        self._name = uuid4().hex
        self._lock = Lock()
        self._pools: list[ProcessPoolExecutor] = []

    def map(self, calls: Sequence[Call]) -> list[Any]:
        """What each call gives."""
        with self._lock:
            if not self._pools:
                context = get_context("spawn")  # a forked process would share our connections
                options: dict[str, Any] = {"mp_context": context, "initializer": _ignore_interrupts}
                self._pools = [ProcessPoolExecutor(1, **options) for _ in range(self._count)]
            pools = self._pools
        try:
            running = [
                pools[shard % self._count].submit(run_here, self._name, path, call)
                for shard, (path, call) in enumerate(zip(self._paths, calls, strict=True))
            ]
        except RuntimeError as error:  # a process is gone, or another thread has noticed that and ended the others
            self.close()
            raise MiniSearchError(PROCESS_GONE) from error
        try:
            return [future.result() for future in running]
        except BrokenProcessPool as error:
            self.close()
            raise MiniSearchError(PROCESS_GONE) from error

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            pools, self._pools = self._pools, []
        for pool in pools:
            pool.shutdown()


class OnCluster:
    """The workers of a Dask cluster. Each file needs to have the same path there.

    A shard runs on the same worker as before, which has its index in the cache, as long as that worker is there.
    """

    def __init__(self, cluster: Cluster, paths: Sequence[str]) -> None:
        self._cluster, self._name = cluster, uuid4().hex
        self._paths = [str(Path(path).resolve()) for path in paths]
        self._workers = sorted(cluster.client.has_what())

    def map(self, calls: Sequence[Call]) -> list[Any]:
        """What each call gives. What is lost with a worker runs again on another one, which is Dask's business."""
        running: list[Any] = []
        for shard, (path, call) in enumerate(zip(self._paths, calls, strict=True)):
            preferred = {"workers": self._workers[shard % len(self._workers)], "allow_other_workers": True}
            running += self._cluster.map(run_here, [self._name], [path], [call], **preferred)
        return self._cluster.gather(running)

    def close(self) -> None:
        """Close the files on all workers."""
        with suppress(OSError, RuntimeError, ValueError):  # they are closed where a worker is gone
            self._cluster.client.run(close_here, self._name)


def on_cluster(client: Any) -> OpenExecutor:
    """Run shards on the cluster of a Dask client."""
    from minisearch.cluster.dask import Cluster

    return partial(OnCluster, Cluster(client))


def run_here(executor_name: str, path: str, call: Call) -> Any:
    """Run a call on a file that stays open in this process."""
    with _files_lock:
        file = _files.get((executor_name, path))
        if file is None:
            file = _files[executor_name, path] = ShardFile(path)
    return file.run(call)


def close_here(executor_name: str) -> None:
    """Close the files that an executor has opened in this process."""
    with _files_lock:
        for key in [key for key in _files if key[0] == executor_name]:
            _files.pop(key).close()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that ends us
