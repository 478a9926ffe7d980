"""A real cluster of three worker processes on this machine, started once for all tests that need one."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from minisearch.cluster.blocks import cut
from minisearch.cluster.dask import connect
from minisearch.cluster.ranks import Executor

PATIENCE = 120  # seconds; a slow machine is no reason to fail


@pytest.fixture(scope="session")
def workers():
    """Three worker processes."""
    with connect("local:3") as cluster:
        yield cluster


@pytest.fixture
def threads():
    """Tasks run by threads of this process."""
    with ThreadPoolExecutor(2) as pool:
        yield Executor(pool.map)


def cut_graph(graph, folder, k=None):
    """A graph in blocks on disk."""
    links = graph.counts.tocoo()
    return cut(folder, graph.n, [(*links.coords, links.data)], k=k, repeated=True, loops=True)


def kill_a_busy_worker(client):
    """kill -9 for a worker that is running tasks; gives its process."""
    processes = client.run(os.getpid)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for address, tasks in client.processing().items():
            if tasks and address in processes:
                os.kill(processes[address], signal.SIGKILL)
                return processes[address]
    raise AssertionError("no worker was ever busy")
