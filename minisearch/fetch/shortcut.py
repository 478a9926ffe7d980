"""The short way to a page: what is asked and answered over a connection that stands open already.

Nearly all answers of a crawl are plain: a status that says all is well, headers by the book, a body of a known length.
Of these the system hands out a hundred kilobytes in the time in which http.client, urllib3 and requests, each with
objects and rules of its own, have hardly begun to read. So the question is sent as it was put the last time but for
its path, and a plain answer is read from the socket itself.

Whatever else comes is none of our business here: it is handed to those who know what to do with it, with all that was
read by then, and they go on as if they had asked the question themselves. (minisearch/fetch/connect.py)
"""

from __future__ import annotations

import io
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from functools import cached_property
from http.client import IncompleteRead
from queue import Empty
from threading import get_ident
from typing import Any, Protocol

import requests
from requests import ReadTimeout
from requests.cookies import RequestsCookieJar
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPConnectionPool, HTTPHeaderDict
from urllib3.exceptions import ProtocolError, ReadTimeoutError, SSLError

from minisearch.fetch import deadline
from minisearch.fetch.heads import Plain, read_plain

ROOM = 1 << 18  # bytes that are read at a time
# What of a url may be asked for as it is written; urllib3 would spell the rest in another way.
AS_WRITTEN = re.compile(
    r"/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*)?", re.ASCII
)


class Connection(Protocol):
    """A connection to a site (minisearch/fetch/connect.py)."""

    sock: Any
    is_connected: bool
    said: tuple[dict[str, str], bytes] | None  # headers of a question, and all of it that came after its path
    begun: bytes | None  # what was read already of an answer

    def close(self) -> None:
        """Close its socket."""


class Headers(CaseInsensitiveDict[str]):
    """Plain headers, of which none is there twice; requests would take them in one by one."""

    def __init__(self, head: Plain) -> None:
        self._store = {name: (written, told) for name, (written, told) in zip(head.told, head.fields, strict=True)}


class Answered(requests.Response):
    """A plain answer as requests hands it on, without a jar for cookies, which takes longer than all the rest."""

    def __init__(self, answer: Short, request: requests.PreparedRequest) -> None:
        self.status_code, self.reason, self.url = answer.status, answer.reason, request.url or ""
        self.raw: Short = answer
        self.request, self.history = request, []
        self._content, self._content_consumed = False, False  # type: ignore[assignment]
        self.encoding = None

    @cached_property
    def headers(self) -> Headers:  # type: ignore[override]
        """Its headers, for those who have no use for them as they came."""
        return Headers(self.raw.head)

    @cached_property
    def cookies(self) -> RequestsCookieJar:  # type: ignore[override]
        """None: a jar for those who look into it."""
        return RequestsCookieJar()


