"""Addresses: the pages to which a query is the way (text/addresses.py), found by the words of their urls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minisearch.search.arrays import Numbers
from minisearch.search.occurrences import Heard, Phrase, together
from minisearch.search.snapshot import Snapshot
from minisearch.text.addresses import leads_to

MOST = 400  # pages whose urls are read: words that more of them have are no name


def led_to(index: Snapshot, way: tuple[str, ...], heard: Sequence[Heard]) -> Numbers:
    """The pages (rising) to which the steps of a query lead; `heard` are its words."""
    known = index.phrases.get(("way", *way))
    if known is None:
        known = Phrase(_led_to(index, way, heard))
        index.phrases.keep(("way", *way), known)
    return known.pages


def _led_to(index: Snapshot, way: tuple[str, ...], heard: Sequence[Heard]) -> Numbers:
    pages = _having_all(sorted(map(_with_url, heard), key=len))
    if not 0 < len(pages) <= MOST:
        return pages[:0]
    return pages[[leads_to(way, url) for url in index.urls(pages)]]


def _having_all(having: Sequence[Numbers]) -> Numbers:
    """The pages (rising) that are in all of some lists, the shortest of which is the first."""
    found, *others = having or [np.empty(0, dtype=np.int32)]
    for more in others if len(found) else ():
        found = found[more.take(more.searchsorted(found), mode="clip") == found]
    return found


def _with_url(heard: Heard) -> Numbers:
    """The pages that have a word in their urls."""
    return together([entry.docs[counts != 0] for entry in heard.where.entries for _, counts in entry.columns("url")])
