"""Pages arrive as they were sent, and records are put together from their columns."""

from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.travel import Packer, Unpacker, columns, rows
from minisearch.records import Failed, Heading, Link, Page

MENU = tuple(Link(f"http://a/{n}", f"Page {n}") for n in range(100))
FULL = Page(
    "http://a/",
    title="A",
    headings=(Heading(1, "One", 0, "top"), Heading(2, "Two", 9)),
    text="One and Two",
    links=(*MENU, Link("http://a/b", "b", nofollow=True), Link("http://a/č", "č")),
    odd_links=("mailto:a@b",),
    sketch=(1, 2),
    html=b"\0\1",
)


def test_records_arrive_as_they_were_sent():
    pack, unpack = Packer(), Unpacker()
    sent = [FULL, Failed("b", "for a reason", "rule"), Page("c"), (FULL, b"and more"), [FULL, FULL], FULL]
    arrived = [unpack(pack(record)) for record in sent]
    assert arrived == sent
    assert all(type(heading) is Heading for heading in arrived[0].headings)


def test_links_travel_once():
    pack, unpack = Packer(), Unpacker()
    first, second = pack(FULL), pack(FULL)
    assert len(second) < len(first) / 2
    one, other = unpack(first), unpack(second)
    assert all(link is again for link, again in zip(one.links, other.links, strict=True))


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans(), st.text()), min_size=1))
def test_records_are_put_together_from_their_columns(some):
    found = rows(Link, tuple(zip(*some, strict=True)))
    assert found == tuple(Link(*row) for row in some)
    assert all(isinstance(link, Link) for link in found)


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans(), st.text())))
def test_records_are_taken_apart_into_columns(some):
    assert columns(tuple(Link(*row) for row in some)) == tuple(zip(*some, strict=True))
