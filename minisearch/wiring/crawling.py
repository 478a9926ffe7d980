"""A crawl and its file: what is fetched is written down, and what was written down is gone on with."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field

from minisearch.crawl.crawler import Crawl
from minisearch.crawl.fetch import USER_AGENT, Limits, check_agent
from minisearch.crawl.frontier import Frontier
from minisearch.crawl.pool import Inline, Pool, Processes
from minisearch.crawl.scope import Rules
from minisearch.crawl.twins import follow, merge
from minisearch.crawl.urls import host, normalize
from minisearch.crawl.visit import PARSERS, Visitor
from minisearch.errors import BadInput
from minisearch.records import CrawlSummary, Failed, Found, Moved, Page, Skipped, Visit
from minisearch.store.journal import ORDERS
from minisearch.store.store import Store

BATCH = 64  # visits that share a transaction at the most
INDEX_FIRST = 25  # pages after which what was fetched becomes searchable, while the crawl goes on
INDEX_EVERY = 1000  # and, in ever longer steps, how many pages later at the most it does so again


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl. What is not said here is decided by the rules of good manners."""

    max_pages: int = 1000
    max_depth: int = 20
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    order: str = "breadth"
    delay: float | None = None  # seconds between two requests to one host; None: 1 s, and none for this machine
    workers: int | None = None  # processes; None: one for each core; 0: none, all is done in this one
    user_agent: str = USER_AGENT
    parser: str = "fast"
    keep_html: bool = True
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_agent(self.user_agent)
        if self.max_pages < 1:
            raise BadInput(f"the page limit must be 1 or more, not {self.max_pages}")
        if self.order not in ORDERS:
            raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {self.order!r}")
        if self.parser not in PARSERS:
            raise BadInput(f"parser must be one of {', '.join(PARSERS)}, not {self.parser!r}")
        if self.delay is not None and self.delay < 0:
            raise BadInput(f"the delay must be 0 seconds or more, not {self.delay:g}")
        if self.workers is not None and self.workers < 0:
            raise BadInput(f"the number of workers must be 0 or more, not {self.workers}")


