"""The searcher: from a query to hits, best first.

Pages that have all words come first, if the words are few; then the score decides, then the url.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from minisearch.errors import BadInput
from minisearch.records import Hit, Results
from minisearch.search.facets import facets as counted
from minisearch.search.fold import fold as fold_alike
from minisearch.search.fragment import link
from minisearch.search.ladder import SORTS
from minisearch.search.ladder import keys as keys_by
from minisearch.search.query import Query, parse
from minisearch.search.recipe import DEFAULT
from minisearch.search.scoring import ALL, Scored, first_pages, score
from minisearch.search.show import show
from minisearch.search.snapshot import Snapshot
from minisearch.search.snippet import Snippet
from minisearch.search.suggest import completions, corrected
from minisearch.store.pages import StoredPage
from minisearch.store.store import Store

BY_SCORE = ("blend", "text")  # sorts
OWN_SCORES = ("tfidf", "boolean")  # sorts that weigh words in a way of their own, and links not at all
MOST_RECIPES = 4  # kept at a time
MANY = 100  # pages that share the last place, and are put in order by what is told of them
NONE: Mapping[str, float] = {}
NOTHING = Snippet("")


class Searcher:
    """Answers queries from a store, also while it is being written to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshots: dict[tuple[tuple[str, float], ...], Snapshot] = {}
        self._version: tuple[int, int, int] | None = None

    def snapshot(self, settings: Mapping[str, float] = NONE) -> Snapshot:
        """The index as it is now, to be ranked by the recipe of the file with some numbers changed.

        Call it inside `reading`.
        """
        version = self._store.version()
        if version != self._version:
            self._snapshots, self._version = {}, version
        key = tuple(sorted(settings.items()))
        if key not in self._snapshots:
            recipe = DEFAULT.changed(self._store.ranks.settings()).changed(settings)
            known = self._snapshots.get(())
            if len(self._snapshots) > MOST_RECIPES:
                self._snapshots = {}
            self._snapshots[key] = known.by(recipe) if known else Snapshot(self._store, recipe)
        return self._snapshots[key]

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: str = "blend",
        blend: float | None = None,
        snippets: bool = True,
        fold: bool = True,
        settings: Mapping[str, float] = NONE,
        facets: bool = False,
    ) -> Results:
        """The hits for a query from place `offset` on; near-identical pages are one hit if `fold` says so."""
        check(sort, limit, offset)
        changed = settings if blend is None else {**settings, "blend": blend}
        began = time.perf_counter()
        with self._store.reading():
            index = self.snapshot(changed)
            query = parse(text, index.languages, index.recipe.sentence)
            scored, shown, stored = self._shown(index, query, sort, offset, limit, fold)
            groups = [[stored[place] for place in group] for group in shown[offset:]]
            similar = self._similar(index, groups) if fold else {}
            best = {group[0]: stored[group[0]] for group in shown[offset:]}
            hits = tuple(self._hits(scored, sort, best, similar, snippets))
            missing = [heard.word for heard in scored.heard if not heard.where.df and not heard.word.bonus]
            suggestion = corrected(index, text, missing) if missing else ""
            sites, languages = counted(index, scored.matched) if facets else ((), ())
        took = (time.perf_counter() - began) * 1000
        return Results(
            text,
            int(np.count_nonzero(scored.matched)),
            hits,
            took,
            offset,
            "; ".join(scored.notes),
            tuple(word.text for word in missing),
            suggestion,
            sum(len(group) - 1 for group in shown),
            sites,
            languages,
        )

    def suggest(self, typed: str, limit: int) -> list[str]:
        """What a query may become that so far reads `typed`."""
        with self._store.reading():
            return completions(self.snapshot(), typed, limit)

    def _shown(
        self, index: Snapshot, query: Query, sort: str, offset: int, limit: int, folding: bool
    ) -> tuple[Scored, list[list[int]], dict[int, StoredPage]]:
        """The pages to show up to place `offset + limit`, each followed by those folded under it; and the facts of
        them all. What is folded under the last `limit` of them is complete.
        """
        blend, strict = 0.0 if sort == "text" else index.recipe.blend, sort == "boolean"
        count = looked = offset + limit
        while True:
            wanted = looked if sort in BY_SCORE else ALL  # others order by what is not the score
            scored = score(index, query, blend, strict=strict, wanted=wanted)
            best, stored = self._best(scored, sort, looked)
            if not folding:
                return scored, [[place] for place in best], stored
            groups = fold_alike([stored[place].alike for place in best], count)
            if len(groups) == count or len(best) < looked:
                break
            looked *= 3
        shown = [stored[best[group[0]]] for group in groups[offset:]] if len(best) == looked else []
        if twins := self._twins(scored, shown) - set(best):
            scored = score(index, query, blend, strict=strict)
            stored.update(self._facts(scored, twins))
            worth = dict(zip(twins, keys_by(scored, sort)(np.array([*twins])).tolist(), strict=True))
            best += sorted(twins, key=lambda number: (-round(worth[number], 9), stored[number].url))
            groups = fold_alike([stored[place].alike for place in best], count)
        return scored, [[best[place] for place in group] for group in groups], stored

    def _similar(self, index: Snapshot, groups: list[list[StoredPage]]) -> dict[int, tuple[str, ...]]:
        """For the first page of each group, the urls it stands for: of the others, and of their near copies."""
        first = {page.id: group[0].id for group in groups for page in group}
        urls: dict[int, list[str]] = {group[0].id: [page.url for page in group[1:]] for group in groups}
        standing = index.standing & first.keys()
        for number, url in self._store.likeness.near_copies(standing) if standing else ():
            urls[first[number]].append(url)
        return {number: tuple(told) for number, told in urls.items()}

    def _twins(self, scored: Scored, shown: list[StoredPage]) -> set[int]:
        """The matching pages, wherever they stand, that are near-identical to a page shown."""
        groups = [page.alike for page in shown if page.alike is not None]
        near = self._store.likeness.alike(groups) if groups else []
        return set(np.flatnonzero(scored.matched & np.isin(scored.index.pages, near)).tolist()) if near else set()

    def _best(self, scored: Scored, sort: str, count: int) -> tuple[list[int], dict[int, StoredPage]]:
        """The first `count` pages in order, and their facts."""
        keys = keys_by(scored, sort)
        near = scored.looked_at if count <= scored.index.recipe.closely and scored.pairs else scored.best
        chosen = first_pages(keys, scored.matched, scored.complete, count, near if sort in BY_SCORE else None)
        if len(chosen) > count + MANY:  # thousands share the last place: not all need be looked at
            by = (scored.index.sites.in_order[chosen], -keys(chosen).round(9), ~scored.complete[chosen])
            chosen = chosen[np.lexsort(by)[:count]]
        pages = self._facts(scored, chosen.tolist())
        worth = keys(chosen).round(9)  # what is due to rounding decides nothing
        columns = zip(scored.complete[chosen].tolist(), worth.tolist(), chosen.tolist(), strict=True)
        order = sorted((not full, -key, pages[number].url, number) for full, key, number in columns)
        return [number for *_, number in order[:count]], pages

    def _facts(self, scored: Scored, places: Collection[int]) -> dict[int, StoredPage]:
        numbers = {place: int(scored.index.pages[place]) for place in places}
        stored = scored.index.facts(numbers.values())
        return {place: stored[number] for place, number in numbers.items()}

    def _hits(
        self,
        scored: Scored,
        sort: str,
        best: dict[int, StoredPage],
        similar: Mapping[int, tuple[str, ...]],
        snippets: bool,
    ) -> Iterator[Hit]:
        pages = {page.id: page for page in best.values()}
        places = np.array([*best], dtype=np.int64)
        shown = {}
        if snippets:
            headed = {best[place].id for place in places[np.isin(places, scored.headed)].tolist()}
            shown = show(self._store.pages, pages, scored.query, scored.heard, headed)
        columns = (keys_by(scored, sort)(places), scored.text[places], scored.factor[places], scored.complete[places])
        numbers = zip(*(column.tolist() for column in columns), strict=True)  # at one go: one by one takes longer
        for page, (key, text, factor, complete) in zip(best.values(), numbers, strict=True):
            if sort in OWN_SCORES:
                text, factor = key, 1.0
            passage = shown.get(page.id, NOTHING)
            section = passage.heading
            yield Hit(
                url=page.url,
                title=page.title or page.url,
                score=key,
                text_score=text,
                link_factor=factor,
                snippet=passage.text,
                marks=passage.marks,
                page_id=page.id,
                all_words=complete,
                similar=similar.get(page.id, ()),
                heading=section.text if section and not page.title.startswith(section.text) else "",
                link=link(page.url, section.anchor if section else "", *passage.phrase),
                language=page.language,
                fetched_at=page.fetched_at,
            )


def check(sort: str, limit: int, offset: int) -> None:
    """Refuse what makes no sense."""
    if sort not in SORTS:
        raise BadInput(f"sort must be one of {', '.join(SORTS)}, not {sort!r}")
    if limit < 1 or offset < 0:
        raise BadInput("ask for at least one hit, from the first page on")
