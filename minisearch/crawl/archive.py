"""Archives: answers that were given long ago, taken from a file or a folder instead of the web.

An archive knows which urls it holds, in their order, and gives the answer for each as a server would have. Whoever
visits them cannot tell the difference, so that what is imported is read exactly as if it were crawled.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from minisearch.crawl.fetch import Answer, Limits, Session, check_type
from minisearch.crawl.payload import answer_in, raw_body
from minisearch.crawl.robots import RobotsFile
from minisearch.crawl.sitemap import Sitemap
from minisearch.crawl.trouble import FetchError, Unwanted
from minisearch.crawl.urls import normalize, origin
from minisearch.crawl.visit import Task, Visitor
from minisearch.crawl.warc import CRAWL, NOTE
from minisearch.errors import BadInput, BadUrl
from minisearch.records import Failed, Outcome, Page, Skipped

ABSENT = "archive"  # the rule by which a url is skipped that the archive does not have
NOT_THERE = "not in the archive that was imported"
LONGEST_NOTE = 1_000_000  # bytes
DIGITS = 3  # of a status
CHUNK = 1 << 16
STARTS = (b"WARC/", b"filedesc:")  # of WARC and of ARC

# What warcio raises when it stumbles over a file that is damaged, or is something else altogether.
DAMAGE = (ArchiveLoadFailed, EOFError, ValueError, AttributeError, zlib.error, StopIteration)


class Archive(Protocol):
    """Where answers come from."""

    passed: Counter[str]  # what is in the archive and is no answer, counted by kind
    about: dict[str, Any]  # how it was crawled, if it says so: seeds and options

    def urls(self) -> list[str]:
        """The urls that it has an answer for, in the order of the archive."""

    def has(self, url: str) -> bool:
        """Whether it has an answer for a url."""

    def place(self, url: str) -> object:
        """Where the answer for a url is; two urls may have one and the same."""

    def start(self) -> str:
        """Where to begin when nothing better is known."""

    def answer(self, url: str, limits: Limits) -> tuple[Answer, str] | None:
        """The answer for a url, and when it was given; None if there is none."""

    def note(self, task: Task) -> Outcome | RobotsFile | None:
        """What was decided about a url without an answer."""


class ArchiveVisitor:
    """Visits the urls of an archive."""

    def __init__(self, archive: Archive, *, parser: str = "fast", limits: Limits | None = None) -> None:
        self._archive = archive
        self._visit = Visitor(parser=parser, limits=limits, fetch=self._fetch)
        self._given = ""
        self.asked: set[str] = set()

    def _fetch(self, url: str, _session: Session, limits: Limits, **_: Any) -> Answer:
        found = self._archive.answer(url, limits)
        if found is None:
            raise Unwanted(NOT_THERE, ABSENT)
        answer, self._given = found
        if answer.status == HTTPStatus.OK:
            check_type(answer.headers, limits)
            if len(answer.body) > limits.page_bytes:
                raise Unwanted(f"larger than {limits.page_bytes:,} bytes", "size")
        return answer

    def __call__(self, task: Task) -> Outcome | RobotsFile | Sitemap:
        """Do a task."""
        if task.robots:
            return self._archive.note(task) or RobotsFile(404)
        self.asked.add(task.url)
        self._given = ""
        outcome = self._visit(task)
        if isinstance(outcome, Skipped) and outcome.rule == ABSENT:
            told = self._archive.note(task)
            outcome = outcome if told is None or isinstance(told, RobotsFile) else told
        if isinstance(outcome, Page) and self._given:
            return replace(outcome, fetched_at=self._given)
        if isinstance(outcome, Failed):
            return replace(outcome, transient=False)  # asking again will change nothing
        return outcome


class Warc:
    """A WARC or ARC file."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.passed: Counter[str] = Counter()
        self.about: dict[str, Any] = {}
        self._places: dict[str, tuple[int, str, bool]] = {}  # url -> where in the file, date, whether it is a page
        self._notes: dict[tuple[str, bool], Outcome | RobotsFile] = {}
        self._again: dict[str, str] = {}  # url -> the url whose answer was the same
        self._read_all()
        for url, same in self._again.items():
            if same in self._places:
                self._places.setdefault(url, self._places[same])
            elif url not in self._places:
                self.passed["revisit"] += 1
        if not self._places:
            raise BadInput(f'"{path}" holds no answers of web servers')

    def _read_all(self) -> None:
        """Note where each answer is. Where the file is damaged the reading ends; what came before it is whole."""
        try:
            with self._path.open("rb") as file:
                if not _unpacked(file.read(CHUNK)).startswith(STARTS):  # warcio would try to make sense of anything
                    raise BadInput(f'"{self._path}" is no web archive')
                file.seek(0)
                walk = ArchiveIterator(file, arc2warc=True)
                for record in walk:
                    self._index(record, walk)
        except BadInput:
            raise
        except OSError as error:
            raise BadInput(f'cannot read "{self._path}": {error.strerror or error}') from error
        except DAMAGE as error:
            if not self._places or "non-chunked gzip" in str(error):
                raise BadInput(self._refusal(error)) from error
            self.passed["broken off"] += 1

    def _refusal(self, error: Exception) -> str:
        if "non-chunked gzip" in str(error):
            return f'"{self._path}" is compressed as a whole, not record by record: run "warcio recompress" on it first'
        return f'"{self._path}" is no web archive'

    def _index(self, record: Any, walk: ArchiveIterator) -> None:
        kind, address = record.rec_type, record.rec_headers.get_header("WARC-Target-URI") or ""
        if kind == "warcinfo":
            self._read_info(record)
        elif kind == "metadata" and record.rec_headers.get_header("Content-Type") == NOTE:
            self._read_note(record)
        elif kind == "revisit":
            with suppress(BadUrl):
                told = record.rec_headers.get_header("WARC-Refers-To-Target-URI") or ""
                self._again[normalize(address)] = normalize(told)
        elif kind in ("response", "resource"):
            status = record.http_headers.get_statuscode() if record.http_headers else ""
            if kind == "response" and not (status.isdecimal() and len(status) == DIGITS):
                self.passed["no http"] += 1
                return
            try:
                url = normalize(address.strip("<>"))
            except BadUrl:
                self.passed["no http address"] += 1
                return
            if url == f"{origin(url)}/robots.txt":  # was read by a crawler, and is no page
                self.passed["robots.txt"] += 1
                return
            fine = kind == "resource" or int(status) == HTTPStatus.OK
            place = walk.get_record_offset()
            if url in self._places:
                self.passed["another answer for the same url"] += 1
                if self._places[url][2] and not fine:  # an error that came later does not undo a page
                    return
            self._places[url] = (place, _moment(record.rec_headers.get_header("WARC-Date") or ""), fine)
        else:
            self.passed[kind] += 1

    def _read_info(self, record: Any) -> None:
        for line in record.raw_stream.read(LONGEST_NOTE).decode("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == CRAWL:
                try:
                    told = json.loads(value)
                except ValueError:
                    continue
                self.about = told if isinstance(told, dict) else {}

    def _read_note(self, record: Any) -> None:
        try:
            told = json.loads(record.raw_stream.read(LONGEST_NOTE))
            robots, kind = bool(told.pop("robots")), told.pop("kind")
            kinds: dict[str, Any] = {"RobotsFile": RobotsFile, "Skipped": Skipped, "Failed": Failed}
            outcome = kinds[kind](**told)
        except (ValueError, TypeError, KeyError, AttributeError):
            self.passed["metadata"] += 1
            return
        address = record.rec_headers.get_header("WARC-Target-URI") or ""
        self._notes[origin(address) if robots else address, robots] = outcome

    def urls(self) -> list[str]:
        """The urls that it has an answer for, in the order of the archive."""
        return list(self._places)

    def has(self, url: str) -> bool:
        """Whether it has an answer for a url."""
        return url in self._places

    def place(self, url: str) -> object:
        """Each url has its own."""
        return url

    def start(self) -> str:
        """The first page in the file, which is where most crawls began."""
        return next((url for url, (_, _, fine) in self._places.items() if fine), next(iter(self._places)))

    def note(self, task: Task) -> Outcome | RobotsFile | None:
        """What was decided about a url without an answer."""
        return self._notes.get((task.url, task.robots))

    def answer(self, url: str, limits: Limits) -> tuple[Answer, str] | None:
        """The answer for a url, read from its place in the file."""
        if url not in self._places:
            return None
        place, date, _ = self._places[url]
        with self._path.open("rb") as file:
            file.seek(place)
            try:
                record = next(iter(ArchiveIterator(file, arc2warc=True)))
                raw = raw_body(record, limits)
            except DAMAGE as error:
                raise FetchError("its record in the archive is damaged", "damaged", transient=False) from error
            return answer_in(record, url, raw, limits), date


def _unpacked(start: bytes) -> bytes:
    """The first bytes of what may be compressed."""
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, CHUNK)
    except zlib.error:
        return b""


def _moment(date: str) -> str:
    """A date of WARC as the file writes it; nothing if it is none.

    >>> _moment("2026-01-02T03:04:05.678Z"), _moment("yesterday")
    ('2026-01-02T03:04:05+00:00', '')
    """
    try:
        return datetime.fromisoformat(date).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""
