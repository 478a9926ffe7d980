"""Options that hand the work to others: --cluster and --blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minisearch.errors import BadInput, MiniSearchError

if TYPE_CHECKING:
    from minisearch.scale.cluster import Cluster
    from minisearch.scale.measures import Blockwise

Command = Callable[..., Any]

cluster: Callable[[Command], Command] = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Have it done by a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes here.",
)

blocks: Callable[[Command], Command] = click.option(
    "--blocks",
    metavar="FOLDER",
    help="Work with links on disk, in this folder, not in memory; it is cleared at the end.",
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
    from minisearch.scale.cluster import cluster as started

    with started(address) as found:
        yield found


@contextmanager
def measures(address: str | None, folder: str | None, default: str) -> Iterator[Blockwise]:
    """Link measures by blocks in a folder, computed here or on a cluster.

    The folder is cleared unless it fails, so that the same command goes on; what makes no sense never will.
    """
    from minisearch.scale.measures import Blockwise
    from minisearch.scale.workshop import Threads

    with workers(address) as found, Threads() as threads:
        place = Path(folder or default)
        is_new, work = not place.exists(), Blockwise(place, found or threads)
        try:
            yield work
        except BadInput:
            if is_new:
                work.clear()
            raise
        except BrokenPipeError:
            raise  # whoever read our output has seen enough
        except OSError as error:  # numpy does not say what hindered it
            why = error.strerror or "the disk is full"
            again = "" if isinstance(error, NotADirectoryError | FileExistsError) else "; the same command goes on"
            raise MiniSearchError(f'cannot work in "{place}": {why}{again}') from error
    work.clear()
