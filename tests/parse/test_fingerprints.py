import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.simhash import NEAR, distance, near
from minisearch.parse.fingerprints import likeness, subject
from minisearch.records import Link, Page

URL = "http://a.example/x"
WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]


def prose(seed, count=100):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def page(text, title="", menu=()):
    links = tuple(Link(URL, anchor) for anchor in menu)
    return Page(URL, title, text="\n".join([*menu, text]), links=links)


def test_the_words_of_a_page_are_counted_without_its_menu():
    assert likeness(page("two words", menu=["Home", "About us"])).words == 2


def test_a_page_without_text_says_nothing():
    assert likeness(Page(URL)).simhash == 0


def test_little_text_under_a_long_menu_is_told_apart():
    menu = [f"Item {prose(n, 3)}" for n in range(500)]
    one, other = (likeness(page(f"adds {kind} to the series", menu=menu)) for kind in ("numbers", "strings"))
    assert distance(one.simhash, other.simhash) > NEAR


def test_lists_of_links_with_the_same_words_around_them_are_told_apart():
    lists = ([f"Story {prose(n, 4)}" for n in range(start, start + 20)] for start in (0, 100))
    one, other = (likeness(page(prose(1, 50), "News", menu)) for menu in lists)
    assert distance(one.simhash, other.simhash) > NEAR


def test_a_menu_with_one_more_entry_changes_little():
    menu = [f"Item {prose(n, 3)}" for n in range(200)]
    one, other = (likeness(page(prose(1, 400), menu=shown)) for shown in (menu, [*menu, "New"]))
    assert near(one.simhash, other.simhash, 400)


def test_the_outline_is_the_same_where_only_numbers_differ():
    one, other = (likeness(page(f"{prose(1)} printed on {day}, for the {day}th time")) for day in (1, 12))
    assert one.outline == other.outline != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (page(f"{prose(1)} red"), page(f"{prose(1)} blue")),
        (page(prose(1), "Part 1"), page(prose(1), "Part 2")),
        (page(prose(1), menu=["Home"]), page(prose(1), menu=["Start"])),
    ],
    ids=["a word", "the title", "the menu"],
)
def test_the_outline_differs_with_anything_else(one, other):
    assert likeness(one).outline != likeness(other).outline


@pytest.mark.parametrize(
    "text", ["short", prose(1, 63), prose(1) + " 1977" * 20], ids=["short", "rather short", "numbers"]
)
def test_there_is_no_outline_where_numbers_may_matter(text):
    assert likeness(page(text)).outline == ""


@given(st.text(), st.text(), st.text())
def test_any_page_has_a_likeness(title, text, anchor):
    found = likeness(Page(URL, title, text=text, links=(Link(URL, anchor),)))
    assert 0 <= found.simhash < 1 << 64
    assert 0 <= found.subject < 1 << 31


def test_pages_of_one_subject_have_one_number():
    numbers = {likeness(Page(URL, title)).subject for title in ("Roses 1.2", "roses", "Roses (print)", "Tulips")}
    assert len(numbers) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("json — Python 3.11.2 documentation", "json — Python 3.10.9rc1 documentation"),
        ("Roses", "ROSES"),
        ("Roses", "Roses (print version)"),
        ("Roses | v1.2", "Roses"),
        ("1.2", "1.2"),
    ],
)
def test_versions_and_manners_are_no_part_of_a_subject(one, other):
    assert subject(one, "http://a.example/x") == subject(other, "http://a.example/x")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mask_epi32", "mask_epi64"),
        ("Room 101", "Room 102"),
        ("operator+=", "operator-="),
        ("Iter in core::option", "IterMut in core::option"),
        ("pandas.Series.add", "pandas.Series.sub"),
        ("1.2", "1.3"),
        ("C", "C++"),
    ],
)
def test_pages_with_other_names_are_other_pages(one, other):
    assert subject(one, "http://a.example/x") != subject(other, "http://a.example/x")


def test_a_number_is_a_version_if_it_is_a_folder_of_the_url():
    subjects = {subject(f"Class List (Java SE {n})", f"http://a.example/{n}/List.html") for n in (17, 21)}
    assert len(subjects) == 1
    assert len({subject(f"Part {n}", f"http://a.example/book/{n}") for n in (17, 21)}) == 2


def test_a_long_text_has_a_likeness_too():
    long = page(prose(1, 100_000), menu=["Home"])
    assert likeness(long).words == 100_000
