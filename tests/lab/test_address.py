"""A web in the address of a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab import address
from minisearch.lab.presets import presets
from minisearch.lab.webs import Web

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda name: name == name.strip() and name
)


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_a_preset_comes_back_as_it_was(preset):
    assert address.read(address.written(preset.web())) == preset.web()


@given(st.lists(names, min_size=1, max_size=6, unique=True), st.data())
def test_any_web_comes_back_as_it_was(pages, data):
    ends = st.sampled_from(pages)
    links = data.draw(st.lists(st.tuples(ends, ends, st.floats(1e-6, 1e6)), max_size=12))
    web = Web.of(pages, links)
    back = address.read(address.written(web))
    assert back.names == web.names
    assert back.links() == pytest.approx(web.links()) if not links else back == web


def test_a_page_that_is_only_linked_to_is_a_page_too():
    assert address.read("A:C;B").names == ("A", "B", "C")


@pytest.mark.parametrize("text", ["", ";;", ":B", "A:B*x", "A:B*-1", "A:B*0"])
def test_what_is_no_web_is_told(text):
    with pytest.raises(BadInput):
        address.read(text)
