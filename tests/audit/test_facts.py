import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.audit.advice import advise
from minisearch.audit.facts import audit

URL = "https://example.com/docs/a.html"


def look(body, head=""):
    return audit(f"<!DOCTYPE html><html lang=en><head>{head}</head><body>{body}</body></html>", URL)


def test_head():
    found = look(
        "<h1>x",
        """<title> A
        garden </title><meta name=Description content="All of it"><link rel=canonical href="b.html">
        <meta name=viewport content="width=device-width"><meta name=robots content="noarchive">
        <meta property="og:title" content="Shared"><meta name="twitter:card" content="summary">
        <meta name=keywords content="a, b"><link rel=alternate hreflang=de href=/de/><base href="/other/">""",
    )
    assert (found.titles, found.descriptions, found.keywords) == (["A garden"], ["All of it"], "a, b")
    assert found.canonicals == ["https://example.com/other/b.html"]
    assert (found.viewport, found.robots) == ("width=device-width", ["robots: noarchive"])
    assert found.social == {"og:title": "Shared", "twitter:card": "summary"}
    assert found.alternates == {"de": "https://example.com/de/"}
    assert (found.language, found.doctype) == ("en", "html")


def test_headings():
    found = look("<h1>One<small> more</small></h1><h3><img alt=Two></h3><h2></h2>")
    assert found.headings == [(1, "One more"), (3, "Two"), (2, "")]


def test_links():
    found = look('<a href="/b">in</a><a href="https://x.org/" rel="nofollow">out</a><a href="#here"></a><a name=y>')
    assert [(link.url, link.text, link.inside) for link in found.links] == [
        ("https://example.com/b", "in", True),
        ("https://x.org/", "out", False),
        ("", "", False),
    ]


def test_missing_anchors():
    found = look(
        '<p id=one><a name=two></a><a href="#one"></a><a href=#two></a><a href="#three"><a href="#%C5%A1"><b id=š>'
    )
    assert found.missing_anchors == ["#three"]


def test_microdata():
    found = look(
        """<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>Soup</h1>
        <span itemprop="author chef" itemscope itemtype="https://schema.org/Person"><b itemprop=name>Ana</b></span>
        <p><time itemprop=date datetime=2026-01-01>today</time><meta itemprop=time content=PT1H>
        <a itemprop=url href=/x>there</a><i itemprop=step>one</i><i itemprop=step>two</i></p></div>"""
    )
    ana = {"type": "https://schema.org/Person", "properties": {"name": ["Ana"]}}
    assert found.items == [
        {
            "type": "https://schema.org/Recipe",
            "properties": {
                "name": ["Soup"],
                "author": [ana],
                "chef": [ana],
                "date": ["2026-01-01"],
                "time": ["PT1H"],
                "url": ["/x"],
                "step": ["one", "two"],
            },
        }
    ]


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        ('{"@type": "Person"}', ["Person"]),
        ('[{"@type": "A"}, {"x": 1}]', ["A", "no type"]),
        ('{"@graph": [{"@type": "A"}, {"@type": "B"}]}', ["A", "B"]),
        ("{", ["broken: not JSON"]),
        ("[1]", ["broken: not an object"]),
    ],
)
def test_types_of_linked_data(script, kinds):
    assert look("", f'<script type="application/ld+json">{script}</script>').linked_data == kinds


@pytest.mark.parametrize(
    ("tag", "how"),
    [
        ("p hidden", "hidden"),
        ('p style="display: none"', "display:none"),
        ('p style="color:red; visibility:hidden"', "visibility:hidden"),
        ('p style="font-size: 0px"', "no size"),
        ('p style="text-indent:-9999px"', "moved off the screen"),
        ('p style="position:absolute; left:-5000px"', "moved off the screen"),
        ('p style="opacity:0"', "transparent"),
        ('p style="color:#fff; background-color:#FFF"', "text in the colour of its background"),
        ('p style="clip: rect(0, 0, 0, 0)"', "clipped away"),
    ],
)
def test_hidden_text(tag, how):
    found = look(f"<{tag}>cheap watches</{tag.split()[0]}><p>shown")
    assert [(each.how, each.words, each.text) for each in found.hidden] == [(how, 2, "cheap watches")]


@pytest.mark.parametrize(
    "tag",
    [
        "p",
        'p style="color:#fff; background:#000"',
        'p style="opacity:0.5"',
        'p style="font-size:0.9em"',
        "script hidden",
    ],
)
def test_visible_text_is_not_hidden(tag):
    assert look(f"<{tag}>cheap watches").hidden == []


def test_nested_hidden_text_is_counted_once():
    assert [each.words for each in look("<div hidden>a <p hidden>b</p></div>").hidden] == [2]


@given(st.text() | st.text("<>/=\"' abdivhp#&;", max_size=200))
def test_any_markup_can_be_audited(markup):
    advise(audit(markup, URL))
