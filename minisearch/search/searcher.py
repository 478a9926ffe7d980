"""The searcher: from a query to hits, best first.

Pages that have all words come first, if the words are few; then the score decides, then the URL.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from minisearch.errors import BadInput
from minisearch.index.codec import Column
from minisearch.models import Hit, Results
from minisearch.search.index_reader import FIELDS, Docs, Floats, IndexReader, Ints, Mask, find
from minisearch.search.matching import match
from minisearch.search.params import RankingParams, Settings
from minisearch.search.query import parse
from minisearch.search.rankers import SORTS, sort_keys
from minisearch.search.scoring import Scored, score
from minisearch.search.snippets import Snippet, make_snippets, passage_url
from minisearch.search.suggest import complete_query, corrected
from minisearch.store.database import Store
from minisearch.store.pages import StoredPage

OWN_SCORES = ("tfidf", "boolean")  # sorts whose keys are shown as scores; links do not count
MANY_TIES = 100  # pages that share the last place: of more, not all are read
MOST_FACETS = 12
NEARLY_TIED = 0.03  # difference of two scores, as a share of the first
NOTHING: Settings = {}

Facet = tuple[tuple[str, int], ...]  # (name, matching documents), the most frequent first


class _Ranked(NamedTuple):
    """A document with its scores and all that its place in the order depends on."""

    number: int  # of the page, in all shards
    doc: int  # in its own shard
    key: float
    is_complete: bool
    text_score: float
    link_factor: float
    page: StoredPage

    def order(self) -> tuple[bool, float, str]:
        return not self.is_complete, -round(self.key, 9), self.page.url


class Searcher:
    """Answers queries from a store, also while it is being written to."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._reader: IndexReader | None = None

    def reader(self) -> IndexReader:
        """The index as it is now. Call it inside `reading`."""
        generation = self.store.postings.generation()
        if self._reader is None or self._reader.generation != generation:
            self._reader = IndexReader(self.store, generation)
        return self._reader

    def params(self, settings: Settings = NOTHING) -> RankingParams:
        """The ranking parameters of the file, with some changed. Call it inside `reading`."""
        return self.reader().params.changed(settings)

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
        settings: Settings = NOTHING,
        facets: bool = False,
    ) -> Results:
        """The hits for a query from place `offset` on; near-duplicates are one hit if `fold` says so."""
        check(sort, limit, offset)
        if sort == "text":
            blend = 0.0
        changed = settings if blend is None else {**settings, "blend": blend}
        began = time.perf_counter()
        with self.store.reading():
            reader = self.reader()
            params = reader.params.changed(changed)
            query = parse(text, reader.languages, params.sentence)
            scored = score(reader, params, query, strict=sort == "boolean")
            matched = scored.matches.matched
            total = reader.total(int(np.count_nonzero(matched)))
            missing = _missing(scored)
            suggestion = corrected(reader, text, missing)
            if suggestion and not self._finds(suggestion, params, strict=sort == "boolean"):
                suggestion = ""
            sites, languages = _facets(reader, matched) if facets else ((), ())
            groups = self._collapsed(scored, sort, offset + limit, fold)
            hits = self._hits(scored, sort, groups[offset:], snippets)
        return Results(
            query=text,
            total=total,
            hits=tuple(hits),
            took_ms=(time.perf_counter() - began) * 1000,
            offset=offset,
            note=_note(scored, missing, total),
            missing=missing,
            suggestion=suggestion,
            folded=sum(map(len, groups)) - len(groups),
            sites=sites,
            languages=languages,
        )

    def _finds(self, text: str, params: RankingParams, *, strict: bool) -> bool:
        """Whether any document matches a query."""
        reader = self.reader()
        matches = match(reader, params, parse(text, reader.languages, params.sentence), strict=strict)
        return bool(reader.total(int(np.count_nonzero(matches.matched))))

    def is_waiting(self) -> bool:
        """Whether nothing has been indexed yet, although there are pages."""
        found = self.reader().total([(self.store.postings.is_empty(), self.store.pages.count_pending())])
        return all(is_empty for is_empty, _ in found) and any(waiting for _, waiting in found)

    def suggest(self, typed: str, limit: int) -> list[str]:
        """What a query may become that so far reads `typed`."""
        return complete_query(self.reader(), typed, limit)

    # -- order ---------------------------------------------------------------------------------

    def _collapsed(self, scored: Scored, sort: str, count: int, collapse: bool) -> list[list[_Ranked]]:
        """The first `count` documents to show, each followed by its near-duplicates that match."""
        keys = sort_keys(scored, sort)
        looked = count
        while True:
            best = self._best(scored, keys, looked)
            groups = collapse_groups([ranked.page.near_duplicate_group if collapse else None for ranked in best], count)
            if len(groups) == count or len(best) < looked:
                break
            looked *= 3
        shown = [best[group[0]].page.near_duplicate_group for group in groups]
        duplicated = [alike for alike in shown if alike is not None]
        if collapse and len(best) == looked and duplicated:
            best += self._ranked(scored, keys, self._duplicates(scored, duplicated, best))
            groups = collapse_groups([ranked.page.near_duplicate_group for ranked in best], count)
        return [[best[place] for place in group] for group in groups]

    def _duplicates(self, scored: Scored, groups: Sequence[int], seen: Sequence[_Ranked]) -> Docs:
        """The documents in some groups of near-duplicates that match, wherever they stand, but have not been seen."""
        docs = scored.reader.numbers(self.store.pages.near_duplicates(groups))
        seen_here = {ranked.doc for ranked in _own(scored.reader, seen)}
        found = docs[scored.matches.matched[docs]].tolist()
        return np.array([doc for doc in found if doc not in seen_here], dtype=np.intp)

    def _best(self, scored: Scored, keys: Floats, count: int) -> list[_Ranked]:
        """The first `count` documents in order."""
        docs = scored.best(keys, count)
        if len(docs) > count + MANY_TIES:
            by_url = _url_order(scored.reader)[docs]
            docs = docs[np.lexsort((by_url, -keys[docs].round(9), ~scored.matches.complete[docs]))][:count]
        return self._ranked(scored, keys, docs)[:count]

    def _ranked(self, scored: Scored, keys: Floats, docs: Docs) -> list[_Ranked]:
        """Documents in order, with those of the other shards."""
        reader = scored.reader
        ids = reader.pages[docs].tolist()
        pages = self.store.pages.indexed(ids)
        columns = (docs, keys[docs], scored.matches.complete[docs], scored.text[docs], scored.factor[docs])
        rows = zip(*(column.tolist() for column in columns), ids, strict=True)
        own = [_Ranked(reader.page_number(page), *row, pages[page]) for *row, page in rows]  # type: ignore[call-arg]
        return sorted(reader.total(own), key=_Ranked.order)

    # -- hits ----------------------------------------------------------------------------------

    def _hits(self, scored: Scored, sort: str, groups: Sequence[Sequence[_Ranked]], snippets: bool) -> list[Hit]:
        """The hits of groups of near-duplicates, of which the first one is shown."""
        reader = scored.reader
        own = _own(reader, chain.from_iterable(groups))
        copies = self.store.pages.near_copies([ranked.page.id for ranked in own])
        made = self._snippets(scored, _own(reader, [group[0] for group in groups])) if snippets else {}
        urls: defaultdict[int, list[str]] = defaultdict(list)  # of copies
        shown: dict[int, Snippet] = {}
        numbered = [(reader.page_number(page), url) for page, url in copies]
        for of_shard, rows in reader.total([({reader.page_number(page): made[page] for page in made}, numbered)]):
            shown |= of_shard
            for number, url in rows:
                urls[number].append(url)
        hits = []
        for group in groups:
            similar = [ranked.page.url for ranked in group[1:]]
            similar += sorted(url for ranked in group for url in urls[ranked.number])
            hits.append(_hit(group[0], shown.get(group[0].number, Snippet("")), similar, sort))
        return hits

    def _snippets(self, scored: Scored, best: Sequence[_Ranked]) -> dict[int, Snippet]:
        """The snippets of some documents, by page id."""
        headings = FIELDS.index("headings")
        named = (exact.postings for exact in scored.matches.exact if exact.kind == "name")
        headed = {doc for postings in named for doc in postings.docs[postings.tf[headings] > 0].tolist()}
        words = [(word.word, word.idf * word.share) for word in scored.matches.words]
        pages = {ranked.page.id: ranked.page for ranked in best}
        with_heading = {ranked.page.id for ranked in best if ranked.doc in headed}
        return make_snippets(self.store.pages, pages, words, scored.query, with_heading)


