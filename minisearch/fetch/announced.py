"""Announced: what a server says of a page in the headers before it. Their names are in lower case."""

from __future__ import annotations

import re
from contextlib import suppress
from email.utils import parsedate_to_datetime

from minisearch.errors import BadUrl
from minisearch.urls import normalize

LINK = re.compile(r"<([^<>]*)>([^<>]*)")
ANCHOR = re.compile(r";\s*anchor\s*=", re.IGNORECASE)  # a link of another page than this
RELATION = re.compile(r""";\s*rel\s*=\s*"?([^";,]*)""", re.IGNORECASE)
MEDIA_TYPE = re.compile(r"(?:^|,)\s*([\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+)\s*(?=[;,]|$)", re.ASCII)
UNKNOWN = ("unknown/unknown", "application/unknown", "*/*")  # types that servers give to what they know nothing of


def redirect_target(headers: dict[str, str], url: str) -> str:
    """Where a redirect from `url` leads.

    >>> redirect_target({"location": "../b"}, "https://example.com/a/")
    'https://example.com/b'
    """
    location = headers.get("location", "").strip()
    if not location:
        raise BadUrl("none is given")
    with suppress(UnicodeError):  # headers are read as Latin-1, which they seldom are
        location = location.encode("latin-1").decode("utf-8")
    return normalize(location, url)


def canonical_target(headers: dict[str, str], url: str) -> str:
    """The address by which a page would rather be known, as said in a Link header (RFC 6596); nothing if in none.

    >>> canonical_target({"link": '</a>; rel="canonical", </b>; rel=next'}, "https://example.com/c")
    'https://example.com/a'
    """
    told = set()
    for place, parameters in LINK.findall(headers.get("link", "")):
        rel = RELATION.search(parameters)
        if rel and "canonical" in rel[1].lower().split() and not ANCHOR.search(parameters):
            with suppress(BadUrl):
                told.add(normalize(place, url))
    return told.pop() if len(told) == 1 else ""


def media_type(headers: dict[str, str]) -> str:
    """The bare type of a Content-Type header; nothing if it tells none: then the bytes have to.

    Of several the last one counts, as in browsers.

    >>> media_type({"content-type": "Text/HTML; charset=utf-8"}), media_type({"content-type": "a/b, text/html"})
    ('text/html', 'text/html')
    >>> media_type({"content-type": "html"}), media_type({})
    ('', '')
    """
    named = MEDIA_TYPE.findall(headers.get("content-type", ""))
    told = named[-1].lower() if named else ""
    return "" if told in UNKNOWN else told


def retry_after(headers: dict[str, str], now: float) -> float:
    """How many seconds the server asks us to wait, told in seconds, by some with a fraction, or as a date.

    >>> retry_after({"retry-after": "120"}, 0), retry_after({}, 0), retry_after({"retry-after": "soon"}, 0)
    (120.0, 0.0, 0.0)
    """
    value = headers.get("retry-after", "").strip()
    if value.replace(".", "", 1).isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return 0.0
