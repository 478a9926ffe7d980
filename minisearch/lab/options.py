"""The options of an experiment: the methods, which option each of them uses, and options given as text.

Weights are "A=0.5,E=0.5", or "A,E" for equal weights, or a list of numbers in the order of the pages; a topic is
"news=A,E"; numbers may come as text. Empty values count as not given; invalid ones raise BadInput.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.lab.lines import clip
from minisearch.lab.webs import Web
from minisearch.rank.matrices import Number

METHODS = {
    "pagerank": "time that a random surfer spends on each page",
    "hits": "hubs that link to good authorities, authorities that good hubs link to",
    "trustrank": "PageRank that teleports to trusted pages, and spam mass",
    "topic": "PageRank that teleports to the pages of a topic",
    "surfer": "visits counted on a random walk",
    "solve": "PageRank as a linear system, in exact fractions",
    "eigen": "PageRank as an eigenvector",
}
_MARKOV = tuple(name for name in METHODS if name != "hits")
_ITERATIVE = ("pagerank", "hits", "trustrank", "topic")
APPLICABLE = {  # option -> the methods that use it; an option that is not listed applies to all
    "damping": _MARKOV,
    "dangling": _MARKOV,
    "rounds": _ITERATIVE,
    "tolerance": _ITERATIVE,
    "max_rounds": (*_ITERATIVE, "surfer"),  # which also shows the exact ranks
    "teleport": ("pagerank", "surfer", "solve", "eigen"),
    "start": ("pagerank", "surfer"),
    "decimals": ("pagerank", "trustrank", "topic"),
    "rescale": ("pagerank", "trustrank", "topic", "solve"),
    "apart": ("pagerank",),
    "trusted": ("trustrank",),
    "topics": ("topic",),
    "preference": ("topic",),
    "order": ("hits",),
    "weighted": ("hits",),
    "by_host": ("hits",),
    "fits": ("hits",),
    "steps": ("surfer",),
    "seed": ("surfer",),
}
DEFAULTS = {"order": "authority"}  # which the form always sends


def ignored_options(fields: Mapping[str, str]) -> str:
    """A note on the options that the method does not use; empty if there are none.

    >>> ignored_options({"method": "hits", "damping": "0.5", "start": "A", "order": "hub"})
    'ignored because hits does not use them: damping, start'
    """
    method = fields.get("method", "pagerank")
    names = [
        name for name in fields if method not in APPLICABLE.get(name, (method,)) and fields[name] != DEFAULTS.get(name)
    ]
    them = "them" if len(names) > 1 else "it"
    return f"ignored because {method} does not use {them}: {', '.join(names)}" if names else ""


@dataclass(frozen=True)
class Experiment:
    """What is asked for. None means: as the method or the convention has it."""

    method: str = "pagerank"
    damping: Number | None = None
    dangling: str | None = None
    rounds: int | None = None
    tolerance: float | None = None
    max_rounds: int = 1000
    teleport: ArrayLike | None = None
    start: ArrayLike | None = None
    convention: str | None = None
    decimals: int | None = None
    rescale: bool = False
    apart: bool = False  # separate components ranked by themselves
    exact: bool = False
    trace: bool = False
    trusted: Sequence[str] = ()
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    preference: Mapping[str, float] = field(default_factory=dict)
    order: str = "authority"
    weighted: bool = False
    by_host: bool = False  # in HITS, the pages of a host are weighted as one
    fits: ArrayLike | None = None  # how well each page fits the topic, in the modified HITS
    steps: int = 100_000
    seed: int = 0


VECTORS = ("teleport", "start", "fits")
WHOLE = ("rounds", "max_rounds", "decimals", "steps", "seed")


def experiment(web: Web, choices: Mapping[str, Any]) -> Experiment:
    """The experiment that these choices ask for; their names are the fields of Experiment.

    >>> experiment(Web.of("AB"), {"method": "topic", "topics": ["news=A"], "rounds": "9"}).topics
    {'news': ['A']}
    """
    known = {field.name for field in fields(Experiment)}
    if unknown := [name for name in choices if name not in known]:
        raise BadInput(f'unknown option "{unknown[0]}": choose from {", ".join(sorted(known))}')
    given = {name: value for name, value in choices.items() if value is not None and not _empty(value)}
    return Experiment(**{name: _reader(name)(web, name, value) for name, value in given.items()})


def _reader(name: str) -> Callable[[Web, str, Any], Any]:
    if name in VECTORS:
        return lambda web, name, value: weights_of(value, web, name) if isinstance(value, str) else value
    if name in WHOLE:
        return lambda _, name, value: _whole(name, value)
    others: dict[str, Callable[[Web, str, Any], Any]] = {
        "tolerance": lambda _, name, value: _real(name, value),
        "trusted": lambda _, __, value: _several(value),
        "topics": lambda web, _, value: value if isinstance(value, Mapping) else topics_of(_several(value), web),
        "preference": lambda _, __, value: value if isinstance(value, Mapping) else preference_of(value),
    }
    return others.get(name, lambda _, __, value: value)


def _empty(value: Any) -> bool:
    return isinstance(value, str | tuple | list | Mapping) and not value


def parts_of(text: str) -> list[str]:
    """The names in "A,E" or "A E".

    >>> parts_of("A, E")
    ['A', 'E']
    """
    return text.replace(",", " ").split()


def weights_of(text: str, web: Web, name: str) -> Any:
    """The vector that "A=0.5,E=0.5" stands for, or "A,E", all alike, or a row of numbers, one for each page."""
    parts = parts_of(text)
    if parts and all(_number(part) is not None and part not in web.numbers for part in parts):
        return [_number(part) for part in parts]
    found = {}
    for part in parts:
        page, equals, weight = part.rpartition("=")
        number = _number(weight) if equals else None
        if equals and page in web.numbers and number is None:
            raise BadInput(f'{name}: "{clip(weight)}" is not a number')
        if number is not None and part not in web.numbers:
            web.number(page)
            found[page] = number
        else:
            web.number(part)
            found[part] = 1.0
    return web.vector(found)


def topics_of(words: Iterable[str], web: Web) -> dict[str, list[str]]:
    """The pages of each topic: "news=A,E", or "A,E" for one that has no name; topics of one name are one.

    >>> topics_of(["news=A,E", "B"], Web.of("ABE"))
    {'news': ['A', 'E'], 'topic 2': ['B']}
    """
    topics: dict[str, list[str]] = {}
    for number, word in enumerate(words, 1):
        name, equals, pages = word.partition("=")
        if not equals or all(part in web.numbers for part in parts_of(word)):  # an address may have a = in it
            name, pages = "", word
        topics.setdefault(name or f"topic {number}", []).extend(parts_of(pages))
    return topics


def preference_of(text: str) -> dict[str, float]:
    """How much a reader cares for each topic: "news=2,sport=1", or "news" for 1.

    >>> preference_of("news=2,sport")
    {'news': 2.0, 'sport': 1.0}
    """
    preference = {}
    for part in parts_of(text):
        name, equals, weight = part.partition("=")
        preference[name] = _real(f"the preference for {clip(name)}", weight if equals else "1")
    return preference


def _several(value: Any) -> list[str]:
    """Some words, or one text with a word on each line."""
    return [line.strip() for line in value.splitlines() if line.strip()] if isinstance(value, str) else list(value)


def _whole(name: str, value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise BadInput(f'{name} must be a whole number, not "{clip(str(value))}"') from None


def _real(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadInput(f'{name} must be a number, not "{clip(str(value))}"') from None


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
