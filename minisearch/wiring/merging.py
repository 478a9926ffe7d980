"""Merging: decide which pages of the file are duplicates, when a crawl is over."""

from __future__ import annotations

from collections.abc import Collection

from minisearch.crawl.duplicates import merge, redirect_ends
from minisearch.store.store import Store

OWN_DETAILS = ("problem", "status", "target")  # of a redirect; the others may change from one crawl to the next


def merge_pages(store: Store, new: Collection[int] = ()) -> None:
    """Decide for every page whether it is merged into another, and for every redirect which page it leads to.

    The details that `new` redirects had until now are not kept in their history: they belong to the same visit.
    """
    journal, pages = store.journal, store.pages
    candidates = pages.duplicate_candidates()
    by_url_id = {page.url_id: page for page in candidates}
    redirects = journal.moved()
    ends = redirect_ends({number: redirect.target for number, redirect in redirects.items()})
    page_of = {page.url: page.id for page in candidates}
    for number, redirect in redirects.items():
        end = by_url_id.get(ends[number] or 0)
        if end is not None:
            page_of[redirect.url] = end.id
    merged = merge(candidates, page_of)
    by_id = {page.id: page for page in candidates}
    with store.transaction():
        for page in candidates:
            into, rule = merged.get(page.id, (None, ""))
            if page.leads_to != (into or page.id):
                pages.stand_for(page.url_id, into or page.id)
            if into != page.merged_into:
                pages.merge(page.id, into)
                journal.settle(page.url_id, "fetched")
            if into is not None:  # the rule may have changed even where the page has not
                journal.settle(page.url_id, "merged", rule, {"page": by_id[into].url})
        for number, redirect in redirects.items():
            target = page_of.get(redirect.url)
            pages.stand_for(number, merged.get(target, (target, ""))[0] if target is not None else None)
        settle_redirects(store, ends)
        journal.forget_past({number: redirect.detail for number, redirect in redirects.items() if number in new})


def settle_redirects(store: Store, ends: dict[int, int | None]) -> None:
    """Give each redirect the status of the URL it leads to in the end; one in a loop has failed."""
    journal = store.journal
    for number, redirect in journal.moved().items():
        end = ends[number]
        detail = {name: redirect.detail[name] for name in OWN_DETAILS if name in redirect.detail}
        if end is None:
            journal.settle(number, "failed", "redirect-loop", {}, redirect.target)
            continue
        url, state, rule, why = journal.fate(end)
        if state in ("skipped", "failed"):
            detail |= {"end": url, "end_state": state, "cause": {"rule": rule, **why}}
        else:
            state = "merged"
        journal.settle(number, state, "redirect", detail, redirect.target)
