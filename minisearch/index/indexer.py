"""The indexer: from stored pages to stored segments.

A search has to look into every segment. Therefore small ones are indexed again as one; and so are those of which many
pages have changed since. They are built from the stored text, never merged posting by posting. One run re-indexes at
most as many old pages as it adds new ones, so that a crawl never waits long; larger rebuilds wait until it is over.

`python -m minisearch.index.indexer FILE` builds segments for another process: it reads page ids from standard input,
only reads the file, and writes the segments to standard output. A plain process of its own needs nothing of the
program that calls us: neither an importable main module, as `multiprocessing` does, nor that no threads are running.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

from minisearch.errors import StoreError
from minisearch.index.builder import Document, Segment, build_segments
from minisearch.index.codec import encode_columns
from minisearch.index.near_duplicates import groups
from minisearch.store.pages import read_headings

if TYPE_CHECKING:  # a process that builds segments does without it, and so starts sooner
    from minisearch.store.database import Store

MOST_SEGMENTS = 8  # that may stay when a crawl is over
KEPT = 4  # of the largest that then stay as they are if there are more; the others become that many at the most
STALE = 0.2  # share of changed pages past which a segment is then rebuilt
SMALL = 2_000  # documents; such a segment is then rebuilt for a single changed page, so that all counts are exact
PAGES_AT_A_TIME = 200  # read from the file at once
MANY = 3000  # pages from which on several processes are faster
MOST_PROCESSES = MOST_SEGMENTS - KEPT  # each makes a segment of its own
TASK_LETTERS = 6_000_000  # of text, roughly, that a worker of a cluster gets at once

Size = tuple[int, int, int]  # id of a segment, its documents, and how many of them still count
RunAll = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]  # like `map`, on the workers of a cluster


def index_pages(
    store: Store, run_all: RunAll | None = None, *, compact: bool = False, rebuild: bool = False
) -> Iterator[int]:
    """Index the pages that are waiting for it; gives the number of new pages in each segment that was written.

    If it is to be `compact`, all segments are rebuilt that are `due`; else few. To `rebuild` is to
    index all pages as if they were new. An old segment stays until all of its pages are in others.
    """
    waiting = store.pages.pending(rebuild=rebuild)
    sizes = store.postings.sizes()
    old = due(sizes) if compact else small_enough(sizes, len(waiting))
    pages = sorted({*waiting, *store.postings.members(old)})
    return _write_pages(store, set(waiting), _build(store, pages, run_all))


def _write_pages(store: Store, waiting: set[int], segments: Iterable[Segment]) -> Iterator[int]:
    for segment in segments:
        with store.transaction():
            write_segment(store, segment)
        yield len(waiting.intersection(segment.pages.tolist()))
    empty = [number for number, _, live in store.postings.sizes() if not live]
    if empty:
        with store.transaction():
            store.postings.drop(empty)


def index_anchors(store: Store, among: Sequence[int] | None = None, into: Store | None = None) -> None:
    """Index all anchor texts again; those of links to some pages alone, and `into` another file, if that is asked."""
    _write_anchors(into or store, _build_anchors(store, among))


def _write_anchors(store: Store, segments: Sequence[Segment]) -> None:
    old = [row["id"] for row in store.db["segments"].rows_where("kind = 'anchor'", select="id")]
    if segments or old:
        with store.transaction():
            store.postings.drop(old)
            for segment in segments:
                write_segment(store, segment)


def group_near_duplicates(store: Store) -> None:
    """Note which pages of the index are near-duplicates of each other."""
    found = groups(store.pages.fingerprints())
    with store.transaction():
        store.pages.set_near_duplicates(found)


def index_all(store: Store, run_all: RunAll | None = None, *, compact: bool = False, rebuild: bool = False) -> int:
    """Index the pages that are waiting, all anchor texts, and near-duplicates; gives how many pages were waiting."""
    written = index_pages(store, run_all, compact=compact, rebuild=rebuild)
    anchors = _build_anchors(store)  # while other processes build the segments of pages
    pages = sum(written)
    _write_anchors(store, anchors)
    group_near_duplicates(store)
    return pages


# -- segments ----------------------------------------------------------------------------------


def small_enough(segments: Sequence[Size], added: int) -> list[int]:
    """The smallest segments, by id, that have no more pages together than are added.

    >>> small_enough([(1, 500, 500), (2, 100, 100), (3, 300, 300)], 450)
    [2, 3]
    """
    chosen = []
    for number, _, live in sorted(segments, key=lambda segment: segment[2]):
        added -= live
        if added < 0:
            break
        chosen.append(number)
    return chosen


def due(segments: Sequence[Size]) -> list[int]:
    """The segments, by id, to be rebuilt when a crawl is over: stale ones, and the smaller ones if there are many.

    >>> due([(1, 4000, 4000), (2, 500, 500)]), due([(1, 1000, 700), (2, 1000, 1000)])
    ([], [1])
    >>> due([(1, 24, 23), (2, 2, 2)])
    [1]
    >>> due([(1, 4000, 4000), *((number, 100, 100) for number in range(2, 11))])
    [2, 3, 4, 5, 6, 7, 8, 9, 10]
    """
    chosen = {number for number, size, live in segments if live < size * (1 - STALE) or live < size <= SMALL}
    if len(segments) > MOST_SEGMENTS:
        by_size = sorted(segments, key=lambda segment: segment[2])
        small = sum(live < by_size[-1][2] / 2 for _, _, live in segments)
        chosen.update(number for number, _, _ in by_size[: max(small, len(segments) - KEPT)])
    return sorted(chosen)


def write_segment(store: Store, segment: Segment) -> int:
    """Write a segment to the file; gives its id. Call it inside a transaction."""
    steps = np.diff(segment.pages, prepend=0)
    return store.postings.add(
        segment.kind,
        segment.pages.tolist(),
        segment.languages,
        (encode_columns([steps]), encode_columns([*segment.lengths]), encode_columns([segment.language])),
        segment.terms,
        segment.blocks,
        segment.words,
    )


# -- documents ---------------------------------------------------------------------------------


def _documents(conn: sqlite3.Connection, pages: Sequence[int]) -> Iterator[Document]:
    """The documents of some pages."""
    for start in range(0, len(pages), PAGES_AT_A_TIME):
        batch = pages[start : start + PAGES_AT_A_TIME]
        rows = conn.execute(
            "SELECT pages.id, urls.url, title, headings, CAST(text AS BLOB), language FROM pages "
            "JOIN urls ON urls.id = pages.url_id JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.id IN (SELECT value FROM json_each(?)) ORDER BY pages.id",
            (json.dumps(batch),),
        )
        found = rows.fetchall()
        if len(found) < len(batch):
            raise StoreError("the text of a page is missing in this file: crawl it again")
        for page, url, title, headings, text, language in found:
            lines = "\n".join([heading[1] for heading in read_headings(headings)])
            yield Document(page, (title, lines, url_words(url), text.decode()), language)


def _build_anchors(store: Store, among: Sequence[int] | None = None) -> list[Segment]:
    return list(build_segments(_anchor_documents(store, among), "anchor"))


def _anchor_documents(store: Store, among: Sequence[int] | None) -> Iterator[Document]:
    """The anchor texts of the links to each page, analyzed in the language of the linking page."""
    wanted = None if among is None else set(among)
    for page, rows in groupby(store.pages.anchor_texts(), key=lambda row: row[0]):
        if wanted is None or page in wanted:
            lines: dict[str, list[str]] = {}
            for _, anchor, language in rows:
                lines.setdefault(language, []).append(anchor)
            parts = tuple(("\n".join(anchors), language) for language, anchors in lines.items())
            yield Document(page, (parts,))


def url_words(url: str) -> str:
    """The words of a URL: its path and query, as a person would read them.

    >>> url_words("https://example.com/docs/Caf%C3%A9-menu.html?lang=fr")
    '/docs/Café-menu.html lang=fr'
    """
    _, slash, path = url.partition("://")[2].partition("/")
    return unquote((slash + path).partition("#")[0].replace("?", " ", 1), errors="replace").rstrip()


# -- processes ---------------------------------------------------------------------------------


def _build(store: Store, pages: Sequence[int], run_all: RunAll | None) -> Iterator[Segment]:
    """The segments of some pages, built here, by a cluster, or by several processes, which begin at once."""
    conn, path, workers = store.db.conn, store.path, min(os.cpu_count() or 1, MOST_PROCESSES)
    if run_all is not None:
        return chain.from_iterable(run_all(_build_task, _tasks(_documents(conn, pages))))
    if path is None or workers == 1 or len(pages) < MANY or conn.in_transaction:  # which others cannot see
        return _build_here(conn, pages)
    pool = ThreadPoolExecutor(workers)
    # Dealt out in batches: neighbours are of the same kind, which compress well together, but all long pages must not
    # be the share of one process.
    size = min(PAGES_AT_A_TIME, -(-len(pages) // workers))
    batches = [pages[at : at + size] for at in range(0, len(pages), size)]
    shares = [[*chain.from_iterable(batches[first::workers])] for first in range(workers)]
    built = [pool.submit(_build_elsewhere, str(path), share) for share in shares]
    pool.shutdown(wait=False)
    return chain.from_iterable(future.result() for future in as_completed(built))


def _build_here(conn: sqlite3.Connection, pages: Sequence[int]) -> Iterator[Segment]:
    try:
        yield from build_segments(_documents(conn, pages))
    except UnicodeDecodeError as error:
        raise StoreError("the text of a page in this file is damaged: it is not UTF-8. Crawl it again") from error


def _build_task(documents: list[Document]) -> list[Segment]:
    """What a worker of a cluster does."""
    return list(build_segments(documents))


def _tasks(documents: Iterable[Document]) -> Iterator[list[Document]]:
    task: list[Document] = []
    letters = 0
    for document in documents:
        task.append(document)
        letters += sum(map(len, document.texts))
        if letters >= TASK_LETTERS:
            yield task
            task, letters = [], 0
    if task:
        yield task


def _build_elsewhere(path: str, pages: Sequence[int]) -> list[Segment]:
    """The segments of some pages, built by another process."""
    command = [sys.executable, "-P", "-m", "minisearch.index.indexer", path]  # -P: nothing of the current folder
    import_path = os.pathsep.join(each or os.getcwd() for each in sys.path)
    environment = {**os.environ, "PYTHONPATH": import_path, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, input=json.dumps(pages).encode(), stdout=subprocess.PIPE, env=environment, check=False
    )
    if done.returncode:
        raise StoreError("a process that was indexing ended early: run the command again to continue")
    built = pickle.loads(done.stdout)  # noqa: S301 # our own process wrote it
    if isinstance(built, StoreError):
        raise built
    segments: list[Segment] = built
    return segments


def main(path: str) -> None:
    """Build the segments of the pages named on standard input, and write them to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us without a traceback
    gc.disable()  # it would look through millions of strings, none of them in a cycle
    built: list[Segment] | StoreError
    try:
        built = list(_build_here(sqlite3.connect(path), json.load(sys.stdin)))
    except StoreError as error:
        built = error
    sys.stdout.buffer.write(pickle.dumps(built, protocol=pickle.HIGHEST_PROTOCOL))


if __name__ == "__main__":
    main(*sys.argv[1:])
