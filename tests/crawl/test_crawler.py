from dataclasses import replace
from itertools import pairwise

import pytest

from minisearch.crawl.crawler import STOP_SECONDS, Crawl, default_max_requests
from minisearch.crawl.frontier import FIRST_BACKOFF, JITTER, Frontier, RetryPolicy
from minisearch.crawl.policy import Policy, Rules, Traps
from minisearch.crawl.sitemaps import SitemapQueue
from minisearch.crawl.workers import Inline
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Link, Page, Queued, Redirect, Skipped
from minisearch.urls import host

SITE = "http://127.0.0.1:8000"
DOCS = "https://example.com"
LIMITS = Limits()
TRIES = LIMITS.tries


def page(*links, **options):
    """A page with links to paths, before it has a url."""
    return Page("", links=tuple(Link(link) for link in links), **options)


class Web:
    """Answers from a dictionary; whoever is asked several times may answer each time something else."""

    def __init__(self, clock, answers):
        self.clock, self.answers, self.asked, self.again, self.conditional = clock, answers, [], [], []

    def __call__(self, task):
        self.again += [task.url] * task.again
        self.conditional += [task.url] * bool(task.conditions())
        self.asked.append((self.clock.now, task.url + "/robots.txt" if task.robots else task.url))
        if task.robots:
            answer = self.answers.get(task.url, RobotsFile(404))
            return answer.pop(0) if isinstance(answer, list) else answer
        answer = self.answers.get(task.url, Failed("", "http-404"))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return replace(answer, url=task.url)

    def urls(self):
        return [url for _, url in self.asked]


class Journal:
    """The frontier's file: the part of a store that a crawl needs, in a dictionary."""

    def __init__(self, *seeds):
        self.waiting, self.met, self.queued, self.found_on = {}, set(), {}, {}
        self.meet(seeds, 0)

    def meet(self, urls, depth, hops=0, found_on=None):
        for url in dict.fromkeys(urls):
            if url not in self.met:
                self.met.add(url)
                number = len(self.met)
                self.waiting[number] = self.queued[number] = Queued(number, url, host(url), depth, hops)
                self.found_on[number] = found_on

    def path(self, number):
        found_on = self.found_on[number]
        return () if found_on is None else (*self.path(found_on), self.queued[found_on].url)

    def next(self, name, limit):
        mine = sorted((q for q in self.waiting.values() if q.host == name), key=lambda q: (q.depth, q.id))
        return mine[:limit]


