"""Lines: from text with marks in it to the text of a page, line by line, and its headings."""

from __future__ import annotations

import re
from collections.abc import Callable

# Marks are control characters that no character reference can spell: "&#x80;" means the euro sign.
MARK_CHARACTERS = LINE, PRE, PRE_END, HEADING, NUMBER_END, HEADING_END = "\x80\x82\x83\x84\x86\x87"
AROUND = {
    "block": (LINE, LINE),
    "term": (LINE, LINE),
    "break": (LINE, ""),
    "cell": (" ", " "),
    "pre": (LINE + PRE, PRE_END + LINE),
}
MARKS = re.compile(f"{HEADING}[0-9]+{NUMBER_END}|[{LINE}{PRE}{PRE_END}{HEADING_END}]")
CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\x81\x85\x88-\x9f]")
PLAIN_BLANKS = "\n\t\xa0"  # besides the space
PLAIN = bytes(range(0x20, 0x7F)) + b"\n"


def collapse(text: str) -> str:
    """Text on one line, its words one space apart.

    >>> collapse(" a\\n b\\xa0c\\0 ")
    'a b c'
    """
    if not text.isprintable():
        text = CONTROLS.sub("", MARKS.sub(" ", text))
    return " ".join(text.split())


def shorten(text: str, length: int) -> str:
    """The text cut at the end of a word.

    >>> shorten("one two three", 9)
    'one two'
    """
    if len(text) <= length:
        return text
    end = text.rfind(" ", 0, length + 1)
    return text[:length] if end < 0 else text[:end]


def marks(kind: str, number: int = 0) -> tuple[str, str]:
    """The marks before and after an element; a heading carries its number."""
    if kind == "heading":
        return f"{LINE}{HEADING}{number}{NUMBER_END}", HEADING_END + LINE
    return AROUND.get(kind, ("", ""))


def assemble(marked: str) -> tuple[str, list[tuple[int, str, int]]]:
    """The text that marked text stands for, and its headings: number, text, and where in the text they start.

    >>> assemble(f" to {LINE}{HEADING}7{NUMBER_END}be{HEADING_END}{LINE}  or{LINE} ")
    ('to\\nbe\\nor', [(7, 'be', 3)])
    """
    marked = within(PRE, PRE_END, marked, many_lines)
    marked = within(HEADING, HEADING_END, marked, one_line)
    text, headings = _read(_plain_lines(marked))
    if _is_plain(text):
        return text, headings
    # There are controls in it, or odd blanks: all lines are taken apart.
    lines = [" ".join(words) for words in map(str.split, CONTROLS.sub("", marked).split(LINE)) if words]
    return _read("\n".join(lines))


def _plain_lines(marked: str) -> str:
    """The lines of a text that has no other blanks than the plain ones: cut where two stand together, which is rare."""
    for blank in PLAIN_BLANKS:
        marked = marked.replace(blank, " ")
    first, *rest = "\n".join(filter(None, map(str.strip, marked.split(LINE)))).split("  ")
    return " ".join([first, *filter(None, map(str.lstrip, rest))])


def _is_plain(text: str) -> bool:
    """Whether a text is free of controls and odd blanks. Most of it is ASCII, and that is quickly looked through.

    >>> _is_plain("a b\\n\u0107"), _is_plain("a\u2003b"), _is_plain("\\t")
    (True, False, False)
    """
    return text.encode(errors="surrogatepass").translate(None, PLAIN).decode(errors="surrogatepass").isprintable()


def _read(lines: str) -> tuple[str, list[tuple[int, str, int]]]:
    """The text of lines, and the headings among them."""
    first, *rest = lines.split(HEADING)
    pieces, headings, length = [first], [], len(first)
    for piece in rest:
        number, _, words = piece.partition(NUMBER_END)
        headings.append((int(number), words.partition("\n")[0], length))
        pieces.append(words)
        length += len(words)
    return "".join(pieces), headings


def within(opening: str, closing: str, text: str, change: Callable[[str], str]) -> str:
    """The text with a change made to what stands between the outermost pairs of marks; the marks go."""
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


def many_lines(inner: str) -> str:
    """Preformatted text keeps its lines."""
    return inner.replace(PRE, "").replace(PRE_END, "").replace("\r", LINE).replace("\n", LINE)


def one_line(inner: str) -> str:
    """A heading is one line, whatever it is made of; another heading inside it is a part of it."""
    number, _, words = inner.partition(NUMBER_END)
    line = collapse(words)
    return f"{HEADING}{number}{NUMBER_END}{line}" if line else ""
