"""Pictures: well-formed, complete, and told in words when they cannot be made."""

import math
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput, NotReady
from minisearch.lab.plots import HEIGHT, MOST_LINES, WIDTH, Chart, Series, png, save, svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart):
    return ElementTree.fromstring(svg(chart))


def test_a_line_goes_through_all_its_points():
    root = drawn(Chart("a < b", "round", "rank", [Series("A", [0, 1, 2], [0.1, 0.2, 0.15])]))
    (line,) = root.iter(f"{SVG}polyline")
    assert len(line.get("points").split()) == 3
    assert root.find(f"{SVG}title").text == "a < b"
    assert {"round", "rank", "A"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_higher_numbers_are_drawn_higher():
    root = drawn(Chart("", "", "", [Series("A", [0, 1], [0.1, 0.2])]))
    (low, high) = next(root.iter(f"{SVG}polyline")).get("points").split()
    assert float(low.split(",")[1]) > float(high.split(",")[1])


def test_powers_of_ten_are_evenly_spaced_and_zero_is_left_out():
    chart = Chart("", "", "", [Series("change", [1, 2, 3, 4], [1.0, 0.1, 0.01, 0.0])], log=True)
    ys = [float(point.split(",")[1]) for point in next(drawn(chart).iter(f"{SVG}polyline")).get("points").split()]
    assert len(ys) == 3
    assert ys[1] - ys[0] == pytest.approx(ys[2] - ys[1], abs=0.2)


def test_dots_have_error_bars_and_names():
    chart = Chart("", "", "", [Series("counted", [0, 1], [0.4, 0.6], errors=[0.1, 0.0], dots=True)], x_names=["A", "B"])
    root = drawn(chart)
    assert len(list(root.iter(f"{SVG}circle"))) == 3  # two dots, and one that explains them
    assert {"A", "B"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_of_many_lines_the_first_are_drawn_and_the_rest_counted():
    root = drawn(Chart("", "", "", [Series(f"page {n}", [0, 1], [n, n]) for n in range(MOST_LINES + 5)]))
    assert len(list(root.iter(f"{SVG}polyline"))) == MOST_LINES
    assert "and 5 more" in {text.text for text in root.iter(f"{SVG}text")}


numbers = st.floats(-1e6, 1e6) | st.just(math.nan)


@given(
    ys=st.lists(numbers, max_size=8),
    log=st.booleans(),
    dots=st.booleans(),
    name=st.text(st.characters(exclude_categories=["Cs", "Cc"])),
)
def test_any_numbers_make_a_picture_inside_its_frame(ys, log, dots, name):
    series = Series(name, list(range(len(ys))), ys, dots=dots)
    name.encode()
    try:
        root = drawn(Chart(name, name, name, [series], log=log))
    except ElementTree.ParseError:
        assert any(ord(letter) in (0xFFFE, 0xFFFF) for letter in name)  # not for XML
        return
    for line in root.iter(f"{SVG}polyline"):
        for point in line.get("points").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT


def test_only_svg_and_png_are_pictures(tmp_path):
    chart = Chart("", "", "", [Series("A", [0], [1])])
    save(chart, str(tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    with pytest.raises(BadInput, match=r"must end with .svg or .png"):
        save(chart, str(tmp_path / "a.pdf"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_a_png_is_drawn_by_matplotlib(tmp_path):
    lines = [Series("A", [0, 1], [0.1, 0.2]), Series("B", [0, 1], [0.1, 0.3], errors=[0.1, 0.1], dots=True)]
    for chart in (Chart("t", "x", "y", lines, log=True), Chart("t", "x", "y", lines, x_names=["p", "q"])):
        assert png(chart).startswith(b"\x89PNG")


def test_without_matplotlib_a_png_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(NotReady, match=r"minisearch\[plots\]"):
        save(Chart("", "", "", [Series("A", [0], [1])]), str(tmp_path / "a.png"))
    assert list(tmp_path.iterdir()) == []
