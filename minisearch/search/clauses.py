"""Clauses: what a query is made of, and how AND, OR and brackets join it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from minisearch.text.words import tokens

JOINTS = ("OR", "AND")  # words that stand between clauses
OPERATORS = (*JOINTS, "NOT")


class Variant(NamedTuple):
    """A term, and the languages by whose rules it stands for the word; none named means all."""

    term: str
    languages: frozenset[str] = frozenset()


class Word(NamedTuple):
    """A word of the query and the terms that stand for it, one for each language it may be in.

    A `bonus` is an identifier as a whole: good to have, but not needed beside its parts.
    """

    text: str
    terms: tuple[Variant, ...]
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that a page has, must have (+) or must not have (-).

    A `word` has its parts if it is an identifier; a `phrase` has its words in order; a `prefix` has no words until
    the index has told which ones begin so; a `group` has alternatives, each a list of clauses that all must hold.
    """

    kind: str
    text: str
    words: tuple[Word, ...] = ()
    sign: str = ""
    field: str = ""
    options: tuple[tuple[Clause, ...], ...] = ()


class Bracket(NamedTuple):
    """What stood before an open bracket: its sign, the field of all inside, and whether that is turned round."""

    sign: str = ""
    field: str = ""
    minus: bool = False


class Level:
    """What stands within a bracket so far, and how what comes next is joined to it."""

    def __init__(self, bracket: Bracket) -> None:
        self.bracket = bracket
        self.clauses: list[Clause] = []
        self.joint = ""  # the last operator, if nothing came after it yet
        self._chain = 0  # clauses at the end that AND holds together
        self._choice = False  # whether the last clause was made by OR

    def join(self, operator: str) -> None:
        """OR or AND was read; it needs something to stand after."""
        self.joint = operator if self.clauses else ""

    def put(self, found: list[Clause]) -> None:
        """Add what was read."""
        if not found:
            return
        if self.joint == "OR":
            self._choose(found)
        elif self.joint:
            self._demand([replace(clause, sign="-") for clause in found] if self.joint == "AND NOT" else found)
        else:
            self.clauses += found
            self._chain, self._choice = 0, False
        self.joint = ""

    def _choose(self, found: list[Clause]) -> None:
        """OR: what was read is an alternative to what stands before, be that several things held together by AND."""
        size = max(1, self._chain)
        before = tuple(self.clauses[-size:])
        del self.clauses[-size:]
        options = before[0].options if size == 1 and before[0].kind == "group" and not before[0].sign else (before,)
        self.clauses.append(Clause("group", "", options=(*options, tuple(found))))
        self._chain, self._choice = 0, True

    def _demand(self, found: list[Clause]) -> None:
        """AND: what was read must be there, and what stands before it too; after OR both belong to the last choice."""
        last = self.clauses[-1]
        if self._choice:
            options = (*last.options[:-1], (*last.options[-1], *found))
            self.clauses[-1] = replace(last, options=options)
            return
        self.clauses[-1] = _required(last)
        self.clauses += map(_required, found)
        self._chain = max(1, self._chain) + len(found)


def grouped(inside: list[Clause], sign: str) -> list[Clause]:
    """What stands in brackets, as one clause."""
    if len(inside) == 1 and not (sign and inside[0].sign):
        return [replace(inside[0], sign=sign or inside[0].sign)]
    return [Clause("group", "", sign=sign, options=(tuple(inside),))] if inside else []


def _required(clause: Clause) -> Clause:
    return replace(clause, sign=clause.sign or "+")


def asked_words(clauses: Iterable[Clause]) -> Iterator[str]:
    """The words that are asked for, as they were typed; what is an operator by itself in small letters."""
    for clause in clauses:
        if clause.sign == "-":
            continue
        if clause.kind == "group":
            for option in clause.options:
                yield from asked_words(option)
        elif clause.kind == "prefix":
            yield f"{clause.text}*"
        elif clause.kind == "phrase":
            typed = (token.group() for token in tokens(clause.text))
            yield from (word.lower() if word in OPERATORS else word for word in typed)
        else:
            yield clause.text
