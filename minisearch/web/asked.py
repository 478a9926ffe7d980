"""What a request asks for, read kindly: what makes no sense is taken for the nearest thing that does."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

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
