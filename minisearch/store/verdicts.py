"""Verdicts: looking up in the journal what became of urls, and why, and which of them wait for their turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from minisearch.models import Detail, PastVerdict, Queued, Verdict
from minisearch.store.file import File

ORDERS = {"breadth": "depth, turn, id", "newest": "id DESC", "best": "inlinks DESC, depth, turn, id"}
LONGEST_PATH = 100
BATCH = 10_000  # rows that are held at a time


def packed(detail: Detail) -> str:
    """The details of a decision as they are written into the file: equal text for equal details."""
    return json.dumps(detail, sort_keys=True) if detail else ""


def unpacked(text: str) -> Detail:
    """The details that were written as this text."""
    return dict(json.loads(text)) if text else {}


class Redirect(NamedTuple):
    """A url that leads to another one."""

    url: str
    target: int
    detail: Detail


class Verdicts:
    """Reads of `urls`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def tally(self, crawl: int | None = None) -> list[tuple[str, str, int]]:
        """(state, rule, how many urls)."""
        where = "" if crawl is None else f"WHERE crawl_id = {crawl:d}"
        return self._conn.execute(f"SELECT state, rule, count(*) FROM urls {where} GROUP BY state, rule").fetchall()

    def moved(self) -> dict[int, Redirect]:
        """Where redirects lead, by their ids: the next hop of each."""
        rows = self._conn.execute(
            "SELECT id, url, redirect_target_id, detail FROM urls "
            "WHERE rule IN ('redirect', 'redirect-loop') AND redirect_target_id IS NOT NULL"
        )
        return {number: Redirect(url, target, unpacked(detail)) for number, url, target, detail in rows}

    def fate(self, number: int) -> tuple[str, str, str, Detail]:
        """(url, state, rule, detail) of the url with this id."""
        row = self._conn.execute("SELECT url, state, rule, detail FROM urls WHERE id = ?", (number,)).fetchone()
        return str(row[0]), str(row[1]), str(row[2]), unpacked(row[3])

    def _in_batches(self, question: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a question, whose first column is the id, so few at a time that millions need no memory."""
        last = 0
        while rows := self._conn.execute(f"{question} AND id > ? ORDER BY id LIMIT {BATCH}", (last,)).fetchall():
            yield from rows
            last = rows[-1][0]

    def fetched(self, crawl: int) -> Iterator[tuple[str, str]]:
        """(url, host) of every page that a crawl has fetched."""
        return iter(
            self._conn.execute(
                "SELECT urls.url, host FROM urls JOIN pages ON pages.url_id = urls.id WHERE crawl_id = ?", (crawl,)
            )
        )

    def redirect_targets(self, urls: list[str]) -> Iterator[str]:
        """Where `urls` were sent to by redirects, hop by hop."""
        for url in urls:
            seen = set()
            here: str | None = url
            while here and here not in seen:
                seen.add(here)
                row = self._conn.execute(
                    "SELECT target.url FROM urls JOIN urls AS target ON target.id = urls.redirect_target_id "
                    "WHERE urls.url = ? AND urls.rule = 'redirect'",
                    (here,),
                ).fetchone()
                here = row[0] if row else None
                if here:
                    yield here

    def verdict(self, url: str) -> Verdict | None:
        """What is known about a url, not in words yet."""
        row = self._conn.execute(
            "SELECT url_id, url, state, rule, detail, depth, referrer, leads_to, "
            "EXISTS (SELECT 1 FROM pages WHERE pages.url_id = url_status.url_id AND segment_id IS NOT NULL) "
            "FROM url_status WHERE url = ?",
            (url,),
        ).fetchone()
        if row is None:
            return None
        number, url, state, rule, detail, depth, source, target, indexed = row
        known = (url, state, rule, "", depth, source or "", target or "", bool(indexed))
        return Verdict(*known, self.path(number), self._past(number), unpacked(detail))

    def _past(self, number: int) -> tuple[PastVerdict, ...]:
        rows = self._conn.execute(
            "SELECT until, state, rule, detail FROM url_history WHERE url_id = ? ORDER BY rowid DESC", (number,)
        )
        return tuple(PastVerdict(until, state, rule, "", unpacked(detail)) for until, state, rule, detail in rows)

    def path(self, number: int) -> tuple[str, ...]:
        """By way of which urls the one with this number was found, from the start on."""
        rows = self._conn.execute(
            "WITH RECURSIVE back(id, url, referrer_id, step) AS ("
            "  SELECT id, url, referrer_id, 0 FROM urls WHERE id = ?"
            "  UNION SELECT urls.id, urls.url, urls.referrer_id, step + 1 FROM back "
            "JOIN urls ON urls.id = back.referrer_id"
            f"  WHERE step < {LONGEST_PATH}) SELECT url FROM back WHERE step > 0 ORDER BY step DESC",
            (number,),
        )
        return tuple(url for (url,) in rows)

    # -- the frontier --------------------------------------------------------------------

    def waiting_hosts(self, crawl: int) -> list[str]:
        """Hosts with queued urls."""
        rows = self._conn.execute("SELECT DISTINCT host FROM urls WHERE crawl_id = ? AND state = 'queued'", (crawl,))
        return [host for (host,) in rows]

    def count_waiting(self, crawl: int) -> int:
        """How many urls are queued."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM urls WHERE crawl_id = ? AND state = 'queued'", (crawl,)
        ).fetchone()
        return int(count)

    def queued_turns(self, crawl: int) -> Iterator[tuple[str, int]]:
        """(url, turn) of the queued urls whose turn is not the first."""
        return iter(
            self._conn.execute(
                "SELECT url, turn FROM urls WHERE crawl_id = ? AND state = 'queued' AND turn > 0", (crawl,)
            )
        )

    def next(self, crawl: int, host: str, order: str, limit: int) -> list[Queued]:
        """The next urls of a host in the order of the crawl."""
        rows = self._conn.execute(
            "SELECT id, url, host, depth, redirects, referrer_id FROM urls WHERE crawl_id = ? AND host = ? "
            "AND state = 'queued' "
            f"ORDER BY {ORDERS[order]} LIMIT ?",
            (crawl, host, limit),
        )
        return [Queued(*row) for row in rows]