@pytest.fixture
def crawl(clock):
    """Crawl a web of answers from its first url; gives the web, and what became of each url."""

    def run(
        answers,
        *,
        seeds=None,
        max_pages=1000,
        pool=Inline,
        stop=lambda: False,
        delay=None,
        limits=LIMITS,
        chance=0,
        **options,
    ):
        web = Web(clock, answers)
        seeds = seeds or [next(url for url in answers if url.count("/") > 2)]
        journal = Journal(*seeds)
        frontier = Frontier(journal.next, delay=delay, parallel=4)
        frontier.refresh({host(seed) for seed in seeds})
        made = Crawl(
            frontier,
            pool(web),
            Policy(Rules(tuple(seeds), "host", limits=limits), Traps(limits), journal.path),
            RetryPolicy(limits, lambda: chance),
            SitemapQueue(),
            max_pages=max_pages,
            max_requests=options.pop("max_requests", default_max_requests(max_pages)),
            revisits=options.pop("revisits", {}),
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
                        web.verdicts.setdefault(found.url, Skipped(found.url, found.rule, found.detail))
                    else:
                        journal.meet([found.url], found.depth, found.hops, visit.queued.id)
                frontier.refresh({found.host for found in visit.found})
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


@pytest.mark.parametrize("delay", [None, 0])
def test_a_site_is_asked_for_its_robots_txt_only_if_a_page_of_it_may_be_fetched(crawl, delay):
    sites = [f"http://{n}.example" for n in range(40)]
    shut = RobotsFile(200, "User-agent: *\nDisallow: /")
    answers = {f"{SITE}/": page(*(f"{site}/" for site in sites)), sites[2]: shut, sites[5]: RobotsFile(503)}
    answers |= {f"{site}/": page(f"{site}/more") for site in sites}
    web = crawl(answers, max_pages=10, delay=delay, seeds=[f"{SITE}/", *(f"{site}/" for site in sites)])
    pages = [url for url, outcome in web.verdicts.items() if isinstance(outcome, Page)]
    asked = [url for url in web.urls() if url.endswith("robots.txt")]
    assert pages == [f"{SITE}/", *(f"{site}/" for n, site in enumerate(sites[:11]) if n not in (2, 5))]
    assert {*asked} == {f"{SITE}/robots.txt", *(f"{site}/robots.txt" for site in sites[:11])}
    assert f"{sites[20]}/" in web.waiting


def test_what_robots_txt_forbids_is_not_asked_for_and_takes_no_time(crawl, clock):
    forbidden = [f"{DOCS}/shed/{number}" for number in range(50)]
    web = crawl(
        {DOCS: RobotsFile(200, "User-agent: *\nDisallow: /shed/"), f"{DOCS}/": page(*forbidden)},
    )
    assert {web.verdicts[url].rule for url in forbidden} == {"robots"}
    assert web.urls() == [f"{DOCS}/robots.txt", f"{DOCS}/"]
    assert clock.now - web.asked[-1][0] < 5


@pytest.mark.parametrize(
    "file", [RobotsFile(503), RobotsFile(429), RobotsFile(0, error={"rule": "timeout", "seconds": 9})]
)
def test_a_site_without_a_readable_robots_txt_is_left_alone(crawl, file):
    web = crawl({SITE: file, f"{SITE}/": page()})
    assert web.verdicts[f"{SITE}/"].rule == "robots-unreachable"
    assert web.urls() == [f"{SITE}/robots.txt"] * TRIES
    times = [time for time, _ in web.asked]
    assert [later - sooner for sooner, later in pairwise(times)] == [FIRST_BACKOFF, 2 * FIRST_BACKOFF]


def test_a_robots_txt_at_a_blocked_address_is_requested_once(crawl):
    web = crawl(
        {SITE: RobotsFile(0, error={"rule": "address", "host": "10.0.0.1", "kind": "private"}), f"{SITE}/": page()}
    )
    assert web.verdicts[f"{SITE}/"].rule == "robots-unreachable"
    assert web.urls() == [f"{SITE}/robots.txt"]


def test_robots_txt_is_saved_but_not_that_it_was_unreachable(crawl):
    kept = {}
    crawl({SITE: RobotsFile(200, "User-agent: *"), f"{SITE}/": page()}, save_robots=kept.__setitem__)
    crawl({DOCS: RobotsFile(503), f"{DOCS}/": page()}, save_robots=kept.__setitem__)
    assert kept == {SITE: RobotsFile(200, "User-agent: *")}


def test_a_site_that_wants_no_more_questions_for_long_is_asked_for_no_page_either(crawl):
    saved = {}
    answers = {SITE: RobotsFile(429, retry_after=3600), f"{SITE}/": page()}
    web = crawl(answers, save_robots=saved.__setitem__)
    assert web.urls() == [f"{SITE}/robots.txt"]
    assert web.verdicts[f"{SITE}/"].rule == "robots-unreachable"
    assert saved == {}
    answers[SITE] = RobotsFile(200, retry_after=3600)  # that it says at every answer
    assert isinstance(crawl(answers).verdicts[f"{SITE}/"], Page)


def test_a_robots_txt_that_was_saved_is_not_requested(crawl):
    known = RobotsFile(200, "User-agent: *\nDisallow: /a")
    web = crawl({f"{SITE}/": page(f"{SITE}/a"), f"{SITE}/a": page()}, load_robots={SITE: known}.get)
    assert web.urls() == [f"{SITE}/"]
    assert web.verdicts[f"{SITE}/a"].rule == "robots"


def test_a_crawl_delay_is_obeyed(crawl):
    web = crawl(
        {
            DOCS: RobotsFile(200, "User-agent: *\nCrawl-delay: 7"),
            f"{DOCS}/": page(f"{DOCS}/a"),
            f"{DOCS}/a": page(),
        }
    )
    times = [when for when, _ in web.asked]
    assert [later - earlier for earlier, later in pairwise(times)] == pytest.approx([7, 7])


# -- retries ----------------------------------------------------------------------------


def times_of(web, url):
    asked = [when for when, asked in web.asked if asked == url]
    return [later - earlier for earlier, later in pairwise(asked)]


def broken(**options):
    return Failed("", "connection", {"problem": "refused"}, transient=True, **options)


def test_a_transient_failure_is_retried_with_growing_pauses(crawl):
    web = crawl({f"{SITE}/": broken()})
    assert times_of(web, f"{SITE}/") == pytest.approx([FIRST_BACKOFF, 2 * FIRST_BACKOFF])
    assert len(web.asked) == 1 + TRIES
    assert web.verdicts[f"{SITE}/"].rule == "connection"


def test_a_retry_may_succeed(crawl):
    web = crawl({f"{SITE}/": [broken(), page()]})
    assert isinstance(web.verdicts[f"{SITE}/"], Page)


def test_a_permanent_failure_is_not_retried(crawl):
    web = crawl({f"{SITE}/": Failed("", "http-410")})
    assert web.urls() == [f"{SITE}/robots.txt", f"{SITE}/"]


@pytest.mark.parametrize(("asked", "pauses"), [(20, [20, 20]), (0.5, [1, 2]), (60, [60, 60])])
def test_retry_after_is_obeyed(crawl, asked, pauses):
    web = crawl({f"{SITE}/": broken(retry_after=asked)})
    assert times_of(web, f"{SITE}/") == pytest.approx(pauses)


def test_nothing_else_of_the_host_is_requested_until_retry_after(crawl):
    web = crawl(
        {f"{SITE}/": page(f"{SITE}/a", f"{SITE}/b"), f"{SITE}/a": [broken(retry_after=60), page()], f"{SITE}/b": page()}
    )
    assert times_of(web, f"{SITE}/a") == pytest.approx([60])
    when = {url: when for when, url in web.asked}
    assert when[f"{SITE}/b"] >= when[f"{SITE}/a"]


def test_a_retry_after_beyond_the_limit_is_final(crawl):
    web = crawl({f"{SITE}/": broken(retry_after=3600)})
    assert web.urls() == [f"{SITE}/robots.txt", f"{SITE}/"]
    assert web.verdicts[f"{SITE}/"].detail["wait"] == 3600


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_each_pause_has_jitter(crawl, chance):
    web = crawl({f"{SITE}/": broken()}, chance=chance)
    stretch = 1 + JITTER * chance
    assert times_of(web, f"{SITE}/") == pytest.approx([FIRST_BACKOFF * stretch, 2 * FIRST_BACKOFF * stretch])


def test_the_failure_says_how_often_it_was_tried(crawl):
    assert crawl({f"{SITE}/": broken()}).verdicts[f"{SITE}/"].detail["tries"] == 3
    assert "tries" not in crawl({f"{SITE}/": broken()}, limits=Limits(tries=1)).verdicts[f"{SITE}/"].detail


# -- hosts that fail -------------------------------------------------------------------------


def failing(count, **more):
    """A site of which so many pages fail, one after the other."""
    pages = {f"{SITE}/{n}": broken() for n in range(count)} | {f"{SITE}/{name}": page for name, page in more.items()}
    return {f"{SITE}/": page(*pages), **pages}


def test_a_host_that_fails_ten_times_in_a_row_is_skipped(crawl):
    web = crawl(failing(14))
    rules = [web.verdicts[f"{SITE}/{n}"].rule for n in range(14)]
    assert rules == ["connection"] * 10 + ["host-failures"] * 4
    assert web.verdicts[f"{SITE}/13"].detail == {
        "host": "127.0.0.1:8000",
        "failures": 10,
        "cause": {"rule": "connection", "problem": "refused"},
    }
    assert list(web.crawl.retry_policy.skipped_hosts) == ["127.0.0.1:8000"]
    assert not [url for url in web.urls() if url.endswith(("/10", "/13"))]


def test_other_hosts_are_still_requested(crawl):
    web = crawl({**failing(14), "http://localhost:9/": page()}, seeds=[f"{SITE}/", "http://localhost:9/"])
    assert isinstance(web.verdicts["http://localhost:9/"], Page)


@pytest.mark.parametrize("answer", [page(), Redirect("", f"{SITE}/", 301), Failed("", "http-404"), Skipped("", "type")])
def test_any_response_resets_the_count_of_failures(crawl, answer):
    pages = {f"{SITE}/{n}": broken() for n in range(9)} | {f"{SITE}/x": answer}
    pages |= {f"{SITE}/{n}": broken() for n in range(20, 29)}
    web = crawl({f"{SITE}/": page(*pages), **pages}, limits=Limits(tries=1))
    assert not web.crawl.retry_policy.skipped_hosts


def test_a_task_says_that_it_is_a_retry(crawl):
    web = crawl({f"{SITE}/": page(f"{SITE}/b"), f"{SITE}/b": [broken(), broken(), page()]})
    assert web.again == [f"{SITE}/b"] * 2
    web = crawl({SITE: RobotsFile(0, error={"rule": "connection", "problem": "refused"}), f"{SITE}/": page()})
    assert web.again == [SITE] * (TRIES - 1)


def test_retries_of_one_url_do_not_skip_its_host(crawl):
    assert not crawl(failing(9), limits=Limits(tries=9)).crawl.retry_policy.skipped_hosts


def test_the_number_of_failures_is_a_limit(crawl):
    web = crawl(failing(5), limits=Limits(host_failures=2))
    assert [web.verdicts[f"{SITE}/{n}"].rule for n in range(5)] == ["connection"] * 2 + ["host-failures"] * 3


# -- hosts behind the guard ------------------------------------------------------------------


def test_nothing_is_requested_of_a_forbidden_site(crawl):
    closed = Skipped("", "address", {"host": "10.0.0.1", "kind": "private"})
    inside = [f"http://10.0.0.1/{n}" for n in range(3)]
    web = crawl({f"{SITE}/": page(*inside), "http://10.0.0.1": closed}, seeds=[f"{SITE}/", *inside])
    assert [web.verdicts[url] for url in inside] == [Skipped(url, "address", closed.detail) for url in inside]
    assert sorted(web.urls()) == ["http://10.0.0.1/robots.txt", f"{SITE}/", f"{SITE}/robots.txt"]


# -- traps -----------------------------------------------------------------------------------


def months(count):
    """A calendar whose every month leads to the next two."""
    return {
        f"{SITE}/calendar/{n}": page(*(f"{SITE}/calendar/{n + more}" for more in (1, 2)), text=f"Month {n}")
        for n in range(count)
    }


def test_a_pattern_of_pages_found_on_one_another_that_nearly_repeat_others_is_blocked(crawl):
    web = crawl({f"{SITE}/": page(f"{SITE}/calendar/0", f"{SITE}/about"), f"{SITE}/about": page(), **months(200)})
    fetched = [url for url in web.urls() if "/calendar/" in url]
    assert len(fetched) == 2 + LIMITS.pattern_repeats  # one was found elsewhere, one is like no other
    skipped = [verdict for verdict in web.verdicts.values() if isinstance(verdict, Skipped)]
    assert {verdict.rule for verdict in skipped} == {"trap"}
    assert {verdict.detail["pattern"] for verdict in skipped} == {f"{SITE}/calendar/#"}
    assert isinstance(web.verdicts[f"{SITE}/about"], Page)
    assert web.waiting == []


def test_when_a_pattern_is_blocked_is_an_option(crawl):
    web = crawl({f"{SITE}/calendar/0": page(f"{SITE}/calendar/1"), **months(50)}, limits=Limits(pattern_repeats=5))
    assert sum(isinstance(verdict, Page) for verdict in web.verdicts.values()) == 9


@pytest.mark.parametrize("pool", [Inline, lambda web: Slow(web)])
@pytest.mark.parametrize(("limit", "rule"), [("host_pages", "host-pages"), ("pattern_pages", "pattern-pages")])
def test_pages_of_a_host_or_a_pattern_have_a_limit(crawl, limit, rule, pool):
    web = crawl(star(12), limits=Limits(**{limit: 5}), pool=pool)
    kinds = [type(outcome) for outcome in web.verdicts.values()]
    assert kinds.count(Page) == 5 + (limit == "pattern_pages")  # the start is of another pattern
    skipped = [outcome for outcome in web.verdicts.values() if isinstance(outcome, Skipped)]
    assert {outcome.rule for outcome in skipped} == {rule}
    assert len(kinds) == 13


def test_only_pages_count_towards_such_a_limit(crawl):
    gone = [f"{SITE}/gone{n}" for n in range(9)]
    web = crawl({f"{SITE}/": page(*gone, f"{SITE}/a"), f"{SITE}/a": page()}, limits=Limits(host_pages=2))
    assert isinstance(web.verdicts[f"{SITE}/a"], Page)


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
            f"{SITE}/moved": Redirect("", f"{SITE}/a", 301),
            f"{SITE}/film": Skipped("", "type"),
            f"{SITE}/a": page(),
            f"{SITE}/b": page(),
        },
        max_pages=3,
    )
    assert isinstance(web.verdicts[f"{SITE}/b"], Page)


