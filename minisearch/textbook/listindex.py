"""The index as a list of entries: [[keyword, [url, ...]], ...].

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
The same as a map: minisearch/textbook/mapindex.py
Its fast sister, on disk: minisearch/index/

A keyword is found by going through the entries one by one. At worst it is the last one, or absent, and the
time taken grows with the number of words ever seen: the reason why hash tables were invented.
"""

from __future__ import annotations

from typing import Any

Index = list[list[Any]]


def add_to_index(index: Index, keyword: str, url: str) -> None:
    """Add an occurrence of the keyword on a page; a page is added once per occurrence."""
    for entry in index:
        if entry[0] == keyword:
            entry[1].append(url)
            return
    index.append([keyword, [url]])


def lookup(index: Index, keyword: str) -> list[str]:
    """The pages with the keyword, once per occurrence; an empty list if there are none."""
    for entry in index:
        if entry[0] == keyword:
            urls: list[str] = entry[1]
            return urls
    return []


def add_page_to_index(index: Index, url: str, content: str) -> None:
    """Add every word of the page, a word being the text between blanks.

    >>> index: Index = []
    >>> add_page_to_index(index, "a.html", "one word or one more")
    >>> index[:2]
    [['one', ['a.html', 'a.html']], ['word', ['a.html']]]
    """
    for keyword in content.split():
        add_to_index(index, keyword, url)
