"""Write responses to WARC files (ISO 28500), with warcio.

A response becomes a response record with the server's headers and the decoded body. What was decided without a response
(robots.txt, a timeout, an unwanted type) becomes a metadata record of our own, so that an import repeats the crawl
exactly. In a file named *.gz each record is compressed by itself.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from http.client import responses as reason_phrases
from io import BytesIO
from pathlib import Path
from typing import Any

from warcio.recordbuilder import RecordBuilder
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch.archives.warc_reader import CRAWL, DECISION, ENCODING_HEADERS, end_of_records
from minisearch.errors import BadInput, StoreError
from minisearch.fetch.fetcher import GZIP, USER_AGENT, Response
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Skipped

BUILDER = RecordBuilder(warc_version="1.1")


class WarcFile:
    """A WARC file to add records to. A file that exists is continued if it is a WARC file of the same kind."""

    def __init__(self, path: str | Path, about: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self._compressed = self._path.suffix == ".gz"
        try:
            self._file = self._path.open("ab+", buffering=0)
        except OSError as error:
            raise BadInput(f'cannot write "{path}": {error.strerror}') from error
        try:
            self._check()
            self.add(info_record(self._path.name, about))
        except BaseException:
            self._file.close()
            raise

    def _check(self) -> None:
        """Raise BadInput if the file is none to be continued: what follows a damaged record cannot be read."""
        size = self._path.stat().st_size
        self._file.seek(0)
        if size and not self._file.read(5).startswith(GZIP if self._compressed else b"WARC/"):
            raise BadInput(f'"{self._path}" exists and is not a web archive of that kind')
        if size and (end_of_records(self._path) < size or not self._ends_a_record()):
            raise BadInput(f'"{self._path}" breaks off in a record: record into another file')

    def _ends_a_record(self) -> bool:
        """Whether the last bytes of the file are those of a whole record."""
        end = b""
        with gzip.open(self._path) if self._compressed else self._path.open("rb") as file:
            try:
                while block := file.read(1 << 16):
                    end = (end + block)[-4:]
            except EOFError:
                return False
        return end == b"\r\n\r\n"

    def add(self, record: ArcWarcRecord) -> None:
        """Write a record to the file: all of it, or nothing."""
        written = BytesIO()
        WARCWriter(written, gzip=self._compressed).write_record(record)
        end, left = self._path.stat().st_size, written.getbuffer()
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            raise StoreError(f'cannot write "{self._path}": {error.strerror}') from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def info_record(name: str, about: Mapping[str, Any]) -> ArcWarcRecord:
    """The first record of an archive: the software, and how the site was crawled."""
    facts = {"software": USER_AGENT, "format": "WARC File Format 1.1", CRAWL: json.dumps(about)}
    return BUILDER.create_warcinfo_record(name, facts)


def response_record(response: Response) -> ArcWarcRecord:
    """The record of a server's response."""
    phrase = reason_phrases.get(response.status, "")
    lines = []
    for name, value in response.headers.items():
        kept = name if name not in ENCODING_HEADERS else f"x-archive-orig-{name}"
        lines += [(kept, line.strip("\r")) for line in value.split("\n") if line.strip()]
    lines.append(("content-length", str(len(response.body))))
    headers = _Headers(f"{response.status} {phrase}".strip(), lines, protocol="HTTP/1.1")
    payload = BytesIO(response.body)
    return BUILDER.create_warc_record(response.url, "response", payload, http_headers=headers)


def decision_record(url: str, decision: RobotsFile | Skipped | Failed, *, robots: bool = False) -> ArcWarcRecord:
    """The record of what was decided about a URL, or with `robots` about an origin, without a response."""
    values = {"kind": type(decision).__name__, "robots": robots, **asdict(decision)}
    payload = BytesIO(json.dumps(values).encode())
    target = f"{url}/robots.txt" if robots else url
    return BUILDER.create_warc_record(target, "metadata", payload, warc_content_type=DECISION)


class _Headers(StatusAndHeaders):  # type: ignore[misc]
    """Headers written as they were received: warcio would percent-encode what is not ASCII, question marks included."""

    def to_ascii_bytes(self, filter_func: Any = None) -> bytes:
        text: str = self.to_str(filter_func)
        return text.encode("latin-1", "replace") + b"\r\n"
