"""Likening: which pages are near-identical."""

from __future__ import annotations

from minisearch.index.alike import groups
from minisearch.store.store import Store


def group_alike(store: Store, found: dict[int, int] | None = None) -> None:
    """Note which pages of the index are near-identical; they may have been `found` already."""
    with store.transaction():
        store.likeness.group(groups(store.likeness.faces()) if found is None else found)
