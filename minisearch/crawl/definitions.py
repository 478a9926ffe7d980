"""Definitions: what a reference calls the things it explains, such as the functions of a module.

It puts them into <dt> and gives each an id, so that others can point at it. Such a term is to its explanation what a
heading is to its section, one level below the smallest, and whoever types its name wants the page that explains it,
not one of those that use it. The terms of a glossary are no such names but words, and other pages tell more of them.
"""

from __future__ import annotations

import re

from minisearch.records import DEFINITION

_WORD = re.compile(r"\w+(?:\.\w+)*")
_CODE = re.compile(r"[a-z][A-Z]|[\w)>][_.:]\w|^\W*--?\w")  # looks like it: camelCase, snake_case, a.path, --option


def name(line: str, anchor: str) -> str:
    """What a term is called: its id, if that is a path to it; else itself, without what it takes or gives; '': a word.

    >>> name("class Event(name)[source]", "celery.events.Event"), name("max_wal_size (integer)", "GUC-MAX-WAL-SIZE")
    ('celery.events.Event', 'max_wal_size')
    >>> name("[q, r] = qr (A)", "index-qr"), name("hash function", "term-hash")
    ('qr', '')
    """
    head, takes, _ = line.partition("(")
    if "." in anchor and any(_ends(anchor, word) for word in _WORD.findall(head)):
        return anchor
    head = head.rpartition(" = ")[2].strip()
    return head if " " not in head and (takes or _CODE.search(head)) else ""


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
