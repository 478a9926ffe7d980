"""Request parameters. JSON schemas describe them; the pages and the API read them, and OpenAPI shows them.

A page corrects a wrong value, the API refuses it.
"""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from typing import Any

from flask import request

from minisearch.errors import BadInput

MAX_QUERY = 2000  # characters; pages cut a longer query, the API refuses it
MAX_PAGE = 1000
HITS = 10  # on a page of results

Schema = dict[str, Any]


# -- schemas -------------------------------------------------------------------------------------


def optional(schema: Schema, default: Any = None) -> Schema:
    """The schema of an optional parameter."""
    return schema | {"default": default}


def integer(low: int, high: int, default: int) -> Schema:
    """The schema of an optional integer."""
    return {"type": "integer", "minimum": low, "maximum": high, "default": default}


TEXT: Schema = {"type": "string", "maxLength": MAX_QUERY}
QUERY = TEXT | {"minLength": 1}
URL: Schema = {"type": "string", "minLength": 1, "maxLength": 8000}
LIMIT = integer(1, 500, 20)
BLEND = optional({"type": "number", "minimum": 0, "maximum": 1})
SEARCH: dict[str, Schema] = {
    "q": QUERY,
    "page": integer(1, MAX_PAGE, 1),
    "sort": optional({"type": "string", "enum": ["blend", "text", "rank"]}, "blend"),
    "blend": BLEND,
    "fold": integer(0, 1, 1),
    "site": optional({"type": "string", "maxLength": 300, "pattern": r"^([\w.:\[\]-]+(/[^\s\"()]*)?)$"}, ""),
    "lang": optional({"type": "string", "maxLength": 12, "pattern": r"^[\w-]{2,12}$"}, ""),
}


# -- reading -------------------------------------------------------------------------------------


def strict(name: str, schema: Schema) -> Any:
    """The parameter for the API; an empty one counts as missing."""
    value = _value(name, schema)
    if value is None:
        if "default" not in schema:
            raise BadInput(f'"{name}" is missing or empty')
        return schema["default"]
    _check(name, value, schema)
    return value


def lenient(name: str, schema: Schema) -> Any:
    """The parameter for a page: the nearest right value, or else the default."""
    value, default = _value(name, schema), schema.get("default", "")
    if value is None:
        return default
    if isinstance(value, str):
        value = value[: schema.get("maxLength", MAX_QUERY)]
    elif not math.isnan(value):
        value = min(max(value, schema["minimum"]), schema["maximum"])
    try:
        _check(name, value, schema)
    except BadInput:
        return default
    return value


def _value(name: str, schema: Schema) -> str | float | None:
    """The last value that was sent, or None; NaN for what is no number."""
    found = request.values.getlist(name)[-1:]
    if found in ([], [""]):
        return None
    if schema["type"] == "string":
        return found[0]
    try:
        return int(found[0]) if schema["type"] == "integer" else float(found[0])
    except ValueError:
        return math.nan


def _check(name: str, value: Any, schema: Schema) -> None:
    """Raise BadInput for a wrong value."""
    if schema["type"] != "string":
        low, high = schema["minimum"], schema["maximum"]
        if not low <= value <= high:
            kind = "an integer" if schema["type"] == "integer" else "a number"
            raise BadInput(f'"{name}" must be {kind} from {low} to {high}')
    elif len(value) > (longest := schema.get("maxLength", MAX_QUERY)):
        raise BadInput(f'"{name}" is too long: {len(value):,} characters, at most {longest:,} are allowed')
    elif value not in schema.get("enum", [value]):
        raise BadInput(f'"{name}" must be one of {", ".join(schema["enum"])}')
    elif "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        raise BadInput(f'invalid value for "{name}": "{value[:100]}"')


# -- a search ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchParams:
    """A search as its URL describes it: query, filters, order and page."""

    q: str
    site: str
    lang: str
    sort: str
    blend: float | None
    page: int
    fold: int

    @classmethod
    def from_request(cls) -> SearchParams:
        """The search of this request, whatever is in its URL."""
        return cls(**{name: lenient(name, schema) for name, schema in SEARCH.items()})

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
        changed = asdict(self) | {"page": 1} | changes
        return {name: value for name, value in changed.items() if value != SEARCH[name].get("default", "")}
