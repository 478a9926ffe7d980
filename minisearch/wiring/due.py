"""Which page is due: the order in which pages are asked for again.

It is a matter of how much a page counts (its rank) and how likely it is to have changed: a page that was found the same
again and again changes seldom. Take changes as chance events that happen at some rate (Cho and Garcia-Molina, "The
Evolution of the Web and Implications for an Incremental Crawler", 2000): after `t` days without a change the rate
is about 1 / t.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import exp

from minisearch.store.revisits import Visited

FIRST_GUESS = 1.0  # days after which a page of which we know nothing is taken to have changed
DAY = 86_400.0


def likely_change(known: Visited, moment: datetime) -> float:
    """The probability that a page has changed since it was last visited."""
    seen = _time(known.checked_at or known.fetched_at)
    since = min(filter(None, (_time(known.fetched_at), _date(known.last_modified))), default=None)
    if seen is None or since is None:
        return 1.0
    steady = max(0.0, (seen - since).total_seconds() / DAY)
    waited = max(0.0, (moment - seen).total_seconds() / DAY)
    return 1 - exp(-waited / (steady + FIRST_GUESS))


def in_order(known: Iterable[Visited], moment: datetime) -> list[Visited]:
    """What counts and is likely to have changed comes first; then what was no page the last time."""
    return sorted(
        known,
        key=lambda each: (
            each.page is None,
            -each.score * likely_change(each, moment),
            each.queued.depth,
            each.queued.id,
        ),
    )


def _time(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        return None


def _date(written: str) -> datetime | None:
    """The time in a Last-Modified header."""
    try:
        found = parsedate_to_datetime(written)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
