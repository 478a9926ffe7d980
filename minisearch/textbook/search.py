"""Search as it began: find the pages with the word, then put the best ranked first.

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
Its fast sister, which weighs words and ranks together: minisearch/search/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def results(index: Mapping[str, Sequence[str]], ranks: Mapping[str, float], keyword: str) -> list[str] | None:
    """The pages with the keyword by falling rank, each once; None if there are none.

    The index has a page once per occurrence of the word, and the original gave it back as often.

    >>> results({"web": ["a", "b", "b"]}, {"a": 0.3, "b": 0.7}, "web")
    ['b', 'a']
    """
    pages = dict.fromkeys(index.get(keyword, ()))
    return sorted(pages, key=ranks.__getitem__, reverse=True) or None


def lucky_search(index: Mapping[str, Sequence[str]], ranks: Mapping[str, float], keyword: str) -> str | None:
    """The one best ranked page with the keyword; None if there is none.

    >>> lucky_search({"web": ["a", "b", "b"]}, {"a": 0.3, "b": 0.7}, "web")
    'b'
    """
    pages = results(index, ranks, keyword)
    return pages[0] if pages else None
