import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.audit import facts as audit
from minisearch.parse import html as extract
from minisearch.parse import nesting, soup
from minisearch.parse import page as markup_rules
from minisearch.parse.nesting import DEEPEST, FLAT, cut_short, flatten, is_tame

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
def test_what_stands_above_an_element_or_in_it_is_not_read_again_for_each(markup):
    began = time.process_time()
    extract.extract(markup, "http://a.example/")
    assert time.process_time() - began < 3


@both
@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 10_000 + PEARL + "</div>" * 10_000,
        "<div>" * 100_000 + PEARL,
        "<b>" * 10_000 + PEARL + "</b>" * 10_000,
        "<blockquote>" * 10_000 + PEARL,
        "<table><tr><td>" * 3_000 + PEARL,
        "<ul><li>" * 5_000 + PEARL,
        "<span id=a><h2>" * 5_000 + PEARL,
        PEARL + "<a href=/x>x" * 5_000,
        PEARL + "<div <div <div " * 1_000,
        PEARL + "</div>" * 50_000,
        "<div a='<'>" * 50_000 + PEARL,
        PEARL + "<" + "x" * 500_000,
    ],
    ids=lambda markup: markup.replace(PEARL, "")[:12],
)
def test_no_nesting_hides_the_text_or_takes_for_ever(reader, markup):
    began = time.process_time()
    page = reader(f"<title>Deep</title>{markup}", "http://a.example/")
    assert time.process_time() - began < 10
    assert page.title == "Deep"
    assert "The pearl lies at the bottom." in page.text
    assert "http://a.example/b" in {link.url for link in page.links}


@pytest.mark.parametrize(
    "begun",
    [
        "<x",
        "</x",
        "<a 1",
        "<!DOCTYPE x",
        '<!DOCTYPE html PUBLIC "x',
        "<script></x",
        "<title></x",
        "<textarea></x",
        "<style></x",
        "<script><!--<x",
        "<!---",
    ],
)
@pytest.mark.parametrize("reader", [extract.extract, soup.extract, audit.audit], ids=["fast", "soup", "audit"])
def test_no_name_without_end_takes_for_ever(reader, begun):
    began = time.process_time()
    reader(f"<p>The pearl lies before it.</p>{begun}{begun[-1] * 400_000}", "http://a.example/")
    assert time.process_time() - began < 1.5


@both
def test_names_that_are_nearly_too_long_are_each_looked_at_once(reader):
    began = time.process_time()
    reader(f"<a {('x' * 999 + '=') * 600}>", "http://a.example/")
    assert time.process_time() - began < 1


@both
def test_what_follows_a_long_value_is_read(reader):
    markup = f"""<a data-long="{"l" * 30_000}"href="/b" {"n" * 30_000}>below</a><!--{"-" * 5000}--><p>The pearl"""
    page = reader(markup, "http://a.example/")
    assert [link.url for link in page.links] == ["http://a.example/b"]
    assert page.text == "below\nThe pearl"


@both
def test_elements_without_end_are_read_up_to_a_number(reader, monkeypatch):
    monkeypatch.setattr(nesting, "MOST_ELEMENTS", 100)
    read, unread = "<p>one</p>" * 99 + '<p class="x">two < three </p>', "<!-- not > read --><p>four"
    page = reader(read + unread, "http://a.example/")
    assert page.text == "one\n" * 99 + "two"
    assert page.unread == len("< three </p>" + unread)
    assert reader("<p>one</p>" * 100, "http://a.example/").unread == 0
    page = reader("x</p>" * 101 + "y", "http://a.example/")
    assert (page.text.split(), page.unread) == (["x"] * 101, len("</p>y"))


@both
def test_of_links_without_end_the_first_are_read_and_the_urls_of_the_others_counted(reader, monkeypatch):
    monkeypatch.setattr(markup_rules, "MOST_LINKS", 3)
    local = "<a href=#a>a</a> <a href=#b>#</a>"
    links = "".join(f"<a href=/{path}>{path}</a> " for path in ("a", "b", "a", "b", "c", "d", "c"))
    page = reader(f"{local}{links}<a name=e>e</a>", "http://a.example/")
    assert [link.anchor for link in page.links] == ["a", "b", "a"]
    assert page.untaken == 2
    assert page.text == "a a b a b c d c e"


