"""A page that is written by the book is read without a parser as it is with one, and any other is left to it."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.crawl.extract import extract, parse
from minisearch.crawl.lines import MARK_CHARACTERS
from minisearch.crawl.markup import clean
from minisearch.crawl.nesting import DEEPEST
from minisearch.crawl.reading import reader
from minisearch.native.loops import compiled

URL = "http://example.com/docs/page.html"
PAGE = "<!DOCTYPE html><html lang=en><head><title>T</title></head><body>{}</body></html>"
SITES = Path(__file__).parents[2] / "fixtures_site"

pytestmark = pytest.mark.skipif(reader() is None, reason="nothing is compiled")


def strictly(markup):
    return reader().read_strictly(clean(markup), URL)


def by_the_parser(markup):
    tree, unread = parse(markup)
    return reader()(tree, URL, unread)


# -- pages that hypothesis writes ---------------------------------------------------------------

KEPT_OPEN = "p li dd dt td th tr tbody thead option"
OTHERS = """a a b code div div span ul ol dl h1 h2 h3 pre form button select table tbody caption colgroup object label
    noscript section svg g title optgroup summary blockquote x-y math template iframe nobr ruby textarea"""
EMPTY = "br hr img input col wbr link meta area"
ATTRIBUTES = """id=a id="b" ID=c name=n hidden hidden="" style="display:none" href=/p href="q#r" href=#x href href=""
    href="?a=1&b=2" href="x&copy=1" href="x&amp;y" href='&#65;&lt' rel=nofollow alt="z" title='t' class="c d" x:y=1
    a=b/c id=a id=b x"y a='"""
TEXTS = """a bb 1 \xb6 \u0448 \xe9 --name A_B &amp; &lt;b&gt; &nbsp; &copy &copy; &copyx &#65; &#x41; &#128; &#0; &foo;
    & &; AT&T &notit; <!--c--> <!--> <!--a--!> <?x?> < > </p> </br>"""
BLANKS = [" ", "\n", "\t", "\f", "\r", "\r\n"]


def tag(name, attributes):
    return f"<{' '.join([name, *attributes])}>"


names = st.sampled_from([*KEPT_OPEN.split(), *OTHERS.split()])
attributes = st.lists(st.sampled_from(ATTRIBUTES.split()), max_size=2)
texts = st.sampled_from([*TEXTS.split(), *BLANKS])
leaves = texts | st.builds(tag, st.sampled_from(EMPTY.split()), attributes)


def around(inside):
    def element(name, attributes, pieces, is_closed):
        end = f"</{name}>" if is_closed or name not in KEPT_OPEN.split() else ""
        return f"{tag(name, attributes)}{''.join(pieces)}{end}"

    def table(begin, rows, cell, end):
        return f"<table>{begin}{''.join(f'<tr>{cell}{row}' for row in rows)}{end}</table>"

    tables = st.builds(
        table,
        st.sampled_from(["", "\n", "<tbody>", "<caption>c</caption>", "<col><col>", "<colgroup><col></colgroup>", "w"]),
        st.lists(st.lists(inside, max_size=2).map("".join), max_size=3),
        st.sampled_from(["<td>", "<th>", ""]),
        st.sampled_from(["", "</td>", "</td></tr>", "</tr></tbody>", "</tbody>"]),
    )
    return st.builds(element, names, attributes, st.lists(inside, max_size=4), st.booleans()) | tables


bodies = st.lists(st.recursive(leaves, around, max_leaves=12), max_size=6).map("".join)


@settings(max_examples=1500, deadline=None)
@given(bodies)
@example("<p>a<table><tr><td>b</table>c")
@example("<p>a<div>b</div>c</p>d")
@example("<ul><li>a<p>b<li>c<ul><li>d</ul></ul>")
@example("<dl><dt>a.b<dd>c<dt id=d>d<dd><p>e</dl>")
@example("<svg><title>a</title><path d=x /><g><path></path></g></svg>b")
@example("<pre>\n\na\n</pre><select><option>a<option>b</select><button><p>c</button>")
@example('<a href="?a=1&b=2&copy=3">x</a><a href=y>&copy; &copy &#8212;</a>')
@example("<b><p>a</b>b</p>")
@example("<a href=x>a<a href=y>b</a></a>")
@example("<table>a<tr><td>b</table>")
def test_whatever_is_read_strictly_is_read_as_the_parser_does(body):
    markup = PAGE.format(body)
    assert strictly(markup) in (None, by_the_parser(markup))


IN_HEAD = [
    "<title>a&amp;b</title>",
    "<meta name=robots content=nofollow>",
    "<meta http-equiv=refresh content='9;url=/r'>",
    "<link rel=canonical href=/c>",
    "<base href=/b/>",
    "<script>a<b</script>",
    "<script><!--</script>",
    "<style></p></style>",
    "<noscript>\n<link rel=x href=y></noscript>",
    "<noscript><p></noscript>",
    "<template></template>",
    "<!--c-->",
    "</head>",
    "<p>",
    "\n",
    "x",
]
heads = st.lists(st.sampled_from(IN_HEAD), max_size=4).map("".join)
OLD = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">'
DOCTYPES = ["<!DOCTYPE html>", '<?xml version="1.0"?>', "<!doctype html PUBLIC 'x'>", OLD, "<!-- a -->"]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(DOCTYPES), max_size=2).map("\n".join),
    heads,
    st.sampled_from(["<body>", "\n<body class=a>", "", "<frameset>"]),
    st.sampled_from(
        ["</body></html>", "</body>\n</html>\n", "", "</html>", "</body>a", "</body><p>b", "<body>", "<html>"]
    ),
)
def test_whatever_stands_around_the_body_is_read_as_the_parser_does(doctype, head, begin, end):
    markup = f"{doctype}<html>\n<head>{head}</head>{begin}<p>a<table><tr><td><a href=x>b</a></table>{end}"
    assert strictly(markup) in (None, by_the_parser(markup))


