"""What each drawer of a store gives, gathered from the drawers of several: the parts of `store/shards.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from minisearch.errors import MiniSearchError
from minisearch.models import Heading, Verdict
from minisearch.store.pages import PageIds, StoredPage
from minisearch.store.postings import StoredPostings, StoredSegment
from minisearch.store.rankings import RankingFacts

if TYPE_CHECKING:
    from minisearch.store.shards import Shards

MOST_WORDS = 60_000  # with one prefix that are read from each file, to find the most frequent of all


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


class ShardUrls(Drawer):
    """What became of urls, in all files."""

    def verdict(self, url: str) -> Verdict | None:
        """What is known about a url by the file whose business it was."""
        told = self._shards.ask("urls", "verdict", url)
        found: list[Verdict] = [verdict for verdict in told if verdict is not None]
        return min(found, key=lambda verdict: verdict.rule == "shard", default=None)


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
                found[number] = page._replace(id=number)
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

    def titles_with_prefix(self, typed: str, limit: int) -> list[str]:
        """Titles that begin so."""
        told = self._shards.ask("pages", "titles_with_prefix", typed, limit)
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

    def count_pending(self) -> int:
        """How many pages wait to be indexed."""
        return sum(self._shards.ask("pages", "count_pending"))

    def all_urls(self) -> tuple[list[str], PageIds]:
        """The url of every page, and the page of each."""
        told = self._shards.ask("pages", "all_urls")
        numbers = [pages + base for (_, pages), base in zip(told, self._shards.page_bases, strict=False)]
        return [url for urls, _ in told for url in urls], np.concatenate(numbers)

    def final_urls(self) -> list[tuple[str, str]]:
        """(address, url of the page that stands for it) of every address that leads to a page in the same file."""
        return [pair for told in self._shards.ask("pages", "final_urls") for pair in told]

    def sorted_by_url(self) -> PageIds:
        """Every page, in the order of urls."""
        urls, pages = self.all_urls()
        return pages[sorted(range(len(urls)), key=urls.__getitem__)]

    def near_duplicates(self, groups: Iterable[int]) -> list[int]:
        """The pages that belong to some groups of near-identical ones."""
        return self._numbered(self._shards.ask("pages", "near_duplicates", list(groups)))

    def canonical_pages(self) -> list[int]:
        """The pages that stand for others."""
        return self._numbered(self._shards.ask("pages", "canonical_pages"))

    def near_copies(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """(page, url) for every url that was merged into one of these pages."""
        told = self._shards.ask_some("pages", "near_copies", self._holders(numbers))
        bases = self._shards.page_bases
        found = [(page + bases[shard], url) for shard, rows in told.items() for page, url in rows]
        return sorted(found, key=lambda row: row[1])


class ShardPostings(Drawer):
    """The index of all files."""

    def generation(self) -> tuple[int, ...]:
        """What identifies the state of the index: that of each file, and how pages are numbered through."""
        own = [number for found in self._shards.ask("postings", "generation") for number in found]
        return (*own, *self._shards.page_bases, *self._shards.segment_bases)

    def segments(self) -> list[StoredSegment]:
        """All segments."""
        bases = zip(self._shards.segment_bases, self._shards.page_bases, strict=True)
        return [
            segment._replace(id=segment.id + base, first_page=first_page)
            for (base, first_page), segments in zip(bases, self._shards.ask("postings", "segments"), strict=False)
            for segment in segments
        ]

    def postings(self, segments: Iterable[int], terms: Iterable[str]) -> list[StoredPostings]:
        """The postings of some terms in some segments."""
        wanted = [*terms]
        parts = {shard: (local, wanted) for shard, local in self._shards.by_segment(segments).items()}
        return [
            row._replace(segment_id=row.segment_id + self._shards.segment_bases[shard])
            for shard, rows in self._shards.ask_some("postings", "postings", parts).items()
            for row in rows
        ]

    def positions(self, blocks: Iterable[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The positions of some blocks, each named by its segment and its own id."""
        parts: dict[int, tuple[list[tuple[int, int]]]] = {}
        for segment, block in blocks:
            for shard, (local,) in self._shards.by_segment([segment]).items():
                parts.setdefault(shard, ([],))[0].append((local, block))
        return {
            (segment + self._shards.segment_bases[shard], block): packed
            for shard, rows in self._shards.ask_some("postings", "positions", parts).items()
            for (segment, block), packed in rows.items()
        }

    def _summed(self, question: str, *given: Any) -> list[tuple[str, int]]:
        """(word, count) of all files, the most frequent first."""
        counted: Counter[str] = Counter()
        for rows in self._shards.ask("postings", question, *given):
            counted.update(dict(rows))
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))

    def terms_with_prefix(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(term, df) of the most frequent terms that begin so."""
        return self._summed("terms_with_prefix", prefix, MOST_WORDS)[:limit]

    def words_with_prefix(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(word, occurrences) of the most frequent words that begin so."""
        return self._summed("words_with_prefix", prefix, MOST_WORDS)[:limit]

    def words_of_length(self, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(word, occurrences) of all words of some length that begin so."""
        return self._summed("words_of_length", prefix, shortest, longest)

    def spellings(self, words: Iterable[str]) -> dict[str, str]:
        """The usual spelling of some words; those that are spelled as they are listed are left out."""
        found = self._shards.ask("postings", "spellings", [*words])
        return {word: spelling for spellings in found for word, spelling in spellings.items()}

    def is_empty(self) -> bool:
        """Whether nothing was ever indexed."""
        return all(self._shards.ask("postings", "is_empty"))


class ShardRanks(Drawer):
    """The rankings of all files, which were computed together."""

    def get(self, name: str) -> RankingFacts | None:
        """A ranking by its name; pages of a file that does not have it take no part."""
        bases = self._shards.page_bases
        told = self._shards.ask("rankings", "get", name)
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
        told, bases = self._shards.ask_some("rankings", question, self._holders(pages)), self._shards.page_bases
        return {page + bases[shard]: count for shard, counts in told.items() for page, count in counts.items()}

    def settings(self) -> dict[str, float]:
        """The numbers of the ranking that were changed, in the first file."""
        return dict(self._shards.ask_some("rankings", "settings", {0: ()})[0])

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        rows = [row for rows in self._shards.ask("rankings", "top", name, limit) for row in rows]
        return sorted(rows, key=lambda row: (-row[2], row[0]))[:limit]
