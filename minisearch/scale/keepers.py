"""Files kept open by the workers of a cluster, each asked by name: how shards are read where they lie.

Whoever asks gathers the answers and counts over all of them, as in minisearch/store/shards.py. A file has to have the
same path on the worker that keeps it; Dask calls what is kept an actor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from minisearch.cluster.dask import Cluster, one_line_errors
from minisearch.errors import ClusterError

PATIENCE = 60  # seconds in which a worker has to open a file


class Kept(Protocol):
    """A file that is open, wherever that is."""

    def ask(self, drawer: str, question: str, given: tuple[Any, ...]) -> Any:
        """What it says."""

    def close(self) -> None:
        """Done with it."""


class OnWorkers:
    """Files that the workers of a cluster keep open, spread over them. If one is lost, all are opened anew."""

    def __init__(self, cluster: Cluster, open_it: Callable[[str], Kept], paths: Sequence[str]) -> None:
        self._client, self._open_it, self._paths = cluster.client, open_it, paths
        self._kept: list[Any] = []
        self._begin()

    def _begin(self) -> None:
        client, open_it = self._client, self._open_it
        workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise ClusterError("the cluster has no workers left that could keep the files")
        with one_line_errors(), client.as_current():
            opened = [
                client.submit(
                    open_it,
                    str(Path(path).resolve()),
                    actor=True,
                    pure=False,
                    workers=[workers[place % len(workers)]],
                    allow_other_workers=True,  # the scheduler may not know yet that this one is gone
                )
                for place, path in enumerate(self._paths)
            ]
            self._kept = [future.result(timeout=PATIENCE) for future in opened]

    def ask(self, questions: Sequence[tuple[int, str, str, tuple[Any, ...]]]) -> list[Any]:
        """The answers, in order. All questions are asked at the same time."""
        if not self._kept:
            self._begin()
        with self._client.as_current():
            try:
                asked = [self._kept[file].ask(*question) for file, *question in questions]
                return [answer.result() for answer in asked]
            except (OSError, RuntimeError) as error:
                self._kept = []  # those of others, too: where they are is looked up anew
                raise ClusterError(f"a worker that kept some of the files is gone ({error}): ask again") from error

    def close(self) -> None:
        """Done with the files."""
        with self._client.as_current(), suppress(OSError, RuntimeError):  # who is gone has closed what it had
            for kept in self._kept:
                kept.close().result()


def keepers(cluster: Cluster) -> Callable[[Callable[[str], Kept], Sequence[str]], OnWorkers]:
    """Those who keep files on a cluster, for whoever knows how to open them."""
    return lambda open_it, paths: OnWorkers(cluster, open_it, paths)
