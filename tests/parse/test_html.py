import time
import tracemalloc

import pytest

from minisearch.models import DEFINITION, Heading, Link
from minisearch.parse import html as extract
from minisearch.parse import soup
from minisearch.parse.page import text_page

URL = "http://example.com/docs/page.html"
WAYS = {"fast": extract.extract, "soup": soup.extract}
both = pytest.mark.parametrize("extract", WAYS.values(), ids=WAYS)


def table(names, *rows):
    return pytest.mark.parametrize(names, rows)


@both
@table(
    "markup, title",
    ("<title> A\n  page </title><title>B</title>", "A page"),
    ("<svg><title>drawing</title></svg><title>page</title>", "page"),
    ("<p>late<title>page</title>", "page"),
    ("<h2>two</h2><h1>one <b>more</b></h1><h1>again</h1>", "one more"),
    ("<title> </title><h1>one</h1>", "one"),
    ("<title>a &lt;b&gt; &amp; c</title>", "a <b> & c"),
    ("<template><title>no</title></template>", ""),
    ("", ""),
)
def test_the_title_is_the_first_title_or_the_first_h1(extract, markup, title):
    assert extract(markup, URL).title == title


@both
@table("markup", f"<title>{'long ' * 200_000}</title>", f"<h1>{'long ' * 200_000}</h1>")
def test_no_title_is_longer_than_anyone_reads(extract, markup):
    page = extract(markup + f"<meta name=description content='{'d ' * 200_000}'>", URL)
    assert 400 < len(page.title) <= 500
    assert 1900 < len(page.description) <= 2000


@both
@table(
    "markup, language, evidence",
    ("<html lang=sr-Cyrl>", "sr-cyrl", "html lang"),
    ("<html xml:lang=EN_us>", "en-us", "html lang"),
    ("<html lang=English>", "en", "html lang"),
    ("<html lang='{{ lang }}' xml:lang=sr>", "sr", "html lang"),
    ("<html lang=''><meta http-equiv=Content-Language content='de, en'>", "de", "meta tag"),
    ("<html lang=xx><meta http-equiv=Content-Language content=de>", "de", "meta tag"),
    ("<html lang=xx>", "", ""),
    ("<p lang=fr>", "", ""),
)
def test_the_language_is_what_the_page_says(extract, markup, language, evidence):
    found = extract(markup, URL)
    assert (found.language, found.language_evidence) == (language, evidence)


@both
def test_the_description_is_on_one_line(extract):
    markup = "<meta name=other content=x><meta NAME=Description content=' a\n b '><meta name=description content=c>"
    assert extract(markup, URL).description == "a b"


@both
@table(
    "markup, canonical",
    ("<link rel=stylesheet href=s.css><link rel='x Canonical' href=other.html#top>", "http://example.com/docs/other.html"),
    ("<base href=/b/><link rel=canonical href=c>", "http://example.com/b/c"),
    ("<link rel=canonical href='mailto:me'><link rel=canonical href=c>", ""),
    ("<link rel=canonical>", ""),
    ("<body><link rel=canonical href=c>", ""),
    ("<link rel=canonical href=a><p>A guest says: <link rel='canonical nofollow' href=c>", "http://example.com/docs/a"),
    ("<noscript><link rel=canonical href=/c></noscript>", "http://example.com/c"),
)  # fmt: skip
def test_the_canonical_address_is_normalised(extract, markup, canonical):
    assert extract(markup, URL).canonical == canonical


@both
@table(
    "base, url",
    ("<base href=/b/>", "http://example.com/b/x"),
    ("<base target=_blank><base href=https://other.org/c/d><base href=/no/>", "https://other.org/c/x"),
    ("<base href='mailto:me'><base href=/no/>", "http://example.com/docs/x"),
    ("<base href=''><base href=/no/>", "http://example.com/docs/x"),
    ("<template><base href=/no/></template>", "http://example.com/docs/x"),
)
def test_links_are_read_against_the_first_base(extract, base, url):
    assert extract(base + "<a href=x>", URL).links == (Link(url),)


