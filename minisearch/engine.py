"""The engine: who calls whom. It wires the stages together and is the only writer of the store."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from minisearch.errors import BadInput, NotFound, NotReady
from minisearch.looking import Looking
from minisearch.records import CrawlSummary, Explanation, Hit, Results
from minisearch.search import rankers
from minisearch.search.params import DEFAULT
from minisearch.search.searcher import Searcher
from minisearch.shards.search import shard_paths
from minisearch.store.store import Store

if TYPE_CHECKING:
    from minisearch.index.indexer import RunAll
    from minisearch.rank.scores import Scores
    from minisearch.search.compare import Comparison
    from minisearch.shards.executors import OpenExecutor
    from minisearch.wiring.crawling import Crawling
    from minisearch.wiring.importing import Importing
    from minisearch.wiring.ranking import Measures
    from minisearch.wiring.revisiting import Recrawling, RecrawlSummary


Readers: TypeAlias = "int | OpenExecutor"  # of the files of a pattern: so many processes, or shards/executors.py


class Engine(Looking):
    """A search engine in one file, or in memory when no file is named; a pattern means several, to be searched as one.

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
        self._searcher = self._shards = None
        if shards:
            from minisearch.shards.executors import executor
            from minisearch.shards.search import Shards

            self._shards = Shards(shards, executor(readers))
        else:
            self._searcher = Searcher(Store(path, create=create, read_only=read_only))

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Done with the file."""
        if self._shards is not None:
            self._shards.close()
        else:
            self.store.close()

    # -- crawl, index, rank ------------------------------------------------------------------

    def crawl(self, *seeds: str, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Crawl from `seeds`, or go on with a crawl of these seeds; then index and rank what was found.

        Options are those of `minisearch.wiring.choices.CrawlOptions`, and those of `crawling`.
        """
        return self._to_its_end(self.crawling(*seeds, index=index, **options), index, rank)

    def _to_its_end(self, work: Crawling | Importing, index: bool, rank: bool) -> CrawlSummary:
        for _ in work:
            pass
        if index:
            self.index(compact=True)
        if rank:
            self.rank()
        return work.summary()

    def crawling(self, *seeds: str, index: bool = True, **options: Any) -> Crawling:
        """The crawl behind `crawl`, to be iterated: gives each visit when it is safely in the file.

        `stop`, a function, ends the crawl cleanly once it returns true; `visitor` does the fetching in this process.
        `headers`, a mapping, is sent to the origins of the seeds only, and is never stored.
        """
        from minisearch.wiring.choices import CrawlOptions, with_limits
        from minisearch.wiring.crawling import Crawling

        if options.pop("public_only", False):  # whoever asks may not see what is inside, wherever the seeds are
            from minisearch.fetch.guard import public_addresses

            options["resolve"] = public_addresses
        extras = {name: options.pop(name) for name in ("stop", "visitor", "resolve", "headers") if name in options}
        for name in {"include", "exclude", "sitemaps"}.intersection(options):
            options[name] = (options[name],) if isinstance(options[name], str) else tuple(options[name])
        options = with_limits(options | {"warc": str(options.get("warc", ""))})
        each_batch = self._index_waiting if index else _do_nothing
        return Crawling(self.store, seeds, CrawlOptions(**options), each_batch=each_batch, **extras)

    def recrawl(self, *seeds: str, **options: Any) -> RecrawlSummary:
        """Visit pages again, index what has changed and drop what is gone. Options are those of `recrawling`."""
        from minisearch.wiring.recrawling import run

        stages = (lambda: self.index(compact=True), self.rank)
        return run(self.recrawling(*seeds, **options), then=stages, waiting=self.store.pages.unindexed)

    def recrawling(self, *seeds: str, **options: Any) -> Iterator[Recrawling]:
        """The crawls behind `recrawl`, one after the other; see `minisearch.wiring.recrawling.recrawl`."""
        from minisearch.wiring.recrawling import recrawl

        return recrawl(self.store, seeds, each_batch=self._index_waiting, **options)

    def import_(self, path: str | Path, *, index: bool = True, rank: bool = True, **options: Any) -> CrawlSummary:
        """Import a WARC file, a folder of HTML or a mirror made by wget, as if it had been crawled."""
        return self._to_its_end(self.importing(path, index=index, **options), index, rank)

    def importing(self, source: Any, *, base: str = "", index: bool = True, **options: Any) -> Importing:
        """The work behind `import_`, to be iterated; `source` is a path, or an archive that is open already.

        Options: `base`, the URL of a folder; seeds, parser, keep_html, workers (0 parses in this process), stop.
        """
        from minisearch.wiring.importing import Importing, open_archive

        archive = open_archive(source, base) if isinstance(source, str | Path) else source
        each_batch = self._index_waiting if index else _do_nothing
        return Importing(self.store, archive, each_batch=each_batch, **options)

    def index(
        self, each: RunAll | None = None, *, compact: bool = False, rebuild: bool = False, again: bool = False
    ) -> int:
        """Index all pages that are new or changed; gives how many there were. `each` runs the work on a cluster.

        `compact`, when a crawl is over, rebuilds small and stale segments as well (index/segments.py); `rebuild`, or
        `again`, its former name, indexes all pages again.
        """
        from minisearch.index.indexer import index_all

        rebuild = rebuild or again
        with self._stage("index", {"rebuild": True} if rebuild else {}) as counts:
            counts["pages"] = index_all(self.store, each, compact=compact, rebuild=rebuild)
        return counts["pages"]

    def indexing(self, each: RunAll | None = None) -> Iterator[int]:
        """Index the pages that are new or changed, but no anchor texts; gives how many pages each segment has."""
        from minisearch.index.indexer import index_pages

        return index_pages(self.store, each)

    def _index_waiting(self) -> None:
        """Make searchable what a running crawl has fetched so far."""
        for _ in self.indexing():
            pass

    def rank(self, by: Measures | None = None, **options: Any) -> Scores:
        """Rank the pages by their links. Options: those of `wiring.ranking.Wish`; `by` computes it, if not we."""
        from minisearch.wiring.ranking import rank

        with self._stage("rank", options) as counts:
            scores = rank(self.store, by, **options)
            counts.update(pages=len(scores.values), rounds=scores.rounds)
        return scores

    @contextmanager
    def _stage(self, stage: str, settings: dict[str, Any]) -> Iterator[dict[str, int]]:
        """A stage as one writer: noted when it begins, and with its counts when it is done."""
        counts: dict[str, int] = {}
        run = self.store.start_run(stage, settings)
        try:
            yield counts
            self.store.finish_run(run, counts)
        except BadInput:
            self.store.forget_run(run)  # it was refused, so it never began
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
        """The `page`-th group of `limit` hits. Near-identical pages are one hit, unless `fold` is false.

        `settings` are numbers of the ranking to be changed for this query (search/params.py), `blend` is one of them;
        a `ranker` is one of search/rankers.py. With `facets`, sites and languages are counted.
        """
        if ranker is not None:
            step = rankers.ranker(ranker)
            if sort not in ("blend", step.sort):
                raise BadInput(f"the ranker {ranker} has an order of its own: leave out sort")
            sort, settings = step.sort, {**step.settings, **(settings or {})}
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

    def ranking(self, settings: Mapping[str, float] | None = None) -> dict[str, float]:
        """The numbers by which pages are ranked; `settings` are changed for good first, {} puts all back."""
        if settings is not None:
            kept = {**self.store.ranks.settings(), **settings} if settings else {}
            DEFAULT.changed(kept)
            with self.store.transaction():
                self.store.ranks.change(kept)
            self.store.unlock()
        return self._run(Searcher.params).settings()

    def lucky(self, query: str) -> Hit | None:
        """The one best hit."""
        hits = self.search(query, limit=1, fold=False).hits
        return hits[0] if hits else None

    def suggest(self, typed: str, *, limit: int = 8) -> list[str]:
        """What a query may become that so far reads `typed`: titles and words of the index."""
        return self._run(Searcher.suggest, typed, limit)

    def explain(
        self, query: str, url: str, *, blend: float | None = None, settings: Mapping[str, float] | None = None
    ) -> Explanation:
        """The account of the score that `url` has for `query`."""
        changed = {**(settings or {}), **({} if blend is None else {"blend": blend})}
        found = self._run(Searcher.explain, query, self.normalize(url), changed)
        if found is None:
            raise NotFound(f"{url} is not in the index: minisearch why {url} tells more")
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
        """Why `url` is above or below `other` for `query`, and what would turn it."""
        from minisearch.search import compare

        first, second = (self.explain(query, each, blend=blend, settings=settings) for each in (url, other))
        if first.url == second.url:
            raise BadInput(f"{url} and {other} are the same page")
        known = self._run(Searcher.titles, query, (first.url, second.url), settings or {})
        return compare.compare(first, second, known)


def _do_nothing() -> None:
    """What is done between two batches of a crawl that is not to be indexed."""
