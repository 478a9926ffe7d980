"""Relations: pages to which a page leads though nobody can click on them.

The next page of a list that grows as one scrolls, the same page in other languages, and where a page goes that sends
its readers on after a while: `<link rel="next">`, `<link rel="alternate" hreflang="de">` (hyperlinks, says the HTML
standard) and a refresh with a pause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from operator import itemgetter

from minisearch.errors import BadUrl
from minisearch.parse.refresh import leads_to
from minisearch.records import Link

NEIGHBOURS = frozenset(["next", "prev", "previous"])
READ = ("", "text/html", "application/xhtml+xml")  # what an alternate may be; a feed is for others

Attributes = Mapping[str, str | None]


def related(
    links: Iterable[Link], relations: Iterable[Attributes], refresh: str, join: Callable[[str], str], *, nofollow: bool
) -> tuple[Link, ...]:
    """The links of a page, and after them those to its relations that are not among them.

    >>> related([Link("/a")], [{"rel": "next", "href": "/b"}, {"rel": "prev", "href": "/a"}], "", str, nofollow=False)
    (Link(url='/a', anchor='', nofollow=False), Link(url='/b', anchor='', nofollow=False))
    """
    links, others = tuple(links), dict.fromkeys(_named(relations, refresh, join))
    if not others:
        return links
    known = set(map(itemgetter(0), links))
    return (*links, *(Link(url, "", nofollow) for url in others if url not in known))


def _named(relations: Iterable[Attributes], refresh: str, join: Callable[[str], str]) -> Iterator[str]:
    for relation in relations:
        if (href := relation.get("href")) and _is_page(relation):
            with suppress(BadUrl):
                yield join(href)
    if refresh and (target := leads_to(refresh, join)):
        yield target


def _is_page(relation: Attributes) -> bool:
    names = (relation.get("rel") or "").lower().split()
    if not NEIGHBOURS.isdisjoint(names):
        return True
    if "alternate" not in names or not relation.get("hreflang"):
        return False
    kind = (relation.get("type") or "").partition(";")[0].strip().lower()
    return kind in READ
