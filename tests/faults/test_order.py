"""Answers arrive in any order, above all after a crawl was resumed; the file must be the same in the end."""

from collections import deque
from random import Random
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.crawl.workers import Inline
from minisearch.engine import Engine
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Link, Page, Redirect

SITE = "http://127.0.0.1:1"
MAX_DEPTH = 3
SIZE = 8


def url(number):
    return f"{SITE}/{number}"


def answer(number, kind, links):
    """What the server says at the `number`-th url."""
    targets = [(url(target), nofollow) for target, nofollow in links]
    if kind == "missing":
        return Failed(url(number), "http-404")
    if kind == "moved" and links:
        return Redirect(url(number), targets[0][0], 301)
    canonical = targets[-1][0] if kind == "twin" and links else ""
    found = tuple(Link(target, "", nofollow) for target, nofollow in targets)
    return Page(url(number), text=f"page {number % 3}", links=found, canonical=canonical, content_hash=str(number % 3))


webs = st.lists(
    st.tuples(
        st.sampled_from(["page", "page", "page", "moved", "twin", "missing"]),
        st.lists(st.tuples(st.integers(0, SIZE - 1), st.sampled_from([False, False, True])), max_size=3),
    ),
    min_size=SIZE,
    max_size=SIZE,
).map(lambda web: [answer(number, *said) for number, said in enumerate(web)])


class Shuffled(Inline):
    """Finishes tasks in any order, as several workers would."""

    random = None

    def has_room(self):
        return len(self._done) < 4

    def results(self, timeout):
        if not self._done:
            return []
        return [self._done.pop(self.random.randrange(len(self._done)))]


def expected(web):
    """{url: (state, rule, depth)}, by a plain walk from the nearest urls to the farthest."""
    depths, waved_off, waiting = {url(0): 0}, set(), deque([url(0)])
    while waiting:
        here = waiting.popleft()
        said, depth = web[int(here.rpartition("/")[2])], depths[here]
        if depth > MAX_DEPTH:
            continue
        steps = [(said.target, depth)] if isinstance(said, Redirect) else []
        if isinstance(said, Page):
            waved_off |= {link.url for link in said.links if link.nofollow}
            steps = [(link.url, depth + 1) for link in said.links if not link.nofollow]
            steps += [(said.canonical, depth + 1)] if said.canonical else []
        for target, step in steps:
            if step < depths.get(target, 99):
                depths[target] = step
                waiting.appendleft(target) if step == depth else waiting.append(target)
    kinds = {Page: "page", Redirect: "moved", Failed: "failed"}
    found = {here: kinds[type(web[int(here.rpartition("/")[2])])] for here in depths}
    verdicts = {here: (kind if depths[here] <= MAX_DEPTH else "depth", depths[here]) for here, kind in found.items()}
    return verdicts | dict.fromkeys(waved_off - set(depths), ("nofollow", None))


def crawled(web, random, *, rounds=(1000,)):
    """The same, by a crawl in as many runs as there are limits, with answers in any order."""

    def visit(task):
        return RobotsFile(404) if task.robots else web[int(task.url.rpartition("/")[2])]

    with (
        Engine() as engine,
        patch("minisearch.crawl.job.Inline", Shuffled),
        patch.object(Shuffled, "random", random),
    ):
        for pages in rounds:
            options = {"max_pages": pages, "max_depth": MAX_DEPTH, "scope": "host", "workers": 4}
            engine.crawl(url(0), visitor=visit, **options)
        rows = engine.store.db.conn.execute("SELECT url, state, rule, depth FROM urls")
        verdicts = {}
        for here, state, rule, depth in rows:
            kind = "page" if state in ("fetched", "merged") else rule if state == "skipped" else state
            kind = "moved" if rule in ("redirect", "redirect-loop") else kind
            verdicts[here] = (kind, None if rule == "nofollow" else depth)
        merged = engine.store.db.conn.execute("SELECT url, rule, leads_to FROM url_status")
        return verdicts, sorted(map(tuple, merged), key=str)


@settings(max_examples=150, deadline=None)
@given(webs, st.randoms(use_true_random=False))
def test_every_url_has_the_same_fate_in_whatever_order_answers_arrive(web, random):
    verdicts, _ = crawled(web, random)
    assert verdicts == expected(web)


SAID_LATE = [  # 4 is 1 word for word, and says so itself by way of 7, which comes last
    answer(0, "page", [(1, False), (4, False)]),
    answer(1, "page", []),
    *(answer(number, "missing", []) for number in (2, 3)),
    answer(4, "twin", [(7, False)]),
    *(answer(number, "missing", []) for number in (5, 6)),
    answer(7, "moved", [(1, False)]),
]


@settings(max_examples=60, deadline=None)
@given(webs, st.randoms(use_true_random=False), st.lists(st.integers(1, SIZE), max_size=3).map(sorted))
@example(SAID_LATE, Random(1), [3])
def test_a_crawl_in_several_runs_ends_where_one_run_does(web, random, limits):
    assert crawled(web, random, rounds=(*limits, 1000)) == crawled(web, random)