def test_no_page_of_an_honest_size_is_cut_short():
    listing = '<a href=#1 id=1>1</a> <span class="kw">let</span> x = <span class="number">1</span>;\n' * 120_000
    assert len(listing) > 9_000_000
    assert cut_short(listing) is listing


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how large a process has been")
@pytest.mark.parametrize("element", ["<p>x", "<td>x"])
def test_no_page_of_ten_megabytes_takes_a_gigabyte(element):
    # Not what is told of its resources, for that begins with the size of the process it came from.
    script = f"""
import re
from minisearch.parse.html import extract
markup = "<table><tr>" * {element == "<td>x"} + {element!r} * (9_900_000 // {len(element)})
extract(markup.encode(), "http://a.example/")
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=100)
    assert int(told.stdout) * 1024 < 700_000_000


def depth(markup):
    """How deep elements are nested, taken literally."""
    now = deepest = 0
    for piece in markup.split("<")[1:]:
        now += -1 if piece.startswith("/") else 1
        deepest = max(now, deepest)
    return deepest


@pytest.mark.parametrize("count", [1, DEEPEST, DEEPEST + 1, 2 * DEEPEST])
def test_tags_past_the_depth_are_left_out_with_their_ends(count):
    flat = flatten("<div>" * count + "x" + "</div>" * count + "<p>after</p>", many=0)
    assert depth(flat) == min(count, DEEPEST)
    assert flat.count("<div>") == flat.count("</div>")
    assert flat.endswith("</div><p>after</p>")


def test_a_page_with_few_tags_is_not_looked_at():
    markup = "<div>" * 5000
    assert flatten(markup) is markup


def test_what_ends_by_itself_does_not_count():
    markup = "".join(f"<{tag}>x" for tag in sorted(FLAT)) * 500
    assert flatten(markup, many=0) == markup


@both
@pytest.mark.parametrize("begun", ["<", "</", "<d", "<di", "<div a="])
def test_what_is_left_out_leaves_no_tag_behind_that_nobody_wrote(reader, begun):
    markup = "<div>" * DEEPEST + f"{begun}<b>{'div>'[len(begun.strip('</')) :]} x " * 10
    assert flatten(markup, many=0).lower().count("<div") == DEEPEST + 10 * begun.startswith("<div")
    assert "x" in reader(markup, "http://a.example/").text


@given(st.lists(st.sampled_from(["<div>", "</div>", "<b class=x>", "</b>", "<p>", "text ", "<", ">", "<br>"])))
def test_markup_that_is_not_deep_stays_as_it_is(pieces):
    assert flatten("".join(pieces), many=0) == "".join(pieces)


TAGS = [
    "<div>",
    "</div>",
    "<b class=x>",
    "</B>",
    "<tbody>",
    "</tbody>",
    "</x>",
    "<p>",
    "</p>",
    "x",
    "<!-- <",
    "<br/>",
    "<",
]


@given(st.lists(st.sampled_from(TAGS), max_size=60))
def test_what_is_tame_needs_no_flattening(pieces):
    markup = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nesting, "MANY", 0)
        patch.setattr(nesting, "DEEPEST", 3)
        assert flatten(markup, many=0) == markup or not is_tame(markup.encode())


def test_a_long_page_is_tame_if_its_elements_end():
    assert is_tame(b"<div><span>a</span> <code>b</code><br></div>" * 20_000)
    assert not is_tame(b"<div><span>a</span> <code>b</code><br>" * 20_000)


# -- attributes ----------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("written", ["a{n}=1", "a{n}", "a{n}='x'"])
def test_a_tag_with_thousands_of_attributes_loses_them_and_takes_no_time(reader, written):
    attributes = " ".join(written.format(n=n) for n in range(100_000))
    began = time.process_time()
    page = reader(f"<title>Crowded</title><div {attributes}>{PEARL}</div>", "http://a.example/")
    assert time.process_time() - began < 10
    assert "The pearl lies at the bottom." in page.text


@both
@pytest.mark.parametrize("value", ["data:image/png;base64," + "A" * 200_000, '{"one": 1, "two": [2, 3]} ' * 10_000])
def test_a_long_value_is_no_crowd(reader, value):
    page = reader(f"<a href=/b data-x='{value}'>below</a>", "http://a.example/")
    assert [link.url for link in page.links] == ["http://a.example/b"]
