"""Tables as Parquet files, read and written some rows at a time. Needs pyarrow, of the extra `cluster`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minisearch.errors import BadInput, MiniSearchError

ROWS_AT_A_TIME = 1 << 20


def is_parquet(path: str) -> bool:
    """Whether a file is Parquet by its name."""
    return path.lower().endswith((".parquet", ".pq"))


def read_columns(path: str, count: int) -> Iterator[list[Any]]:
    """The first few columns: arrays of numbers, lists of names."""
    arrow, parquet = _arrow()
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names[:count]
            if len(names) < count:
                raise BadInput(f'"{path}" has {len(names)} columns, and {count} are needed')
            for batch in file.iter_batches(ROWS_AT_A_TIME, columns=names):
                yield [_plain(column, path) for column in batch.columns]
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else error
        raise MiniSearchError(f'cannot read "{path}": {said}') from error
    except arrow.ArrowInvalid as error:
        raise BadInput(f'"{path}" is no sound Parquet file: {str(error).splitlines()[0]}') from None


def _plain(column: Any, path: str) -> Any:
    if column.null_count:
        raise BadInput(f'"{path}" has empty cells')
    arrow, _ = _arrow()
    numbers = arrow.types.is_integer(column.type) or arrow.types.is_floating(column.type)
    return column.to_numpy() if numbers else column.to_pylist()


@contextmanager
def writer(path: Path, columns: Sequence[str]) -> Iterator[Callable[[list[Any]], None]]:
    """A function that adds rows to a new file, given their columns: whole numbers, names, then scores."""
    arrow, parquet = _arrow()
    kinds = [arrow.int64(), arrow.string(), *[arrow.float64()] * (len(columns) - 2)]
    schema = arrow.schema(list(zip(columns, kinds, strict=True)))
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        yield lambda parts: file.write_batch(
            arrow.record_batch(
                [arrow.array(part, kind) for part, kind in zip(parts, kinds, strict=True)], schema=schema
            )
        )


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MiniSearchError('Parquet needs pyarrow: pip install "minisearch[cluster]"') from None
    return pyarrow, parquet
