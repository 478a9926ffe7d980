"""Request parameters: lenient for pages, where a wrong value becomes the nearest right one, and strict for the API."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
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


def strict(name: str, schema: Mapping[str, Any]) -> Any:
    """The parameter that a JSON schema describes; an empty one counts as missing."""
    found = request.args.get(name, "")
    if not found:
        if "default" not in schema:
            raise BadInput(f'"{name}" is missing or empty')
        return schema["default"]
    if schema["type"] == "string":
        return _strict_text(name, found, schema)
    low, high = schema["minimum"], schema["maximum"]
    is_integer = schema["type"] == "integer"
    try:
        value = int(found) if is_integer else float(found)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise BadInput(f'"{name}" must be {"an integer" if is_integer else "a number"} from {low} to {high}')
    return value


def _strict_text(name: str, found: str, schema: Mapping[str, Any]) -> str:
    longest, choices = schema.get("maxLength", MAX_QUERY), schema.get("enum", [found])
    if len(found) > longest:
        raise BadInput(f'"{name}" is too long: {len(found):,} characters, at most {longest:,} are allowed')
    if found not in choices:
        raise BadInput(f'"{name}" must be one of {", ".join(choices)}')
    if "pattern" in schema and not re.fullmatch(schema["pattern"], found):
        raise BadInput(f'invalid value for "{name}": "{found[:100]}"')
    return found.encode("utf-8", "replace").decode()


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
    def from_request(cls) -> SearchParams:
        """The search of this request, whatever is in its URL."""
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
