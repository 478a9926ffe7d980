from collections import deque

import pytest

from minisearch.crawl import copies as module
from minisearch.crawl.copies import Copies
from minisearch.crawl.tallies import WINDOW
from minisearch.crawl.traps import CROWD, NAMED
from minisearch.limits import Limits
from minisearch.records import Page

SITE = "http://a.example"
LIMITS = Limits(shape_alike=4)
MOST = LIMITS.shape_alike * CROWD


def meet(copies, count, *, said=lambda _: "same", end="", **facts):
    """A home page, a page found on it, and so many each found on the one before."""
    found_on = f"{SITE}/"
    copies.fetched(Page(found_on, content_hash="same"), str)
    for number in range(1 + count):
        url = f"{found_on.removesuffix(end)}a/{end}"
        copies.fetched(Page(url, content_hash=said(number), **facts), lambda found_on=found_on: found_on)
        found_on = url
    return found_on


def test_what_is_found_on_copies_is_put_to_sleep_when_it_was_copies_again_and_again():
    copies = Copies(LIMITS)
    meet(copies, MOST - 1)
    assert not copies.asleep
    last = meet(copies, MOST)
    verdict = copies.judge(f"{last}a/", last)
    assert (verdict.rule, verdict.url) == ("copies", f"{last}a/")
    assert verdict.reason == (
        f"put to sleep: all urls found on copies of {SITE}/, for of the last {round(MOST * WINDOW)} pages there "
        f"{MOST} said nearly the same as others before"
    )
    assert copies.judge(f"{SITE}/b", f"{SITE}/") is None  # what stands on the page itself is visited
    assert copies.judge(f"{SITE}/b", f"{SITE}/else") is None


@pytest.mark.parametrize(
    "facts",
    [
        {"said": str},  # nothing is a copy
        {"said": lambda number: "same" if number % 2 else str(number)},  # found on what is none
        {"last_modified": "Mon, 01 Jan 2024 00:00:00 GMT"},
        {"end": "index.html"},
    ],
    ids=["different", "by turns", "dated", "named"],
)
def test_honest_pages_are_no_trap(facts):
    copies = Copies(LIMITS)
    meet(copies, MOST * NAMED // 2, **facts)
    assert not copies.asleep


@pytest.mark.parametrize("count", [2, 8])
def test_a_handful_of_pages_told_everywhere_is_a_trap_like_one(count):
    copies, texts, asked = Copies(LIMITS), [f"text {number}" for number in range(count)], 0
    waiting = deque([(f"{SITE}/", "")])
    while waiting and asked < 2 * count * (LIMITS.shape_alike + MOST * WINDOW):
        url, found_on = waiting.popleft()
        if found_on and copies.judge(url, found_on):
            continue
        asked += 1
        said = url.removesuffix("/").rpartition("/")[2].replace("-", " ")
        copies.fetched(Page(url, content_hash=said), lambda found_on=found_on: found_on)
        waiting += [(f"{url}{text.replace(' ', '-')}/", url) for text in texts]
    assert not waiting


def test_lists_that_all_read_the_same_are_no_trap_nor_are_those_that_they_list():
    copies, home = Copies(LIMITS), f"{SITE}/"
    copies.fetched(Page(home, content_hash="home"), str)
    for year in range(MOST):
        copies.fetched(Page(f"{home}{year}/", content_hash="year"), lambda: home)
    for year in range(MOST):
        for month in range(12):
            url, listed_on = f"{home}{year}/{month}/", f"{home}{year}/"
            copies.fetched(Page(url, content_hash="month"), lambda listed_on=listed_on: listed_on)
    assert not copies.asleep


@pytest.mark.parametrize("versions", [2, LIMITS.shape_alike])
def test_another_version_of_a_site_is_no_trap_though_each_of_its_pages_is_a_copy(versions):
    copies = Copies(LIMITS)
    for version in range(versions):
        home = f"{SITE}/{version}/"
        copies.fetched(Page(home, content_hash="home"), str)
        for number in range(2 * MOST):
            copies.fetched(Page(f"{home}{number}", content_hash=str(number)), lambda home=home: home)
    assert not copies.asleep


@pytest.mark.parametrize(
    ("text", "sleeps"),
    [
        ("Welcome. Go on to /s/{name}/{number} now", True),
        ("Welcome. {number} were here", True),
        ("Welcome to {name}", False),
        ("Name Size {name}/ {number}", False),  # of a folder: others lie in it
        ("/{number}", False),  # no words at all
        ("Welcome. {number}. " + "Much to read. " * 200, False),
    ],
    ids=["address", "number", "word", "folder", "silent", "long"],
)
def test_in_short_pages_numbers_and_addresses_do_not_count(text, sleeps):
    copies, found_on = Copies(LIMITS), f"{SITE}/"
    for number in range(2 * MOST):
        url = f"{found_on}a/"
        said = text.format(number=number, name=f"oak{'abcdefghijklmnopqrstuvwx'[number]}")
        copies.fetched(Page(url, text=said, content_hash=str(number)), lambda found_on=found_on: found_on)
        found_on = url
    assert bool(copies.asleep) is sleeps


def test_copies_that_lead_to_something_else_are_no_trap():
    copies = Copies(LIMITS)
    for number in range(10 * MOST):
        copies.fetched(Page(f"{SITE}/{number}", content_hash="same"), lambda number=number: f"{SITE}/{number - 1}")
        copies.fetched(Page(f"{SITE}/{number}/b", content_hash=str(number)), lambda number=number: f"{SITE}/{number}")
    assert not copies.asleep


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(module, "MOST_KNOWN", 10)
    copies = Copies(LIMITS)
    for number in range(50):
        copies.fetched(Page(f"{SITE}/{number}", content_hash=str(number % 25)), str)
    meet(copies, 2 * MOST)
    assert len(copies._firsts) == len(copies._copied) == 10
    assert copies.asleep
