"""The policies of a recrawl: the order in which it requests pages, and how many of them a site may lose.

The order depends on the rank of a page and on the probability that it has changed: a page that was found unchanged
again and again changes seldom. Changes are taken as random events that happen at some rate (Cho and Garcia-Molina,
"The Evolution of the Web and Implications for an Incremental Crawler", 2000): after `t` days without a change the rate
is about 1 / t.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import exp

from minisearch.store.recrawl import Visited

FIRST_GUESS = 1.0  # days after which a page of unknown rate is expected to have changed
DAY = 86_400.0
MAX_LOST = 1 / 3  # share of its pages that a site, or all of them, may lose at once
MIN_PAGES = 10  # of a site that is judged alone: a third of a few pages is soon lost


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


def shrinking_sites(pages: Mapping[str, int], visits: Iterable[tuple[str, str, str, bool, str]]) -> set[str]:
    """The sites that would lose too many of their `pages`, or all sites if the sum is still too much.

    A site that loses a third of its pages at once is more likely to be out of order, or to block us. `visits` are
    (URL, host, result, whether its page would leave the results, redirect target), in their order.
    """
    lost: Counter[str] = Counter()
    new: dict[str, str] = {}  # URL -> its site
    redirected_from: dict[str, str] = {}  # target of redirects -> the site of the first of them
    for url, host, result, leaves, target in visits:
        lost[host] += leaves
        if result == "new":
            new[url] = host
        if target:
            redirected_from.setdefault(target, redirected_from.get(url, host))
    for url, host in new.items():  # a page that moved is not lost
        lost[redirected_from.get(url, host)] -= 1
    large = (site for site in lost if pages.get(site, 0) >= MIN_PAGES)
    refused = {site for site in large if lost[site] > MAX_LOST * pages[site]}
    others = sum(count for site, count in lost.items() if site not in refused)
    return {*pages, *lost} if others > MAX_LOST * sum(pages.values()) else refused
