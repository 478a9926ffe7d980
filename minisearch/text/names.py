"""Names: the terms by which a title, a heading or a link's text can be asked for as a whole.

Whoever types the very title of a page wants that page. So every title, heading and link text of a few words is also
one term, all of it: "Committing Changes" is the term `=commit chang`. An identifier is also named by its tail:
`pandas.DataFrame.dropna` answers to `DataFrame dropna` and to `dropna`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from minisearch.text import words
from minisearch.text.terms import Analyzer

MARK = "="  # no other term begins with it
MOST_WORDS = 8  # a longer line is text, and nobody asks for it as a whole
_APART = re.compile(r"\s+[—–|·•»:-]+\s+")  # stands between the title of a page and the name of its site


def name(line: str, analyzer: Analyzer) -> str:
    """The term of a whole line, or '' if it has no words or too many.

    >>> from minisearch.text.terms import Analyzer
    >>> name("Committing Changes", Analyzer("en"))
    '=commit chang'
    """
    found: list[str] = []
    for match in words.tokens(line):
        found += analyzer.of_token(match.group())[0]
        if len(found) > MOST_WORDS:
            return ""
    return MARK + " ".join(found) if found else ""


def names(line: str, analyzer: Analyzer) -> set[str]:
    """All names of a heading or a link's text.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(names("DataFrame.dropna", Analyzer("en")))
    ['=data frame dropna', '=dropna']
    """
    return {found for part in (line, *_tails(line)) if (found := name(part, analyzer))}


def title_names(title: str, analyzer: Analyzer) -> set[str]:
    """All names of a page: its title, with and without the name of the site.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(title_names("Roses - The garden", Analyzer("en")))
    ['=rose', '=rose the garden']
    """
    first = _APART.split(title, maxsplit=1)[0]
    return names(title, analyzer) | names(first, analyzer)


def _tails(line: str) -> Iterator[str]:
    tokens = [match.group() for match in words.tokens(line)]
    if len(tokens) == 1 and "." in tokens[0]:
        pieces = tokens[0].split(".")
        for start in range(1, len(pieces)):
            yield ".".join(pieces[start:])
