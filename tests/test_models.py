"""Records travel between processes."""

import copy
import pickle

import pytest

from minisearch.models import Heading, Link, Page

FULL = Page(
    "http://a/",
    title="A",
    headings=(Heading(1, "One", 0, "top"), Heading(2, "Two", 9)),
    text="One and Two",
    links=(Link("http://a/b", "b"), Link("http://a/b", "b", nofollow=True), Link("http://a/č", "č")),
    odd_links=("mailto:a@b",),
    html=b"\0\1",
)


@pytest.mark.parametrize("page", [Page("http://a/"), FULL], ids=["empty", "full"])
def test_a_page_arrives_as_it_was_sent(page):
    arrived = pickle.loads(pickle.dumps(page))
    assert arrived == page == copy.deepcopy(page)
    assert all(type(link) is Link for link in arrived.links)
    assert all(type(heading) is Heading for heading in arrived.headings)
