import tracemalloc
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.frontier import (
    AHEAD,
    PATTERN_SHARE,
    PUBLIC_DELAY,
    WINDOWS,
    Frontier,
    PatternTurns,
)
from minisearch.fetch.guard import is_loopback
from minisearch.models import Queued

PUBLIC, NEAR = "example.com", "127.0.0.1:8000"


class Journal:
    """The queued urls of a crawl, as the file would give them."""

    def __init__(self, *queued):
        self.queued = list(queued)
        self.asked = []

    def __call__(self, host, limit):
        self.asked.append(limit)
        mine = sorted((q for q in self.queued if q.host == host), key=lambda q: (q.depth, q.id))
        return mine[:limit]

    def settle(self, queued):
        self.queued.remove(queued)


def urls(count, host=PUBLIC, *, start=1, depth=1):
    return [Queued(start + i, f"http://{host}/{start + i}", host, depth) for i in range(count)]


def frontier(journal, **options):
    made = Frontier(journal, **options)
    made.refresh({queued.host for queued in journal.queued})
    return made


def pop_all(of, now):
    """The ids of everything that may be handed out at this moment."""
    found = []
    while (queued := of.pop(now)) is not None:
        found.append(queued.id)
    return found


def test_a_public_host_gets_one_request_at_a_time():
    of = frontier(Journal(*urls(3)))
    first = of.pop(0)
    assert of.pop(100) is None
    of.done(first, 100)
    assert of.pop(100) is None
    assert of.pop(100 + PUBLIC_DELAY).id == 2


def test_a_local_host_gets_several_requests_at_once():
    of = frontier(Journal(*urls(9, NEAR)), parallel=4)
    assert pop_all(of, 0) == [1, 2, 3, 4]


def test_a_given_delay_holds_for_a_local_host_too():
    of = frontier(Journal(*urls(9, NEAR)), parallel=4, delay=5)
    assert pop_all(of, 0) == [1]
    assert of.pop(99) is None


def test_the_delay_can_be_zero():
    journal = Journal(*urls(2))
    of = frontier(journal, delay=0)
    of.done(of.pop(0), 0)
    assert of.pop(0).id == 2


def test_hosts_do_not_wait_for_one_another():
    journal = Journal(*urls(2, "a.example"), *urls(2, "b.example", start=11))
    of = frontier(journal)
    assert pop_all(of, 0) == [1, 11]
    assert of.next_ready_at(0) is None, "both are busy"


def test_smaller_depths_come_first_then_those_discovered_first():
    far, near = urls(2, "a.example", start=1, depth=3), urls(2, "b.example", start=11, depth=2)
    more = urls(2, "c.example", start=5, depth=2)
    of = frontier(Journal(*far, *near, *more), delay=0)
    assert pop_all(of, 0) == [5, 11, 1]


def test_what_was_not_requested_is_next_again():
    of = frontier(Journal(*urls(3)))
    first = of.pop(0)
    of.block(first)
    of.release(PUBLIC, 0, 0)
    assert of.pop(PUBLIC_DELAY) == first


def test_a_blocked_host_gets_no_request_until_released():
    of = frontier(Journal(*urls(1)))
    of.block(of.pop(0))
    assert (of.pop(0), of.next_ready_at(0)) == (None, None)
    of.release(PUBLIC, 0, 50)
    assert of.next_ready_at(50) == 50 + PUBLIC_DELAY
    assert of.pop(50) is None
    assert of.pop(50 + PUBLIC_DELAY).id == 1


@pytest.mark.parametrize(("asked", "rest"), [(7, 7), (0.2, PUBLIC_DELAY)])
def test_a_public_host_may_ask_for_a_longer_delay(asked, rest):
    of = frontier(Journal(*urls(2)))
    of.release(PUBLIC, asked, 0)
    of.done(of.pop(rest), 100)
    assert of.next_ready_at(100) == 100 + rest


def test_a_local_host_cannot_ask_for_a_delay():
    of = frontier(Journal(*urls(2, NEAR)))
    of.release(NEAR, 7, 0)
    assert pop_all(of, 0) == [1, 2]


