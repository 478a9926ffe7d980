"""A sitemap and the file: it gets a verdict like any other url, and so does every url that it names."""

from __future__ import annotations

from minisearch.records import Failed, Found, Skipped, Visit
from minisearch.store.store import Store

RULE = "sitemap"


def keep_sitemap(store: Store, crawl: int, visit: Visit, *, max_depth: int) -> set[str]:
    """Write down what became of a sitemap, and the urls it led to; the hosts that have something to fetch now."""
    journal, url = store.journal, visit.queued.url
    if any(found.url == url for found in visit.found):  # what was called a sitemap is to be visited as a page
        return journal.meet(crawl, None, visit.found, max_depth=max_depth)
    said = visit.outcome.reason if isinstance(visit.outcome, Failed | Skipped) else ""
    journal.meet(crawl, None, [Found(url, visit.queued.host, 0)], max_depth=max_depth)
    number = journal.ids([url])[url]
    if store.pages.id_of(url) is None:  # a list of urls may be a page, too, if somebody links to it
        journal.settle(number, "failed" if isinstance(visit.outcome, Failed) else "skipped", RULE, said)
    return journal.meet(crawl, number, visit.found, max_depth=max_depth)
