import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.policy import ANY_QUERY, FINGERPRINTS, MAX_KNOWN, Traps, is_dated, url_pattern
from minisearch.limits import Limits
from minisearch.models import Page
from minisearch.urls import normalize

HOST = "a.example"
BASE = f"http://{HOST}"
COMMON = "the club meets in the old mill beside the river there are no events this month previous next home about us"
DATE = "Wed, 01 May 2024 10:00:00 GMT"


def spelled(number):
    """A word for a number, without digits."""
    return "".join(chr(97 + int(digit)) for digit in f"{number:03}")


def different(number):
    return " ".join(f"{spelled(number)}{letter}" for letter in "abcdefghij")


def begin(traps, url, host=HOST):
    """Begin to fetch a page, unless a quota is used up; returns whether it was not."""
    if traps.used_up(url, host) is not None:
        return False
    traps.count(url, host)
    return True


def feed(traps, urls, *, text=lambda number: f"{COMMON} {number}", path=None, **facts):
    """Fetch URLs one after the other, each found on the one before; gives how many were not refused."""
    fetched, before = 0, [f"{BASE}/", BASE + urls[0]]
    for number, url in enumerate(urls):
        reached = [f"{BASE}/", *(BASE + each for each in path)] if path is not None else before
        if traps.refusal(BASE + url, reached[-1]) is None and begin(traps, BASE + url):
            traps.fetched(Page(BASE + url, text=text(number), content_hash=str(number), **facts), reached)
            fetched += 1
        before.append(BASE + url)
    return fetched


def months(count=100):
    return [f"/calendar/{number}" for number in range(count)]


# -- URL patterns --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/calendar/2024/05/", "/calendar/1999/12/"),
        ("/calendar/2024-05-17", "/calendar/2025-1-1"),
        ("/events/may/2024", "/events/december/1970"),
        ("/calendar?year=2024&month=5", "/calendar?month=6&year=2031"),
        ("/shop;jsessionid=9F3C2A7B11D04E", "/shop;jsessionid=00AB12CD34EF56"),
        ("/s/5d41402abc4b2a76b9719d911017c592/cart", "/s/7d793037a0760186574b0282f2f435e7/cart"),
        ("/u/123e4567-e89b-12d3-a456-426614174000", "/u/00000000-0000-4000-8000-00000000000a"),
        ("/shop?sid=a&id=1", "/shop?id=2&sid=b"),
        ("/page1.html", "/page22.html"),
    ],
)
def test_urls_that_differ_in_numbers_and_ids_only_have_one_pattern(one, other):
    assert url_pattern(BASE + one) == url_pattern(BASE + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/roses.html", "/tulips.html"),
        ("/a/", "/a"),
        ("/a?b=1", "/a?c=1"),
        ("/a?b=1", "/a"),
        ("/may/", "/maya/"),
        ("/library/asyncio-task.html", "/library/asyncio-queue.html"),
    ],
)
def test_urls_that_differ_in_words_have_not(one, other):
    assert url_pattern(BASE + one) != url_pattern(BASE + other)


def test_the_same_path_on_another_host_is_another_pattern():
    assert url_pattern("http://a.example/1") != url_pattern("http://b.example/1")


@given(st.text())
def test_every_url_has_a_pattern(path):
    url = normalize("http://a.example/" + path.replace("#", ""))
    assert url_pattern(url).startswith("http://a.example/")


# -- blocking ------------------------------------------------------------------------------------


def test_a_long_word_in_a_url_takes_no_long_time():
    began = time.process_time()
    assert url_pattern(f"{BASE}/{'a' * 100_000}") == f"{BASE}/{'a' * 100_000}"
    assert time.process_time() - began < 5


def test_a_pattern_is_blocked_when_its_pages_nearly_repeat_one_another():
    traps = Traps(Limits(pattern_repeats=10))
    assert feed(traps, months()) == 11  # the first one is like no other
    assert traps.blocked == {f"{BASE}/calendar/#"}
    refusal = traps.refusal(f"{BASE}/calendar/1000", f"{BASE}/calendar/999")
    assert refusal.rule == "trap"
    assert refusal.detail == {"pattern": f"{BASE}/calendar/#", "repeats": 10}