class Crawling:
    """One run of a crawl. Iterating it crawls, and gives each visit when it is written down.

    Visits share transactions, a few dozen at most, and the last ones are made to last whenever there is a pause.
    """

    def __init__(
        self,
        store: Store,
        seeds: Sequence[str],
        options: CrawlOptions,
        *,
        stop: Callable[[], bool] = lambda: False,
        each_batch: Callable[[], object] = lambda: None,
        visitor: Visitor | None = None,
    ) -> None:
        if not seeds:
            raise BadInput("name at least one url to start from")
        self._store = store
        self._options = options
        self._stop = stop
        self._each_batch = each_batch  # makes what was fetched searchable
        self._visitor = visitor
        self._seeds = [normalize(seed) for seed in seeds]
        self._began = time.monotonic()
        self._interrupted = False
        self.crawl_id = self._begin()
        self.fetched_before = store.pages.count(self.crawl_id)

    def _begin(self) -> int:
        """Note the seeds, or find them again; rules that have changed since are applied to what was met before."""
        options, journal = self._options, self._store.journal
        roots = (*self._seeds, *journal.redirect_targets(self._seeds))
        self._rules = Rules(roots, options.scope, options.include, options.exclude, options.max_depth)
        with self._store.transaction():
            kept = {name: asdict(options)[name] for name in ("scope", "include", "exclude", "max_depth")}
            crawl, changed = journal.begin(self._seeds, kept)
            seeds = [Found(seed, host(seed), 0) for seed in self._seeds]
            journal.meet(crawl, None, seeds, max_depth=options.max_depth)
            journal.try_again(crawl, self._seeds)
            if changed:
                journal.reconsider(crawl, self._rules.judge)
            if options.order == "best":
                journal.count_inlinks(crawl)
        return crawl

    def __iter__(self) -> Iterator[Visit]:
        try:
            yield from self._visits()
        finally:
            self._store.unlock()

    def _visits(self) -> Iterator[Visit]:
        options, journal = self._options, self._store.journal
        workers = options.workers if options.workers is not None else os.cpu_count() or 1
        frontier = Frontier(
            lambda name, limit: journal.next(self.crawl_id, name, options.order, limit),
            order=options.order,
            delay=options.delay,
            parallel=max(1, workers) * 2,
        )
        frontier.wake(journal.waiting_hosts(self.crawl_id))
        crawl = Crawl(
            frontier,
            self._pool(workers),
            self._rules,
            max_pages=options.max_pages - self.fetched_before,
            max_redirects=options.limits.redirects,
            stop=self._stop,
        )
        run = self._store.start_run("crawl", {"seeds": self._seeds, **asdict(options)})
        batch = pages = 0
        index_at = INDEX_FIRST
        with ExitStack() as transaction:
            for visit in crawl:
                if visit is None or batch == BATCH:  # nothing to do just now, or enough done: make it last
                    transaction.close()
                    batch = 0
                if visit is None:
                    continue
                if not batch:
                    transaction.enter_context(self._store.transaction())
                frontier.wake(self._keep(visit))
                batch += 1
                pages += isinstance(visit.outcome, Page)
                if pages == index_at and isinstance(visit.outcome, Page):
                    transaction.close()
                    batch = 0
                    self._each_batch()
                    index_at += min(index_at, INDEX_EVERY)
                try:
                    yield visit
                except GeneratorExit:  # whoever listened has gone: what was fetched is kept all the same
                    transaction.close()
                    raise
        self._interrupted = crawl.stopped
        self._merge()
        self._store.finish_run(run, {"pages": pages, "waiting": self.waiting()})

    def _pool(self, workers: int) -> Pool:
        options = self._options
        if self._visitor is not None:
            return Inline(self._visitor)
        chosen = {"user_agent": options.user_agent, "parser": options.parser, "limits": options.limits}
        if workers == 0:
            return Inline(Visitor(user_agent=options.user_agent, parser=options.parser, limits=options.limits))
        return Processes(workers, **chosen)

    def _keep(self, visit: Visit) -> set[str]:
        """Write a visit down: the page, its links, the urls it led to and what became of its own."""
        journal, options = self._store.journal, self._options
        number, outcome = visit.queued.id, visit.outcome
        counted = options.order == "best"
        woken = journal.meet(self.crawl_id, number, visit.found, max_depth=options.max_depth, count=counted)
        if isinstance(outcome, Page):
            ids = journal.ids({link.url for link in outcome.links})
            self._store.pages.save(number, outcome, ids, keep_html=options.keep_html)
            if outcome.noindex:
                said = f"fetched, but not indexed: the page asks for it ({outcome.noindex})"
                journal.settle(number, "fetched", "noindex", said)
            else:
                journal.settle(number, "fetched")
        elif isinstance(outcome, Moved):
            target = journal.ids([outcome.target])[outcome.target]
            said = f"redirects ({outcome.status}) to {outcome.target}"
            journal.settle(number, "merged", "redirect", said, target)
        elif isinstance(outcome, Skipped):
            journal.settle(number, "skipped", outcome.rule, outcome.reason)
        elif isinstance(outcome, Failed):
            journal.settle(number, "failed", outcome.rule, outcome.reason)
        return woken | journal.catch_up(number, visit.queued.depth, max_depth=options.max_depth)

    def _merge(self) -> None:
        """Decide which pages are one, from all that is known by now."""
        journal, pages = self._store.journal, self._store.pages
        twins = pages.twins()
        by_url_id = {twin.url_id: twin for twin in twins}
        moved = journal.moved()
        ends = follow({number: target for number, (_, target) in moved.items()})
        lead_to = {twin.url: twin.id for twin in twins}
        for number, (url, _) in moved.items():
            end = by_url_id.get(ends[number] or 0)
            if end is not None:
                lead_to[url] = end.id
        kept = merge(twins, lead_to)
        by_id = {twin.id: twin for twin in twins}
        with self._store.transaction():
            for twin in twins:
                into, rule = kept.get(twin.id, (None, ""))
                pages.stand_for(twin.url_id, into or twin.id)
                if into != twin.merged_into:
                    pages.merge(twin.id, into)
                    journal.settle(twin.url_id, "fetched")
                if into is not None:  # the rule may have changed even where the page has not
                    first = by_id[into]
                    said = "says it is the same page as" if rule == "canonical" else "says word for word the same as"
                    journal.settle(twin.url_id, "merged", rule, f"{said} {first.url}", first.url_id)
            for number, (url, target) in moved.items():
                if ends[number] is None:
                    journal.settle(number, "failed", "redirect-loop", "redirects in a ring", target)
                page = lead_to.get(url)
                pages.stand_for(number, kept.get(page, (page, ""))[0] if page is not None else None)

    def waiting(self) -> int:
        """How many urls wait for their turn."""
        return self._store.journal.count_waiting(self.crawl_id)

    def elapsed(self) -> float:
        """Seconds since the crawl began."""
        return time.monotonic() - self._began

    def summary(self) -> CrawlSummary:
        """What became of every url of this crawl."""
        states: dict[str, dict[str, int]] = {}
        for state, rule, count in self._store.journal.tally(self.crawl_id):
            states.setdefault(state, {})[rule] = count
        return CrawlSummary(
            fetched=sum(states.get("fetched", {}).values()),
            indexed=self._store.pages.count_indexed(self.crawl_id),
            merged=sum(states.get("merged", {}).values()),
            skipped=states.get("skipped", {}),
            failed=states.get("failed", {}),
            waiting=sum(states.get("queued", {}).values()),
            seconds=self.elapsed(),
            interrupted=self._interrupted,
        )
