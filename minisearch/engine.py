"""The facade: crawl, index, rank, search and inspect one file. It wires the stages, which do not import one another."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from minisearch.errors import BadInput, BadUrl, MiniSearchError, NotFound, NotReady
from minisearch.limits import check_number
from minisearch.models import CrawlSummary, Explanation, Found, Heading, Hit, Page, Results, Verdict
from minisearch.search import rankers
from minisearch.search.index_reader import missing_ranking
from minisearch.search.params import DEFAULT, Settings
from minisearch.search.searcher import Searcher
from minisearch.shards import inspect
from minisearch.shards.search import Shards, shard_paths
from minisearch.store.database import Store
from minisearch.urls import host, normalize

if TYPE_CHECKING:
    from minisearch.crawl.job import CrawlJob
    from minisearch.crawl.recording import ImportJob
    from minisearch.crawl.recrawl import RecrawlJob, RecrawlSummary
    from minisearch.crawl.replay import Replay
    from minisearch.index.indexer import RunAll
    from minisearch.rank.job import Links, Measures
    from minisearch.rank.scores import Scores
    from minisearch.search.compare import Comparison
    from minisearch.search.inspect import PageAccount, TermAccount
    from minisearch.shards.executors import OpenExecutor
    from minisearch.store.sql import QueryResult, Table

P = ParamSpec("P")
T = TypeVar("T")

Readers: TypeAlias = "int | OpenExecutor"  # of the files of a pattern: a number of processes, or shards/executors.py


class LinkData(NamedTuple):
    """The pages of a file and the links between them."""

    pages: list[int]  # ids, without merged pages
    urls: dict[int, str]  # of the pages, by id
    links: Links  # sources, targets, and how often
    scores: dict[str, Any]  # by ranking: an array of scores by page id, NaN for other pages


class Engine:
    """A search engine in one file, or in memory without one; a pattern of file names is searched as one file.

    >>> with Engine() as engine:
    ...     engine.search("anything").total
    0
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        create: bool = True,
        read_only: bool = False,
        readers: Readers | None = None,
    ) -> None:
        """The files of a pattern are read by threads, by `readers` processes, or elsewhere (shards/executors.py)."""
        shards = shard_paths(path)
        if readers is not None and not shards:
            raise BadInput(f'there is one file to read, "{path}": several readers are for a pattern like shards/*.db')
        self._searcher: Searcher | None = None  # of one file
        self._shards: Shards | None = None  # of several
        if shards:
            from minisearch.shards.executors import executor

            self._shards = Shards(shards, executor(readers))
        else:
            self._searcher = Searcher(Store(path, create=create, read_only=read_only))

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, or all of them."""
        if self._shards is not None:
            self._shards.close()
        else:
            self.store.close()

    @property
    def store(self) -> Store:
        """The one file."""
        if self._searcher is None:
            raise MiniSearchError("this cannot be done with several files at a time: name one of them with --db")
        return self._searcher.store

    def _run(self, function: Callable[Concatenate[Searcher, P], T], *arguments: P.args, **options: P.kwargs) -> T:
        """The result of a function on the file, or on all shards."""
        if self._shards is not None:
            return self._shards.run(function, *arguments, **options)
        with self.store.reading():
            return function(self._searcher, *arguments, **options)  # type: ignore[arg-type]  # there is one

    # -- crawl, index, rank ------------------------------------------------------------------

    def crawl(self, *seeds: str, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Crawl from `seeds`, or continue a crawl of these seeds; then index and rank what was fetched.

        Options are those of `minisearch.crawl.job.CrawlOptions`, and those of `crawling`.
        """
        return self._run_all(self.crawling(*seeds, index=index, **options), index, rank)

    def _run_all(self, job: CrawlJob, index: bool, rank: bool) -> CrawlSummary:
        for _ in job:
            pass
        if index:
            self.index(compact=True)
        if rank:
            self.rank()
        return job.summary()

    def crawling(self, *seeds: str, index: bool = True, **options: Any) -> CrawlJob:
        """The crawl behind `crawl`, to be iterated: yields each visit after it is stored.

        `stop`, a function, ends the crawl cleanly once it returns true; `visitor` does the fetching in this process.
        `headers`, a mapping, is sent to the origins of the seeds only, and is never stored.
        """
        from minisearch.crawl.job import CrawlJob, CrawlOptions, with_limits

        if options.pop("public_only", False):  # no private address, wherever the seeds are
            from minisearch.fetch.guard import public_addresses

            options["resolve"] = public_addresses
        extras = {name: options.pop(name) for name in ("stop", "visitor", "resolve", "headers") if name in options}
        for name in {"include", "exclude", "sitemaps"}.intersection(options):
            options[name] = (options[name],) if isinstance(options[name], str) else tuple(options[name])
        options = with_limits(options | {"warc": str(options.get("warc", ""))})
        each_batch = self._index_pending if index else _do_nothing
        return CrawlJob(self.store, seeds, CrawlOptions(**options), each_batch=each_batch, **extras)

    def recrawl(self, *seeds: str, **options: Any) -> RecrawlSummary:
        """Visit pages again, index those that changed, drop those that are gone. Options: those of `recrawling`."""
        from minisearch.crawl.recrawl import run

        summary = run(self.recrawling(*seeds, **options))
        if self.pending():  # since a crawl that was killed
            self._index_and_rank()
        return summary

    def recrawling(self, *seeds: str, **options: Any) -> Iterator[RecrawlJob]:
        """The crawls behind `recrawl`, to be iterated one after the other: see `minisearch.crawl.recrawl.recrawl`."""
        from minisearch.crawl.recrawl import recrawl

        return recrawl(self.store, seeds, then=self._index_and_rank, **options)

    def _index_and_rank(self) -> None:
        self.index(compact=True)
        self.rank()

    def import_(self, path: str | Path, *, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Import a WARC file, a folder of HTML or a mirror made by wget, as if it had been crawled."""
        return self._run_all(self.importing(path, index=index, **options), index, rank)

    def importing(self, source: Any, *, base: str = "", index: bool = True, **options: Any) -> ImportJob:
        """The import behind `import_`, to be iterated; `source` is a path, or an archive that is open already.

        Options: `base`, the URL of a folder; seeds, parser, keep_html, workers (0 parses in this process), stop.
        """
        from minisearch.crawl.recording import ImportJob, open_archive

        archive = open_archive(source, base) if isinstance(source, str | Path) else source
        each_batch = self._index_pending if index else _do_nothing
        return ImportJob(self.store, archive, each_batch=each_batch, **options)

    def add_pages(self, pages: Iterable[Page]) -> None:
        """Add pages that were not crawled. They are searchable after `index`; their links are not followed."""
        pages = list(pages)
        if not pages:
            return
        for url in chain.from_iterable((page.url, *(link.url for link in page.links)) for page in pages):
            normalize(url)  # raises BadUrl if it is not one of http or https
        urls = self.store.urls
        with self.store.transaction():
            crawl, _ = urls.begin_crawl([pages[0].url], {})
            found = [Found(page.url, host(page.url), 0) for page in pages]
            linked = [Found(link.url, host(link.url), 1, rule="scope") for page in pages for link in page.links]
            urls.discover(crawl, None, [*found, *linked])
            for page in pages:
                ids = urls.ids({page.url, *(link.url for link in page.links)})
                self.store.pages.save(ids[page.url], page, ids)
                urls.set_status(ids[page.url], "fetched")
        self.store.unlock()

    def index(
        self, each: RunAll | None = None, *, compact: bool = False, rebuild: bool = False, again: bool = False
    ) -> int:
        """Index all pages that are new or changed; returns their number. `each` runs the work on a cluster.

        `compact`, when a crawl is over, rebuilds small and stale segments as well (index/indexer.py); `rebuild`, or
        `again`, its former name, indexes all pages again.
        """
        from minisearch.index.indexer import index_all

        rebuild = rebuild or again
        with self._stage("index", {"rebuild": True} if rebuild else {}) as counts:
            counts["pages"] = index_all(self.store, each, compact=compact, rebuild=rebuild)
        return counts["pages"]

    def indexing(self, each: RunAll | None = None) -> Iterator[int]:
        """Index the pages that are new or changed, but no anchor texts; yields the number of pages of each segment."""
        from minisearch.index.indexer import index_pages

        try:
            yield from index_pages(self.store, each)
        finally:
            self.store.unlock()

    def _index_pending(self) -> None:
        """Make searchable what a running crawl has fetched so far."""
        from minisearch.index.indexer import index_pages

        for _ in index_pages(self.store):
            pass

    def pending(self) -> int:
        """How many pages are new or changed, and not indexed yet."""
        return self.store.pages.count_pending()

    def rank(self, by: Measures | None = None, **options: Any) -> Scores:
        """Rank the pages by their links. Options: those of `rank.job.RankOptions`; `by` computes it elsewhere."""
        from minisearch.rank.job import rank

        with self._stage("rank", options) as counts:
            scores = rank(self.store, by, **options)
            counts.update(pages=len(scores.values), rounds=scores.rounds)
        return scores

    @contextmanager
    def _stage(self, stage: str, settings: dict[str, Any]) -> Iterator[dict[str, int]]:
        """A stage as one writer: recorded when it begins, and with its counts when it is done."""
        counts: dict[str, int] = {}
        run = self.store.start_run(stage, settings)
        try:
            with self.store.checking_types():
                yield counts
            self.store.finish_run(run, counts)
        except BadInput:
            self.store.forget_run(run)  # it was refused before it began
            raise
        finally:
            self.store.unlock()

    # -- search ------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        page: int = 1,
        sort: str = "blend",
        blend: float | None = None,
        snippets: bool = True,
        fold: bool = True,
        settings: Settings | None = None,
        ranker: str | None = None,
        facets: bool = False,
    ) -> Results:
        """The `page`-th group of `limit` hits. Near-duplicates are collapsed into one hit, unless `fold` is false.

        `settings` are ranking parameters for this query (search/params.py), `blend` is one of them; a `ranker` is one
        of search/rankers.py. With `facets`, sites and languages are counted.
        """
        if ranker is not None:
            step = rankers.ranker(ranker)
            if sort not in ("blend", step.sort):
                raise BadInput(f"the ranker {ranker} has an order of its own: leave out sort")
            sort, settings = step.sort, {**step.settings, **(settings or {})}
        check_number("the limit", limit, 1)
        check_number("the page", page, 1, math.inf)  # one beyond the last is empty
        began = time.perf_counter()
        offset = (page - 1) * limit
        results = self._run(
            Searcher.search,
            query,
            limit=limit,
            offset=offset,
            sort=sort,
            blend=blend,
            snippets=snippets,
            fold=fold,
            settings=settings or {},
            facets=facets,
        )
        if not results.total and self._run(Searcher.is_waiting):
            raise NotReady('no index yet: run "minisearch index" first, or wait for the crawl that is running')
        return replace(results, took_ms=(time.perf_counter() - began) * 1000)

    def ranking(self, settings: Settings | None = None) -> dict[str, float | str]:
        """The ranking parameters of the file, after `settings` were stored; {} restores the defaults."""
        if settings is not None:
            kept = {**self.store.rankings.settings(), **settings} if settings else {}
            prior = DEFAULT.changed(kept).prior
            if prior not in (DEFAULT.prior, *self.store.rankings.names()):
                raise missing_ranking(prior)
            with self.store.transaction():
                self.store.rankings.set_settings(kept)
            self.store.unlock()
        return self._run(Searcher.params).settings()

    def lucky(self, query: str) -> Hit | None:
        """The best hit."""
        hits = self.search(query, limit=1, fold=False).hits
        return hits[0] if hits else None

    def suggest(self, typed: str, *, limit: int = 8) -> list[str]:
        """Completions of a query that begins with `typed`: titles and words of the index."""
        return self._run(Searcher.suggest, typed, limit)

    def explain(
        self, query: str, url: str, *, blend: float | None = None, settings: Settings | None = None
    ) -> Explanation:
        """The account of the score that `url` has for `query`."""
        from minisearch.search.explain import explain

        changed = {**(settings or {}), **({} if blend is None else {"blend": blend})}
        found = self._run(explain, query, self.normalize(url), changed)
        if found is None:
            raise NotFound(f"{url} is not in the index: see minisearch why {url}")
        return found

    def against(
        self,
        query: str,
        url: str,
        other: str,
        *,
        blend: float | None = None,
        settings: Settings | None = None,
    ) -> Comparison:
        """Why `url` is above or below `other` for `query`, and what would reverse their order."""
        from minisearch.search.compare import compare

        first, second = (self.explain(query, each, blend=blend, settings=settings) for each in (url, other))
        if first.url == second.url:
            raise BadInput(f"{url} and {other} are the same page")
        return self._run(compare, first, second, settings or {})

    # -- inspect -----------------------------------------------------------------------------

    def why(self, url: str) -> Verdict:
        """The status of a URL, and why; NotFound if it was never discovered."""
        from minisearch.crawl.verdicts import with_reason

        try:
            verdict = self._run(inspect.verdict, normalize(url))
        except BadUrl:  # a link that cannot be followed is stored as it was written
            verdict = self._run(inspect.verdict, url.encode("utf-8", "replace").decode())
            if verdict is None:
                raise
        if verdict is None:
            raise NotFound(f"{url} was never discovered: no link to it was taken from a crawled page")
        return with_reason(verdict, url)

    def top(self, count: int = 10, ranking: str = "pagerank") -> list[tuple[str, str, float]]:
        """(URL, title, score) of the first pages of a ranking."""
        return self._run(inspect.top, ranking, count)

    def replay(self, *orders: str) -> list[Replay]:
        """Repeat the recorded crawl in each of `orders`: the share of PageRank held after each page."""
        from minisearch.crawl.replay import ORDERS, replays
        from minisearch.rank.job import link_graph
        from minisearch.rank.pagerank import pagerank

        with self.store.reading():
            graph, pages = link_graph(self.store)
            ranks = dict(zip(pages.tolist(), pagerank(graph).values.tolist(), strict=True))
            return replays(self.store, ranks, orders or ORDERS)

    def term(self, word: str, *, limit: int = 20) -> TermAccount:
        """A word as it is indexed, with its first `limit` postings."""
        from minisearch.search.inspect import term

        return self._run(term, word, limit)

    def page(self, url: str, *, limit: int = 20) -> PageAccount:
        """A page as it is stored, with up to `limit` of its terms, in-links and out-links."""
        from minisearch.search.inspect import page

        found = self._run(page, self.normalize(url), limit)
        if found is None:
            raise NotFound(f"{url} is not a page of this file: see minisearch why {url}")
        return found

    def address(self, number: int) -> str:
        """The URL of the page with this id."""
        page = self._run(inspect.page, number)
        if page is None:
            raise NotFound(f"there is no page number {number} in this file")
        return page.url

    def titles(self, urls: Iterable[str]) -> dict[str, str]:
        """The titles of pages, by their URLs."""
        return self._run(inspect.titles, [*urls])

    def standing(self, addresses: Iterable[str]) -> dict[str, list[str]]:
        """The URLs of the pages at some addresses: full URLs, or paths on any site."""
        return self._run(inspect.standing, [*addresses])

    def size(self) -> int:
        """How many pages there are."""
        return self._run(inspect.count_pages)

    def overview(self) -> dict[str, Any]:
        """What the file holds: the number of pages, the sites with the most pages, and the date of the last fetch."""
        return self._run(inspect.overview)

    def number(self, url: str) -> int | None:
        """The id of the page at a URL, if the file holds it."""
        return self._run(inspect.page_number, url)

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The text of a page as it was indexed, and its headings."""
        return self._run(inspect.text, number)

    def texts(self, limit: int) -> Iterator[tuple[str, str]]:
        """(URL, text) of the first pages of the file."""
        with self.store.reading():
            numbers = self.store.pages.nodes()[:limit]
            urls = self.store.pages.urls(numbers)
            yield from ((urls[number], self.store.pages.text(number)[0]) for number in numbers)

    def advice(self, number: int) -> dict[str, Any] | None:
        """What the owner of a page may want to fix, from the stored HTML; None if that was not kept."""
        from minisearch.crawl.probe import inspect_stored

        found = self._run(inspect.document, number)
        return inspect_stored(*found) if found else None

    def shape(self) -> dict[str, Any]:
        """The crawl in numbers to be drawn: statuses, types, rules, the distribution of links, the bow tie."""
        from minisearch.rank.job import link_graph, link_statistics

        with self.store.reading():
            graph, _ = link_graph(self.store)
            rules: Counter[str] = Counter()
            for state, by_rule in self.store.urls.counts().items():
                for rule, count in by_rule.items():
                    rules[f"{state}: {rule}" if state in ("skipped", "failed") and rule else state] += count
            return {
                "statuses": {str(status): count for status, count in self.store.inspect.statuses()},
                "types": dict(self.store.inspect.types()),
                "fates": dict(rules.most_common()),
                **link_statistics(graph),
            }

    def link_graph(self) -> LinkData:
        """The pages, the links between them, and their scores by every ranking."""
        ranks = self.store.rankings
        with self.store.reading():
            rankings = [ranking for name in ranks.names() if (ranking := ranks.get(name)) is not None]
            scores = {ranking.name: ranking.vector for ranking in rankings}
            pages = self.store.pages.nodes()
            return LinkData(pages, self.store.pages.urls(pages), ranks.link_ends(), scores)

    def rank_options(self, ranking: str = "pagerank") -> dict[str, Any]:
        """The options with which a ranking was computed; nothing if it was not."""
        with self.store.reading():
            found = self.store.rankings.get(ranking)
            return found.parameters if found is not None else {}

    def sql(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a read-only SQL statement."""
        return self.store.sql(statement)

    def query(self, statement: str, *, seconds: float, max_rows: int) -> QueryResult:
        """The same for a statement from a stranger, within limits and in a process of its own (store/sql.py)."""
        return self.store.query(statement, seconds=seconds, max_rows=max_rows)

    def tables(self) -> list[Table]:
        """The tables and views of the file."""
        return self.store.tables()

    def count_rows(self, table: str, most: int) -> int:
        """The number of rows of a table, or `most` if there are more."""
        return self.store.count_rows(table, most)

    def table_rows(self, name: str, **options: Any) -> QueryResult:
        """Rows of a table or view. Options: those of `Store.table_rows`."""
        return self.store.table_rows(name, **options)

    @property
    def is_sharded(self) -> bool:
        """Whether several files are searched as one."""
        return self._shards is not None

    def stats(self) -> dict[str, Any]:
        """The file in numbers; of several files, those that can be added up."""
        from minisearch.search.inspect import numbers

        found = self._run(inspect.statistics)
        if self._shards is not None:
            return {"files": len(self._shards.paths), **found}
        with self.store.reading():
            ranking = self.store.rankings.get("pagerank")
            known = None
            if ranking is not None:
                known = {**ranking.parameters, "iterations": ranking.rounds, "residual": ranking.residual}
                known["rounds"] = ranking.rounds  # the former name
            terms = self.store.postings.count_terms()
            return {**found, "terms": terms, "pagerank": known, **numbers(self.store, terms, found["links"])}

    @staticmethod
    def normalize(url: str, base: str = "") -> str:
        """The normalized form of a URL found on the page `base`; BadUrl if it is none."""
        return normalize(url, base)


def _do_nothing() -> None:
    """Called after each batch of a crawl that is not indexed."""
