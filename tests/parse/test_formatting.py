import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from minisearch.audit import facts as audit
from minisearch.parse import formatting, soup
from minisearch.parse import html as extract
from minisearch.parse.formatting import is_sober, sober

both = pytest.mark.parametrize("reader", [extract.extract, soup.extract], ids=["fast", "soup"])


def fonts(count, written="<font a={}>"):
    return "".join(written.format(number) for number in range(count))


MANY = " ".join(f"a{number}" for number in range(900))
BOMBS = {
    "paragraphs": "<p>" + fonts(250) + "<p>x" * 28_000,
    "blocks": "<div>" + fonts(290) + "</div>" + "<div>x</div>" * 28_000,
    "adopted": fonts(4000, "<b a={}><p>") + "x" + "</b>" * 4000,
    "many paragraphs": "<div>" + fonts(10) + "</div>" + "<p>x" * 400_000,
    "attributes": "<div>" + fonts(20, f"<b {MANY} b={{}}>") + "</div>" + "<p>x" * 10_000,
    "a link of many attributes": "<div>" + f"<a {MANY}>" + "</div>" + "<p>x" * 10_000,
    "long values": "<div>" + fonts(20, f"<b a='{'x' * 5000}{{}}'>") + "</div>" + "<p>x" * 10_000,
    "ends in comments": "<div>" + fonts(250, "<font a={}><!--</font>-->") + "</div>" + "<p>x" * 28_000,
    "ends in quotes": "<div>" + fonts(250, "<font a={}><p a='</font>'>") + "</div>" + "<p>x" * 28_000,
    "ends in other tags": "<div>" + fonts(250, "<font a={}><p </font>") + "</div>" + "<p>x" * 28_000,
    "ends in cells": "<div>" + fonts(100, "<font a={}><table><td></font></table>") + "</div>" + "<p>x" * 28_000,
    "ends in drawings": "<div>" + fonts(100, "<font a={}><svg><desc></font></svg>") + "</div>" + "<p>x" * 28_000,
    "ends in scripts": "<div>" + fonts(250, "<font a={}><script></font></script>") + "</div>" + "<p>x" * 28_000,
    "signs in quotes": "<div>" + fonts(250, "<font a={} b='<b>'>") + "</div>" + "<p>x" * 28_000,
    "broken names": "<div>" + fonts(250, "<fo\0nt a={}>") + "</div>" + "<p>x" * 28_000,
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how large a process has been")
@pytest.mark.parametrize("bomb", BOMBS)
def test_formatting_that_never_ends_takes_no_gigabyte(bomb, tmp_path):
    (tmp_path / "bomb.html").write_text(BOMBS[bomb])
    script = """
import re, resource, sys
from minisearch.parse.html import extract
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
page = extract(open(sys.argv[1]).read(), "http://a.example/")
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], page.text.count("x"))
"""
    command = [sys.executable, "-c", script, str(tmp_path / "bomb.html")]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100)
    size, said = map(int, told.stdout.split())
    assert size * 1024 < 500_000_000
    assert said == len(re.findall("(?<=>)x", BOMBS[bomb]))


