"""Shards that the workers of a Dask cluster read."""

import os
import shutil
import signal
import sqlite3

import pytest

from minisearch import Engine
from minisearch.errors import BadInput, ClusterError, NewerSchema
from minisearch.shards.executors import on_cluster


def test_what_a_worker_cannot_read_is_reported(files, client, tmp_path):
    shutil.copy(files[0], tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as conn:
        conn.execute("PRAGMA user_version = 999")
    with pytest.raises(NewerSchema, match="written by a newer minisearch"):
        Engine(str(tmp_path / "*.db"), readers=on_cluster(client))


def test_pages_are_served_from_shards_that_workers_read(files, client):
    from minisearch.web.app import create_app

    big, pattern = files
    one = create_app(str(big)).test_client()
    many = create_app(pattern, readers=on_cluster(client)).test_client()
    expected, answer = (each.get("/api/search?q=pruning+roses").json for each in (one, many))
    assert answer["hits"]
    assert [hit["url"] for hit in answer["hits"]] == [hit["url"] for hit in expected["hits"]]
    assert [hit["score"] for hit in answer["hits"]] == pytest.approx([hit["score"] for hit in expected["hits"]])


def test_only_one_process_serves_from_a_cluster(files, client):
    from minisearch.web.server import serve

    with pytest.raises(BadInput, match="--cluster cannot be combined with --workers"):
        serve(files[1], "127.0.0.1", 0, workers=2, readers=on_cluster(client))


def test_a_killed_worker_changes_nothing_and_a_lost_cluster_is_reported(files):
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(processes=True, **options) as cluster, Client(cluster, set_as_default=False) as own:
        many = Engine(files[1], readers=on_cluster(own))
        expected = found_by(many)
        os.kill(next(iter(own.run(os.getpid).values())), signal.SIGKILL)
        assert found_by(many) == expected
    with pytest.raises(ClusterError, match="the connection to the cluster is lost"):
        many.search("roses")
    many.close()


def test_files_are_closed_on_the_workers(files, client):
    from minisearch.shards import executors

    with Engine(files[1], readers=on_cluster(client)) as many:
        many.search("roses")
        assert sum(client.run(lambda: len(executors._files)).values()) >= 4
        before = sum(client.run(lambda: len(executors._files)).values())
    assert sum(client.run(lambda: len(executors._files)).values()) <= before - 4


def found_by(engine):
    return [(hit.url, hit.score) for hit in engine.search("pruning roses").hits]
