"""Listening: what the words of a query find, and which pages have what its clauses ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np

from minisearch.search import addresses, phrases
from minisearch.search.allowance import Allowance
from minisearch.search.arrays import Mask
from minisearch.search.clauses import Clause, Variant, Word
from minisearch.search.entries import Entry
from minisearch.search.meeting import Having, mask_of, meet, row
from minisearch.search.occurrences import Heard, Occurrences, heard
from minisearch.search.query import Query
from minisearch.search.snapshot import Snapshot
from minisearch.text.terms import analyzer

APART = "so many pages have these words that not all phrases were looked for: the words of some may stand apart"


@dataclass(frozen=True, slots=True)
class Named:
    """The whole query as the name of pages, with what that is worth in each field."""

    kind: str  # name, exact, or address
    heard: Heard
    shares: dict[str, float]


class Listener:
    """Looks up the words of a query, each once."""

    def __init__(self, index: Snapshot) -> None:
        self._index = index
        self._query: Query | None = None
        self._known: dict[tuple[object, str], Heard] = {}
        self.must: list[Having] = []  # what all pages have that match, and what none of them has
        self.barred: list[Having] = []
        self._whole = index.recipe.whole  # the share of an identifier beside its parts
        self.notes: list[str] = []  # what the reader has to know of the answer
        self._allowance = Allowance()

    @property
    def heard(self) -> list[Heard]:
        """The words that add to the score, in order."""
        return [heard for heard in self._known.values() if heard.share]

    def hear(self, word: Word, field: str, share: float) -> Heard:
        """A word, looked up. Spelled in another way it is the same word if it has the same terms."""
        key = (word.terms or word.text, field)
        known = self._known.get(key)
        if known is None or share > known.share:
            where = known.where if known else self._index.find(word, field, self._beside)
            known = self._known[key] = heard(word, field, where, share)
        return known

    def listen(self, query: Query) -> list[tuple[Clause, Having]]:
        """Each clause with the pages that have what it asks for.

        Words side by side take longest to find, so they are looked for last, and only where a page can still match.
        """
        self._query = query
        if sum(clause.sign != "-" for clause in query.clauses) == 1:
            self._whole = self._index.recipe.alone
        if query.sites or query.languages:
            self.must += self.filters(query)
        held: dict[int, Having] = {}
        order: Sequence[Clause] = query.clauses
        if any(map(_is_exacting, order)):
            order = sorted(order, key=_is_exacting)
        for clause in order:
            if id(clause) in held:  # a word said again is the same
                continue
            held[id(clause)] = having = self.holds(clause)
            if clause.sign:
                (self.must if clause.sign == "+" else self.barred).append(having)
        return [(clause, held[id(clause)]) for clause in query.clauses]

    def _beside(self) -> Iterator[tuple[Variant, ...]]:
        """The terms that are looked up for the query."""
        if self._query:
            yield from (word.terms for clause in self._query.clauses for word in clause.words)
            yield from (self._query.names, self._query.titles)

    def _within(self) -> Mask:
        """The pages that can still match."""
        return meet(self._index.size, None, self.must, self.barred, None, []).matched

    def holds(self, clause: Clause, share: float = 1.0) -> Having:
        """The pages that have what a clause asks for. What must not be there adds nothing to the score."""
        if clause.sign == "-":
            share = 0.0
        if clause.kind == "word" and len(clause.words) == 1:
            (word,) = clause.words
            return self.hear(word, clause.field, share * self._whole if word.bonus else share).where.having
        if clause.kind == "group":
            options = [reduce(np.logical_and, self._all(option, share)) for option in clause.options]
            return reduce(np.logical_or, options)
        words = (self._completed(clause.text),) if clause.kind == "prefix" else clause.words
        heard = [self.hear(word, clause.field, share * self._whole if word.bonus else share) for word in words]
        parts = [one for word, one in zip(words, heard, strict=True) if not word.bonus]
        held: Mask = reduce(np.logical_and, _masks(parts)) if parts else np.zeros(self._index.size, dtype=bool)
        if clause.kind == "phrase":
            return self._side_by_side(heard, held, self._within(), clause)
        wholes = _masks(one for word, one in zip(words, heard, strict=True) if word.bonus)
        if clause.sign and wholes:  # an identifier that must be there, or must not, is more than its parts
            found: Mask = reduce(np.logical_or, wholes)
            held = self._side_by_side(parts, held, self._within() & ~found) if len(parts) > 1 else found
        return reduce(np.logical_or, wholes, held)

    def _completed(self, prefix: str) -> Word:
        """The words that begin so, and the one that it may be by itself: the index has the stem of "pruning"."""
        found = self._index.vocabulary.completions(prefix)
        itself = (Variant(analyzer(spoken).term(prefix)) for spoken in self._index.languages)
        return found._replace(terms=tuple(dict.fromkeys((*found.terms, *itself))))

    def _all(self, option: tuple[Clause, ...], share: float) -> list[Mask]:
        masks = [np.ones(self._index.size, dtype=bool)]
        for clause in option:
            held = row(self._index.size, self.holds(clause, share))
            masks.append(~held if clause.sign == "-" else held)
        return masks

    def _side_by_side(self, heard: list[Heard], held: Mask, within: Mask, phrase: Clause | None = None) -> Mask:
        """Of the pages that hold all words, those `within` some that have them side by side."""
        if not self._allowance.is_enough(heard, phrase, int(np.count_nonzero(held & within))):
            self.notes.append(APART)
            return held
        found = phrases.find(self._index, heard, phrase, held, within)
        self.notes += [found.note] if found.note else []
        return mask_of(self._index.size, found.pages)

    def touches(self, clause: Clause, held: Having) -> Having:
        """The pages that have anything of a clause at all: of an identifier, a part will do."""
        if clause.kind == "word" and len(clause.words) > 1:
            return reduce(np.logical_or, _masks(self._again(word, clause) for word in clause.words))
        return held

    def _again(self, word: Word, clause: Clause) -> Heard:
        return self._known[word.terms or word.text, clause.field]

    def named(self, query: Query) -> list[Named]:
        """The whole query as a title, heading or link text; as a title to the letter; and as the way to a page."""
        recipe, found = self._index.recipe, []
        ways = (("name", query.names, recipe.names), ("exact", query.titles, {"title": recipe.exact}))
        for kind, terms, shares in ways:
            if terms and (where := self._index.find(Word(query.text, terms), beside=self._beside)).df:
                heard = Heard(Word(query.text, terms), "", where, where.idf, 1.0)
                found.append(Named(kind, heard, shares))
        if query.way and recipe.address and (led_to := self._led_to(query)):
            found.append(Named("address", led_to, {"url": recipe.address}))
        return found

    def _led_to(self, query: Query) -> Heard | None:
        """The pages to which a query leads."""
        row = [self._again(word, clause) for clause in query.clauses for word in clause.words if not word.bonus]
        pages = addresses.led_to(self._index, query.way, row)
        if not len(pages):
            return None
        entry = Entry(query.text, ("url",), pages, [np.ones(len(pages), dtype=np.uint8)], [], [])
        where = Occurrences([entry], "url", self._index.scale, False)
        return Heard(Word(query.text, ()), "url", where, where.idf, 1.0)

    def pairs(self, query: Query) -> list[tuple[Heard, Heard]]:
        """Words that stand side by side in the query and tell something, both of them."""
        row: list[Heard | None] = []
        known = self._known
        for clause in query.clauses:
            plain = clause.kind in ("word", "phrase") and clause.sign != "-"
            field = clause.field
            row += (
                [known[word.terms or word.text, field] for word in clause.words if not word.bonus] if plain else [None]
            )
        if len(row) < 2:
            return []
        found: dict[tuple[object, object], tuple[Heard, Heard]] = {}
        least = self._index.recipe.faint * max([one.idf for one in row if one], default=0.0)
        for first, second in pairwise(row):
            telling = first and second and min(first.idf, second.idf) >= least > 0
            if first and second and telling and first.word.terms != second.word.terms:
                found[first.word.terms, second.word.terms] = (first, second)
        return list(found.values())

    def filters(self, query: Query) -> list[Mask]:
        """What site: and lang: leave."""
        masks: list[Mask] = []
        for asked, look_up in ((query.sites, self._index.sites.on), (query.languages, self._index.in_languages)):
            if asked:
                wanted = tuple(name for name in asked if not name.startswith("-"))
                unwanted = tuple(name[1:] for name in asked if name.startswith("-"))
                masks += [look_up(wanted)] if wanted else []
                masks += [~look_up(unwanted)] if unwanted else []
        return masks


def _is_exacting(clause: Clause) -> bool:
    """Whether words have to stand side by side for a page to have what a clause asks for."""
    if len(clause.words) == 1:
        return clause.kind == "phrase"
    return clause.kind == "phrase" or bool(clause.sign and any(word.bonus for word in clause.words))


def _masks(heard: Iterable[Heard]) -> list[Mask]:
    """The pages that have each of some words, which may be the same again and again."""
    return [where.mask for where in {id(one.where): one.where for one in heard}.values()]
