"""The engines behind the pages."""

import os
import sqlite3
import subprocess
import sys
import threading

import pytest

from minisearch.web.engines import Engines


@pytest.fixture
def small(tmp_path, garden):
    path = tmp_path / "small.db"
    with sqlite3.connect(garden.path) as source, sqlite3.connect(path) as target:
        source.backup(target)
    return path


def in_another_process(path, statement):
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
    subprocess.run([sys.executable, "-c", code, path, statement], check=True)


def test_a_result_is_cached_until_the_file_changes(small, tmp_path):
    engines, computed = Engines(str(small)), []
    for _ in range(2):
        engines.cached("x", lambda: computed.append(1))
    assert len(computed) == 1
    in_another_process(small, "UPDATE pages SET title = title || '.'")
    engines.cached("x", lambda: computed.append(1))
    assert len(computed) == 2
    other = tmp_path / "other.db"
    with sqlite3.connect(small) as source, sqlite3.connect(other) as target:
        source.backup(target)
    other.rename(small)
    engines.cached("x", lambda: computed.append(1))
    assert len(computed) == 3


def test_each_thread_has_an_engine_and_keeps_it(small):
    engines, found = Engines(str(small)), []
    thread = threading.Thread(target=lambda: found.extend((engines.get(), engines.get())))
    thread.start()
    thread.join()
    assert found[0] is found[1]
    assert engines.get() is engines.get() is not found[0]


@pytest.mark.parametrize("others_stay", [True, False], ids=["and stays", "and leaves"])
def test_changes_are_seen_in_a_folder_without_write_permission(small, monkeypatch, others_stay):
    with sqlite3.connect(small) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    engines = Engines(str(small))
    assert engines.get().lucky("pruning roses").title != "Changed"
    assert engines.get() is engines.get()
    other = sqlite3.connect(small)
    other.execute("UPDATE pages SET title = 'Changed'")
    other.commit()
    if not others_stay:
        other.close()
    assert engines.get().lucky("pruning roses").title == "Changed"
    engines.close()
    other.close()
