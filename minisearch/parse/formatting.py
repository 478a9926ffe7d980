"""Formatting: elements such as <b> and <font>, which a parser makes again in every block until they end.

A <font> that nobody has closed goes on in the next paragraph, and in the one after it: there each parser makes another
one like it. Of equal ones it remembers three and no more (the standard speaks of Noah's Ark), of links one. But a page
may have hundreds that differ in their attributes, and thousands of paragraphs, so that a hundred kilobytes become
gigabytes. So there is an end to what is made again: formatting beyond it becomes <span>, of which none is made twice.
Nothing but its name is lost.

An element counts as closed only if what stands before its end leaves a parser no choice: words, and plain elements that
are closed themselves. All others are said to last. No tag goes unseen, be it in a comment or in quotes.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import lru_cache

MOST_REBUILT = 250_000  # elements that may be made again, if each tag of a page were to begin a block
LINK = 4  # attributes of a link that may always last: to lose it would be worse
ALIKE = 3  # equal elements that a parser remembers
LONG_VALUE = 200  # letters of a tag that weigh as much as an attribute

NAMES = "a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
PLAIN = "abbr|acronym|bdi|bdo|cite|data|del|dfn|ins|kbd|label|mark|q|samp|span|sub|sup|time|var"
EMPTY = "br|img|wbr"
ANY_CASE = re.IGNORECASE | re.ASCII
AFTER_NAME = r"(?=[ \t\n\f\r/>])"


def _attributes(sign: str) -> str:
    """A pattern of attributes, read as the standard does, with `sign` for what a < in them may be."""

    def any_but(letters: str) -> str:
        return rf"[^<{letters}]*+(?:{sign}[^<{letters}]*+)*+"

    blank = r" \t\n\f\r"
    name = rf"(?=[^{blank}/>=])" + any_but(f"{blank}/>=")
    bare = rf"(?=[^{blank}>\"'])" + any_but(f"{blank}>")
    quoted = "|".join(quote + any_but(quote) + quote for quote in "\"'")
    return rf"(?:[{blank}/]++|{name}(?:[{blank}]*+=[{blank}]*+(?:{quoted}|{bare})|(?![{blank}]*+=)))"


# The rest of a tag after its name, if no other tag that matters stands in it: so no letter is read for two of them.
REST = _attributes(rf"<(?!/?(?:{NAMES}|{PLAIN}|{EMPTY}){AFTER_NAME})") + "*+>"
ATTRIBUTE = re.compile(_attributes("<"))
# A tag: 1 is there if it ends an element, 2 is its name if that is one of ours, 3 its rest if that is simple.
TAG = re.compile(rf"<(/?)(?=[a-z/!?])(?:({NAMES}|{PLAIN}|{EMPTY}){AFTER_NAME}({REST})?+)?+", ANY_CASE)
WHOLE = re.compile(rf"<[a-z]++{_attributes('<')}*+>", ANY_CASE)
LETTERS = "<" + string.ascii_letters
FORMATTING = frozenset(NAMES.split("|"))
HOLDING_NOTHING = frozenset(EMPTY.split("|"))


def _holding(elements: str) -> str:
    """A pattern of words among which such elements may stand."""
    return rf"[^<]*+(?:<(?:(?:{EMPTY}){AFTER_NAME}{REST}{elements})[^<]*+)*+"


def _each(names: str, held: str) -> str:
    return "".join(rf"|{name}{AFTER_NAME}{REST}{held}</{name}>" for name in names.split())


# What is closed as nearly all is, and in 2 what may not be.
SPANS = _holding(_each("span", "[^<]*+"))
GLANCE = re.compile(
    rf"<(?=[abceifnstu])(?:({NAMES}){AFTER_NAME}{REST}{_holding(_each('code em span strong', SPANS))}</\1>"
    rf"|((?:{NAMES}){AFTER_NAME}(?:{REST})?+))".encode(),
    re.IGNORECASE,
)


def is_sober(markup: bytes) -> bool:
    """Whether `sober` surely leaves a page in UTF-8 as it is, which is quickly told of most.

    >>> is_sober(b"<p><b>one</b><p>two" * 1000), is_sober(b"<b>" + b"<font size=1><p>" * 100_000)
    (True, False)
    """
    lasting = {tag for _, tag in GLANCE.findall(markup) if tag}
    if any(not tag.endswith(b">") for tag in lasting):
        return False
    room = _room(markup.count(b"<"))
    links = {tag for tag in lasting if tag[:1] in b"aA"}
    others = sum(ALIKE * _weight(tag.decode()) for tag in lasting - links)
    return others <= room and all(_weight(tag.decode()) <= max(room, LINK) for tag in links)


def sober(markup: str) -> str:
    """The markup with so little formatting that lasts that it can be made again in every block.

    >>> sober("<b>x</b><font color=red><p>y</font>" + "<br>" * MOST_REBUILT)[:43]
    '<b>x</b><span color=red><p>y</span><br><br>'
    """
    room = _room(markup.count("<"))
    kept, renamed = Counter[str](), Counter[str]()
    pieces: list[str] = []
    end = odd_until = 0
    for start in _lasting(markup):
        tag = TAG.match(markup, start)
        assert tag
        name, written = tag[2].lower(), tag[0]
        if tag[1]:
            if not renamed[name]:
                continue
            renamed[name] -= 1
        else:
            if not tag[3]:  # It is looked at as a whole, but not if it stands in another: no letter is read twice.
                whole = WHOLE.match(markup, start) if start >= odd_until else None
                odd_until = max(odd_until, whole.end() if whole else len(markup))
                written = whole[0] if whole else ""
            weight = _weight(written) if written else MOST_REBUILT
            if name == "a" and weight <= max(room, LINK):
                continue
            if name != "a" and (kept[written] >= ALIKE or weight <= room):
                room -= weight if kept[written] < ALIKE else 0
                kept[written] += 1
                continue
            renamed[name] += 1
        pieces += markup[end : tag.start(2)], "span"
        end = tag.end(2)
    return "".join(pieces) + markup[end:] if pieces else markup


def _lasting(markup: str) -> list[int]:
    """Where the tags of formatting stand that are not surely closed, or close nothing surely."""
    lasting: dict[int, None] = {}
    opened: list[tuple[str, int]] = []
    for tag in TAG.finditer(markup):
        is_end, name, place = tag[1], (tag[2] or "").lower(), tag.start()
        if name in HOLDING_NOTHING and tag[3]:
            continue
        if tag[3] and is_end and opened and opened[-1][0] == name:
            lasting.pop(opened.pop()[1], None)
            continue
        if tag[3] and not is_end:
            opened.append((name, place))
        else:
            opened.clear()
        if name in FORMATTING:
            lasting[place] = None
    return list(lasting)


def _room(tags: int) -> int:
    """How much formatting may last in a page of so many tags."""
    return MOST_REBUILT // max(tags, 1)


def _weight(tag: str) -> int:
    """How much memory an element takes each time it is made, in elements with an attribute.

    >>> _weight("<b>"), _weight("<font color='a b'size=1>"), _weight("<font style='" + "x" * 1000 + "'>")
    (1, 2, 6)
    """
    count = _count if len(tag) <= LONG_VALUE else _count.__wrapped__  # long ones of many pages would fill the memory
    return max(1, count(tag)) + len(tag) // LONG_VALUE


@lru_cache(maxsize=1000)
def _count(tag: str) -> int:
    """How many attributes a tag has."""
    inside = tag.lstrip(LETTERS)
    return sum(found[0][0] not in " \t\n\f\r/" for found in ATTRIBUTE.finditer(inside))
