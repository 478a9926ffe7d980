"""Reads for people, of one file or of all shards: each shard adds what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from minisearch.evaluation.trec import match_addresses
from minisearch.models import Heading, Verdict
from minisearch.search.searcher import Searcher
from minisearch.store.inspect import PageFacts
from minisearch.store.pages import StoredPage

T = TypeVar("T")


def verdict(file: Searcher, url: str) -> Verdict | None:
    """What is known about a URL by the shard that had to decide."""
    own = file.store.urls.verdict(url)
    found = file.reader().total([] if own is None else [own])
    return min(found, key=lambda verdict: verdict.rule == "shard", default=None)


def top(file: Searcher, ranking: str, count: int) -> list[tuple[str, str, float]]:
    """(URL, title, score) of the first pages of a ranking."""
    rows = file.reader().total(file.store.rankings.top(ranking, count))
    return sorted(rows, key=lambda row: (-row[2], row[0]))[:count]


def page(file: Searcher, number: int) -> StoredPage | None:
    """The page with a number, which identifies it in all shards."""
    own = file.reader().own_page(number)
    return _first(file, [] if own is None else [*file.store.pages.get([own]).values()])


def page_number(file: Searcher, url: str) -> int | None:
    """The number of the page of a URL."""
    own = file.store.pages.id_of(url)
    return _first(file, [] if own is None else [file.reader().page_number(own)])


def titles(file: Searcher, urls: Sequence[str]) -> dict[str, str]:
    """The titles of pages, by their URLs."""
    pages = file.store.pages.get(file.store.pages.ids_of(urls).values())
    return dict(file.reader().total([(page.url, page.title) for page in pages.values()]))


def standing(file: Searcher, addresses: Iterable[str]) -> dict[str, list[str]]:
    """The URLs of the pages that addresses lead to: full URLs, or paths, which may be on any site."""
    own = match_addresses(addresses, file.store.pages.final_urls())
    found: dict[str, list[str]] = {}
    for address, urls in file.reader().total([*own.items()]):
        found.setdefault(address, []).extend(urls)
    return found


def count_pages(file: Searcher) -> int:
    """How many pages there are."""
    return file.reader().total(file.store.pages.size())


def overview(file: Searcher) -> dict[str, Any]:
    """The number of pages, the sites with the most pages first, and when the last page was fetched."""
    found = file.reader().total([file.store.inspect.overview()])
    hosts: Counter[str] = Counter()
    for counts, _ in found:
        hosts.update(counts)
    sites = [host for host, _ in hosts.most_common()]
    return {"pages": hosts.total(), "sites": sites, "fetched_at": max(when for _, when in found)}


def text(file: Searcher, number: int) -> tuple[str, list[Heading]]:
    """The text of a page as it was indexed, and its headings."""
    own = file.reader().own_page(number)
    return _first(file, [] if own is None else [file.store.pages.text(own)]) or ("", [])


def document(file: Searcher, number: int) -> tuple[bytes, PageFacts] | None:
    """The HTML of a page and what is known of it; None if that was not kept."""
    own = file.reader().own_page(number)
    html = b"" if own is None else file.store.inspect.html(own)
    return _first(file, [(html, file.store.inspect.facts(own))] if own is not None and html else [])


def _first(file: Searcher, own: list[T]) -> T | None:
    """The value of the shard that has one."""
    found = file.reader().total(own)
    return found[0] if found else None


def statistics(file: Searcher) -> dict[str, Any]:
    """The file or all shards in numbers: what can be added up."""
    inside, reader = file.store.inspect, file.reader()
    rules: dict[str, Counter[str]] = {"skipped": Counter(), "failed": Counter()}
    for states in reader.total([file.store.urls.counts()]):
        for state, by_rule in states.items():
            rules.setdefault(state, Counter()).update(by_rule)
    if reader.shards > 1:
        del rules["skipped"]["shard"]  # that another file decides
    counts, sizes = Counter(file.store.pages.counts()), Counter(inside.sizes())
    found = reader.total([(counts, sizes, Counter(inside.languages()), Counter(inside.depths()))])
    pages, bytes_used, languages, depths = (sum(column, Counter[Any]()) for column in zip(*found, strict=True))
    return {
        **{name: pages[name] for name in counts},
        "urls": {state: by_rule.total() for state, by_rule in rules.items() if by_rule},
        "skipped": dict(rules["skipped"]),
        "failed": dict(rules["failed"]),
        "sizes": {name: bytes_used[name] for name in sizes},
        "languages": {name or "unknown": count for name, count in languages.most_common()},
        "depths": {str(depth): depths[depth] for depth in sorted(depths)},
    }
