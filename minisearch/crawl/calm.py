"""Calm: Python looks for rings of garbage after every few hundred records, of which our pages have none.

It stands apart from the workers (pool.py), so that whoever only wants quiet need not load all that they need.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

LITTER = 50_000  # records that may lie about before Python looks for rings among them


@contextmanager
def calm(litter: int = LITTER) -> Iterator[None]:
    """Let Python look for rings of garbage less often than every few hundred records: it takes a tenth of all time."""
    before = gc.get_threshold()
    gc.set_threshold(max(litter, before[0]) if before[0] else 0, *before[1:])  # 0: somebody has turned it off
    try:
        yield
    finally:
        if gc.isenabled():
            gc.collect(0)  # the latest alone, lest all that was ever made be looked through at once
        gc.set_threshold(*before)
