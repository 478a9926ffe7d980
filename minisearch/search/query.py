"""The query: from what a person typed to clauses. Anything typed is a query, nothing is an error.

    roses pruning            pages with any of the words; those with all of them first
    how do I prune a rose    in a sentence stop words are ignored; +how requires one
    "hedge maze"             the exact phrase
    +roses -red              must have, must not have; in python -m venv, -m is a word: a single letter is an option
    tulips OR roses          either of them
    tulips AND roses         both: +tulips +roses; AND binds closer than OR, and AND NOT excludes
    (hedge OR wall) maze     brackets group
    prun*                    words that start with prun
    title:roses              in the title; also headings: url: body: anchor:
    title:"hedge maze"       a field applies to a phrase and to everything in brackets: title:(hedge -wall)
    site:example.com/docs    pages of a site, or below a folder of it
    lang:sr                  pages in a language, by its tag or its name

Everything else is treated as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, compress, takewhile
from typing import NamedTuple

from minisearch.analysis.analyzer import analyzer, stands_whole
from minisearch.analysis.names import exact_key, literal_key, path_steps
from minisearch.analysis.normalize import ALONE, MARKS, PAIRED, fold
from minisearch.analysis.stopwords import stop_words
from minisearch.analysis.tokenizer import parts, tokens
from minisearch.search.params import DEFAULT

MOST_WORDS = 64  # of a query; the others are cut off, and a note says so
MOST_IN_PHRASE = 32  # the same in one phrase, repeated words included
MOST_PREFIXES = 4  # like prun*: each of them matches many words
MOST_FILTERS = 8  # sites, languages
MOST_PHRASES = 8
MOST_CHARACTERS = 4000  # of a query
LONG = 100  # letters of a word in which identifiers may begin
DEEPEST = 20  # brackets within brackets; further ones are ignored
SHORTEST_PREFIX = 2  # letters before a *
CUT = "only the first {} of the query were used"
IGNORED = "ignored: {} (put + before a word that matters)"
FILTERS = ("site", "lang")  # fields that choose among pages
CONJUNCTIONS = ("OR", "AND")  # words between clauses

_WORD_BEGUN = re.compile(rf"(?!-)[._-]*[^\W_][\w.{MARKS}-]*")
_PIECE = re.compile(
    r"""(?P<sign> \+ (?![+-]) | - (?! [+-] | [A-Za-z] (?![^\s)]) | [\w.-]+= | D[A-Z]\w*_ ) )?
                               # no sign: --option, -o, -std=c11, and -DUSE_TLS, which is a compiler option
        (?: (?P<field> (?i: title|headings|url|body|anchor|site|lang ) ) : )?
        (?: "(?P<phrase> [^"]* )" | (?P<open> \( ) | (?P<word> [^\s()"]+ ) )
      | (?P<close> \) )
      | "                      # a quote that is never closed""",
    re.VERBOSE,
)


class Variant(NamedTuple):
    """A term of a word in some languages; none named means all."""

    term: str
    languages: frozenset[str] = frozenset()


