"""Rankings in the file: how much each page matters, by which measure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.store import blobs
from minisearch.store.file import File

Pages = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankingFacts:
    """How a ranking was computed. `vector` has the scores by page id; pages that take no part have NaN."""

    name: str
    parameters: dict[str, Any]
    rounds: int
    residual: float
    converged: bool
    computed_at: str
    vector: NDArray[np.float64]


class RankStore:
    """Reads and writes of `rankings`, `scores` and `settings`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def save(self, ranking: RankingFacts) -> None:
        """Write a ranking in place of the one of the same name. Call it inside a transaction."""
        self._conn.execute("DELETE FROM scores WHERE ranking = ?", (ranking.name,))
        self._conn.execute(
            "INSERT OR REPLACE INTO rankings (name, parameters, iterations, residual, converged, computed_at, vector) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                ranking.name,
                json.dumps(ranking.parameters),
                ranking.rounds,
                ranking.residual,
                int(ranking.converged),
                ranking.computed_at,
                ranking.vector.astype("<f8").tobytes(),
            ),
        )
        self._conn.executemany(
            "INSERT INTO scores (ranking, page_id, score) VALUES (?, ?, ?)",
            (
                (ranking.name, page, score)
                for page, score in enumerate(ranking.vector.tolist())
                if score == score  # NaN is not equal to itself
            ),
        )

    def get(self, name: str) -> RankingFacts | None:
        """A ranking by its name."""
        row = self._conn.execute(
            "SELECT rowid, parameters, iterations, residual, converged, computed_at FROM rankings WHERE name = ?",
            (name,),
        ).fetchone()
        if row is None:
            return None
        number, parameters, rounds, residual, converged, computed_at = row
        vector = np.frombuffer(blobs.read(self._conn, "rankings", "vector", number), dtype="<f8")
        facts = (name, json.loads(parameters), rounds, residual, bool(converged), computed_at)
        return RankingFacts(*facts, vector.astype(np.float64, copy=False))

    def out_degrees(self, pages: Iterable[int]) -> dict[int, int]:
        """page -> how many other pages of the link graph it links to."""
        wanted = ", ".join(str(int(page)) for page in pages)
        return dict(
            self._conn.execute(
                "SELECT links.page_id, count(DISTINCT urls.page_id) FROM links JOIN urls ON urls.id = links.url_id "
                f"WHERE links.page_id IN ({wanted}) AND NOT nofollow AND urls.page_id != links.page_id "
                "GROUP BY links.page_id"
            )
        )

    def link_counts(self, pages: Iterable[int]) -> dict[int, int]:
        """page -> how many different links it has; as many other pages it links to at the most."""
        wanted = ", ".join(str(int(page)) for page in pages)
        return dict(
            self._conn.execute(
                "SELECT id, coalesce((SELECT max(position) + 1 FROM links WHERE links.page_id = pages.id), 0) "
                f"FROM pages WHERE id IN ({wanted})"
            )
        )

    def link_ends(self) -> tuple[Pages, Pages, Pages]:
        """(page, page, how often) of every followed link both of whose ends we hold, as three arrays.

        The same as `PageStore.edges`, read in one gulp: SQLite writes the links of a page into one line, which
        numpy reads ten times as fast as Python takes row after row.
        """
        (ends,) = self.link_chunks()
        return ends

    def link_chunks(self, pages_at_a_time: int | None = None) -> Iterator[tuple[Pages, Pages, Pages]]:
        """The same, of so many pages at a time; of all pages if no number is given."""
        aliases = [page for (page,) in self._conn.execute("SELECT id FROM pages WHERE canonical_page_id IS NOT NULL")]
        known = self._conn.execute("SELECT id, page_id FROM urls WHERE page_id IS NOT NULL").fetchall()
        ids, held = np.array(known, dtype=np.int64).reshape(-1, 2).T
        del known
        (last,) = self._conn.execute("SELECT coalesce(max(page_id), 0) FROM links").fetchone()
        step = pages_at_a_time or last + 1
        for low in range(0, last + 1, step):
            rows = self._conn.execute(
                "SELECT page_id, count(*), group_concat(url_id), group_concat(count) FROM links "
                "WHERE NOT nofollow AND page_id >= ? AND page_id < ? GROUP BY page_id",
                (low, low + step),
            ).fetchall()
            pages, sizes, urls, times = zip(*rows, strict=True) if rows else ((), (), (), ())
            linking, often = np.array(pages, dtype=np.int64), np.array(sizes, dtype=np.int64)
            sources = np.repeat(linking, often)
            ours = np.repeat(np.isin(linking, aliases, invert=True), often)
            met, counts = (np.fromstring(",".join(lines), dtype=np.int64, sep=",") for lines in (urls, times))
            leads_to = np.zeros(max(int(met.max(initial=0)), int(ids.max(initial=0))) + 1, dtype=np.int64)  # 0: nowhere
            leads_to[ids] = held
            targets = leads_to[met]
            ours &= targets > 0
            yield sources[ours], targets[ours], counts[ours]

    def page_urls(self) -> dict[int, str]:
        """The url of each page of the link graph, by its id."""
        rows = self._conn.execute(
            "SELECT pages.id, urls.url FROM pages JOIN urls ON urls.id = pages.url_id WHERE canonical_page_id IS NULL"
        )
        return dict(rows)

    def settings(self) -> dict[str, float]:
        """The numbers of the ranking that were changed for this file."""
        return dict(self._conn.execute("SELECT name, value FROM settings ORDER BY name"))

    def change(self, settings: dict[str, float]) -> None:
        """Rank by these numbers from now on, and by the usual ones otherwise. Call it inside a transaction."""
        self._conn.execute("DELETE FROM settings")
        self._conn.executemany("INSERT INTO settings (name, value) VALUES (?, ?)", settings.items())

    def names(self) -> list[str]:
        """The rankings that the file holds."""
        return [name for (name,) in self._conn.execute("SELECT name FROM rankings ORDER BY name")]

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        return self._conn.execute(
            "SELECT url, title, score FROM top_pages WHERE ranking = ? ORDER BY score DESC, url LIMIT ?",
            (name, limit),
        ).fetchall()
