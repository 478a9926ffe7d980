"""Pipes: how records get from process to process. All that has come is read at once, and where it lies.

(What Python has for this, multiprocessing's Connection, reads twice for every record, and copies it twice.)
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any

pack = partial(pickle.dumps, protocol=pickle.HIGHEST_PROTOCOL)
SIZE = Struct("<Q")  # what comes before a record: how many bytes it has
ROOM = 1 << 18  # bytes that are read at a time; a record may have more


def send(pipe: int, record: object, pack: Callable[[object], bytes] = pack) -> None:
    """Write a record into a pipe."""
    send_packed(pipe, pack(record))


def send_packed(pipe: int, packed: bytes) -> None:
    """Write a record into a pipe that is packed already."""
    parts = [SIZE.pack(len(packed)), packed]
    written = os.writev(pipe, parts)
    if written < SIZE.size + len(packed):  # as much as the pipe has room for, if a signal came in between
        rest = memoryview(b"".join(parts))[written:]
        while rest:
            rest = rest[os.write(pipe, rest) :]


class Inbox:
    """The end of a pipe from which records are taken, and unpacked one after the other."""

    def __init__(self, pipe: int, unpack: Callable[[memoryview], Any] = pickle.loads) -> None:
        self.pipe = pipe
        self._unpack = unpack
        self._bytes = bytearray(ROOM)
        self._held = 0  # bytes of a record that has come in part

    def take(self) -> list[Any]:
        """The records that have come; waits until there is a part of one. EOFError: there will be no more."""
        with memoryview(self._bytes) as room, room[self._held :] as free:
            count = os.readv(self.pipe, [free])
        if not count:
            raise EOFError
        self._held += count
        records, at, wanted = [], 0, SIZE.size
        with memoryview(self._bytes) as room:
            while self._held - at >= SIZE.size:
                begin = at + SIZE.size
                wanted = SIZE.size + SIZE.unpack_from(room, at)[0]
                if self._held - at < wanted:
                    break
                with room[begin : at + wanted] as record:
                    records.append(self._unpack(record))
                at, wanted = at + wanted, SIZE.size
        self._keep_from(at, wanted)
        return records

    def _keep_from(self, at: int, wanted: int) -> None:
        """Keep what has come of the next record, in room for all of it."""
        rest = self._bytes[at : self._held]
        if len(self._bytes) < wanted or len(self._bytes) > ROOM >= wanted:  # it is a large one, or was
            self._bytes = bytearray(max(wanted, ROOM))
        self._held = len(rest)
        self._bytes[: self._held] = rest

    def close(self) -> None:
        """Take no more."""
        os.close(self.pipe)