@both
@table(
    "markup, noindex, nofollow",
    ("<meta name=robots content='noindex'>", "meta robots noindex", False),
    ("<meta name=ROBOTS content='NoFollow,NOINDEX'>", "meta robots noindex", True),
    ("<meta name=minisearch content=none>", "meta minisearch none", True),
    ("<meta name=robots content='noindex;nofollow'>", "meta robots noindex", True),
    (
        "<meta name=robots content='unavailable_after: 2010-06-25; nofollow'>",
        "meta robots unavailable_after 2010-06-25, which is past",
        True,
    ),
    ("<meta name=robots content='index, follow'><meta name=robots content=nofollow>", "", True),
    ("<meta name=otherbot content=noindex>", "", False),
    (
        "<meta name=robots content='unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow'>",
        "meta robots unavailable_after 2010-06-25, which is past",
        True,
    ),
    ("<meta name=robots content='unavailable_after: 2910-06-25'>", "", False),
    ("<template><meta name=robots content=noindex></template>", "", False),
)
def test_robots_are_told_by_meta(extract, markup, noindex, nofollow):
    page = extract(markup + "<a href=x>x</a>", URL)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)
    assert page.links[0].nofollow == nofollow


@both
@table(
    "markup, text",
    ("<p>one\n two<p>three", "one two\nthree"),
    ("one<div>two</div>three", "one\ntwo\nthree"),
    ("o<b>n</b>e <i>two</i>", "one two"),
    ("<ul><li>a<li>b<ul><li>c</ul>d</ul>", "a\nb\nc\nd"),
    ("a<br>b<hr>c<br><br>", "a\nb\nc"),
    ("<table><caption>t</caption><tr><th>a<td>b<tr><td>c</table>", "t\na b\nc"),
    ("<dl><dt>a<dd>b</dl>", "a\nb"),
    ("<pre>\none  two\n\n  three</pre>four\nfive", "one two\nthree\nfour five"),
    ("<pre>a\r\nb\rc<pre>d\ne</pre>f\ng</pre>", "a\nb\nc\nd\ne\nf\ng"),
    ("<button>a</button><button>b</button>", "a b"),
    ("<svg><text>a</text><text>b</text></svg>", "a b"),
    ("a&nbsp;&#160;\u3000b", "a b"),
    ("a\0b&#1;c&#x1f;d", "abcd"),
    ("\ud800a\udfff", "\ufffda\ufffd"),
    ("&#x80;\x80a\x84b", "€ab"),
    ("\ufeff<title>t</title>a", "a"),
    ("a<!-- b -->c<!doctype x><?d e>", "ac"),
    ("&lt;p&gt; &amp;amp; &eacute;&copy", "<p> &amp; é©"),
    ("<main>a</main><figure>b<figcaption>c</figcaption></figure><summary>d</summary>", "a\nb\nc\nd"),
    ("<math><mi>x</mi><annotation>tex</annotation></math>", "x"),
    ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>です", "漢字です"),  # how it is read tears no word
    ("<plaintext>a <b>\nc", "a <b>\nc"),
    ("<frameset><frame src=a></frameset><noframes>b</noframes>", ""),
    ("<p>a<frameset>", "a"),
    ("", ""),
)
def test_text_is_what_a_reader_sees_line_by_line(extract, markup, text):
    assert extract(markup, URL).text == text


NOT_SHOWN = """annotation audio canvas datalist iframe noembed noframes noscript object script select style template
    textarea title video"""


@both
@pytest.mark.parametrize("tag", NOT_SHOWN.split())
def test_text_that_is_not_shown_is_left_out(extract, tag):
    assert extract(f"<p>a <{tag}>no</{tag}> b", URL).text == "a b"


@both
@table(
    "attribute, text",
    ("hidden", "a c"),
    ("HIDDEN=until-found", "a c"),
    ("style='color:red; Display : NONE'", "a c"),
    ("style='visibility:hidden'", "a c"),
    ("hidden style='display:none'", "a c"),
    ("style='display:nonesuch'", "a b c"),
    ("style='--display:none'", "a b c"),
    ("aria-hidden=true", "a b c"),
    ("class=hidden", "a b c"),
)
def test_what_is_hidden_is_left_out(extract, attribute, text):
    assert extract(f"<p>a <span {attribute}><i>b</i></span> c", URL).text == text


