"""The searcher: from a query to hits, best first.

Pages that have all words come first, if the words are few; then the score decides, then the url.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.records import Hit, Results
from minisearch.search.blend import BLEND
from minisearch.search.query import parse
from minisearch.search.scoring import Mask, Scored, score
from minisearch.search.snapshot import Snapshot
from minisearch.search.snippet import snippet
from minisearch.search.suggest import completions, corrected
from minisearch.store.store import Store
from minisearch.text.terms import language

SORTS = ("blend", "text", "rank")
FEW = 100  # pages whose neighbouring words are counted without asking whether they could matter

Floats = NDArray[np.float64]


class Searcher:
    """Answers queries from a store, also while it is being written to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshot: Snapshot | None = None
        self._version: tuple[int, int, int] | None = None

    def snapshot(self) -> Snapshot:
        """The index as it is now. Call it inside `reading`."""
        version = self._store.version()
        if self._snapshot is None or version != self._version:
            self._snapshot, self._version = Snapshot(self._store), version
        return self._snapshot

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: str = "blend",
        blend: float = BLEND,
        snippets: bool = True,
    ) -> Results:
        """The hits for a query from place `offset` on."""
        check(sort, blend, limit, offset)
        began = time.perf_counter()
        with self._store.reading():
            index = self.snapshot()
            query = parse(text, index.languages)
            scored = score(index, query, 0.0 if sort == "text" else blend)
            best, keys = self._best(scored, sort, offset + limit)
            hits = tuple(self._hits(scored, keys, best[offset : offset + limit], snippets))
            missing = [heard.word for heard in scored.heard if not heard.where.df and not heard.word.bonus]
            suggestion = corrected(index, text, missing) if missing else ""
        took = (time.perf_counter() - began) * 1000
        return Results(
            text,
            int(np.count_nonzero(scored.matched)),
            hits,
            took,
            offset,
            query.note,
            tuple(word.text for word in missing),
            suggestion,
        )

    def suggest(self, typed: str, limit: int) -> list[str]:
        """What a query may become that so far reads `typed`."""
        with self._store.reading():
            return completions(self.snapshot(), typed, limit)

    def _best(self, scored: Scored, sort: str, count: int) -> tuple[list[int], Floats]:
        """The first `count` pages in order, and the numbers they are ordered by."""
        index = scored.index
        if sort == "rank":
            keys: Floats = np.nan_to_num(index.ranks)
            scored.add_neighbours(among_best(keys, keys, scored.matched, scored.complete, count))
        else:
            _add_what_matters(scored, count)
            keys = scored.text * scored.factor
        chosen = np.flatnonzero(among_best(keys, keys, scored.matched, scored.complete, count))
        stored = self._store.pages.get(index.pages[chosen].tolist())
        urls = {number: stored[int(index.pages[number])].url for number in chosen.tolist()}
        order = sorted(urls, key=lambda number: (not scored.complete[number], -keys[number], urls[number]))
        return order[:count], keys

    def _hits(self, scored: Scored, keys: Floats, best: list[int], snippets: bool) -> Iterator[Hit]:
        numbers = scored.index.pages[best].tolist() if best else []
        stored = self._store.pages.get(numbers)
        terms = frozenset(variant.term for heard in scored.heard for variant in heard.word.terms)
        for place, number in zip(best, numbers, strict=True):
            page = stored[number]
            spoken = [language(page.language)]  # by whose rules the page was indexed
            passage, marks = snippet(self._store.pages.text(number)[0], terms, spoken) if snippets else ("", ())
            yield Hit(
                url=page.url,
                title=page.title or page.url,
                score=float(keys[place]),
                text_score=float(scored.text[place]),
                link_factor=float(scored.factor[place]),
                snippet=passage,
                marks=marks,
                page_id=number,
                all_words=bool(scored.complete[place]),
            )


def _add_what_matters(scored: Scored, count: int) -> None:
    """Count neighbouring words on every page that could be among the best by them."""
    if not scored.pairs:
        return
    if np.count_nonzero(scored.matched) <= max(FEW, count):
        scored.add_neighbours(scored.matched)
        return
    at_most = (scored.text + scored.bound()) * scored.factor
    # First the most promising pages: what they really are worth shows how few of the others can still matter.
    scored.add_neighbours(among_best(at_most, at_most, scored.matched, scored.complete, count))
    sure = scored.text * scored.factor
    at_most = np.where(scored.counted, sure, at_most)
    scored.add_neighbours(among_best(sure, at_most, scored.matched, scored.complete, count))


def among_best(sure: Floats, at_most: Floats, matched: Mask, complete: Mask, count: int) -> Mask:
    """The pages that can be among the first `count` if each is worth what is `sure` and up to `at_most`.

    Pages with all words come before the others, whatever they are worth.
    """
    chosen = np.zeros(len(sure), dtype=bool)
    for tier in (matched & complete, matched & ~complete):
        pages = np.flatnonzero(tier)
        if len(pages) > count:
            worth = sure[pages]
            least = np.partition(worth, len(pages) - count)[len(pages) - count] if count > 0 else np.inf
            pages = pages[at_most[pages] >= least]
        chosen[pages] = True
        count -= int(np.count_nonzero(tier))
        if count <= 0:
            break
    return chosen


def check(sort: str, blend: float, limit: int, offset: int) -> None:
    """Refuse what makes no sense."""
    if sort not in SORTS:
        raise BadInput(f"sort must be one of {', '.join(SORTS)}, not {sort!r}")
    if not 0 <= blend <= 1:
        raise BadInput(f"blend must lie between 0 (words only) and 1, not {blend:g}")
    if limit < 1 or offset < 0:
        raise BadInput("ask for at least one hit, from the first page on")