@pytest.mark.parametrize("referrer", ["", f"{BASE}/", f"{BASE}/list/7"])
def test_a_url_of_a_blocked_pattern_is_fetched_if_it_is_found_elsewhere(referrer):
    traps = Traps(Limits(pattern_repeats=10))
    feed(traps, months())
    assert traps.refusal(f"{BASE}/calendar/1000", referrer) is None


def test_patterns_that_lead_to_one_another_are_blocked_together():
    """A calendar of months and days: each month leads to its days, and each day to the next month."""
    traps, path, fetched = Traps(Limits(pattern_repeats=5)), [f"{BASE}/"], 0
    for number in range(100):
        for kind in ("month", "day"):
            url = f"{BASE}/{kind}/{number}"
            if traps.refusal(url, path[-1]) is None:
                traps.fetched(Page(url, text=f"Nothing happens on this {kind}"), path)
                path.append(url)
                fetched += 1
    assert traps.blocked == {f"{BASE}/month/#", f"{BASE}/day/#"}
    assert fetched < 20


@pytest.mark.parametrize(
    "how",
    [
        {"text": different},
        {"text": lambda number: COMMON if number % 2 else different(number)},
        {"path": []},
        {"path": ["/list", "/goods?page=2"]},
        {"last_modified": DATE},
        {"etag": '"of this very file"'},
    ],
    ids=["different", "half of them", "on the home page", "on a list", "last modified", "strong ETag"],
)
def test_other_pages_of_one_pattern_are_all_fetched(how):
    traps = Traps(Limits(pattern_repeats=10))
    assert feed(traps, months(200), **how) == 200
    assert not traps.blocked


def test_a_trap_behind_many_good_pages_is_noticed_too():
    traps = Traps(Limits(pattern_repeats=10))
    assert 60 <= feed(traps, months(100), text=lambda n: COMMON if n > 50 else different(n)) <= 65


@pytest.mark.parametrize(
    ("facts", "dated"),
    [
        ({}, False),
        ({"etag": 'W/"put on anything"'}, False),
        ({"etag": '"of this very file"'}, True),
        ({"last_modified": DATE}, True),
    ],
)
def test_a_page_is_dated_by_its_server(facts, dated):
    assert is_dated(Page(f"{BASE}/2024/05/17/", **facts)) is dated


def test_near_duplicates_count_though_their_words_differ():
    traps, text = Traps(Limits(pattern_repeats=10)), different(1) * 20
    for number in range(30):
        page = Page(f"{BASE}/calendar/{number}", text=f"{text} {spelled(number)}", simhash=7 + number % 2, words=200)
        traps.fetched(page, [f"{BASE}/", f"{BASE}/calendar/0"])
    assert traps.blocked


@pytest.mark.parametrize("said", ["{}", "/s/{}/cart", "?sid={}"])
def test_urls_in_the_text_of_a_page_do_not_make_it_different(said):
    traps = Traps(Limits(pattern_repeats=10))
    feed(traps, months(30), text=lambda number: f"Our shop {said.format(spelled(number))}")
    assert bool(traps.blocked) is (said != "{}")