def test_what_is_past_the_limit_stays_queued(crawl):
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


# -- the request limit -----------------------------------------------------------------------


@pytest.mark.parametrize("pool", [Inline, Slow])
def test_a_page_of_dead_links_cannot_make_a_crawl_send_more_requests_than_its_limit(crawl, pool):
    gone = [f"{SITE}/gone{n}" for n in range(600)]
    web = crawl({f"{SITE}/": page(*gone)}, max_pages=2, pool=pool)
    assert len(web.asked) == web.crawl.requests == 3 * 2 + 100
    assert len(web.waiting) == 600 - 104


def test_redirects_retries_and_robots_txt_are_requests(crawl):
    answers = {
        f"{SITE}/": page(f"{SITE}/old", f"{SITE}/bad"),
        f"{SITE}/old": Redirect("", f"{SITE}/new", 301),
        f"{SITE}/new": page(),
        f"{SITE}/bad": broken(),
    }
    web = crawl(answers)
    assert web.crawl.requests == len(web.asked) == 1 + 1 + 2 + TRIES
    web = crawl({**answers, SITE: RobotsFile(200, redirects=4)})
    assert web.crawl.requests == len(web.asked) + 4


def test_a_revisit_that_is_repeated_without_conditions_is_another_request(crawl):
    answers = {f"{SITE}/": [Failed("", "http-412", transient=True), page()]}
    web = crawl(answers, revisits={1: ('"1"', "", "")}, delay=5.0)
    assert isinstance(web.verdicts[f"{SITE}/"], Page)
    assert web.conditional == [f"{SITE}/"]
    assert web.crawl.requests == len(web.asked) == 3
    assert min(times_of(web, f"{SITE}/")) >= 5.0


