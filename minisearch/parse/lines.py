"""The lines and headings of a page, from its text with marks in it.

Extractors put marks into the text where lines, headings and preformatted text begin and end.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# A mark is a control character that no character reference can spell ("&#x80;" means the euro sign), and a letter.
MARK = "\x80"
LINE, PRE, PRE_END, HEADING, NUMBER_END, HEADING_END = (MARK + letter for letter in "LPQHNE")
AROUND = {
    "block": (LINE, LINE),
    "term": (LINE, LINE),
    "break": (LINE, ""),
    "cell": (" ", " "),
    "pre": (LINE + PRE, PRE_END + LINE),
}
MARKS = re.compile(f"{HEADING}[0-9]+{NUMBER_END}|{MARK}[LPQHE]?")
CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\x81-\x9f]")


def marks(kind: str, number: int = 0) -> tuple[str, str]:
    """The marks before and after an element; a heading has its number."""
    if kind == "heading":
        return f"{LINE}{HEADING}{number}{NUMBER_END}", HEADING_END + LINE
    return AROUND.get(kind, ("", ""))


def assemble(marked: str) -> tuple[str, list[tuple[int, str, int]]]:
    """The text of marked text line by line, and its headings: number, text, and where in the text they start.

    >>> assemble(f" to {LINE}{HEADING}7{NUMBER_END}be{HEADING_END}{LINE}  or{LINE} ")
    ('to\\nbe\\nor', [(7, 'be', 3)])
    """
    marked = _change_between(PRE, PRE_END, marked, _preformatted_lines)
    marked = _change_between(HEADING, HEADING_END, marked, _heading_line)
    pieces = map(str.strip, marked.replace("\n", " ").split(LINE))
    first, *rest = "\n".join([line for piece in pieces if piece and (line := _single_spaced(piece))]).split(HEADING)
    texts, headings, start = [first], [], len(first)
    for piece in rest:
        number, _, text = piece.partition(NUMBER_END)
        headings.append((int(number), text.partition("\n")[0], start))
        texts.append(text)
        start += len(text)
    return "".join(texts), headings


def _change_between(opening: str, closing: str, text: str, change: Callable[[str], str]) -> str:
    """The text with a change made to what is between the outermost pairs of marks, which are removed."""
    first, *rest = text.split(opening)
    pieces, inner, depth = [first], "", 0
    for opened in rest:
        depth += 1
        head, *tails = opened.split(closing)
        inner += head if depth == 1 else opening + head
        for tail in tails:
            depth -= 1
            if depth == 0:
                pieces += change(inner), tail
                inner = ""
            else:
                inner += closing + tail
    return "".join(pieces)


def _preformatted_lines(inner: str) -> str:
    """Preformatted text keeps its lines."""
    return inner.replace(PRE, "").replace(PRE_END, "").replace("\r", LINE).replace("\n", LINE)


def _heading_line(inner: str) -> str:
    """A heading is one line; another heading inside it is a part of it."""
    number, _, words = inner.partition(NUMBER_END)
    line = collapse(words)
    return f"{HEADING}{number}{NUMBER_END}{line}" if line else ""


def collapse(text: str) -> str:
    """Text on one line, its words one space apart.

    >>> collapse(" a\\n b\\xa0c\\0 ")
    'a b c'
    """
    return _single_spaced(MARKS.sub(" ", text) if MARK in text else text)


def _single_spaced(text: str) -> str:
    """The words of a text one space apart, without control characters."""
    if "  " not in text and text.isprintable():  # as most are; no other white space is printable
        return text.strip()
    return " ".join(CONTROLS.sub("", text).split())


def shorten(text: str, length: int) -> str:
    """The text cut at the end of a word.

    >>> shorten("one two three", 9)
    'one two'
    """
    if len(text) <= length:
        return text
    end = text.rfind(" ", 0, length + 1)
    return text[:length] if end < 0 else text[:end]
