"""From stored pages to stored postings: what is new is inverted, what is many and small is merged."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import unquote, urlsplit

from minisearch.errors import StoreError
from minisearch.index.invert import MOST_PAGES, Document, Segment, invert
from minisearch.index.segments import Part, due, merge
from minisearch.packing import Block, Row
from minisearch.store.store import Store

PAGES_AT_A_TIME = 200  # read from the file at one go
WORDS_AT_A_TIME = 24_000_000  # roughly: bounds the memory that one segment takes to make
PAGE_COST = 500  # letters of text that could be read in the time that any page takes
MANY = 3000  # pages from which on it pays to share the work among processes
LETTERS_A_TASK = 6_000_000  # roughly: what a worker of a cluster is given at a time

Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]  # what a function makes of each of its inputs
Made = tuple[dict[str, Any], list[Row | Block]]  # a segment on its way from another process


def index(store: Store, each: Each | None = None) -> Iterator[int]:
    """Index the pages that wait for it; gives how many pages each segment has.

    `each` has segments made elsewhere, from documents that are handed over.
    """
    waiting = store.pages.ids_to_index()
    workers = os.cpu_count() or 1
    if not waiting:
        made: Iterator[Segment] = iter(())
    elif each is not None:
        made = (
            segment for found in each(made_of, _tasks(store, waiting[-1])) for segment in map(_received_whole, found)
        )
    elif store.file.path is None or workers == 1 or len(waiting) < MANY:
        made = segments(store, 0, waiting[-1])
    else:
        made = _shared_out(str(store.file.path), shares(store.pages.sizes_to_index(), waiting[-1], workers))
    for segment in made:
        with store.transaction():
            _write(store, segment)
        yield len(segment.pages)
    _merge_due(store)


def segments(store: Store, after: int, up_to: int) -> Iterator[Segment]:
    """The segments of the waiting pages with ids from `after` (which is left out) to `up_to`."""
    while after < up_to:
        batch = _Batch(store, after, up_to)
        segment = invert(batch)
        if len(segment.pages):
            yield segment
        after = batch.last


def _tasks(store: Store, up_to: int) -> Iterator[list[Document]]:
    """The waiting pages, as many at a time as one task is good for."""
    task: list[Document] = []
    letters = 0
    for document in _Batch(store, 0, up_to, endless=True):
        task.append(document)
        letters += sum(map(len, document.texts)) + PAGE_COST
        if letters >= LETTERS_A_TASK:
            yield task
            task, letters = [], 0
    if task:
        yield task


def made_of(documents: list[Document]) -> list[Made]:
    """The segments of some documents: one, unless they have too many different terms."""
    made = []
    while documents:
        segment = invert(documents)
        facts = {name: getattr(segment, name) for name in ("kind", "pages", "lengths", "languages", "spoken")}
        made.append((facts, list(segment.rows)))
        documents = documents[len(segment.pages) :]
    return made


def _received_whole(made: Made) -> Segment:
    facts, rows = made
    return Segment(**facts, rows=iter(rows))


class _Batch:
    """Documents for one segment, read as they are asked for. `last` is where the next batch goes on."""

    def __init__(self, store: Store, after: int, up_to: int, *, endless: bool = False) -> None:
        self._store, self.last, self._up_to, self._endless = store, after, up_to, endless

    def __iter__(self) -> Iterator[Document]:
        words = pages = 0
        while rows := self._store.pages.to_index(PAGES_AT_A_TIME, self.last, self._up_to):
            for self.last, url, title, headings, text, language in rows:
                yield Document(self.last, (title, headings, readable(url), text), language)
                words += len(text) // 6
                pages += 1
                if not self._endless and (words >= WORDS_AT_A_TIME or pages == MOST_PAGES):
                    return
        self.last = self._up_to


def shares(sizes: list[tuple[int, int]], last: int, workers: int) -> list[int]:
    """The last page of each worker's share, after a 0: the pages in order, cut so that all have as much to read.

    >>> shares([(1, 10), (2, 10), (4, 2000), (5, 10)], 9, 2)
    [0, 4, 9]
    """
    total, read, bounds = sum(size + PAGE_COST for _, size in sizes), 0, [0]
    for page, size in sizes:
        read += size + PAGE_COST
        if read * workers > total * len(bounds):
            bounds.append(page)
    return [*bounds[:workers], last]


def _shared_out(path: str, bounds: list[int]) -> Iterator[Segment]:
    """The same, made by several processes, each for its share of the pages."""
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "minisearch.wiring.segmenter", path, str(low), str(high)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C at a terminal is for the parent alone
        )
        for low, high in pairwise(bounds)
    ]
    try:
        for child in children:
            if child.stdout is None:
                raise AssertionError("a pipe was asked for")
            yield from _received(Connection(os.dup(child.stdout.fileno()), writable=False))
    finally:
        for child in children:
            child.kill()
            child.wait()
            if child.stdout is not None:
                child.stdout.close()


def _received(results: Connection) -> Iterator[Segment]:
    try:
        while (facts := results.recv()) is not None:
            yield Segment(**facts, rows=iter(results.recv()))
    except EOFError as error:
        raise StoreError("a process that was indexing died: run the command again to go on") from error
    finally:
        results.close()


def index_anchors(store: Store) -> None:
    """Rebuild the index of what other pages' links say."""
    documents = []
    for page, rows in groupby(store.pages.anchors(), key=lambda row: row[0]):
        # Whoever links has chosen the words, so they are read by the rules of the linking page's language.
        sayings: dict[str, list[str]] = {}
        for _, anchor, language in rows:
            sayings.setdefault(language, []).append(anchor)
        parts = tuple(("\n".join(lines), language) for language, lines in sayings.items())
        documents.append(Document(page, (parts,), parts[0][1]))
    old = [segment.id for segment in store.postings.segments("anchor")]
    with store.transaction():
        store.postings.drop(old)
        for start in range(0, len(documents), MOST_PAGES):
            _write(store, invert(documents[start : start + MOST_PAGES], "anchor"))


def readable(url: str) -> str:
    """The words of a url: its path and query, as a person would read them.

    >>> readable("https://example.com/docs/Caf%C3%A9-menu.html?lang=fr")
    '/docs/Café-menu.html lang=fr'
    """
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}", errors="replace").rstrip()


def _merge_due(store: Store) -> None:
    segments = store.postings.segments("page")
    sizes = [len(segment.pages) for segment in segments]
    live = [int(segment.mask().sum()) for segment in segments]
    chosen = [segments[i] for i in due(sizes, live)]
    if not chosen:
        return
    parts = [
        Part(s.pages, s.lengths, s.languages, s.spoken, s.mask(), store.postings.rows(s.id))
        for s in chosen
        if s.mask().any()
    ]
    with store.transaction():
        if parts:
            _write(store, merge(parts))
        store.postings.drop([segment.id for segment in chosen])


def _write(store: Store, segment: Segment) -> None:
    store.postings.add(segment.kind, segment.pages, segment.lengths, segment.languages, segment.spoken, segment.rows)
