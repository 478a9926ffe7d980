"""Refresh: a page that sends its readers on at once is a redirect by other means.

`<meta http-equiv="refresh" content="0; url=...">`, and the header of that name, read as browsers do (the HTML
standard, "shared declarative refresh steps"). With a pause before it, it is an ordinary page: people get to read it,
and it leads there as by a link.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from minisearch.errors import BadUrl

AT_ONCE = re.compile(r"\s*(?:0+(?:\.[\d.]*)?|\.[\d.]*)(?![\d.])", re.ASCII)  # no whole second
REFRESH = re.compile(
    r"""\s* (?: \d+ (?: \.[\d.]* )? | \.[\d.]* )
        (?: \s*[;,]\s* | \s+ )
        (?: url\s*=\s* )?
        (?: "(?P<double>[^"]*) | '(?P<single>[^']*) | (?P<bare>.*) )""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)


def is_refresh(meta: Mapping[str, str | None]) -> bool:
    """Does a <meta> with these attributes send the reader on? Not from within a <noscript>, if scripts run."""
    return (meta.get("http-equiv") or "").strip().lower() == "refresh"


def sends_to(content: str, join: Callable[[str], str]) -> str:
    """Where a refresh leads that happens at once, with `join` making it a whole url; nothing if it does not.

    >>> sends_to("0; URL='next.html'", str), sends_to("5; url=next.html", str), sends_to("0", str)
    ('next.html', '', '')
    """
    return leads_to(content, join) if AT_ONCE.match(content) else ""


def leads_to(content: str, join: Callable[[str], str]) -> str:
    """Where a refresh leads, at once or after a while; nothing if it leads nowhere.

    >>> leads_to("5; url=next.html", str), leads_to("300", str)
    ('next.html', '')
    """
    found = REFRESH.match(content)
    target = next((place for place in found.groups() if place), "").strip() if found else ""
    try:
        return join(target) if target else ""
    except BadUrl:
        return ""
