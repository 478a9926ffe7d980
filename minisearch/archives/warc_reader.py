"""Read responses from WARC and ARC files, with warcio.

The file is read once to find out which URLs it holds and where; bodies are read when they are asked for. A file that is
damaged, or that was not downloaded completely, is read up to its first damaged record.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader, DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed

from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import GZIP, PAGE_STATUSES, Response, decompress, join_headers, join_pieces
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Skipped
from minisearch.urls import join, origin

DECISION = "application/vnd.minisearch+json"  # the content type of our metadata records
CRAWL = "minisearch-crawl"  # the field of warcinfo with the seeds and options of the crawl
ENCODING_HEADERS = {"content-encoding", "transfer-encoding", "content-length"}  # they do not describe a decoded body
BLOCK = 1 << 16  # bytes read at a time
SIGNATURES = {b"WARC/": "warc", b"filedesc:": "arc"}  # the first bytes of a file, and its format
READ_AT_ONCE = ("warcinfo", "metadata")  # record types whose content is kept in memory
MAX_METADATA = 1_000_000  # bytes
STATUS_DIGITS = 3
# What warcio raises on a damaged file, or on one that is not a web archive.
DAMAGE = (ArchiveLoadFailed, EOFError, ValueError, AttributeError, OverflowError, zlib.error, StopIteration)

Decision = RobotsFile | Skipped | Failed  # what was decided about a URL without a response
# By its name, a decision whose fields have values of the right types.
DECISIONS: dict[str, Decision] = {"RobotsFile": RobotsFile(0), "Skipped": Skipped("", ""), "Failed": Failed("", "")}


class _Records(ArchiveIterator):  # type: ignore[misc]
    INC_RECORD = ""  # warcio prints it if the length of a record is wrong

    def __init__(self, file: BinaryIO, known_format: str) -> None:
        super().__init__(file, arc2warc=known_format == "arc")
        self.known_format = known_format  # otherwise warcio takes a damaged record for one of the other format


class Warc:
    """A WARC or ARC file."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.ignored: Counter[str] = Counter()  # what is in the file and is not a response, by kind
        self.warning = ""  # what could not be read
        self.about: dict[str, Any] = {}  # seeds and options of the crawl that it is a recording of, if known
        self._offsets: dict[str, tuple[int, str, bool]] = {}  # URL -> where in the file, date, whether it is a page
        self._decisions: dict[tuple[str, bool], Decision] = {}
        self._revisits: dict[str, tuple[str, str]] = {}  # URL -> URL with the same response, or its digest
        self._digests: dict[str, str] = {}  # of a body -> the URL that had it
        self._read_index()
        for url, (same, digest) in self._revisits.items():
            known = same or self._digests.get(digest, "")
            if known in self._offsets:
                self._offsets.setdefault(url, self._offsets[known])
            elif url not in self._offsets:
                self.ignored["revisit"] += 1
        if not self._offsets and not self._decisions:
            warning = f": {self.warning}" if self.warning else ""
            raise BadInput(f'"{self._path}" contains no HTTP responses{warning}')

    def _read_index(self) -> None:
        """Remember where each response is, up to the first damaged record."""
        try:
            with self._path.open("rb") as file:
                start = DecompressingBufferedReader(file).read(BLOCK)
                self._format = next((name for sign, name in SIGNATURES.items() if start.startswith(sign)), "")
                if not self._format:
                    raise BadInput(f'"{self._path}" is not a web archive')
                size, end = file.seek(0, 2), 0
                file.seek(0)
                records = _Records(file, self._format)
                for record, offset, content in _whole_records(self._path, records):
                    self._add(record, offset, content)
                    end = records.offset
        except OSError as error:
            raise BadInput(f'cannot read "{self._path}": {error.strerror or error}') from error
        if end < size:
            self.warning = f"damaged at byte {end:,}, nothing after that was read"

    def _add(self, record: Any, offset: int, content: bytes) -> None:
        header = record.rec_headers.get_header
        kind, address = record.rec_type, header("WARC-Target-URI") or ""
        if kind == "warcinfo":
            self._read_about(content)
        elif kind == "metadata" and header("Content-Type") == DECISION:
            self._read_decision(address, content)
        elif kind not in ("response", "resource", "revisit"):
            self.ignored[kind] += 1
        elif not (url := join(address, "")):
            self.ignored["not an HTTP URL"] += 1
        elif url == f"{origin(url)}/robots.txt":  # not a page
            self.ignored["robots.txt"] += 1
        elif kind == "revisit":
            same = join((header("WARC-Refers-To-Target-URI") or "").strip("<>"), "")
            self._revisits[url] = same, header("WARC-Payload-Digest") or ""
        else:
            self._add_response(record, offset, url)

    def _add_response(self, record: Any, offset: int, url: str) -> None:
        status = record.http_headers.get_statuscode() if record.http_headers else ""
        if record.rec_type == "response" and not (status.isdecimal() and len(status) == STATUS_DIGITS):
            self.ignored["not HTTP"] += 1
            return
        header = record.rec_headers.get_header
        is_page = record.rec_type == "resource" or int(status) in PAGE_STATUSES
        date = _iso_date(header("WARC-Date") or "")
        if url in self._offsets:
            self.ignored["another response for the same URL"] += 1
            _, known_date, was_page = self._offsets[url]
            if was_page and (not is_page or date < known_date):  # a later error does not replace a page
                return
        self._offsets[url] = (offset, date, is_page)
        if is_page and (digest := header("WARC-Payload-Digest")):
            self._digests.setdefault(digest, url)

    def _read_about(self, content: bytes) -> None:
        for line in content.decode("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == CRAWL:
                with suppress(ValueError, RecursionError):
                    about = json.loads(value)
                    self.about = about if isinstance(about, dict) else {}

    def _read_decision(self, address: str, content: bytes) -> None:
        try:
            values = json.loads(content)
            example, is_robots = DECISIONS[values.pop("kind")], values.pop("robots")
            if isinstance(example, Failed if is_robots else RobotsFile):
                raise ValueError(example)
            if any(type(value) is not type(getattr(example, name)) for name, value in values.items()):
                raise ValueError(values)
            decision = replace(example, **values)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.ignored["metadata"] += 1
            return
        self._decisions[origin(address) if is_robots else address, is_robots] = decision

    def urls(self) -> list[str]:
        """The URLs that it has a response for, in the order of the archive."""
        return list(self._offsets)

    def location(self, url: str) -> object:
        """The URL itself if it has a response: each has a record of its own."""
        return url if url in self._offsets else None

    def start(self) -> str:
        """The first page in the file, which is where most crawls began."""
        pages = (url for url, (_, _, is_page) in self._offsets.items() if is_page)
        return next(pages, next(iter(self._offsets), ""))

    def decision(self, url: str, *, robots: bool = False) -> Decision | None:
        """What was decided about a URL without a response; with `robots`, the robots.txt of an origin."""
        return self._decisions.get((url, robots))

    def response(self, url: str, limits: Limits) -> tuple[Response, str] | None:
        """The response for a URL, read from the file, and when it was made."""
        if url not in self._offsets:
            return None
        offset, date, _ = self._offsets[url]
        with self._path.open("rb") as file:
            file.seek(offset)
            try:
                record = next(iter(_Records(file, self._format)))
                return _read_response(record, url, limits.page_bytes + 1), date
            except DAMAGE as error:
                raise FetchError("damaged", transient=False) from error


def end_of_records(path: Path) -> int:
    """Where the last whole record of a WARC file ends; the rest is damaged."""
    with path.open("rb") as file:
        records = _Records(file, "warc")
        return max((records.offset for _ in _whole_records(path, records)), default=0)


def _whole_records(path: Path, records: _Records) -> Iterator[tuple[Any, int, bytes]]:
    """Yield (record, where it begins, content of metadata) up to the first damaged one; it ends at `records.offset`."""
    try:
        for record in records:
            offset = records.offset
            content = record.raw_stream.read(MAX_METADATA) if record.rec_type in READ_AT_ONCE else b""
            records.read_to_end()
            # A record that is shorter than its length, has none, or is not followed by an empty line.
            if getattr(record.raw_stream, "limit", 1) > 0 or records.err_count:
                return
            yield record, offset, content
    except DAMAGE as error:
        if "non-chunked gzip" in str(error):
            reason = "is compressed as a whole, not record by record"
            raise BadInput(f'"{path}" {reason}: run "warcio recompress" on it first') from error


def _read_response(record: Any, url: str, limit: int) -> Response:
    """The response that a record holds, with at most `limit` bytes of its body, joined if it was chunked."""
    stream, http_headers = record.raw_stream, record.http_headers
    if http_headers and (http_headers.get_header("Transfer-Encoding") or "").lower() == "chunked":
        stream = ChunkedDataReader(stream)
    body = join_pieces(iter(partial(stream.read, BLOCK), b""), limit)[:limit]
    if http_headers is None:
        return Response(url, 200, {"content-type": record.rec_headers.get_header("Content-Type") or ""}, body)
    status, headers = int(http_headers.get_statuscode()), join_headers(http_headers.headers)
    if status not in PAGE_STATUSES:
        body = b""
    elif len(body) < limit:
        body = _decoded(body, headers.get("content-encoding", ""), limit)
    kept = {name: value for name, value in headers.items() if name not in ENCODING_HEADERS}
    return Response(url, status, kept, body)


def _decoded(raw: bytes, encoding: str, limit: int) -> bytes:
    """At most `limit` bytes of a body with its content encoding removed.

    Some tools store bodies decoded, under the headers that they were sent with: what does not begin like gzip data and
    cannot be decompressed is returned as it is.
    """
    try:
        return decompress(raw, encoding, limit)[:limit]
    except FetchError:
        if raw.startswith(GZIP):
            raise
        return raw


def _iso_date(date: str) -> str:
    """A WARC date in the format of the file; empty if it is invalid.

    >>> _iso_date("2026-01-02T03:04:05.678Z"), _iso_date("yesterday")
    ('2026-01-02T03:04:05+00:00', '')
    """
    try:
        return datetime.fromisoformat(date).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""
