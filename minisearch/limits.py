"""Limits: how much of anything a crawl may cost, so that no server can hold it, fill it or lead it in circles.

Published limits of others, for comparison: Google follows 10 redirects; Nutch takes 100 links a page; Heritrix goes
20 hops deep, through paths of 20 segments of which none is repeated more than twice.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from minisearch.errors import BadInput

HTML = ("text/html", "application/xhtml+xml")
TYPES = (*HTML, "text/plain")
MAY_BE_NONE = {"redirects", "host_pages", "links", "repeats"}  # of these, 0 makes sense


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything one page, one host or one kind of url may cost."""

    # One answer
    page_bytes: int = 10_000_000  # of a body, unpacked
    page_seconds: float = 30.0  # in all
    silence_seconds: float = 10.0  # between two bytes
    header_bytes: int = 100_000
    redirects: int = 10  # in a row
    types: tuple[str, ...] = TYPES
    links: int = 5_000  # different urls taken from one page
    worker_bytes: int = 2_000_000_000  # of address space that a process may need for it, on Linux

    # One url
    url_length: int = 2_000
    path_segments: int = 20
    repeats: int = 2  # times that the same segments may follow one another in a path; twice as often if scattered

    # One server
    tries: int = 3  # for an answer, when there is none for a moment
    pause_seconds: float = 60.0  # that we wait at the most when a server asks us to
    host_failures: int = 10  # urls in a row that fail, after which a host is left in peace
    host_pages: int = 0  # pages fetched of one host; 0: no limit but that of the crawl

    # URLs of one pattern, which differ in numbers and ids only
    shape_pages: int = 10_000
    shape_alike: int = 20  # pages found on one another that nearly repeat others, after which the pattern is blocked

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            least = 0 if each.name in MAY_BE_NONE else 1 if isinstance(value, int) else 0.001
            if not isinstance(value, tuple) and value < least:
                raise BadInput(f"the limit {each.name.replace('_', ' ')} must be {least} or more, not {value:g}")
