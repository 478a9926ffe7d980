"""Links that are sent by their numbers arrive as they were, however soon a register is full."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.register import LETTERS, MOST, PlainReader, PlainWriter, reader, writer
from minisearch.native.loops import compiled
from minisearch.records import Link

needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")

links = st.builds(Link, st.text("ab/é", max_size=4), st.text("xž\U0001f408\ud800", max_size=4), st.booleans())
bounds = st.tuples(st.integers(0, 6), st.integers(0, 40))


@st.composite
def sites(draw):
    """The links of some pages, many of them the same objects."""
    some = draw(st.lists(links, max_size=8))
    page = st.lists(st.sampled_from(some) | links if some else links, max_size=10).map(tuple)
    return draw(st.lists(page, max_size=8))


@given(sites(), bounds)
def test_any_pages_arrive_as_they_were_sent(pages, bounds):
    ends = [(writer(*bounds), reader()), (PlainWriter(*bounds), PlainReader())]
    for page in pages:
        for sender, taker in ends:
            arrived = taker.read(sender.write(page))
            assert arrived == page
            assert all(type(link) is Link and type(link.nofollow) is bool for link in arrived)


@needed
@given(sites(), bounds)
def test_both_writers_write_the_same(pages, bounds):
    compiled_one, plain = compiled.LinkWriter(*bounds), PlainWriter(*bounds)
    for page in pages:
        assert compiled_one.write(page) == plain.write(page)


both = pytest.mark.parametrize(
    ("sender", "taker"),
    [(PlainWriter, PlainReader), pytest.param(writer, reader, marks=needed)],
    ids=["plain", "compiled"],
)


@both
def test_a_link_that_was_sent_before_is_a_number_and_arrives_as_the_same_object(sender, taker):
    sender, taker, link = sender(), taker(), Link("http://a/b", "b")
    first = taker.read(sender.write((link,)))
    assert sender.write((link, link)) == ([], b"", [], b"", array("I", [0, 0]).tobytes(), False)
    assert taker.read(([], b"", [], b"", array("I", [0, 0]).tobytes(), False)) == (link, link)
    assert taker.read(sender.write((link,)))[0] is first[0]


@both
def test_a_url_that_was_sent_before_is_a_number_too(sender, taker):
    sender, taker = sender(), taker()
    sent = sender.write((Link("http://a/b", "b"), Link("http://a/b", "or so")))
    assert sent[0] == ["http://a/b"]
    one, other = taker.read(sent)
    assert one.url is other.url


@both
def test_a_register_that_is_full_is_begun_anew_by_both(sender, taker):
    sender, taker, link = sender(2, 1000), taker(), Link("a", "b")
    pages = [(link, Link("c")), (Link("d"), link), (link,)]
    written = [sender.write(page) for page in pages]
    assert [is_full for *_, is_full in written] == [False, True, False]
    assert written[2][2] == ["b"]
    assert [taker.read(each) for each in written] == pages


@both
@pytest.mark.parametrize("link", [Link("http://a/" + "b" * 2000, "c"), Link("a", "b" * 200)], ids=["url", "words"])
def test_long_links_fill_a_register(sender, taker, link):
    sender, count = sender(), 0
    while not sender.write((link._replace(url=f"{link.url}{count}"),))[-1]:
        count += 1
    assert count < MOST
    assert count * max(map(len, link[:2])) <= LETTERS


@both
def test_what_was_written_by_another_is_not_taken_for_a_page(sender, taker):
    sender, link = sender(), Link("a", "b")
    sender.write((link,))
    with pytest.raises((IndexError, ValueError)):
        taker().read(sender.write((link,)))


@needed
@pytest.mark.parametrize(
    "wrong", [[], (1,), (("a", "b"),), (("a", "b", "c", "d"),), ((b"a", "b", True),), (("a", 1, True),)]
)
def test_what_is_no_link_is_not_written(wrong):
    with pytest.raises(TypeError):
        compiled.LinkWriter(9, 9).write(wrong)


@needed
@pytest.mark.parametrize(
    "wrong",
    [
        1,
        (),
        ([], b"", [], b"", b"", None, 1),
        ((), b"", [], b"", b"", False),
        (["a"], b"", ["b"], b"", b"", False),
        (["a"], bytes(4), ["b"], b"", b"", False),
        (["a"], b"\1\0\0\0", ["b"], b"\0", b"", False),
        (["a"], bytes(4), ["b"], b"\0", b"\1\0\0\0", False),
        (["a"], bytes(4), ["b"], b"\0", b"\xff\xff\xff\xff", False),
    ],
)
def test_what_nobody_has_written_is_not_read(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.LinkReader(Link).read(wrong)


@needed
@pytest.mark.parametrize("wrong", [int, "x"])
def test_what_is_no_tuple_is_no_link(wrong):
    with pytest.raises(TypeError):
        compiled.LinkReader(wrong)
