"""What is sought: the words of a query, with what each is worth.

Where they stand in a text is asked in two ways:

    within   every place, in a passage that will be shown: token by token, as the index reads them      matches.py
    find     most places, in a long text of which a passage is to be chosen, without reading all of it  finding.py
             - words of plain letters by the bytes that they begin with                                 roots.py
             - words with accents or in another alphabet by a pattern of how they begin                 beginnings.py
             - scripts without blanks by the letters themselves
             - languages whose words change where they begin by a look at each different token
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from minisearch.search.finding import Finder
from minisearch.search.matches import Match, Matcher
from minisearch.search.roots import Roots
from minisearch.text.terms import analyzer

TELLING = 0.25  # words worth less than this share of the most telling one are marked, but no passage is chosen by them
MOST_WORDS = 6  # of a query by which passages are chosen: the most telling ones


class Sought:
    """The words of a query, as they are looked for on pages of one language.

    A word is the terms that stand for it and its weight. `wholes` are identifiers that the query has: each is also
    found written as one word, and then counts as all its parts. Passages are chosen by the words that tell most,
    unless `every` one is to count.
    """

    def __init__(
        self,
        wanted: Sequence[tuple[Collection[str], float]],
        language: str,
        wholes: Iterable[str] = (),
        *,
        every: bool = False,
    ) -> None:
        different = {tuple(terms): weight for terms, weight in wanted if terms}
        known = sorted(different.items(), key=lambda word: -word[1])
        least = TELLING * known[0][1] if known and not every else 0.0
        self.weights = [weight for _, weight in known[: None if every else MOST_WORDS] if weight >= least]
        self.all = (1 << len(self.weights)) - 1
        self.total = sum(self.weights)
        self.most_telling = sum(1 << number for number, weight in enumerate(self.weights) if weight >= 2 * least)
        self._language, self._others = language, known[len(self.weights) :]
        self._worths: dict[int, float] = {}
        bits = _bits([terms for terms, _ in known], len(self.weights), language, wholes)
        telling = {term: those & self.all for term, those in bits.items() if those & self.all}
        roots = Roots(bits, language)
        self._marker = matcher = Matcher(bits, language, roots)
        if telling != bits:
            roots = Roots(telling, language)
            matcher = Matcher(telling, language, roots)
        self._finder = Finder(telling, language, matcher, roots)

    @cached_property
    def lesser(self) -> Sought | None:
        """The words that tell little, for pages that have none of the others."""
        return Sought(self._others, self._language, every=True) if self._others else None

    def worth(self, matching: int) -> float:
        """The weight of some words of the query together."""
        known = self._worths.get(matching)
        if known is None:
            known = sum(weight for number, weight in enumerate(self.weights) if matching >> number & 1)
            self._worths[matching] = known
        return known

    def within(self, text: str, low: int, high: int) -> list[Match]:
        """All matches from `low` to `high`, words that tell little among them."""
        return self._marker.within(text, low, high)

    def find(self, text: str, low: int, high: int) -> list[Match]:
        """Most matches in a stretch of text by which a passage may be chosen, in order."""
        return self._finder.find(text, low, high)


def _bits(known: list[tuple[str, ...]], telling: int, language: str, wholes: Iterable[str]) -> dict[str, int]:
    """A bit for each telling word, by its terms; the other words share one."""
    bits: dict[str, int] = {}
    for number, terms in enumerate(known):
        for term in terms:
            bits[term] = bits.get(term, 0) | 1 << min(number, telling)
    for token in wholes:
        pieces, whole = analyzer(language).of_token(token)
        if whole:
            for piece in pieces:
                bits[whole] = bits.get(whole, 0) | bits.get(piece, 0)
    return bits