def test_a_retry_waits_and_its_host_with_it():
    of = frontier(Journal(*urls(2)))
    first = of.pop(0)
    of.retry(first, 60)
    assert of.next_ready_at(1) == 60
    assert of.pop(59) is None
    assert of.pop(60) == first


def test_a_retry_on_a_local_host_delays_all_its_urls():
    of = frontier(Journal(*urls(3, NEAR)), parallel=4)
    first = of.pop(0)
    of.retry(first, 60)
    assert pop_all(of, 59) == []
    assert pop_all(of, 60) == [1, 2, 3]


def test_a_url_that_was_not_requested_delays_nothing():
    journal = Journal(*urls(2))
    of = frontier(journal)
    first = of.pop(0)
    journal.settle(first)
    of.done(first, 0, was_requested=False)
    assert of.pop(0).id == 2


def test_an_exhausted_host_is_not_looked_up_until_it_is_refreshed():
    journal = Journal(*urls(1, NEAR))
    of = frontier(journal)
    first = of.pop(0)
    journal.settle(first)
    of.done(first, 0)
    assert of.pop(1) is None
    asked = len(journal.asked)
    assert (of.pop(2), of.next_ready_at(2), len(journal.asked)) == (None, None, asked)
    journal.queued += urls(1, NEAR, start=2)
    assert of.pop(3) is None, "it was not refreshed yet"
    of.refresh([NEAR])
    assert of.pop(4).id == 2


def test_what_was_handed_out_is_not_handed_out_again():
    of = frontier(Journal(*urls(3, NEAR)), parallel=9)
    assert pop_all(of, 0) == [1, 2, 3]
    of.refresh([NEAR])
    assert of.pop(1) is None


def test_no_more_than_the_next_few_urls_are_held():
    journal = Journal(*urls(300, NEAR))
    of = frontier(journal)
    while (queued := of.pop(0)) is not None:
        journal.settle(queued)
        of.done(queued, 0)
    assert not journal.queued
    assert set(journal.asked) == {WINDOWS["breadth"]}


def test_newest_first_sees_at_once_what_was_just_discovered():
    class Newest(Journal):
        def __call__(self, host, limit):
            return sorted(self.queued, key=lambda q: -q.id)[:limit]

    journal = Newest(*urls(2))
    of = frontier(journal, order="newest", delay=0)
    first = of.pop(0)
    journal.queued += urls(1, start=9)
    journal.settle(first)
    of.done(first, 0)
    assert (first.id, of.pop(0).id) == (2, 9)


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True),
        ("localhost:80", True),
        ("wiki.localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1:5000", True),
        ("[::1]", True),
        ("[::1]:8000", True),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("10.0.0.1", False),
        ("[2001:db8::1]:80", False),
        ("", False),
    ],
)
def test_only_this_machine_is_loopback(host, near):
    assert is_loopback(host) is near


hosts = st.sampled_from(["a.example", "b.example", NEAR])
steps = st.lists(
    st.tuples(st.sampled_from(["wait", "finish", "again", "put back", "new", "drop"]), st.integers(0, 5), hosts),
    max_size=60,
)


@given(st.lists(hosts, max_size=12), steps)
def test_every_url_is_handed_out_once_and_delays_are_kept(begin, steps):
    journal = Journal(*(Queued(number, f"u{number}", host, 1) for number, host in enumerate(begin, 1)))
    of, now, under_way, settled, begun = frontier(journal, parallel=3), 0.0, [], set(), {}
    steps = [*steps, *[("finish", 0, NEAR), ("wait", 5, NEAR)] * 3 * (len(begin) + len(steps))]
    for action, number, host in steps:
        if action == "wait":
            now += number
        elif action == "new":
            journal.queued.append(Queued(len(journal.queued) + len(settled) + 1, "new", host, number))
            of.refresh([host])
        elif under_way:
            queued = under_way.pop(number % len(under_way))
            if action == "again":
                of.retry(queued, now + number)
            elif action == "put back":
                of.block(queued)
                of.release(queued.host, 0, now)
            else:
                journal.settle(queued)
                of.done(queued, now, was_requested=action != "drop")
                settled.add(queued.id)
                if action == "drop":
                    begun.pop(queued.host, None)
        while (queued := of.pop(now)) is not None:
            assert queued.id not in settled
            assert queued not in under_way
            under_way.append(queued)
            busy = sum(other.host == queued.host for other in under_way)
            assert busy <= (3 if queued.host == NEAR else 1)
            if queued.host != NEAR:
                assert now - begun.get(queued.host, -9) >= PUBLIC_DELAY
                begun[queued.host] = now
    assert not journal.queued
    assert not under_way


