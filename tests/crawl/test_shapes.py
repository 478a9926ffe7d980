import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.shapes import is_ordinary, shape
from minisearch.urls import normalize

BASE = "http://a.example"


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
def test_urls_that_differ_in_numbers_and_ids_only_are_of_one_shape(one, other):
    assert shape(BASE + one) == shape(BASE + other)


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
def test_urls_that_differ_in_words_are_not(one, other):
    assert shape(BASE + one) != shape(BASE + other)


def test_the_same_path_on_another_host_is_another_shape():
    assert shape("http://a.example/1") != shape("http://b.example/1")


@given(st.text())
def test_every_url_has_a_shape(path):
    url = normalize("http://a.example/" + path.replace("#", ""))
    assert shape(url).startswith("http://a.example/")


@pytest.mark.parametrize(
    ("path", "ordinary"), [("/", True), ("/list.html", True), ("/p/2", False), ("/list?a=b", False)]
)
def test_an_ordinary_url_stands_for_itself(path, ordinary):
    assert is_ordinary(BASE + path) is ordinary
