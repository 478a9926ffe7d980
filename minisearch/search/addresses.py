"""Addresses: the pages to which a query is the way (text/addresses.py), found by the words of their urls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minisearch.search.arrays import Numbers
from minisearch.search.occurrences import Heard
from minisearch.search.snapshot import Snapshot
from minisearch.text.addresses import leads_to

MOST = 400  # pages whose urls are read: words that more of them have are no name


def led_to(index: Snapshot, way: tuple[str, ...], heard: Sequence[Heard]) -> Numbers:
    """The pages (rising) to which the steps of a query lead; `heard` are its words."""
    pages = _having_all(heard)
    if not 0 < len(pages) <= MOST:
        return pages[:0]
    numbers = index.pages[pages].tolist()
    facts = index.facts(numbers)
    return pages[[leads_to(way, facts[number].url) for number in numbers]]


def _having_all(heard: Sequence[Heard]) -> Numbers:
    """The pages that have all of some words in their urls."""
    found: Numbers = np.empty(0, dtype=np.int32)
    for place, one in enumerate(heard):
        having = _with_url(one)
        if place and len(having):
            found = found[having.take(having.searchsorted(found), mode="clip") == found]
        else:
            found = having
        if not len(found):
            break
    return found


def _with_url(heard: Heard) -> Numbers:
    """The pages that have a word in their urls."""
    having = [
        entry.docs[counts.nonzero()[0]] for entry in heard.where.entries for _, counts in entry.columns("url")
    ] or [np.empty(0, dtype=np.int32)]
    return having[0] if len(having) == 1 else np.unique(np.concatenate(having))