def test_a_revisit_is_not_repeated_beyond_the_request_limit(crawl):
    web = crawl(
        {f"{SITE}/": [Failed("", "http-412", transient=True), page()]}, revisits={1: ('"1"', "", "")}, max_requests=2
    )
    assert (len(web.asked), web.waiting) == (2, [f"{SITE}/"])


def test_a_url_whose_retry_is_beyond_the_limit_stays_queued(crawl):
    web = crawl({f"{SITE}/": page(f"{SITE}/bad"), f"{SITE}/bad": broken()}, max_requests=3)
    assert web.waiting == [f"{SITE}/bad"]
    assert web.crawl.limit_reached == "requests"


# -- redirects -------------------------------------------------------------------------------


def ring(count):
    return {f"{SITE}/{n}": Redirect("", f"{SITE}/{n + 1}", 302) for n in range(count)} | {f"{SITE}/{count}": page()}


def test_redirects_are_followed_up_to_the_limit(crawl):
    assert isinstance(crawl(ring(10), limits=Limits(redirects=10)).verdicts[f"{SITE}/10"], Page)


def test_too_many_redirects_in_a_row_end_the_walk(crawl):
    web = crawl(ring(11), limits=Limits(redirects=10))
    assert web.verdicts[f"{SITE}/11"].rule == "redirects"
    assert f"{SITE}/11" not in web.urls()


