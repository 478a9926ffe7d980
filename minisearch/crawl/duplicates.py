"""Duplicates: which fetched pages are one page, and which of them is kept.

Pages are merged after they were fetched, on evidence, never by their URLs alone:

- canonical: the page names another one as its canonical page, and that is credible;
- identical: both have exactly the same text;
- equivalent-url: most servers send the same page for both URLs (with and without a final slash, or `index.html`), and
  the texts are near-duplicates;
- near-identical: both are in one folder and differ in nothing but a few numbers, such as a date or a counter.

Other near-duplicates are kept, since a query may ask for just the words in which they differ; search collapses them
(minisearch/search/). A merged page keeps its row in the file, with the rule that decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from minisearch.analysis.simhash import SHORT, distance, near
from minisearch.store.database import Store
from minisearch.store.pages import DuplicateCandidate
from minisearch.store.urls import Redirect, UrlStore

UNRELATED = 16  # bits of the simhash in which two pages with little in common differ at least
FALSE_CANONICALS = 10  # unrelated pages that name one canonical page: the template of the site is wrong
INDEX = re.compile(r"/(?:(?:index|default)\.(?:html?|xhtml|shtml|php|aspx?|jsp))?(?=\?|$)", re.IGNORECASE)
OWN_DETAILS = ("problem", "status", "target")  # of a redirect; the others may change from one crawl to the next

Merged = dict[int, tuple[int, str]]  # page id -> (id of the page that is kept, rule)


def merge(pages: Iterable[DuplicateCandidate], page_of: Mapping[str, int]) -> Merged:
    """Decide which pages are merged into which. `page_of` gives the id of the page that a URL leads to.

    A canonical link is followed within its host, to a page that was fetched and may be indexed. Of pages with the same
    text the one nearest to a seed is kept, then the one with the shortest URL.
    """
    merged: Merged = {}
    pages = sorted((page for page in pages if not page.noindex), key=lambda page: (page.depth, len(page.url), page.url))
    by_id = {page.id: page for page in pages}
    for page in pages:
        target = by_id.get(page_of.get(page.canonical, -1)) if page.canonical else None
        if target is not None and target.id != page.id and target.host == page.host:
            merged[page.id] = (target.id, "canonical")
    for number in _false_canonicals(merged, by_id):
        del merged[number]
    loop = [number for number in merged if _end(number, merged) is None]
    for number in loop:
        del merged[number]  # canonical links in a loop, or leading into one
    _merge_groups("identical", lambda page: page.content_hash, lambda *_: True, pages, merged)
    _merge_groups("equivalent-url", lambda page: equivalent_url(page.url), _near, pages, merged)
    _merge_groups("near-identical", _outline_in_folder, _near, pages, merged)
    return {number: (_end(number, merged) or number, rule) for number, (_, rule) in merged.items()}


def _false_canonicals(merged: Merged, pages: Mapping[int, DuplicateCandidate]) -> list[int]:
    """The pages of a site that all name its home page as canonical, because of its template."""
    claims: dict[int, list[int]] = {}
    for number, (target, _) in merged.items():
        if _unrelated(pages[number], pages[target]):
            claims.setdefault(target, []).append(number)
    return [number for claim in claims.values() if len(claim) >= FALSE_CANONICALS for number in claim]


def _merge_groups(
    rule: str,
    key: Callable[[DuplicateCandidate], object],
    same: Callable[[DuplicateCandidate, DuplicateCandidate], bool],
    pages: list[DuplicateCandidate],
    merged: Merged,
) -> None:
    """Merge pages with the same key into the first of them with the same content."""
    firsts: dict[object, list[DuplicateCandidate]] = {}
    for page in pages:
        if page.id in merged or not (name := key(page)):
            continue
        group = firsts.setdefault(name, [])
        first = next((first for first in group if same(first, page)), None)
        if first is None:
            group.append(page)
        else:
            merged[page.id] = (first.id, rule)


def equivalent_url(url: str) -> str:
    """The same string for URLs for which most servers send the same page.

    >>> equivalent_url("http://a.example/docs/index.html?x=1"), equivalent_url("http://a.example/docs/?x=1")
    ('http://a.example/docs?x=1', 'http://a.example/docs?x=1')
    """
    return INDEX.sub("", url, count=1)


def _outline_in_folder(page: DuplicateCandidate) -> tuple[str, str] | None:
    path = page.url.partition("?")[0]
    return (page.outline, path[: path.rindex("/")]) if page.outline else None


def _near(one: DuplicateCandidate, other: DuplicateCandidate) -> bool:
    if one.simhash is None or other.simhash is None:
        return False
    return near(one.simhash, other.simhash, min(one.words, other.words))


def _unrelated(page: DuplicateCandidate, target: DuplicateCandidate) -> bool:
    if page.simhash is None or target.simhash is None or min(page.words, target.words) < SHORT:
        return False
    return distance(page.simhash, target.simhash) > UNRELATED


def _end(number: int, merged: Mapping[int, tuple[int, str]]) -> int | None:
    """Where a chain of merges ends; None if it is a loop."""
    seen = set()
    while number in merged:
        if number in seen:
            return None
        seen.add(number)
        number = merged[number][0]
    return number


def redirect_ends(targets: Mapping[int, int]) -> dict[int, int | None]:
    """Where each redirect chain ends; None if it is a loop.

    >>> redirect_ends({1: 2, 2: 3, 7: 8, 8: 7})
    {1: 3, 2: 3, 7: None, 8: None}
    """
    steps = {number: (target, "redirect") for number, target in targets.items()}
    return {number: _end(number, steps) for number in targets}


# -- in the file ---------------------------------------------------------------------------------


def merge_pages(store: Store) -> None:
    """Decide for every page whether it is merged into another, and for every redirect which page it leads to."""
    urls, pages = store.urls, store.pages
    candidates = pages.duplicate_candidates()
    by_url_id = {page.url_id: page for page in candidates}
    redirects = urls.redirects()
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
                pages.set_target(page.url_id, into or page.id)
            if into != page.canonical_page_id:
                pages.set_canonical(page.id, into)
                urls.set_status(page.url_id, "fetched")
            if into is not None:  # the rule may have changed even where the page has not
                urls.set_status(page.url_id, "merged", rule, {"page": by_id[into].url})
        for number, redirect in redirects.items():
            page_id = page_of.get(redirect.url)
            pages.set_target(number, merged.get(page_id, (page_id, ""))[0] if page_id is not None else None)
            _settle_redirect(urls, number, redirect, ends[number])


def _settle_redirect(urls: UrlStore, number: int, redirect: Redirect, end: int | None) -> None:
    """Give a redirect the status of the URL it leads to in the end; one in a loop has failed."""
    if end is None:
        urls.set_status(number, "failed", "redirect-loop", {}, redirect.target)
        return
    detail = {name: redirect.detail[name] for name in OWN_DETAILS if name in redirect.detail}
    url, state, rule, why = urls.status(end)
    if state in ("skipped", "failed"):
        detail |= {"end": url, "end_state": state, "cause": {"rule": rule, **why}}
    else:
        state = "merged"
    urls.set_status(number, state, "redirect", detail, redirect.target)
