"""All about one page of several files: what its own file knows of it, and what the others say by its addresses."""

from __future__ import annotations

from typing import Any

import numpy as np

from minisearch.store.drawers import Drawer
from minisearch.store.inspect import PageFacts, Standing


class ShardInside(Drawer):
    """Reads about a page, in all files."""

    def _own(self, question: str, number: int) -> Any:
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        return self._shards.ask_some("inspect", question, {shard: (local,)})[shard]

    def _addresses(self, number: int) -> list[str]:
        return [self.facts(number).url, *(url for url, _ in self.aliases(number))]

    def facts(self, number: int) -> PageFacts:
        """What is known of a page."""
        found: PageFacts = self._own("facts", number)
        return found

    def standings(self, number: int) -> list[Standing]:
        """Where a page stands in every ranking, among the pages of all files."""
        found = []
        for name in sorted({name for names in self._shards.ask("rankings", "names") for name in names}):
            vector = self._shards.rankings.get(name).vector  # type: ignore[union-attr]
            if not np.isnan(vector[number]):
                above, all_pages = int((vector > vector[number]).sum()), int(np.isfinite(vector).sum())
                found.append(Standing(name, float(vector[number]), above + 1, all_pages))
        return found

    def aliases(self, number: int) -> list[tuple[str, str]]:
        """(url, rule) of the other addresses for which a page stands."""
        return list(self._own("aliases", number))

    def in_links(self, number: int, ranking: str) -> list[tuple[str, str, str, int, float | None]]:
        """(url, title, anchor, count, score) of the followed links to a page, those of the best ranked pages first."""
        ((shard, (local,)),) = self._shards.by_page([number]).items()
        rows = self._shards.ask_some("inspect", "in_links", {shard: (local, ranking)})[shard]
        told = self._shards.ask("inspect", "in_links_by_url", self._addresses(number), ranking)
        rows = [*rows, *(row for others in told for row in others)]
        return sorted(rows, key=lambda row: (row[4] is None, -(row[4] or 0.0), row[0]))

    def out_links(self, number: int) -> list[tuple[str, str, int, int, str]]:
        """(url, anchor, count, nofollow, what became of the url) of the links of a page, as they stand on it."""
        found = []
        for url, anchor, count, nofollow, state in self._own("out_links", number):
            verdict = self._shards.urls.verdict(url) if state == "skipped" else None  # others may know better
            found.append((url, anchor, count, nofollow, verdict.state if verdict else state))
        return found

    def anchor_texts(self, number: int) -> list[tuple[str, str]]:
        """(what it says, language) for the links of other pages to a page, each saying once."""
        told = self._shards.ask("inspect", "anchor_texts_by_url", self._addresses(number))
        rows = {*self._own("anchor_texts", number), *(row for others in told for row in others)}
        return sorted(tuple(row) for row in rows)

    def html(self, number: int) -> bytes:
        """The HTML of a page as it was received; nothing if it was not kept."""
        return bytes(self._own("html", number))