def test_where_a_seed_is_redirected_to_is_a_root_as_well(crawl):
    web = crawl(
        {
            "http://a.example/": Redirect("", "https://www.a.example/home/", 301),
            "https://www.a.example/home/": page("https://www.a.example/home/x", "https://other.example/"),
            "https://www.a.example/home/x": page(),
        }
    )
    assert isinstance(web.verdicts["https://www.a.example/home/x"], Page)
    assert web.verdicts["https://other.example/"].rule == "scope"


def test_a_redirect_elsewhere_from_further_in_does_not_widen_the_crawl(crawl):
    web = crawl({f"{SITE}/": page(f"{SITE}/out"), f"{SITE}/out": Redirect("", "http://other.example/", 301)})
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


def test_links_that_nobody_can_follow_are_written_down(crawl):
    web = crawl({f"{SITE}/": page(odd_links=("mailto:me@example.com", "javascript:go()", "http://[bad"))})
    assert {url: verdict.rule for url, verdict in web.verdicts.items() if isinstance(verdict, Skipped)} == {
        "mailto:me@example.com": "scheme",
        "javascript:go()": "scheme",
        "http://[bad": "malformed",
    }


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
    assert clock.now - began == pytest.approx(20 + STOP_SECONDS, abs=1)
    assert (web.waiting, Stuck.closed) == ([f"{SITE}/"], True)


