"""A crawl that is run again: what becomes of a page that has changed, or is gone, and when all of it is refused."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from minisearch.crawl.crawler import default_max_requests
from minisearch.crawl.job import CrawlJob, redirect_detail
from minisearch.crawl.options import CrawlOptions, restored
from minisearch.crawl.schedule import in_order
from minisearch.crawl.verdicts import describe
from minisearch.errors import BadInput, NotFound
from minisearch.limits import check_number
from minisearch.models import Detail, Failed, Page, Queued, Redirect, Skipped, Unchanged, Visit
from minisearch.store.database import Store, now
from minisearch.store.revisits import Visited
from minisearch.urls import normalize, origin

FOR_NOW = (
    "robots-unreachable",
    "host-failures",
    "address",
    "http-408",
    "http-425",
    "http-429",
)  # say nothing about a page
LASTING = {each.name for each in fields(CrawlOptions)} - {"workers", "warc", "max_requests"}  # taken from the last run
MOST_LOST = 1 / 3  # share of its pages that a site, or all of them, may lose at one go without being asked
LEAST = 10  # pages of a site that is looked at on its own; few are soon a third


class Loss(NamedTuple):
    """What becomes of a page that is gone."""

    state: str
    rule: str
    detail: Detail
    target: int | None = None


@dataclass
class RecrawlSummary:
    """What became of the pages that were visited again."""

    unchanged: int = 0  # as the server said, or as the words of the page showed
    changed: int = 0
    new: int = 0
    gone: list[tuple[str, str]] = field(default_factory=list)  # (url, why)
    kept: int = 0  # could not be had now, and stay as they were
    pages: int = 0  # before
    refused: list[str] = field(default_factory=list)  # sites that lost so many that they were kept after all
    interrupted: bool = False
    not_visited: int = 0  # when the request limit was reached
    seconds: float = 0.0

    @property
    def shrunk(self) -> bool:
        """Whether more than a third of the pages, of a site or of all, would have left the results."""
        return bool(self.refused)

    @property
    def altered(self) -> bool:
        """Whether the index has to be brought up to date."""
        return bool(self.changed or self.new or self.gone)

    @property
    def visited(self) -> int:
        """How many urls were asked for again."""
        return self.unchanged + self.changed + len(self.gone) + self.kept


class Shrinking:
    """Counts the pages that would leave the results, and those that are new, site by site."""

    def __init__(self, pages: Mapping[str, int]) -> None:
        self._pages = pages  # of each site, before
        self._visited: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._new: dict[str, str] = {}  # url -> its site
        self._sent_to: dict[str, str] = {}  # where redirects led -> the site of the first of them

    def visit(self, visit: Visit, *, known: bool) -> None:
        """A url has been visited; a `known` one had a page until now."""
        queued, outcome = visit.queued, visit.outcome
        if known:
            self._visited[queued.host] += 1
        elif isinstance(outcome, Page):
            self._new[queued.url] = queued.host
        if isinstance(outcome, Redirect):
            self._sent_to.setdefault(outcome.target, self._sent_to.get(queued.url, queued.host))

    def lose(self, queued: Queued) -> None:
        """A page would leave the results."""
        self._lost[queued.host] += 1

    def new(self, sites: Container[str]) -> int:
        """How many pages of these sites are new."""
        return sum(site in sites for site in self._new.values())

    def sites(self) -> set[str]:
        """Those that would lose too much: they alone, or all of them, if it is too much in sum all the same."""
        return self._shrinking(self._pages)

    def in_doubt(self) -> bool:
        """Whether there would be any, if it went on like this."""
        return bool(self._shrinking(self._visited))

    def _shrinking(self, pages: Mapping[str, int]) -> set[str]:
        gained = Counter(self._sent_to.get(url, site) for url, site in self._new.items())  # moved, and not lost
        lost = {site: self._lost[site] - gained[site] for site in {*self._lost, *gained}}
        large = (site for site in lost if pages.get(site, 0) >= LEAST)
        refused = {site for site in large if lost[site] > MOST_LOST * pages[site]}
        left = sum(count for site, count in lost.items() if site not in refused)
        return {*pages, *lost, *self._new.values()} if left > MOST_LOST * sum(pages.values()) else refused


class RecrawlJob(CrawlJob):
    """One crawl, run again. What is gone is written down at the very end, when it is known how much that is.

    So is what would leave the results though it is there: a server that has lost its pages may answer every url with
    one and the same page, asking to log in or to come back later. If too much of a site would leave, that is
    refused: all of it is put back as it was, what had changed and what was new too, for it may be that page once more.
    """

    _stage = "recrawl"

    def __init__(
        self,
        store: Store,
        seeds: Sequence[str],
        options: CrawlOptions,
        plan: Sequence[Visited],
        *,
        budget: int | None = None,
        alone: bool = False,
        accept_shrink: bool = False,
        **how: Any,
    ) -> None:
        super().__init__(store, seeds, options, **how)
        self._plan = [known.queued for known in plan]
        self._revisits = {
            known.queued.id: ("", "", "") if alone else (known.etag, known.last_modified, known.noindex)
            for known in plan
        }
        self._not_visited = set(self._revisits)
        self._waiting: dict[str, deque[Queued]] = {}
        for queued in self._plan:
            self._waiting.setdefault(queued.host, deque()).append(queued)
        self._had_page = {known.queued.id: known.fetched_at for known in plan if known.page is not None}
        self._alone, self._accept_shrink, self._budget = alone, accept_shrink or alone, budget
        self._lost: list[tuple[Queued, Loss]] = []
        self._leaving: list[tuple[Visit, Detail]] = []  # pages that are there and would leave the results all the same
        self._said: dict[str, Queued] = {}  # what pages say now: the hash of it, and the first url that said so
        self._echoed: set[int] = set()  # those of them that are not the only ones
        self._set_aside: dict[int, Queued] = {}  # urls of which what was known before is kept until the end
        self._was_indexed = False  # in the midst of it
        self.planned = len(plan)
        self.found = RecrawlSummary()
        self._index, self._each_batch = self._each_batch, self._index_unless_in_doubt
        self._shrinking = Shrinking({})

    def _begin(self) -> None:
        self._store.revisits.let_go()
        super()._begin()
        self.found.pages = self.fetched_before
        self._shrinking = Shrinking(self._store.revisits.pages_by_host(self.crawl_id))

    def _hosts(self) -> list[str]:
        return [*(queued.host for queued in self._plan), *super()._hosts()]

    def _max_pages(self) -> int:
        if self._alone:
            return len(self._plan)
        return self._budget or len(self._plan) + max(0, super()._max_pages())

    def _default_max_requests(self) -> int:
        return default_max_requests(self._max_pages())

    def _upcoming(self, name: str, limit: int) -> list[Queued]:
        """First what we know, then what was found on the way."""
        waiting = self._waiting.get(name)
        if waiting:
            return [waiting.popleft() for _ in range(min(limit, len(waiting)))]
        return [] if self._alone else super()._upcoming(name, limit)

    def _save(self, visit: Visit) -> set[str]:
        number, outcome = visit.queued.id, visit.outcome
        self._not_visited.discard(number)
        self._shrinking.visit(visit, known=number in self._had_page)
        if number not in self._had_page:
            self._put_aside(visit.queued)
            self.found.new += isinstance(outcome, Page)
            return super()._save(visit)
        revisits, urls = self._store.revisits, self._store.urls
        if isinstance(outcome, Unchanged):
            revisits.check(number, now())
            self.found.unchanged += 1
        elif isinstance(outcome, Page):
            return self._renew(visit, outcome)
        elif isinstance(outcome, Redirect):
            woken = self._discover(visit)
            target = urls.ids([outcome.target])[outcome.target]
            self._lose(visit.queued, Loss("merged", "redirect", redirect_detail(outcome), target))
            return woken
        elif _is_final(outcome):
            state = "skipped" if isinstance(outcome, Skipped) else "failed"
            self._lose(visit.queued, Loss(state, outcome.rule, outcome.detail))
        else:
            self._stay(visit.queued, {"rule": outcome.rule, **outcome.detail})
        return set()

    def _renew(self, visit: Visit, page: Page) -> set[str]:
        """A page was transferred again: it is indexed again only if its words are others."""
        same = self._is_same(visit)
        cause = self._why_leaving(visit.queued, page, same=same)
        if cause and not self._accept_shrink:
            # Until the end nothing is held that is not needed, or that others say as well.
            page = replace(page, text="" if page.noindex else sys.intern(page.text))
            self._leaving.append((Visit(visit.queued, page), cause))
            self._shrinking.lose(visit.queued)
            return self._discover(visit)
        return self._take(visit, same=same)

    def _is_same(self, visit: Visit) -> bool:
        return isinstance(visit.outcome, Page) and self._store.revisits.says_the_same(visit.queued.id, visit.outcome)

    def _take(self, visit: Visit, *, same: bool) -> set[str]:
        """Let a page take the place of what we have of it."""
        number, revisits = visit.queued.id, self._store.revisits
        place = revisits.place(number)
        if not same:
            self._put_aside(visit.queued)
        woken = super()._save(visit)
        if same:
            revisits.put_back(number, place, now())
        self.found.unchanged += same
        self.found.changed += not same
        return woken

    def _lose(self, queued: Queued, loss: Loss) -> None:
        """A page is gone."""
        self._lost.append((queued, loss))
        self._shrinking.lose(queued)

    def _put_aside(self, queued: Queued) -> None:
        """Keep what is known of a url until it is known whether the run is refused."""
        if not self._accept_shrink and queued.id not in self._set_aside:
            self._store.revisits.set_aside(queued.id)
            self._set_aside[queued.id] = queued

    def _why_leaving(self, queued: Queued, page: Page, *, same: bool) -> Detail:
        """Why a page that was among the results would no longer be: a rule and its details; nothing if it stays."""
        first = self._said.setdefault(page.content_hash, queued)
        if not self._store.revisits.stands_for_itself(queued.id):
            return {}
        if self._store.revisits.yields_to(queued.id, page.canonical):
            return {"rule": "canonical", "page": page.canonical}
        if page.noindex:
            return {"rule": "noindex", "directive": page.noindex}
        if first.id == queued.id:
            return {}
        self._echoed.add(first.id)
        return {} if same else {"rule": "identical", "page": first.url}

    def _stay(self, queued: Queued, cause: Detail, *, refused: bool = False) -> None:
        """Keep a page as it was; `refused`: because too much of its site would leave."""
        detail: Detail = {"fetched": self._had_page[queued.id][:10], "visited": now()[:10], "cause": cause}
        self._store.revisits.keep(queued.id, detail | ({"refused": True} if refused else {}))
        self.found.kept += 1

    def _index_unless_in_doubt(self) -> None:
        """Make what was fetched searchable, unless something will be refused if it goes on like this."""
        if self._accept_shrink or not self._shrinking.in_doubt():
            self._was_indexed = True
            self._index()

    def _finish(self) -> None:
        refused = set() if self._accept_shrink else self._shrinking.sites()
        self.found.refused = sorted(refused)
        with self._store.transaction():
            for queued, loss in self._lost:
                if queued.host in refused:
                    self._stay(queued, {"rule": loss.rule, **loss.detail}, refused=True)
                else:
                    detail = loss.detail if loss.state == "merged" else {**loss.detail, "was_page": True}
                    self._store.revisits.remove(queued.id)
                    self._store.urls.set_status(queued.id, loss.state, loss.rule, detail, loss.target)
                    self.found.gone.append((queued.url, describe(loss.state, loss.rule, loss.detail)))
            for visit, cause in self._leaving:
                if visit.queued.host in refused:
                    self._stay(visit.queued, cause, refused=True)
                else:
                    self._take(visit, same=self._is_same(visit))
            self._bring_back(refused)
            self._store.revisits.let_go()
        super()._finish()
        self.found.interrupted, self.found.seconds = self._interrupted, self.elapsed()
        if self._limit_reached == "requests":
            self.found.not_visited = len(self._not_visited)

    def _bring_back(self, refused: set[str]) -> None:
        """Let all of these sites be as it was before the run."""
        numbers = [number for number, queued in self._set_aside.items() if queued.host in refused]
        self._store.revisits.bring_back(numbers, in_place=not self._was_indexed)
        self.found.new -= self._shrinking.new(refused)
        for number in numbers:
            if number in self._had_page:
                cause = {"rule": "identical", "problem": "others"} if number in self._echoed else {"rule": "changed"}
                self.found.changed -= 1
                self._stay(self._set_aside[number], cause, refused=True)


def _is_final(outcome: Skipped | Failed) -> bool:
    """Whether a page is gone, and not just out of reach for now."""
    if outcome.rule in FOR_NOW:
        return False
    return isinstance(outcome, Skipped) or outcome.rule.startswith("http-4")


def recrawl(
    store: Store,
    seeds: Sequence[str],
    *,
    only: Sequence[str] = (),
    budget: int | None = None,
    accept_shrink: bool = False,
    **chosen: Any,
) -> Iterator[RecrawlJob]:
    """The crawls of the file (the one with these `seeds`, or all), each to be iterated for its visits.

    `budget` is the number of pages to ask for in all; with `only`, just these urls are asked for, changed or not; with
    `accept_shrink` more than a third of the pages may be dropped. The other options are those of Crawling, and those
    of CrawlOptions that are to be others than the last time.
    """
    if budget is not None:
        check_number("the budget", budget, 1)
    how = {name: chosen.pop(name) for name in ("stop", "visitor", "resolve", "each_batch", "headers") if name in chosen}
    seeds = [normalize(seed) for seed in seeds]
    known = [_find(store, normalize(url)) for url in only] or in_order(store.revisits.known(), datetime.now(UTC))
    crawls = [crawl for crawl in store.revisits.crawls() if not seeds or set(seeds) == set(crawl[1])]
    if not crawls:
        named = " ".join(seeds)
        raise NotFound(
            f"there is no crawl of {named} in the file" if seeds else "nothing was crawled into the file yet"
        )
    allowed = {number for number, *_ in crawls}
    known = [each for each in known if each.crawl in allowed][:budget]
    if how.get("headers"):
        _check_recipients(
            [starts for number, starts, _ in crawls if not only or number in {each.crawl for each in known}]
        )
    for number, starts, settings in crawls:
        plan = [each for each in known if each.crawl == number]
        if plan or not only:
            options = CrawlOptions(**restored({**store.revisits.last_run(starts), **settings}, LASTING) | chosen)
            yield RecrawlJob(
                store,
                starts,
                options,
                plan,
                budget=budget,
                alone=bool(only),
                accept_shrink=accept_shrink,
                **how,
            )


def _check_recipients(crawls: Sequence[Sequence[str]]) -> None:
    """Raise BadInput if headers for one site would be sent to the seeds of another crawl as well."""
    recipients = {frozenset(origin(seed) for seed in seeds) for seeds in crawls}
    if len(recipients) > 1:
        raise BadInput("the file holds crawls of several sites: name the seed URLs of the one that gets the headers")


def _find(store: Store, url: str) -> Visited:
    known = store.revisits.named(url)
    if known is None:
        raise NotFound(f"{url} is not in the file: to start there, run minisearch crawl {url}")
    return known


def run(crawls: Iterable[RecrawlJob], *, watch: Callable[[RecrawlJob], object] | None = None) -> RecrawlSummary:
    """Run these crawls to their end, and add up their summaries; `watch` iterates one."""
    total = RecrawlSummary()
    for crawl in crawls:
        if watch is not None:
            watch(crawl)
        else:
            for _ in crawl:
                pass
        for each in fields(total):
            setattr(total, each.name, getattr(total, each.name) + getattr(crawl.found, each.name))
    total.interrupted = bool(total.interrupted)
    return total
