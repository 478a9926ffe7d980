"""Shards read by the workers of a cluster: the same answers, the same scores."""

import itertools
import os
import signal

import pytest

from minisearch import Engine
from minisearch.errors import BadInput, ClusterError, NewerSchema
from minisearch.scale.keepers import keepers
from minisearch.wiring.sharding import shard
from tests.wiring.test_sharding import fill, pages, queries, told


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """(one big file, the pattern of its shards)"""
    folder = tmp_path_factory.mktemp("kept")
    with Engine(folder / "big.db") as engine:
        fill(engine, pages())
    shard(folder / "big.db", folder / "parts", 4)
    return folder / "big.db", str(folder / "parts" / "*.db")


def test_shards_that_workers_keep_answer_exactly_as_the_one_file(files, workers):
    big, pattern = files
    with Engine(big) as one, Engine(pattern, readers=keepers(workers)) as many:
        for query in itertools.islice(queries(), 40):
            expected, answer = (engine.search(query, limit=15) for engine in (one, many))
            assert [told(hit) for hit in answer.hits] == [told(hit) for hit in expected.hits], query
            for here, there in zip(answer.hits, expected.hits, strict=True):
                assert here.score == pytest.approx(there.score, abs=1e-9)


def test_what_a_worker_cannot_read_is_told(files, workers, tmp_path):
    import sqlite3

    (tmp_path / "a.db").write_bytes(files[0].read_bytes())
    with sqlite3.connect(tmp_path / "a.db") as conn:
        conn.execute("PRAGMA user_version = 999")
    with pytest.raises(NewerSchema, match="written by a newer minisearch"):
        Engine(str(tmp_path / "*.db"), readers=keepers(workers))


def test_pages_are_served_from_shards_that_workers_keep(files, workers):
    from minisearch.web.app import create_app

    big, pattern = files
    one = create_app(str(big)).test_client()
    many = create_app(pattern, readers=keepers(workers)).test_client()
    expected, answer = (client.get("/api/search?q=pruning+roses").json for client in (one, many))
    assert answer["hits"]
    assert [hit["url"] for hit in answer["hits"]] == [hit["url"] for hit in expected["hits"]]
    assert [hit["score"] for hit in answer["hits"]] == pytest.approx([hit["score"] for hit in expected["hits"]])


def test_only_one_process_serves_from_a_cluster(files, workers):
    from minisearch.web.server import serve

    with pytest.raises(BadInput, match="only one process can speak with a cluster: leave out --workers or --cluster"):
        serve(files[1], "127.0.0.1", 0, workers=2, readers=keepers(workers))


def test_a_worker_or_a_cluster_that_has_gone_is_told_and_files_are_opened_anew(files):
    from minisearch.cluster.dask import connect

    with connect("local:2") as two:
        many = Engine(files[1], readers=keepers(two))
        expected = told_of(many)
        os.kill(next(iter(two.client.run(os.getpid).values())), signal.SIGKILL)
        with pytest.raises(ClusterError, match="a worker that kept some of the files is gone"):
            told_of(many)
        assert told_of(many) == expected
    with pytest.raises(ClusterError):
        many.search("roses")


def test_a_worker_that_is_gone_while_it_is_still_listed_is_not_waited_for(files, workers, monkeypatch):
    gone = {"workers": {"tcp://127.0.0.1:9": {}}}
    monkeypatch.setattr(workers.client, "scheduler_info", lambda n_workers: gone)
    monkeypatch.setattr("minisearch.scale.keepers.PATIENCE", 30)
    with Engine(files[0]) as one, Engine(files[1], readers=keepers(workers)) as many:
        assert [url for url, _ in told_of(many)] == [url for url, _ in told_of(one)]


def told_of(engine):
    return [(hit.url, hit.score) for hit in engine.search("pruning roses").hits]
