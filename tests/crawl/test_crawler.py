from dataclasses import replace
from itertools import pairwise

import pytest

from minisearch.crawl.crawler import FIRST_PAUSE, LONGEST_PAUSE, PATIENCE_AT_STOP, TRIES, Crawl
from minisearch.crawl.frontier import Frontier
from minisearch.crawl.pool import Inline
from minisearch.crawl.robots import RobotsFile
from minisearch.crawl.scope import Rules
from minisearch.crawl.urls import host
from minisearch.records import Failed, Link, Moved, Page, Queued, Skipped

SITE = "http://127.0.0.1:8000"
DOCS = "https://example.com"


def page(*links, **options):
    """A page with links to paths, before it has a url."""
    return Page("", links=tuple(Link(link) for link in links), **options)


class Web:
    """Answers from a dictionary; whoever is asked several times may answer each time something else."""

    def __init__(self, clock, answers):
        self.clock, self.answers, self.asked = clock, answers, []

    def __call__(self, task):
        self.asked.append((self.clock.now, task.url + "/robots.txt" if task.robots else task.url))
        if task.robots:
            return self.answers.get(task.url, RobotsFile(404))
        answer = self.answers.get(task.url, Failed("", "the server answered 404 Not Found", "http-404"))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return replace(answer, url=task.url)

    def urls(self):
        return [url for _, url in self.asked]


class Journal:
    """The frontier's file: the part of a store that a crawl needs, in a dictionary."""

    def __init__(self, *seeds):
        self.waiting, self.met = {}, set()
        self.meet(seeds, 0)

    def meet(self, urls, depth, hops=0):
        for url in dict.fromkeys(urls):
            if url not in self.met:
                self.met.add(url)
                number = len(self.met)
                self.waiting[number] = Queued(number, url, host(url), depth, hops)

    def next(self, name, limit):
        mine = sorted((q for q in self.waiting.values() if q.host == name), key=lambda q: (q.depth, q.id))
        return mine[:limit]


@pytest.fixture
def crawl(clock):
    """Crawl a web of answers from its first url; gives the web, and what became of each url."""

    def run(answers, *, seeds=None, max_pages=1000, pool=Inline, stop=lambda: False, delay=None, **options):
        web = Web(clock, answers)
        seeds = seeds or [next(url for url in answers if url.count("/") > 2)]
        journal = Journal(*seeds)
        frontier = Frontier(journal.next, delay=delay, parallel=4)
        frontier.wake({host(seed) for seed in seeds})
        made = Crawl(
            frontier,
            pool(web),
            Rules(tuple(seeds), "host"),
            max_pages=max_pages,
            stop=stop,
            clock=clock,
            sleep=clock.sleep,
            **options,
        )
        web.verdicts = {}
        for visit in made:
            if visit is not None:
                assert journal.waiting.pop(visit.queued.id) == visit.queued
                web.verdicts[visit.queued.url] = visit.outcome
                for found in visit.found:
                    if found.rule:
                        web.verdicts.setdefault(found.url, Skipped(found.url, found.reason, found.rule))
                    else:
                        journal.meet([found.url], found.depth, found.hops)
                frontier.wake({found.host for found in visit.found})
        web.crawl, web.waiting = made, [queued.url for queued in journal.waiting.values()]
        return web

    return run


# -- robots.txt ------------------------------------------------------------------------------


def test_robots_txt_is_asked_for_first_and_once_a_site(crawl):
    web = crawl(
        {
            f"{SITE}/": page(f"{SITE}/a", f"{SITE}/b", "http://localhost:9/c"),
            f"{SITE}/a": page(),
            f"{SITE}/b": page(),
            "http://localhost:9/c": page("http://localhost:9/d"),
            "http://localhost:9/d": page(),
        },
        seeds=[f"{SITE}/", "http://localhost:9/c"],
    )
    for site in (SITE, "http://localhost:9"):
        mine = [url for url in web.urls() if url.startswith(site)]
        assert mine[0] == f"{site}/robots.txt"
        assert mine.count(f"{site}/robots.txt") == 1
    assert all(isinstance(outcome, Page) for outcome in web.verdicts.values())


def test_each_origin_of_a_host_has_its_own_robots_txt(crawl):
    shut = RobotsFile(200, "User-agent: *\nDisallow: /")
    answers = {
        "http://a.example/": page("https://a.example/x"),
        "https://a.example": shut,
        "https://a.example/x": page(),
    }
    web = crawl(answers)
    assert web.verdicts["https://a.example/x"].rule == "robots"
    assert web.urls() == ["http://a.example/robots.txt", "http://a.example/", "https://a.example/robots.txt"]


def test_what_robots_txt_forbids_is_not_asked_for_and_takes_no_time(crawl, clock):
    forbidden = [f"{DOCS}/shed/{number}" for number in range(50)]
    web = crawl(
        {DOCS: RobotsFile(200, "User-agent: *\nDisallow: /shed/"), f"{DOCS}/": page(*forbidden)},
    )
    assert {web.verdicts[url].rule for url in forbidden} == {"robots"}
    assert web.urls() == [f"{DOCS}/robots.txt", f"{DOCS}/"]
    assert clock.now - web.asked[-1][0] < 5


