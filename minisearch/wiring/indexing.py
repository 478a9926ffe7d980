"""From stored pages to stored postings: what is new is inverted, what is many and small is merged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from urllib.parse import unquote, urlsplit

from minisearch.index.invert import MOST_PAGES, Document, Segment, invert
from minisearch.index.segments import Part, due, merge
from minisearch.packing import Row
from minisearch.store.store import Store

PAGES_AT_A_TIME = 2000
WORDS_AT_A_TIME = 4_000_000  # roughly: bounds the memory of one batch


def index(store: Store) -> Iterator[int]:
    """Index the pages that wait for it, batch by batch; gives how many pages each batch had."""
    while batch := _next_batch(store):
        segment = invert(batch)
        with store.transaction():
            _write(store, segment)
        yield len(batch)
    _merge_due(store)


def index_anchors(store: Store) -> None:
    """Rebuild the index of what other pages' links say."""
    told = groupby(store.pages.anchors(), key=lambda row: row[0])
    # Whoever links has chosen the words, so they are read by the rules of the linking page's language.
    documents = []
    for page, sayings in told:
        rows = list(sayings)
        documents.append(Document(page, ("\n".join(anchor for _, anchor, _ in rows),), rows[0][2]))
    old = [segment.id for segment in store.postings.segments("anchor")]
    with store.transaction():
        store.postings.drop(old)
        for start in range(0, len(documents), MOST_PAGES):
            _write(store, invert(documents[start : start + MOST_PAGES], "anchor"))


def _next_batch(store: Store) -> list[Document]:
    batch, size = [], 0
    for number, url, title, headings, text, language in store.pages.to_index(PAGES_AT_A_TIME):
        batch.append(Document(number, (title, headings, readable(url), text), language))
        size += len(text) // 6
        if size > WORDS_AT_A_TIME:
            break
    return batch


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
        Part(s.pages, s.lengths, s.languages, s.mask(), (Row(*row) for row in store.postings.rows(s.id)))
        for s in chosen
        if s.mask().any()
    ]
    with store.transaction():
        if parts:
            _write(store, merge(parts))
        store.postings.drop([segment.id for segment in chosen])


def _write(store: Store, segment: Segment) -> None:
    rows = ((row.term, row.df, row.docs, row.positions) for row in segment.rows)
    store.postings.add(segment.kind, segment.pages, segment.lengths, segment.languages, rows)