@both
def test_a_page_hidden_until_its_script_runs_is_read(extract):
    assert extract("<html hidden><body style='display:none'>a", URL).text == "a"


@both
def test_headings_know_where_they_start(extract):
    page = extract("<p>before<h1 id=top>One  <i>two</i></h1>after<h3> Three </h3><h2> </h2><h2 hidden>no</h2>", URL)
    assert page.text == "before\nOne two\nafter\nThree"
    assert page.headings == (Heading(1, "One two", 7, "top"), Heading(3, "Three", 21))


@both
@table(
    "markup, line",
    ("<h1>a<br>b<div>c</div>d</h1>", "a b c d"),
    ("<h1><pre>a\nb</pre></h1>", "a b"),
    ("<pre><h1>a\nb</h1></pre>", "a b"),
    ("<h1>a<div>1<h2>2 b</h2></div></h1>", "a 1 2 b"),
)
def test_a_heading_is_one_line(extract, markup, line):
    page = extract(f"x{markup}y", URL)
    assert page.text == f"x\n{line}\ny"
    assert page.headings == (Heading(1, line, 2),)


@both
@table(
    "markup, anchors",
    ("<h1 id=a>x</h1>", ["a"]),
    ("<section id=s><span id=t></span><h1>x</h1></section>", ["s"]),
    ("<section id=s><h1 id=a>x</h1></section>", ["a"]),
    ("<div id=s><h1>x</h1><h2>y</h2></div>", ["s", ""]),
    ("<ul id=s><li><h1>x</h1></ul>", [""]),
    ("<h1><a name=n></a>x</h1><h2><span id=m>y</span></h2><h2><img name=o>z</h2>", ["n", "m", ""]),
    ("<h1>x<a id=p href=#p>#</a></h1>", ["p"]),
    ("<h1 id=a>x</h1><h2 id=a>y</h2>", ["a", ""]),
)
def test_headings_have_the_nearest_id(extract, markup, anchors):
    assert [heading.anchor for heading in extract(markup, URL).headings] == anchors


@both
@table(
    "markup, terms",
    ("<dl><dt id=os.path.join>os.path.<b>join</b>(path, *paths)<a href=#x>¶</a><dd>Joins.</dl>", ["os.path.join"]),
    ("<dl><dt id=mod.Box.lid>lid: bool = True<dd>Is it on?</dl>", ["mod.Box.lid"]),
    ("<dl><dt id=c.Box_new>Box *Box_new(int size)<dd>A new one.</dl>", ["c.Box_new"]),
    ("<dl><dt id=term-rose.html>hedge rose<dd>A plant.</dl>", []),
    ("<dl><dt id=term-rose>rose<dt id=term-rep>robots exclusion protocol (REP)<dd>What they are.</dl>", []),
    (
        "<dl><dt id=opt>--option<dt id=opt2>-o<dt id=a>snake_case<dt id=b>camelCase<dd>All code.</dl>",
        ["--option", "-o", "snake_case", "camelCase"],
    ),
    ("<dl><dt><a name=GUC-SIZE></a><code>max_size</code> (<code>integer</code>)<dd>How large.</dl>", ["max_size"]),
    ("<dl><dt id=index-qr>[<em>q</em>, r] = <b>qr</b> (A)<dd>Factors.</dl>", ["qr"]),
    ("<dl><dt id=opt>(a)<dd>The first.</dl>", []),
    ("<dl><dt>Rose<dd>A plant.</dl>", []),
    ("<dl><dt>core.autocrlf<dd>Ends of lines.<dt>GIT_DIR<dd>Where it is.</dl>", ["core.autocrlf", "GIT_DIR"]),
    ("<dl><dt>-n <em>number</em><dt><b>--max-count</b>=<em>number</em><dd>At most.</dl>", ["--max-count"]),
    ("<dl><dt>-q, --quiet<dd>Say nothing.<dt>--[no-]verify<dd>Ask.</dl>", ["--quiet", "--verify"]),
    ("<dl><dt id=a>--onto &lt;base&gt;<dd>Elsewhere.</dl>", ["--onto"]),
    ("<dl><dt>PostgreSQL<dt>table_name<dt>-1<dt>3.11<dt>data.json<dt>see --also<dd>No names.</dl>", []),
    ("<dl><dt><a href=/a>core.autocrlf</a><dd>An index.<dt><a href=/b>--option</a></dl>", []),
    ("<dl><dt>--mode=...<dd>One of <dl><dt>--all<dd>All.</dl></dl>", ["--mode"]),
    ("<dl><dt><dl><dt>a.b<dd>A part.</dl><dd>All.</dl>", []),
    ("<h2 id=a>Rose</h2><dl><dt id=a>Tulip<dd>A plant.</dl>", []),
)
def test_a_term_that_has_an_id_or_is_written_as_code_is_called_by_its_name(extract, markup, terms):
    assert [heading.text for heading in extract(markup, URL).headings if heading.level == DEFINITION] == terms


