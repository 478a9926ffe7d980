"""Webs that come as files: Common Crawl's vertices and edges, or the same two tables as Parquet; and ranks as a file.

Common Crawl's web graphs are two lists, gzipped: `0 <tab> com.example` names a vertex, hosts with their parts in
reverse, and `0 <tab> 7` is an edge. All is read some millions of lines at a time, so that neither list has to fit into
memory.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.scores import Vector
from minisearch.rank.topic import topic_vector
from minisearch.scale.parquet import is_parquet, read_columns, writer

Ints = NDArray[np.int64]
BYTES_AT_A_TIME = 1 << 25
TAB, NEWLINE = 9, 10


def vertices(path: str) -> Iterator[tuple[Ints, list[str]]]:
    """(numbers, names) of the vertices, some at a time; they must be numbered from 0 in order."""
    expected = 0
    chunks = read_columns(path, 2) if is_parquet(path) else _vertex_lines(path)
    for numbers, names in chunks:
        ids = np.asarray(numbers)
        wanted = np.arange(expected, expected + len(ids))
        wrong = np.flatnonzero(ids != wanted) if ids.dtype.kind in "iu" else np.zeros(1, dtype=np.int64)
        if len(wrong):
            at = int(wrong[0])
            raise BadInput(
                f'"{path}": vertex {ids[at]} stands where {expected + at} should: number them 0, 1, 2 ... in order'
            )
        yield wanted, list(names)
        expected += len(ids)
    if not expected:
        raise BadInput(f'"{path}" has no vertices')


def edges(path: str, n: int) -> Iterator[tuple[Ints, Ints, None]]:
    """(sources, targets, None) of the edges, some at a time; both ends are among n vertices."""
    done = 0
    for ends in read_columns(path, 2) if is_parquet(path) else _edge_lines(path):
        sources, targets = (np.asarray(side) for side in ends)
        for side in (sources, targets):
            if side.dtype.kind not in "iu":
                raise BadInput(f'"{path}": the two ends of an edge are the numbers of vertices, not {side.dtype}')
            unknown = np.flatnonzero((side < 0) | (side >= n))
            if len(unknown):
                at = int(unknown[0])
                raise BadInput(f'"{path}", edge {done + at + 1}: there is no vertex {side[at]}, only 0 to {n - 1}')
        yield sources, targets, None
        done += len(sources)


def origin(*paths: str) -> str:
    """What tells some files from what they may be replaced by."""
    return " ".join(f"{Path(path).absolute()}:{os.stat(path).st_size}:{os.stat(path).st_mtime_ns}" for path in paths)


def size_of(path: str) -> int:
    """About how many edges a file has, by its length: enough to choose the size of blocks."""
    try:
        length = os.stat(path).st_size
    except OSError as error:
        raise MiniSearchError(f'cannot read "{path}": {error.strerror}') from error
    return length // (4 if path.endswith(".gz") or is_parquet(path) else 14)


def trusted(numbers: Ints, names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The vertices that are trusted: by the name of their host, or by its ending."""
    found = []
    for number, name in zip(numbers.tolist(), names, strict=True) if wanted else ():
        host = host_of(name)
        if any(host.endswith(each) if each.startswith(".") else host == each for each in wanted):
            found.append(number)
    return found


def jumps(n: int, trusted: Sequence[int], wanted: Sequence[str]) -> dict[str, Any]:
    """Options of PageRank: where bored readers go; anywhere, if nobody in particular is `wanted`."""
    if not wanted:
        return {}
    if not trusted:
        raise BadInput(f'no vertex matches "{wanted[0]}": name a host like example.com, or an ending like .edu')
    jump = topic_vector(n, trusted, name="the trusted set")
    return {"teleport": jump, "start": jump, "dangling": "teleport"}


def first(path: str, scores: Vector, count: int) -> list[tuple[int, str, float]]:
    """(place, host, score) of the vertices with the highest scores."""
    count = min(count, len(scores))
    best = np.argpartition(-scores, count - 1)[:count] if count else np.zeros(0, dtype=np.int64)
    order = best[np.lexsort((best, -scores[best]))]
    named: dict[int, str] = {}
    wanted = np.sort(best)
    for numbers, names in vertices(path) if count else ():
        for number in wanted[(wanted >= numbers[0]) & (wanted <= numbers[-1])].tolist():
            named[number] = host_of(names[number - int(numbers[0])])
    return [(place, named[number], float(scores[number])) for place, number in enumerate(order.tolist(), start=1)]


def host_of(name: str) -> str:
    """A host as people write it.

    >>> host_of("com.example.www")
    'www.example.com'
    """
    return ".".join(reversed(name.split(".")))


