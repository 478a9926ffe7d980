"""Batches: what is written down shares transactions, for to make each of them last takes longer than to write."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

from minisearch.store.store import Store

BATCH = 64  # visits that share a transaction at the most
LASTING_AFTER = 0.25  # seconds after which they are made to last at the next pause


class Batch:
    """Visits that share a transaction. The last ones are made to last when there is a pause, or when this is over."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._transaction = ExitStack()
        self._visits, self._since = 0, 0.0  # in the transaction, and when it was begun

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *trouble: Any) -> None:
        self._transaction.__exit__(*trouble)

    def take_one_more(self) -> None:
        """A visit is about to be written down."""
        if self._visits == BATCH:
            self.end()
        if not self._visits:
            self._transaction.enter_context(self._store.transaction())
            self._since = time.monotonic()
        self._visits += 1

    def pause(self) -> None:
        """There is nothing to do just now."""
        if self._visits == BATCH or time.monotonic() - self._since > LASTING_AFTER:
            self.end()

    def end(self) -> None:
        """Make them last."""
        self._transaction.close()
        self._visits = 0
