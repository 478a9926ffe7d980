"""Sites: which pages are on a host, or below a folder of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from minisearch.packing import Counts
from minisearch.search.arrays import Ints, Mask
from minisearch.store.store import Store

MOST_KEPT = 20  # answers


class Sites:
    """Where the pages of a snapshot are."""

    def __init__(self, store: Store, pages: Counts) -> None:
        self._store, self._pages = store, pages
        self._known: dict[tuple[str, ...], Mask] = {}

    @cached_property
    def _numbers(self) -> Ints:
        """The number of each page, -1 of those that are not in the snapshot."""
        numbers = np.full(self._pages.max(initial=0) + 1, -1, dtype=np.int64)
        numbers[self._pages] = np.arange(len(self._pages))
        return numbers

    def _numbered(self, pages: Ints) -> Ints:
        return self._numbers[np.where(pages < len(self._numbers), pages, 0)]  # no page has the number 0

    @cached_property
    def in_order(self) -> Ints:
        """The place of each page in the order of urls."""
        numbers = self._numbered(self._store.addresses.in_order())
        places = np.empty(len(self._pages), dtype=np.int64)
        places[numbers[numbers >= 0]] = np.arange(len(places))
        return places

    @cached_property
    def _listed(self) -> tuple[list[str], Ints, list[str], Ints]:
        """All urls in small letters, and the page of each; the origins of them all, and the place of each url's own."""
        urls, pages = self._store.addresses.every()
        small = "\n".join(urls).lower().split("\n") if urls else []
        ends = [url.find("/", len("https://")) for url in small]
        heads = [url[:end] if end > 0 else url for url, end in zip(small, ends, strict=True)]
        places = {origin: place for place, origin in enumerate(dict.fromkeys(heads))}
        codes = np.fromiter(map(places.__getitem__, heads), dtype=np.int64, count=len(heads))
        return small, self._numbered(pages), list(places), codes

    @cached_property
    def hosts(self) -> tuple[list[str], Ints]:
        """The hosts, and for each page the place of its own among them."""
        _, numbers, origins, codes = self._listed
        here = numbers >= 0
        named = [_host(origin) for origin in origins]
        names = sorted({named[code] for code in np.flatnonzero(np.bincount(codes[here])).tolist()})
        places = {name: place for place, name in enumerate(names)}
        found = np.zeros(len(self._pages), dtype=np.int64)
        found[numbers[here]] = np.array([places.get(name, -1) for name in named], dtype=np.int64)[codes[here]]
        return names, found

    def on(self, sites: tuple[str, ...]) -> Mask:
        """The pages of some hosts and their subdomains, or of folders of them: "example.com/docs"."""
        if sites not in self._known:
            if len(self._known) == MOST_KEPT:
                self._known.clear()
            self._known[sites] = self._marked([_parts(site) for site in sites])
        return self._known[sites]

    def _marked(self, asked: list[tuple[str, str]]) -> Mask:
        urls, numbers, origins, codes = self._listed
        found = np.zeros(len(self._pages) + 1, dtype=bool)  # the last for what is not in the snapshot
        whole, tests = np.zeros(len(origins), dtype=bool), {}
        for code, origin in enumerate(origins):
            # Whole names: a subdomain and a port may stand around it.
            folders = {folder for host, folder in asked if f".{host}:" in f".{_host(origin)}:"}
            whole[code] = "" in folders
            if folders and "" not in folders:
                exact = {origin + folder for folder in folders}
                tests[code] = exact, tuple(start + mark for start in exact for mark in "/?")
        if origins:
            found[numbers[whole[codes]]] = True
        for code, (exact, below) in tests.items():
            here = self._by_origin[code]
            found[numbers[[at for at in here if urls[at].startswith(below) or urls[at] in exact]]] = True
        return found[:-1]

    @cached_property
    def _by_origin(self) -> list[list[int]]:
        """Of each origin, which of the urls are there."""
        _, _, origins, codes = self._listed
        cuts = np.cumsum(np.bincount(codes, minlength=len(origins)))[:-1]
        return [places.tolist() for places in np.split(np.argsort(codes, kind="stable"), cuts)]


def _parts(site: str) -> tuple[str, str]:
    """The host and the folder of a site, as it is typed: in any case."""
    host, _, path = site.lower().removeprefix("http://").removeprefix("https://").partition("/")
    return host, f"/{path}".rstrip("/")


def _host(origin: str) -> str:
    return origin.partition("://")[2]
