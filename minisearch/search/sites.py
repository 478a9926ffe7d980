"""Sites: which pages are on a host, or below a folder of it."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

import numpy as np

from minisearch.search.entries import Ints, Mask
from minisearch.store.store import Store

MOST_KEPT = 20  # answers
LAST = "\U0010ffff"  # comes after all letters


class Sites:
    """Where the pages of a snapshot are. Their urls are sorted, so what begins alike stands together."""

    def __init__(self, store: Store, pages: Ints) -> None:
        self._store, self._pages = store, pages
        self._known: dict[tuple[str, ...], Mask] = {}

    @cached_property
    def _listed(self) -> tuple[list[str], Ints]:
        """All urls in small letters, in order; and the page of each."""
        numbers = dict(zip(self._pages.tolist(), range(len(self._pages)), strict=True))
        found = [(url, numbers[page]) for url, page in self._store.addresses.in_order() if page in numbers]
        self._in_order = np.array([page for _, page in found], dtype=np.int64)
        small = "\n".join([url for url, _ in found]).lower().split("\n") if found else []
        order = sorted(range(len(small)), key=small.__getitem__)
        return [small[place] for place in order], self._in_order[order]

    @cached_property
    def in_order(self) -> Ints:
        """The place of each page in the order of urls."""
        places = np.empty(len(self._pages), dtype=np.int64)
        urls, _ = self._listed
        places[self._in_order] = np.arange(len(urls))
        return places

    @cached_property
    def _origins(self) -> list[tuple[str, str, int, int]]:
        """(scheme and host, host, where its urls begin, where they end) in the list."""
        urls, _ = self._listed
        found, begin = [], 0
        while begin < len(urls):
            scheme, _, rest = urls[begin].partition("://")
            host = rest.partition("/")[0]
            end = bisect_left(urls, f"{scheme}://{host}/{LAST}", begin)
            found.append((f"{scheme}://{host}", host, begin, end))
            begin = end
        return found

    @cached_property
    def hosts(self) -> tuple[list[str], Ints]:
        """The hosts, and for each page the place of its own among them."""
        names = sorted({host for _, host, _, _ in self._origins})
        codes = np.zeros(len(self._pages), dtype=np.int64)
        for _, host, begin, end in self._origins:
            codes[self._listed[1][begin:end]] = names.index(host)
        return names, codes

    def on(self, sites: tuple[str, ...]) -> Mask:
        """The pages of some hosts and their subdomains, or of folders of them: "example.com/docs"."""
        if sites not in self._known:
            if len(self._known) == MOST_KEPT:
                self._known.clear()
            found = np.zeros(len(self._pages), dtype=bool)
            for site in sites:
                self._mark(site, found)
            self._known[sites] = found
        return self._known[sites]

    def _mark(self, site: str, found: Mask) -> None:
        typed = site.lower()  # a path is typed in any case, too
        host, _, path = typed.removeprefix("http://").removeprefix("https://").partition("/")
        folder = f"/{path}".rstrip("/")
        urls, pages = self._listed
        for origin, name, begin, end in self._origins:
            if f".{host}:" not in f".{name}:":  # whole names: a subdomain and a port may stand around it
                continue
            if not folder:
                found[pages[begin:end]] = True
                continue
            whole = origin + folder
            for low, high in ((whole, whole + "\0"), *((whole + mark, whole + mark + LAST) for mark in "/?")):
                found[pages[bisect_left(urls, low, begin, end) : bisect_left(urls, high, begin, end)]] = True
