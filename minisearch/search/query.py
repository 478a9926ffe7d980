"""The query: from what a person typed to what is looked up. Anything typed is a query, nothing is an error.

    roses pruning            pages with any of the words; those with all of them first
    how do I prune a rose    in a sentence small words are passed over; +how asks for one
    "hedge maze"             these very words side by side, in this order
    +roses -red              must have, must not have; in python -m venv, -m is a word: a single letter is an option
    tulips OR roses          either will do
    tulips AND roses         both must be there: +tulips +roses; AND binds closer than OR, and AND NOT excludes
    (hedge OR wall) maze     brackets group
    prun*                    words that begin so
    title:roses              in the title; also headings: url: body: anchor:
    title:"hedge maze"       a field holds for a phrase and for all that stands in brackets: title:(hedge -wall)
    site:example.com/docs    pages of a site, or below a folder of it
    lang:sr                  pages in a language, by its tag or its name

What cannot be read as an operator is just words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from minisearch.search.clauses import JOINTS, Bracket, Clause, Level, Variant, Word, grouped
from minisearch.search.recipe import DEFAULT
from minisearch.search.vocabulary import begins_word
from minisearch.text import words
from minisearch.text.addresses import asked_way
from minisearch.text.names import literal, name
from minisearch.text.scripts import ALONE, fold
from minisearch.text.small import small
from minisearch.text.terms import analyzer, stands_whole

MOST_WORDS = 64  # of a query; a longer one is cut, and the reader told so
MOST_IN_PHRASE = 32  # the same, in one phrase, with those that stand there again
MOST_PREFIXES = 4  # beginnings of words: each of them stands for many words
MOST_FILTERS = 8  # sites, languages
MOST_PHRASES = 8  # in quotation marks
LONGEST = 4000  # characters of a query that are looked at
LONG = 100  # letters of a token or a query that is seldom typed twice
DEEPEST = 20  # brackets within brackets; further ones are passed over
CUT = "only the first {} of the query were used"
PASSED = "not looked for: {} (put + before a word that matters)"
FILTERS = ("site", "lang")  # fields that choose among pages and are no words of theirs
SHORTEST_PREFIX = 2  # letters that have to stand before a *

_PIECE = re.compile(
    r"""(?P<sign> \+ (?![+-]) | - (?! [+-] | [A-Za-z] (?![^\s)]) | [\w.-]+= | D[A-Z]\w*_ ) )?
                               # no sign: --option, -o, -std=c11, and -DUSE_TLS, which defines what nobody leaves out
        (?: (?P<field> (?i: title|headings|url|body|anchor|site|lang ) ) : )?
        (?: "(?P<phrase> [^"]* )" | (?P<open> \( ) | (?P<word> [^\s()"]+ ) )
      | (?P<close> \) )
      | "                      # a quote that is never closed""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A query, read. `names` are the terms of the whole of it as a title or heading, `titles` as a title to the
    letter (text/names.py), `way` its steps if it may be the way to a page (text/addresses.py);
    a minus before a site or language means "not there".
    """

    text: str
    clauses: tuple[Clause, ...]
    sites: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    names: tuple[Variant, ...] = ()
    titles: tuple[Variant, ...] = ()
    way: tuple[str, ...] = ()
    note: str = ""


def parse(text: str, languages: Iterable[str], sentence: float = DEFAULT.sentence) -> Query:
    """The query that `text` means in an index of pages in `languages`; `sentence` small words make it a sentence.

    >>> [(clause.sign, clause.kind, clause.text) for clause in parse('+roses "hedge maze" -red prun*', ["en"]).clauses]
    [('+', 'word', 'roses'), ('', 'phrase', 'hedge maze'), ('-', 'word', 'red'), ('', 'prefix', 'prun')]
    >>> parse("(((", ["en"]).clauses
    ()
    """
    spoken = tuple(languages) or ("en",)
    return (_read if len(text) <= LONG else _read_anew)(text, spoken, sentence)


def _read_anew(text: str, spoken: tuple[str, ...], sentence: float) -> Query:
    return _Parser(text, spoken, sentence).query()


_read = lru_cache(maxsize=1000)(_read_anew)  # who turns the page asks the same again


class _Parser:
    def __init__(self, text: str, spoken: tuple[str, ...], sentence: float) -> None:
        self._text = text
        self._spoken = spoken
        self._sentence = sentence
        self._sites: list[str] = []
        self._languages: list[str] = []
        self._seen: set[tuple[Variant, ...]] = set()
        self._read: dict[tuple[str, Bracket], list[Clause]] = {}  # words, for they may come again and again
        self._prefixes = 0  # so far
        self._plain = True  # nothing but words, brackets, quotes, AND and filters so far: it may be a title
        self._apart: list[tuple[int, int]] = []  # where filters stand, which are no part of that title
        self._phrases = 0
        self._cut: dict[str, None] = {}  # what was left out, in words
        if len(text) > LONGEST:
            self._cut_off(f"{MOST_WORDS} words")

    def query(self) -> Query:
        """Read it all."""
        stack = [Level(Bracket())]  # the open brackets; the first is the whole query
        for match in _PIECE.finditer(self._text[:LONGEST]):
            sign, field, phrase, opens, word, closes = match.groups(default="")
            level, marked = stack[-1], sign or field
            if marked and field.lower() in FILTERS and not opens:
                self._apart.append(match.span())
            elif marked:
                self._plain = False
            if opens and len(stack) <= DEEPEST:
                stack.append(Level(_opened(sign, field, level.bracket)))
            elif closes and len(stack) > 1:
                self._close(stack)
            elif word in JOINTS and not marked:
                level.join(word)
                self._plain = self._plain and word == "AND"
            elif word == "NOT" and level.joint == "AND" and not marked:
                level.joint, self._plain = "AND NOT", False
            elif word or phrase:
                level.put(self._leaves(word, phrase, _opened(sign, field, level.bracket)))
        while len(stack) > 1:  # brackets never closed
            self._close(stack)
        return self._finished(tuple(stack[0].clauses))

    @staticmethod
    def _close(stack: list[Level]) -> None:
        inside = stack.pop()
        stack[-1].put(grouped(inside.clauses, inside.bracket.sign))

    def _finished(self, clauses: tuple[Clause, ...]) -> Query:
        clauses = self._without_small(clauses)
        note = "; ".join(self._cut)
        names: tuple[Variant, ...] = ()
        titles: tuple[Variant, ...] = ()
        way: tuple[str, ...] = ()
        if self._plain and not any(clause.kind == "prefix" and len(clause.text) > 1 for clause in clauses):
            line = self._text[:LONGEST]
            for start, end in reversed(self._apart):
                line = f"{line[:start]} {line[end:]}"
            if not self._phrases:  # which are sought as they are written; a ContextManager is no "context manager"
                names = _variants((name(line, analyzer(spoken)) for spoken in self._spoken), self._spoken)
                way = asked_way(line)
            titles = _variants((literal(line, spoken) for spoken in self._spoken), self._spoken)
        return Query(self._text, clauses, tuple(self._sites), tuple(self._languages), names, titles, way, note)

    def _without_small(self, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        """What is left of a sentence without its small words, if there are none but plain words."""
        if len(clauses) < 3 or any(clause.kind != "word" or clause.sign or clause.field for clause in clauses):
            return clauses
        passed = small((clause.text for clause in clauses), self._spoken, self._sentence)
        if not any(passed):
            return clauses
        names = dict.fromkeys(clause.text for clause, over in zip(clauses, passed, strict=True) if over)
        self._cut[PASSED.format(", ".join(names))] = None
        return tuple(clause for clause, over in zip(clauses, passed, strict=True) if not over)

    def _leaves(self, typed: str, phrase: str, asked: Bracket) -> list[Clause]:
        """What a word or a phrase asks for."""
        sign, field, _ = asked
        if field in FILTERS:
            told = self._sites if field == "site" else self._languages
            if named := (typed or phrase).lower():
                if len(told) >= MOST_FILTERS:
                    self._cut_off(f"{MOST_FILTERS} sites and languages each")
                told += ["-" * asked.minus + named][: MOST_FILTERS - len(told)]
            return []
        if phrase:
            return self._phrase(phrase, asked)
        stem = fold(typed[:-1]) if typed.endswith("*") else ""
        if begins_word(stem) and len(stem) >= SHORTEST_PREFIX:
            self._prefixes += 1
            if self._prefixes <= MOST_PREFIXES:
                return [Clause("prefix", stem, (), sign, field)]
            self._cut_off(f"{MOST_PREFIXES} beginnings")
            return []
        if (typed, asked) not in self._read:
            self._read[typed, asked] = [
                Clause("prefix", found[0].text, (), sign, field)
                if _stands_in_pairs(found)
                else Clause("word", match.group(), found, sign, field)
                for match in words.tokens(typed)
                if (found := self._fitting(_words_of(match.group(), self._spoken)))
            ]
        return self._read[typed, asked]

    def _phrase(self, typed: str, asked: Bracket) -> list[Clause]:
        """What stands in quotation marks."""
        found = _exactly(self._words(typed))
        if not found:
            return []
        if len(found) > MOST_IN_PHRASE:
            self._cut_off(f"{MOST_IN_PHRASE} words of a phrase")
        self._phrases += 1
        if self._phrases > MOST_PHRASES:
            self._cut_off(f"{MOST_PHRASES} phrases")
            return []
        return [Clause("phrase", typed, found[:MOST_IN_PHRASE], asked.sign, asked.field)]

    def _cut_off(self, what: str) -> None:
        self._cut[CUT.format(what)] = None

    def _words(self, text: str) -> tuple[Word, ...]:
        """The words of a piece of text, as many as there is room for."""
        return self._fitting(
            tuple(word for match in words.tokens(text) for word in _words_of(match.group(), self._spoken))
        )

    def _fitting(self, found: tuple[Word, ...]) -> tuple[Word, ...]:
        """Those of some words for which there is room."""
        if len(self._seen) + len(found) <= MOST_WORDS:  # as in nearly all queries: for all of them
            self._seen.update(word.terms for word in found)
            return found
        return tuple(word for word in found if self._has_room(word))

    def _has_room(self, word: Word) -> bool:
        room = word.terms in self._seen or len(self._seen) < MOST_WORDS
        if room:
            self._seen.add(word.terms)
        else:
            self._cut_off(f"{MOST_WORDS} words")
        return room


def _words_of(token: str, languages: tuple[str, ...]) -> tuple[Word, ...]:
    """The words of a token. They are remembered, unless they are so many that they would fill the memory."""
    return (_remembered if len(token) <= LONG else _cut)(token, languages)


def _cut(token: str, languages: tuple[str, ...]) -> tuple[Word, ...]:
    """The words of a token: its parts, and then itself if it is an identifier."""
    parts = words.parts(token)
    known = {
        part: Word(part, _variants((analyzer(spoken).term(part) for spoken in languages), languages))
        for part in dict.fromkeys(parts)
    }
    found = [known[part] for part in parts]
    if parts and stands_whole(token, parts):
        found.append(
            Word(token, _variants((analyzer(spoken).term(token) for spoken in languages), languages), bonus=True)
        )
    return tuple(found)


_remembered = lru_cache(maxsize=4000)(_cut)


def _variants(terms: Iterable[str], languages: tuple[str, ...]) -> tuple[Variant, ...]:
    """The different ones among the terms that the languages of the index give."""
    if len(languages) == 1:
        return tuple(Variant(term) for term in terms if term)
    found: dict[str, set[str]] = {}
    for term, spoken in zip(terms, languages, strict=True):
        found.setdefault(term, set()).add(spoken)
    return tuple(
        Variant(term, frozenset() if len(those) == len(languages) else frozenset(those))
        for term, those in found.items()
        if term
    )


def _exactly(found: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a phrase: the parts of its identifiers, but of C++ the whole, for C is another thing."""
    exact: list[Word] = []
    for word in found:
        if word.bonus and exact and word.text.strip("+#._").lower() == exact[-1].text.lower():
            exact[-1] = word._replace(bonus=False)
        elif not word.bonus:
            exact.append(word)
    return tuple(exact)


def _stands_in_pairs(found: tuple[Word, ...]) -> bool:
    """Whether a token is a single letter of those that the index has in pairs: it is how some of them begin."""
    return len(found) == 1 and len(found[0].text) == 1 and ALONE.match(found[0].text) is not None


def _opened(sign: str, field: str, around: Bracket) -> Bracket:
    """The sign and the field of a piece; without a field of its own it has that of the brackets around it."""
    if not sign and not field:
        return around._replace(sign="") if around.sign else around
    if field:
        return Bracket(sign, field.lower(), sign == "-")
    return Bracket(sign, around.field, around.minus != (sign == "-"))
