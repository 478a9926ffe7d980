"""Links that are sent by their numbers arrive as they were, however soon a register is full."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.register import LETTERS, MOST, LinkReader, LinkWriter
from minisearch.records import Link

links = st.builds(
    Link,
    st.text("ab/é", max_size=4),
    st.text("xž\U0001f408\ud800", max_size=4),
    st.booleans(),
    st.text("f", max_size=1),
)
bounds = st.tuples(st.integers(0, 6), st.integers(0, 40))


@st.composite
def sites(draw):
    """The links of some pages, many of them the same objects."""
    some = draw(st.lists(links, max_size=8))
    page = st.lists(st.sampled_from(some) | links if some else links, max_size=10).map(tuple)
    return draw(st.lists(page, max_size=8))


@given(sites(), bounds)
def test_any_pages_arrive_as_they_were_sent(pages, bounds):
    sender, taker = LinkWriter(*bounds), LinkReader()
    for page in pages:
        arrived = taker.read(sender.write(page))
        assert arrived == page
        assert all(type(link) is Link and type(link.nofollow) is bool for link in arrived)


def test_a_link_that_was_sent_before_is_a_number_and_arrives_as_the_same_object():
    sender, taker, link = LinkWriter(), LinkReader(), Link("http://a/b", "b")
    first = taker.read(sender.write((link,)))
    assert sender.write((link, link)) == ([], b"", [], b"", [], array("I", [0, 0]).tobytes(), False)
    assert taker.read(([], b"", [], b"", [], array("I", [0, 0]).tobytes(), False)) == (link, link)
    assert taker.read(sender.write((link,)))[0] is first[0]


def test_a_url_that_was_sent_before_is_a_number_too():
    sender, taker = LinkWriter(), LinkReader()
    sent = sender.write((Link("http://a/b", "b"), Link("http://a/b", "or so")))
    assert sent[0] == ["http://a/b"]
    one, other = taker.read(sent)
    assert one.url is other.url


def test_a_register_that_is_full_is_begun_anew_by_both():
    sender, taker, link = LinkWriter(2, 1000), LinkReader(), Link("a", "b")
    pages = [(link, Link("c")), (Link("d"), link), (link,)]
    written = [sender.write(page) for page in pages]
    assert [is_full for *_, is_full in written] == [False, True, False]
    assert written[2][2] == ["b"]
    assert [taker.read(each) for each in written] == pages


@pytest.mark.parametrize("link", [Link("http://a/" + "b" * 2000, "c"), Link("a", "b" * 200)], ids=["url", "words"])
def test_long_links_fill_a_register(link):
    sender, count = LinkWriter(), 0
    while not sender.write((link._replace(url=f"{link.url}{count}"),))[-1]:
        count += 1
    assert count < MOST
    assert count * max(map(len, link[:2])) <= LETTERS


def test_what_was_written_by_another_is_not_taken_for_a_page():
    sender, link = LinkWriter(), Link("a", "b")
    sender.write((link,))
    with pytest.raises((IndexError, ValueError)):
        LinkReader().read(sender.write((link,)))
