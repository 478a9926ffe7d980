"""Identifiers as the way to a page."""

import pytest

from minisearch.text.addresses import LONGEST, asked_way, leads_to


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        ("org.apache.Rint", "api/org/apache/Rint.html"),
        ("apache.Rint", "api/org/apache/Rint.html"),
        ("org::apache::Rint", "org/apache/Rint.htm"),
        ("org/apache/Rint", "org/apache/Rint"),
        ("pandas.DataFrame.dropna()", "reference/api/pandas.DataFrame.dropna.html"),
        ("Map.Entry", "java/util/Map.Entry.html"),
        ("os.path", "os/path/index.html"),
        ("os.path", "os/path/"),
        ("CAFÉ.menu", "caf%C3%A9/Menu.php"),
        ("my-site/my-page", "my-site/my-page.html"),
        ("Rint.html", "org/apache/Rint.html"),
        ("apache Rint", "org/apache/Rint.html"),
        ("BQuarterBegin  __call__", "api/BQuarterBegin.__call__.html"),
    ],
)
def test_an_identifier_leads_to_the_page_whose_url_ends_in_it(identifier, path):
    assert leads_to(asked_way(identifier), f"http://site/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "org/apache/class-use/Rint.html",  # there it is used
        "org/apache/Rint/Kind.html",
        "org/apache/Rints.html",
        "org/apache-rint.html",  # one step, however many words
        "rint.html",
        "org/apache/Rint.html?page=2",
        "",
    ],
)
def test_it_leads_to_no_other(path):
    assert not leads_to(asked_way("apache.Rint"), f"http://site/{path}")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "rose",
        "os.path module",
        "a b c d e",
        "...",
        "a.",
        ".a",
        "a..b",
        "-a.b",
        "x_y",
        "a-b",
        "a:b",
        "http://site/a",
    ],
)
def test_what_is_no_identifier_of_several_steps_leads_nowhere(line):
    assert asked_way(line) == ()


def test_a_line_that_never_ends_leads_nowhere():
    assert asked_way("a." * LONGEST + "a") == ()
