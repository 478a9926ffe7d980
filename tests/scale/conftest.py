"""A real cluster of three worker processes on this machine, started once for all tests that need one."""

import logging
import os
import signal
import time

import pytest

from minisearch.scale.cluster import cluster
from minisearch.scale.workshop import Threads

PATIENCE = 120  # seconds; a slow machine is no reason to fail


@pytest.fixture(scope="session")
def workers():
    """Three processes that wait for work."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with cluster("local:3") as three:
        yield three


@pytest.fixture
def threads():
    with Threads() as pool:
        yield pool


def kill_a_busy_worker(client):
    """kill -9 for a worker that has tasks under way; gives its process."""
    processes = client.run(os.getpid)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for address, tasks in client.processing().items():
            if tasks and address in processes:
                os.kill(processes[address], signal.SIGKILL)
                return processes[address]
    raise AssertionError("no worker ever had anything to do")
