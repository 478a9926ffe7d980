"""robots.txt of each origin in the file, so that a crawl that is resumed soon need not fetch it again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from minisearch.store.file import File

MAX_AGE = timedelta(hours=1)  # a later run has to notice a new Disallow; RFC 9309, 2.4 allows a day


class RobotsStore:
    """Reads and writes of `robots`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def get(self, site: str, *, now: datetime | None = None) -> tuple[int, str] | None:
        """(status, text) of an origin's robots.txt, if it was fetched less than an hour ago."""
        since = (now or datetime.now(UTC)) - MAX_AGE
        row = self._conn.execute(
            "SELECT status, text FROM robots WHERE origin = ? AND fetched_at > ?", (site, _written(since))
        ).fetchone()
        return (int(row[0]), str(row[1])) if row else None

    def keep(self, site: str, status: int, text: str, *, now: datetime | None = None) -> None:
        """Store it (inside a transaction)."""
        self._conn.execute(
            "INSERT OR REPLACE INTO robots (origin, status, text, fetched_at) VALUES (?, ?, ?, ?)",
            (site, status, text, _written(now or datetime.now(UTC))),
        )


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
