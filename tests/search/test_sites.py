"""site: is a host with its subdomains, or a folder of it; nothing that is typed there is a pattern."""

import pytest

from minisearch import Engine
from minisearch.index.indexer import index_all
from minisearch.models import Found, Page
from minisearch.search.index_reader import IndexReader
from minisearch.search.matching import match
from minisearch.search.params import DEFAULT
from minisearch.search.query import Query

SITES = {
    1: ("http://example.com/", "example.com"),
    2: ("https://example.com/docs", "example.com"),
    3: ("http://example.com/docs/a.html?q=1", "example.com"),
    4: ("http://example.com/docs?page=2", "example.com"),
    5: ("http://example.com/docsify/", "example.com"),
    6: ("http://example.com/see?also=example.com/docs/a", "example.com"),
    7: ("http://example.com:8080/docs/", "example.com:8080"),
    8: ("http://www.example.com/docs/b", "www.example.com"),
    9: ("http://www.example.com:8080/", "www.example.com:8080"),
    10: ("http://badexample.com/docs/", "badexample.com"),
    11: ("http://example.com.evil.org/docs/", "example.com.evil.org"),
    12: ("http://examplexcom.org/", "examplexcom.org"),
    13: ("http://other.org/100%25/a_b/", "other.org"),
    14: ("http://example.com/A/b", "example.com"),
}


@pytest.mark.parametrize(
    ("site", "pages"),
    [
        ("example.com", [1, 2, 3, 4, 5, 6, 7, 8, 9, 14]),
        ("http://example.com/", [1, 2, 3, 4, 5, 6, 7, 8, 9, 14]),
        ("https://Example.COM", [1, 2, 3, 4, 5, 6, 7, 8, 9, 14]),
        ("www.example.com", [8, 9]),
        ("example.com:8080", [7, 9]),
        ("example.com:80", []),
        ("www.example.com:8080", [9]),
        ("example.com/docs", [2, 3, 4, 7, 8]),
        ("example.com/docs/", [2, 3, 4, 7, 8]),
        ("example.com/docs/a.html", [3]),
        ("example.com:8080/docs", [7]),
        ("example.com/doc", []),
        ("example.com/DOCS", [2, 3, 4, 7, 8]),
        ("example.com/A", [14]),
        ("example.com/a", [14]),
        ("HTTP://example.com/a", [14]),
        ("org", [11, 12, 13]),
        ("other.org/100%25", [13]),
        ("other.org/100%25/a_b", [13]),
        ("other.org/100%25/a%b", []),
        ("other.org/100%25/aXb", []),
        *(
            (evil, [])
            for evil in ("", "/", ".", ":", "%", "%.com", "example_com", "example%", "other.org/%", "' OR 1 --")
        ),
        ("other.org/_00", []),
        ("example.com/\0", []),
        ("\udcff", []),
    ],
)
def test_a_site_is_a_host_with_its_subdomains_or_a_folder_of_it(reader, site, pages):
    assert on(reader, site) == pages
    assert on(reader, site, "other.org") == sorted({*pages, 13})


def test_a_site_can_be_left_out(reader):
    assert on(reader, "-example.com") == [10, 11, 12, 13]
    assert on(reader, "example.com", "-example.com/docs") == [1, 5, 6, 9, 14]


def on(reader, *sites):
    """The pages that a query for sites finds."""
    return sorted(reader.pages[match(reader, DEFAULT, Query("", (), sites=sites)).matched].tolist())


@pytest.fixture(scope="module")
def reader():
    with Engine() as engine:
        store = engine.store
        with store.transaction():
            crawl, _ = store.urls.begin_crawl(["http://example.com/"], {})
            for number, (url, host) in SITES.items():
                store.urls.discover(crawl, None, [Found(url, host, 0)])
                assert store.pages.save(store.urls.ids([url])[url], Page(url), {}) == number
        index_all(store)
        yield IndexReader(store, store.postings.generation())
