import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.simhash import NEAR, distance, near
from minisearch.models import Link, Page
from minisearch.parse.fingerprints import title_subject, with_fingerprints
from minisearch.parse.reader import content_hash

URL = "http://a.example/x"
WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]


def prose(seed, count=100):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def page(text, title="", menu=()):
    links = tuple(Link(URL, anchor) for anchor in menu)
    return Page(URL, title, text="\n".join([*menu, text]), links=links)


def test_the_words_of_a_page_are_counted_without_its_menu():
    assert with_fingerprints(page("two words", menu=["Home", "About us"])).words == 2


def test_a_page_without_text_says_nothing():
    assert with_fingerprints(Page(URL)).simhash == 0


def test_little_text_under_a_long_menu_is_distinguished():
    menu = [f"Item {prose(n, 3)}" for n in range(500)]
    one, other = (with_fingerprints(page(f"adds {kind} to the series", menu=menu)) for kind in ("numbers", "strings"))
    assert distance(one.simhash, other.simhash) > NEAR


def test_lists_of_links_with_the_same_words_around_them_are_distinguished():
    lists = ([f"Story {prose(n, 4)}" for n in range(start, start + 20)] for start in (0, 100))
    one, other = (with_fingerprints(page(prose(1, 50), "News", menu)) for menu in lists)
    assert distance(one.simhash, other.simhash) > NEAR


def test_a_menu_with_one_more_entry_changes_little():
    menu = [f"Item {prose(n, 3)}" for n in range(200)]
    one, other = (with_fingerprints(page(prose(1, 400), menu=shown)) for shown in (menu, [*menu, "New"]))
    assert near(one.simhash, other.simhash, 400)


def test_the_outline_is_the_same_where_only_numbers_differ():
    one, other = (with_fingerprints(page(f"{prose(1)} printed on {day}, for the {day}th time")) for day in (1, 12))
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
    assert with_fingerprints(one).outline != with_fingerprints(other).outline


@pytest.mark.parametrize(
    "text", ["short", prose(1, 63), prose(1) + " 1977" * 20], ids=["short", "rather short", "numbers"]
)
def test_there_is_no_outline_where_numbers_may_matter(text):
    assert with_fingerprints(page(text)).outline == ""


@given(st.text(), st.text(), st.text())
def test_any_page_has_fingerprints(title, text, anchor):
    found = with_fingerprints(Page(URL, title, text=text, links=(Link(URL, anchor),)))
    assert 0 <= found.simhash < 1 << 64
    assert 0 <= found.subject < 1 << 31


def test_pages_of_one_subject_have_one_number():
    numbers = {
        with_fingerprints(Page(URL, title)).subject for title in ("Roses 1.2", "roses", "Roses (print)", "Tulips")
    }
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
def test_versions_and_presentation_are_no_part_of_a_subject(one, other):
    assert title_subject(one, "http://a.example/x") == title_subject(other, "http://a.example/x")


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
    assert title_subject(one, "http://a.example/x") != title_subject(other, "http://a.example/x")


def test_a_number_is_a_version_if_it_is_a_folder_of_the_url():
    subjects = {title_subject(f"Class List (Java SE {n})", f"http://a.example/{n}/List.html") for n in (17, 21)}
    assert len(subjects) == 1
    assert len({title_subject(f"Part {n}", f"http://a.example/book/{n}") for n in (17, 21)}) == 2


def test_a_long_text_has_fingerprints_too():
    long = page(prose(1, 100_000), menu=["Home"])
    assert with_fingerprints(long).words == 100_000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Page(URL, "a", text="one"), Page("http://b.example/", "a", text="one"), True),
        (Page(URL, "a", text="one"), Page(URL, "a", text="two"), False),
        (Page(URL, "a", text="one"), Page(URL, "b", text="one"), False),
        (Page(URL, "a", "x", text="one"), Page(URL, "a", "y", text="one"), False),
    ],
)
def test_the_content_hash_is_equal_for_equal_content(one, other, same):
    assert (content_hash(one) == content_hash(other)) is same


def test_the_body_is_hashed_of_a_page_without_text():
    assert content_hash(Page(URL), b"1") != content_hash(Page(URL), b"2")
