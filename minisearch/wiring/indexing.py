"""From stored pages to stored postings: what is new is inverted, what is many and small is merged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, groupby, pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from minisearch.crawl.calm import calm
from minisearch.errors import StoreError
from minisearch.index.alike import groups
from minisearch.index.invert import MOST_PAGES, Document, Segment, invert
from minisearch.index.segments import Part, due, merge
from minisearch.packing import Block, Row
from minisearch.store.store import Store
from minisearch.wiring.likening import group_alike
from minisearch.wiring.segmenter import Batch, inverted, segments, start, tell

PAGE_COST = 500  # letters of text that could be read in the time that any page takes
MANY = 3000  # pages from which on it pays to share the work among processes
LEAD = 0.04  # how much less the first of very many shares is than the last
LITTER = 5_000_000  # records that may lie about before Python looks for rings among them; we make none
LETTERS_A_TASK = 6_000_000  # roughly: what a worker of a cluster is given at a time

Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]  # what a function makes of each of its inputs
Made = tuple[dict[str, Any], list[Row | Block]]  # a segment on its way from another process


def index_all(store: Store, each: Each | None = None) -> int:
    """Index the pages that wait for it, and what links say; gives how many pages there were."""
    said: list[Segment] = []
    alike: list[dict[int, int]] = []

    def listen() -> None:
        for segment in _anchor_segments(store):
            said.append(replace(segment, rows=iter(list(segment.rows))))
        alike.append(groups(store.likeness.faces(waiting=True)))

    with store.transaction():
        store.pages.know_in_links()  # which a crawl that was killed had no time for
    pages = 0
    with calm(LITTER), store.file.settling_aside() as settle:
        for some in index(store, each, listen):
            pages += some
            settle()
        index_anchors(store, said or None)
        group_alike(store, *alike)
    return pages


def index(store: Store, each: Each | None = None, meanwhile: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Index the pages that wait for it; gives how many pages each segment has.

    `each` has segments made elsewhere, from documents that are handed over. If other processes make them, there is
    time to do something `meanwhile`.
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
        made = segments(store.pages, 0, waiting[-1])
    else:
        made = _shared_out(store.file.path, workers, lambda: _bounds(store, waiting[-1], workers), meanwhile)
    for segment in made:
        with store.transaction():
            _write(store, segment)
        yield len(segment.pages)
    _merge_due(store)


def _tasks(store: Store, up_to: int) -> Iterator[list[Document]]:
    """The waiting pages, as many at a time as one task is good for."""
    task: list[Document] = []
    letters = 0
    for document in Batch(store.pages, 0, up_to, endless=True):
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
        segment = inverted(documents)
        made.append((segment.facts(), list(segment.rows)))
        documents = documents[len(segment.pages) :]
    return made


def _received_whole(made: Made) -> Segment:
    facts, rows = made
    return Segment(**facts, rows=iter(rows))


def shares(sizes: list[tuple[int, int]], last: int, workers: int) -> list[int]:
    """The last page of each worker's share, after a 0: the pages in order, cut so that all have as much to read, but
    the earlier a little less. Their segments are written first, while the others are still being made.

    >>> shares([(1, 10), (2, 10), (4, 2000), (5, 10)], 9, 2)
    [0, 4, 9]
    """
    total, read, bounds = sum(size + PAGE_COST for _, size in sizes), 0, [0]
    for page, size in sizes:
        read += size + PAGE_COST
        part = len(bounds) / workers
        if read > total * part * (1 - LEAD * (1 - part)):
            bounds.append(page)
    return [*bounds[:workers], last]


def _bounds(store: Store, last: int, workers: int) -> list[int]:
    """Those of the shares of so many workers, some of whom may have none."""
    bounds = shares(store.pages.sizes_to_index(), last, workers)
    return bounds + [last] * (workers + 1 - len(bounds))


def _shared_out(
    path: Path, workers: int, bounds: Callable[[], list[int]], meanwhile: Callable[[], None]
) -> Iterator[Segment]:
    """The segments of all waiting pages, made by several processes: each has its share of them. To find out which takes
    no longer than they take to start.
    """
    children = [start(str(path)) for _ in range(workers)]
    lines = [_Line(results) for _, results in children]
    try:
        for (child, _), share in zip(children, pairwise(bounds()), strict=True):
            tell(child, *share)
        meanwhile()
        for line in lines:
            yield from line.segments()
    finally:
        for (child, results), line in zip(children, lines, strict=True):
            child.kill()
            child.wait()
            line.join()
            results.close()


class _Line(Thread):
    """Takes what a process sends as soon as it comes, so that it need not wait until it is asked for."""

    def __init__(self, results: Connection) -> None:
        super().__init__(daemon=True)
        self._results, self._said = results, SimpleQueue[Any]()
        self.start()

    def run(self) -> None:
        """Listen until the process ends."""
        with suppress(EOFError, OSError):
            while True:
                self._said.put(self._results.recv())
        self._said.put(EOFError)

    def segments(self) -> Iterator[Segment]:
        """The segments that the process makes. Rows can be written while it is making others."""
        while (facts := self._next()) is not None:
            yield Segment(**facts, rows=chain.from_iterable(iter(self._next, [])))

    def _next(self) -> Any:
        if (said := self._said.get()) is EOFError:
            raise StoreError("a process that was indexing died: run the command again to go on")
        return said


def index_anchors(store: Store, made: list[Segment] | None = None) -> None:
    """Rebuild the index of what other pages' links say; it may have been `made` already."""
    old = [segment.id for segment in store.postings.segments("anchor")]
    with store.transaction():
        store.postings.drop(old)
        for segment in _anchor_segments(store) if made is None else made:
            _write(store, segment)


def _anchor_segments(store: Store) -> Iterator[Segment]:
    """What other pages' links say, as it is to be indexed."""
    documents = []
    for page, rows in groupby(store.pages.anchors(), key=lambda row: row[0]):
        # Whoever links has chosen the words, so they are read by the rules of the linking page's language.
        sayings: dict[str, list[str]] = {}
        for _, anchor, language in rows:
            sayings.setdefault(language, []).append(anchor)
        parts = tuple(("\n".join(lines), language) for language, lines in sayings.items())
        documents.append(Document(page, (parts,), parts[0][1]))
    for low in range(0, len(documents), MOST_PAGES):
        yield invert(documents[low : low + MOST_PAGES], "anchor")


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
