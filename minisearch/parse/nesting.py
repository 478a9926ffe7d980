"""Nesting: elements in elements in elements, only so deep.

Parsers look through all open elements at many a tag, so that a page of a hundred thousand open <div> keeps the best
of them busy for a minute. Browsers stop nesting at some depth (Blink at 512) and go on in breadth; so do we, by leaving
out the tags that would go deeper, and their ends. What they hold stays where it is.

The same goes for attributes: each one is compared with all others of its tag. And as every element takes hundreds of
bytes in a tree, however few it took on the wire, there is an end to elements that nest not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import AnyStr

import numpy as np

from minisearch.parse.formatting import is_sober, sober

DEEPEST = 300
MANY = 15_000  # tags that nest; with fewer, none of it is a trouble to a parser written in C

# A tag, in whose quotes anything may stand. It is read in one way only, and passed over even if it never ends: else a
# page could be made of which every part is read as often as it has tags.
TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9:-]*+)(?:[^<>"'=]++|=\s*+(?:"[^"]*"|'[^']*')?+|["'])*+(>?)""")
# Elements that hold nothing, or that end where the next of their kind begins, nest by what is around them.
FLAT_TAGS = """area base br col embed hr img input link meta param source track wbr
    a body colgroup dd dt head html li nobr optgroup option p rb rp rt rtc tbody td tfoot th thead tr"""
FLAT = frozenset(FLAT_TAGS.split())
BEGIN = 4  # letters by which most tags can be told from others
NAME = re.compile(r"[a-z][a-z0-9:-]*")

LONG = 20_000  # letters of a tag; in fewer there is no room for too many attributes
QUOTED = re.compile("""\"[^\"]*\"|'[^']*'""")
MOST_ATTRIBUTES = 1000

# Elements of one page. The largest of manuals and listings, of ten megabytes each, have half as many; a page of nothing
# but <p> has seven times as many, and would take more than a gigabyte. So would one of nothing but </p>, each of which
# begins a paragraph where none is open.
MOST_ELEMENTS = 500_000
TAGS = re.compile("<(?!/)"), re.compile("</")  # that open an element, and that end one


def is_read_whole(markup: str | bytes) -> bool:
    """Whether all elements of a page are read, in markup as text or in UTF-8.

    >>> is_read_whole("<p>" * MOST_ELEMENTS), is_read_whole(b"<p>" * (MOST_ELEMENTS + 1))
    (True, False)
    """
    if len(markup) <= len("<p>") * MOST_ELEMENTS:
        return True
    signs = markup.count(b"<") if isinstance(markup, bytes) else markup.count("<")
    ends = markup.count(b"</") if isinstance(markup, bytes) else markup.count("</")
    return max(signs - ends, ends) <= MOST_ELEMENTS


def cut_short(markup: str) -> str:
    """The markup up to the last element that is read, which of nearly all pages is the whole.

    >>> len(cut_short("<p>" * (MOST_ELEMENTS + 2))) == len("<p>" * MOST_ELEMENTS)
    True
    """
    if is_read_whole(markup):
        return markup
    beyond = [tag for kind in TAGS for tag in islice(kind.finditer(markup), MOST_ELEMENTS, MOST_ELEMENTS + 1)]
    return markup[: min(tag.start() for tag in beyond)]


def is_tame(markup: bytes) -> bool:
    """Whether a page in UTF-8 surely needs no `flatten`, which is quickly told of most.

    >>> is_tame(b"<ul><li><a href=x>one</a><li>two</ul>"), is_tame(b"<b>" * MANY * 2)
    (True, False)
    """
    if _may_have_long_tags(markup, b"<") or not is_sober(markup):
        return False
    return len(markup) <= 3 * MANY or _is_shallow(markup)


