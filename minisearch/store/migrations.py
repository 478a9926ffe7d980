"""How older files are brought forward, one schema at a time.

MIGRATIONS[n] brings a file from schema n to n + 1. The newest schema is the one in schema.sql: whoever changes it
adds a step here that makes the same of an older file.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sqlite_utils

from minisearch.errors import Damaged, careful
from minisearch.store import columns

Migration = Callable[[sqlite_utils.Database], None]


def remember_robots(db: sqlite_utils.Database) -> None:
    """1 -> 2: robots.txt is kept for a day."""
    db.conn.execute(
        "CREATE TABLE robots (site TEXT PRIMARY KEY, status INTEGER NOT NULL, text TEXT NOT NULL, "
        "fetched_at TEXT NOT NULL)"
    )


def tell_how_languages_are_known(db: sqlite_utils.Database) -> None:
    """2 -> 3: a page says on what evidence its language is known."""
    db.conn.execute("ALTER TABLE pages ADD COLUMN language_evidence TEXT NOT NULL DEFAULT ''")


def know_near_twins(db: sqlite_utils.Database) -> None:
    """3 -> 4: near-identical pages are known by their fingerprints; a page has one once it is fetched again."""
    db.conn.execute("ALTER TABLE pages ADD COLUMN simhash INTEGER")
    db.conn.execute("ALTER TABLE pages ADD COLUMN words INTEGER")
    db.conn.execute("ALTER TABLE pages ADD COLUMN subject INTEGER")
    db.conn.execute("ALTER TABLE pages ADD COLUMN outline TEXT NOT NULL DEFAULT ''")
    db.conn.execute("CREATE INDEX pages_merged ON pages (merged_into) WHERE merged_into IS NOT NULL")
    for number, shift in enumerate((0, 16, 32, 48), 1):
        quarter = f"(subject << 16) | (simhash >> {shift} & 65535)"
        db.conn.execute(f"CREATE INDEX pages_quarter_{number} ON pages ({quarter}, simhash)")


def tell_when_pages_were_checked(db: sqlite_utils.Database) -> None:
    """4 -> 5: a page that was visited again and had not changed says when."""
    db.conn.execute("ALTER TABLE pages ADD COLUMN checked_at TEXT NOT NULL DEFAULT ''")


def pack_postings_in_planes(db: sqlite_utils.Database) -> None:
    """5 -> 6: postings are packed in another way, so all pages wait to be indexed again; a ranking can be changed."""
    db.conn.execute("DELETE FROM postings")
    db.conn.execute("DELETE FROM segments")
    db.conn.execute("UPDATE pages SET segment = NULL")
    db.conn.execute("ALTER TABLE postings ADD COLUMN word TEXT NOT NULL DEFAULT ''")
    db.conn.execute("CREATE TABLE places (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, bytes BLOB NOT NULL)")
    db.conn.execute("CREATE INDEX postings_frequent ON postings (segment, term, df) WHERE df >= 8")
    db.conn.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID")


def keep_words_as_written(db: sqlite_utils.Database) -> None:
    """6 -> 7: words as they are written have rows of their own, once pages are indexed again; they are no terms."""
    db.conn.execute("DROP VIEW index_terms")
    db.conn.execute(
        "CREATE VIEW index_terms AS SELECT term, sum(df) AS pages FROM postings "
        "JOIN segments ON segments.id = postings.segment WHERE segments.kind = 'page' "
        "AND term NOT LIKE '=%' AND term NOT LIKE '!%' GROUP BY term"
    )


def keep_rare_terms_together(db: sqlite_utils.Database) -> None:
    """7 -> 8: rare terms share rows; those that have rows of their own are found as before, until they are merged.
    Near-identical pages are known by the number of their group, which the next `minisearch index` finds out.

    An index from before 7 has no words as they are written and no titles to the letter: its pages wait to be indexed.
    """
    older = (
        "SELECT 1 FROM segments WHERE kind = 'page' AND size > 0 AND NOT EXISTS "
        "(SELECT 1 FROM postings WHERE segment = segments.id AND term >= '!' AND term < '\"')"
    )
    if db.conn.execute(older).fetchone():
        for table in ("postings", "places", "segments"):
            db.conn.execute(f"DELETE FROM {table}")
        db.conn.execute("UPDATE pages SET segment = NULL WHERE segment IS NOT NULL")
    db.conn.execute(
        "CREATE TABLE rare (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first TEXT NOT NULL, "
        "terms TEXT NOT NULL, counts TEXT NOT NULL, packed BLOB NOT NULL)"
    )
    db.conn.execute("CREATE INDEX rare_first ON rare (segment, first)")
    db.conn.execute("ALTER TABLE pages ADD COLUMN alike INTEGER")
    db.conn.execute("CREATE INDEX pages_alike ON pages (alike) WHERE alike IS NOT NULL")
    for number in range(1, 5):
        db.conn.execute(f"DROP INDEX IF EXISTS pages_quarter_{number}")
    db.conn.execute("DROP VIEW index_terms")
    db.conn.execute(
        "CREATE VIEW index_terms AS SELECT term, sum(df) AS pages FROM ("
        "SELECT segment, term, df FROM postings UNION ALL "
        "SELECT segment, line.value AS term, json_extract('[' || counts || ']', '$[' || line.key || ']') AS df "
        """FROM rare, json_each('["' || replace(terms, char(10), '","') || '"]') AS line"""
        ") JOIN segments ON segments.id = segment WHERE segments.kind = 'page' "
        "AND term NOT LIKE '=%' AND term NOT LIKE '!%' GROUP BY term"
    )


def remember_past_verdicts(db: sqlite_utils.Database) -> None:
    """8 -> 9: what was said of a url before its last verdict is kept."""
    db.conn.execute(
        "CREATE TABLE past (url INTEGER NOT NULL, until TEXT NOT NULL, state TEXT NOT NULL, rule TEXT NOT NULL, "
        "reason TEXT NOT NULL)"
    )
    db.conn.execute("CREATE INDEX past_url ON past (url)")
    db.conn.execute(
        "CREATE TRIGGER past_verdicts AFTER UPDATE OF state, rule, reason ON urls "
        "WHEN OLD.state <> 'queued' AND OLD.rule <> 'shard' "
        "AND (OLD.state, OLD.rule, OLD.reason) IS NOT (NEW.state, NEW.rule, NEW.reason) "
        "AND NOT (OLD.state = 'fetched' AND OLD.rule = '' AND NEW.state = 'merged') BEGIN "
        "INSERT INTO past VALUES (OLD.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), OLD.state, OLD.rule, OLD.reason); "
        "DELETE FROM past WHERE url = OLD.id AND rowid NOT IN "
        "(SELECT rowid FROM past WHERE url = OLD.id ORDER BY rowid DESC LIMIT 20); END"
    )


def write_columns_in_few_bytes(db: sqlite_utils.Database) -> None:
    """9 -> 10: the numbers of the pages of a segment are written in as few bytes as will do. If they cannot be
    read, all pages wait to be indexed again.
    """
    rows = db.conn.execute("SELECT id, size, pages, lengths, spoken FROM segments").fetchall()
    try:
        written = [(*_in_few_bytes(*row), segment) for segment, *row in rows]
    except Damaged:
        for table in ("postings", "rare", "places", "segments"):
            db.conn.execute(f"DELETE FROM {table}")
        db.conn.execute("UPDATE pages SET segment = NULL WHERE segment IS NOT NULL")
    else:
        db.conn.executemany("UPDATE segments SET pages = ?, lengths = ?, spoken = ? WHERE id = ?", written)


@careful
def _in_few_bytes(size: int, pages: bytes, lengths: bytes, spoken: bytes) -> tuple[bytes, bytes, bytes]:
    known = columns.steps(np.frombuffer(pages, "<u4"))
    fields = np.frombuffer(lengths, "<u4").reshape(-1, size) if size else [np.empty(0, "<u4")] * 4
    told = np.frombuffer(spoken, "<u4" if len(spoken) > size else np.uint8)
    return columns.packed(known), columns.packed(*fields), columns.packed(told)


MIGRATIONS: dict[int, Migration] = {
    1: remember_robots,
    2: tell_how_languages_are_known,
    3: know_near_twins,
    4: tell_when_pages_were_checked,
    5: pack_postings_in_planes,
    6: keep_words_as_written,
    7: keep_rare_terms_together,
    8: remember_past_verdicts,
    9: write_columns_in_few_bytes,
}
SCHEMA = max(MIGRATIONS) + 1
