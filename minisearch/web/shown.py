"""How things are shown: the filters of the templates. Whole pieces of HTML are in web/pieces.py"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from flask import Flask

from minisearch.analysis.languages import name as language_name
from minisearch.models import TermPart
from minisearch.web.addresses import Addresses
from minisearch.web.pieces import is_web, link, marked, scored, share, short

LONGEST_TRAIL = 200  # letters
PARTS = {
    "identifier": "{} as a whole",
    "neighbours": "{} next to each other",
    "name": "just “{}”",
    "exact": "the title, “{}” to the letter",
    "address": "“{}”, the way to the page",
}
PLAIN_URL = re.compile(r"https?://[\w.:/~-]+", re.ASCII)  # which is shown as it is


def teach(app: Flask) -> None:
    """Teach the templates of an application our filters."""
    filters = (short, trail, number, share, part_said, marked, scored)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
    app.jinja_env.filters.update(web=is_web, language=language_name)
    app.jinja_env.globals.update(url_for=Addresses(app).url_for, link=link)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def part_said(part: TermPart) -> str:
    """What a part of a score is for, in words.

    >>> part_said(TermPart("exact", "rose", ("==rose",), 1, 2.0, (), 0.0))
    'the title, “rose” to the letter'
    """
    return PARTS.get(part.kind, "{}").format(part.word)


def trail(url: str) -> str:
    """A url as people read it.

    >>> trail("https://example.com/docs/caf%C3%A9.html")
    'example.com › docs › café.html'
    """
    if PLAIN_URL.fullmatch(url):
        return short(" › ".join(step for step in url.split("/")[2:] if step), LONGEST_TRAIL)
    parts = urlsplit(url)
    steps = [parts.netloc, *(step for step in unquote(parts.path).split("/") if step)]
    told = " › ".join(steps) + (f" ? {unquote(parts.query)}" if parts.query else "")
    if not told.isprintable():  # no sign that turns the direction of writing
        told = "".join(letter for letter in told if letter.isprintable())
    return short(told, LONGEST_TRAIL)


def number(value: float) -> str:
    """A number as people read it.

    >>> number(12345), number(0.000123456)
    ('12,345', '0.0001235')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
