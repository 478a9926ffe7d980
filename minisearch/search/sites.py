"""Sites: which pages are on a host, or below a folder of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from minisearch.search.entries import Ints, Mask
from minisearch.store.store import Store

MOST_KEPT = 20  # answers


class Sites:
    """Where the pages of a snapshot are."""

    def __init__(self, store: Store, pages: Ints) -> None:
        self._store, self._pages = store, pages
        self._known: dict[tuple[str, ...], Mask] = {}

    @cached_property
    def hosts(self) -> tuple[list[str], Ints]:
        """The hosts, and for each page the place of its own among them."""
        by_page = self._store.addresses.hosts()
        names, codes = np.unique([by_page[page] for page in self._pages.tolist()], return_inverse=True)
        return names.tolist(), codes

    @cached_property
    def _paths(self) -> list[str]:
        """What follows the host in the url of each page, in small letters."""
        by_page = self._store.addresses.paths()
        return [by_page[page] for page in self._pages.tolist()]

    @cached_property
    def in_order(self) -> Ints:
        """The place of each page in the order of urls."""
        order = {page: place for place, page in enumerate(self._store.addresses.in_order())}
        return np.array([order[page] for page in self._pages.tolist()], dtype=np.int64)

    def on(self, sites: tuple[str, ...]) -> Mask:
        """The pages of some hosts and their subdomains, or of folders of them: "example.com/docs"."""
        if sites not in self._known:
            if len(self._known) == MOST_KEPT:
                self._known.clear()
            found = np.zeros(len(self._pages), dtype=bool)
            for site in sites:
                found |= self._on(site)
            self._known[sites] = found
        return self._known[sites]

    def _on(self, site: str) -> Mask:
        typed = site.lower()  # a path is typed in any case, too
        host, _, path = typed.removeprefix("http://").removeprefix("https://").partition("/")
        folder = f"/{path}".rstrip("/")
        names, codes = self.hosts
        # Whole names: a subdomain and a port may stand around it.
        mask = np.array([f".{host}:" in f".{name}:" for name in names], dtype=bool)[codes]
        if folder:
            paths, begin = self._paths, (f"{folder}/", f"{folder}?")
            for place in np.flatnonzero(mask).tolist():
                mask[place] = paths[place].startswith(begin) or paths[place] == folder
        return mask