@pytest.mark.parametrize("reader", [soup.extract, audit.audit], ids=["soup", "audit"])
@pytest.mark.parametrize("markup", ["<p>" + fonts(200) + "<p>x" * 1000, fonts(600, "<b a={}><p>") + "</b>" * 600])
def test_formatting_that_never_ends_keeps_no_reader_busy(reader, markup, monkeypatch):
    monkeypatch.setattr(formatting, "MOST_REBUILT", 10_000)
    began = time.process_time()
    reader(markup, "http://a.example/")
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    "piece",
    [
        "<b ", "<b a=\"", "<b a='", "<b><i>", "<b a=", "<b <!--", "<b>x</i>", "<span a='<span ", "<span ",
        "<em><span>x</span>",         "<a title='<b>' href=x>", "<strong><em>x</em>", "<b a='<b>'", "<i class=\"x\"\">",
        "</b ", "<b   =",
    ],
)  # fmt: skip
def test_whatever_is_written_is_read_once(piece):
    markup = piece * (1_000_000 // len(piece))
    began = time.process_time()
    is_sober(markup.encode())
    sober(markup)
    assert time.process_time() - began < 5


@both
def test_formatting_that_is_too_much_loses_its_name_and_nothing_else(reader, monkeypatch):
    markup = (
        "<h1><b id=top>One</b></h1><font color=1>two<p>three <font hidden color=2>four<p>five</font>six</font> "
        "<a href=/b>seven<p>eight</a> <i title='<b>'>nine</i> <code>ten</code>"
    )
    page = reader(markup, "http://a.example/")
    monkeypatch.setattr(formatting, "MOST_REBUILT", 0)
    assert "<font" not in sober(markup)
    less = reader(markup, "http://a.example/")
    assert less.title == page.title
    assert less.headings == page.headings
    assert {link.url for link in less.links} == {link.url for link in page.links}
    assert less.text.split() == ["One", "two", "three", "fivesix", "seven", "eight", "nine", "ten"]


@pytest.mark.parametrize(
    "markup",
    [
        "<b>one<p>two</b>three" * 1000,
        "<font size=2><p>one<p>two</font>" * 2000,
        "<a href=/x class=y title=z><div>one</div></a>" * 5000,
        "<p>a <code class='x y'><span class=pre>b</span></code> < <a href='x'>c <b>d</b></a>" * 5000,
        "<i class='fa fa-{0}' id={0}></i>" * 9000,
    ],
    ids=lambda markup: markup[:20],
)
def test_honest_pages_stay_as_they_are(markup):
    pages = "".join(markup[start : start + 50].replace("{0}", str(start)) for start in range(0, len(markup), 50))
    assert sober(pages) is pages
    assert is_sober(markup.encode())


PIECES = [
    "<b>", "<b a=1>", "<B a=2 b>", "</b>", "</B >", "<i c='>'>", "</i>", "<a href=x>", "</a>", "<code d>", "</code>",
    "<nobr e>", "<p>", "</p>", "<div>", "</div>", "<table>", "<td>", "</table>", "<span>", "</span>", "<br>", "x",
    "<!--", "-->", "<svg>", "</svg>", "<desc>", "<b f='<i>'>", "<p '", "'>", "<select>", "</select>", "<script>",
    "</script>", "<", "</", "<b", "<button>", "<em/>",
]  # fmt: skip
made = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(made, st.integers(0, 200))
def test_what_is_sober_at_a_glance_is_left_as_it_is(markup, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formatting, "MOST_REBUILT", most)
        assert sober(markup) == markup or not is_sober(markup.encode())


@given(made)
def test_what_is_said_to_be_closed_is_made_again_nowhere(markup):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formatting, "MOST_REBUILT", 0)
        patch.setattr(formatting, "LINK", 0)
        closed = sober(markup)
    end = "x</button></select></svg></table></div></p>"
    after = "<section><u>y</u></section>"
    tree = LexborHTMLParser(closed + end + after)
    section = tree.css("section")
    above = []
    for node in section[-1:]:
        while node := node.parent:
            above.append(node.tag)
    assert not formatting.FORMATTING & set(above)


@given(made)
def test_no_text_is_lost(markup):
    def text(markup):
        return re.sub(r"\s", "", LexborHTMLParser(markup).text())

    words = re.findall("x", text(markup))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formatting, "MOST_REBUILT", 0)
        assert re.findall("x", text(sober(markup))) == words


def test_long_tags_are_not_remembered_from_one_page_to_the_next():
    formatting._count.cache_clear()
    for number in range(3):
        is_sober(f"<font style='{number}{'x' * 300}'><p>".encode())
        is_sober(b"<font style=y><p>")
    assert formatting._count.cache_info().currsize == 1
