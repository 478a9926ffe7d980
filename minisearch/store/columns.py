"""Columns: numbers of each page of a segment. They are read before the first query is answered, so the fewer bytes the
better: a byte that tells how many bytes a number has, 0 if all are 0; then the numbers, little-endian.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from minisearch.packing import Counts

WIDTHS = (0, 1, 2, 4)  # bytes of a number


def packed(*columns: Counts) -> bytes:
    """Some columns, one after the other."""
    return b"".join(part for column in columns for part in _packed(column))


def unpacked(blob: bytes, size: int, count: int) -> list[Counts]:
    """So many columns, of so many numbers each."""
    found: list[Counts] = []
    at = 0
    for _ in range(count):
        width = blob[at]
        found.append(np.frombuffer(blob, f"<u{width}", size, at + 1) if width else np.zeros(size, dtype=np.uint8))
        at += 1 + width * size
    if at != len(blob):
        raise ValueError("too short or too long")
    return found


def steps(numbers: Counts) -> Counts:
    """How much more each number is than the one before: small ones, if they rise."""
    wide = numbers.astype(np.uint32)  # what is less than the one before comes round again
    return np.concatenate([wide[:1], wide[1:] - wide[:-1]])


def rising(blob: bytes, size: int) -> Counts:
    """So many numbers whose steps are a column."""
    return np.cumsum(*unpacked(blob, size, 1), dtype=np.uint32)


def _packed(column: Counts) -> Iterable[bytes]:
    most = int(column.max(initial=0))
    width = next(width for width in WIDTHS if most < 1 << 8 * width)
    return bytes([width]), column.astype(f"<u{width}").tobytes() if width else b""
