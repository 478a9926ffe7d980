"""Names: the terms by which a title, a heading or a link's text can be asked for as a whole.

Whoever types the very title of a page wants that page. So every title, heading and link text of a few words is also
one term, all of it: "Committing Changes" is the term `=commit chang`. An identifier is also named by its tail:
`pandas.DataFrame.dropna` answers to `DataFrame dropna` and to `dropna`.

A title is also a term to the letter, `==committing changes`: there is a page about `queue`, and another about queues.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from itertools import chain, islice

from minisearch.text import words
from minisearch.text.chunks import chunks
from minisearch.text.pieces import analysed
from minisearch.text.scripts import PICTURES
from minisearch.text.terms import REMEMBERED, Analyzer, speller

MARK = "="  # no other term begins with it
LONGEST = 16  # letters of a name that is kept as it is
MOST_WORDS = 16  # a longer line is text, and nobody asks for it as a whole
_PICTURE = re.compile(f"[{PICTURES}]")  # decorates a title, and is not typed
_SAFE = bytes.maketrans(b"+/", b"-_")
_APART = re.compile(r"\s+[—–|·•»:-]+\s+")  # stands between the title of a page and the name of its site


def name(line: str, analyzer: Analyzer) -> str:
    """The term of a whole line, or '' if it has no words or too many.

    >>> from minisearch.text.terms import Analyzer
    >>> name("Committing Changes", Analyzer("en"))
    '=commit chang'
    """
    return MARK + found if (found := _whole(line, analyzer)) else ""


def literal(line: str, language: str) -> str:
    """The term of a whole line to the letter, or '' if it has no words or too many.

    >>> literal("Committed", "en"), literal("Queues", "en"), literal("queue", "en")
    ('==committed', '==queues', '==queue')
    """
    return MARK * 2 + found if (found := _whole(line, speller(language))) else ""


def _whole(line: str, analyzer: Analyzer) -> str:
    parts = _parts(analyzer)
    found = " ".join(filter(None, map(parts.__getitem__, chunks(line))))
    return kept(found) if found.count(" ") < MOST_WORDS else ""


class _Parts(dict[bytes, str]):
    """The terms that a chunk of text has in a name, with blanks between; worked out when it is first met."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self._analyzer = analyzer

    def __missing__(self, chunk: bytes) -> str:
        found: list[str] = []
        for match in words.tokens(chunk.decode("utf-8")):
            token = match.group()
            pieces, whole = self._analyzer.of_token(token)
            pieces = (whole,) if whole and len(pieces) == 1 else pieces  # C++ is not C
            found += pieces if token.isascii() else (piece for piece in pieces if not _PICTURE.match(piece))
        if len(self) >= REMEMBERED:
            self.clear()
        joined = self[chunk] = " ".join(found)
        return joined

    def learn(self, lines: Iterable[str]) -> None:
        """Work out all that is plain in some lines at one go, which takes less time."""
        if len(self) >= REMEMBERED:
            self.clear()
        fresh = [chunk for chunk in dict.fromkeys(chain.from_iterable(map(chunks, lines))) if chunk not in self]
        for places, pieces in islice(analysed(fresh, self._analyzer), 2):  # the last ones are not plain
            at = 0
            for place, count, span in zip(places, pieces.counts, pieces.spans, strict=True):
                terms = pieces.terms[at : at + count]
                if count > span:  # it also stands whole, as the second term
                    terms = terms[1:] if span == 1 else terms[:1] + terms[2:]
                self[fresh[place]] = " ".join(terms)
                at += count


@cache
def _parts(analyzer: Analyzer) -> _Parts:
    return _Parts(analyzer)


def kept(text: str) -> str:
    """A name as it is kept: long ones, of which there are many, by a fingerprint of 60 bits.

    >>> kept("commit chang"), len(kept("tracking queries, object and session changes with events"))
    ('commit chang', 10)
    """
    if len(text) <= LONGEST:
        return text
    digest = b2a_base64(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), newline=False)
    return digest[:10].translate(_SAFE).decode()


def names(line: str, analyzer: Analyzer) -> set[str]:
    """All names of a heading or a link's text.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(names("DataFrame.dropna", Analyzer("en")))
    ['=YAT6I-p8LF', '=dropna']
    """
    if "." not in line:
        return {found} if (found := name(line, analyzer)) else set()
    return {found for part in (line, *_tails(line)) if (found := name(part, analyzer))}


def title_names(title: str, analyzer: Analyzer) -> set[str]:
    """All names of a page: its title, with and without the name of the site.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(title_names("Roses - A park", Analyzer("en")))
    ['==roses', '==roses a park', '=rose', '=rose a park']
    """
    parts = {title, _APART.split(title, maxsplit=1)[0]}
    literally = {literal(part, analyzer.language) for part in parts} - {""}
    return literally.union(*(names(part, analyzer) for part in parts))


def names_of(lines: list[str], analyzer: Analyzer) -> list[set[str]]:
    """All names of each of many headings or links' texts.

    >>> from minisearch.text.terms import Analyzer
    >>> names_of(["Roses", "C++"], Analyzer("en"))
    [{'=rose'}, {'=c++'}]
    """
    _parts(analyzer).learn(lines)
    return [names(line, analyzer) for line in lines]


def title_names_of(titles: list[str], analyzer: Analyzer) -> list[set[str]]:
    """All names of each of many pages."""
    _parts(analyzer).learn(titles)
    _parts(speller(analyzer.language)).learn(titles)
    return [title_names(title, analyzer) for title in titles]


def _tails(line: str) -> Iterator[str]:
    tokens = [match.group() for match in words.tokens(line)]
    if len(tokens) == 1 and "." in tokens[0]:
        pieces = tokens[0].split(".")
        for start in range(1, len(pieces)):
            yield ".".join(pieces[start:])
