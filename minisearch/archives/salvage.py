"""Salvage: the records of a WARC or ARC file, one by one, and past what is damaged on to the next that is whole.

Each record of a compressed archive is compressed by itself, and begins with a mark of its own in any other: a bad
sector, or a transfer that broke off, need not cost what comes after it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from minisearch.fetch.fetcher import GZIP

CHUNK = 1 << 16
ENOUGH = 1 << 10  # bytes by which a record is known
STARTS = (b"WARC/", b"filedesc:")  # of WARC and of ARC
NOTES = ("warcinfo", "metadata")  # the kinds of records whose content is read at once
LONGEST_NOTE = 1_000_000  # bytes
MOST_TRIES = 1_000  # to go on, lest a file made of beginnings is tried without end

# What warcio raises when it stumbles over a file that is damaged, or is something else altogether.
DAMAGE = (ArchiveLoadFailed, EOFError, ValueError, AttributeError, zlib.error, StopIteration)


class CompressedAsAWhole(Exception):
    """The records cannot be read one by one."""


class Entry(NamedTuple):
    """A whole record, where it begins, and what it says if it is a note."""

    record: Any
    place: int
    note: bytes


class Records(ArchiveIterator):  # type: ignore[misc]
    """What warcio finds from the current place of a file on."""

    INC_RECORD = ""  # it would tell of wrong lengths on the terminal

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file, arc2warc=True)


def is_archive(start: bytes) -> bool:
    """Whether a file that begins so is a web archive; warcio would try to make sense of anything."""
    return _unpacked(start).startswith(STARTS)


def salvage(file: BinaryIO) -> Iterator[Entry | None]:
    """The whole records of a file, in order; None for each place where something is damaged."""
    size = file.seek(0, 2)
    file.seek(0)
    packed, place = file.read(len(GZIP)) == GZIP, 0
    for _ in range(MOST_TRIES):
        file.seek(place)
        walk = Records(file)
        with suppress(*DAMAGE):
            yield from _whole(walk, packed)
        place = max(place, walk.offset)
        if place >= size:
            return
        yield None
        found = _next_start(file, place + 1, packed)
        if found is None:
            return
        place = found


def _whole(walk: Records, packed: bool) -> Iterator[Entry]:
    try:
        for record in walk:
            place, note = walk.offset, b""
            if packed and walk.reader.decompressor is None:  # it could not be unpacked, and was read as it is
                return
            if record.rec_type in NOTES:
                note = record.raw_stream.read(LONGEST_NOTE)
            walk.read_to_end()
            if getattr(record.raw_stream, "limit", 0) > 0:  # it is shorter than it says
                walk.offset = place
                return
            yield Entry(record, place, note)
    except ArchiveLoadFailed as error:
        if "non-chunked gzip" in str(error):
            raise CompressedAsAWhole from error
        raise


def _next_start(file: BinaryIO, place: int, packed: bool) -> int | None:
    """Where the next record begins, as it seems, from a place on."""
    mark = GZIP + b"\x08" if packed else b"\nWARC/1."
    file.seek(place)
    block = b""
    tries = MOST_TRIES
    while tries and (piece := file.read(CHUNK)):
        block = block[1 - len(mark) :] + piece
        end = file.tell()
        at = block.find(mark)
        while at >= 0:
            begin = end - len(block) + at + (not packed)
            file.seek(begin)
            if not packed or is_archive(file.read(ENOUGH)):
                return begin
            tries -= 1
            at = block.find(mark, at + 1) if tries else -1
        file.seek(end)
    return None


def _unpacked(start: bytes) -> bytes:
    """The first bytes of what may be compressed."""
    if not start.startswith(GZIP):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, CHUNK)
    except zlib.error:
        return b""