def test_the_pool_is_closed_when_nobody_listens_any_more(clock):
    closed = []

    class Closing(Inline):
        def close(self):
            closed.append(True)

    journal = Journal(f"{SITE}/")
    frontier = Frontier(journal.next)
    frontier.refresh([host(SITE + "/")])
    web = Web(clock, {f"{SITE}/": page(f"{SITE}/a")})
    made = Crawl(
        frontier,
        Closing(web),
        Policy(Rules((f"{SITE}/",)), Traps(LIMITS)),
        RetryPolicy(LIMITS),
        SitemapQueue(),
        max_pages=9,
        max_requests=9,
        revisits={},
        clock=clock,
        sleep=clock.sleep,
    )
    steps = iter(made)
    while next(steps) is None:
        pass
    steps.close()
    assert closed == [True]


def test_a_failure_of_robots_txt_passes_at_any_hour(crawl):
    answers = [RobotsFile(200)] * 4 + [RobotsFile(503)] + [RobotsFile(200)] * 9
    pages = {f"{DOCS}/{number}": page() for number in range(25)}
    web = crawl({DOCS: answers, f"{DOCS}/": page(*pages), **pages}, delay=1000)
    assert {verdict.rule for verdict in web.verdicts.values() if not isinstance(verdict, Page)} == set()
    assert len(answers) < 9


def test_robots_txt_is_requested_again_after_an_hour(crawl):
    pages = {f"{DOCS}/{number}": page() for number in range(5)}
    web = crawl({f"{DOCS}/": page(*pages), **pages}, delay=1000)
    times = [at for at, url in web.asked if url == f"{DOCS}/robots.txt"]
    assert len(times) == 2
    assert 3600 <= times[1] - times[0] < 5000
