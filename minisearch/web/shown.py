"""How things are shown: the filters of the templates."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from flask import Flask

from minisearch.records import Hit, TermPart
from minisearch.search.facets import language_name
from minisearch.search.snippet import pieces

LONGEST_TRAIL, LONGEST_TITLE = 200, 300  # letters


def teach(app: Flask) -> None:
    """Teach the templates of an application our filters."""
    filters = (shares, short, trail, number, share, part_said)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
    app.jinja_env.filters.update(pieces=shown_pieces, web=is_web, language=language_name)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def shown_pieces(hit: Hit) -> list[tuple[bool, str]]:
    """A hit's snippet, match by match."""
    return pieces(hit.snippet, hit.marks)


def shares(hit: Hit, best: float) -> tuple[str, str]:
    """How wide the bars of words and of links are, when that of the best score is 100.

    >>> shares(Hit("", "", 11.0, 10.0, 1.1, ""), 22.0)
    ('45.45', '4.55')
    """
    return share(hit.text_score, best), share(hit.text_score * (hit.link_factor - 1), best)


def share(part: float, whole: float) -> str:
    """A part of a whole as a number from 0 to 100 that may stand in a picture.

    >>> share(1, 3), share(-2, 1), share(1, 0)
    ('33.33', '100', '0')
    """
    return f"{min(100 * abs(part / whole), 100):.2f}".rstrip("0").rstrip(".") if whole else "0"


def part_said(part: TermPart) -> str:
    """What a part of a score is for, in words."""
    if part.kind == "neighbours":
        return f"{part.word} side by side"
    if part.kind == "name":
        return f"just “{part.word}”"
    return f"{part.word} as a whole" if part.kind == "identifier" else part.word


def short(text: str, longest: int = LONGEST_TITLE) -> str:
    """A text cut to a length that a page can bear.

    >>> short("a garden", 4)
    'a g…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def trail(url: str) -> str:
    """A url as people read it.

    >>> trail("https://example.com/docs/caf%C3%A9.html")
    'example.com › docs › café.html'
    """
    parts = urlsplit(url)
    steps = [parts.netloc, *(step for step in unquote(parts.path).split("/") if step)]
    told = " › ".join(steps) + (f" ? {unquote(parts.query)}" if parts.query else "")
    told = "".join(letter for letter in told if letter.isprintable())  # no sign that turns the direction of writing
    return short(told, LONGEST_TRAIL)


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
