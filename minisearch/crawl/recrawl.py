"""Recrawl: visit known pages again, update those that changed, and remove those that are gone.

Servers are sent the ETag and Last-Modified of the stored version, and most respond that it is unchanged. Visits are
staged in tables of their own (store/recrawl.py) and applied in one transaction at the end, so that the old pages stay
searchable until then, and a recrawl that was killed continues where it was. A site that would lose more than a third of
its pages is left as it was: a server that has lost its pages may respond to every URL with the same login page.

The order of requests depends on the rank of a page and on the probability that it has changed: a page that was found
unchanged again and again changes seldom. Changes are taken as random events that happen at some rate (Cho and
Garcia-Molina, "The Evolution of the Web and Implications for an Incremental Crawler", 2000): after `t` days without a
change the rate is about 1 / t.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import exp
from typing import Any

from minisearch.crawl.crawler import default_max_requests
from minisearch.crawl.duplicates import merge_pages
from minisearch.crawl.job import CrawlJob, CrawlOptions, restored
from minisearch.crawl.scope import means
from minisearch.crawl.sitemaps import is_sitemap
from minisearch.crawl.traps import Traps
from minisearch.crawl.verdicts import describe
from minisearch.crawl.visit import status
from minisearch.errors import BadInput, NotFound
from minisearch.limits import check_number
from minisearch.models import Detail, Failed, Found, Page, Queued, Redirect, Skipped, Unchanged, Visit
from minisearch.store.database import Store, now
from minisearch.store.recrawl import FIRST_ID, Staged, Visited
from minisearch.urls import normalize, origin

# These do not describe a page.
TEMPORARY = ("robots-unreachable", "host-failures", "address", "http-408", "http-425", "http-429")
FIRST_GUESS = 1.0  # days after which a page of unknown rate is expected to have changed
DAY = 86_400.0
MAX_LOST = 1 / 3  # share of its pages that a site, or all of them, may lose at once
MIN_PAGES = 10  # of a site that is judged alone: a third of a few pages is soon lost
LASTING = {each.name for each in fields(CrawlOptions)} - {"workers", "warc", "max_requests"}  # taken from the last run


# -- order and refusal -----------------------------------------------------------------------


def likely_change(known: Visited, moment: datetime) -> float:
    """The probability that a page has changed since it was last visited."""
    seen = _time(known.checked_at or known.fetched_at)
    since = min(filter(None, (_time(known.fetched_at), _date(known.last_modified))), default=None)
    if seen is None or since is None:
        return 1.0
    steady = max(0.0, (seen - since).total_seconds() / DAY)
    waited = max(0.0, (moment - seen).total_seconds() / DAY)
    return 1 - exp(-waited / (steady + FIRST_GUESS))


def in_order(known: Iterable[Visited], moment: datetime) -> list[Visited]:
    """Pages by rank x probability of change; after them the URLs that were no pages the last time."""
    return sorted(
        known,
        key=lambda each: (
            each.page is None,
            -each.score * likely_change(each, moment),
            each.queued.depth,
            each.queued.id,
        ),
    )


def _time(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        return None


def _date(written: str) -> datetime | None:
    """The time in a Last-Modified header."""
    try:
        found = parsedate_to_datetime(written)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def shrinking_sites(pages: Mapping[str, int], visits: Iterable[tuple[str, str, str, bool, str]]) -> set[str]:
    """The sites that would lose too many of their `pages`, or all sites if the sum is still too much.

    A site that loses a third of its pages at once is more likely to be out of order, or to block us. `visits` are
    (URL, host, result, whether its page would leave the results, redirect target), in their order.
    """
    lost: Counter[str] = Counter()
    new: dict[str, str] = {}  # URL -> its site
    redirected_from: dict[str, str] = {}  # target of redirects -> the site of the first of them
    for url, host, result, leaves, target in visits:
        lost[host] += leaves
        if result == "new":
            new[url] = host
        if target:
            redirected_from.setdefault(target, redirected_from.get(url, host))
    for url, host in new.items():  # a page that moved is not lost
        lost[redirected_from.get(url, host)] -= 1
    large = (site for site in lost if pages.get(site, 0) >= MIN_PAGES)
    refused = {site for site in large if lost[site] > MAX_LOST * pages[site]}
    others = sum(count for site, count in lost.items() if site not in refused)
    return {*pages, *lost} if others > MAX_LOST * sum(pages.values()) else refused


# -- one crawl, run again --------------------------------------------------------------------


@dataclass
class RecrawlSummary:
    """The pages that were visited again, by result."""

    unchanged: int = 0  # according to the server, or with the same text
    changed: int = 0
    new: int = 0
    gone: list[tuple[str, str]] = field(default_factory=list)  # (URL, why)
    kept: int = 0  # could not be fetched now, and stay as they were
    pages: int = 0  # before
    refused: list[str] = field(default_factory=list)  # sites that would lose too many pages, and were left as they were
    interrupted: bool = False
    not_visited: int = 0  # when the request limit was reached, or it was interrupted
    seconds: float = 0.0

    @property
    def shrunk(self) -> bool:
        """Whether more than a third of the pages, of a site or of all, would have left the results."""
        return bool(self.refused)

    @property
    def altered(self) -> bool:
        """Whether a page has changed, appeared or gone."""
        return bool(self.changed or self.new or self.gone)

    @property
    def visited(self) -> int:
        """How many pages were checked."""
        return self.unchanged + self.changed + len(self.gone) + self.kept


class RecrawlJob(CrawlJob):
    """One crawl, run again. Iterating it stages its visits; `apply` decides what may be dropped, and writes them."""

    _stage = "recrawl"

    def __init__(
        self,
        store: Store,
        seeds: Sequence[str],
        options: CrawlOptions,
        plan: Sequence[Visited],
        *,
        crawl_id: int,
        budget: int | None = None,
        only: Sequence[str] = (),
        accept_shrink: bool = False,
        **how: Any,
    ) -> None:
        super().__init__(store, seeds, options, **how)
        self.crawl_id = crawl_id
        self._plan, self._only, self._budget = list(plan), list(only), budget
        self._accept_shrink = accept_shrink or bool(only)
        self._known_urls = {known.queued.url for known in plan}
        self._due: dict[str, deque[Queued]] = {}  # by host: known URLs that are not visited yet
        self._had_page: set[int] = set()
        self._staged_new = self._staged_pages = 0  # fetched before a kill; they count in the limits
        self.planned = len(self._plan)
        self.found = RecrawlSummary()
        self.is_complete = False  # everything is staged

    # -- fetching ----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Continue with what is staged, or start with the known URLs and those that are queued."""
        staging = self._store.staging
        self._rules = self._rules_for(self._roots())
        with self._store.transaction():
            staging.begin(self.crawl_id, {"only": sorted(self._only), **self._options.policy()})
            staging.remove_urls(self.crawl_id, self._known_urls)
        visited = staging.visited(self.crawl_id)
        revisited = sum(result not in ("", "new") for result in visited.values())
        self._staged_new = sum(result == "new" for result in visited.values())
        self._staged_pages = revisited + self._staged_new
        plan = [known for known in self._plan if known.queued.url not in visited]
        self._plan = plan if self._budget is None else plan[: max(0, len(self._plan) - revisited)]
        for known in self._plan:
            self._due.setdefault(known.queued.host, deque()).append(known.queued)
        self._had_page = {known.queued.id for known in self._plan if known.page is not None}
        self._revisits = {
            known.queued.id: ("", "", "") if self._only else (known.etag, known.last_modified, known.noindex)
            for known in self._plan
        }
        self.fetched_before = self.found.pages = self._store.pages.count(self.crawl_id)

    def _roots(self) -> tuple[str, ...]:
        """The seeds, and where they were redirected to, now or before."""
        roots = list(super()._roots())
        targets = {url: target for url, *_, target in self._store.staging.losses(self.crawl_id) if target}
        for root in roots:
            target = targets.get(root, root)
            if target not in roots and all(means(seed, target) for seed in self._seeds):
                roots.append(target)
        return tuple(roots)

    def _max_pages(self) -> int:
        if self._only:
            return len(self._plan)
        if self._budget is not None:
            return max(0, self._budget - self._staged_pages)
        return len(self._plan) + max(0, super()._max_pages() - self._staged_new)

    def _default_max_requests(self) -> int:
        return default_max_requests(self._max_pages())

    def _restored_traps(self) -> Traps:
        traps = super()._restored_traps()
        for url, host, result, *_ in self._store.staging.losses(self.crawl_id):
            if result == "new":
                traps.restore(url, host)
        return traps

    def _hosts(self) -> list[str]:
        return [*self._due, *self._store.staging.hosts(self.crawl_id)]

    def _upcoming(self, name: str, limit: int) -> list[Queued]:
        """The known URLs of a host first, then those that were discovered or queued."""
        due = self._due.get(name)
        if due:
            return [due.popleft() for _ in range(min(limit, len(due)))]
        return [] if self._only else self._store.staging.next(self.crawl_id, name, self._options.order, limit)

    def _path(self, number: int) -> Sequence[str]:
        if number < FIRST_ID:
            return super()._path(number)
        path = self._store.staging.path(self.crawl_id, number)
        first = self._store.revisits.named(path[0]) if path else None
        return (*super()._path(first.queued.id), *path) if first else path

    def waiting(self) -> int:
        """How many URLs are not visited yet."""
        return sum(map(len, self._due.values())) + self._store.staging.count(self.crawl_id)

    def _save(self, visit: Visit) -> set[str]:
        """Stage a visit, with what it means for the page that the file holds.

        What another crawl of the file has visited is left to it.
        """
        self._save_robots()
        result, cause = self._compare(visit)
        staging, queued = self._store.staging, visit.queued
        others = staging.visited_by_others(self.crawl_id, (each.url for each in visit.found))
        visit = replace(visit, found=tuple(each for each in visit.found if each.url not in others))
        staging.add(self.crawl_id, Staged(visit, result, cause, now()))
        found = [each for each in visit.found if each.url not in self._known_urls]
        return staging.discover(self.crawl_id, queued.url, found, self._turns.take)

    def _reconsider(self) -> set[str]:
        return self._store.staging.reconsider(self.crawl_id, self._rules.judge)

    def _compare(self, visit: Visit) -> tuple[str, Detail]:
        """(result, cause) as `staged_visits` has them: what became of a page, and why it would leave the results."""
        queued, outcome = visit.queued, visit.outcome
        if queued.id not in self._had_page:
            return "new" if isinstance(outcome, Page) and not is_sitemap(queued) else "", {}
        if isinstance(outcome, Unchanged):
            return "unchanged", {}
        if isinstance(outcome, Page):
            same = self._store.revisits.has_same_content(queued.id, outcome)
            return "same" if same else "changed", self._why_leaving(queued, outcome, same=same)
        _, rule, detail = status(outcome)
        return "gone" if isinstance(outcome, Redirect) or _is_final(outcome) else "kept", {"rule": rule, **detail}

    def _why_leaving(self, queued: Queued, page: Page, *, same: bool) -> Detail:
        """Why a page that is in the results would leave them: a rule and its details; nothing if it stays."""
        if not self._store.revisits.is_in_results(queued.id):
            return {}
        if self._store.revisits.has_new_canonical(queued.id, page.canonical):
            return {"rule": "canonical", "page": page.canonical}
        if page.noindex:
            return {"rule": "noindex", "directive": page.noindex}
        first = self._store.staging.first_with(self.crawl_id, page.content_hash, other_than=queued.url)
        return {"rule": "identical", "page": first} if first and not same else {}

    def _finish(self) -> None:
        self.is_complete = True
        self.found.interrupted, self.found.seconds = self._interrupted, self.elapsed()
        if self._limit_reached == "requests" or self._interrupted:
            visited = self._store.staging.visited(self.crawl_id)
            self.found.not_visited = sum(known.queued.url not in visited for known in self._plan)

    # -- applying ----------------------------------------------------------------------------

    def apply(self) -> None:
        """Write all staged visits, but those of sites that would lose too much; inside a transaction."""
        store = self._store
        pages = store.revisits.pages_by_host(self.crawl_id)
        refused = set() if self._accept_shrink else shrinking_sites(pages, store.staging.losses(self.crawl_id))
        self.found.refused = sorted(refused)
        is_wider = self._roots() != super()._roots()  # a seed was redirected
        self._start()
        for staged in store.staging.visits(self.crawl_id):
            if staged.visit.queued.host in refused:
                self._keep_old(staged)
            else:
                self._apply(staged)
        if is_wider:
            store.urls.reevaluate(self.crawl_id, self._rules.judge)
        merge_pages(store, self._new_redirects)
        store.staging.discard(self.crawl_id)

    def _apply(self, staged: Staged) -> None:
        result, found = staged.result, self.found
        visit = replace(staged.visit, queued=self._stored(staged.visit.queued))
        if result == "unchanged":
            self._store.revisits.check(visit.queued.id, staged.visited_at)
            found.unchanged += 1
        elif result == "same":
            place = self._store.revisits.index_state(visit.queued.id)
            super()._save(visit)
            self._store.revisits.restore_index_state(visit.queued.id, place, staged.visited_at)
            found.unchanged += 1
        elif result == "kept":
            self._stay(staged, staged.cause)
        elif result == "gone":
            self._drop(visit)
        else:
            super()._save(visit)
            found.changed += result == "changed"
            found.new += result == "new"

    def _stored(self, queued: Queued) -> Queued:
        """A staged URL with the id that it has in the file."""
        if queued.id < FIRST_ID:
            self._revisits.setdefault(queued.id, ("", "", ""))  # what it was before is known
            return queued
        urls = self._store.urls
        try:
            number = urls.ids([queued.url])[queued.url]
        except KeyError:  # only pages of sites that are left as they were link to it
            found = Found(queued.url, queued.host, queued.depth, queued.hops)
            urls.discover(self.crawl_id, None, [found], max_depth=self._options.max_depth)
            number = urls.ids([queued.url])[queued.url]
        return replace(queued, id=number)

    def _drop(self, visit: Visit) -> None:
        """A page is gone."""
        number, outcome, urls = visit.queued.id, visit.outcome, self._store.urls
        self._discover(visit)
        self._store.revisits.remove(number)
        state, rule, detail = status(outcome)
        if isinstance(outcome, Redirect):
            urls.set_status(number, state, rule, detail, urls.ids([outcome.target])[outcome.target])
        else:
            urls.set_status(number, state, rule, {**detail, "was_page": True})
        self.found.gone.append((visit.queued.url, describe(state, rule, detail)))

    def _keep_old(self, staged: Staged) -> None:
        """Leave a page of a site that would lose too much as it was."""
        outcome, result, cause = staged.visit.outcome, staged.result, staged.cause
        if result in ("unchanged", "same") and not cause:
            self._store.revisits.check(staged.visit.queued.id, staged.visited_at)
            self.found.unchanged += 1
        elif result == "kept":
            self._stay(staged, cause)
        elif result in ("same", "changed", "gone"):
            if isinstance(outcome, Page) and not cause:
                url, content = staged.visit.queued.url, outcome.content_hash
                is_repeated = self._store.staging.first_with(self.crawl_id, content, other_than=url) is not None
                cause = {"rule": "identical", "problem": "others"} if is_repeated else {"rule": "changed"}
            self._stay(staged, cause, refused=True)

    def _stay(self, staged: Staged, cause: Detail, *, refused: bool = False) -> None:
        """Keep a page as it was; `refused`: because too much of its site would leave."""
        number = staged.visit.queued.id
        fetched_at = self._store.revisits.index_state(number)[2]
        detail: Detail = {"fetched": fetched_at[:10], "visited": staged.visited_at[:10], "cause": cause}
        self._store.revisits.keep(number, detail | ({"refused": True} if refused else {}))
        self.found.kept += 1


