"""What a reader of the search page wishes: the query, the filters, the order. All of it is in the address."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from flask import request

from minisearch.models import Results
from minisearch.web import asked

HITS = 10
LAST_PAGE = 1000
FARTHER = 40  # places below the page at hand from which a page may be told to have come
SORTS = ("blend", "text", "rank")
SITE = re.compile(r"[\w.:\[\]-]+(/[^\s\"()]*)?")
LANGUAGE = re.compile(r"[\w-]{2,12}")


@dataclass(frozen=True, slots=True)
class Wish:
    """A search as its address tells it."""

    q: str = ""
    site: str = ""
    lang: str = ""
    sort: str = "blend"
    blend: float | None = None
    page: int = 1
    fold: int = 1

    @property
    def sought(self) -> str:
        """The query with its filters. They come first, lest an open quotation mark swallow them."""
        site, language = f"site:{self.site} " * bool(self.site), f"lang:{self.lang} " * bool(self.lang)
        return site + language + self.q

    @property
    def is_usual(self) -> bool:
        """Whether the hits are in the order in which they usually are."""
        return self.sort == "blend" and self.blend is None

    def but(self, **changes: Any) -> dict[str, Any]:
        """The arguments of an address that asks for the same with some changes, from its first page on."""
        told = {name: getattr(self, name) for name in USUAL} | {"page": 1} | changes
        return {name: value for name, value in told.items() if value != USUAL[name]}

    def how(self) -> dict[str, Any]:
        """How the engine is to search."""
        return {"sort": self.sort, "blend": self.blend, "fold": bool(self.fold)}


USUAL = asdict(Wish())


def wished() -> Wish:
    """What this request wishes."""
    site, language = asked.text("site", 300), asked.text("lang", 20)
    return Wish(
        q=asked.query(),
        site=site if SITE.fullmatch(site) else "",
        lang=language if LANGUAGE.fullmatch(language) else "",
        sort=asked.choice("sort", SORTS),
        blend=asked.share("blend"),
        page=asked.whole("page", 1, 1, LAST_PAGE),
        fold=int(request.args.get("fold") != "0"),
    )


def last_page(found: Results) -> int:
    """The number of the last page of hits."""
    return min(-(-(found.total - found.folded) // HITS), LAST_PAGE)


def moves(found: Results, usual: Results) -> dict[int, int | None]:
    """By how many places each hit moved up from where it usually is; None: it came from farther below.

    >>> from minisearch.models import Hit
    >>> a, b = (Hit(f"http://{n}/", "", 1, 1, 1, "", page_id=n) for n in (1, 2))
    >>> moves(Results("", 2, (b, a), 0), Results("", 2, (a, b), 0))
    {2: 1, 1: -1}
    """
    before = {hit.page_id: place for place, hit in enumerate(usual.hits, usual.offset)}
    now = enumerate(found.hits, found.offset)
    return {hit.page_id: before[hit.page_id] - place if hit.page_id in before else None for place, hit in now}
