"""How much of a page is read: elements, nesting, links."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from minisearch.parse import html as extract
from minisearch.parse import page as rules
from minisearch.parse import soup

URL = "http://a.example/"
both = pytest.mark.parametrize("reader", [extract.extract, soup.extract], ids=["fast", "soup"])
PEARL = '<p>The pearl lies at the bottom. <a href="/b">below</a></p>'


@pytest.mark.parametrize(
    "markup",
    [
        "<dl><dt>" * 200 + "word " * 1_000_000,
        "<dl><dt>" * 5_000 + "word " * 10_000,
        "<div>" * 7_000 + "<dl>" + "<dt>a.b" * 7_000,
        "<div>" * 7_000 + "<link rel=canonical href=/x>" * 7_000,
    ],
    ids=lambda markup: markup[:60:20] + markup[-12:],
)
def test_what_is_above_or_inside_an_element_is_not_read_again_for_each(markup):
    began = time.process_time()
    extract.extract(markup, URL)
    assert time.process_time() - began < 10  # below 1 on an idle machine; a runaway takes minutes


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 9_000 + PEARL + "</div>" * 9_000,
        "<b>" * 10_000 + PEARL + "</b>" * 10_000,
        "<blockquote>" * 9_000 + PEARL,
        "<table><tr><td>" * 3_000 + PEARL,
        "<ul><li>" * 5_000 + PEARL,
        PEARL + "<a href=/x>x" * 5_000,
        PEARL + "<div <div <div " * 1_000,
        PEARL + "</div>" * 50_000,
        PEARL + "<div>" * 100_000,
        PEARL + "<" + "x" * 500_000,
        "<svg>" + "<path d=M1/>" * 50_000 + "</svg>" + PEARL,
    ],
    ids=lambda markup: markup.replace(PEARL, "")[:12],
)
def test_deep_pages_are_read(markup):
    began = time.process_time()
    page = extract.extract(f"<title>Deep</title>{markup}", URL)
    assert time.process_time() - began < 10
    assert page.title == "Deep"
    assert "The pearl lies at the bottom." in page.text
    assert "http://a.example/b" in {link.url for link in page.links}


@both
def test_elements_are_read_up_to_a_number(reader, monkeypatch):
    monkeypatch.setattr(rules, "MAX_ELEMENTS", 100)
    monkeypatch.setattr(rules, "MAX_NESTING", 50)
    read, unread = "<p>one</p>" * 99 + '<p class="x">two</p>', "<!-- not read --><p>four"
    page = reader(read + unread, URL)
    assert page.text == "one\n" * 99 + "two"
    assert page.unread == len("<p>four")
    assert reader("<p>one</p>" * 100, URL).unread == 0
    page = reader("x</p>" * 101 + "y", URL)
    assert (page.text.split(), page.unread) == (["x"] * 101, len("</p>y"))


@both
def test_elements_are_read_up_to_a_nesting(reader, monkeypatch):
    monkeypatch.setattr(rules, "MAX_NESTING", 50)
    page = reader("<div>" * 50 + "deep" + "<div>deeper" * 5, URL)
    assert page.text == "deep"
    assert page.unread == len("<div>deeper") * 5
    assert reader("<div><p>x</div>" * 100, URL).unread == 0
    assert reader("<li><b>x<br>" * 100, URL).unread == 0


def test_no_page_of_a_usual_size_is_cut():
    listing = '<a href=#1 id=1>1</a> <span class="kw">let</span> x = <span class="number">1</span>;\n' * 120_000
    assert len(listing) > 9_000_000
    assert rules.prepare(listing) == (listing, 0)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux shows how large a process has been")
@pytest.mark.parametrize("element", ["<p>x", "<td>x"])
def test_no_page_of_ten_megabytes_takes_a_gigabyte(element):
    script = f"""
import re
from minisearch.parse.html import extract
markup = "<table><tr>" * {element == "<td>x"} + {element!r} * (9_900_000 // {len(element)})
extract(markup, "http://a.example/")
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=100)
    assert int(done.stdout) * 1024 < 700_000_000


@both
@pytest.mark.parametrize("value", ["data:image/png;base64," + "A" * 200_000, '{"one": 1, "two": [2, 3]} ' * 10_000])
def test_a_long_attribute_is_no_trouble(reader, value):
    page = reader(f"<a href=/b data-x='{value}'>below</a>", URL)
    assert [link.url for link in page.links] == ["http://a.example/b"]