def test_combinations_of_parameters_are_one_trap_though_each_is_a_pattern_of_its_own():
    traps = Traps(Limits(pattern_repeats=10))
    names = [f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    assert feed(traps, [f"/goods?{name}=1" for name in names]) == 10 * ANY_QUERY + 1
    assert traps.blocked == {f"{BASE}/goods?"}
    assert traps.refusal(f"{BASE}/goods?new=1", f"{BASE}/goods?old=1").rule == "trap"
    assert traps.refusal(f"{BASE}/goods", f"{BASE}/goods?old=1") is None


def test_a_pattern_with_different_pages_goes_on_when_others_of_its_path_are_blocked():
    traps = Traps(Limits(pattern_repeats=5))
    feed(traps, [f"/index.php?article={number}" for number in range(10)], text=different)
    feed(traps, [f"/index.php?{a}{b}=1" for a in "abcdefghij" for b in "klmnopqrst"])
    assert traps.blocked == {f"{BASE}/index.php?"}
    assert traps.refusal(f"{BASE}/index.php?article=99", f"{BASE}/index.php?zz=1") is None
    assert traps.refusal(f"{BASE}/index.php?zz=99", f"{BASE}/index.php?zz=1").rule == "trap"


# -- duplicate content ---------------------------------------------------------------------------


def copies(traps, count, **facts):
    for number in range(count):
        traps.fetched(Page(f"{BASE}/{spelled(number)}", content_hash="same", **facts), ())


def test_the_links_of_many_copies_are_not_followed():
    traps = Traps(Limits(pattern_repeats=10))
    copies(traps, 10)  # the first one is the original
    assert traps.refusal(f"{BASE}/new", f"{BASE}/{spelled(9)}") is None
    traps.fetched(Page(f"{BASE}/last", content_hash="same"), ())
    refusal = traps.refusal(f"{BASE}/new", f"{BASE}/{spelled(9)}")
    assert refusal.rule == "duplicate-content"
    assert refusal.detail == {"page": f"{BASE}/aaa", "copies": 10}
    assert traps.refusal(f"{BASE}/new", f"{BASE}/aaa") is None  # the first one is no copy
    assert traps.refusal(f"{BASE}/new", f"{BASE}/elsewhere") is None


def test_dated_copies_are_files():
    traps = Traps(Limits(pattern_repeats=10))
    copies(traps, 50, last_modified=DATE)
    assert traps.refusal(f"{BASE}/new", f"{BASE}/{spelled(9)}") is None


# -- from one run to the next --------------------------------------------------------------------


@pytest.mark.parametrize("pages", [0, 1, 5, 10, 11, 30])
def test_a_detector_restored_from_data_goes_on_where_it_was(pages):
    whole, first, second = (Traps(Limits(pattern_repeats=10)) for _ in range(3))
    urls = months(40)
    feed(whole, urls)
    feed(first, urls[: pages + 1])
    for pattern, blocked, recent, different in first.changes():
        saved = json.loads(json.dumps([blocked, [*map(int, recent)], [*different]]))
        second.restore_pattern(pattern, *saved)
    assert second.blocked == first.blocked
    before = [f"{BASE}/", BASE + urls[0]]
    for number, url in enumerate(urls[pages + 1 :], pages + 1):
        if second.refusal(BASE + url, before[-1]) is None:
            second.fetched(Page(BASE + url, text=f"{COMMON} {number}"), before)
        before.append(BASE + url)
    assert second.blocked == whole.blocked


def test_only_what_has_changed_is_saved():
    traps = Traps(Limits())
    feed(traps, months(5))
    assert [pattern for pattern, *_ in traps.changes()] == [f"{BASE}/calendar/#"]
    assert [*traps.changes()] == []


# -- quotas --------------------------------------------------------------------------------------


def test_pages_of_a_host_and_of_a_pattern_are_counted():
    traps = Traps(Limits(host_pages=3))
    assert [begin(traps, f"{BASE}/{name}") for name in "abcd"] == [True, True, True, False]
    assert traps.used_up(f"{BASE}/e", HOST).rule == "host-pages"
    assert begin(traps, "http://b.example/a", "b.example")
    traps = Traps(Limits(pattern_pages=2))
    assert [begin(traps, f"{BASE}/{n}") for n in range(3)] == [True, True, False]
    assert traps.used_up(f"{BASE}/9", HOST).rule == "pattern-pages"
    assert begin(traps, f"{BASE}/a")


def test_what_turned_out_to_be_no_page_does_not_count():
    traps = Traps(Limits(host_pages=1, pattern_pages=1))
    assert begin(traps, f"{BASE}/1")
    traps.count(f"{BASE}/1", HOST, -1)
    assert begin(traps, f"{BASE}/2")
    assert not begin(traps, f"{BASE}/3")


def test_pages_of_earlier_runs_count():
    traps = Traps(Limits(host_pages=1))
    traps.count(f"{BASE}/1", HOST)
    assert traps.used_up(f"{BASE}/2", HOST).rule == "host-pages"


def test_memory_is_bounded():
    traps = Traps(Limits(pattern_repeats=1000))
    for number in range(MAX_KNOWN + 100):
        url = f"{BASE}/{spelled(number)}"
        begin(traps, url)
        traps.fetched(Page(url, content_hash=str(number // 2)), ())
    feed(traps, months(100), text=different)
    assert len(traps._patterns) <= MAX_KNOWN
    assert len(traps._copies) <= MAX_KNOWN
    assert max(len(known.different) for known in traps._patterns.values()) <= FINGERPRINTS
