"""Unpacking compressed bodies in bounded steps, so that a small bomb cannot grow large, and none is taken for whole
that was cut short.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import brotli

from minisearch.fetch.errors import FetchError

STEP = 1 << 16  # bytes that are unpacked at a time
ENCODINGS = ("gzip", "deflate", "br")  # what we ask for
NAMES = {"", "identity", "x-gzip", *ENCODINGS}  # and what is understood
NONE = {"none", "binary", "utf-8", "utf8", "8bit", "7bit"}  # what servers write there and mean nothing by
GZIP = b"\x1f\x8b"  # how it begins
MOST = 2  # packings one inside the other


class _Unpacker(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...
    def is_whole(self) -> bool: ...


class _Zlib:
    """gzip, of one or more members, and both things that are called deflate."""

    def __init__(self, *, bare: bool = False) -> None:
        self._bare = bare  # it may come without any wrapping
        self._start = b""
        self._object: zlib._Decompress | None = None
        self._members = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        data = self._start + data
        self._start = b""
        while data:
            if self._object is None and len(data) < 2:  # its first two bytes tell what it is
                self._start = data
                return
            self._object = self._object or zlib.decompressobj(self._wrapping(data))
            try:
                piece = self._object.decompress(data, STEP)
            except zlib.error:
                if self._members:  # whatever follows a whole body is none of our business
                    self._object = None
                    return
                raise
            data = self._object.unconsumed_tail
            if piece:
                yield piece
            if self._object.eof:
                data = self._object.unused_data
                self._object = None
                self._members += 1

    def _wrapping(self, data: bytes) -> int:
        is_zlib = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
        bare = self._bare and not is_zlib and data[:2] != GZIP
        return -zlib.MAX_WBITS if bare else zlib.MAX_WBITS | 32

    def is_whole(self) -> bool:
        return self._object is None and (not self._start or self._members > 0)


class _Brotli:
    def __init__(self) -> None:
        self._object = brotli.Decompressor()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._begun = True
        while not self._object.is_finished():
            piece = self._object.process(data, output_buffer_limit=STEP)
            if not piece:
                return  # what is left waits for more to come
            yield piece
            data = b""

    def is_whole(self) -> bool:
        return not self._begun or bool(self._object.is_finished())


MAKERS: dict[str, Callable[[], _Unpacker]] = {"gzip": _Zlib, "x-gzip": _Zlib, "br": _Brotli}
MAKERS["deflate"] = lambda: _Zlib(bare=True)


def check(content_encoding: str) -> list[str]:
    """The packings that a Content-Encoding header names, the innermost first."""
    names = [name.strip() for name in content_encoding.lower().split(",")]
    if len(names) > MOST or not set(names) <= NAMES | NONE:
        said = ", ".join(names)[:50]
        raise FetchError(f"packed in a way we did not ask for ({said})", "encoding", transient=False)
    return [name for name in names if name in MAKERS]


def unpacked(pieces: Iterable[bytes], content_encoding: str) -> Iterable[bytes]:
    """The body in pieces, none of them much larger than STEP."""
    for name in reversed(check(content_encoding)):
        pieces = _unpacked(pieces, MAKERS[name]())
    return pieces


def _unpacked(pieces: Iterable[bytes], unpacker: _Unpacker) -> Iterator[bytes]:
    for piece in pieces:
        try:
            yield from unpacker.feed(piece)
        except (zlib.error, brotli.error) as error:
            raise FetchError("the body could not be decompressed", "encoding", transient=False) from error
    if not unpacker.is_whole():
        raise FetchError("the packed body broke off before it was complete", "truncated")
