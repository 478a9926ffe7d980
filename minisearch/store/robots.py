"""robots.txt in the file: used for an hour, so that a crawl that is resumed soon need not fetch it again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from minisearch.store.base import TableStore

MAX_AGE = timedelta(hours=1)  # a later run has to notice a new Disallow; RFC 9309, 2.4 allows a day


class RobotsStore(TableStore):
    """Reads and writes of `robots`. Writes need a transaction."""

    def get(self, origin: str) -> tuple[int, str] | None:
        """(status, text) of an origin's robots.txt, if it was fetched less than an hour ago."""
        since = datetime.now(UTC) - MAX_AGE
        rows = self._db.table("robots").rows_where("origin = ? AND fetched_at > ?", [origin, _timestamp(since)])
        return next(((row["status"], row["text"]) for row in rows), None)

    def save(self, origin: str, status: int, text: str) -> None:
        """Save an origin's robots.txt."""
        row = {"origin": origin, "status": status, "text": text, "fetched_at": _timestamp(datetime.now(UTC))}
        self._db.table("robots").upsert(row, pk="origin")


def _timestamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
