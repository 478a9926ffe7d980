"""The searcher: from a query to hits, best first.

Pages that have all words come first, if the words are few; then the score decides, then the url.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np

from minisearch.errors import BadInput
from minisearch.packing import contained
from minisearch.records import Hit, Results
from minisearch.search.facets import facets as counted
from minisearch.search.fold import fold as fold_alike
from minisearch.search.fragment import link
from minisearch.search.ladder import SORTS
from minisearch.search.ladder import keys as keys_by
from minisearch.search.made import Row, bare, hit
from minisearch.search.query import Query, parse
from minisearch.search.recipe import DEFAULT
from minisearch.search.scoring import Scored, first_pages, score
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

Found = tuple[StoredPage, Row]  # what is known of a page


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
            scored, shown, known = self._shown(index, query, sort, offset, limit, fold)
            groups = shown[offset:] if offset else shown
            similar = self._similar(index, groups, known) if fold else {}
            best = [known[group[0]] for group in groups]
            hits = tuple(self._hits(scored, best, similar)) if snippets else bare(best, similar)
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
    ) -> tuple[Scored, list[list[int]], dict[int, Found]]:
        """The pages to show up to place `offset + limit`, each followed by those folded under it; and what is known of
        them all. What is folded under the last `limit` of them is complete.
        """
        blend, strict = 0.0 if sort == "text" else index.recipe.blend, sort == "boolean"
        count = looked = offset + limit
        while True:
            wanted = looked if sort in BY_SCORE else None  # others order by what is not the score
            scored = score(index, query, blend, strict=strict, wanted=wanted)
            best, known = self._best(scored, sort, looked)
            alike = [known[place][0].alike for place in best] if folding else []
            if alike.count(None) == len(alike):  # each is shown by itself
                return scored, [[place] for place in best[:count]], known
            groups = fold_alike(alike, count)
            if len(groups) == count or len(best) < looked:
                break
            looked *= 3
        shown = [known[best[group[0]]][0] for group in groups[offset:]] if len(best) == looked else []
        if twins := self._twins(scored, shown) - set(best):
            scored = score(index, query, blend, strict=strict)
            found = self._found(scored, sort, scored.rows(np.array([*twins]), keys_by(scored, sort)))
            known |= found
            best += _in_order(found)
            groups = fold_alike([known[place][0].alike for place in best], count)
        return scored, [[best[place] for place in group] for group in groups], known

    def _similar(
        self, index: Snapshot, groups: list[list[int]], known: Mapping[int, Found]
    ) -> dict[int, tuple[str, ...]]:
        """For the first page of a group, the urls it stands for, if there are any: of the others, and of their near
        copies.
        """
        first = {known[place][0].id: known[group[0]][0].id for group in groups for place in group}
        urls: dict[int, list[str]] = {}
        if len(first) > len(groups):
            urls = {
                known[group[0]][0].id: [known[place][0].url for place in group[1:]]
                for group in groups
                if len(group) > 1
            }
        if not index.standing.isdisjoint(first):
            for number, url in self._store.likeness.near_copies(index.standing & first.keys()):
                urls.setdefault(first[number], []).append(url)
        return {number: tuple(found) for number, found in urls.items()}

    def _twins(self, scored: Scored, shown: list[StoredPage]) -> set[int]:
        """The matching pages, wherever they stand, that are near-identical to a page shown."""
        groups = [page.alike for page in shown if page.alike is not None]
        near = self._store.likeness.alike(groups) if groups else []
        if not near:
            return set()
        return set(np.flatnonzero(scored.matched & contained(scored.index.pages, np.array(near))).tolist())

    def _best(self, scored: Scored, sort: str, count: int) -> tuple[list[int], dict[int, Found]]:
        """The first `count` pages in order, and what is known of them."""
        if sort in BY_SCORE:
            rows = scored.first(count)
        else:
            keys = keys_by(scored, sort)
            rows = scored.rows(first_pages(keys, scored.matched, scored.complete, count), keys)
        if len(rows) > count + MANY:  # thousands share the last place: not all need be looked at
            by_url = scored.index.sites.in_order[[row[0] for row in rows]].tolist()
            order = sorted((not row[-1], -row[-2], url, row) for row, url in zip(rows, by_url, strict=True))
            rows = [row for *_, row in order[:count]]
        known = self._found(scored, sort, rows)
        return _in_order(known)[:count], known

    def _found(self, scored: Scored, sort: str, rows: list[Row]) -> dict[int, Found]:
        """What is known of some pages."""
        if sort in OWN_SCORES:
            rows = [(place, key, key, 1.0, rounded, full) for place, key, _, _, rounded, full in rows]
        places = [row[0] for row in rows]
        return dict(zip(places, zip(scored.index.facts(places), rows, strict=True), strict=True))

    def _hits(self, scored: Scored, best: list[Found], similar: Mapping[int, tuple[str, ...]]) -> Iterator[Hit]:
        """The hits, each with a passage."""
        has_heading = contained(np.array([row[0] for _, row in best], dtype=np.int64), scored.headed).tolist()
        headed = {page.id for (page, _), has in zip(best, has_heading, strict=True) if has}
        pages = {page.id: page for page, _ in best}
        shown = show(self._store.pages, pages, scored.query, scored.heard, headed)
        for page, (_, key, text, factor, _, complete) in best:
            passage = shown.get(page.id, NOTHING)
            section = passage.heading
            yield hit(
                page.url,
                page.title or page.url,
                key,
                text,
                factor,
                passage.text,
                passage.marks,
                page.id,
                complete,
                similar.get(page.id, ()),
                section.text if section and not page.title.startswith(section.text) else "",
                link(page.url, section.anchor if section else "", *passage.phrase),
                page.language,
                page.fetched_at,
            )


def _in_order(found: Mapping[int, Found]) -> list[int]:
    """Pages that were found, best first."""
    order = sorted([(not full, -rounded, page.url, place) for page, (place, _, _, _, rounded, full) in found.values()])
    return [told[3] for told in order]


def check(sort: str, limit: int, offset: int) -> None:
    """Refuse what makes no sense."""
    if sort not in SORTS:
        raise BadInput(f"sort must be one of {', '.join(SORTS)}, not {sort!r}")
    if limit < 1 or offset < 0:
        raise BadInput("ask for at least one hit, from the first page on")
