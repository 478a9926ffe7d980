"""Definitions: what a reference calls the things it explains, such as the functions of a module.

It puts them into <dt> and gives each an id, so that others can point at it. Such a term is to its explanation what a
heading is to its section, one level below the smallest, and whoever types its name wants the page that explains it,
not one of those that use it. The terms of a glossary are no such names but words, and other pages tell more of them.

Manuals of programs give no ids: there an option, a setting or a constant is known by how it is written. (In an index
it is a link, and in the explanation of another term it is a part of that.)
"""

from __future__ import annotations

import re

from minisearch.records import DEFINITION

_WORD = re.compile(r"\w+(?:\.\w+)*")
_CODE = re.compile(r"[a-z][A-Z]|[\w)>][_.:]\w|^\W*--?\w")  # looks like it: camelCase, snake_case, a.path, --option
_OPTION = re.compile(r"(?<![^\s,|/])--?[^\W\d_][\w-]*")
_SURELY = re.compile(  # an option of more than a letter; A_CONSTANT; a.path or a:path, unless it leads to a file
    r"""--?[^\W\d_][\w-]+ | \$?[A-Z][A-Z\d]*_[A-Z\d_]+
        |(?!.*\.(?:conf|html|ini|json|txt|xml|ya?ml)$)[^\W\d][\w<>-]*(?:[.:][\w<>-]+)+""",
    re.VERBOSE,
)


def name(line: str, anchor: str) -> str:
    """What a term is called: its id, if that is a path to it; else itself, without what it takes or gives; '': a word.

    >>> name("class Event(name)[source]", "celery.events.Event"), name("max_wal_size (integer)", "GUC-MAX-WAL-SIZE")
    ('celery.events.Event', 'max_wal_size')
    >>> name("[q, r] = qr (A)", "index-qr"), name("hash function", "term-hash")
    ('qr', '')
    >>> name("-n, --max-count=<number>", ""), name("--[no-]verify", "")
    ('--max-count', '--verify')
    """
    if line.startswith("-") and (options := _OPTION.findall(line.replace("[no-]", ""))):
        return str(max(options, key=len))
    head, takes, _ = line.partition("(")
    if "." in anchor:
        for word in _WORD.findall(head):
            if _ends(anchor, word):
                return anchor
    head = head.rpartition(" = ")[2].strip()
    return head if " " not in head and (takes or _CODE.search(head)) else ""


def is_surely_named(text: str) -> bool:
    """Whether a term that has no id is a name all the same.

    >>> is_surely_named("core.autocrlf"), is_surely_named("--graph"), is_surely_named("PG_COLOR")
    (True, True, True)
    >>> is_surely_named("PostgreSQL"), is_surely_named("table_name"), is_surely_named("-1"), is_surely_named("a.txt")
    (False, False, False, False)
    """
    return _SURELY.fullmatch(name(" ".join(text.split()), "")) is not None


def _ends(path: str, word: str) -> bool:
    """Whether a path leads to a word.

    >>> _ends("os.path.join", "join"), _ends("os.path.join", "oin")
    (True, False)
    """
    return path.endswith(word) and not path[-len(word) - 1 : -len(word)].isalnum()


def level(tag: str) -> int:
    """The level of a heading, or of a term.

    >>> level("h2"), level("dt")
    (2, 7)
    """
    return DEFINITION if tag == "dt" else int(tag[1])
