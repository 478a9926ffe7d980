"""Shards read by the workers of a cluster: the same answers, the same scores."""

import itertools

import pytest

from minisearch import Engine
from minisearch.errors import ClusterError, NewerSchema
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


def test_a_cluster_that_has_gone_is_told(files):
    from minisearch.scale.cluster import cluster

    with cluster("local:1") as one:
        many = Engine(files[1], readers=keepers(one))
    with pytest.raises(ClusterError):
        many.search("roses")
