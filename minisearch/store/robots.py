"""robots.txt in the file: used for an hour, so that a crawl that is resumed soon need not fetch it again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from minisearch.store.base import TableStore

if TYPE_CHECKING:
    from minisearch.fetch.robots import RobotsFile

MAX_AGE = timedelta(hours=1)  # a later run has to notice a new Disallow; RFC 9309, 2.4 allows a day


class RobotsStore(TableStore):
    """Reads and writes of `robots`. Writes need a transaction."""

    def get(self, origin: str) -> RobotsFile | None:
        """An origin's robots.txt, if it was fetched less than an hour ago."""
        from minisearch.fetch.robots import RobotsFile  # loads requests, which a search does not need

        since = datetime.now(UTC) - MAX_AGE
        rows = self._db.table("robots").rows_where("origin = ? AND fetched_at > ?", [origin, _timestamp(since)])
        return next((RobotsFile(row["status"], row["text"]) for row in rows), None)

    def save(self, origin: str, file: RobotsFile) -> None:
        """Save an origin's robots.txt."""
        now = _timestamp(datetime.now(UTC))
        row = {"origin": origin, "status": file.status, "text": file.text, "fetched_at": now}
        self._db.table("robots").upsert(row, pk="origin")


def _timestamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
