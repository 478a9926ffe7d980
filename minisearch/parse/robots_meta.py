"""Robots directives of pages: <meta name="robots"> and the X-Robots-Tag header.

No RFC defines them; what the large search engines document is what site owners rely on. Some separate them by
semicolons, or address all robots as robots.txt does ("*: noindex").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

AGENT = "minisearch"  # our name
META_NAMES = frozenset(["robots", AGENT])
HEADER = "X-Robots-Tag"
HEADER_NAMES = frozenset(["", "*", AGENT])
NOINDEX, NOFOLLOW = frozenset(["noindex", "none"]), frozenset(["nofollow", "none"])
WITH_VALUE = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}  # not names of robots
SEPARATOR = re.compile(r"[,;\s]+")
PARTS = re.compile("[,;]")
UNAVAILABLE_AFTER = re.compile(r"unavailable_after\s*:\s*([^,;]*)(,[^,;]*)?")
MISSING_PARTS = ("", " GMT", " 00:00:00 GMT")  # of an RFC 822 date


def in_meta(meta: Mapping[str, str | None]) -> tuple[str, str] | None:
    """The directives of a <meta> and their source; None if it has none for us.

    >>> in_meta({"name": "Robots", "content": "NOINDEX"}), in_meta({"name": "author", "content": "none"})
    (('noindex', 'meta robots'), None)
    """
    name = (meta.get("name") or "").strip().lower()
    return ((meta.get("content") or "").lower(), f"meta {name}") if name in META_NAMES else None


def in_header(header: str) -> str:
    """The directives of an X-Robots-Tag header for all robots and for us.

    >>> in_header("noindex, otherbot: nofollow"), in_header("minisearch: none"), in_header("*: noindex; nofollow")
    ('noindex', 'none', 'noindex, nofollow')
    """
    directives = []
    for line in header.lower().splitlines():
        agent = ""
        for part in PARTS.split(line):
            name, colon, rest = part.strip().partition(":")
            if colon and " " not in name.strip() and name.strip() not in WITH_VALUE:
                agent, part = name.strip(), rest
            if agent in HEADER_NAMES:
                directives.append(part.strip())
    return ", ".join(directives)


def has_nofollow(directives: str) -> bool:
    """Whether the links of a page must not be followed."""
    return not NOFOLLOW.isdisjoint(SEPARATOR.split(directives))


def noindex_reason(directives: str, source: str) -> str:
    """The source and the directive by which a page must not be indexed; '' if it may be.

    >>> noindex_reason("nofollow, noindex", HEADER)
    'X-Robots-Tag noindex'
    >>> noindex_reason("unavailable_after: 25-Jun-10 15:00:00 PST", "meta robots")
    'meta robots unavailable_after 2010-06-25, which is past'
    """
    if word := next((word for word in SEPARATOR.split(directives) if word in NOINDEX), ""):
        return f"{source} {word}"
    for written, more in UNAVAILABLE_AFTER.findall(directives):
        until = _parse_date(written) or _parse_date(written + more)  # the name of a day is followed by a comma
        if until is not None and until < datetime.now(UTC):
            return f"{source} unavailable_after {until:%Y-%m-%d}, which is past"
    return ""


def is_from_header(noindex: str) -> bool:
    """Whether the source in a result of `noindex_reason` is the header."""
    return noindex.startswith(f"{HEADER} ")


def _parse_date(written: str) -> datetime | None:
    """A date as RFC 822, RFC 850 or ISO 8601 write it; UTC if it has no time zone."""
    parsers = [(datetime.fromisoformat, ""), *((parsedate_to_datetime, part) for part in MISSING_PARTS)]
    for parse, part in parsers:
        try:
            found = parse(written.strip().upper() + part)
        except (TypeError, ValueError, OverflowError, IndexError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
