"""Names: the terms by which a title, a heading or a link's text can be asked for as a whole.

Whoever types the very title of a page wants that page. So every title, heading and link text of a few words is also
one term, all of it: "Committing Changes" is the term `=commit chang`. An identifier is also named by its tail:
`pandas.DataFrame.dropna` answers to `DataFrame dropna` and to `dropna`; and without its kind: "Struct std::vec::Vec".
And a numbered one is named without its number: nobody types the "23.6." of "23.6. Tablespaces", nor "Kapitel 2.".
An option keeps its dashes, for `--json` is not about JSON.

A title is also a term to the letter, `==committing changes`: there is a page about `queue`, and another about queues.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from minisearch.text import words
from minisearch.text.chunks import CUTS, chunks, encoded
from minisearch.text.pieces import Stemmed
from minisearch.text.scripts import PICTURES
from minisearch.text.table import Ints, Numbers, Table
from minisearch.text.terms import REMEMBERED, Analyzer, speller

MARK = "="  # no other term begins with it
LONGEST = 16  # letters of a name that is kept as it is
MOST_WORDS = 16  # a longer line is text, and nobody asks for it as a whole
_PICTURE = re.compile(f"[{PICTURES}]")  # decorates a title, and is not typed
_SAFE = bytes.maketrans(b"+/", b"-_")
_APART = re.compile(r"\s+[—–|·•»:-]+\s+")  # stands between the title of a page and the name of its site
_BRACKETS = re.compile(r"\s\((?:[^()]|\([^()]*\))*\)\s*$")  # at the end of a title: the site, or what sort of thing
_OPTION = re.compile(r"\s?(--?)[^\W\d]")  # the blank is that of a query from which something was taken
_KINDS = {  # of things that an identifier may be the name of
    "class", "struct", "interface", "enum", "union", "trait", "type", "function", "method", "macro", "constant",
    "module", "package", "namespace", "crate", "template", "reference",
}  # fmt: skip
_KIND = f"(?i:{'|'.join(sorted(_KINDS))})"
_CALLED = re.compile(rf"(?:{_KIND}\s+)?(\w+(?:(?:\.|::)\w+)*)(?:\(\))?(?:\s*<.*>)?((?:\s+{_KIND})*)")
_JOINT = re.compile(r"\.|::")
_BLANK = re.compile(r"\s")
_DOTTED = re.compile(r"\w+(?:\.\w+)+", re.ASCII)  # surely one token
_CODE = re.compile(r"[a-z][A-Z]|[_.:]")  # looks like it

_NUMBER = re.compile(
    r"""\s*(?:(?i:chapter|part|section|appendix)\s+(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.:)]?
        |(?:[^\W\d_]++\s+)?(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*[.)]  # "Kapitel 2.", whatever the language
        |第\s*[\d一二三四五六七八九十百]+\s*[章节節部]
        |\d{1,2}(?:\.\d+)*(?=\s+[^\W\d_a-z]))\s+(?=\S)  # but not "10 minutes", which are counted""",
    re.VERBOSE,
)  # of a chapter or a section


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
    parts, found, count = parts_of(analyzer), [], 0
    for chunk in chunks(line):
        if part := parts[chunk]:
            found.append(part)
            count += 1 + part.count(" ")
            if count > MOST_WORDS:
                return ""
    return kept(dashes(line) + " ".join(found)) if found else ""


def dashes(line: str) -> str:
    """Those before the name of an option.

    >>> dashes("--json"), dashes("-- so it goes"), dashes("json")
    ('--', '', '')
    """
    option = _OPTION.match(line)
    return option[1] if option else ""


