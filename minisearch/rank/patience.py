"""A limit on CPU time. The web layer sets it, and long computations check it between two steps.

Only the time of this thread counts, so that the result does not depend on the load of the machine.
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
    """Limit the CPU time of what is computed inside; `look` raises BadInput when it is over."""
    before = _end.set((seconds, time.thread_time() + seconds))
    try:
        yield
    finally:
        _end.reset(before)


def look() -> None:
    """Raise BadInput if the time limit has passed.

    >>> with at_most(60):
    ...     look()
    """
    given = _end.get()
    if given is not None and time.thread_time() > given[1]:
        raise BadInput(
            f"this takes longer than the limit of {given[0]:g} seconds: use fewer pages, "
            'iterations or digits; "minisearch lab" in a terminal has no such limit'
        )
