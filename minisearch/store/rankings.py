"""Rankings in the file: the scores of pages, the settings of the ranking, and the link graph they are computed from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import StoreError
from minisearch.store.base import TableStore, json_list

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankingFacts:
    """How a ranking was computed. `vector` has the scores by page id; NaN for pages that take no part."""

    name: str
    parameters: dict[str, Any]
    rounds: int
    residual: float
    converged: bool
    computed_at: str
    vector: NDArray[np.float64]


class RankingStore(TableStore):
    """Reads and writes of `rankings`, `scores` and `settings`. Writes need a transaction."""

    def save(self, ranking: RankingFacts) -> None:
        """Write a ranking in place of the one of the same name."""
        self._db.table("scores").delete_where("ranking = ?", [ranking.name])
        self._db.table("rankings").insert(
            {
                "name": ranking.name,
                "parameters": json.dumps(ranking.parameters),
                "iterations": ranking.rounds,
                "residual": ranking.residual,
                "converged": int(ranking.converged),
                "computed_at": ranking.computed_at,
                "vector": ranking.vector.astype("<f8").tobytes(),
            },
            replace=True,
        )
        pages = np.flatnonzero(~np.isnan(ranking.vector))
        self._conn.executemany(
            "INSERT INTO scores (ranking, page_id, score) VALUES (?, ?, ?)",
            (
                (ranking.name, page, score)
                for page, score in zip(pages.tolist(), ranking.vector[pages].tolist(), strict=True)
            ),
        )

    def get(self, name: str) -> RankingFacts | None:
        """Return a ranking by its name."""
        for row in self._db.table("rankings").rows_where("name = ?", [name]):
            try:
                vector = np.frombuffer(row["vector"], dtype="<f8").astype(np.float64, copy=False)
                parameters = dict(json.loads(row["parameters"]))
            except (TypeError, ValueError) as error:
                raise StoreError(f"the {name} scores in this file are damaged: run minisearch rank again") from error
            facts = (row["iterations"], row["residual"], bool(row["converged"]), row["computed_at"])
            return RankingFacts(name, parameters, *facts, vector)
        return None

    def names(self) -> list[str]:
        """The rankings of the file."""
        return self._column("SELECT name FROM rankings ORDER BY name")

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the best pages of a ranking."""
        query = "SELECT url, title, score FROM top_pages WHERE ranking = ? ORDER BY score DESC, url LIMIT ?"
        return self._rows(query, (name, limit))

    # -- settings ------------------------------------------------------------------------------

    def settings(self) -> dict[str, float | str]:
        """The ranking parameters that were changed for this file."""
        return {row["name"]: row["value"] for row in self._db.table("settings").rows_where(order_by="name")}

    def set_settings(self, settings: dict[str, float | str]) -> None:
        """Replace the ranking parameters of this file; those that are not named have their defaults."""
        table = self._db.table("settings")
        table.delete_where()
        table.insert_all({"name": name, "value": value} for name, value in settings.items())

    # -- the link graph ------------------------------------------------------------------------

    def link_ends(self) -> tuple[Ids, Ids, Ids]:
        """(page, page, count) of every followed link between pages of the file, as three arrays.

        A link to a duplicate counts for the canonical page; a duplicate's own links do not count.
        """
        (ends,) = self.link_chunks()
        return ends

    def link_chunks(self, pages_at_a_time: int | None = None) -> Iterator[tuple[Ids, Ids, Ids]]:
        """The same, for a number of pages at a time; for all pages if no number is given."""
        duplicates = _array(self._conn.execute("SELECT id FROM pages WHERE canonical_page_id IS NOT NULL"), 1)[0]
        urls, pages = _array(self._conn.execute("SELECT id, page_id FROM urls WHERE page_id IS NOT NULL"), 2)
        page_of = np.zeros(self._last("id", "urls") + 1, dtype=np.int64)  # by URL id; 0: none
        page_of[urls] = pages
        last = self._last("page_id", "links")
        step = pages_at_a_time or last + 1
        for low in range(0, last + 1, step):
            rows = self._conn.execute(
                "SELECT page_id, url_id, count FROM links WHERE NOT nofollow AND page_id >= ? AND page_id < ?",
                (low, low + step),
            )
            sources, linked, counts = _array(rows, 3)
            targets = page_of[linked]
            held = (targets > 0) & np.isin(sources, duplicates, invert=True)
            yield sources[held], targets[held], counts[held]

    def _last(self, column: str, table: str) -> int:
        return int(self._value(f"SELECT coalesce(max({column}), 0) FROM {table}"))

    def out_degrees(self, page_ids: Iterable[int]) -> dict[int, int]:
        """The number of other pages that pages link to; those that link to none are left out."""
        return self._counts(
            "SELECT links.page_id, count(DISTINCT urls.page_id) FROM json_each(?) AS wanted "
            "JOIN links ON links.page_id = wanted.value JOIN urls ON urls.id = links.url_id "
            "WHERE NOT nofollow AND urls.page_id != links.page_id GROUP BY links.page_id",
            page_ids,
        )

    def in_degrees(self, page_ids: Iterable[int]) -> dict[int, int]:
        """The number of other pages that link to pages; those without links are left out."""
        return self._counts(
            "SELECT urls.page_id, count(DISTINCT links.page_id) FROM json_each(?) AS wanted "
            "JOIN urls ON urls.page_id = wanted.value JOIN links ON links.url_id = urls.id "
            "JOIN pages ON pages.id = links.page_id "
            "WHERE links.page_id != urls.page_id AND NOT nofollow AND canonical_page_id IS NULL GROUP BY urls.page_id",
            page_ids,
        )

    def _counts(self, query: str, page_ids: Iterable[int]) -> dict[int, int]:
        return dict(self._rows(query, (json_list(page_ids),)))


def _array(rows: Iterable[tuple[int, ...]], columns: int) -> Ids:
    """Rows of integers as an array with a row for each column."""
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, columns).T