class Parts(dict[bytes, str]):
    """The terms that a chunk of text has in a name, with blanks between; worked out when it is first met. The words in
    it may be known to whoever has read the text.
    """

    def __init__(self, analyzer: Analyzer, words: Stemmed | None = None) -> None:
        super().__init__()
        self.analyzer, self._met_by_others = analyzer, words
        self._is_begun = False  # which takes a while, and a query has but one line

    def _begin(self) -> None:
        self._is_begun = True
        self._table, self._known = Table(CUTS), list[str]()  # chunks of many lines by number, and what is kept of each
        self._words = self._met_by_others or Stemmed(self.analyzer)

    def __missing__(self, chunk: bytes) -> str:
        found: list[str] = []
        for match in words.tokens(chunk.decode("utf-8")):
            token = match.group()
            pieces, whole = self.analyzer.of_token(token)
            pieces = (whole,) if whole and len(pieces) == 1 else pieces  # C++ is not C
            found += pieces if token.isascii() else (piece for piece in pieces if not _PICTURE.match(piece))
        if len(self) >= REMEMBERED:
            self.clear()
        told = self[chunk] = " ".join(found)
        return told

    def of_lines(self, lines: list[bytes]) -> list[str]:
        """The terms of each of many lines, with blanks between: what is plain is worked out at one go."""
        return joined(*self.in_lines(lines))

    def in_lines(self, lines: list[bytes]) -> tuple[list[str], Numbers, Ints]:
        """The same, not joined: what is known of chunks, the chunks of the lines by number, and how many each has."""
        if not self._is_begun or len(self._known) >= REMEMBERED:
            self._begin()
        numbers, sizes, fresh = self._table.read(lines, len(self._known))
        self._known += self._of_chunks(fresh)
        return self._known, numbers, sizes

    def _of_chunks(self, chunks: list[bytes]) -> list[str]:
        plain, (counts, spans, found, _) = self._words.cut(chunks)
        # One that also stands whole does so as its second term, and is named by its parts; or whole, if it has but one.
        whole = counts > spans
        kept = np.ones(len(found), dtype=bool)
        kept[(np.cumsum(counts) - counts + (spans > 1))[whole]] = False
        told = iter(joined(self._words.terms, found[kept], (counts - whole).astype(np.int64)))
        return [next(told) if is_plain else self[chunk] for chunk, is_plain in zip(chunks, plain.tolist(), strict=True)]


def joined(words: list[str], which: Numbers, sizes: Ints) -> list[str]:
    """Words by number, as many at a time as `sizes` tell, with blanks between; empty ones are left out."""
    found = list(map(words.__getitem__, which.tolist()))
    return [" ".join(filter(None, found[low:high])) for low, high in pairwise([0, *np.cumsum(sizes).tolist()])]


@cache
def parts_of(analyzer: Analyzer) -> Parts:
    """What chunks are in names by the rules of a language, as far as it is known."""
    return Parts(analyzer)


def kept(text: str) -> str:
    """A name as it is kept: long ones, of which there are many, by a fingerprint of 60 bits.

    >>> kept("commit chang"), len(kept("tracking queries, object and session changes with events"))
    ('commit chang', 10)
    """
    return text if len(text) <= LONGEST else _digests([text])[0]


def names(line: str, analyzer: Analyzer) -> set[str]:
    """All names of a heading or a link's text.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(names("DataFrame.dropna", Analyzer("en")))
    ['=YAT6I-p8LF', '=dropna']
    """
    return {found for part in (line, *others(line)) if (found := name(part, analyzer))}


def title_names(title: str, analyzer: Analyzer) -> set[str]:
    """All names of a page: its title, with and without its number, brackets at its end and the name of the site.

    >>> from minisearch.text.terms import Analyzer
    >>> sorted(title_names("Roses - A park", Analyzer("en")))
    ['==roses', '==roses a park', '=rose', '=rose a park']
    """
    parts = title_lines(title)
    literally = {literal(part, analyzer.language) for part in parts} - {""}
    return literally.union(*(names(part, analyzer) for part in parts))


def names_of(lines: list[str], analyzer: Analyzer) -> list[set[str]]:
    """All names of each of many headings or links' texts.

    >>> from minisearch.text.terms import Analyzer
    >>> names_of(["Roses", "C++"], Analyzer("en"))
    [{'=rose'}, {'=c++'}]
    """
    found = [{name} if name else set() for name in _named(lines, analyzer, MARK)]
    more = [(number, other) for number, line in enumerate(lines) for other in others(line)]
    for (number, _), name in zip(more, _named([other for _, other in more], analyzer, MARK), strict=True):
        if name:
            found[number].add(name)
    return found


