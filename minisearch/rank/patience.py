"""How long an answer may take. Whoever computes for strangers sets an end, and long work looks at it between two steps.

Only time in which this thread computes counts, so that what is answered on a quiet machine is answered on a busy one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from minisearch.errors import BadInput

_end: ContextVar[tuple[float, float] | None] = ContextVar("end", default=None)  # the seconds given, and their end


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What is computed inside takes no longer than so many seconds; then it ends with a word about it."""
    before = _end.set((seconds, time.thread_time() + seconds))
    try:
        yield
    finally:
        _end.reset(before)


def look() -> None:
    """Go on, or end if the time is over.

    >>> with at_most(60):
    ...     look()
    """
    given = _end.get()
    if given is not None and time.thread_time() > given[1]:
        raise BadInput(
            f"this takes more than the {given[0]:g} seconds that are given to a question here: ask for fewer pages, "
            'rounds or digits; "minisearch lab" in a terminal has no such limit'
        )
