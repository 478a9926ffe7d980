"""TrustRank: PageRank that teleports only to trusted pages; and spam mass.

Z. Gyongyi, H. Garcia-Molina and J. Pedersen, "Combating Web Spam with TrustRank", 2004. Trust flows along links, so
pages that the trusted ones do not reach get none. Spam mass compares: a page with much rank and
little trust was lifted by something else. The same in plain Python: minisearch/textbook/trustrank.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.rank.scores import Scores, Vector, numbers
from minisearch.rank.topic import Web, rank_from, topic_vector


def trustrank(graph: Web, trusted: Iterable[int], **how: Any) -> Scores:
    """PageRank that teleports to the trusted pages only. Options are those of `pagerank`.

    Dangling pages lead back to the trusted pages, so that no trust is lost.
    """
    jump = topic_vector(graph.n, trusted, name="the trusted set")
    return rank_from(graph, jump, **how)


def trusted_pages(urls: Sequence[str], wanted: Iterable[str]) -> list[int]:
    """The pages that are trusted: by url, by a pattern with stars, or by the ending of a domain like .edu.

    >>> urls = ["https://a.edu/", "https://b.com/x", "https://uni.ac.rs/", "http://c.edu/y"]
    >>> trusted_pages(urls, [".edu"]), trusted_pages(urls, ["https://*.rs/*"]), trusted_pages(urls, ["https://b.com/x"])
    ([0, 3], [2], [1])
    """
    chosen = list(wanted)
    if not chosen:
        raise BadInput("no trusted pages: give at least one URL, pattern or domain suffix")
    return matching_pages(urls, chosen)


def matching_pages(urls: Sequence[str], wanted: Iterable[str]) -> list[int]:
    """The pages that any of some urls, patterns or domain endings stand for; BadInput if one stands for none."""
    found: set[int] = set()
    for each in wanted:
        named = [page for page, url in enumerate(urls) if url in (each, f"{each}/")]  # an address may have stars, too
        matching = named or [page for page, url in enumerate(urls) if _matches(url, each)]
        if not matching:
            raise BadInput(
                f'no page matches "{each}": give a page, a pattern such as https://*.edu/* or a suffix such as .edu'
            )
        found.update(matching)
    return sorted(found)


def spam_mass(rank: ArrayLike, trust: ArrayLike) -> Vector:
    """(rank - trust) / rank for each page: toward 1 is suspect, below 0 is better trusted than famous.

    A page without rank has mass 0: nothing has lifted it.

    >>> spam_mass([0.5, 0.25, 0.0], [0.1, 0.3, 0.0])
    array([ 0.8, -0.2,  0. ])
    """
    ranks = np.asarray(rank, dtype=np.float64)
    known, trusts = numbers("rank", ranks, ranks.size), numbers("trust", trust, ranks.size)
    mass: Vector = np.divide(known - trusts, known, out=np.zeros_like(known), where=known > 0)
    return mass


def _matches(url: str, wanted: str) -> bool:
    if wanted.startswith(".") and "/" not in wanted and "*" not in wanted:
        host = (urlsplit(url).hostname or "").lower()
        return host.endswith(wanted.lower())
    return "*" in wanted and _pattern(wanted).fullmatch(url) is not None


@cache
def _pattern(wanted: str) -> re.Pattern[str]:
    """What a pattern matches: a star stands for anything, but in the name of a host for no slash.

    >>> pattern = _pattern("https://*.edu/*")
    >>> [bool(pattern.fullmatch(url)) for url in ("https://mit.EDU:8080/a/b", "https://spam.com/x.edu/y")]
    [True, False]
    """
    scheme, mark, rest = wanted.partition("://")
    if not mark:
        return re.compile(_starred(wanted, ".*"), re.DOTALL)
    host, slash, path = rest.partition("/")
    port = "" if ":" in host else r"(?::\d+)?"
    name = _starred(host, "[^/]*")
    return re.compile(f"{_starred(scheme, '.*')}://(?i:{name}){port}{slash}{_starred(path, '.*')}", re.DOTALL)


def _starred(text: str, star: str) -> str:
    return star.join(map(re.escape, text.split("*")))
