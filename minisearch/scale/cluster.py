"""A Dask cluster that does the work: the same tasks as in minisearch/scale/workshop.py, done by its workers.

Dask keeps how each piece was made until nobody needs it, so what is lost with a worker is made again elsewhere; a
checkpoint now and then keeps that short. M. Rocklin, "Dask: Parallel Computation with Blocked algorithms and Task
Scheduling", 2015.
"""

from __future__ import annotations

import errno
import logging
import os
import platform
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any
from uuid import uuid4
from weakref import WeakValueDictionary

from minisearch.errors import BadInput, ClusterError, MiniSearchError
from minisearch.scale.blocks import Filed, Source, in_memory, opened
from minisearch.scale.workshop import Handle

ANSWERS_IN = 10  # seconds; a scheduler that is there answers much sooner
AHEAD = 2  # tasks given to each worker beyond the one it is doing
KIND = re.compile(r"local(:[1-9]\d*)?|(tcp|tls|ws|wss|ucx)://.+")


def check_address(address: str) -> str:
    """The address of a cluster, if it can be one.

    >>> check_address("local:2"), check_address("tcp://10.0.0.1:8786")
    ('local:2', 'tcp://10.0.0.1:8786')
    """
    if not KIND.fullmatch(address):
        raise BadInput(f'"{address}" is no cluster: write tcp://HOST:PORT of a Dask scheduler, local or local:N')
    return address


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster at an address: that of a scheduler, or "local:N" for N processes of this machine's own."""
    check_address(address)
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError('a cluster needs Dask: pip install "minisearch[cluster]"') from None
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in one line, by us
    quiet = {"distributed.admin.large-graph-warning-threshold": "1 GiB", "logging.distributed": "critical"}
    with dask.config.set(quiet):
        if not address.startswith("local"):
            try:
                client: Any = Client(address, timeout=ANSWERS_IN, set_as_default=False)
            except (OSError, ValueError) as error:
                raise ClusterError(
                    f'no Dask scheduler answers at {address}: start one with "dask scheduler"'
                ) from error
            with client:
                yield Cluster(client)
            return
        _, _, count = address.partition(":")
        workers = int(count) if count else os.cpu_count() or 1
        options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
        with LocalCluster(processes=True, **options) as ours, Client(ours, set_as_default=False) as client:
            yield Cluster(client)


class Asked:
    """What a task will give, or has given. Once nobody holds it, the cluster need not keep it."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.future: Any = None


class Cluster:
    """A workshop whose tasks are done by the workers of a cluster."""

    rounds_between = 8

    def __init__(self, client: Any) -> None:
        self.client = client
        self._seen: dict[str, bool] = {}
        self._waiting: dict[str, tuple[Any, ...]] = {}  # tasks that nobody has been given yet, by their keys
        self._alive: WeakValueDictionary[str, Asked] = WeakValueDictionary()
        self._workers = self._check_workers()

    def _check_workers(self) -> int:
        """How many workers there are; all must have the minisearch that we are."""
        from minisearch import __version__

        at = self.client.scheduler.address
        try:
            self.client.wait_for_workers(1, timeout=ANSWERS_IN)
        except TimeoutError:
            raise ClusterError(f'the scheduler at {at} has no workers: start some with "dask worker {at}"') from None
        ours = (__version__, platform.python_version_tuple()[:2])
        told = self.client.run(FunctionType(_who.__code__, {"__builtins__": __builtins__}), on_error="return")
        for worker, answer in told.items():
            if isinstance(answer, BaseException):
                raise ClusterError(f"the worker {worker} cannot be asked who it is: {answer}")
            version, python = answer
            if not version:
                raise ClusterError(f'the worker {worker} has no minisearch: pip install "minisearch=={ours[0]}" there')
            if version != ours[0]:
                raise ClusterError(f"the worker {worker} has minisearch {version}, this is {ours[0]}: install the same")
            if tuple(python) != ours[1]:
                found, wanted = (".".join(numbers) for numbers in (python, ours[1]))
                raise ClusterError(f"the worker {worker} runs Python {found}, this is {wanted}: run the same")
        return len(told)

    def lay(self, source: Source) -> Handle:
        """Where workers see our files, they open them themselves; elsewhere the scheduler hands out what is in them."""
        if isinstance(source, Filed) and not self._is_seen(source):
            source = in_memory(source)
        return self.do(opened, source)

    def _is_seen(self, source: Filed) -> bool:
        folder = str(Path(source.path).parent.parent)  # the work folder
        if folder not in self._seen:
            file = f"{source.path}.npy" if source.shape is None else f"{source.path}.{source.parts[0]}.npy"
            self._seen[folder] = all(self.client.run(os.path.exists, file).values())
        return self._seen[folder]

    def do(self, task: Callable[..., Any], *given: Any) -> Handle:
        """Have a task done by some worker, together with all others that wait when something is taken."""
        asked = Asked(f"{task.__name__.strip('_')}-{uuid4().hex}")
        self._waiting[asked.key] = (task, *map(_named, given))
        self._alive[asked.key] = asked
        return asked

    def take(self, handles: Sequence[Handle]) -> list[Any]:
        """What came out. All tasks that wait are handed over as one graph."""
        graph, self._waiting = self._waiting, {}
        kept = [asked for key in graph if (asked := self._alive.get(key)) is not None]
        with in_words():
            futures = self.client.get(graph, [asked.key for asked in kept], sync=False) if graph else []
            for asked, future in zip(kept, futures, strict=True):
                asked.future = future
            return list(self.client.gather([asked.future for asked in handles]))

    def each(self, task: Callable[[Any], Any], inputs: Iterable[Any]) -> Iterator[Any]:
        """What a task makes of each input, in order. Only a few of them are under way at a time."""
        under_way: deque[Handle] = deque()
        for given in inputs:
            under_way.append(self.do(task, given))
            if len(under_way) > (1 + AHEAD) * self._workers:
                yield self.take([under_way.popleft()])[0]
        while under_way:
            yield self.take([under_way.popleft()])[0]


def _named(given: Any) -> Any:
    """What a task is given, as Dask writes it: a future, or the key of a task of the same graph."""
    if isinstance(given, list):
        return [_named(each) for each in given]
    if not isinstance(given, Asked):
        return given
    return given.key if given.future is None else given.future


def _who() -> tuple[str, tuple[str, ...]]:
    """Which minisearch and which Python a worker has. Sent as code, for a worker may have no minisearch to look in."""
    import platform

    try:
        from minisearch import __version__
    except ImportError:
        __version__ = ""
    return __version__, platform.python_version_tuple()[:2]


@contextmanager
def in_words() -> Iterator[None]:
    """What goes wrong on a cluster, told in one line."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        yield
    except MiniSearchError:
        raise
    except KilledWorker as error:
        raise ClusterError(
            f"one task after another took its worker down, the last one {error.last_worker.address}: "
            "is there enough memory? The same command goes on"
        ) from error
    except (FutureCancelledError, TimeoutError) as error:
        raise ClusterError("the cluster went away: start it, and the same command goes on") from error
    except ImportError as error:
        raise ClusterError(f"a worker lacks something: {error}") from error
    except OSError as error:
        full = "the disk of a worker is full" if error.errno == errno.ENOSPC else "a worker failed"
        raise ClusterError(f"{full}: {error}; the same command goes on") from error
    except MemoryError as error:
        raise ClusterError("a worker ran out of memory; the same command goes on") from error
