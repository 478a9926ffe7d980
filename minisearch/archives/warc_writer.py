"""WARC out: a crawl written down as web archives are (ISO 28500), with warcio.

Each answer becomes a response record: the server's headers, and the body unpacked. What was decided without an answer
(a robots.txt, a time-out, an unwanted type) becomes a metadata record of our own, so that the archive can be imported
again exactly as it was crawled. Records are made by the workers, each compressed by itself; the parent only has to
put them one after another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.visit import Task, Visitor
from minisearch.crawl.workers import Pool, Result
from minisearch.errors import BadInput, StoreError
from minisearch.fetch.fetcher import GZIP, USER_AGENT, Response, Session, fetch
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.records import Failed, Outcome, Skipped

NOTE = "application/vnd.minisearch+json"  # the type of our own metadata records
CRAWL = "minisearch-crawl"  # the line of warcinfo that tells how it was crawled
PACKING = {"content-encoding", "transfer-encoding", "content-length"}  # headers that no longer fit the body we keep
MAGIC = (GZIP, b"WARC/")


class Recorded(NamedTuple):
    """What came of a task, and the records that tell it."""

    outcome: Outcome | RobotsFile | Sitemap
    records: bytes


class RecordingVisitor:
    """A visitor that keeps what it hears; its options are those of Visitor."""

    def __init__(self, *, compressed: bool = True, **options: Any) -> None:
        self._compressed = compressed
        self._heard: list[Response] = []
        self._visit = Visitor(fetch=self._listen, **options)

    def _listen(self, url: str, session: Session, limits: Limits, **options: Any) -> Response:
        answer = fetch(url, session, limits, **options)
        self._heard.append(answer)
        return answer

    def __call__(self, task: Task) -> Recorded:
        """Do a task."""
        self._heard.clear()
        outcome = self._visit(task)
        if self._heard:
            records = b"".join(response(answer, compressed=self._compressed) for answer in self._heard)
        else:
            records = note(task, outcome, compressed=self._compressed)
        return Recorded(outcome, records)


class RecordingPool:
    """A pool whose workers record; puts the records into a file."""

    def __init__(self, pool: Pool, path: str | Path, about: Mapping[str, Any]) -> None:
        self._pool = pool
        self._compressed = is_compressed(path)
        self._tasks: dict[int, Task] = {}
        self._path = path
        try:
            self._file = open_archive(path)
            self._write(warcinfo(Path(path).name, about, compressed=self._compressed))
        except BaseException:
            pool.close()
            raise

    def _write(self, records: bytes) -> None:
        try:
            self._file.write(records)
            self._file.flush()
        except OSError as error:
            raise StoreError(f'cannot write "{self._path}": {error.strerror}') from error

    def has_room(self) -> bool:
        """As the pool says."""
        return self._pool.has_room()

    def submit(self, key: int, task: Task) -> None:
        """Hand on a task."""
        self._tasks[key] = task
        self._pool.submit(key, task)

    def results(self, timeout: float) -> list[Result]:
        """What was finished, and written down."""
        done: list[Result] = []
        records: list[bytes] = []
        heard: list[tuple[int, Any]] = [*self._pool.results(timeout)]
        for key, result in heard:
            task = self._tasks.pop(key)
            if isinstance(result, Recorded):
                records.append(result.records)
                done.append((key, result.outcome))
            else:  # the worker died, and the pool speaks for it
                records.append(note(task, result, compressed=self._compressed))
                done.append((key, result))
        self._write(b"".join(records))
        return done

    def close(self) -> None:
        """End all workers, and the file."""
        self._pool.close()
        with suppress(OSError):  # what could not be written was told
            self._file.close()


def is_compressed(path: str | Path) -> bool:
    """Whether the records of a file with this name are compressed."""
    return str(path).endswith(".gz")


def open_archive(path: str | Path) -> Any:
    """The file, to be gone on with if it is there already. What is no archive is not touched."""
    path = Path(path)
    try:
        start = path.open("rb").read(5) if path.exists() else b""
        if start and not start.startswith(MAGIC[0] if is_compressed(path) else MAGIC[1]):
            raise BadInput(f'"{path}" is there already and is no web archive of that kind')
        return path.open("ab")
    except OSError as error:
        raise BadInput(f'cannot write "{path}": {error.strerror}') from error


# -- records -------------------------------------------------------------------------------------


def warcinfo(name: str, about: Mapping[str, Any], *, compressed: bool = True) -> bytes:
    """The record that opens an archive: who made it, and how."""
    facts = {"software": USER_AGENT, "format": "WARC File Format 1.1", CRAWL: json.dumps(about)}
    with _Records(compressed) as records:
        records.write(records.writer.create_warcinfo_record(name, facts))
        return records.made()


def response(answer: Response, *, compressed: bool = True) -> bytes:
    """The record of a server's answer."""
    phrase = HTTPStatus(answer.status).phrase if answer.status in set(HTTPStatus) else ""
    headers = []
    for name, value in answer.headers.items():
        known = name if name not in PACKING else f"x-archive-orig-{name}"
        headers += [(known, line) for line in value.splitlines() if line.strip()]
    headers.append(("content-length", str(len(answer.body))))
    said = _Headers(f"{answer.status} {phrase}".strip(), headers, protocol="HTTP/1.1")
    with _Records(compressed) as records:
        payload = BytesIO(answer.body)
        records.write(records.writer.create_warc_record(answer.url, "response", payload=payload, http_headers=said))
        return records.made()


def note(task: Task, outcome: Outcome | RobotsFile | Sitemap, *, compressed: bool = True) -> bytes:
    """The record of what was decided without an answer; none if there is nothing to say."""
    if not isinstance(outcome, RobotsFile | Skipped | Failed):
        return b""
    told = {"kind": type(outcome).__name__, "robots": task.robots, **asdict(outcome)}
    url = f"{task.url}/robots.txt" if task.robots else task.url
    with _Records(compressed) as records:
        payload = BytesIO(json.dumps(told).encode())
        records.write(records.writer.create_warc_record(url, "metadata", payload=payload, warc_content_type=NOTE))
        return records.made()


class _Headers(StatusAndHeaders):  # type: ignore[misc]
    """Headers written as they came: warcio would percent-encode what is not ASCII, question marks and all."""

    def to_ascii_bytes(self, filter_func: Any = None) -> bytes:
        text: str = self.to_str(filter_func)
        return text.encode("latin-1", "replace") + b"\r\n"


class _Records:
    """A few records in memory."""

    def __init__(self, compressed: bool) -> None:
        self._made = BytesIO()
        self.writer = WARCWriter(self._made, gzip=compressed, warc_version="1.1")

    def __enter__(self) -> _Records:
        return self

    def __exit__(self, *_: object) -> None:
        self._made.close()

    def write(self, record: Any) -> None:
        self.writer.write_record(record)

    def made(self) -> bytes:
        return self._made.getvalue()
