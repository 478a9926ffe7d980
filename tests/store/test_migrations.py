"""A file of the first minisearch, brought forward step by step, ends as one made today."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from minisearch.packing import Row
from minisearch.records import Found, Page
from minisearch.store.file import APPLICATION_ID
from minisearch.store.migrations import MIGRATIONS, SCHEMA
from minisearch.store.store import Store

FIRST = Path(__file__).parent.parent / "data" / "schema-1.sql"


@pytest.fixture
def oldest(tmp_path):
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST.read_text("utf-8"))
        connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1")
        connection.execute("INSERT INTO crawls VALUES (1, '[]', '{}')")
        connection.execute(
            "INSERT INTO urls VALUES (1, 'http://a/', 'a', 1, 'queued', 0, 0, NULL, 0, '', '', NULL, NULL)"
        )
        connection.commit()
    return path


def shape(store):
    """Every table, view and index with its columns; their order and the words around them do not matter."""
    db = store.file.db
    names = db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite%'").fetchall()
    return {
        (kind, name): sorted(
            (
                tuple(column[2:] if kind == "index" else column[1:4] + column[5:])
                for column in db.execute(f"PRAGMA {'index_xinfo' if kind == 'index' else 'table_info'}({name})")
            ),
            key=repr,  # an expression has no name
        )
        for kind, name in names
    }


def test_an_old_file_ends_with_the_shape_of_a_new_one(oldest):
    with closing(Store(oldest)) as old, closing(Store()) as new:
        assert shape(old) == shape(new)
        assert old.file.db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)


def test_what_an_old_file_held_it_holds_still(oldest):
    with closing(Store(oldest)) as store:
        assert store.journal.verdict("http://a/").state == "queued"


def of_schema_9(store):
    """Write the numbers of pages in four bytes each, as they were, and a language in one."""
    for kind in ("page", "anchor"):
        for segment in store.postings.segments(kind):
            numbers = [np.array(those, dtype="<u4").tobytes() for those in (segment.pages, segment.lengths)]
            store.file.db.conn.execute(
                "UPDATE segments SET pages = ?, lengths = ?, spoken = ? WHERE id = ?",
                (*numbers, segment.spoken.tobytes(), segment.id),
            )
    store.file.db.conn.execute("PRAGMA user_version = 9")


def of_schema_7(path, *terms):
    """A file with one page and an index of these terms, as it was before rare terms shared rows."""
    with closing(Store(path)) as store:
        crawl, _ = store.journal.begin(["http://a/"], {})
        store.journal.meet(crawl, None, [Found("http://a/", "a", 0)], max_depth=9)
        store.pages.save(1, Page("http://a/"), {})
        one = np.array([1])
        store.postings.add("page", one, one.repeat(4)[:, None], ("en",), one - 1, [Row(t, 1, b"", b"") for t in terms])
        of_schema_9(store)
        for statement in ("DROP INDEX pages_alike", "ALTER TABLE pages DROP COLUMN alike", "DROP TABLE rare"):
            store.file.db.conn.execute(statement)
        for statement in ("DROP TRIGGER past_verdicts", "DROP TABLE past"):
            store.file.db.conn.execute(statement)
        store.file.db.conn.execute("PRAGMA user_version = 7")
    return path


def test_an_index_in_which_every_term_has_a_row_is_read_on(tmp_path):
    with closing(Store(of_schema_7(tmp_path / "old.db", "!bees", "bee"))) as store:
        [segment] = store.postings.segments("page")
        assert segment.mask().all()
        assert store.postings.docs((segment.id,), ["bee"]) == {"bee": [(segment.id, 1, b"", b"")]}
        assert store.postings.words(segment.id, "!b", 0, 9) == [("!bees", 1)]
        assert store.pages.ids_to_index() == []


def test_the_pages_of_an_index_without_words_as_they_are_written_wait_to_be_indexed_again(tmp_path):
    with closing(Store(of_schema_7(tmp_path / "old.db", "bee", "=bee"))) as store:
        assert store.postings.is_empty()
        assert store.pages.ids_to_index() == [1]


def test_the_numbers_of_pages_are_read_as_they_were_when_they_took_four_bytes(tmp_path):
    path, lengths = tmp_path / "old.db", np.array([[3, 9], [0, 0], [300, 1], [70_000, 2]])
    with closing(Store(path)) as store:
        store.postings.add("page", np.array([2, 700]), lengths, ("en", "sr"), np.array([1, 0]), [])
        store.postings.add("anchor", np.array([700, 2, 3]), np.array([[1, 2, 3]]), ("en",), np.zeros(3, np.uint8), [])
        store.postings.add("anchor", np.array([5]), np.array([[0]]), ("en",), np.zeros(1, np.uint8), [])
        of_schema_9(store)
    with closing(Store(path)) as store:
        [own], [links, bare] = store.postings.segments("page"), store.postings.segments("anchor")
        assert (own.pages.tolist(), np.array(own.lengths).tolist()) == ([2, 700], lengths.tolist())
        assert (own.spoken.tolist(), links.spoken.tolist()) == ([1, 0], [0, 0, 0])
        assert (links.pages.tolist(), links.lengths[0].tolist()) == ([700, 2, 3], [1, 2, 3])
        assert (bare.pages.tolist(), bare.lengths[0].tolist()) == ([5], [0])


def test_pages_wait_to_be_indexed_again_if_their_numbers_cannot_be_read(tmp_path):
    path = of_schema_7(tmp_path / "old.db", "!bees", "bee")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE segments SET pages = x'010203'")
        connection.commit()
    with closing(Store(path)) as store:
        assert store.postings.is_empty()
        assert store.pages.ids_to_index() == [1]


def test_past_verdicts_are_remembered_in_an_old_file_as_in_a_new_one(oldest):
    with closing(Store(oldest)) as old, closing(Store()) as new:
        told = "SELECT replace(replace(sql, ' -- which another file decides', ''), ' -- both come of one visit', '') "
        one, other = (
            " ".join(store.file.db.execute(told + "FROM sqlite_master WHERE type = 'trigger'").fetchone()[0].split())
            for store in (old, new)
        )
        assert one == other


def test_no_step_is_missing():
    assert sorted(MIGRATIONS) == list(range(1, SCHEMA))