def _own(reader: IndexReader, ranked: Iterable[_Ranked]) -> list[_Ranked]:
    """Those documents that belong to this shard."""
    return [each for each in ranked if each.number % reader.shards == reader.shard]


def _hit(ranked: _Ranked, snippet: Snippet, similar: Sequence[str], sort: str) -> Hit:
    page, section = ranked.page, snippet.heading
    has_own_score = sort in OWN_SCORES
    return Hit(
        url=page.url,
        title=page.title or page.url,
        score=ranked.key,
        text_score=ranked.key if has_own_score else ranked.text_score,
        link_factor=1.0 if has_own_score else ranked.link_factor,
        snippet=snippet.text,
        marks=snippet.marks,
        page_id=ranked.number,
        all_words=ranked.is_complete,
        similar=tuple(similar),
        heading=section.text if section and not page.title.startswith(section.text) else "",
        link=passage_url(page.url, section.anchor if section else "", *snippet.phrase),
        language=page.language,
        fetched_at=page.fetched_at,
    )


def _facets(reader: IndexReader, matched: Mask) -> tuple[Facet, Facet]:
    """The sites and the languages of matching documents."""
    hosts = reader.cached(("hosts",), lambda: _read_hosts(reader))
    languages = _counted(reader.collection.languages, reader.collection.language, matched)
    found = reader.total([(_counted(*hosts, matched), languages)])
    sites, spoken = (sum(counters, Counter[str]()) for counters in zip(*found, strict=True))
    return _most_common(sites), _most_common(spoken)


