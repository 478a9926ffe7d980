"""The index as a map: {keyword: [url, ...]}.

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
The same as a list: minisearch/textbook/listindex.py; what is inside a map: minisearch/textbook/hashtable.py
Its fast sister, on disk: minisearch/index/
"""

from __future__ import annotations

Index = dict[str, list[str]]


def add_to_index(index: Index, keyword: str, url: str) -> None:
    """Add an occurrence of the keyword on a page; a page is added once per occurrence."""
    if keyword in index:
        index[keyword].append(url)
    else:
        index[keyword] = [url]


def lookup(index: Index, keyword: str) -> list[str] | None:
    """The pages with the keyword, once per occurrence; None if there are none."""
    return index.get(keyword)


def add_page_to_index(index: Index, url: str, content: str) -> None:
    """Add every word of the page, a word being the text between blanks.

    Tags are not taken out, so they stick to words: "page</h1>" is another word than "page".

    >>> index: Index = {}
    >>> add_page_to_index(index, "a.html", "<h1>a page</h1> of a web")
    >>> lookup(index, "a"), lookup(index, "page"), lookup(index, "web")
    (['a.html'], None, ['a.html'])
    """
    for keyword in content.split():
        add_to_index(index, keyword, url)
