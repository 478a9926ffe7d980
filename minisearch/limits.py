"""The limits of a crawl: what one response, one URL and one server may cost.

Published limits of others, for comparison: Google follows 10 redirects; Nutch takes 100 links a page; Heritrix goes
20 links deep, through paths of 20 segments of which none is repeated more than twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from minisearch.errors import BadInput

HTML = ("text/html", "application/xhtml+xml")
TYPES = (*HTML, "text/plain")
MAY_BE_ZERO = {"redirects", "host_pages", "links", "repeats"}
MINIMUM = {"worker_bytes": 300_000_000}  # with which a worker can start and fetch a page
MAX_SECONDS = 1_000_000.0  # eleven days; more is surely a mistake
MAX_COUNT = 10**15


def check_number(
    name: str, value: float, minimum: float, maximum: float = MAX_COUNT, *, fraction: bool = False
) -> None:
    """Raise BadInput unless a number is between its minimum and its maximum, and an integer if not a `fraction`."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise BadInput(f"{name} must be a number, not {value!r}")
    if not math.isfinite(value) or not minimum <= value <= maximum:
        raise BadInput(f"{name} must be between {minimum:,} and {maximum:,.0f}, not {value:g}")
    if not fraction and not isinstance(value, int):
        raise BadInput(f"{name} must be an integer, not {value:g}")


def check_limit(name: str, limit: str, value: float) -> None:
    """Raise BadInput for a wrong value of a field of `Limits`; `name` is what the message calls it."""
    seconds = limit.endswith("_seconds")
    minimum = MINIMUM.get(limit, 0.001 if seconds else int(limit not in MAY_BE_ZERO))
    check_number(name, value, minimum, MAX_SECONDS if seconds else MAX_COUNT, fraction=seconds)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a crawl. The names of the fields are those of the options."""

    # One response
    page_bytes: int = 10_000_000  # of a body, decompressed
    page_seconds: float = 30.0  # in all
    silence_seconds: float = 10.0  # between two bytes
    header_bytes: int = 100_000
    redirects: int = 10  # in a row
    types: tuple[str, ...] = TYPES
    links: int = 5_000  # different URLs taken from one page
    worker_bytes: int = 2_000_000_000  # of address space that a process may need for it, on Linux

    # One URL
    url_length: int = 2_000  # characters
    path_segments: int = 20
    repeats: int = 2  # times that the same segments may follow one another in a path; twice as many if scattered

    # One server
    tries: int = 3  # attempts after transient errors
    pause_seconds: float = 60.0  # the longest wait that a server can ask for
    host_failures: int = 10  # failed URLs in a row after which a host is skipped
    host_pages: int = 0  # pages fetched from one host; 0: no limit but that of the crawl

    # One URL pattern: URLs that differ in numbers and ids only
    pattern_pages: int = 10_000
    pattern_repeats: int = (
        20  # pages found on one another that nearly repeat others, after which the pattern is blocked
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            if each.name != "types":
                check_limit(f"the limit {each.name.replace('_', ' ')}", each.name, getattr(self, each.name))
        if not isinstance(self.types, tuple) or not all(isinstance(each, str) for each in self.types):
            raise BadInput(f"the types must be a list such as ['text/html'], not {self.types!r}")
