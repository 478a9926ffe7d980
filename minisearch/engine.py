"""The facade: crawl, index, rank, search and inspect one file. It wires the stages, which do not import one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from minisearch.errors import BadInput, BadUrl, NotFound, NotReady
from minisearch.models import CrawlSummary, Explanation, Found, Heading, Hit, Page, Results, Verdict
from minisearch.search import rankers
from minisearch.search.explain import explain
from minisearch.search.params import DEFAULT
from minisearch.search.searcher import Searcher
from minisearch.store.database import Store
from minisearch.store.patterns import shard_paths
from minisearch.urls import host, normalize

if TYPE_CHECKING:
    from minisearch.crawl.importer import ImportJob
    from minisearch.crawl.job import CrawlJob
    from minisearch.crawl.recrawl import RecrawlJob, RecrawlSummary
    from minisearch.crawl.replay import Replay
    from minisearch.index.indexer import RunAll
    from minisearch.rank.job import Links, Measures
    from minisearch.rank.scores import Scores
    from minisearch.search.compare import Comparison
    from minisearch.search.inspect import PageAccount, TermAccount
    from minisearch.store.readers import Elsewhere


Readers: TypeAlias = "int | Elsewhere"  # of the files of a pattern: this many processes, or those of scale/keepers.py


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
        """The files of a pattern are read by threads, by `readers` processes, or by workers (scale/keepers.py)."""
        shards = shard_paths(path)
        if readers is not None and not shards:
            raise BadInput(f'there is one file to read, "{path}": several readers are for a pattern like shards/*.db')
        if shards:
            from minisearch.store.readers import hire
            from minisearch.store.shards import Shards

            self.store = cast(Store, Shards(shards, hire(readers)))
        else:
            self.store = Store(path, create=create, read_only=read_only)
        self._searcher = Searcher(self.store)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    # -- crawl, index, rank ------------------------------------------------------------------

    def crawl(self, *seeds: str, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Crawl from `seeds`, or continue a crawl of these seeds; then index and rank what was fetched.

        Options are those of `minisearch.crawl.options.CrawlOptions`, and those of `crawling`.
        """
        return self._run_all(self.crawling(*seeds, index=index, **options), index, rank)

    def _run_all(self, job: CrawlJob | ImportJob, index: bool, rank: bool) -> CrawlSummary:
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
        from minisearch.crawl.job import CrawlJob
        from minisearch.crawl.options import CrawlOptions, with_limits

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
        """Visit pages again, index what has changed and drop what is gone. Options are those of `recrawling`."""
        from minisearch.crawl.recrawl import run

        summary = run(self.recrawling(*seeds, **options))
        if summary.altered or self.pending():
            self.index(compact=True)
            self.rank()
        return summary

    def recrawling(self, *seeds: str, **options: Any) -> Iterator[RecrawlJob]:
        """The crawls behind `recrawl`, one after the other; see `minisearch.crawl.recrawl.recrawl`."""
        from minisearch.crawl.recrawl import recrawl

        return recrawl(self.store, seeds, each_batch=self._index_pending, **options)

    def import_(self, path: str | Path, *, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Import a WARC file, a folder of HTML or a mirror made by wget, as if it had been crawled."""
        return self._run_all(self.importing(path, index=index, **options), index, rank)

    def importing(self, source: Any, *, base: str = "", index: bool = True, **options: Any) -> ImportJob:
        """The import behind `import_`, to be iterated; `source` is a path, or an archive that is open already.

        Options: `base`, the URL of a folder; seeds, parser, keep_html, workers (0 parses in this process), stop.
        """
        from minisearch.crawl.importer import ImportJob, open_archive

        archive = open_archive(source, base) if isinstance(source, str | Path) else source
        each_batch = self._index_pending if index else _do_nothing
        return ImportJob(self.store, archive, each_batch=each_batch, **options)

    def add_pages(self, pages: Iterable[Page]) -> None:
        """Add pages that were not crawled. They are searchable after `index`; their links are not followed."""
        pages = list(pages)
        if not pages:
            return
        urls = self.store.urls
        with self.store.transaction():
            crawl, _ = urls.begin_crawl([pages[0].url], {})
            found = [Found(page.url, host(page.url), 0) for page in pages]
            linked = [Found(link.url, host(link.url), 1, rule="scope") for page in pages for link in page.links]
            urls.discover(crawl, None, [*found, *linked], max_depth=1)
            for page in pages:
                ids = urls.ids({page.url, *(link.url for link in page.links)})
                self.store.pages.save(ids[page.url], page, ids)
                urls.set_status(ids[page.url], "fetched")
        self.store.unlock()

    def index(
        self, each: RunAll | None = None, *, compact: bool = False, rebuild: bool = False, again: bool = False
    ) -> int:
        """Index all pages that are new or changed; returns their number. `each` runs the work on a cluster.

        `compact`, when a crawl is over, rebuilds small and stale segments as well (index/segments.py); `rebuild`, or
        `again`, its former name, indexes all pages again.
        """
        from minisearch.index.indexer import index_all

        rebuild = rebuild or again
        with self._run("index", {"rebuild": True} if rebuild else {}) as counts:
            counts["pages"] = index_all(self.store, each, compact=compact, rebuild=rebuild)
        return counts["pages"]

    def indexing(self, each: RunAll | None = None) -> Iterator[int]:
        """Index the pages that are new or changed, but no anchor texts; yields the number of pages of each segment."""
        from minisearch.index.indexer import index_pages

        return index_pages(self.store, each)

    def _index_pending(self) -> None:
        """Make searchable what a running crawl has fetched so far."""
        for _ in self.indexing():
            pass

    def pending(self) -> int:
        """How many pages are new or changed, and not indexed yet."""
        return self.store.pages.count_pending()

    def rank(self, by: Measures | None = None, **options: Any) -> Scores:
        """Rank the pages by their links. Options: those of `rank.job.RankOptions`; `by` computes it elsewhere."""
        from minisearch.rank.job import rank

        with self._run("rank", options) as counts:
            scores = rank(self.store, by, **options)
            counts.update(pages=len(scores.values), rounds=scores.rounds)
        return scores

    @contextmanager
    def _run(self, stage: str, settings: dict[str, Any]) -> Iterator[dict[str, int]]:
        """A stage as one writer: recorded when it begins, and with its counts when it is done."""
        counts: dict[str, int] = {}
        run = self.store.start_run(stage, settings)
        try:
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
        settings: Mapping[str, float] | None = None,
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
        offset = (page - 1) * limit
        results = self._searcher.search(
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
        if not results.total and self.store.postings.is_empty() and self.store.pages.count_pending():
            raise NotReady('no index yet: run "minisearch index" first, or wait for the crawl that is running')
        return results

    def ranking(self, settings: Mapping[str, float] | None = None) -> dict[str, float]:
        """The ranking parameters of the file, after `settings` were stored; {} restores the defaults."""
        if settings is not None:
            kept = {**self.store.rankings.settings(), **settings} if settings else {}
            DEFAULT.changed(kept)
            with self.store.transaction():
                self.store.rankings.set_settings(kept)
            self.store.unlock()
        return DEFAULT.changed(self.store.rankings.settings()).settings()

    def lucky(self, query: str) -> Hit | None:
        """The best hit."""
        hits = self.search(query, limit=1, fold=False).hits
        return hits[0] if hits else None

    def suggest(self, typed: str, *, limit: int = 8) -> list[str]:
        """Completions of a query that begins with `typed`: titles and words of the index."""
        return self._searcher.suggest(typed, limit)

    def explain(
        self, query: str, url: str, *, blend: float | None = None, settings: Mapping[str, float] | None = None
    ) -> Explanation:
        """The account of the score that `url` has for `query`."""
        changed = {**(settings or {}), **({} if blend is None else {"blend": blend})}
        with self.store.reading():
            number = self.store.pages.id_of(self.normalize(url))
            page = self.store.pages.get([number]).get(number) if number is not None else None
            found = explain(self._searcher.reader(), self._searcher.params(changed), query, page) if page else None
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
        settings: Mapping[str, float] | None = None,
    ) -> Comparison:
        """Why `url` is above or below `other` for `query`, and what would reverse their order."""
        from minisearch.search import compare

        first, second = (self.explain(query, each, blend=blend, settings=settings) for each in (url, other))
        if first.url == second.url:
            raise BadInput(f"{url} and {other} are the same page")
        with self.store.reading():
            pages = {each: self.store.pages.id_of(each) or 0 for each in (first.url, second.url)}
            known = compare.titles(self._searcher.reader(), self._searcher.params(settings or {}), query, pages)
        return compare.compare(first, second, known)

    # -- inspect -----------------------------------------------------------------------------

    def why(self, url: str) -> Verdict:
        """The status of a URL, and why; NotFound if it was never discovered."""
        from minisearch.crawl.verdicts import with_reason

        with self.store.reading():
            try:
                verdict = self.store.urls.verdict(normalize(url))
            except BadUrl:  # a link that cannot be followed is stored as it was written
                verdict = self.store.urls.verdict(url.encode("utf-8", "replace").decode())
                if verdict is None:
                    raise
        if verdict is None:
            raise NotFound(f"{url} was never discovered")
        return with_reason(verdict, url)

    def top(self, count: int = 10, ranking: str = "pagerank") -> list[tuple[str, str, float]]:
        """(URL, title, score) of the first pages of a ranking."""
        with self.store.reading():
            return self.store.rankings.top(ranking, count)

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
        from minisearch.search import inspect

        with self.store.reading():
            return inspect.term(self._searcher.reader(), word, limit)

    def page(self, url: str, *, limit: int = 20) -> PageAccount:
        """A page as it is stored, with up to `limit` of its terms, in-links and out-links."""
        from minisearch.index.indexer import url_words
        from minisearch.search import inspect

        with self.store.reading():
            number = self.store.pages.id_of(self.normalize(url))
            if number is None:
                raise NotFound(f"{url} is not a page of this file: see minisearch why {url}")
            address = url_words(self.store.inspect.facts(number).url)
            return inspect.page(self._searcher.reader(), self._searcher.params(), number, address, limit)

    def address(self, number: int) -> str:
        """The URL of the page with this id."""
        with self.store.reading():
            page = self.store.pages.get([number]).get(number)
        if page is None:
            raise NotFound(f"there is no page number {number} in this file")
        return page.url

    def titles(self, urls: Iterable[str]) -> dict[str, str]:
        """The titles of pages, by their URLs."""
        with self.store.reading():
            numbers = [number for url in urls if (number := self.store.pages.id_of(url)) is not None]
            return {page.url: page.title for page in self.store.pages.get(numbers).values()}

    def standing(self, addresses: Iterable[str]) -> dict[str, list[str]]:
        """The URLs of the pages at some addresses: full URLs, or paths on any site."""
        from minisearch.evaluation.trec import match_addresses

        with self.store.reading():
            return match_addresses(addresses, self.store.pages.final_urls())

    def size(self) -> int:
        """How many pages there are."""
        with self.store.reading():
            return self.store.pages.size()

    def number(self, url: str) -> int | None:
        """The id of the page at a URL, if the file holds it."""
        with self.store.reading():
            return self.store.pages.id_of(url)

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The text of a page as it was indexed, and its headings."""
        with self.store.reading():
            return self.store.pages.text(number)

    def texts(self, limit: int) -> Iterator[tuple[str, str]]:
        """(URL, text) of the first pages of the file."""
        with self.store.reading():
            numbers = self.store.pages.nodes()[:limit]
            urls = self.store.pages.urls(numbers)
            yield from ((urls[number], self.store.pages.text(number)[0]) for number in numbers)

    def advice(self, number: int) -> dict[str, Any] | None:
        """What the owner of a page may want to fix, from the stored HTML; None if that was not kept."""
        from minisearch.crawl.probe import inspect_stored

        with self.store.reading():
            html = self.store.inspect.html(number)
            return inspect_stored(html, self.store.inspect.facts(number)) if html else None

    def shape(self) -> dict[str, Any]:
        """The crawl in numbers to be drawn: statuses, types, rules, the distribution of links, the bow tie."""
        from minisearch.rank.job import link_graph, link_statistics

        with self.store.reading():
            graph, _ = link_graph(self.store)
            rules: dict[str, int] = {}
            for state, rule, count in self.store.urls.counts():
                name = f"{state}: {rule}" if state in ("skipped", "failed") and rule else state
                rules[name] = rules.get(name, 0) + count
            return {
                "statuses": {str(status): count for status, count in self.store.inspect.statuses()},
                "types": dict(self.store.inspect.types()),
                "fates": dict(sorted(rules.items(), key=lambda item: -item[1])),
                **link_statistics(graph),
            }

    def link_graph(self) -> LinkData:
        """The pages, the links between them, and their scores by every ranking."""
        ranks = self.store.rankings
        with self.store.reading():
            rankings = [ranking for name in ranks.names() if (ranking := ranks.get(name)) is not None]
            scores = {ranking.name: ranking.vector for ranking in rankings}
            return LinkData(self.store.pages.nodes(), ranks.page_urls(), ranks.link_ends(), scores)

    def rank_options(self, ranking: str = "pagerank") -> dict[str, Any]:
        """The options with which a ranking was computed; nothing if it was not."""
        with self.store.reading():
            found = self.store.rankings.get(ranking)
            return found.parameters if found is not None else {}

    def sql(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a read-only SQL statement."""
        return self.store.sql(statement)

    def stats(self) -> dict[str, Any]:
        """The file in numbers; of several files, those that can be added up."""
        from minisearch.search import inspect
        from minisearch.store.shards import Shards

        if isinstance(self.store, Shards):
            return self.store.numbers()
        with self.store.reading():
            urls: dict[str, int] = {}
            rules: dict[str, dict[str, int]] = {"skipped": {}, "failed": {}}
            for state, rule, count in self.store.urls.counts():
                urls[state] = urls.get(state, 0) + count
                if state in rules:
                    rules[state][rule] = count
            ranking = self.store.rankings.get("pagerank")
            known = None
            if ranking is not None:
                known = {**ranking.parameters, "rounds": ranking.rounds, "residual": ranking.residual}
            counts = self.store.pages.counts()
            terms = self.store.postings.count_terms()
            more = inspect.numbers(self.store, terms, counts["links"])
            return {**counts, "terms": terms, "urls": urls, **rules, "pagerank": known, **more}

    @staticmethod
    def normalize(url: str, base: str = "") -> str:
        """The normalized form of a URL found on the page `base`; BadUrl if it is none."""
        return normalize(url, base)


def _do_nothing() -> None:
    """Called after each batch of a crawl that is not indexed."""
