"""The compact notation of a graph, short enough to type and to put into a URL.

    A:B,C,D;B:A,D;C:E;D:B,C*2;E

Every page once, in order, with the pages it links to; *2 is the weight of a link. Reserved characters in page names are
percent-encoded, %3A for a colon. minisearch/web/static/lab/web.js reads and writes the same notation.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from minisearch.errors import BadInput
from minisearch.lab.edgelist import read_weight
from minisearch.lab.lines import clip
from minisearch.lab.webs import Web

MARKS = re.compile(r"[:;,*%\s]")
PART = re.compile(r"\s*[^:;,\s]+\s*(:[^:;]*)?")


def looks_like_one(text: str) -> bool:
    """Whether a text can be meant so, and as no list of links.

    >>> looks_like_one("A:B,C;B:A"), looks_like_one("http://a/,http://b/")
    (True, False)
    """
    parts = text.strip().strip(";").split(";")
    return len(parts) > 1 and ":" in text and all(map(PART.fullmatch, parts))


def written(web: Web) -> str:
    """The web in short.

    >>> written(Web.of(["A", "B", "C:1"], [("A", "B"), ("A", "C:1", 2.0), ("B", "A")]))
    'A:B,C%3A1*2;B:A;C%3A1'
    """
    links: dict[str, list[str]] = {name: [] for name in web.names}
    for source, target, often in web.links():
        links[source].append(_escaped(target) + ("" if often == 1 else f"*{often:.17g}"))
    return ";".join(_escaped(name) + (":" + ",".join(to) if to else "") for name, to in links.items())


def read(text: str, where: str = "the graph") -> Web:
    """The web that is meant; a page that is only linked to comes after those that have a place of their own.

    >>> read("A:B,B;B:C").links()
    [('A', 'B', 2.0), ('B', 'C', 1.0)]
    """
    rows = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, targets = part.partition(":")
        ends = [end for end in (end.strip() for end in targets.split(",")) if end] if colon else []
        if not name.strip():
            raise BadInput(f'write a graph as A:B,C;B:A: "{clip(part)}" has no page before the colon')
        rows.append((_plain(name), [_end(end, where) for end in ends]))
    if not rows:
        raise BadInput("the graph has no pages: write it as A:B,C;B:A")
    numbers = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in rows))}
    links = [(numbers[name], numbers.setdefault(target, len(numbers)), w) for name, ends in rows for target, w in ends]
    return Web.numbered(numbers, [link[0] for link in links], [link[1] for link in links], [link[2] for link in links])


def _end(text: str, where: str) -> tuple[str, float]:
    name, star, weight = text.partition("*")
    return _plain(name), read_weight(weight, where, 1) if star else 1.0


def _escaped(name: str) -> str:
    return MARKS.sub(lambda mark: quote(mark[0], safe="") if mark[0] != "*" else "%2A", name)


def _plain(name: str) -> str:
    return unquote(name.strip())
