"""The crawler: a list of pages to visit, a list of pages visited, and a loop.

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
Its fast and polite sister: minisearch/crawl/crawler.py

A page is a string, and its links are found with `str.find`. That misses single quotes, capitals, and an
<a> whose href does not come first; the sister uses an HTML parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http.client import HTTPException
from urllib.parse import urldefrag, urljoin
from urllib.request import urlopen

from minisearch.textbook.mapindex import Index, add_page_to_index

Graph = dict[str, list[str]]  # each crawled page and its links

SECONDS = 10  # we wait for a page no longer than that
TAKE_FROM = {"newest": -1, "breadth": 0}  # which end of tocrawl is next


def get_page(url: str) -> str:
    """The HTML text of a page, or "" on any failure."""
    if not url.startswith(("http://", "https://")):
        return ""  # urlopen would read our own files for file://
    try:
        with urlopen(url, timeout=SECONDS) as response:  # noqa: S310
            html: bytes = response.read()
    except (OSError, ValueError, HTTPException):
        return ""
    return html.decode("utf-8", errors="replace")


def get_next_target(page: str) -> tuple[str | None, int]:
    """The first link on the page and the position of its closing quote, or (None, 0) if there is none.

    >>> get_next_target('see <a href="b.html">b</a>')
    ('b.html', 19)
    """
    start_link = page.find("<a href=")
    start_quote = page.find('"', start_link)
    end_quote = page.find('"', start_quote + 1)
    if -1 in (start_link, start_quote, end_quote):
        return None, 0
    return page[start_quote + 1 : end_quote], end_quote


def get_all_links(page: str) -> list[str]:
    """All links in page order, as written, repeated ones kept.

    >>> get_all_links('<a href="b">b</a> <a href="c">c</a> <a href="b">b again</a>')
    ['b', 'c', 'b']
    """
    links = []
    url, end_quote = get_next_target(page)
    while url is not None:
        links.append(url)
        page = page[end_quote + 1 :]
        url, end_quote = get_next_target(page)
    return links


def print_all_pages(page: str) -> None:
    """Print all links, one to a line.

    >>> print_all_pages('<a href="b">b</a> <a href="c">c</a>')
    b
    c
    """
    for url in get_all_links(page):
        print(url)


def union(a: list[str], b: Iterable[str]) -> None:
    """Append to list a, in place, what it lacks of b.

    >>> waiting = ["a", "b"]
    >>> union(waiting, ["b", "c"])
    >>> waiting
    ['a', 'b', 'c']
    """
    for each in b:
        if each not in a:
            a.append(each)


def follow_links(page: str, url: str) -> list[str]:
    """The links on the page at `url` as addresses that can be fetched.

    The original never resolved relative links, so that seven of the ten "pages" of its largest crawl were
    bare paths; here each is joined to the address of its page. "#part" is dropped: it is the same page.

    >>> follow_links('<a href="b.html#top">b</a> <a href="mailto:me@here">me</a>', "http://site/a.html")
    ['http://site/b.html']
    """
    targets = []
    for link in get_all_links(page):
        try:
            target = urldefrag(urljoin(url, link)).url
        except ValueError:  # no address at all, such as "http://["
            continue
        if target.startswith(("http://", "https://")):
            targets.append(target)
    return targets


def crawl_web(
    seed: str,
    *,
    max_pages: int | None = None,
    max_depth: int | None = None,
    get_page: Callable[[str], str] = get_page,
    order: str = "newest",
) -> tuple[Index, Graph]:
    """The index and the link graph of the pages that can be reached from the seed page.

    At most `max_pages` pages are fetched, and none more than `max_depth` links away from the seed. The next
    page is the one found last ("newest") or first ("breadth"). Going newest first, a page may be discovered by a
    detour, and its links then seem too deep; breadth first, every page is discovered by its shortest path.
    """
    tocrawl, crawled = [urldefrag(seed).url], list[str]()
    depth = {tocrawl[0]: 0}
    index: Index = {}
    graph: Graph = {}
    while tocrawl and (max_pages is None or len(crawled) < max_pages):
        url = tocrawl.pop(TAKE_FROM[order])
        if url in crawled:
            continue
        content = get_page(url)
        add_page_to_index(index, url, content)
        graph[url] = follow_links(content, url)
        crawled.append(url)
        if max_depth is None or depth[url] < max_depth:
            union(tocrawl, graph[url])
            for link in graph[url]:
                depth[link] = min(depth[url] + 1, depth.get(link, depth[url] + 1))
    return index, graph
