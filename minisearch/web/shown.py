"""How things are shown: the filters of the templates."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from flask import Flask

from minisearch.records import Hit
from minisearch.search.snippet import pieces

LONGEST_TRAIL = 200  # letters


def teach(app: Flask) -> None:
    """Teach the templates of an application our filters."""
    app.jinja_env.filters.update(pieces=shown_pieces, trail=trail, web=is_web, number=number)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def shown_pieces(hit: Hit) -> list[tuple[bool, str]]:
    """A hit's snippet, match by match."""
    return pieces(hit.snippet, hit.marks)


def trail(url: str) -> str:
    """A url as people read it.

    >>> trail("https://example.com/docs/caf%C3%A9.html")
    'example.com › docs › café.html'
    """
    parts = urlsplit(url)
    steps = [parts.netloc, *(step for step in unquote(parts.path).split("/") if step)]
    told = " › ".join(steps) + (f" ? {unquote(parts.query)}" if parts.query else "")
    told = "".join(letter for letter in told if letter.isprintable())  # no sign that turns the direction of writing
    return told if len(told) <= LONGEST_TRAIL else told[: LONGEST_TRAIL - 1] + "…"


def is_web(url: str) -> bool:
    """Whether a url may be put into a link or a redirect."""
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def number(value: float) -> str:
    """A number as people read it.

    >>> number(12345), number(0.000123456)
    ('12,345', '0.0001235')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
