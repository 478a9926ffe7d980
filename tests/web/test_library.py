"""The file behind the pages: watched without being disturbed."""

import os
import sqlite3
import subprocess
import sys

import pytest

from minisearch.engine import Engine
from minisearch.web.library import Library


@pytest.fixture
def small(tmp_path, garden):
    path = tmp_path / "small.db"
    with sqlite3.connect(garden.path) as source, sqlite3.connect(path) as target:
        source.backup(target)
    return path


def in_another_process(path, statement):
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
    subprocess.run([sys.executable, "-c", code, path, statement], check=True)


def test_looking_at_a_file_keeps_the_locks_on_it(small):
    library = Library(str(small))
    pages = "SELECT count(*) FROM pages"
    with Engine(small, read_only=True) as engine:
        (before,) = engine.sql(pages)[1]
        in_another_process(small, "UPDATE settings SET value = value")
        library.stamp()
        in_another_process(small, pages)
        assert small.with_name("small.db-wal").exists(), "one who left thought that nobody stayed, and took the log"
        assert engine.sql(pages)[1] == [before]


def test_every_commit_changes_the_stamp_and_a_file_put_in_its_place_too(small, tmp_path):
    library = Library(str(small))
    seen = {library.stamp()}
    with Engine(small, read_only=True):
        for _ in range(3):
            in_another_process(small, "UPDATE pages SET title = title || '.'")
            seen.add(library.stamp())
            assert library.stamp() in seen
    assert len(seen) == 4
    other = tmp_path / "other.db"
    with sqlite3.connect(small) as source, sqlite3.connect(other) as target:
        source.backup(target)
    other.rename(small)
    assert library.stamp() not in seen


def test_a_file_that_is_away_has_a_stamp_of_its_own(small):
    library = Library(str(small))
    there = library.stamp()
    small.unlink()
    assert library.stamp() != there


@pytest.mark.parametrize("others_stay", [True, False], ids=["and stays", "and leaves"])
def test_whoever_may_not_write_in_the_folder_sees_what_others_write_there(small, monkeypatch, others_stay):
    with sqlite3.connect(small) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    library = Library(str(small))
    assert library.engine().lucky("pruning roses").title != "Changed"
    assert library.engine() is library.engine()
    other = sqlite3.connect(small)
    other.execute("UPDATE pages SET title = 'Changed'")
    other.commit()
    if not others_stay:
        other.close()
    assert library.engine().lucky("pruning roses").title == "Changed"
    library.close()
    other.close()
