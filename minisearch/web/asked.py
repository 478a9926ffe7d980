"""What a request asks for, read kindly: what makes no sense is taken for the nearest thing that does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import request

from minisearch.errors import BadInput

LONGEST_QUERY = 2000  # characters; a longer one is cut


def query() -> str:
    """The query of this request."""
    return text("q")


def text(name: str, longest: int = LONGEST_QUERY) -> str:
    """A text, cut if it is too long; lone surrogates, which no page can show, become question marks."""
    return request.args.get(name, "")[:longest].encode("utf-8", "replace").decode()


def whole(name: str, default: int, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    return min(max(request.args.get(name, default, type=int), low), high)


def choice(name: str, choices: Sequence[str]) -> str:
    """One of the choices; the first, if it is none of them."""
    found = request.args.get(name, "")
    return found if found in choices else choices[0]


def share(name: str) -> float | None:
    """A number from 0 to 1, or None if there is none."""
    found = request.args.get(name, None, type=float)
    return None if found is None or found != found else min(max(found, 0.0), 1.0)


# -- the same for programs, strictly: what makes no sense is refused ------------------------------


def words(name: str, longest: int = LONGEST_QUERY, *, may_be_empty: bool = False) -> str:
    """A text that must be there."""
    found = request.args.get(name)
    if found is None:
        raise BadInput(f'"{name}" is missing')
    if len(found) > longest:
        raise BadInput(f'"{name}" may have {longest:,} characters, not {len(found):,}')
    if not found and not may_be_empty:
        raise BadInput(f'"{name}" is empty')
    return found.encode("utf-8", "replace").decode()


def matching(name: str, pattern: re.Pattern[str]) -> str:
    """A text of a certain form, or nothing."""
    found = request.args.get(name, "")
    if found and (len(found) > 300 or not pattern.fullmatch(found)):
        raise BadInput(f'"{name}" cannot be "{found[:100]}"')
    return found


def one_of(name: str, choices: Sequence[str]) -> str:
    """One of the choices; the first, if nothing is said."""
    found = request.args.get(name, choices[0])
    if found not in choices:
        raise BadInput(f'"{name}" must be one of {", ".join(choices)}')
    return found


def count(name: str, default: int, most: int) -> int:
    """A whole number from 1 to `most`."""
    found = request.args.get(name, str(default))
    if not re.fullmatch("[0-9]{1,9}", found) or not 1 <= int(found) <= most:
        raise BadInput(f'"{name}" must be a whole number from 1 to {most}')
    return int(found)


def fraction(name: str) -> float | None:
    """A number from 0 to 1, or None if nothing is said."""
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