@pytest.mark.parametrize("second", ["<!DOCTYPE html>", OLD])
@pytest.mark.parametrize("between", ["", "\n", "<!-- a -->"])
@pytest.mark.parametrize("first", ["<!DOCTYPE html>", OLD])
def test_a_second_doctype_is_left_to_the_parser_which_heeds_the_first_alone(first, between, second):
    page = PAGE.removeprefix("<!DOCTYPE html>").format("<p hidden>a{}c")
    assert strictly(first + between + page)
    page = page.replace("{}", "<table><tr><td>b</table>")
    assert strictly(first + between + second + page) is None
    assert extract(first + between + second + page, URL) == by_the_parser(first + page)


# -- pages that people write --------------------------------------------------------------------


def test_the_pages_of_the_fixtures_are_read_the_same_and_most_of_them_strictly():
    pages = [path.read_text("utf-8", "replace") for path in SITES.rglob("*.html")]
    read = [strictly(page) for page in pages]
    assert all(page in (None, by_the_parser(markup)) for page, markup in zip(read, pages, strict=True))
    assert len(pages) > 50
    assert read.count(None) < len(pages) / 2


@pytest.mark.parametrize(
    "body",
    [
        "<p>a<p>b",
        "<ul><li>a<li>b</ul>",
        "<div><p>a</div>",
        "<p>a</p><h1 id=x>b</h1>",
        "<dl><dt>a<dd>b<dd>c</dl>",
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table><caption>a</caption><colgroup><col></colgroup><thead><tr><td>b</td></tr></thead></table>",
        "<a href=x><b><i>a</i></b></a>",
        "a &amp; b &lt; c &#8212; &copy 2026 &nbsp;",
        "<svg viewBox='0 0 1 1'><path d='M0'/></svg>",
        "<script>if (a < b) c()</script>",
        "<!-- a -- b -->c",
        "<x-y>a</x-y>",
        "<IMG SRC=a ALT=b>",
        "<div\r\nid=a>b</div\r\n>",
        "</p>",
        "<div><b>",
    ],
)
def test_what_is_by_the_book_is_read_strictly(body):
    markup = PAGE.format(body)
    assert strictly(markup) == by_the_parser(markup) == extract(markup, URL)


@pytest.mark.parametrize(
    "body",
    [
        "</div>",
        "<object>",
        "<b><i>a</b></i>",
        "<a href=x><a href=y>",
        "<p><b>a<p>b</b>",
        "<table>a</table>",
        "<table><td>a</table>",
        "<form><form>",
        "<button><button></button></button>",
        "<h1><h2>a</h2></h1>",
        "<select><p></select>",
        "<svg><p>a</p></svg>",
        "<svg><desc>a</desc></svg>",
        "<math><mi>a</mi></math>",
        "<template><p>a</template>",
        "<textarea>a</textarea>",
        "<script><!-- <script></script> --></script>",
        "<div/>a",
        "<p id=a/b'c>",
        "<p id=>",
        '<p id="a"b>',
        "<p id='a>",
        "<p a>b",
        "&notit;",
        "&#128;",
        "&#1114112;",
        "&#x;",
        "a < b",
        "</ p>",
        "<!-->",
        "<!-- a --!>",
        "<![CDATA[a]]>",
        "<p",
        "<script>a",
        "<div>" * (DEEPEST + 1) + "</div>" * (DEEPEST + 1),
        "<p " + " ".join(f"a{n}" for n in range(100)) + ">",
    ],
)
def test_what_is_not_by_the_book_or_rare_is_left_to_the_parser(body):
    markup = PAGE.format(body).replace("<p a>b", "<p a")
    assert strictly(markup) is None
    assert extract(markup, URL) == by_the_parser(markup)


@pytest.mark.parametrize("cut", [None, *range(0, 120, 3)])
def test_a_page_that_breaks_off_anywhere_breaks_nothing(cut):
    markup = PAGE.format("<p id='a' b=&amp;>c &amp; d<!-- e --><script>f</script><svg><path/></svg>")[:cut]
    assert strictly(markup) in (None, by_the_parser(markup))


def test_a_text_of_any_length_is_one_text():
    markup = PAGE.format("<p>" + "a &amp; b " * 5000 + "<pre>" + "c " * 200_000 + "</pre>")
    assert strictly(markup) == by_the_parser(markup)


@pytest.mark.parametrize("odd", [*MARK_CHARACTERS, "\0", "\ufeff"])
def test_what_needs_cleaning_is_left_to_those_who_clean(odd):
    for markup in (PAGE.format(f"<p>a{odd}b</p>"), odd + PAGE.format("<p>ab</p>"), PAGE.format("<p>ab</p>") + odd):
        assert extract(markup.encode(), URL) == by_the_parser(markup)


@pytest.mark.parametrize("odd", [*MARK_CHARACTERS, "\0"])
def test_no_mark_of_ours_gets_into_a_tree(odd):
    assert compiled.Strict(PAGE.format("<p>ab§</p>").encode()).root
    assert not compiled.Strict(PAGE.format(f"<p>a§{odd}b</p>").encode()).root


def test_only_bytes_are_read():
    with pytest.raises(TypeError):
        compiled.Strict("<p>")
    assert compiled.Strict(b"").root == 0
