"""The head of an answer, and the chunks of its body, as servers write them: most by the book, some in odd ways.

RFC 9112 says how they are written; where servers do otherwise and browsers understand them, so do we. What a server
sends beside the page itself is bounded here, for none of it counts as a part of the page.
"""

from __future__ import annotations

import re
import sys
from http.client import (
    HTTPException,
    HTTPMessage,
    HTTPResponse,
    LineTooLong,
    RemoteDisconnected,
    UnknownTransferEncoding,
)
from typing import Any, NamedTuple

HINTS = range(102, 200)  # answers that are followed by another one; Python knows only of 100
LINE = re.compile(rb"[!-9;-~]+:|[ \t]")  # of a head: a header, or the rest of one
BLANK = re.compile(rb"[ \t]*\r?\n")  # a line that Python reads as we do; of no others should it see the end
END = (b"\r\n", b"\n")  # of a head
BEFORE_COLON = re.compile(rb"([!-9;-~]+)[ \t]+:")  # blanks that no header should have, and some do
CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]+(?=[ \t]*(?:;|\r?\n))")
LONGEST_LINE = 65_536  # as http.client has it
MOST_HEAD = 1_000_000  # bytes of all heads of one answer, of which there is no end if hint follows hint
MOST_LINES = 1000  # of all heads of one answer
TOGETHER = 20_000  # bytes of headers that are handed to Python as one line: it would take no more than a hundred
MOST_AROUND = 1_000_000  # bytes that are sent beside the chunks of a body
PACKINGS = {"gzip", "x-gzip", "deflate", "compress", "x-compress", "br"}  # on the way, which we never ask for
PLAIN = re.compile(rb"HTTP/1\.1 200 ([ -~]*)\r\n((?:[\w-]+: [!-~](?:[ -~]*[!-~])?\r\n){1,50})\r\n")  # a whole head
LONGEST = 15  # digits of a length that is plain


class HungUp(RemoteDisconnected):
    """The answer had begun, and ended in its head."""


class Unmeasured(HTTPException):
    """A chunk of a body came with no size that could be one."""


