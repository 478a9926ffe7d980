"""Small pieces of HTML that stand on a page many times over, made here and not in a template, which takes longer.

Every text that is put into them is escaped on the spot.
"""

from __future__ import annotations

from html import escape
from urllib.parse import urlsplit

from markupsafe import Markup

from minisearch.models import Hit
from minisearch.search.snippets import split_by_marks

LONGEST_TITLE = 300  # letters


def short(text: str, longest: int = LONGEST_TITLE) -> str:
    """A text cut to a length that a page can bear.

    >>> short("a garden", 4)
    'a g…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def is_web(url: str) -> bool:
    """Whether a url may be put into a link or a redirect."""
    if url.startswith(("http://", "https://")) and "[" not in url:
        return True  # nearly all are; what has a bracket may not even be an address
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def link(url: str, text: str = "") -> Markup:
    """A link to a page of the web; what is no such address is shown as text.

    >>> print(link("http://a/?x&y", "<b>"), link("javascript:x"))
    <a href="http://a/?x&amp;y" rel="noreferrer"><bdi>&lt;b&gt;</bdi></a> <bdi>javascript:x</bdi>
    """
    shown = f"<bdi>{escape(short(text or url))}</bdi>"
    return Markup(f'<a href="{escape(url)}" rel="noreferrer">{shown}</a>' if is_web(url) else shown)  # noqa: S704


def marked(hit: Hit) -> Markup:
    """A snippet with its matches marked.

    >>> print(marked(Hit("", "", 1, 1, 1, "a <b> word", ((2, 5),))))
    a <mark>&lt;b&gt;</mark> word
    """
    needless = escape(hit.snippet) == hit.snippet  # most often, and so are the pieces
    cut = ((matches, text if needless else escape(text)) for matches, text in split_by_marks(hit.snippet, hit.marks))
    return Markup("".join(f"<mark>{text}</mark>" if matches else text for matches, text in cut))  # noqa: S704


def scored(hit: Hit, best: float) -> Markup:
    """A score in numbers, after a bar of words and links that is full for the best score."""
    words, links = shares(hit, best)
    text, factor = f"{hit.text_score:.2f}", f"{hit.link_factor:.3f}"
    return Markup(  # noqa: S704
        f'<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
        f'aria-label="words {text}, links x {factor}"><rect class="track" width="100" height="6"/>'
        f'<rect class="words" width="{words}" height="6"/><rect class="links" x="{words}" width="{links}" height="6"/>'
        f'</svg>\n<span title="the score is words x links">{hit.score:.2f} = {text} &times; {factor}</span>'
    )


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
