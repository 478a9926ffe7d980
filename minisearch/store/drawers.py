"""What each drawer of a store gives, gathered from the drawers of several: the parts of `store/shards.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from minisearch.errors import MiniSearchError
from minisearch.records import Heading, Verdict
from minisearch.store.addresses import Pages
from minisearch.store.pages import StoredPage
from minisearch.store.postings import FIRST, SegmentFacts, Stored
from minisearch.store.ranks import RankingFacts

if TYPE_CHECKING:
    from minisearch.store.shards import Shards

MOST_TERMS = 60_000  # that begin alike and are looked at in each file, to find the most frequent of all
NOT_OURS = ("shard", "partition")  # rules by which a file leaves a url to others


class OneFileOnly:
    """What cannot be asked of several files at a time."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise MiniSearchError("this cannot be asked of several files at a time: name one of them with --db")


class Drawer(OneFileOnly):
    """A drawer of all files. Pages are numbered through, file after file."""

    def __init__(self, shards: Shards) -> None:
        self._shards = shards

    def _numbered(self, told: Iterable[Iterable[int]]) -> list[int]:
        """The pages that all files tell, numbered through."""
        return [page + self._shards.page_bases[shard] for shard, pages in enumerate(told) for page in pages]

    def _holders(self, numbers: Iterable[int], *more: Any) -> dict[int, tuple[Any, ...]]:
        """What the files that hold some pages are asked with: the pages by their numbers there, and `more`."""
        return {shard: (local, *more) for shard, local in self._shards.by_page(numbers).items()}


class ShardJournal(Drawer):
    """What became of urls, in all files."""

    def verdict(self, url: str) -> Verdict | None:
        """What is known about a url by the file whose business it was."""
        told = self._shards.ask("journal", "verdict", url)
        found: list[Verdict] = [verdict for verdict in told if verdict is not None]
        return min(found, key=lambda verdict: verdict.rule in NOT_OURS, default=None)


class ShardPages(Drawer):
    """The pages of all files."""

    def _base(self, shard: int) -> int:
        return int(self._shards.page_bases[shard])

    def _of(self, question: str, numbers: Iterable[int], *more: Any) -> dict[int, Any]:
        """What the files that hold some pages say of them."""
        return self._shards.ask_some("pages", question, self._holders(numbers, *more))

    def get(self, numbers: Iterable[int]) -> dict[int, StoredPage]:
        """The facts of some pages."""
        found: dict[int, StoredPage] = {}
        for shard, pages in self._of("get", numbers).items():
            for page in pages.values():
                number = page.id + self._base(shard)
                found[number] = replace(page, id=number)
        return found

    def urls(self, numbers: Iterable[int]) -> dict[int, str]:
        """The urls of some pages."""
        told = self._of("urls", numbers)
        return {page + self._base(shard): url for shard, urls in told.items() for page, url in urls.items()}

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The visible text of a page, and its headings."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        text, headings = self._shards.ask_some("pages", "text", {shard: (local,)})[shard]
        return text, headings

    def whole(self, number: int) -> str:
        """The visible text of a page alone."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        text: str = self._shards.ask_some("pages", "whole", {shard: (local,)})[shard]
        return text

    def openings(self, numbers: Iterable[int], length: int) -> dict[int, tuple[str, list[list[Any]]]]:
        """The first letters of the texts of some pages, and their headings."""
        found: dict[int, tuple[str, list[list[Any]]]] = {}
        for shard, told in self._of("openings", numbers, length).items():
            found.update({number + self._base(shard): opening for number, opening in told.items()})
        return found

    def languages(self) -> list[str]:
        """The languages that pages say they are in."""
        told = self._shards.ask("pages", "languages")
        return sorted({tag for tags in told for tag in tags})

    def in_languages(self, tags: list[str]) -> list[int]:
        """The pages that say they are in one of some languages."""
        return self._numbered(self._shards.ask("pages", "in_languages", tags))

    def headings(self, numbers: list[int]) -> list[str]:
        """The headings of some pages."""
        return [heading for told in self._of("headings", numbers).values() for heading in told]

    def titles_beginning(self, typed: str, limit: int) -> list[str]:
        """Titles that begin so."""
        told = self._shards.ask("pages", "titles_beginning", typed, limit)
        titles = {title for titles in told for title in titles}
        return sorted(titles, key=lambda title: (len(title), title))[:limit]

    def id_of(self, url: str) -> int | None:
        """The page that stands for a url."""
        told = self._shards.ask("pages", "id_of", url)
        return next((page + self._base(shard) for shard, page in enumerate(told) if page is not None), None)

    def in_links(self, number: int) -> list[dict[str, Any]]:
        """Who links to a page, of the pages in the same file."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        told = self._shards.ask_some("pages", "in_links", {shard: (local,)})[shard]
        return [{**link, "page": link["page"] + self._base(shard)} for link in told]

    def size(self) -> int:
        """How many pages there are."""
        return sum(self._shards.ask("pages", "size"))

    def unindexed(self) -> int:
        """How many pages wait to be indexed."""
        return sum(self._shards.ask("pages", "unindexed"))


