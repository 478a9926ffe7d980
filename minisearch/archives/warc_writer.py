"""Write responses to WARC files (ISO 28500), with warcio.

A response becomes a response record with the server's headers and the decoded body. What was decided without a response
(robots.txt, a timeout, an unwanted type) becomes a metadata record of our own, so that an import repeats the crawl
exactly. Records are bytes, each compressed by itself: workers make them, one process appends them to the file.
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
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch.archives.warc_reader import CRAWL, DECISION, ENCODING_HEADERS, end_of_records
from minisearch.errors import BadInput, StoreError
from minisearch.fetch.fetcher import GZIP, USER_AGENT, Response
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Skipped

BUILDER = RecordBuilder(warc_version="1.1")
SIGNATURES = {True: GZIP, False: b"WARC/"}  # of a compressed file and of a plain one


class WarcFile:
    """A WARC file to append records to. A file that exists is continued if it is a WARC file of the same kind."""

    def __init__(self, path: str | Path, about: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self.compressed = is_compressed(path)
        try:
            self._file = self._path.open("ab+", buffering=0)
        except OSError as error:
            raise BadInput(f'cannot write "{path}": {error.strerror}') from error
        try:
            self._check()
            self.append(info_record(self._path.name, about, compressed=self.compressed))
        except BaseException:
            self._file.close()
            raise

    def _check(self) -> None:
        """Raise BadInput if the file is none to be continued: what follows a damaged record cannot be read."""
        size = self._path.stat().st_size
        self._file.seek(0)
        if size and not self._file.read(5).startswith(SIGNATURES[self.compressed]):
            raise BadInput(f'"{self._path}" exists and is not a web archive of that kind')
        if size and (end_of_records(self._path) < size or not _ends_a_record(self._path)):
            raise BadInput(f'"{self._path}" breaks off in a record: record into another file')

    def append(self, records: bytes) -> None:
        """Write records to the file: all of them, or none."""
        end, left = self._path.stat().st_size, memoryview(records)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            raise StoreError(f'cannot write "{self._path}": {error.strerror}') from error

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # append() has reported it
            self._file.close()


def is_compressed(path: str | Path) -> bool:
    """Whether the records of a file with this name are compressed."""
    return str(path).endswith(".gz")


def _ends_a_record(path: Path) -> bool:
    """Whether the last bytes of a file are those of a whole record."""
    end = b""
    with gzip.open(path) if is_compressed(path) else path.open("rb") as file:
        try:
            while block := file.read(1 << 16):
                end = (end + block)[-4:]
        except EOFError:
            return False
    return end == b"\r\n\r\n"


def info_record(name: str, about: Mapping[str, Any], *, compressed: bool = True) -> bytes:
    """The first record of an archive: the software, and how the site was crawled."""
    facts = {"software": USER_AGENT, "format": "WARC File Format 1.1", CRAWL: json.dumps(about)}
    return _written(BUILDER.create_warcinfo_record(name, facts), compressed)


def response_record(response: Response, *, compressed: bool = True) -> bytes:
    """The record of a server's response."""
    phrase = reason_phrases.get(response.status, "")
    lines = []
    for name, value in response.headers.items():
        kept = name if name not in ENCODING_HEADERS else f"x-archive-orig-{name}"
        lines += [(kept, line.strip("\r")) for line in value.split("\n") if line.strip()]
    lines.append(("content-length", str(len(response.body))))
    headers = _Headers(f"{response.status} {phrase}".strip(), lines, protocol="HTTP/1.1")
    payload = BytesIO(response.body)
    return _written(BUILDER.create_warc_record(response.url, "response", payload, http_headers=headers), compressed)


def decision_record(
    url: str, decision: RobotsFile | Skipped | Failed, *, robots: bool = False, compressed: bool = True
) -> bytes:
    """The record of what was decided about a URL, or with `robots` about an origin, without a response."""
    values = {"kind": type(decision).__name__, "robots": robots, **asdict(decision)}
    payload = BytesIO(json.dumps(values).encode())
    target = f"{url}/robots.txt" if robots else url
    return _written(BUILDER.create_warc_record(target, "metadata", payload, warc_content_type=DECISION), compressed)


class _Headers(StatusAndHeaders):  # type: ignore[misc]
    """Headers written as they were received: warcio would percent-encode what is not ASCII, question marks included."""

    def to_ascii_bytes(self, filter_func: Any = None) -> bytes:
        text: str = self.to_str(filter_func)
        return text.encode("latin-1", "replace") + b"\r\n"


def _written(record: Any, compressed: bool) -> bytes:
    output = BytesIO()
    WARCWriter(output, gzip=compressed).write_record(record)
    return output.getvalue()
