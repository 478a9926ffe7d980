"""Compare: why one page is above or below another, and what would change that.

Both scores are a text score times a link factor. Their difference is split exactly: each part of the text score counts
its difference times the mean link factor, and the links count the difference of the factors times the mean text score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minisearch.models import Explanation, FieldPart, counted
from minisearch.search.index_reader import FIELDS
from minisearch.search.matching import match
from minisearch.search.params import RankingParams, Settings
from minisearch.search.query import parse
from minisearch.search.scoring import saturation
from minisearch.search.searcher import Searcher

PLACES = {
    "title": "its title",
    "headings": "its headings",
    "url": "its URL",
    "body": "its text",
    "anchor": "the links to it",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the score in which the two pages differ. `worth` is what the first gains by it."""

    kind: str  # word, identifier, neighbours, name, exact; or links
    word: str
    field: str
    first: float
    second: float
    worth: float
    counts: tuple[int, int] = (0, 0)
    lengths: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Change:
    """A change that would reverse the order, all else being equal; or the best of its kind, if it is not `enough`."""

    kind: str  # blend, title or links
    now: float
    needed: float
    enough: bool
    said: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two accounts side by side."""

    first: Explanation
    second: Explanation
    above: bool  # the first ranks above the second
    because: str
    differences: tuple[Difference, ...]  # the largest first
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Titles:
    """What has to be known to score a word that is put into a title."""

    idfs: Mapping[str, float]  # of the words of the query that count in a title
    lengths: Mapping[str, int]  # url -> words in its title
    average: float
    params: RankingParams


def _titles(file: Searcher, text: str, urls: Sequence[str], settings: Settings) -> _Titles:
    """What is known of the titles of two pages, and of the words of a query."""
    reader, params = file.reader(), file.params(settings)
    words = match(reader, params, parse(text, reader.languages, params.sentence)).words
    title = FIELDS.index("title")
    idfs = {
        word.word.text: word.idf for word in words if word.df and word.field in ("", "title") and not word.word.is_whole
    }
    pages = [reader.store.pages.id_of(url) or 0 for url in urls]
    own = np.array([reader.lengths[title][reader.pages == page].sum() for page in pages], dtype=np.int64)
    lengths = dict(zip(urls, reader.total(own).tolist(), strict=True))
    return _Titles(idfs, lengths, reader.averages[title], params)


def compare(file: Searcher, first: Explanation, second: Explanation, settings: Settings) -> Comparison:
    """Why one page is above the other, and what would change the order."""
    known = _titles(file, first.query, (first.url, second.url), settings)
    found = sorted(differences(first, second), key=lambda difference: -abs(difference.worth))
    above = _order(first) < _order(second)
    upper, lower = (first, second) if above else (second, first)
    return Comparison(
        first=first,
        second=second,
        above=above,
        because=_because(first, second, above, found, known),
        differences=tuple(found),
        changes=tuple(_changes(upper, lower, known)),
    )


def _order(account: Explanation) -> tuple[bool, bool, float, str]:
    """What search sorts by."""
    return not account.matched, not account.all_words, -account.score, account.url


def differences(first: Explanation, second: Explanation) -> Iterator[Difference]:
    """All differences of two explanations; their `worth` adds up to the difference of the scores."""
    mine, theirs = _parts(first), _parts(second)
    factor = (first.link_factor + second.link_factor) / 2
    nothing = FieldPart("", 0, 0, 0.0, 0.0, 0.0, 0.0)
    for key in dict.fromkeys([*mine, *theirs]):
        one, other = mine.get(key, nothing), theirs.get(key, nothing)
        worth = (one.score - other.score) * factor
        counts, lengths = (one.count, other.count), (one.length, other.length)
        yield Difference(*key, one.score, other.score, worth, counts, lengths)
    worth = (first.link_factor - second.link_factor) * (first.text_score + second.text_score) / 2
    yield Difference("links", "", "", first.link_factor, second.link_factor, worth)


def _parts(account: Explanation) -> dict[tuple[str, str, str], FieldPart]:
    return {(part.kind, part.word, field.field): field for part in account.parts for field in part.fields}


# -- why -------------------------------------------------------------------------------------


def _because(first: Explanation, second: Explanation, above: bool, found: list[Difference], known: _Titles) -> str:
    upper, lower = (first, second) if above else (second, first)
    opening = f"{_named(first, second)} is {'above' if above else 'below'} {_named(second, first)}"
    has = "it" if above else "the other"
    if not upper.matched:
        return f"Neither {_named(first, second)} nor {_named(second, first)} matches the query."
    if not lower.matched:
        return f"{opening}, because only {'the first' if above else 'the other'} matches the query."
    if upper.all_words and not lower.all_words:
        lacking = " and ".join(f'"{word}"' for word in _lacking(lower, known))
        owner = "the other" if above else "it"
        return f"{opening}, because {has} has all query words and {owner} lacks {lacking or 'some of them'}."
    if upper.score == lower.score:
        return f"{opening}, though their scores are equal: the order of their URLs decides."
    side = 1 if above else -1
    largest = max(found, key=lambda difference: difference.worth * side)
    gap, part = abs(first.score - second.score), abs(largest.worth)
    if part >= gap:
        measured = f"worth {part:.2f}, and the whole difference is {gap:.2f}"
    else:
        measured = f"worth {part:.2f} of a difference of {gap:.2f}"
    return f"{opening}, most of all because {_reason(largest, above)}: {measured}."


def _named(account: Explanation, other: Explanation) -> str:
    return f'"{account.title}"' if account.title and account.title != other.title else account.url


def _lacking(account: Explanation, known: _Titles) -> list[str]:
    """The words that a page would need to be among those with all words."""
    most = max(known.idfs.values(), default=0.0)
    return [word for word in account.missing if known.idfs.get(word, 0.0) >= known.params.telling * most > 0]


def _reason(difference: Difference, above: bool) -> str:
    more, less = (0, 1) if above else (1, 0)
    counts, lengths = difference.counts, difference.lengths
    values = (difference.first, difference.second)
    if difference.kind == "links":
        return f"{'it' if above else 'the other page'} is linked better ({values[more]:.4f} against {values[less]:.4f})"
    place = PLACES[difference.field]
    if not above:
        place = place.replace("its", "the other's").replace("to it", "to the other")
    if difference.kind == "name":
        return f'"{difference.word}" matches {place} as a whole'
    if difference.kind == "exact":
        return f'"{difference.word}" is exactly {place}'
    if difference.kind == "address":
        return f'{place} ends in "{difference.word}"'
    said = f'"{difference.word}"' + (" as a pair of adjacent words" if difference.kind == "neighbours" else "")
    if not counts[less]:
        return f"{said} is in {place}"
    return (
        f"{said} counts more in {place} ({counts[more]:,} in {counted(lengths[more], 'word')} "
        f"against {counts[less]:,} in {lengths[less]:,})"
    )


# -- what would change the order -------------------------------------------------------------


def _changes(upper: Explanation, lower: Explanation, known: _Titles) -> Iterator[Change]:
    if not upper.matched or (not lower.matched and lower.text_score):
        return  # what must not be there, or a filter, decides
    if upper.all_words == lower.all_words and lower.matched:
        turning = turning_blend(upper, lower)
        if turning is not None:
            side = "above" if turning > lower.blend else "below"
            said = f"with a blend {side} {turning:.4f} (it is {lower.blend:g}) the lower page would come first"
            yield Change("blend", lower.blend, turning, True, said)
        if lower.text_score:
            yield _links(upper, lower)
    change = _title(upper, lower, known)
    if change is not None:
        yield change


def turning_blend(first: Explanation, second: Explanation) -> float | None:
    """The blend at which two pages have the same score, if there is one between 0 and 1."""
    slope = first.text_score * first.prior - second.text_score * second.prior
    if slope == 0:
        return None
    blend = (second.text_score - first.text_score) / slope
    return blend if 0 <= blend <= 1 else None


def _links(upper: Explanation, lower: Explanation) -> Change:
    needed, most = upper.score / lower.text_score, 1 + lower.blend
    said = f"a link factor above {needed:.4f} instead of {lower.link_factor:.4f} would put the lower page first"
    if needed >= most:
        said += f"; but the best linked page has {most:.4f}"
    return Change("links", lower.link_factor, needed, needed < most, said)


def _title(upper: Explanation, lower: Explanation, known: _Titles) -> Change | None:
    """The one word of the query that helps most when it is put into the lower page's title."""
    there = {word for kind, word, field in _parts(lower) if (kind, field) == ("word", "title")}
    best: tuple[bool, float, str] | None = None
    for word in known.idfs:
        if word in there:
            continue
        raised = with_title_word(lower, word, known)
        complete = lower.all_words or not [other for other in _lacking(lower, known) if other != word]
        enough = raised > upper.score if complete == upper.all_words else complete
        best = max(best or (False, 0.0, ""), (enough, raised, word))
    if best is None:
        return None
    enough, raised, word = best
    said = f'"{word}" in its title would bring the lower page from {lower.score:.4f} to about {raised:.4f}'
    if not enough:
        said += ", which is not enough"
    return Change("title", lower.score, raised, enough, said, word)


def with_title_word(account: Explanation, word: str, known: _Titles) -> float:
    """The score of a page whose title has one word more, all else being equal: a word counts less in a longer title."""
    length = np.array([float(known.lengths[account.url] + 1)])

    def raised(count: int) -> float:
        return float(saturation(known.params, "title", np.array([float(count)]), length, known.average)[0])

    text = account.text_score
    for part in account.parts:
        for field in part.fields:
            if field.field == "title" and part.kind not in ("name", "exact"):
                text += field.weight * part.idf * raised(field.count) - field.score
    gain = known.params.weight["title"] * known.idfs[word] * raised(1)
    return (text + gain) * account.link_factor
