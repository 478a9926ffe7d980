"""The link graph of the file behind the pages: read once, and again when the file has changed."""

from __future__ import annotations

import threading

from minisearch.lab.crawls import Crawl, crawl_of
from minisearch.web.library import engine, library

_lock = threading.Lock()
_known: dict[str, tuple[str, Crawl]] = {}  # by file: its stamp, and what was read then


def crawled() -> Crawl:
    """The crawl in the file."""
    here = library()
    stamp = here.stamp_now()
    with _lock:
        known = _known.get(here.db)
    if known is not None and known[0] == stamp:
        return known[1]
    crawl = crawl_of(*engine().link_graph())
    with _lock:
        _known.clear()  # one file is served at a time; a link graph is large
        _known[here.db] = (stamp, crawl)
    return crawl