@both
def test_a_term_stands_where_it_is_in_the_text(extract):
    page = extract("<h1>Box</h1><dl><dt id=m.f>f(x)<dd>Does it.<dt>g(x)<dd>Too.</dl><h2>More</h2>", URL)
    assert page.text == "Box\nf(x)\nDoes it.\ng(x)\nToo.\nMore"
    assert page.headings == (Heading(1, "Box"), Heading(DEFINITION, "m.f", 4, "m.f"), Heading(2, "More", 28))


@both
@table(
    "markup, text",
    ("<h1>a<a href='#a'>¶</a></h1>", "a"),
    ("<h1><a href=' #a'><b>#</b><script>x</script></a>a</h1>", "a"),
    ("<p>a<a href=#b><h2></h2></a>", "a"),
    ("<p><a href='#b'>b¶</a>", "b¶"),
    ("<p><a href='/b'>¶</a>", "¶"),
)
def test_permalink_marks_are_left_out(extract, markup, text):
    assert extract(markup, URL).text == text


@both
@table(
    "markup, url, anchor",
    ("<a href=a.html> one\n <b>two</b></a>", "http://example.com/docs/a.html", "one two"),
    ("<a href=' ../a '>x</a>", "http://example.com/a", "x"),
    ("<a href=page.html>self</a>", "http://example.com/docs/page.html", "self"),
    ("<a href='?a=1&amp;b=2'>x</a>", "http://example.com/docs/page.html?a=1&b=2", "x"),
    ("<a href=/><div>one</div><div>two</div></a>", "http://example.com/", "one two"),
    ("<a href=/><h3>1 one</h3></a>", "http://example.com/", "1 one"),
    ("<a href=/>to<img alt='the top'>now<img alt></a>", "http://example.com/", "to the top now"),
    ("<a href=/>x<img hidden alt=no><span hidden>no</span><style>no</style></a>", "http://example.com/", "x"),
    ("<a href=/>one<img src=i.png>word <td>Wiki<img alt=''>Media</a>", "http://example.com/", "oneword WikiMedia"),
    ("<a href=/ title='a  title' aria-label=label> <img></a>", "http://example.com/", "a title"),
    ("<a href=/ aria-label=label></a>", "http://example.com/", "label"),
    ("<a href=/>" + "word " * 60 + "</a>", "http://example.com/", ("word " * 40).strip()),
    ("<a href=/>" + "x" * 300 + "</a>", "http://example.com/", "x" * 200),
    ("<map><area href=/ alt='an area'></map>", "http://example.com/", "an area"),
    ("<frameset><frame src=/ title=t name=n></frameset>", "http://example.com/", "t"),
    ("<frameset><frame src=/ name=n></frameset>", "http://example.com/", "n"),
    ("<svg><a href=/>x</a></svg>", "http://example.com/", "x"),
    ("<div hidden><a href=/>x</a></div>", "http://example.com/", "x"),
    ("<a hidden href=/>x</a>", "http://example.com/", "x"),
    ("<noscript><a href=/>x</a></noscript>", "http://example.com/", "x"),
)
def test_links_say_where_they_lead(extract, markup, url, anchor):
    assert extract(markup, URL).links == (Link(url, anchor),)