@pytest.mark.parametrize(("file", "tries"), [(RobotsFile(503), 1), (RobotsFile(0, trouble="no answer: timeout"), 3)])
def test_a_site_without_a_readable_robots_txt_is_left_alone(crawl, file, tries):
    web = crawl({SITE: file, f"{SITE}/": page()})
    assert web.verdicts[f"{SITE}/"].rule == "robots-unreachable"
    assert web.urls() == [f"{SITE}/robots.txt"] * tries


def test_a_site_may_ask_for_patience(crawl):
    web = crawl(
        {
            DOCS: RobotsFile(200, "User-agent: *\nCrawl-delay: 7"),
            f"{DOCS}/": page(f"{DOCS}/a"),
            f"{DOCS}/a": page(),
        }
    )
    times = [when for when, _ in web.asked]
    assert [later - earlier for earlier, later in pairwise(times)] == pytest.approx([7, 7])


# -- trying again ----------------------------------------------------------------------------


def times_of(web, url):
    asked = [when for when, asked in web.asked if asked == url]
    return [later - earlier for earlier, later in pairwise(asked)]


def broken(**options):
    return Failed("", "the connection was refused", "connection", transient=True, **options)


def test_what_failed_for_a_moment_is_tried_three_times_with_growing_pauses(crawl):
    web = crawl({f"{SITE}/": broken()})
    assert times_of(web, f"{SITE}/") == pytest.approx([FIRST_PAUSE, 2 * FIRST_PAUSE])
    assert len(web.asked) == 1 + TRIES
    assert web.verdicts[f"{SITE}/"].rule == "connection"


def test_a_second_try_may_succeed(crawl):
    web = crawl({f"{SITE}/": [broken(), page()]})
    assert isinstance(web.verdicts[f"{SITE}/"], Page)


def test_what_cannot_get_better_is_tried_once(crawl):
    web = crawl({f"{SITE}/": Failed("", "the server answered 410 Gone", "http-410")})
    assert web.urls() == [f"{SITE}/robots.txt", f"{SITE}/"]


@pytest.mark.parametrize(("asked", "pauses"), [(20, [20, 20]), (0.5, [1, 2]), (1e9, [LONGEST_PAUSE, LONGEST_PAUSE])])
def test_a_server_may_say_when_to_come_back(crawl, asked, pauses):
    web = crawl({f"{SITE}/": broken(retry_after=asked)})
    assert times_of(web, f"{SITE}/") == pytest.approx(pauses)


def test_a_server_that_asks_to_be_left_alone_is_asked_for_nothing_else_meanwhile(crawl):
    web = crawl(
        {f"{SITE}/": page(f"{SITE}/a", f"{SITE}/b"), f"{SITE}/a": [broken(retry_after=60), page()], f"{SITE}/b": page()}
    )
    assert times_of(web, f"{SITE}/a") == pytest.approx([60])
    when = {url: when for when, url in web.asked}
    assert when[f"{SITE}/b"] >= when[f"{SITE}/a"]


# -- limits ----------------------------------------------------------------------------------


def star(count):
    return {f"{SITE}/": page(*(f"{SITE}/{n}" for n in range(count)))} | {f"{SITE}/{n}": page() for n in range(count)}


class Slow(Inline):
    """Many tasks at a time; the one begun last is finished first."""

    def has_room(self):
        return len(self._done) < 4

    def results(self, timeout):
        return [self._done.pop()] if self._done else []


@pytest.mark.parametrize("pool", [Inline, Slow])
@pytest.mark.parametrize("limit", [1, 2, 7, 50])
def test_the_number_of_pages_is_kept_exactly(crawl, limit, pool):
    web = crawl(star(12), max_pages=limit, pool=pool)
    assert sum(isinstance(outcome, Page) for outcome in web.verdicts.values()) == min(limit, 13)
    assert len(web.urls()) == 1 + min(limit, 13), "nothing was fetched in vain"


def test_only_pages_count_towards_the_limit(crawl):
    web = crawl(
        {
            f"{SITE}/": page(f"{SITE}/gone", f"{SITE}/moved", f"{SITE}/film", f"{SITE}/a", f"{SITE}/b"),
            f"{SITE}/moved": Moved("", f"{SITE}/a", 301),
            f"{SITE}/film": Skipped("", "its type is video/mp4", "type"),
            f"{SITE}/a": page(),
            f"{SITE}/b": page(),
        },
        max_pages=3,
    )
    assert isinstance(web.verdicts[f"{SITE}/b"], Page)


def test_what_is_past_the_limit_keeps_waiting(crawl):
    web = crawl(star(5), max_pages=3)
    assert len(web.waiting) == 3
    assert not web.crawl.stopped