class _Lines:
    """The lines of a head, with those made readable that no parser of headers would read."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._begun = False
        self._at_status = True  # whether the next line should be a status: the first, and the first after a hint
        self._room, self._lines = MOST_HEAD, MOST_LINES
        self._ahead = b""  # a line that was read before its turn

    def readline(self, limit: int = -1) -> bytes:
        """The next line, or the next few headers: Python would have no more than a hundred."""
        alone = self._at_status  # which is nothing to wait after if it is none
        lines, self._ahead = self._ahead or self._line(limit), b""
        while lines.strip() and not self._ahead and not alone:
            line = self._line(limit)
            if line.strip() and len(lines) + len(line) <= TOGETHER:
                lines += line
            else:
                self._ahead = line
        return lines

    def _line(self, limit: int) -> bytes:
        """The next line; Python's parser would take a header with an odd name for the end of all headers."""
        line: bytes = self._file.readline(limit)
        if not line and self._begun:  # which Python would take for a whole answer, often of an empty page
            raise HungUp("it hung up in the middle of its headers")
        self._room -= len(line)
        self._lines -= 1
        if self._room < 0 or self._lines < 0:
            most = f"{MOST_HEAD:,} bytes" if self._room < 0 else f"{MOST_LINES:,} lines"
            raise HTTPException(f"got more than {most}")
        as_it_is = self._at_status or len(line) == limit or BLANK.fullmatch(line)
        self._begun, self._at_status = True, line in END
        return line if as_it_is else _readable(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class Plain(NamedTuple):
    """A head as plain as nearly all are, after which a body of a known length comes, and may be another answer."""

    reason: str
    fields: list[list[str]]  # names, as written, and values
    told: dict[str, str]  # the same, by names in lower case, of which none is there twice
    length: int  # of the body
    size: int  # of the head


def read_plain(sent: bytes | bytearray, size: int = sys.maxsize) -> Plain | None:
    """The head with which so many bytes begin, if it is there to its end and plain: that needs no parser for mail."""
    head = PLAIN.match(sent, 0, size)
    if head is None or head.end() > LONGEST_LINE:  # in which there may be a line that http.client would not take
        return None
    fields = [line.split(": ", 1) for line in head[2].decode("ascii").splitlines()]
    told = {name.lower(): value for name, value in fields}
    length = told.get("content-length", "")
    lasts = "transfer-encoding" not in told and "close" not in told.get("connection", "").lower()
    if len(told) < len(fields) or not lasts or not length.isdecimal() or len(length) > LONGEST:
        return None
    return Plain(head[1].decode("ascii").strip(), fields, told, int(length), head.end())


def _readable(line: bytes) -> bytes:
    """A header without the blanks that do not belong to it (RFC 9112, section 5.1), and none that begins inside it."""
    line = line.rstrip().replace(b"\r", b" ")
    if odd := BEFORE_COLON.match(line):
        line = odd[1] + line[odd.end() - 1 :]
    return (line if LINE.match(line) else b"X-Unreadable: yes") + b"\r\n"


class Response(HTTPResponse):
    """Reads the head of an answer with patience."""

    _around = 0  # bytes received beside the chunks of the body

    def begin(self) -> None:
        """Read the head. Hints that come before the answer (103) are not the answer."""
        if self.headers is not None or self._method != "GET" or not self._read_plain():
            self._read_head()

    def _read_plain(self) -> bool:
        """Read the head of a page if it is as plain as nearly all are, which needs no parser for mail."""
        head = read_plain(self.fp.peek(1))
        if head is None:
            return False
        self.fp.read(head.size)
        self.headers = self.msg = HTTPMessage()
        for field in head.fields:
            self.headers.set_raw(*field)
        self.code, self.status, self.reason, self.version = 200, 200, head.reason, 11
        self.chunked, self.will_close, self.length = False, False, head.length
        return True

    def _read_head(self) -> None:
        self.fp, file = _Lines(self.fp), self.fp  # type: ignore[assignment]
        try:
            super().begin()
            while self.status in HINTS and self.fp is not None:
                self.headers = self.msg = None  # type: ignore[assignment]
                super().begin()
        finally:
            if self.fp is not None:  # else there is nothing more to be read
                self.fp = file
        if not self.chunked and "transfer-encoding" in self.headers:
            self._read_codings()

    def _read_codings(self) -> None:
        """What is done to the body on its way, of which Python understands one word alone."""
        told = ",".join(self.headers.get_all("transfer-encoding", [])).lower()
        codings = [coding.strip() for coding in told.split(",")]
        if packed := PACKINGS.intersection(codings):
            raise UnknownTransferEncoding(", ".join(packed))
        if codings[-1] == "chunked":
            self.chunked, self.chunk_left, self.length = True, None, None
            self.will_close = self._check_close()  # type: ignore[attr-defined]

    def _get_chunk_left(self) -> int | None:
        """How much of a chunk is still to be read; it may end with its line feed alone."""
        if self.chunk_left == 0:
            self.fp.readline(len("\r\n"))
            self.chunk_left = None
        return super()._get_chunk_left()  # type: ignore[misc,no-any-return]

    def _read_next_chunk_size(self) -> int:
        """The size of the next chunk; extensions are passed over, but not without end."""
        line = self.fp.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise LineTooLong("chunk size")
        size = CHUNK_SIZE.match(line)
        if size is None:  # nobody knows where the next one begins
            self._close_conn()  # type: ignore[attr-defined]
            if line.endswith(b"\n"):
                raise Unmeasured(line[:LONGEST].decode("latin-1").strip())
            raise ValueError("it broke off")
        self._pass_over(len(line) - size.end())
        return int(size[0], 16)

    def _read_and_discard_trailer(self) -> None:
        """Pass over the headers that come after a body."""
        while (line := self.fp.readline(LONGEST_LINE + 1)).strip(b"\r\n"):
            self._pass_over(len(line))

    def _pass_over(self, count: int) -> None:
        self._around += count if count > len("\r\n") else 0
        if self._around > MOST_AROUND:
            raise HTTPException(f"got more than {MOST_AROUND:,} bytes beside its chunks")