def title_names_of(titles: list[str], analyzer: Analyzer) -> list[set[str]]:
    """All names of each of many pages."""
    parts = [title_lines(title) for title in titles]
    lines = list(set().union(*parts))
    found = dict(zip(lines, names_of(lines, analyzer), strict=True))
    for line, literally in zip(lines, _named(lines, speller(analyzer.language), MARK * 2), strict=True):
        found[line] |= {literally} - {""}
    return [set().union(*(found[part] for part in those)) for those in parts]


def title_lines(title: str) -> set[str]:
    """A title with and without the name of the site, brackets at its end and its number; "Site: an identifier", too."""
    short = _APART.split(title, maxsplit=1)[0]
    found = {title, short, _BRACKETS.sub("", short), *_identifiers(short.partition(": ")[2])}
    return found | {_unnumbered(each) for each in found}


def _named(lines: list[str], analyzer: Analyzer, mark: str) -> list[str]:
    """The term of each line as a whole, after a mark, or ''."""
    found = parts_of(analyzer).of_lines([encoded(line) for line in lines])
    for place, whole in enumerate(found):
        if whole.count(" ") >= MOST_WORDS:
            found[place] = ""
        elif whole and "-" in lines[place][:2]:
            found[place] = dashes(lines[place]) + whole
    long = [place for place, whole in enumerate(found) if len(whole) > LONGEST]
    for place, digest in zip(long, _digests([found[place] for place in long]), strict=True):
        found[place] = digest
    return [mark + whole if whole else "" for whole in found]


def _digests(texts: list[str]) -> list[str]:
    """Fingerprints of long names."""
    # One byte more than they have makes nine of each, which are twelve letters.
    raw = b"".join([blake2b(text.encode("utf-8", "replace"), digest_size=8).digest() + b"\0" for text in texts])
    letters = b2a_base64(raw, newline=False).translate(_SAFE).decode()
    return [letters[at : at + 10] for at in range(0, len(letters), 12)]


def _unnumbered(line: str) -> str:
    """A line without the number of its chapter or section.

    >>> _unnumbered("23.6. Tablespaces"), _unnumbered("Appendix F. Contrib"), _unnumbered("3D models")
    ('Tablespaces', 'Contrib', '3D models')
    """
    number = _NUMBER.match(line)
    return line[number.end() :] if number else line


def others(line: str) -> list[str]:
    """What a line is called besides all of it."""
    if line.isidentifier():  # as very many headings of a reference are
        return []
    is_one_word = not _BLANK.search(line)
    if not is_one_word and (number := _NUMBER.match(line)):
        return [line[number.end() :]]
    tails = list(_tails(line)) if "." in line else []
    return tails if is_one_word and "::" not in line else [*tails, *_identifiers(line)]


def _tails(line: str) -> Iterator[str]:
    if _DOTTED.fullmatch(line):
        pieces = line.split(".")
    else:
        tokens = words.tokens(line)
        only = next(tokens, None)
        if only is None or next(tokens, None) is not None:
            return
        pieces = only.group().split(".")
    yield from (".".join(pieces[start:]) for start in range(1, len(pieces))[-MOST_WORDS:])


def _identifiers(line: str) -> Iterator[str]:
    """The identifier that stands in a line with the kind of thing that it names, and its tails; or that of C++, Rust.

    >>> list(_identifiers("Struct std::vec::Vec")), list(_identifiers("sf::Color Class Reference"))
    (['std::vec::Vec', 'vec::Vec', 'Vec'], ['sf::Color', 'Color'])
    """
    first, _, rest = line.strip().partition(" ")
    kinds = bool(rest) and (first.lower() in _KINDS or rest.rpartition(" ")[2].lower() in _KINDS)
    if not kinds and "::" not in line:  # as in nearly all lines: there is none
        return
    if found := _CALLED.fullmatch(line.strip()):
        path, after = found.groups()
        if kinds and (after.endswith("Reference") or _CODE.search(path)):
            yield path
        yield from (path[joint.end() :] for joint in [*_JOINT.finditer(path)][-MOST_WORDS:])