def _is_final(outcome: Skipped | Failed) -> bool:
    """Whether a page is gone, and not just out of reach for now."""
    if outcome.rule in TEMPORARY:
        return False
    return isinstance(outcome, Skipped) or outcome.rule.startswith("http-4")


def recrawl(
    store: Store,
    seeds: Sequence[str],
    *,
    only: Sequence[str] = (),
    budget: int | None = None,
    accept_shrink: bool = False,
    then: Callable[[], object] = lambda: None,
    report: Callable[[str], object] = lambda _: None,
    **chosen: Any,
) -> Iterator[RecrawlJob]:
    """The crawls of the file (the one with these `seeds`, or all), each to be iterated for its visits.

    When all of them are fetched, they are applied in one transaction, together with `then` if a page has changed.
    `budget` is the number of pages to request in all; with `only`, just these URLs are requested, changed or not;
    with `accept_shrink` more than a third of the pages may be dropped. The other options are those of CrawlJob, and
    those of CrawlOptions that differ from the last run.
    """
    if budget is not None:
        check_number("the budget", budget, 1)
    how = {name: chosen.pop(name) for name in ("stop", "visitor", "resolve", "headers") if name in chosen}
    seeds = [normalize(seed) for seed in seeds]
    known = [_find(store, normalize(url)) for url in only] or in_order(store.revisits.known(), datetime.now(UTC))
    crawls = [crawl for crawl in store.urls.crawls() if not seeds or set(seeds) == set(crawl[1])]
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
    jobs = []
    for number, starts, settings in crawls:
        plan = [each for each in known if each.crawl == number]
        if plan or not only:
            options = CrawlOptions(**restored({**store.urls.last_run_settings(starts), **settings}, LASTING) | chosen)
            limits: dict[str, Any] = {"budget": budget, "only": only, "accept_shrink": accept_shrink}
            jobs.append(RecrawlJob(store, starts, options, plan, crawl_id=number, **limits, **how))
            yield jobs[-1]
    _apply_all(store, [job for job in jobs if job.is_complete], then, report)


def _apply_all(
    store: Store, jobs: Sequence[RecrawlJob], then: Callable[[], object], report: Callable[[str], object]
) -> None:
    if not jobs:
        return
    report("applying what was fetched ...")
    try:
        with store.transaction():
            for job in jobs:
                job.apply()
            if any(job.found.altered for job in jobs):
                report("indexing and ranking ...")
                then()
    finally:
        store.unlock()


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
    jobs = []
    for job in crawls:
        jobs.append(job)
        if watch is not None:
            watch(job)
        else:
            for _ in job:
                pass
    total = RecrawlSummary()
    for job in jobs:  # all of them are applied by now
        for each in fields(total):
            setattr(total, each.name, getattr(total, each.name) + getattr(job.found, each.name))
    total.interrupted = bool(total.interrupted)
    total.refused = sorted({*total.refused})  # several crawls may be of one site
    return total
