"""What each drawer of a store gives, gathered from the drawers of several: the parts of `store/shards.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from minisearch.errors import MiniSearchError
from minisearch.records import Heading, Verdict
from minisearch.store.pages import StoredPage
from minisearch.store.postings import SegmentFacts
from minisearch.store.ranks import RankingFacts

if TYPE_CHECKING:
    from minisearch.store.shards import Shards
    from minisearch.store.store import Store

MOST_TERMS = 60_000  # that begin alike and are looked at in each file, to find the most frequent of all
NOT_OURS = ("shard", "partition")  # rules by which a file leaves a url to others
T = TypeVar("T")


class Elsewhere:
    """What cannot be asked of several files at a time."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise MiniSearchError("this cannot be asked of several files at a time: name one of them with --db")


class ShardJournal(Elsewhere):
    """What became of urls, in all files."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def verdict(self, url: str) -> Verdict | None:
        """What is known about a url by the file whose business it was."""
        found = [verdict for store in self._shards.stores if (verdict := store.journal.verdict(url)) is not None]
        return min(found, key=lambda verdict: verdict.rule in NOT_OURS, default=None)


class ShardPages(Elsewhere):
    """The pages of all files."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def _base(self, shard: int) -> int:
        return self._shards.page_bases[shard]

    def get(self, numbers: Iterable[int]) -> dict[int, StoredPage]:
        """The facts of some pages."""
        found: dict[int, StoredPage] = {}
        for shard, local in self._shards.by_page(numbers).items():
            for page in self._shards.stores[shard].pages.get(local).values():
                number = page.id + self._base(shard)
                found[number] = replace(page, id=number)
        return found

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The visible text of a page, and its headings."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        return self._shards.stores[shard].pages.text(local)

    def openings(self, numbers: Iterable[int], length: int) -> dict[int, tuple[str, list[list[Any]]]]:
        """The first letters of the texts of some pages, and their headings."""
        found: dict[int, tuple[str, list[list[Any]]]] = {}
        for shard, local in self._shards.by_page(numbers).items():
            told = self._shards.stores[shard].pages.openings(local, length)
            found.update({number + self._base(shard): opening for number, opening in told.items()})
        return found

    def on_site(self, site: str) -> list[int]:
        """The pages of a site, or of a folder of it."""
        told = self._shards.ask(lambda shard, store: [page + self._base(shard) for page in store.pages.on_site(site)])
        return [page for pages in told for page in pages]

    def hosts(self) -> dict[int, str]:
        """The host of every page."""
        told = self._shards.ask(lambda _, store: store.pages.hosts())
        return {page + self._base(shard): host for shard, hosts in enumerate(told) for page, host in hosts.items()}

    def languages(self) -> list[str]:
        """The languages that pages say they are in."""
        told = self._shards.ask(lambda _, store: store.pages.languages())
        return sorted({tag for tags in told for tag in tags})

    def in_languages(self, tags: list[str]) -> list[int]:
        """The pages that say they are in one of some languages."""
        told = self._shards.ask(
            lambda shard, store: [page + self._base(shard) for page in store.pages.in_languages(tags)]
        )
        return [page for pages in told for page in pages]

    def headings(self, numbers: list[int]) -> list[str]:
        """The headings of some pages."""
        parts = self._shards.by_page(numbers).items()
        return [heading for shard, local in parts for heading in self._shards.stores[shard].pages.headings(local)]

    def titles_beginning(self, typed: str, limit: int) -> list[str]:
        """Titles that begin so."""
        told = self._shards.ask(lambda _, store: store.pages.titles_beginning(typed, limit))
        titles = {title for titles in told for title in titles}
        return sorted(titles, key=lambda title: (len(title), title))[:limit]

    def id_of(self, url: str) -> int | None:
        """The page that stands for a url."""
        for shard, store in enumerate(self._shards.stores):
            if (found := store.pages.id_of(url)) is not None:
                return found + self._base(shard)
        return None

    def in_links(self, number: int) -> list[dict[str, Any]]:
        """Who links to a page, of the pages in the same file."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        told = self._shards.stores[shard].pages.in_links(local)
        return [{**link, "page": link["page"] + self._base(shard)} for link in told]

    def unindexed(self) -> int:
        """How many pages wait to be indexed."""
        return sum(store.pages.unindexed() for store in self._shards.stores)


class ShardPostings(Elsewhere):
    """The index of all files."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def _base(self, shard: int) -> int:
        return self._shards.segment_bases[shard]

    def segments(self, kind: str) -> list[SegmentFacts]:
        """All segments of a kind."""
        pages = self._shards.page_bases
        told = self._shards.ask(
            lambda shard, store: [
                replace(segment, id=segment.id + self._base(shard), pages=segment.pages + pages[shard])
                for segment in store.postings.segments(kind)
            ]
        )
        return [segment for segments in told for segment in segments]

    def _each(self, segments: Iterable[int], question: Callable[[Store, list[int]], T]) -> list[tuple[int, T]]:
        parts = self._shards.by_segment(segments)

        def ask(shard: int, store: Store) -> tuple[int, T] | None:
            return (self._base(shard), question(store, parts[shard])) if shard in parts else None

        return [answer for answer in self._shards.ask(ask) if answer is not None]

    def docs(self, segments: tuple[int, ...], term: str) -> list[tuple[int, int, bytes]]:
        """(segment, df, docs) of a term in each of the segments that have it."""
        told = self._each(segments, lambda store, local: store.postings.docs(tuple(local), term))
        return [(segment + base, df, docs) for base, rows in told for segment, df, docs in rows]

    def positions(self, segments: set[int], terms: set[str]) -> dict[tuple[int, str], bytes]:
        """(segment, term) -> the packed positions of some terms."""
        told = self._each(segments, lambda store, local: store.postings.positions(set(local), terms))
        return {(segment + base, term): packed for base, rows in told for (segment, term), packed in rows.items()}

    def known(self, segments: tuple[int, ...], terms: list[str]) -> set[str]:
        """Those of some terms that one of the segments has."""
        told = self._each(segments, lambda store, local: store.postings.known(tuple(local), terms))
        return {term for _, terms in told for term in terms}

    def words(self, segment: int, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(word, how often) for all words as they are written that begin with `prefix` and have so many letters."""
        ((_, rows),) = self._each(
            [segment], lambda store, local: store.postings.words(local[0], prefix, shortest, longest)
        )
        return rows

    def written(self, segments: tuple[int, ...], words: list[str]) -> dict[str, str]:
        """How some words are written; those that are written just so are left out."""
        told = self._each(segments, lambda store, local: store.postings.written(tuple(local), words))
        return {word: written for _, found in told for word, written in found.items()}

    def beginning(self, segment: int, prefix: str, limit: int) -> list[tuple[str, int]]:
        """The most frequent terms that begin so, of all segments of a kind: told with the first of them."""
        mine = next(ids for ids in self._shards.segments.values() if segment in ids)
        if segment != mine[0]:
            return []
        told = self._each(
            mine,
            lambda store, local: [row for each in local for row in store.postings.beginning(each, prefix, MOST_TERMS)],
        )
        counted: dict[str, int] = {}
        for _, rows in told:
            for term, df in rows:
                counted[term] = counted.get(term, 0) + df
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def is_empty(self) -> bool:
        """Whether nothing was ever indexed."""
        return all(store.postings.is_empty() for store in self._shards.stores)


class ShardRanks(Elsewhere):
    """The rankings of all files, which were computed together."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def get(self, name: str) -> RankingFacts | None:
        """A ranking by its name; pages of a file that has it not take no part."""
        bases = self._shards.page_bases
        told = self._shards.ask(lambda _, store: store.ranks.get(name))
        known = [ranking for ranking in told if ranking is not None]
        if not known:
            return None
        vector = np.full(bases[-1], np.nan)
        for shard, ranking in enumerate(told):
            if ranking is not None:
                vector[bases[shard] : bases[shard] + len(ranking.vector)] = ranking.vector
        return replace(known[0], vector=vector)

    def out_degrees(self, pages: Iterable[int]) -> dict[int, int]:
        """page -> how many other pages it links to, as far as its file knows."""
        found: dict[int, int] = {}
        for shard, local in self._shards.by_page(pages).items():
            told = self._shards.stores[shard].ranks.out_degrees(local)
            found.update({page + self._shards.page_bases[shard]: count for page, count in told.items()})
        return found

    def settings(self) -> dict[str, float]:
        """The numbers of the ranking that were changed, in the first file."""
        return self._shards.stores[0].ranks.settings()

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        rows = [row for rows in self._shards.ask(lambda _, store: store.ranks.top(name, limit)) for row in rows]
        return sorted(rows, key=lambda row: (-row[2], row[0]))[:limit]


class ShardLikeness(Elsewhere):
    """What makes pages alike, in all files."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def alike(self, groups: Iterable[int]) -> list[int]:
        """The pages that belong to some groups of near-identical ones."""
        wanted = list(groups)
        return self._numbered(self._shards.ask(lambda _, store: store.likeness.alike(wanted)))

    def standing(self) -> list[int]:
        """The pages that stand for others."""
        return self._numbered(self._shards.ask(lambda _, store: store.likeness.standing()))

    def _numbered(self, told: list[list[int]]) -> list[int]:
        return [page + self._shards.page_bases[shard] for shard, pages in enumerate(told) for page in pages]

    def near_copies(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """(page, url) for every url that was merged into one of these pages."""
        found: list[tuple[int, str]] = []
        for shard, local in self._shards.by_page(numbers).items():
            base = self._shards.page_bases[shard]
            found += [(page + base, url) for page, url in self._shards.stores[shard].likeness.near_copies(local)]
        return sorted(found, key=lambda row: row[1])
