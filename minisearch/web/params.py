"""Request parameters: lenient for pages, where a wrong value becomes the nearest right one, and strict for the API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flask import request

from minisearch.errors import BadInput

MAX_QUERY = 2000  # characters; pages cut a longer query, the API refuses it
MAX_URL = 8000
MAX_FILTER = 300
MAX_PAGE = 1000
HITS = 10  # on a page of results
SORTS = ("blend", "text", "rank")
SITE = re.compile(r"[\w.:\[\]-]+(/[^\s\"()]*)?")
LANGUAGE = re.compile(r"[\w-]{2,12}")


# -- lenient -------------------------------------------------------------------------------------


def text(name: str, longest: int = MAX_QUERY) -> str:
    """A text, cut if it is too long; lone surrogates, which no page can show, become question marks."""
    return request.args.get(name, "")[:longest].encode("utf-8", "replace").decode()


def integer(name: str, default: int, low: int, high: int) -> int:
    """An integer from `low` to `high`."""
    return min(max(request.args.get(name, default, type=int), low), high)


def choice(name: str, choices: Sequence[str]) -> str:
    """One of the choices; by default the first."""
    found = request.args.get(name, "")
    return found if found in choices else choices[0]


def fraction(name: str) -> float | None:
    """A number from 0 to 1, or None."""
    found = request.args.get(name, None, type=float)
    return None if found is None or found != found else min(max(found, 0.0), 1.0)


# -- strict --------------------------------------------------------------------------------------


def strict_text(name: str, longest: int = MAX_QUERY, *, may_be_empty: bool = False) -> str:
    """A text of at most `longest` characters."""
    found = request.args.get(name, "")
    if len(found) > longest:
        raise BadInput(f'"{name}" is too long: {len(found):,} characters, at most {longest:,} are allowed')
    if not found and not may_be_empty:
        raise BadInput(f'"{name}" is missing or empty')
    return found.encode("utf-8", "replace").decode()


def strict_match(name: str, pattern: re.Pattern[str]) -> str:
    """A text that matches a pattern, or an empty one."""
    found = request.args.get(name, "")
    if found and (len(found) > MAX_FILTER or not pattern.fullmatch(found)):
        raise BadInput(f'invalid value for "{name}": "{found[:100]}"')
    return found


def strict_choice(name: str, choices: Sequence[str]) -> str:
    """One of the choices; by default the first."""
    found = request.args.get(name, choices[0])
    if found not in choices:
        raise BadInput(f'"{name}" must be one of {", ".join(choices)}')
    return found


def strict_integer(name: str, default: int, high: int) -> int:
    """An integer from 1 to `high`."""
    found = request.args.get(name, str(default))
    if not re.fullmatch("[0-9]{1,9}", found) or not 1 <= int(found) <= high:
        raise BadInput(f'"{name}" must be an integer from 1 to {high}')
    return int(found)


def strict_fraction(name: str) -> float | None:
    """A number from 0 to 1, or None if it is not given."""
    found = request.args.get(name)
    if found is None:
        return None
    try:
        value = float(found)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadInput(f'"{name}" must be a number from 0 to 1')
    return value


# -- a search ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchParams:
    """A search as its URL describes it: query, filters, order and page."""

    q: str = ""
    site: str = ""
    lang: str = ""
    sort: str = "blend"
    blend: float | None = None
    page: int = 1
    fold: int = 1

    @classmethod
    def from_request(cls, *, is_strict: bool = False) -> SearchParams:
        """The search of this request."""
        if is_strict:
            return cls(
                q=strict_text("q"),
                site=strict_match("site", SITE),
                lang=strict_match("lang", LANGUAGE),
                sort=strict_choice("sort", SORTS),
                blend=strict_fraction("blend"),
                page=strict_integer("page", 1, MAX_PAGE),
                fold=int(strict_choice("fold", ("1", "0"))),
            )
        site, language = text("site", MAX_FILTER), text("lang", 20)
        return cls(
            q=text("q"),
            site=site if SITE.fullmatch(site) else "",
            lang=language if LANGUAGE.fullmatch(language) else "",
            sort=choice("sort", SORTS),
            blend=fraction("blend"),
            page=integer("page", 1, 1, MAX_PAGE),
            fold=int(request.args.get("fold") != "0"),
        )

    @property
    def full_query(self) -> str:
        """The query with its filters, which come first so that an open quotation mark does not swallow them."""
        site, language = f"site:{self.site} " * bool(self.site), f"lang:{self.lang} " * bool(self.lang)
        return site + language + self.q

    @property
    def is_default_order(self) -> bool:
        """Whether the hits are in the default order."""
        return self.sort == "blend" and self.blend is None

    @property
    def options(self) -> dict[str, Any]:
        """The options of `Engine.search`."""
        return {"sort": self.sort, "blend": self.blend, "fold": bool(self.fold)}

    def but(self, **changes: Any) -> dict[str, Any]:
        """The URL parameters of the same search with some changes, from its first page on."""
        changed = {name: getattr(self, name) for name in DEFAULTS} | {"page": 1} | changes
        return {name: value for name, value in changed.items() if value != DEFAULTS[name]}


DEFAULTS = asdict(SearchParams())
