"""Options that say where work is done: --cluster, --blocks and --processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minisearch.errors import BadInput, MiniSearchError

if TYPE_CHECKING:
    from minisearch.cluster.dask import Cluster
    from minisearch.cluster.ranks import BlockRanking

MOST_THREADS = 8
CONTINUE = "; run the same command again to continue"

Command = Callable[..., Any]

cluster: Callable[[Command], Command] = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this machine.",
)

blocks: Callable[[Command], Command] = click.option(
    "--blocks",
    metavar="FOLDER",
    help="Keep links on disk in this folder instead of in memory; it is cleared at the end.",
)


processes: Callable[[Command], Command] = click.option(
    "--processes", type=click.IntRange(1, 64), metavar="N", help="Have the files of a pattern read by N processes."
)


@contextmanager
def readers(count: int | None, address: str | None) -> Iterator[Any]:
    """Who reads the files of a pattern: so many processes, the workers of a cluster, or nobody in particular."""
    if count is not None and address is not None:
        raise BadInput("--processes and --cluster are two ways to read the files: choose one")
    with workers(address) as found:
        if found is None:
            yield count
            return
        from minisearch.shards.executors import on_cluster

        yield on_cluster(found.client)


@contextmanager
def workers(address: str | None) -> Iterator[Cluster | None]:
    """The cluster at an address, if there is one."""
    if address is None:
        yield None
        return
    from minisearch.cluster.dask import connect

    with connect(address) as found:
        yield found


@contextmanager
def measures(address: str | None, folder: str | None, default: str) -> Iterator[BlockRanking]:
    """Link analysis by blocks in a folder, computed here or on a cluster.

    The folder is cleared at the end, but kept after a failure, so that running the same command again continues.
    After wrong input it is of no use.
    """
    from concurrent.futures import ThreadPoolExecutor

    from minisearch.cluster.ranks import BlockRanking, Executor

    with workers(address) as found, ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS)) as threads:
        place = Path(folder or default)
        is_new, work = not place.exists(), BlockRanking(place, found.executor() if found else Executor(threads.map))
        try:
            yield work
        except BadInput:
            if is_new:
                work.clear()
            raise
        except BrokenPipeError:
            raise  # of standard output, not of our files
        except OSError as error:
            reason = error.strerror or "the disk is full"  # numpy gives no reason when it cannot write an array
            again = "" if isinstance(error, NotADirectoryError | FileExistsError) else CONTINUE
            raise MiniSearchError(f'cannot work in "{place}": {reason}{again}') from error
    work.clear()
