"""Looking into the file: the half of the engine that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from minisearch.errors import MiniSearchError, NotFound
from minisearch.records import Heading, Verdict
from minisearch.search.searcher import Searcher
from minisearch.store.store import Store

if TYPE_CHECKING:
    from minisearch.search.inspect import PageAccount, TermAccount
    from minisearch.shards.search import Shards
    from minisearch.wiring.replaying import Replay

P = ParamSpec("P")
T = TypeVar("T")


class Looking:
    """What an engine tells of its file, beside the answers to queries."""

    _searcher: Searcher | None  # of one file
    _shards: Shards | None  # of several

    @property
    def store(self) -> Store:
        """The one file."""
        if self._searcher is None:
            raise MiniSearchError("this cannot be done with several files at a time: name one of them with --db")
        return self._searcher.store

    def _run(self, function: Callable[Concatenate[Searcher, P], T], *arguments: P.args, **options: P.kwargs) -> T:
        """What a function gives on the file, or on all shards."""
        if self._shards is not None:
            return self._shards.run(function, *arguments, **options)
        with self.store.reading():
            return function(self._searcher, *arguments, **options)  # type: ignore[arg-type]  # there is one

    def why(self, url: str) -> Verdict:
        """What became of a url, and why."""
        from minisearch.shards import inspect
        from minisearch.wiring.verdicts import why

        return why(lambda known: self._run(inspect.verdict, known), url)

    def top(self, count: int = 10, ranking: str = "pagerank") -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        from minisearch.shards import inspect

        return self._run(inspect.top, ranking, count)

    def replay(self, *orders: str) -> list[Replay]:
        """The recorded crawl walked again in each of `orders`: how soon it would have held which share of PageRank."""
        from minisearch.wiring.replaying import replays

        with self.store.reading():
            return replays(self.store, orders) if orders else replays(self.store)

    def term(self, word: str, *, limit: int = 20) -> TermAccount:
        """A word as the index knows it, with its first `limit` postings."""
        return self._run(Searcher.term, word, limit)

    def page(self, url: str, *, limit: int = 20) -> PageAccount:
        """A page as the file knows it, with up to `limit` of its terms, of the links to it and of its own."""
        found = self._run(Searcher.page, self.normalize(url), limit)
        if found is None:
            raise NotFound(f"{url} is not a page of this file: minisearch why {url} tells more")
        return found

    def address(self, number: int) -> str:
        """The url of the page with this id."""
        from minisearch.shards import inspect

        page = self._run(inspect.page, number)
        if page is None:
            raise NotFound(f"there is no page number {number} in this file")
        return page.url

    def titles(self, urls: Iterable[str]) -> dict[str, str]:
        """The titles of pages, by their urls."""
        from minisearch.shards import inspect

        return self._run(inspect.titles, [*urls])

    def standing(self, addresses: Iterable[str]) -> dict[str, list[str]]:
        """The urls of the pages that stand for some addresses: full urls, or paths, which may be on any site."""
        from minisearch.shards import inspect

        return self._run(inspect.standing, [*addresses])

    def size(self) -> int:
        """How many pages there are."""
        from minisearch.shards import inspect

        return self._run(inspect.count_pages)

    def number(self, url: str) -> int | None:
        """The id of the page that stands for a url, if the file holds it."""
        from minisearch.shards import inspect

        return self._run(inspect.page_number, url)

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The text of a page as it was indexed, and its headings."""
        from minisearch.shards import inspect

        return self._run(inspect.text, number)

    def advice(self, number: int) -> dict[str, Any] | None:
        """What the owner of a page may want to mend, by the HTML in the file; None if that was not kept."""
        from minisearch.shards import inspect
        from minisearch.wiring.touching import inspect_stored

        found = self._run(inspect.document, number)
        return inspect_stored(*found) if found else None

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

        if self._shards is not None:
            from minisearch.shards.inspect import statistics

            return self._shards.run(statistics)
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