class Lazy(Slow):
    """Nearly always busy still; remembers how long it was waited for."""

    def __init__(self, visit, waits):
        super().__init__(visit)
        self.waits = waits

    def results(self, timeout):
        self.waits.append(timeout)
        return super().results(timeout) if len(self.waits) % 8 == 0 else []


@pytest.mark.parametrize(("max_pages", "stop_after"), [(2, 1000), (50, 40)], ids=["at its limit", "stopped"])
def test_a_crawl_that_only_waits_for_its_last_pages_does_not_spin(crawl, max_pages, stop_after):
    waits = []
    crawl(star(50), max_pages=max_pages, pool=lambda web: Lazy(web, waits), stop=lambda: len(waits) > stop_after)
    assert waits.count(0) <= len(waits) / 2 + 1, "a look without waiting is followed by one that waits"


# -- redirects -------------------------------------------------------------------------------


def ring(count):
    return {f"{SITE}/{n}": Moved("", f"{SITE}/{n + 1}", 302) for n in range(count)} | {f"{SITE}/{count}": page()}


def test_redirects_are_followed_up_to_the_limit(crawl):
    assert isinstance(crawl(ring(10), max_redirects=10).verdicts[f"{SITE}/10"], Page)


def test_too_many_redirects_in_a_row_end_the_walk(crawl):
    web = crawl(ring(11), max_redirects=10)
    assert web.verdicts[f"{SITE}/11"].rule == "redirects"
    assert f"{SITE}/11" not in web.urls()


def test_where_a_seed_is_redirected_to_is_a_root_as_well(crawl):
    web = crawl(
        {
            "http://a.example/": Moved("", "https://www.a.example/home/", 301),
            "https://www.a.example/home/": page("https://www.a.example/home/x", "https://other.example/"),
            "https://www.a.example/home/x": page(),
        }
    )
    assert isinstance(web.verdicts["https://www.a.example/home/x"], Page)
    assert web.verdicts["https://other.example/"].rule == "scope"


def test_a_redirect_elsewhere_from_further_in_does_not_widen_the_crawl(crawl):
    web = crawl({f"{SITE}/": page(f"{SITE}/out"), f"{SITE}/out": Moved("", "http://other.example/", 301)})
    assert web.verdicts["http://other.example/"].rule == "scope"


# -- what a page leads to --------------------------------------------------------------------


def test_links_marked_nofollow_are_met_but_not_followed(crawl):
    links = (Link(f"{SITE}/no", nofollow=True), Link(f"{SITE}/both", nofollow=True), Link(f"{SITE}/both"))
    web = crawl({f"{SITE}/": Page("", links=links), f"{SITE}/no": page(), f"{SITE}/both": page()})
    assert web.verdicts[f"{SITE}/no"].rule == "nofollow"
    assert isinstance(web.verdicts[f"{SITE}/both"], Page)


@pytest.mark.parametrize(("canonical", "met"), [(f"{SITE}/real", True), ("http://127.0.0.1:9/real", False)])
def test_a_canonical_link_is_followed_within_its_host(crawl, canonical, met):
    web = crawl({f"{SITE}/": page(canonical=canonical), canonical: page()})
    assert (canonical in web.verdicts) is met


# -- stopping --------------------------------------------------------------------------------


def test_a_crawl_that_is_stopped_keeps_what_is_under_way_and_begins_nothing_new(crawl):
    seen = []
    web = crawl(star(20), pool=Slow, stop=lambda: len(seen) > 5 or seen.append(1))
    assert web.crawl.stopped
    assert len(web.verdicts) == len(web.urls()) - 1, "all that was asked for was kept"
    assert len(web.verdicts) + len(web.waiting) == 21


def test_a_crawl_that_is_stopped_does_not_wait_for_ever(crawl, clock):
    class Stuck(Inline):
        """Never finishes a page."""

        closed = False

        def has_room(self):
            return not self._done

        def results(self, timeout):
            if self._done and isinstance(self._done[0][1], RobotsFile):
                return super().results(timeout)
            clock.sleep(timeout)
            return []

        def close(self):
            Stuck.closed = True

    began = clock.now
    web = crawl({f"{SITE}/": page()}, pool=Stuck, stop=lambda: clock.now > began + 20)
    assert clock.now - began == pytest.approx(20 + PATIENCE_AT_STOP, abs=1)
    assert (web.waiting, Stuck.closed) == ([f"{SITE}/"], True)


def test_the_pool_is_closed_when_nobody_listens_any_more(clock):
    closed = []

    class Closing(Inline):
        def close(self):
            closed.append(True)

    journal = Journal(f"{SITE}/")
    frontier = Frontier(journal.next)
    frontier.wake([host(SITE + "/")])
    web = Web(clock, {f"{SITE}/": page(f"{SITE}/a")})
    steps = iter(Crawl(frontier, Closing(web), Rules((f"{SITE}/",)), max_pages=9, clock=clock, sleep=clock.sleep))
    while next(steps) is None:
        pass
    steps.close()
    assert closed == [True]
