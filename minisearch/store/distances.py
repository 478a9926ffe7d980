"""Distances: how many links a url is away from a seed, and how many redirects from a link.

A url that turns out to be nearer brings along all that it leads to, and may now be within the limits. The rows of a
crawl are so the same in whatever order its pages came. Of pages that lead to a url from equally near, the one that is
first by name is remembered as the one it was found on.
"""

from __future__ import annotations

from minisearch.models import Detail
from minisearch.store.file import File
from minisearch.store.known import KnownUrls
from minisearch.store.verdicts import Verdicts, packed

Way = tuple[int, int, int | None]  # to a url, how deep it is that way, and the page that leads there


class Distances(Verdicts):
    """Writes of what becomes of `urls` as they come nearer."""

    def __init__(self, file: File) -> None:
        super().__init__(file)
        self._known = KnownUrls()

    def settle(
        self, number: int, state: str, rule: str = "", detail: Detail | None = None, target: int | None = None
    ) -> None:
        """What became of a url."""
        self._conn.execute(
            "UPDATE urls SET state = ?, rule = ?, detail = ?, redirect_target_id = ? WHERE id = ?",
            (state, rule, packed(detail or {}), target, number),
        )

    def catch_up(
        self, number: int, depth: int, hops: int = 0, *, max_depth: int, max_redirects: int = 10, url: str = ""
    ) -> set[str]:
        """A url may have come nearer than `depth` while its page was under way; then so has what it leads to. The
        same goes for a redirect that took fewer than `hops`. Of a `url` that is named, we may remember that it has not.
        """
        known = self._known.get(url)
        if known is not None and (known.depth, known.hops) == (depth, hops):
            return set()
        nearest, fewest, rule, target = self._conn.execute(
            "SELECT depth, redirects, rule, redirect_target_id FROM urls WHERE id = ?", (number,)
        ).fetchone()
        woken = self._fewer_links(self._leads_to(number, nearest), max_depth) if nearest < depth else set()
        if fewest < hops and rule == "redirect":
            woken |= self._fewer_redirects(target, fewest + 1, max_redirects)
        return woken

    def _fewer_links(self, nearer: list[Way], max_depth: int) -> set[str]:
        """Urls turned out to be nearer to a seed, and so may be all that they lead to."""
        woken = set()
        while nearer:
            number, depth, found_on = nearer.pop()
            url, before, state, rule, host = self._conn.execute(
                "SELECT url, depth, state, rule, host FROM urls WHERE id = ?", (number,)
            ).fetchone()
            if depth > before or (depth == before and not self._is_first_by_name(number, found_on)):
                continue
            self._reached(number, depth, found_on)
            self._known.pop(url, None)
            if state == "skipped" and rule == "depth" and depth <= max_depth:
                self.settle(number, "queued")
                woken.add(host)
            nearer += self._leads_to(number, depth) if depth < before else []
        return woken

    def _fewer_redirects(self, number: int, hops: int, max_redirects: int) -> set[str]:
        """A url turned out to be fewer redirects away from a link, and so is all that it redirects to."""
        woken: set[str] = set()
        while True:
            url, before, state, rule, target, host = self._conn.execute(
                "SELECT url, redirects, state, rule, redirect_target_id, host FROM urls WHERE id = ?", (number,)
            ).fetchone()
            if hops >= before:
                return woken
            self._conn.execute("UPDATE urls SET redirects = ? WHERE id = ?", (hops, number))
            self._known.pop(url, None)
            if state == "skipped" and rule == "redirects" and hops <= max_redirects:
                self.settle(number, "queued")
                woken.add(host)
            if rule != "redirect":
                return woken
            number, hops = target, hops + 1

    def _reached(self, number: int, depth: int, found_on: int | None) -> None:
        """The nearest way there, as far as is known."""
        self._conn.execute("UPDATE urls SET depth = ?, referrer_id = ? WHERE id = ?", (depth, found_on, number))

    def _is_first_by_name(self, number: int, found_on: int | None) -> bool:
        """Whether `found_on` comes before the page on which a url was found so far, and by a link."""
        if found_on is None:
            return False
        (first,) = self._conn.execute(
            "SELECT teller.url < known.url AND teller.depth < here.depth FROM urls AS here "
            "JOIN urls AS known ON known.id = here.referrer_id JOIN urls AS teller ON teller.id = :teller "
            "WHERE here.id = :here",
            {"here": number, "teller": found_on},
        ).fetchone() or (False,)
        return bool(first)

    def _leads_to(self, number: int, depth: int) -> list[Way]:
        """Where a page's links, its canonical link or a redirect lead, and how deep that is."""
        rows = self._conn.execute(
            "SELECT links.url_id, 1 FROM links JOIN pages ON pages.id = links.page_id "
            "WHERE pages.url_id = :here AND NOT links.nofollow "
            "UNION SELECT told.id, 1 FROM urls AS here JOIN pages ON pages.url_id = here.id "
            "JOIN urls AS told ON told.url = pages.canonical AND told.host = here.host WHERE here.id = :here "
            "UNION SELECT redirect_target_id, 0 FROM urls WHERE id = :here AND rule = 'redirect'",
            {"here": number},
        )
        return [(target, depth + step, number) for target, step in rows]
