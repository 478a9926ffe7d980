"""`rank --cluster`, `rank --blocks` and `index --cluster`: the same file as without them."""

import shutil
import threading

import numpy as np
import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main
from minisearch.index import indexer
from tests.cluster.conftest import kill_a_busy_worker
from tests.search.conftest import page, put

VIEW = "SELECT term, df FROM vocabulary ORDER BY term"


def copied(garden, path):
    """A copy of the garden; a plain copy of its file would lack what is still in the log beside it."""
    garden.engine.store.db.conn.execute("VACUUM INTO ?", (str(path),))
    return path


def ranks(path, name):
    with Engine(path) as engine:
        vector = engine.store.rankings.get(name).vector
        return vector[~np.isnan(vector)]


def run(*arguments):
    result = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (["--method", "pagerank", "--repeated"], "pagerank"),
        (["--method", "trustrank", "--trust", "*roses*"], "trustrank"),
        (["--method", "topic", "--topic", "r=*roses*", "--topic", "s=*soil*"], "topic"),
        (["--method", "spam-mass", "--trust", "*roses*"], "spam_mass"),
        (["--method", "hits"], "hubs"),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)
def test_ranks_by_blocks_equal_those_in_memory(garden, tmp_path, method, name):
    one, two = (copied(garden, tmp_path / file) for file in ("one.db", "two.db"))
    first = run("rank", "--db", one, *method)
    second = run("rank", "--db", two, *method, "--blocks", tmp_path / "work")
    assert np.abs(ranks(one, name) - ranks(two, name)).max() < 1e-10
    assert first == second
    assert not (tmp_path / "work").exists()


def test_a_full_disk_is_reported_with_the_folder(garden, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError("133391 requested and 32768 written")  # all that numpy reports

    monkeypatch.setattr("minisearch.cluster.blocks._append", full)
    db = copied(garden, tmp_path / "one.db")
    result = CliRunner().invoke(main, ["rank", "--db", str(db), "--blocks", str(tmp_path / "work")])
    assert result.exit_code == 2
    problem = f'cannot work in "{tmp_path / "work"}": the disk is full'
    assert result.stderr == f"minisearch: {problem}; run the same command again to continue\n"
    monkeypatch.undo()
    run("rank", "--db", db, "--blocks", tmp_path / "work")


def test_files_of_others_stay_in_the_folder(garden, tmp_path):
    db = copied(garden, tmp_path / "one.db")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "diary.txt").write_text("mine")
    run("rank", "--db", db, "--blocks", tmp_path / "work")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["diary.txt"]


def test_commands_rank_and_index_on_a_cluster(garden, tmp_path, workers):
    db = copied(garden, tmp_path / "one.db")
    address = workers.client.scheduler.address
    run("rank", "--db", db, "--cluster", address, "--tolerance", "1e-6")
    assert np.abs(ranks(db, "pagerank") - ranks(garden.path, "pagerank")).max() < 1e-5
    with Engine(db) as engine:
        waiting = unindexed(engine)
    assert run("index", "--db", db, "--cluster", address) == f"indexed {waiting} pages\n"
    with Engine(db) as engine:
        for query in ("pruning roses", '"hedge maze"', "title:flowers OR soil", "ružа prun*"):
            one, other = (each.search(query, limit=50) for each in (engine, garden.engine))
            assert [(hit.url, hit.text_score, hit.snippet) for hit in one.hits] == [
                (hit.url, pytest.approx(hit.text_score, abs=1e-9), hit.snippet) for hit in other.hits
            ]


def unindexed(engine):
    """Make all pages wait to be indexed again; gives how many."""
    with engine.store.transaction():
        engine.store.db.conn.execute("UPDATE pages SET segment_id = NULL")
        engine.store.postings.drop([number for number, _, _ in engine.store.postings.sizes()])
    engine.store.unlock()
    return engine.store.pages.count_pending()


def test_a_worker_killed_while_indexing_does_not_change_the_index(workers, tmp_path, monkeypatch):
    monkeypatch.setattr(indexer, "TASK_LETTERS", 30_000)
    dice = np.random.default_rng(8)
    texts = [" ".join(f"w{word}" for word in dice.zipf(1.3, 600) % 5000) for _ in range(150)]
    with Engine(tmp_path / "one.db") as engine:
        put(engine, [page(f"p{number}", text) for number, text in enumerate(texts)])
    shutil.copy(tmp_path / "one.db", tmp_path / "two.db")
    killed = []
    killer = threading.Thread(target=lambda: killed.append(kill_a_busy_worker(workers.client)))
    killer.start()
    with Engine(tmp_path / "one.db") as engine:
        assert engine.index(workers.imap) == 150
        found = engine.sql(VIEW)
        hits = engine.search("w3 w77 w4000", limit=50, snippets=False).hits
    killer.join()
    with Engine(tmp_path / "two.db") as engine:
        engine.index()
        assert engine.sql(VIEW) == found
        assert [(hit.url, hit.score) for hit in engine.search("w3 w77 w4000", limit=50, snippets=False).hits] == [
            (hit.url, pytest.approx(hit.score, abs=1e-9)) for hit in hits
        ]
    assert killed


def test_query_and_cluster_cannot_be_combined(garden):
    result = CliRunner().invoke(
        main, ["rank", "--db", str(garden.path), "--method", "hits", "--query", "roses", "--cluster", "local"]
    )
    assert result.exit_code == 2
    assert "--query cannot be combined with --cluster, --blocks" in result.stderr