def _is_shallow(markup: bytes) -> bool:
    """Whether a page has few tags, or surely never so many open ones that `flatten` would leave any out."""
    letters = np.frombuffer(markup + bytes(2 + BEGIN), np.uint8)
    is_tag = letters == ord("<")
    if np.count_nonzero(is_tag) <= MANY:
        return True
    tags = np.flatnonzero(is_tag)
    is_end = letters[tags + 1] == ord("/")
    names = np.zeros(len(tags), np.uint32)
    for place in range(BEGIN):
        names = names << 8 | letters[tags + 1 + is_end + place]
    begins = np.unique(names)
    which = np.searchsorted(begins, names)
    deeper, back = np.array([_steps(int(begin).to_bytes(BEGIN)) for begin in begins]).T
    depth = np.cumsum(np.where(is_end, -back[which], deeper[which]))
    depth -= np.minimum(np.minimum.accumulate(depth), 0)  # an end without a beginning leads nowhere
    return bool(depth.max() <= DEEPEST)


@lru_cache(maxsize=1000)
def _steps(begin: bytes) -> tuple[int, int]:
    """How much deeper a tag leads at the most whose name begins so, and how much its end leads back at the least.

    >>> _steps(b"div>"), _steps(b"td c"), _steps(b"tbod"), _steps(b"!-- ")
    ((1, 1), (0, 0), (1, 0), (0, 0))
    """
    name = NAME.match(begin.decode("latin-1").lower())
    if name is None:
        return 0, 0
    is_whole = name.end() < BEGIN
    likely = {flat for flat in FLAT if (flat == name[0] if is_whole else flat.startswith(name[0]))}
    return int(not (likely and is_whole)), int(not likely)


def thin_out(markup: str) -> str:
    """The markup with no attributes on tags that have thousands of them.

    >>> thin_out("<b " + " ".join(f"a{n}=1" for n in range(20_000)) + ">x</b>")
    '<b>x</b>'
    """
    if not _may_have_long_tags(markup, "<"):
        return markup
    return TAG.sub(lambda tag: f"<{tag[1]}{tag[2]}>" if _is_overloaded(tag) else tag[0], markup)


def in_long_tags(markup: str, change: Callable[[str], str]) -> str:
    """The markup with its long tags changed, which few pages have."""
    if not _may_have_long_tags(markup, "<"):
        return markup
    return TAG.sub(lambda tag: change(tag[0]) if len(tag[0]) > LONG else tag[0], markup)


def _is_overloaded(tag: re.Match[str]) -> bool:
    return len(tag[0]) > LONG and bool(tag[3]) and len(QUOTED.sub("", tag[0]).split()) > MOST_ATTRIBUTES


def _may_have_long_tags(markup: AnyStr, opening: AnyStr) -> bool:
    step = LONG // 2  # a tag so long has in it a whole step in which no other tag begins
    return any(markup.find(opening, start, start + step) < 0 for start in range(0, len(markup) - step, step))


def flatten(markup: str, *, many: int = MANY) -> str:
    """The markup without the tags that nest too deeply, and with no more formatting that lasts than can be borne.

    >>> flatten("<b>" * 302 + "deep" + "</b>" * 302, many=0) == "<b>" * 300 + "deep" + "</b>" * 300
    True
    """
    markup = sober(thin_out(markup))
    if markup.count("<") <= many:
        return markup
    kept: list[str] = []
    left_out: Counter[str] = Counter()
    depth = end = 0
    for tag in TAG.finditer(markup):
        closing, name = tag[1], tag[2].lower()
        if name in FLAT or not tag[3]:
            continue
        if closing and left_out[name]:
            left_out[name] -= 1
        elif closing:
            depth = max(0, depth - 1)
            continue
        elif depth < DEEPEST:
            depth += 1
            continue
        else:
            left_out[name] += 1
        before = markup[end : tag.start()]
        kept += before, "</>" * (before.rfind("<") > before.rfind(">"))  # nothing, but what is around it stays apart
        end = tag.end()
    return "".join(kept) + markup[end:] if kept else markup
