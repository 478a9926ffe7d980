"""Web graphs from files: Common Crawl's vertices and edges as text, or the same two tables as Parquet.

Common Crawl publishes two gzipped lists. `0 <tab> com.example` is a vertex, the parts of its host name reversed, and
`0 <tab> 7` is an edge. Files are read in batches, so that neither list has to fit into memory.
https://commoncrawl.org/web-graphs
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.scores import Vector
from minisearch.rank.topic import topic_vector

BATCH_BYTES = 1 << 25  # of text
BATCH_ROWS = 1 << 20  # of Parquet
PARQUET = (".parquet", ".pq")
TEXT = (".txt", ".tsv", ".txt.gz", ".tsv.gz")

Ints = NDArray[np.int64]
Write = Callable[[list[Any]], None]  # adds rows, given as columns


def vertices(path: str) -> Iterator[tuple[Ints, list[str]]]:
    """(numbers, names) of the vertices in batches; they must be numbered 0, 1, 2 ... in order."""
    expected = 0
    for numbers, names in _columns(path, None):
        wanted = np.arange(expected, expected + len(numbers))
        wrong = np.flatnonzero(numbers != wanted)
        if len(wrong):
            at = wrong[0]
            raise BadInput(f'"{path}": vertex {numbers[at]} is where {wanted[at]} should be: number them 0, 1, 2 ...')
        yield wanted, names.to_pylist()
        expected += len(wanted)
    if not expected:
        raise BadInput(f'"{path}" has no vertices')


def edges(path: str, n: int) -> Iterator[tuple[Ints, Ints, None]]:
    """(sources, targets, None) of the edges between n vertices, in batches."""
    done = 0
    for sources, column in _columns(path, ["source", "target"]):
        targets = _integers(path, column)
        for side in (sources, targets):
            unknown = np.flatnonzero((side < 0) | (side >= n))
            if len(unknown):
                edge, vertex = done + int(unknown[0]) + 1, side[unknown[0]]
                raise BadInput(f'"{path}", edge {edge}: there is no vertex {vertex}, only 0 to {n - 1}')
        yield sources, targets, None
        done += len(sources)


def _columns(path: str, names: list[str] | None) -> Iterator[tuple[Ints, Any]]:
    """The first two columns in batches, the first as integers; text must have exactly the columns `names`, if given."""
    arrow = _pyarrow()
    try:
        for batch in _parquet_batches(path) if _is_parquet(path) else _text_batches(path, names):
            for column in batch.columns:
                if column.null_count:
                    raise BadInput(f'"{path}" has empty cells')
            yield _integers(path, batch.column(0)), batch.column(1)
    except OSError as error:
        raise MiniSearchError(f'cannot read "{path}": {os.strerror(error.errno) if error.errno else error}') from error
    except arrow.ArrowKeyError as error:
        raise BadInput(f'"{path}" does not have two columns separated by tabs') from error
    except arrow.ArrowException as error:
        raise BadInput(f'cannot read "{path}": {str(error).splitlines()[0]}') from error


def _parquet_batches(path: str) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names[:2]
        if len(names) < 2:
            raise BadInput(f'"{path}" needs two columns')
        yield from file.iter_batches(BATCH_ROWS, columns=names)


def _text_batches(path: str, names: list[str] | None) -> Iterator[Any]:
    import pyarrow
    from pyarrow import csv

    # Without threads, errors name the line.
    read = csv.ReadOptions(
        block_size=BATCH_BYTES, use_threads=False, column_names=names, autogenerate_column_names=names is None
    )
    number, second = names or ("f0", "f1")
    types = {number: pyarrow.int64(), second: pyarrow.int64() if names else pyarrow.string()}
    convert = csv.ConvertOptions(column_types=types, include_columns=list(types), null_values=[])
    parse = csv.ParseOptions(delimiter="\t", quote_char=False)
    with (
        pyarrow.input_stream(path, compression="detect") as stream,
        csv.open_csv(stream, read, parse, convert) as reader,
    ):
        yield from reader


def _integers(path: str, column: Any) -> Ints:
    arrow = _pyarrow()
    if not arrow.types.is_integer(column.type):
        raise BadInput(f'"{path}": vertices are integers, not {column.type}')
    numbers: Ints = column.to_numpy(zero_copy_only=False)
    return numbers


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MiniSearchError('graph files need pyarrow: pip install "minisearch[cluster]"') from None
    return pyarrow


def _is_parquet(path: str) -> bool:
    return path.lower().endswith(PARQUET)


def fingerprint(*paths: str) -> str:
    """Changes when one of the files is replaced."""
    return " ".join(f"{Path(path).absolute()}:{os.stat(path).st_size}:{os.stat(path).st_mtime_ns}" for path in paths)


def estimate_edges(path: str) -> int:
    """Roughly the number of edges in a file, by its size: enough to choose the size of blocks."""
    try:
        size = os.stat(path).st_size
    except OSError as error:
        raise MiniSearchError(f'cannot read "{path}": {error.strerror}') from error
    return size // (4 if path.endswith(".gz") or _is_parquet(path) else 14)


def matching(numbers: Ints, names: Sequence[str], patterns: Sequence[str]) -> list[int]:
    """The vertices whose host is one of the patterns, or ends with one that begins with a dot."""
    found = []
    for number, name in zip(numbers.tolist(), names, strict=True) if patterns else ():
        host = host_of(name)
        if any(host.endswith(pattern) if pattern.startswith(".") else host == pattern for pattern in patterns):
            found.append(number)
    return found


def trust_options(n: int, trusted: Sequence[int], patterns: Sequence[str]) -> dict[str, Any]:
    """Options of PageRank that make it TrustRank, if there are patterns."""
    if not patterns:
        return {}
    if not trusted:
        raise BadInput(f'no vertex matches "{patterns[0]}": use a host like example.com, or an ending like .edu')
    jump = topic_vector(n, trusted, name="the trusted set")
    return {"teleport": jump, "start": jump, "dangling": "teleport"}


def top(path: str, scores: Vector, count: int) -> list[tuple[int, str, float]]:
    """(rank, host, score) of the vertices with the highest scores."""
    count = min(count, len(scores))
    best = np.argpartition(-scores, count - 1)[:count] if count else np.zeros(0, dtype=np.int64)
    order = best[np.lexsort((best, -scores[best]))]
    hosts: dict[int, str] = {}
    for numbers, names in vertices(path) if count else ():
        for number in best[(best >= numbers[0]) & (best <= numbers[-1])].tolist():
            hosts[number] = host_of(names[number - int(numbers[0])])
    return [(rank, hosts[number], float(scores[number])) for rank, number in enumerate(order.tolist(), start=1)]


def host_of(name: str) -> str:
    """A host name as people write it.

    >>> host_of("com.example.www")
    'www.example.com'
    """
    return ".".join(reversed(name.split(".")))


def check_output(path: str) -> None:
    """Refuse a path where no file can be written, before anything is computed."""
    place = Path(path)
    if not place.parent.is_dir():
        raise BadInput(f'cannot write "{path}": there is no folder "{place.parent}"')
    if place.exists() and not place.is_file():
        raise BadInput(f'cannot write "{path}": it exists and is not a file')
    if not path.endswith((*PARQUET, *TEXT)):
        raise BadInput(f'cannot write "{path}": the name must end with .parquet, .txt or .txt.gz')


def write_ranks(path: str, vertices_path: str, scores: Mapping[str, Vector]) -> None:
    """Write the number, name and scores of every vertex: as Parquet or as lines with tabs, by the name of the file."""
    temporary = Path(f"{path}.tmp")
    columns = ["id", "name", *scores]
    try:
        with _open_output(temporary, path, columns) as write:
            for numbers, names in vertices(vertices_path):
                rows = slice(int(numbers[0]), int(numbers[-1]) + 1)
                write([numbers, names, *(values[rows] for values in scores.values())])
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise MiniSearchError(f'cannot write "{path}": {reason}; run the same command again to continue') from error
    finally:
        temporary.unlink(missing_ok=True)


def _open_output(temporary: Path, path: str, columns: Sequence[str]) -> AbstractContextManager[Write]:
    return _parquet_writer(temporary, columns) if _is_parquet(path) else _text_writer(temporary, columns, path)


@contextmanager
def _parquet_writer(path: Path, columns: Sequence[str]) -> Iterator[Write]:
    arrow = _pyarrow()
    from pyarrow import parquet

    types = [arrow.int64(), arrow.string(), *[arrow.float64()] * (len(columns) - 2)]
    schema = arrow.schema(list(zip(columns, types, strict=True)))
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        yield lambda arrays: file.write_batch(arrow.record_batch(arrays, schema=schema))


@contextmanager
def _text_writer(temporary: Path, columns: Sequence[str], path: str) -> Iterator[Write]:
    with gzip.open(temporary, "wb", compresslevel=6) if path.endswith(".gz") else temporary.open("wb") as file:
        file.write(("\t".join(columns) + "\n").encode())

        def write(arrays: list[Any]) -> None:
            rows = zip(*(array if isinstance(array, list) else array.tolist() for array in arrays), strict=True)
            file.write("".join("\t".join(map(str, row)) + "\n" for row in rows).encode())

        yield write