class Short:
    """A plain answer, whose body is still to be read; to those who read it, it is what urllib3 would have given them.

    `done` takes its connection back, and its room.
    """

    def __init__(self, head: Plain, connection: Connection, room: bytearray, filled: int, done: Done) -> None:
        self.head, self.reason, self.status = head, head.reason, 200
        self.length_remaining = head.length
        self._connection: Connection | None = connection
        self._receive: Callable[[memoryview], int] = connection.sock.recv_into
        self._room, self._view, self._done = room, memoryview(room), done
        self._from, self._to = head.size, filled  # what is in the room and was not given away yet
        self._excess = filled - head.size > head.length  # more than was announced, nobody knows what

    @property
    def headers(self) -> HTTPHeaderDict:
        """The headers as they were written."""
        return HTTPHeaderDict(self.head.fields)  # type: ignore[arg-type]

    def read(self, amount: int, decode_content: bool) -> bytes:  # noqa: ARG002 - as urllib3 has it
        """The next bytes of the body, as they came: so many, or as many as there is room for; at its end none."""
        return self._next(min(amount, self.length_remaining, ROOM), at_once=False)

    def read1(self, amount: int, decode_content: bool) -> bytes:  # noqa: ARG002 - as urllib3 has it
        """The same, but no more than there are, or come first."""
        return self._next(min(amount, self.length_remaining, ROOM), at_once=True)

    def _next(self, size: int, *, at_once: bool) -> bytes:
        if self._connection is None:
            return b""
        if self._from + size > ROOM:
            there = self._to - self._from
            self._view[:there] = self._view[self._from : self._to]
            self._from, self._to = 0, there
        until = self._from + size
        while self._to < until and not (at_once and self._to > self._from):
            self._to += self._received(self._view[self._to : until])
        piece = bytes(self._view[self._from : min(self._to, until)])
        self._from += len(piece)
        self.length_remaining -= len(piece)
        if not self.length_remaining:
            self.release_conn()
        return piece

    def _received(self, room: memoryview) -> int:
        try:
            count = self._receive(room)
        except TimeoutError as error:
            raise ReadTimeoutError(None, None, "Read timed out.") from error  # type: ignore[arg-type]
        except ssl.SSLError as error:
            raise SSLError(error) from error
        except OSError as error:
            raise ProtocolError(f"Connection broken: {error!r}", error) from error
        if not count:
            had = self.head.length - self.length_remaining + self._to - self._from
            broken = IncompleteRead(b"", self.head.length - had)
            raise ProtocolError(f"Connection broken: {broken!r}", broken)
        return count

    def release_conn(self) -> None:
        """Let go of the connection. It can be used again if the answer was read to its end, and ended there."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            if self.length_remaining or self._excess:
                connection.close()
            self._done(connection, self._room)

    close = release_conn


Done = Callable[[Connection, bytearray], None]


class Pool(HTTPConnectionPool):
    """Connections to a site, over one of which a page may be asked for the short way."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._rooms: list[bytearray] = []  # that nobody uses
        self._begun: dict[int, Any] = {}  # where some of an answer was read already, by who is to read the rest

    def ask(self, path: str, headers: Mapping[str, str], timeout: float) -> Short | None:
        """The answer if it is plain. None: the question is to be asked in the ordinary way, by the same thread."""
        if not AS_WRITTEN.fullmatch(path) or (connection := self._idle()) is None:
            return None
        sock, said = connection.sock, connection.said
        if said is None or said[0] != headers:
            self._put_conn(connection)
            return None
        deadline.hold(sock)
        if sock.gettimeout() != timeout:
            sock.settimeout(timeout)
        room = self._rooms.pop() if self._rooms else bytearray(ROOM)
        try:
            sock.sendall(b"GET %b%b" % (path.encode("ascii"), said[1]))
            size = sock.recv_into(room)
        except TimeoutError as error:
            connection.close()
            self._take_back(connection, room)
            raise ReadTimeout(error) from error
        except OSError:  # the server has hung up, of which others have to make something
            size = 0
        if head := read_plain(room, size):
            return Short(head, connection, room, size, self._take_back)
        connection.begun = bytes(memoryview(room)[:size])
        self._begun[get_ident()] = connection
        self._rooms.append(room)
        return None

    def _idle(self) -> Any:
        """A connection that stands open, if the one that was used last does."""
        try:
            connection = self.pool.get(block=False)  # type: ignore[union-attr]
        except (AttributeError, Empty):  # it was closed, or all are in use
            return None
        if connection is not None and connection.is_connected:
            return connection
        self._put_conn(connection)
        return None

    def _take_back(self, connection: Any, room: bytearray) -> None:
        self._put_conn(connection)
        self._rooms.append(room)

    def _get_conn(self, timeout: float | None = None) -> Any:
        return self._begun.pop(get_ident(), None) or super()._get_conn(timeout)

    def let_go(self) -> None:
        """Close what was begun, if nobody went on with it."""
        if connection := self._begun.pop(get_ident(), None):
            connection.close()
            self._put_conn(connection)


class Begun:
    """A socket from which some of an answer was read already."""

    def __init__(self, rest: socket.socket, start: bytes) -> None:
        self._rest, self._start = rest, start

    def makefile(self, mode: str) -> io.BufferedReader:
        """The whole of it, to be read."""
        return io.BufferedReader(_Whole(self._start, self._rest.makefile(mode, buffering=0)))  # type: ignore[call-overload]


class _Whole(io.RawIOBase):
    def __init__(self, start: bytes, rest: io.RawIOBase) -> None:
        self._start, self._rest = memoryview(start), rest

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int | None:
        if not self._start:
            return self._rest.readinto(room)
        count = min(len(room), len(self._start))
        room[:count] = self._start[:count]
        self._start = self._start[count:]
        return count

    def close(self) -> None:
        self._rest.close()
        super().close()
