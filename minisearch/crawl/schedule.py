"""The revisit schedule: the order in which a recrawl requests pages.

It depends on the rank of a page and on the probability that it has changed: a page that was found unchanged again and
again changes seldom. Changes are taken as random events that happen at some rate (Cho and Garcia-Molina, "The
Evolution of the Web and Implications for an Incremental Crawler", 2000): after `t` days without a change the rate
is about 1 / t.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import exp

from minisearch.store.revisits import Visited

FIRST_GUESS = 1.0  # days after which a page of unknown rate is expected to have changed
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
    """Pages by rank x probability of change; after them the URLs that were no pages the last time."""
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