def check_place(path: str) -> None:
    """Refuse a place where no file can be made, before all the work is done for it."""
    place = Path(path)
    if not place.parent.is_dir():
        raise BadInput(f'cannot write "{path}": there is no folder "{place.parent}"')
    if place.exists() and not place.is_file():
        raise BadInput(f'cannot write "{path}": it is there, and is no file')
    if not path.endswith((".parquet", *(form + packed for form in (".txt", ".tsv") for packed in ("", ".gz")))):
        raise BadInput(f'the name "{path}" does not tell a format: end it with .parquet, .txt or .txt.gz')


def write_ranks(path: str, vertices_path: str, scores: Mapping[str, Vector]) -> None:
    """One row a vertex: its number, its name and its scores; as Parquet, or as lines with tabs, gzipped if so named."""
    half = Path(f"{path}.half")
    columns = ["id", "name", *scores]
    try:
        with writer(half, columns) if is_parquet(path) else _lines_into(half, columns, path) as write:
            for numbers, names in vertices(vertices_path):
                rows = slice(int(numbers[0]), int(numbers[-1]) + 1)
                write([numbers, names, *(values[rows] for values in scores.values())])
        half.replace(path)
    except OSError as error:
        raise MiniSearchError(f'cannot write "{path}": {error.strerror or error}; the same command goes on') from error
    finally:
        half.unlink(missing_ok=True)


@contextmanager
def _lines_into(half: Path, columns: Sequence[str], path: str) -> Iterator[Any]:
    with gzip.open(half, "wb", compresslevel=6) if path.endswith(".gz") else half.open("wb") as file:
        file.write(("\t".join(columns) + "\n").encode())

        def write(parts: list[Any]) -> None:
            rows = zip(*(part.tolist() if isinstance(part, np.ndarray) else part for part in parts), strict=True)
            file.write("".join("\t".join(map(str, row)) + "\n" for row in rows).encode("utf-8", "surrogateescape"))

        yield write


def _vertex_lines(path: str) -> Iterator[tuple[list[int], list[str]]]:
    number = 0
    for chunk in _chunks(path):
        lines = chunk.decode("utf-8", "surrogateescape").split("\n")[:-1]
        cells = [line.split("\t", 2) for line in lines]
        try:
            yield [int(cell[0]) for cell in cells], [cell[1] for cell in cells]
        except (ValueError, IndexError):
            at = next(i for i, cell in enumerate(cells) if len(cell) < 2 or not cell[0].isdecimal())
            raise BadInput(
                f'"{path}", line {number + at + 1}: "{lines[at][:60]}" is no vertex: write its number, a tab, its name'
            ) from None
        number += len(lines)


def _edge_lines(path: str) -> Iterator[tuple[Ints, Ints]]:
    number = 0
    for chunk in _chunks(path):
        letters = np.frombuffer(chunk, dtype=np.uint8)
        marks = letters[(letters == TAB) | (letters == NEWLINE)]
        digits = ((letters >= 48) & (letters <= 57)) | (letters == TAB) | (letters == NEWLINE)
        proper = len(marks) % 2 == 0 and (marks[::2] == TAB).all() and (marks[1::2] == NEWLINE).all()
        if not (proper and digits.all()):
            raise _bad_edge(path, number, chunk)
        ends = np.fromstring(chunk.decode("latin-1"), dtype=np.int64, sep=" ")
        if len(ends) != len(marks):  # a number is missing
            raise _bad_edge(path, number, chunk)
        yield np.asarray(ends[::2]), np.asarray(ends[1::2])
        number += len(marks) // 2


def _bad_edge(path: str, before: int, chunk: bytes) -> BadInput:
    for at, line in enumerate(chunk.split(b"\n")[:-1], start=before + 1):
        cells = line.split(b"\t")
        if len(cells) != 2 or not all(cell.isdigit() for cell in cells):
            text = line[:60].decode("utf-8", "replace")
            return BadInput(f'"{path}", line {at}: "{text}" is no edge: write two numbers with a tab between')
    return BadInput(f'"{path}": an edge after line {before} is no edge')


def _chunks(path: str) -> Iterator[bytes]:
    """Whole lines, as many at a time as are good to work on."""
    rest = b""
    with _opened(path) as file:
        while True:
            try:
                read = file.read(BYTES_AT_A_TIME)
            except EOFError:
                raise BadInput(f'"{path}" is cut off in the middle: get it again') from None
            except (gzip.BadGzipFile, zlib.error) as error:
                raise BadInput(f'"{path}" is no sound gzip file: {error}') from None
            if not read:
                break
            whole, newline, rest = (rest + read).rpartition(b"\n")
            if newline:
                yield (whole + newline).replace(b"\r\n", b"\n")
    if rest:
        yield rest.removesuffix(b"\r") + b"\n"


def _opened(path: str) -> IO[bytes]:
    try:
        if path.endswith(".gz") and not os.path.getsize(path):
            raise BadInput(f'"{path}" is cut off at its beginning: get it again')
        return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")  # type: ignore[return-value]
    except OSError as error:
        raise MiniSearchError(f'cannot read "{path}": {error.strerror}') from error