class ShardAddresses(Drawer):
    """Where the pages of all files are."""

    def every(self) -> tuple[list[str], Pages]:
        """The url of every page, and the page of each."""
        told = self._shards.ask("addresses", "every")
        numbers = [pages + base for (_, pages), base in zip(told, self._shards.page_bases, strict=False)]
        return [url for urls, _ in told for url in urls], np.concatenate(numbers)

    def standing(self) -> list[tuple[str, str]]:
        """(address, url of the page that stands for it) of every address that leads to a page in the same file."""
        return [pair for told in self._shards.ask("addresses", "standing") for pair in told]

    def in_order(self) -> Pages:
        """Every page, in the order of urls."""
        urls, pages = self.every()
        return pages[sorted(range(len(urls)), key=urls.__getitem__)]


class ShardPostings(Drawer):
    """The index of all files."""

    def _base(self, shard: int) -> int:
        return int(self._shards.segment_bases[shard])

    def segments(self, kind: str) -> list[SegmentFacts]:
        """All segments of a kind."""
        pages = self._shards.page_bases
        return [
            replace(segment, id=segment.id + self._base(shard), pages=segment.pages.astype(np.int64) + pages[shard])
            for shard, segments in enumerate(self._shards.ask("postings", "segments", kind))
            for segment in segments
        ]

    def _each(self, segments: Iterable[int], question: str, *more: Any, kind: type = tuple) -> list[tuple[int, Any]]:
        """(what to add to the numbers of segments, what is said) by the files that hold some segments."""
        parts = {shard: (kind(local), *more) for shard, local in self._shards.by_segment(segments).items()}
        told = self._shards.ask_some("postings", question, parts)
        return [(self._base(shard), answer) for shard, answer in told.items()]

    def _one_by_one(self, segments: Iterable[int], question: str, *more: Any) -> list[Any]:
        """What is said of each of some segments."""
        parts = self._shards.by_segment(segments).items()
        return self._shards.ask_all(
            [(shard, "postings", question, (each, *more)) for shard, local in parts for each in local]
        )

    def docs(self, segments: tuple[int, ...], terms: Sequence[str]) -> dict[str, list[Stored]]:
        """Of each of some terms (segment, df, docs, positions) for each of the segments that have it."""
        found: dict[str, list[Stored]] = {term: [] for term in terms}
        for base, told in self._each(segments, "docs", terms):
            for term, rows in told.items():
                found[term] += [(segment + base, *row) for segment, *row in rows]
        return {term: sorted(rows, key=FIRST) for term, rows in found.items()}

    def positions(self, wanted: Iterable[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The long positions of terms, by their segment and the number that stands for them."""
        parts: dict[int, tuple[list[tuple[int, int]]]] = {}
        for segment, number in wanted:
            for shard, (local,) in self._shards.by_segment([segment]).items():
                parts.setdefault(shard, ([],))[0].append((local, number))
        told = self._shards.ask_some("postings", "positions", parts)
        return {
            (segment + self._base(shard), number): packed
            for shard, rows in told.items()
            for (segment, number), packed in rows.items()
        }

    def known(self, segments: tuple[int, ...], terms: list[str]) -> set[str]:
        """Those of some terms that one of the segments has."""
        told = self._each(segments, "known", terms)
        return {term for _, terms in told for term in terms}

    def words(self, segment: int, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(word, how often) for all words as they are written that begin with `prefix` and have so many letters."""
        return [row for rows in self._one_by_one([segment], "words", prefix, shortest, longest) for row in rows]

    def written(self, segments: tuple[int, ...], words: list[str]) -> dict[str, str]:
        """How some words are written; those that are written just so are left out."""
        told = self._each(segments, "written", words)
        return {word: written for _, found in told for word, written in found.items()}

    def beginning(self, segment: int, prefix: str, limit: int) -> list[tuple[str, int]]:
        """The most frequent terms that begin so, of all segments of a kind: told with the first of them."""
        mine = next(ids for ids in self._shards.segments.values() if segment in ids)
        if segment != mine[0]:
            return []
        counted: dict[str, int] = {}
        for rows in self._one_by_one(mine, "beginning", prefix, MOST_TERMS):
            for term, df in rows:
                counted[term] = counted.get(term, 0) + df
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def is_empty(self) -> bool:
        """Whether nothing was ever indexed."""
        return all(self._shards.ask("postings", "is_empty"))


class ShardRanks(Drawer):
    """The rankings of all files, which were computed together."""

    def get(self, name: str) -> RankingFacts | None:
        """A ranking by its name; pages of a file that does not have it take no part."""
        bases = self._shards.page_bases
        told = self._shards.ask("ranks", "get", name)
        known: list[RankingFacts] = [ranking for ranking in told if ranking is not None]
        if not known:
            return None
        vector = np.full(bases[-1], np.nan)
        for shard, ranking in enumerate(told):
            if ranking is not None:
                own = vector[bases[shard] : bases[shard + 1]]
                told_of = ranking.vector[: len(own)]  # its last pages may be gone since
                own[: len(told_of)] = told_of
        return replace(known[0], vector=vector)

    def out_degrees(self, pages: Iterable[int]) -> dict[int, int]:
        """page -> how many other pages it links to, as far as its file knows."""
        return self._counted("out_degrees", pages)

    def link_counts(self, pages: Iterable[int]) -> dict[int, int]:
        """page -> how many different links it has."""
        return self._counted("link_counts", pages)

    def _counted(self, question: str, pages: Iterable[int]) -> dict[int, int]:
        told, bases = self._shards.ask_some("ranks", question, self._holders(pages)), self._shards.page_bases
        return {page + bases[shard]: count for shard, counts in told.items() for page, count in counts.items()}

    def settings(self) -> dict[str, float]:
        """The numbers of the ranking that were changed, in the first file."""
        return dict(self._shards.ask_some("ranks", "settings", {0: ()})[0])

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        rows = [row for rows in self._shards.ask("ranks", "top", name, limit) for row in rows]
        return sorted(rows, key=lambda row: (-row[2], row[0]))[:limit]


class ShardLikeness(Drawer):
    """What makes pages alike, in all files."""

    def alike(self, groups: Iterable[int]) -> list[int]:
        """The pages that belong to some groups of near-identical ones."""
        return self._numbered(self._shards.ask("likeness", "alike", list(groups)))

    def standing(self) -> list[int]:
        """The pages that stand for others."""
        return self._numbered(self._shards.ask("likeness", "standing"))

    def near_copies(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """(page, url) for every url that was merged into one of these pages."""
        told = self._shards.ask_some("likeness", "near_copies", self._holders(numbers))
        bases = self._shards.page_bases
        found = [(page + bases[shard], url) for shard, rows in told.items() for page, url in rows]
        return sorted(found, key=lambda row: row[1])