class Word(NamedTuple):
    """A word of the query, and its terms, one for each language it may be in.

    An identifier as a whole is good to have beside its parts, but not needed. It comes after them: it `covers` as many
    words before it.
    """

    text: str
    terms: tuple[Variant, ...]
    covers: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether it is an identifier as a whole."""
        return self.covers > 0


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that a page has, must have (+) or must not have (-).

    A `word` that is an identifier has its parts as words; a `phrase` has its words in order; a `prefix` has none until
    the index completes it; a `group` has alternatives, each a list of clauses that all must hold.
    """

    kind: str
    text: str
    words: tuple[Word, ...] = ()
    sign: str = ""
    field: str = ""
    options: tuple[tuple[Clause, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. A minus before a site or language excludes it.

    The whole of it may be a title, heading or anchor text (`exact_keys`), a title without stemming (`literal_keys`), or
    the end of a URL path (`path`).
    """

    text: str
    clauses: tuple[Clause, ...]
    sites: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    exact_keys: tuple[Variant, ...] = ()
    literal_keys: tuple[Variant, ...] = ()
    path: tuple[str, ...] = ()
    note: str = ""


def parse(text: str, languages: Iterable[str], sentence: float = DEFAULT.sentence) -> Query:
    """The query that `text` means in an index of pages in `languages`; `sentence` stop words make it a sentence.

    >>> [(clause.sign, clause.kind, clause.text) for clause in parse('+roses "hedge maze" -red prun*', ["en"]).clauses]
    [('+', 'word', 'roses'), ('', 'phrase', 'hedge maze'), ('-', 'word', 'red'), ('', 'prefix', 'prun')]
    >>> parse("(((", ["en"]).clauses
    ()
    """
    return _parse(text, tuple(languages) or ("en",), sentence)


@lru_cache(maxsize=1000)  # who turns the page asks the same again
def _parse(text: str, languages: tuple[str, ...], sentence: float) -> Query:
    return _Parser(text, languages, sentence).query()


class _Bracket(NamedTuple):
    """What preceded an open bracket: its sign, the field of all inside, and whether that is negated."""

    sign: str = ""
    field: str = ""
    negated: bool = False


class _Level:
    """The clauses within a bracket so far, and how the next one is joined to them."""

    def __init__(self, bracket: _Bracket) -> None:
        self.bracket = bracket
        self.clauses: list[Clause] = []
        self.conjunction = ""  # the last operator, if nothing came after it yet
        self._chain = 0  # clauses at the end that AND holds together
        self._is_choice = False  # whether the last clause was made by OR

    def add(self, found: list[Clause]) -> None:
        """Add what was read."""
        if not found:
            return
        if self.conjunction == "OR":
            self._choose(found)
        elif self.conjunction:
            self._require([replace(clause, sign="-") for clause in found] if self.conjunction == "AND NOT" else found)
        else:
            self.clauses += found
            self._chain, self._is_choice = 0, False
        self.conjunction = ""

    def _choose(self, found: list[Clause]) -> None:
        """OR: what was read is an alternative to what precedes, even if that is several clauses joined by AND."""
        size = max(1, self._chain)
        before = tuple(self.clauses[-size:])
        del self.clauses[-size:]
        options = before[0].options if size == 1 and before[0].kind == "group" and not before[0].sign else (before,)
        self.clauses.append(Clause("group", "", options=(*options, tuple(found))))
        self._chain, self._is_choice = 0, True

    def _require(self, found: list[Clause]) -> None:
        """AND: what was read is required, and what precedes it too; after OR both belong to the last alternative."""
        last = self.clauses[-1]
        if self._is_choice:
            options = (*last.options[:-1], (*last.options[-1], *found))
            self.clauses[-1] = replace(last, options=options)
            return
        self.clauses[-1:] = [replace(clause, sign=clause.sign or "+") for clause in (last, *found)]
        self._chain = max(1, self._chain) + len(found)


class _Parser:
    def __init__(self, text: str, languages: tuple[str, ...], sentence: float) -> None:
        self._text = text
        self._known_languages = languages
        self._sentence = sentence
        self._sites: list[str] = []
        self._languages: list[str] = []
        self._seen: set[tuple[Variant, ...]] = set()
        self._leaves_of: dict[tuple[str, _Bracket], list[Clause]] = {}  # words may be repeated very often
        self._prefixes = self._phrases = 0
        self._is_plain = True  # nothing but words, brackets, quotes, AND and filters so far: it may be a title
        self._filters: list[tuple[int, int]] = []  # their positions: they are not part of that title
        self._notes: dict[str, None] = {}
        if len(text) > MOST_CHARACTERS:
            self._note_cut(f"{MOST_CHARACTERS:,} characters")

    def query(self) -> Query:
        """Parse it all."""
        stack = [_Level(_Bracket())]  # the open brackets; the first is the whole query
        for match in _PIECE.finditer(self._text[:MOST_CHARACTERS]):
            sign, field, phrase, opens, word, closes = match.groups(default="")
            level, marked = stack[-1], sign or field
            if marked and field.lower() in FILTERS and not opens:
                self._filters.append(match.span())
            elif marked:
                self._is_plain = False
            if opens and len(stack) <= DEEPEST:
                stack.append(_Level(_bracket(sign, field, level.bracket)))
            elif closes and len(stack) > 1:
                self._close(stack)
            elif word in CONJUNCTIONS and not marked:
                level.conjunction = word if level.clauses else ""
                self._is_plain = self._is_plain and word == "AND"
            elif word == "NOT" and level.conjunction == "AND" and not marked:
                level.conjunction, self._is_plain = "AND NOT", False
            elif word or phrase:
                level.add(self._leaves(word, phrase, _bracket(sign, field, level.bracket)))
        while len(stack) > 1:  # brackets never closed
            self._close(stack)
        return self._finished(tuple(stack[0].clauses))

    @staticmethod
    def _close(stack: list[_Level]) -> None:
        inside = stack.pop()
        stack[-1].add(_grouped(inside.clauses, inside.bracket.sign))

    def _finished(self, clauses: tuple[Clause, ...]) -> Query:
        clauses, known = self._without_stop_words(clauses), self._known_languages
        query = Query(self._text, clauses, tuple(self._sites), tuple(self._languages), note="; ".join(self._notes))
        if not self._is_plain or any(clause.kind == "prefix" and len(clause.text) > 1 for clause in clauses):
            return query
        line = self._text[:MOST_CHARACTERS]
        for start, end in reversed(self._filters):
            line = f"{line[:start]} {line[end:]}"
        query = replace(query, literal_keys=_variants((literal_key(line, name) for name in known), known))
        if self._phrases:  # which are sought as they are written; a ContextManager is no "context manager"
            return query
        exact_keys = _variants((exact_key(line, analyzer(name)) for name in known), known)
        return replace(query, exact_keys=exact_keys, path=path_steps(line))

    def _without_stop_words(self, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        """What is left of a sentence without its stop words, if it has nothing but plain words."""
        if len(clauses) < 3 or any(clause.kind != "word" or clause.sign or clause.field for clause in clauses):
            return clauses
        ignored = stop_words((clause.text for clause in clauses), self._known_languages, self._sentence)
        if words := dict.fromkeys(compress((clause.text for clause in clauses), ignored)):
            self._notes[IGNORED.format(", ".join(words))] = None
        return tuple(clause for clause, is_ignored in zip(clauses, ignored, strict=True) if not is_ignored)

    def _leaves(self, typed: str, phrase: str, asked: _Bracket) -> list[Clause]:
        """The clauses of a word or a phrase."""
        sign, field, _ = asked
        if field in FILTERS:
            chosen = self._sites if field == "site" else self._languages
            if len(chosen) < MOST_FILTERS:
                chosen.append("-" * asked.negated + (typed or phrase).lower())
            else:
                self._note_cut(f"{MOST_FILTERS} sites and languages each")
            return []
        if phrase:
            return self._phrase(phrase, asked)
        prefix = fold(typed[:-1]) if typed.endswith("*") else ""
        is_in_pairs = len(prefix) > 2 and PAIRED.search(prefix)  # found by its pairs of letters, whatever follows
        if begins_word(prefix) and len(prefix) >= SHORTEST_PREFIX and not is_in_pairs:
            self._prefixes += 1
            if self._prefixes <= MOST_PREFIXES:
                return [Clause("prefix", prefix, (), sign, field)]
            self._note_cut(f"{MOST_PREFIXES} prefixes")
            return []
        if (typed, asked) not in self._leaves_of:
            self._leaves_of[typed, asked] = [
                Clause("prefix", found[0].text, (), sign, field)
                if _is_half_a_bigram(found)
                else Clause("word", match.group(), found, sign, field)
                for match in tokens(typed)
                if (found := tuple(filter(self._has_room, _words_of(match.group(), self._known_languages))))
            ]
        return self._leaves_of[typed, asked]

    def _phrase(self, typed: str, asked: _Bracket) -> list[Clause]:
        """The clause of a quoted phrase."""
        words = (word for match in tokens(typed) for word in _words_of(match.group(), self._known_languages))
        found = _words_of_phrase(takewhile(self._has_room, words))
        if not found:
            return []
        if len(found) > MOST_IN_PHRASE:
            self._note_cut(f"{MOST_IN_PHRASE} words of a phrase")
        self._phrases += 1
        if self._phrases > MOST_PHRASES:
            self._note_cut(f"{MOST_PHRASES} phrases")
            return []
        return [Clause("phrase", typed, found[:MOST_IN_PHRASE], asked.sign, asked.field)]

    def _note_cut(self, what: str) -> None:
        self._notes[CUT.format(what)] = None

    def _has_room(self, word: Word) -> bool:
        if word.terms not in self._seen and len(self._seen) >= MOST_WORDS:
            self._note_cut(f"{MOST_WORDS} words")
            return False
        self._seen.add(word.terms)
        return True


def as_prefix(begun: str) -> str:
    """A prefix as it is typed; a single letter that begins a pair has no star."""
    return f"{begun}*" if len(begun) >= SHORTEST_PREFIX else begun


def begins_word(typed: str) -> bool:
    """Whether a word may begin so, folded; an identifier may have come as far as what holds it together.

    >>> [begins_word(typed) for typed in ("ros", "sqlite3_", "os.pa", "utf-", "खो", "-red", "_", '"ros')]
    [True, True, True, True, True, False, False, False]
    """
    return _WORD_BEGUN.fullmatch(typed) is not None


@lru_cache(maxsize=4000)
def _words_of(token: str, languages: tuple[str, ...]) -> tuple[Word, ...]:
    """The words of a token: its parts, and then itself if it is an identifier."""
    pieces = parts(token)
    known = {piece: Word(piece, _word_variants(piece, languages)) for piece in dict.fromkeys(pieces)}
    found = [known[piece] for piece in pieces]
    if pieces and stands_whole(token, pieces):
        found.append(Word(token, _word_variants(token, languages), covers=len(pieces)))
    return tuple(found)


def _word_variants(word: str, languages: tuple[str, ...]) -> tuple[Variant, ...]:
    return _variants((analyzer(name).term(word) for name in languages), languages)


def _variants(terms: Iterable[str], languages: tuple[str, ...]) -> tuple[Variant, ...]:
    """The different ones among the terms that each language gives."""
    if len(languages) == 1:
        return tuple(Variant(term) for term in terms if term)
    found: dict[str, set[str]] = {}
    for term, name in zip(terms, languages, strict=True):
        found.setdefault(term, set()).add(name)
    return tuple(
        Variant(term, frozenset() if len(names) == len(languages) else frozenset(names))
        for term, names in found.items()
        if term
    )


def beginnings(word: Word, languages: Iterable[str]) -> tuple[Variant, ...]:
    """The terms of the first part of any identifier that is written as this word, but for its case.

    The term of the word itself is left out: ordinary words have it, too.

    >>> [variant.term for variant in beginnings(Word("rose", ()), ["en"])]
    ['r', 'ro', 'ros']
    """
    bare = word.text.lstrip("._")[:LONG]
    own = {variant.term for variant in word.terms}
    found = (_word_variants(bare[:length], tuple(languages)) for length in range(1, len(bare)))
    return tuple(variant for variant in dict.fromkeys(chain.from_iterable(found)) if variant.term not in own)


def _words_of_phrase(found: Iterable[Word]) -> tuple[Word, ...]:
    """The words of a phrase; of C++ the whole alone, for C is another thing."""
    exact: list[Word] = []
    for word in found:
        if word.is_whole and exact and word.text.strip("+#._").lower() == exact[-1].text.lower():
            exact[-1] = word._replace(covers=0)
        else:
            exact.append(word)
    return tuple(exact)


def _is_half_a_bigram(found: tuple[Word, ...]) -> bool:
    """Whether a token is a single letter of a script that is indexed by bigrams: it is the beginning of some."""
    return len(found) == 1 and len(found[0].text) == 1 and ALONE.match(found[0].text) is not None


def _bracket(sign: str, field: str, around: _Bracket) -> _Bracket:
    """The sign and the field of a piece; without a field of its own it has that of the brackets around it."""
    if not sign and not field:
        return around._replace(sign="") if around.sign else around
    if field:
        return _Bracket(sign, field.lower(), sign == "-")
    return _Bracket(sign, around.field, around.negated != (sign == "-"))


def _grouped(inside: list[Clause], sign: str) -> list[Clause]:
    """The content of brackets, as one clause."""
    if len(inside) == 1 and not (sign and inside[0].sign):
        return [replace(inside[0], sign=sign or inside[0].sign)]
    return [Clause("group", "", sign=sign, options=(tuple(inside),))] if inside else []


def asked_words(clauses: Iterable[Clause]) -> Iterator[str]:
    """The words that are asked for, as they were typed; what would be an operator by itself in small letters."""
    for clause in clauses:
        if clause.sign == "-":
            continue
        if clause.kind == "group":
            for option in clause.options:
                yield from asked_words(option)
        elif clause.kind == "prefix":
            yield as_prefix(clause.text)
        elif clause.kind == "phrase":
            typed = (token.group() for token in tokens(clause.text))
            yield from (word.lower() if word in (*CONJUNCTIONS, "NOT") else word for word in typed)
        else:
            yield clause.text
