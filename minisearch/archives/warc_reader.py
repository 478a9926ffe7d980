"""Archives: answers that were given long ago, taken from a file or a folder instead of the web.

An archive knows which urls it holds, in their order, and gives the answer for each as a server would have. Whoever
visits them cannot tell the difference, so that what is imported is read exactly as if it were crawled.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from minisearch.archives.payload import answer_in, raw_body
from minisearch.archives.salvage import CHUNK, DAMAGE, CompressedAsAWhole, Entry, Records, is_archive, salvage
from minisearch.archives.warc_writer import CRAWL, NOTE
from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.visit import Task, Visitor
from minisearch.errors import BadInput, BadUrl
from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import PAGE_STATUSES, Response, Session, check_type
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.records import Failed, Outcome, Page, Skipped
from minisearch.urls import normalize, origin

ABSENT = "archive"  # the rule by which a url is skipped that the archive does not have
NOT_THERE = "not in the archive that was imported"
DIGITS = 3  # of a status
PLAIN: dict[str, Any] = {"str": str, "int": int, "bool": bool, "float": int | float}  # what a note is made of


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

    def answer(self, url: str, limits: Limits) -> tuple[Response, str] | None:
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

    def _fetch(self, url: str, _session: Session, limits: Limits, **_: Any) -> Response:
        found = self._archive.answer(url, limits)
        if found is None:
            raise Rejected(NOT_THERE, ABSENT)
        answer, self._given = found
        if answer.status in PAGE_STATUSES:
            check_type(answer.headers, limits)
            if len(answer.body) > limits.page_bytes:
                raise Rejected(f"larger than {limits.page_bytes:,} bytes", "size")
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
        self._again: dict[str, tuple[str, str]] = {}  # url -> the url whose answer was the same, or its digest
        self._digests: dict[str, str] = {}  # of a body -> the url that had it
        self._read_all()
        for url, (told, digest) in self._again.items():
            same = told or self._digests.get(digest, "")
            if same in self._places:
                self._places.setdefault(url, self._places[same])
            elif url not in self._places:
                self.passed["revisit"] += 1
        if not self._places:
            raise BadInput(f'"{path}" holds no answers of web servers')

    def _read_all(self) -> None:
        """Note where each answer is, and how often something between them is damaged."""
        try:
            with self._path.open("rb") as file:
                if not is_archive(file.read(CHUNK)):
                    raise BadInput(f'"{self._path}" is no web archive')
                for entry in salvage(file):
                    if entry is None:
                        self.passed["damaged or broken off"] += 1
                    else:
                        self._index(entry)
        except OSError as error:
            raise BadInput(f'cannot read "{self._path}": {error.strerror or error}') from error
        except CompressedAsAWhole as error:
            raise BadInput(
                f'"{self._path}" is compressed as a whole, not record by record: run "warcio recompress" on it first'
            ) from error

    def _index(self, entry: Entry) -> None:
        said = entry.record.rec_headers.get_header
        kind, address = entry.record.rec_type, (said("WARC-Target-URI") or "").strip("<>")
        if kind == "warcinfo":
            self._read_info(entry.note)
        elif kind == "metadata" and said("Content-Type") == NOTE:
            self._read_note(address, entry.note)
        elif kind == "revisit":
            told, digest = said("WARC-Refers-To-Target-URI") or "", said("WARC-Payload-Digest") or ""
            try:
                self._again[normalize(address)] = normalize(told.strip("<>")) if told else "", digest
            except BadUrl:
                self.passed["revisit"] += 1
        elif kind in ("response", "resource"):
            self._index_answer(entry, kind, address)
        else:
            self.passed[kind] += 1

    def _index_answer(self, entry: Entry, kind: str, address: str) -> None:
        status = entry.record.http_headers.get_statuscode() if entry.record.http_headers else ""
        if kind == "response" and not (status.isdecimal() and len(status) == DIGITS):
            self.passed["no http"] += 1
            return
        try:
            url = normalize(address)
        except BadUrl:
            self.passed["no http address"] += 1
            return
        if url == f"{origin(url)}/robots.txt":  # was read by a crawler, and is no page
            self.passed["robots.txt"] += 1
            return
        said = entry.record.rec_headers.get_header
        date, fine = _moment(said("WARC-Date") or ""), kind == "resource" or int(status) in PAGE_STATUSES
        if url in self._places:
            self.passed["another answer for the same url"] += 1
            _, known, was_fine = self._places[url]
            if was_fine and (not fine or date < known):  # an error that came later does not undo a page
                return
        self._places[url] = (entry.place, date, fine)
        if fine and (digest := said("WARC-Payload-Digest")):
            self._digests.setdefault(digest, url)

    def _read_info(self, note: bytes) -> None:
        for line in note.decode("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == CRAWL:
                try:
                    told = json.loads(value)
                except (ValueError, RecursionError):
                    continue
                self.about = told if isinstance(told, dict) else {}

    def _read_note(self, address: str, note: bytes) -> None:
        try:
            told = json.loads(note)
            robots, kind = bool(told.pop("robots")), told.pop("kind")
            kinds: dict[str, Any] = {"RobotsFile": RobotsFile, "Skipped": Skipped, "Failed": Failed}
            outcome = kinds[kind](**told)
            if not all(isinstance(getattr(outcome, each.name), PLAIN[str(each.type)]) for each in fields(outcome)):
                raise TypeError(kind)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.passed["metadata"] += 1
            return
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

    def answer(self, url: str, limits: Limits) -> tuple[Response, str] | None:
        """The answer for a url, read from its place in the file."""
        if url not in self._places:
            return None
        place, date, _ = self._places[url]
        with self._path.open("rb") as file:
            file.seek(place)
            try:
                record = next(iter(Records(file)))
                raw = raw_body(record, limits)
            except DAMAGE as error:
                raise FetchError("its record in the archive is damaged", "damaged", transient=False) from error
            return answer_in(record, url, raw, limits), date


def _moment(date: str) -> str:
    """A date of WARC as the file writes it; nothing if it is none.

    >>> _moment("2026-01-02T03:04:05.678Z"), _moment("yesterday")
    ('2026-01-02T03:04:05+00:00', '')
    """
    try:
        return datetime.fromisoformat(date).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""