def _read_hosts(reader: IndexReader) -> tuple[list[str], Ints]:
    """The hosts, and for each document the place of its own among them."""
    urls, pages = reader.store.pages.all_urls()
    host_of = dict(zip(pages.tolist(), (url.split("/", 3)[2].lower() for url in urls), strict=True))
    hosts = [host_of[page] for page in reader.pages.tolist()]
    names = sorted(set(hosts))
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places[host] for host in hosts], dtype=np.int64)


def collapse_groups(groups: Sequence[int | None], count: int) -> list[list[int]]:
    """The places of the first `count` pages to show, best first, each followed by the places of its near-duplicates.

    `groups` has the group of near-duplicates of each, if it has any. Whether a page is shown is decided by the pages
    before it alone, so a longer list begins with the shorter one, and no page of hits repeats what another collapsed.

    >>> collapse_groups([7, None, 7, 8, None, 7], 3)
    [[0, 2, 5], [1], [3]]
    """
    shown: list[list[int]] = []
    first: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        if group is not None and group in first:
            first[group].append(place)
        elif len(shown) < count:
            shown.append([place])
            if group is not None:
                first[group] = shown[-1]
    return shown


def nearly_tied(hits: Sequence[Hit]) -> bool:
    """Whether the first two hits could as well stand in the other order."""
    if len(hits) < 2 or hits[0].all_words != hits[1].all_words:
        return False
    return hits[0].score - hits[1].score <= NEARLY_TIED * abs(hits[0].score)


def check(sort: str, limit: int, offset: int) -> None:
    """Refuse what makes no sense."""
    if sort not in SORTS:
        raise BadInput(f"sort must be one of {', '.join(SORTS)}, not {sort!r}")
    if limit < 1 or offset < 0:
        raise BadInput("ask for at least one hit, from the first page on")


def _missing(scored: Scored) -> tuple[str, ...]:
    """The words that no page has, in whatever field; a note tells of prefixes."""
    words = [
        word.word
        for word in scored.matches.words
        if not (word.df or word.word.is_whole or word.word.text.endswith("*"))
    ]
    if not words:
        return ()
    counts = scored.reader.total(np.array([len(scored.reader.postings(word.terms).docs) for word in words]))
    return tuple(dict.fromkeys(word.text for word, count in zip(words, counts.tolist(), strict=True) if not count))


def _note(scored: Scored, missing: Sequence[str], total: int) -> str:
    """What the reader has to know of the answer; if nothing was found, why."""
    if not scored.reader.documents:
        return "the index has no pages"
    notes = [*scored.matches.notes]
    has_reason = len(notes) > bool(scored.query.note)
    required = {word.text for clause in scored.query.clauses if clause.sign == "+" for word in clause.words}
    if missing:  # the words that no page has are listed beside the notes
        has_known_words = any(word.df for word in scored.matches.words)
        has_reason = has_reason or not has_known_words or not required.isdisjoint(missing)
    if not total and not has_reason:
        notes.append("no page has all that the query asks for")
    return "; ".join(notes)


def _url_order(reader: IndexReader) -> Ints:
    """The place of each document in the order of URLs."""

    def read() -> Ints:
        ordered = find(reader.pages, reader.store.pages.sorted_by_url())
        places = np.empty(reader.size, dtype=np.int64)
        places[ordered[ordered >= 0]] = np.arange(reader.size)
        return places

    return reader.cached(("url order",), read)


def _counted(names: Sequence[str], codes: Column, matched: Mask) -> Counter[str]:
    """How many matching documents have each name."""
    counts = np.bincount(codes[matched], minlength=len(names)).tolist() if len(names) else []
    return Counter({name: count for name, count in zip(names, counts, strict=True) if count})


def _most_common(found: Counter[str]) -> Facet:
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_FACETS])
