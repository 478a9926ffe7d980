"""Crawling again: pages we have are asked for only if they have changed, and those that are gone leave the index.

Servers are told what we have (ETag, Last-Modified) and mostly answer that it is still the same. Which page comes first
is told in due.py, what becomes of each in revisiting.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from minisearch.errors import BadInput, NotFound
from minisearch.limits import Limits, check_number
from minisearch.records import Visit
from minisearch.store.revisits import Visited
from minisearch.store.store import Store
from minisearch.urls import normalize, origin
from minisearch.wiring.choices import CrawlOptions
from minisearch.wiring.due import in_order
from minisearch.wiring.revisiting import Recrawling, RecrawlSummary

OF_THE_RUN = {"workers", "warc", "max_requests"}  # options that say nothing about the next run


def recrawl(
    store: Store,
    seeds: Sequence[str],
    *,
    only: Sequence[str] = (),
    budget: int | None = None,
    accept_shrink: bool = False,
    **chosen: Any,
) -> Iterator[Recrawling]:
    """The crawls of the file (the one with these `seeds`, or all), each to be iterated for its visits.

    `budget` is the number of pages to ask for in all; with `only`, just these urls are asked for, changed or not; with
    `accept_shrink` more than a third of the pages may be dropped. The other options are those of Crawling, and those
    of CrawlOptions that are to be others than the last time.
    """
    if budget is not None:
        check_number("the budget", budget, 1)
    how = {name: chosen.pop(name) for name in ("stop", "visitor", "resolve", "each_batch", "headers") if name in chosen}
    seeds = [normalize(seed) for seed in seeds]
    known = [_named(store, normalize(url)) for url in only] or in_order(store.revisits.known(), datetime.now(UTC))
    crawls = [crawl for crawl in store.revisits.crawls() if not seeds or set(seeds) == set(crawl[1])]
    if not crawls:
        named = " ".join(seeds)
        raise NotFound(
            f"there is no crawl of {named} in the file" if seeds else "nothing was crawled into the file yet"
        )
    allowed = {number for number, *_ in crawls}
    known = [each for each in known if each.crawl in allowed][:budget]
    if how.get("headers"):
        _check_recipients(
            [starts for number, starts, _ in crawls if not only or number in {each.crawl for each in known}]
        )
    for number, starts, settings in crawls:
        plan = [each for each in known if each.crawl == number]
        if plan or not only:
            options = CrawlOptions(**_restored({**store.revisits.last_run(starts), **settings}, chosen))
            yield Recrawling(
                store,
                starts,
                options,
                plan,
                budget=budget,
                alone=bool(only),
                accept_shrink=accept_shrink,
                **how,
            )


def _check_recipients(crawls: Sequence[Sequence[str]]) -> None:
    """Raise BadInput if headers for one site would be sent to the seeds of another crawl as well."""
    recipients = {frozenset(origin(seed) for seed in seeds) for seeds in crawls}
    if len(recipients) > 1:
        raise BadInput("the file holds crawls of several sites: name the seed URLs of the one that gets the headers")


def _named(store: Store, url: str) -> Visited:
    known = store.revisits.named(url)
    if known is None:
        raise NotFound(f"{url} was never met: to begin there, minisearch crawl {url}")
    return known


def _restored(settings: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """The settings of a crawl as they were before they were written down, and what was chosen now."""
    names = {each.name for each in fields(CrawlOptions)} - OF_THE_RUN
    kept = {name: _unlisted(value) for name, value in settings.items() if name in names}
    if "limits" in kept:
        names = {each.name for each in fields(Limits)}
        limits = {name: _unlisted(value) for name, value in kept["limits"].items() if name in names}
        kept["limits"] = Limits(**limits)
    return kept | chosen


def _unlisted(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _pass_by(visits: Iterable[Visit]) -> None:
    for _ in visits:
        pass


def run(
    crawls: Iterable[Recrawling],
    *,
    watch: Callable[[Recrawling], object] = _pass_by,
    then: Iterable[Callable[[], object]] = (),
    waiting: Callable[[], object] = bool,
) -> RecrawlSummary:
    """Run these crawls to their end (`watch` iterates one), then, if there is reason to, index and rank: something
    has changed, or pages are `waiting` for it since another time.
    """
    whole = RecrawlSummary()
    for crawl in crawls:
        watch(crawl)
        for each in fields(whole):
            setattr(whole, each.name, getattr(whole, each.name) + getattr(crawl.found, each.name))
    whole.interrupted = bool(whole.interrupted)
    if whole.altered or waiting():
        for stage in then:
            stage()
    return whole
