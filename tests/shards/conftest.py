"""One file, and the shards that were made of it; and a real Dask cluster."""

import pytest

from minisearch import Engine
from minisearch.shards.split import split
from tests.shards.collection import fill, pages

SHARDS = 4


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """(one big file, the pattern of its shards)"""
    folder = tmp_path_factory.mktemp("shards")
    with Engine(folder / "big.db") as engine:
        fill(engine, pages())
    found = split(folder / "big.db", folder / "parts", SHARDS)
    assert sum(count for _, count in found) == 150
    return folder / "big.db", str(folder / "parts" / "*.db")


@pytest.fixture(scope="session")
def client():
    """The client of a cluster of two processes."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(processes=True, **options) as cluster, Client(cluster, set_as_default=False) as client:
        yield client
