"""Template filters and tests: how numbers, URLs and texts are shown."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from flask import Flask
from markupsafe import Markup

from minisearch.analysis.languages import name as language_name
from minisearch.models import PART_LABELS, Hit, counted
from minisearch.search.snippets import split_by_marks

MAX_TITLE = 300  # characters
MAX_BREADCRUMB = 200


def init_filters(app: Flask) -> None:
    """Register the filters."""
    for each in (breadcrumb, counted, decimals, marked, number, share, short):
        app.add_template_filter(each)
    app.add_template_filter(language_name, "language")
    app.add_template_filter(is_web, "web")
    app.jinja_env.globals["part_labels"] = PART_LABELS
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def short(text: str, longest: int = MAX_TITLE) -> str:
    """A text cut to a maximum length.

    >>> short("a garden", 4)
    'a g…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def is_web(url: str) -> bool:
    """Whether a URL may be used in a link or a redirect."""
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def breadcrumb(url: str) -> str:
    """A URL for reading.

    >>> breadcrumb("https://example.com/docs/caf%C3%A9.html")
    'example.com › docs › café.html'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return short(url, MAX_BREADCRUMB)
    steps = [parts.netloc, *(step for step in unquote(parts.path).split("/") if step)]
    shown = " › ".join(steps) + (f" ? {unquote(parts.query)}" if parts.query else "")
    return short("".join(letter for letter in shown if letter.isprintable()), MAX_BREADCRUMB)


def marked(hit: Hit) -> Markup:
    """A snippet with its matches marked.

    >>> print(marked(Hit("", "", 1, 1, 1, "a <b> word", ((2, 5),))))
    a <mark>&lt;b&gt;</mark> word
    """
    parts = split_by_marks(hit.snippet, hit.marks)
    return Markup("").join(Markup("<mark>{}</mark>").format(text) if matches else text for matches, text in parts)


def number(value: float) -> str:
    """A number for reading.

    >>> number(12345), number(0.000123456)
    ('12,345', '0.0001235')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def decimals(value: float | None, digits: int = 6) -> str:
    """A number with a fixed number of decimals; a dash for None.

    >>> decimals(1 / 3, 4), decimals(None)
    ('0.3333', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def share(part: float, whole: float) -> str:
    """A part of a whole as a number from 0 to 100, for an SVG attribute.

    >>> share(1, 3), share(-2, 1), share(1, 0)
    ('33.33', '100', '0')
    """
    return f"{min(100 * abs(part / whole), 100):.2f}".rstrip("0").rstrip(".") if whole else "0"
