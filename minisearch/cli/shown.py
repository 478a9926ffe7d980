"""What is shown. What pages say is made harmless first: nothing that a terminal could take for a command.

Titles and texts come from anybody. An escape sequence in one could repaint the screen, and a right-to-left override
could let an address read as another one.
"""

from __future__ import annotations

import json
import re
from typing import Any

import click

_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of writing by hand
_COMMAND = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSEEN = re.compile(rf"[{_TURNING}\ufeff]")
_LONE = re.compile(r"[\ud800-\udfff]")  # half of a letter, which no terminal can be sent
_UNFIT = re.compile(rf"[\x7f-\x9f\u2028\u2029{_TURNING}\ud800-\udfff]")


def plain(text: str) -> str:
    """`text` on one line, without anything that a terminal could take for a command.

    >>> plain("a\\x1b[31mb\\nc \\u202egnp.exe")
    'a [31mb c gnp.exe'
    """
    if text.isprintable():  # by far the most frequent case
        return text
    return _LONE.sub("\ufffd", _UNSEEN.sub("", _COMMAND.sub(" ", text)))


def say(*lines: str, err: bool = False) -> None:
    """Print lines that may hold what servers said, in a reason, an address or a name, without their orders. A tab is
    none, and what is wrong with a line of a file may be just that.

    >>> say("failed: packed in a way we did not ask for (\\x1b[31mzip)")
    failed: packed in a way we did not ask for ( [31mzip)
    """
    for line in lines:
        click.echo("\t".join(map(plain, line.split("\t"))), err=err)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things.

    >>> counted(1, "page"), counted(2000, "page"), counted(2, "query", "queries")
    ('1 page', '2000 pages', '2 queries')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def as_json(value: Any, *, indent: int | None = 2) -> str:
    """JSON that is readable in every language and harmless to look at; what it says is the same.

    >>> print(as_json({"title": "Ruže \\u202e"}, indent=None))
    {"title": "Ruže \\u202e"}
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
