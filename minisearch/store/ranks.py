"""Rankings in the file: how much each page matters, by which measure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.store.file import File


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
    """Reads and writes of `rankings` and `scores`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def save(self, ranking: RankingFacts) -> None:
        """Write a ranking in place of the one of the same name. Call it inside a transaction."""
        self._conn.execute("DELETE FROM scores WHERE ranking = ?", (ranking.name,))
        self._conn.execute(
            "INSERT OR REPLACE INTO rankings (name, parameters, rounds, residual, converged, computed_at, vector) "
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
            "INSERT INTO scores (ranking, page, score) VALUES (?, ?, ?)",
            (
                (ranking.name, page, score)
                for page, score in enumerate(ranking.vector.tolist())
                if score == score  # NaN is not equal to itself
            ),
        )

    def get(self, name: str) -> RankingFacts | None:
        """A ranking by its name."""
        row = self._conn.execute(
            "SELECT name, parameters, rounds, residual, converged, computed_at, vector FROM rankings WHERE name = ?",
            (name,),
        ).fetchone()
        if row is None:
            return None
        vector = np.frombuffer(row[6], dtype="<f8").astype(np.float64)
        return RankingFacts(row[0], json.loads(row[1]), row[2], row[3], bool(row[4]), row[5], vector)

    def top(self, name: str, limit: int) -> list[tuple[str, str, float]]:
        """(url, title, score) of the first pages of a ranking."""
        return self._conn.execute(
            "SELECT url, title, score FROM top_pages WHERE ranking = ? ORDER BY score DESC, url LIMIT ?",
            (name, limit),
        ).fetchall()
