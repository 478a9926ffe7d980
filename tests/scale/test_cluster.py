"""A cluster that is not there, not fit, or loses a worker."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from minisearch.errors import BadInput, ClusterError
from minisearch.rank.pagerank import pagerank
from minisearch.scale import walk
from minisearch.scale.blocks import Blocks
from minisearch.scale.cluster import cluster
from minisearch.scale.measures import Blockwise
from tests.scale.conftest import PATIENCE, kill_a_busy_worker
from tests.webs import random_graph

WORKER = "import sys; sys.path += {path!r}; {more}\nfrom distributed.cli.dask_worker import main; main()"


@pytest.mark.parametrize("with_checkpoints", [True, False])
def test_a_worker_killed_during_a_round_does_not_change_the_result(workers, tmp_path, with_checkpoints):
    graph = random_graph(60_000, 400_000)
    links = graph.counts.tocoo()
    killed = []
    killer = threading.Thread(target=lambda: killed.append(kill_a_busy_worker(workers.client)))
    if with_checkpoints:
        measures = Blockwise(tmp_path, workers, k=3)
        web = measures.graph(graph.n, [(*links.coords, None)])
        killer.start()
        scores = measures.pagerank(web, rounds=9)
    else:
        killer.start()
        scores = walk.pagerank(Blocks.cut(graph, 3), workers, rounds=9)
    killer.join()
    assert killed
    assert np.abs(scores.values - pagerank(graph, rounds=9).values).max() < 1e-10


def test_what_workers_cannot_see_is_handed_to_them(workers, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_is_seen", lambda _: False)
    graph = random_graph(200, 900)
    links = graph.counts.tocoo()
    measures = Blockwise(tmp_path, workers, k=2)
    scores = measures.pagerank(measures.graph(graph.n, [(*links.coords, None)]), rounds=9)
    assert np.abs(scores.values - pagerank(graph, rounds=9).values).max() < 1e-10


def test_results_come_in_the_order_of_what_was_given(workers):
    assert list(workers.each(str, range(40))) == list(map(str, range(40)))


@pytest.mark.parametrize("address", ["here", "local:0", "local:many", "http://example.com", "tcp://"])
def test_what_is_no_address_is_said(address):
    with pytest.raises(BadInput, match="is no cluster: write tcp://HOST:PORT"), cluster(address):
        pass


def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr("minisearch.scale.cluster.ANSWERS_IN", 1)
    said = r"no Dask scheduler answers at tcp://127\.0\.0\.1:9: start one"
    with pytest.raises(ClusterError, match=said), cluster("tcp://127.0.0.1:9"):
        pass


def fill_the_disk(_):
    Path("/dev/full").write_bytes(b"x" * 100_000)


def need_what_is_not_there(_):
    import nowhere_to_be_found  # noqa: F401


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (fill_the_disk, "the disk of a worker is full: .*No space left on device; the same command goes on"),
        (need_what_is_not_there, "a worker lacks something: No module named 'nowhere_to_be_found'"),
    ],
)
def test_trouble_on_a_worker_is_told_in_one_line(workers, task, said):
    with pytest.raises(ClusterError, match=said):
        list(workers.each(task, [1]))


@pytest.fixture
def scheduler():
    """The address of a scheduler that has no workers yet."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        yield empty.scheduler_address


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", r"the worker tcp://\S+ has no minisearch: pip install"),
        (
            "import types; sys.modules['minisearch'] = types.ModuleType('minisearch'); "
            "sys.modules['minisearch'].__version__ = '0.0.1'",
            r"the worker tcp://\S+ has minisearch 0.0.1, this is \S+: install the same",
        ),
    ],
    ids=["none", "another"],
)
def test_a_worker_with_no_minisearch_or_another_is_refused(scheduler, more, said, monkeypatch):
    monkeypatch.setattr("minisearch.scale.cluster.ANSWERS_IN", PATIENCE)
    here = Path(__file__).parents[2]
    path = [place for place in sys.path if place and not (Path(place) / "minisearch").is_dir()]
    command = [
        sys.executable,
        "-S",
        "-c",
        WORKER.format(path=path, more=more),
        scheduler,
        "--no-nanny",
        "--no-dashboard",
    ]
    worker = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=here.parent, env={})
    try:
        with pytest.raises(ClusterError, match=said), cluster(scheduler):
            pass
    finally:
        worker.kill()
        worker.wait()


def test_a_scheduler_without_workers(scheduler, monkeypatch):
    monkeypatch.setattr("minisearch.scale.cluster.ANSWERS_IN", 1)
    with (
        pytest.raises(ClusterError, match=r"the scheduler at tcp://\S+ has no workers: start some"),
        cluster(scheduler),
    ):
        pass
