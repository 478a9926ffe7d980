"""Likening: which pages are near-identical; and the fingerprints that pages of an older file lack."""

from __future__ import annotations

from dataclasses import asdict

from minisearch.crawl.likeness import likeness
from minisearch.index.alike import groups
from minisearch.records import Link, Page
from minisearch.store.store import Store

AT_A_TIME = 200  # pages that share a transaction


def know_alike(store: Store) -> int:
    """Work out the likeness of every page that has none yet; gives how many there were."""
    count = 0
    while rows := store.likeness.unknown(AT_A_TIME):
        with store.transaction():
            for number, url, title, text, anchors in rows:
                page = Page(url, title, text=text, links=tuple(Link(url, anchor) for anchor in anchors))
                store.likeness.learn(number, **asdict(likeness(page)))
        count += len(rows)
    return count


def group_alike(store: Store, found: dict[int, int] | None = None) -> None:
    """Note which pages of the index are near-identical; they may have been `found` already."""
    with store.transaction():
        store.likeness.group(groups(store.likeness.faces()) if found is None else found)
