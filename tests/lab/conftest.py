"""Webs for hypothesis to draw, and files with graphs in them."""

import pytest
from hypothesis import strategies as st

from minisearch.lab.webs import Web, letter

ONCE = st.just(1.0)


@st.composite
def drawn_webs(draw, most=7, weights=ONCE):
    """Webs of a few pages called A, B, C ..., with loops and repeated links."""
    n = draw(st.integers(1, most))
    ends = st.integers(0, n - 1)
    links = draw(st.lists(st.tuples(ends, ends, weights), max_size=3 * n))
    return Web.numbered([letter(page) for page in range(n)], *([link[side] for link in links] for side in range(3)))


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Puts text or bytes into a file in a folder of its own, and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    return write
