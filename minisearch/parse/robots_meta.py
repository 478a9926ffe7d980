"""Wishes: what pages and servers ask of robots, in <meta name="robots"> and in X-Robots-Tag.

No RFC knows them; what the large search engines tell site owners is what they rely on. Whoever parts them by
semicolons, or speaks to all robots as robots.txt does ("*: noindex"), means it no less.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

AGENT = "minisearch"  # our name
OUR_NAMES = frozenset(["robots", AGENT])
SPOKEN_TO = frozenset(["", "*", AGENT])  # in a header
NOINDEX, NOFOLLOW = frozenset(["noindex", "none"]), frozenset(["nofollow", "none"])
WITH_VALUE = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}  # no names of robots
WORDS = re.compile(r"[,;\s]+")
PIECES = re.compile("[,;]")
UNTIL = re.compile(r"unavailable_after\s*:\s*([^,;]*)(,[^,;]*)?")

MISSING_PARTS = ("", " GMT", " 00:00:00 GMT")  # of a date in the way of mail


def in_meta(meta: Mapping[str, str | None]) -> tuple[str, str] | None:
    """What a <meta> asks of robots, us among them, and by which name it calls them; None if it does not.

    >>> in_meta({"name": "Robots", "content": "NOINDEX"}), in_meta({"name": "author", "content": "none"})
    (('noindex', 'meta robots'), None)
    """
    name = (meta.get("name") or "").strip().lower()
    return ((meta.get("content") or "").lower(), f"meta {name}") if name in OUR_NAMES else None


def in_header(header: str) -> str:
    """What an X-Robots-Tag header asks: of all robots, and of us by name.

    >>> in_header("noindex, otherbot: nofollow"), in_header("minisearch: none"), in_header("*: noindex; nofollow")
    ('noindex', 'none', 'noindex, nofollow')
    """
    wishes = []
    for line in header.lower().splitlines():
        agent = ""
        for piece in PIECES.split(line):
            name, colon, rest = piece.strip().partition(":")
            if colon and " " not in name.strip() and name.strip() not in WITH_VALUE:
                agent, piece = name.strip(), rest
            if agent in SPOKEN_TO:
                wishes.append(piece.strip())
    return ", ".join(wishes)


def says_nofollow(wishes: str) -> bool:
    """Whether the links of a page are not to be followed."""
    return not NOFOLLOW.isdisjoint(WORDS.split(wishes))


def why_unindexed(wishes: str, told_by: str, now: datetime | None = None) -> str:
    """The wish by which a page is not to be indexed, and where it stands; nothing if there is none.

    >>> why_unindexed("nofollow, noindex", "X-Robots-Tag")
    'X-Robots-Tag noindex'
    >>> why_unindexed("unavailable_after: 25-Jun-10 15:00:00 PST", "meta robots")
    'meta robots unavailable_after 2010-06-25, which is past'
    """
    if plain := next((word for word in WORDS.split(wishes) if word in NOINDEX), ""):
        return f"{told_by} {plain}"
    for written, more in UNTIL.findall(wishes):
        until = _time(written) or _time(written + more)  # the name of a day is followed by a comma
        if until is not None and until < (now or datetime.now(UTC)):
            return f"{told_by} unavailable_after {until:%Y-%m-%d}, which is past"
    return ""


def _time(written: str) -> datetime | None:
    """A day or moment as RFC 822, RFC 850 or ISO 8601 write it; without a zone it is taken for UTC."""
    ways = [(datetime.fromisoformat, ""), *((parsedate_to_datetime, part) for part in MISSING_PARTS)]
    for read, part in ways:
        try:
            found = read(written.strip().upper() + part)
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
