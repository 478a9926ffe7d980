"""Merging: which pages of the file are one, from all that is known when a crawl comes to rest."""

from __future__ import annotations

from collections.abc import Collection

from minisearch.crawl.duplicates import follow, merge
from minisearch.store.store import Store

SAID = {
    "canonical": "says it is the same page as",
    "identical": "says word for word the same as",
    "twin": "says nearly the same as its twin by name,",
    "near-identical": "differs in nothing but numbers from",
}
NOWHERE = "; in the end that is "  # what follows may change from one crawl to the next


def merge_pages(store: Store, new: Collection[int] = ()) -> None:
    """Decide for every page which one stands for it, and for every redirect where it leads.

    Of `new` redirects only that is a verdict; what was said until now is nothing to be remembered.
    """
    journal, pages = store.journal, store.pages
    twins = pages.twins()
    by_url_id = {twin.url_id: twin for twin in twins}
    moved = journal.moved()
    ends = follow({number: redirect.target for number, redirect in moved.items()})
    lead_to = {twin.url: twin.id for twin in twins}
    for number, redirect in moved.items():
        end = by_url_id.get(ends[number] or 0)
        if end is not None:
            lead_to[redirect.url] = end.id
    kept = merge(twins, lead_to)
    by_id = {twin.id: twin for twin in twins}
    with store.transaction():
        for twin in twins:
            into, rule = kept.get(twin.id, (None, ""))
            if twin.leads_to != (into or twin.id):
                pages.stand_for(twin.url_id, into or twin.id)
            if into != twin.merged_into:
                pages.merge(twin.id, into)
                journal.settle(twin.url_id, "fetched")
            if into is not None:  # the rule may have changed even where the page has not
                first = by_id[into]
                journal.settle(twin.url_id, "merged", rule, f"{SAID[rule]} {first.url}", first.url_id)
        for number, redirect in moved.items():
            page = lead_to.get(redirect.url)
            pages.stand_for(number, kept.get(page, (page, ""))[0] if page is not None else None)
        settle_redirects(store, ends)
        journal.forget_past({number: redirect.reason for number, redirect in moved.items() if number in new})


def settle_redirects(store: Store, ends: dict[int, int | None]) -> None:
    """A redirect shares the fate of what it leads to in the end; in a ring it leads nowhere."""
    journal = store.journal
    for number, redirect in journal.moved().items():
        end = ends[number]
        said = redirect.reason.partition(NOWHERE)[0]
        if end is None:
            journal.settle(number, "failed", "redirect-loop", "redirects in a ring", redirect.target)
            continue
        url, state, reason = journal.fate(end)
        if state in ("skipped", "failed"):
            journal.settle(number, state, "redirect", f"{said}{NOWHERE}{url}, {state}: {reason}", redirect.target)
        else:
            journal.settle(number, "merged", "redirect", said, redirect.target)
