"""Partitions: which hosts are whose, when several crawlers share the work or several files share the pages.

A host belongs to one partition, whatever its port, so that politeness towards it is one crawler's business alone.
J. Cho and H. Garcia-Molina, "Parallel Crawlers", 2002: static assignment by host, urls of others exchanged.
"""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import urlsplit

from minisearch.errors import BadInput

Partition = tuple[int, int]  # the how-manieth of how many, counted from 1


def parse(text: str) -> Partition:
    """A partition as one writes it.

    >>> parse("2/3")
    (2, 3)
    """
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    number, count = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= count:
        raise BadInput(f'"{text}" is no partition: write 1/3, 2/3 or 3/3 for one of three')
    return number, count


def owner(url: str, count: int) -> int:
    """Which of so many partitions a url belongs to.

    >>> owner("http://example.com/a", 3) == owner("https://EXAMPLE.com:8080/b", 3)
    True
    """
    return int.from_bytes(sha256(host_name(url).encode("utf-8", "replace")).digest()[:8], "big") % count + 1


def host_name(url: str) -> str:
    """The host of a url, whatever its port.

    >>> host_name("https://EXAMPLE.com:8080/b")
    'example.com'
    """
    return (urlsplit(url).hostname or "").lower()