def test_many_hosts_do_not_slow_the_loop_nor_fill_the_memory():
    hosts = [f"h{n}.example" for n in range(3000)]
    asked = []

    def source(host, limit):
        asked.append(limit)
        number = int(host[1:].partition(".")[0])
        return [Queued(number * 100 + n, f"http://{host}/{n}", host, 1) for n in range(min(limit, 50))]

    of = Frontier(source)
    of.refresh(hosts)
    for _ in range(10):
        assert of.pop(0) is not None
    assert len(asked) <= AHEAD + 10, "only so many hosts are looked at ahead"
    held = sum(len(host.upcoming) for host in of._hosts.values())
    assert held <= (AHEAD + 10) * WINDOWS["breadth"]


def test_all_of_many_hosts_have_their_turn():
    journal = Journal(*(queued for n in range(600) for queued in urls(1, f"h{n}.example", start=n + 1)))
    of = frontier(journal)
    assert sorted(pop_all(of, 0)) == list(range(1, 601))


def test_a_host_may_be_local_without_a_local_name():
    of = frontier(Journal(*urls(3, "here.example")), parallel=4, is_local=lambda name: name == "here.example")
    assert pop_all(of, 0) == [1, 2, 3]


def test_urls_of_a_pattern_take_turns_with_those_of_others():
    turns = PatternTurns()
    items = [turns.take(f"http://a.example/item/{n}") for n in range(3 * PATTERN_SHARE)]
    assert items == [0] * PATTERN_SHARE + [1] * PATTERN_SHARE + [2] * PATTERN_SHARE
    assert [turns.take(f"http://a.example/{name}") for name in ("about", "news/1")] == [0, 0]
    assert turns.take("http://b.example/item/4") == 0


@pytest.mark.parametrize("end", ["", ".html", "/", "/?page=2"])
def test_pages_of_a_folder_take_turns_whatever_their_names(end):
    """Tags, authors and products are words: each would be a URL pattern of its own."""
    turns = PatternTurns()
    words = ["".join(letters) for letters in islice(permutations("abcdef"), 3 * PATTERN_SHARE)]
    tags = [turns.take(f"http://a.example/tag/{word}{end}") for word in words]
    assert tags == [0] * PATTERN_SHARE + [1] * PATTERN_SHARE + [2] * PATTERN_SHARE
    others = ["http://a.example/docs/a.html", "http://a.example/", "http://b.example/"]
    assert [turns.take(url) for url in others] == [0, 0, 0]
    views = [turns.take(f"http://a.example/view?item={number}") for number in range(PATTERN_SHARE + 1)]
    assert views == [0] * PATTERN_SHARE + [1]
    assert turns.take("http://a.example/view?page=1") == 0


def test_turns_go_on_after_those_of_an_earlier_run():
    turns = PatternTurns()
    turns.restore("http://a.example/item/9", 5)
    turns.restore("http://a.example/item/7", 3)
    assert turns.take("http://a.example/item/10") == 6


def test_the_turns_of_many_patterns_take_a_bounded_amount_of_memory():
    turns = PatternTurns()
    tracemalloc.start()
    for number in range(100_000):
        word = f"{number:06}".translate(str.maketrans("0123456789", "ghijklmnop"))
        turns.take(f"http://example.com/{word}/{'x' * 400}/page")
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 20_000_000