@both
@pytest.mark.parametrize(
    "markup",
    [
        "<a>x</a>",
        "<a href>x</a>",
        "<a href=' '>x</a>",
        "<a href=#top>x</a>",
        "<area href=#top>",
        "<a href='mailto:me@example.com'>x</a>",
        "<a href='javascript:void(0)'>x</a>",
        "<a href='http://'>x</a>",
        "<template><a href=/>x</a></template>",
        "<svg><a xlink:href=/>x</a></svg>",
        "<link href=/ rel=stylesheet>",
    ],
)
def test_what_leads_nowhere_is_no_link(extract, markup):
    assert extract(markup, URL).links == ()


@both
@table("rel, nofollow", ("NoFollow", True), ("x ugc", True), ("sponsored", True), ("next", False), ("", False))
def test_a_link_can_ask_not_to_be_followed(extract, rel, nofollow):
    assert extract(f"<a href=/ rel='{rel}'>x</a>", URL).links == (Link("http://example.com/", "x", nofollow),)


@both
@table(
    "href, fragment",
    ("/a", ""),
    ("/a#", ""),
    ("/a#b", "b"),
    ("page.html#b c%20d", "b c%20d"),
    (" /a#b\n", "b"),
    ("/a#b#c", "b#c"),
    ("http://other.org/#!/route?x=1", "!/route?x=1"),
)
def test_links_keep_their_fragment(extract, href, fragment):
    assert [link.fragment for link in extract(f"<a href='{href}'>x</a>", URL).links] == [fragment]


@both
def test_a_no_break_space_is_a_part_of_a_link(extract):
    page = extract("<a href='\xa0a'>x</a><a href='&nbsp;#b'>y</a>", URL)
    assert [link.url for link in page.links] == ["http://example.com/docs/%C2%A0a", "http://example.com/docs/%C2%A0"]
    assert page.text == "xy"


@both
def test_many_links_on_a_long_base_do_not_fill_the_memory(extract):
    links = "".join(f"<a href={n}>{n}</a>" for n in range(3000))
    page = extract(f"<base href='/{'a' * 30_000}/'>{links}", URL)
    assert 500 < len(page.links) < 2000
    assert page.links[0].url.endswith("a/0")
    assert len(page.links) + page.untaken == 3000


@both
def test_links_keep_their_order_and_repeats(extract):
    markup = "<a href=b>1</a><area href=a><a href=b>2</a>"
    assert [link.url[-1] for link in extract(markup, URL).links] == ["b", "a", "b"]


@both
def test_templates_are_left_out_wherever_they_stand(extract):
    markup = "<p>a<template><p><template>x</template></p><a href=/>y</a></template>b<!-- <template> -->c</template>"
    page = extract(f"{markup}<script>'<template>'</script><p>d", URL)
    assert (page.text, page.links) == ("abc\nd", ())


def test_a_plain_text_document_is_its_lines():
    page = text_page("\ufeff\n  A  title\t here\r\n\r\n<b>text\0</b>\x0cnext", URL)
    assert page.title == "A title here"
    assert page.text == "A title here\n<b>text</b>\nnext"
    assert page.links == page.headings == ()
    assert text_page("word " * 30, URL).title == ("word " * 16).strip()
    assert text_page("", URL).title == ""


@both
def test_nested_links_do_not_each_hold_the_words_of_a_whole_page(extract):
    nested = "<a href=/x><table><tr><td>" * 100
    tracemalloc.start()
    try:
        page = extract(nested + "word " * 100_000, URL)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000  # each of them has half a million letters
    finally:
        tracemalloc.stop()
    assert {len(link.anchor) for link in page.links} == {199}


@pytest.mark.parametrize(
    "tags",
    ["<div>", "<b>", "<a href=/x>", "<svg><a href=/x>", "<h1>", "<pre>", "<ul><li>", "<p hidden>"],
)
def test_ten_thousand_nested_elements_take_no_time_to_speak_of(tags):
    started = time.process_time()
    page = extract.extract(tags * (10_000 // tags.count("<")) + "end", URL)
    assert time.process_time() - started < 10  # well below 1 on an idle machine; a runaway takes minutes
    assert page.text in ("end", "")
