"""A Dask cluster: connect, check its workers, run tasks on them, and report what fails in one line.

Dask remembers how a result was computed until it is no longer needed, so it recomputes what is lost with a worker;
checkpoints keep that short. M. Rocklin, "Dask: Parallel Computation with Blocked algorithms and Task Scheduling", 2015.
"""

from __future__ import annotations

import logging
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minisearch.cluster.blocks import load
from minisearch.cluster.ranks import Executor
from minisearch.errors import BadInput, ClusterError, MiniSearchError

TIMEOUT = 10  # seconds for a scheduler to answer
AHEAD = 2  # tasks queued for each worker beyond the one it is running
CHECKPOINT_EVERY = 8  # iterations: a checkpoint takes all vectors over the network
ADDRESS = re.compile(r"local(:[1-9]\d*)?|(tcp|tls|ws|wss|ucx)://.+")
AGAIN = "run the same command again to continue"


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler, or start N processes on this machine for "local:N"."""
    if not ADDRESS.fullmatch(address):
        raise BadInput(
            f'"{address}" is not the address of a cluster: use tcp://HOST:PORT of a Dask scheduler, local or local:N'
        )
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError('a cluster needs Dask: pip install "minisearch[cluster]"') from None
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported by us
    quiet = {"distributed.admin.large-graph-warning-threshold": "1 GiB", "logging.distributed": "critical"}
    with dask.config.set(quiet):
        if address.startswith("local"):
            _, _, count = address.partition(":")
            workers = int(count) if count else os.cpu_count() or 1
            options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
            with LocalCluster(processes=True, **options) as ours, Client(ours, set_as_default=False) as client:
                yield Cluster(client)
            return
        try:
            client = Client(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f'no Dask scheduler answers at {address}: start one with "dask scheduler"') from error
        with client:
            yield Cluster(client)


class Cluster:
    """The workers of a cluster."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._workers = _check_workers(client)

    def map(self, task: Callable[..., Any], *inputs: Iterable[Any], **options: Any) -> list[Any]:
        """Run a task on each input, as the built-in map; gives futures, which may be in the inputs of other tasks."""
        with one_line_errors():
            return list(self.client.map(task, *inputs, pure=False, **options))

    def gather(self, futures: Iterable[Any]) -> list[Any]:
        """The values of futures."""
        with one_line_errors():
            return list(self.client.gather(list(futures)))

    def imap(self, task: Callable[[Any], Any], inputs: Iterable[Any]) -> Iterator[Any]:
        """The results of a task on each input, in order, with a bound on how many inputs are sent ahead."""
        running: deque[Any] = deque()
        for given in inputs:
            running += self.map(task, [given])
            if len(running) > (1 + AHEAD) * self._workers:
                yield from self.gather([running.popleft()])
        while running:
            yield from self.gather([running.popleft()])

    def place(self, sources: list[Any]) -> list[Any]:
        """Leave files that all workers can see where they are; send arrays and the contents of other files."""
        files = [source for source in sources if isinstance(source, Path)]
        if files and self._can_see(files[0]):
            return sources
        return self.map(_identity, [load(source) for source in sources])

    def executor(self) -> Executor:
        """The cluster as an executor for link analysis."""
        return Executor(self.map, self.gather, self.place, CHECKPOINT_EVERY)

    def _can_see(self, path: Path) -> bool:
        with one_line_errors():
            return all(self.client.run(os.path.exists, str(path)).values())


def _identity(value: Any) -> Any:
    return value


def _check_workers(client: Any) -> int:
    """The number of workers, which must have the same minisearch and the same Python."""
    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise ClusterError(
            f'the scheduler at {address} has no workers: start some with "dask worker {address}"'
        ) from None
    with one_line_errors():
        versions = client.get_versions(packages=["minisearch"])
    ours = _versions(versions["client"])
    for worker, found in versions["workers"].items():
        for name, version in _versions(found).items():
            if version != ours[name]:
                raise ClusterError(
                    f"the worker {worker} has {f'{name} {version}' if version else f'no {name}'}, "
                    f"this is {name} {ours[name]}: install the same version there"
                )
    return len(versions["workers"])


def _versions(found: Any) -> dict[str, str | None]:
    packages = found["packages"]
    return {"minisearch": packages["minisearch"], "Python": ".".join(packages["python"].split(".")[:2])}


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Report what fails on a cluster as a ClusterError with one line."""
    from distributed import CancelledError, KilledWorker
    from distributed.client import ClosedClientError
    from distributed.comm.core import CommClosedError

    try:
        yield
    except MiniSearchError:
        raise
    except KilledWorker as error:
        raise ClusterError(
            f"a task lost several workers, the last one at {error.last_worker.address}: "
            f"is there enough memory? Then {AGAIN}"
        ) from error
    except (CancelledError, ClosedClientError, CommClosedError, TimeoutError) as error:
        raise ClusterError(f"the connection to the cluster is lost: start it and {AGAIN}") from error
    except (ImportError, MemoryError, OSError) as error:  # on a worker: such as a full disk
        raise ClusterError(f"a worker failed: {error or 'out of memory'}; {AGAIN}") from error
