"""Looking into the file: the half of the engine that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from minisearch.errors import NotFound
from minisearch.records import Heading, Verdict
from minisearch.search.searcher import Searcher
from minisearch.store.store import Store

if TYPE_CHECKING:
    from minisearch.search.inspect import PageAccount, TermAccount
    from minisearch.wiring.replaying import Replay


class Looking:
    """What an engine tells of its file, beside the answers to queries."""

    store: Store
    _searcher: Searcher

    def why(self, url: str) -> Verdict:
        """What became of a url, and why."""
        from minisearch.wiring.verdicts import why

        with self.store.reading():
            return why(self.store, url)

    def top(self, count: int = 10, ranking: str = "pagerank") -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        with self.store.reading():
            return self.store.ranks.top(ranking, count)

    def replay(self, *orders: str) -> list[Replay]:
        """The recorded crawl walked again in each of `orders`: how soon it would have held which share of PageRank."""
        from minisearch.wiring.replaying import replays

        with self.store.reading():
            return replays(self.store, orders) if orders else replays(self.store)

    def term(self, word: str, *, limit: int = 20) -> TermAccount:
        """A word as the index knows it, with its first `limit` postings."""
        from minisearch.search import inspect

        with self.store.reading():
            return inspect.term(self._searcher.reader(), word, limit)

    def page(self, url: str, *, limit: int = 20) -> PageAccount:
        """A page as the file knows it, with up to `limit` of its terms, of the links to it and of its own."""
        from minisearch.index.indexer import url_words
        from minisearch.search import inspect

        with self.store.reading():
            number = self.store.pages.id_of(self.normalize(url))
            if number is None:
                raise NotFound(f"{url} is not a page of this file: minisearch why {url} tells more")
            address = url_words(self.store.inside.facts(number).url)
            return inspect.page(self._searcher.reader(), self._searcher.params(), number, address, limit)

    def address(self, number: int) -> str:
        """The url of the page with this id."""
        with self.store.reading():
            page = self.store.pages.get([number]).get(number)
        if page is None:
            raise NotFound(f"there is no page number {number} in this file")
        return page.url

    def titles(self, urls: Iterable[str]) -> dict[str, str]:
        """The titles of pages, by their urls."""
        with self.store.reading():
            numbers = [number for url in urls if (number := self.store.pages.id_of(url)) is not None]
            return {page.url: page.title for page in self.store.pages.get(numbers).values()}

    def standing(self, addresses: Iterable[str]) -> dict[str, list[str]]:
        """The urls of the pages that stand for some addresses: full urls, or paths, which may be on any site."""
        from minisearch.wiring.verdicts import standing

        with self.store.reading():
            return standing(self.store, addresses)

    def size(self) -> int:
        """How many pages there are."""
        with self.store.reading():
            return self.store.pages.size()

    def number(self, url: str) -> int | None:
        """The id of the page that stands for a url, if the file holds it."""
        with self.store.reading():
            return self.store.pages.id_of(url)

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The text of a page as it was indexed, and its headings."""
        with self.store.reading():
            return self.store.pages.text(number)

    def advice(self, number: int) -> dict[str, Any] | None:
        """What the owner of a page may want to mend, by the HTML in the file; None if that was not kept."""
        from minisearch.wiring.touching import inspect_stored

        with self.store.reading():
            html = self.store.inside.html(number)
            return inspect_stored(html, self.store.inside.facts(number)) if html else None

    def shape(self) -> dict[str, Any]:
        """The crawl as it can be drawn: types, statuses, how links are spread, the bow tie."""
        from minisearch.wiring.shape import shape

        with self.store.reading():
            return shape(self.store)

    def sql(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows that a statement of SQL gives. It can only read."""
        return self.store.inside.ask(statement)

    def stats(self) -> dict[str, Any]:
        """The file in numbers; of several files those that can be added up."""
        from minisearch.search import inspect
        from minisearch.store.shards import Shards

        if isinstance(self.store, Shards):
            return self.store.numbers()
        with self.store.reading():
            urls: dict[str, int] = {}
            rules: dict[str, dict[str, int]] = {"skipped": {}, "failed": {}}
            for state, rule, count in self.store.journal.tally():
                urls[state] = urls.get(state, 0) + count
                if state in rules:
                    rules[state][rule] = count
            ranking = self.store.ranks.get("pagerank")
            known = None
            if ranking is not None:
                known = {**ranking.parameters, "rounds": ranking.rounds, "residual": ranking.residual}
            counts = self.store.pages.counts()
            terms = self.store.postings.count_terms()
            more = inspect.numbers(self.store, terms, counts["links"])
            return {**counts, "terms": terms, "urls": urls, **rules, "pagerank": known, **more}

    @staticmethod
    def normalize(url: str, base: str = "") -> str:
        """The one spelling of a url, as found on the page `base`, that the file knows; BadUrl if it is none."""
        from minisearch.urls import normalize

        return normalize(url, base)
