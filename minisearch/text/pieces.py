"""Many chunks of text analysed at one go: what is plain by short cuts, what is not by the rules of terms.py.

Plain is what has no letters but those of ASCII: a word, perhaps with a full stop, or an identifier. All words of a
batch are put into lower case by one call, and their stems are found by another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from minisearch.text.terms import Analyzer
from minisearch.text.words import LONGEST, PLAIN_TOKEN

BEFORE, BEHIND = b"'-+#", b".'-"  # stand before or after a word, and never make it another
_JOINT = re.compile(r"[.\-_]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # that of words.py, for plain letters


class Pieces(NamedTuple):
    """What chunks are made of: the terms of all of them in a row, with their places, and how many terms and how many
    places each has.
    """

    counts: list[int]
    spans: list[int]
    terms: list[str]
    places: list[int]


def analysed(chunks: list[bytes], analyzer: Analyzer) -> Iterator[tuple[list[int], Pieces]]:
    """(which of the chunks, what they are made of), until all are told."""
    words: list[bytes] = []
    tokens: list[str] = []
    plain: list[int] = []
    identifiers: list[int] = []
    odd: list[int] = []
    for number, chunk in enumerate(chunks):
        bare = chunk if chunk.isalpha() else chunk.lstrip(BEFORE).rstrip(BEHIND)
        if len(chunk) > LONGEST or not chunk.isascii():
            odd.append(number)
        elif bare.isalnum() and (bare.islower() or bare.isdigit() or (bare.isalpha() and _is_one(bare))):
            words.append(bare)
            plain.append(number)
        elif len(found := PLAIN_TOKEN.findall(chunk.decode())) == 1:
            tokens += found
            identifiers.append(number)
        else:
            odd.append(number)
    yield plain, _of_words(words, analyzer)
    yield identifiers, _of_identifiers(tokens, analyzer)
    yield odd, _slowly([chunks[number] for number in odd], analyzer)


def _is_one(word: bytes) -> bool:
    return word.isupper() or word.istitle()


def _of_words(words: list[bytes], analyzer: Analyzer) -> Pieces:
    ones = [1] * len(words)
    terms = analyzer.of_plain(b"\n".join(words).decode().split("\n")) if words else []
    return Pieces(ones, ones, terms, [0] * len(words))


def _of_identifiers(tokens: list[str], analyzer: Analyzer) -> Pieces:
    """Each has its parts, and stands whole where it begins (terms.stands_whole)."""
    counts, spans, raw, places = [], [], [], []
    cut = _JOINT.sub(" ", "\n".join([token.rstrip("+#") for token in tokens])).split("\n")
    for token, line in zip(tokens, cut, strict=True) if tokens else ():
        parts = line.split()
        span = len(parts)
        if span > 1 or (parts and (token[-1] in "+#_" or token[0] in "._")):
            raw += [parts[0], token, *parts[1:]]
            places += [0, *range(span)]
            counts.append(span + 1)
        else:
            raw += parts
            places += range(span)
            counts.append(span)
        spans.append(span)
    different = list(dict.fromkeys(raw))
    known = dict(zip(different, analyzer.of_plain(different), strict=True))
    return Pieces(counts, spans, [known[word] for word in raw], places)


def _slowly(chunks: list[bytes], analyzer: Analyzer) -> Pieces:
    found = Pieces([], [], [], [])
    for chunk in chunks:
        terms, places = analyzer.terms(chunk.decode("utf-8"))
        found.counts.append(len(terms))
        found.spans.append(places[-1] + 1 if places else 0)
        found.terms.extend(terms)
        found.places.extend(places)
    return found
