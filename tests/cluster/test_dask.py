"""A cluster that does not answer, does not fit, loses a worker, or dies."""

import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from minisearch.cluster.dask import connect
from minisearch.cluster.ranks import BlockRanking, pagerank
from minisearch.errors import BadInput, ClusterError
from minisearch.rank.pagerank import pagerank as pagerank_in_memory
from tests.cluster.conftest import PATIENCE, cut_graph, kill_a_busy_worker
from tests.webs import random_graph

WORKER = "import sys; sys.path[:] = {path!r}; from distributed.cli.dask_worker import main; main()"

CLUSTER = """
from distributed import LocalCluster
with LocalCluster(n_workers=1, processes=False, protocol="tcp://", dashboard_address=":0") as cluster:
    print(cluster.scheduler_address, flush=True)
    input()
"""


def rank_with_checkpoints(graph, ranking, **options):
    links = graph.counts.tocoo()
    return ranking.pagerank(ranking.graph(graph.n, [(*links.coords, None)]), **options)


@pytest.mark.parametrize("with_checkpoints", [True, False])
def test_a_worker_killed_during_an_iteration_does_not_change_the_result(workers, tmp_path, with_checkpoints):
    graph = random_graph(60_000, 400_000)
    killed = []
    killer = threading.Thread(target=lambda: killed.append(kill_a_busy_worker(workers.client)))
    killer.start()
    if with_checkpoints:
        scores = rank_with_checkpoints(graph, BlockRanking(tmp_path, workers.executor(), k=3), rounds=9)
    else:
        scores = pagerank(cut_graph(graph, tmp_path, k=3), workers.executor(), rounds=9)
    killer.join()
    assert killed
    assert np.abs(scores.values - pagerank_in_memory(graph, rounds=9).values).max() < 1e-10


def test_files_that_workers_cannot_see_are_sent_to_them(workers, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_can_see", lambda _: False)
    graph = random_graph(200, 900)
    scores = rank_with_checkpoints(graph, BlockRanking(tmp_path, workers.executor(), k=2), rounds=9)
    assert np.abs(scores.values - pagerank_in_memory(graph, rounds=9).values).max() < 1e-10


@pytest.fixture
def processes():
    """Start processes that are killed at the end."""
    started = []

    def start(*command, **options):
        started.append(subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL, **options))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_after_the_cluster_died_the_computation_continues_from_its_checkpoint(processes, tmp_path, monkeypatch):
    monkeypatch.setattr("minisearch.cluster.dask.TIMEOUT", PATIENCE)
    process = processes("-c", CLUSTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    graph, work = random_graph(1000, 5000), tmp_path / "work"

    def kill():
        deadline = time.monotonic() + PATIENCE
        while not list(work.glob("pagerank-*.npz")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(ClusterError, match="connection to the cluster is lost: start it and run the same command"):  # noqa: SIM117
        with connect(address) as cluster:
            rank_with_checkpoints(graph, BlockRanking(work, cluster.executor(), k=2), rounds=200)
    killer.join()
    (state,) = work.glob("pagerank-*.npz")
    with np.load(state) as saved:
        done = int(saved["done"])
    assert 8 <= done < 200
    scores = rank_with_checkpoints(graph, BlockRanking(work, k=2), rounds=200)
    assert np.abs(scores.values - pagerank_in_memory(graph, rounds=200).values).max() < 1e-10


def test_results_are_in_the_order_of_the_inputs(workers):
    assert list(workers.imap(str, range(40))) == list(map(str, range(40)))


def test_only_a_few_inputs_are_sent_ahead(workers):
    taken = []
    results = workers.imap(str, (taken.append(number) or number for number in range(1000)))
    assert next(results) == "0"
    assert len(taken) < 20


@pytest.mark.parametrize("address", ["here", "local:0", "local:many", "http://example.com", "tcp://"])
def test_a_wrong_address_is_refused(address):
    with pytest.raises(BadInput, match="is not the address of a cluster: use tcp://HOST:PORT"), connect(address):
        pass


def test_a_scheduler_that_does_not_answer(monkeypatch):
    monkeypatch.setattr("minisearch.cluster.dask.TIMEOUT", 1)
    message = r"no Dask scheduler answers at tcp://127\.0\.0\.1:9: start one"
    with pytest.raises(ClusterError, match=message), connect("tcp://127.0.0.1:9"):
        pass


def fill_the_disk(_):
    Path("/dev/full").write_bytes(b"x" * 100_000)


def import_a_missing_module(_):
    import nowhere_to_be_found  # noqa: F401


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (fill_the_disk, "a worker failed: .*No space left on device; run the same command again"),
        (import_a_missing_module, "a worker failed: No module named 'nowhere_to_be_found'"),
    ],
)
def test_errors_of_a_worker_are_reported_in_one_line(workers, task, message):
    with pytest.raises(ClusterError, match=message):
        list(workers.imap(task, [1]))


@pytest.fixture
def scheduler():
    """The address of a scheduler that has no workers yet."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        yield empty.scheduler_address


@pytest.mark.parametrize(("version", "message"), [(None, "no minisearch"), ("0.0.1", "minisearch 0.0.1")])
def test_a_worker_without_the_same_minisearch_is_refused(scheduler, processes, tmp_path, monkeypatch, version, message):
    monkeypatch.setattr("minisearch.cluster.dask.TIMEOUT", PATIENCE)
    packages = tmp_path / "packages"
    packages.mkdir()
    for place in Path(sysconfig.get_path("purelib")).iterdir():
        if "minisearch" not in place.name:
            (packages / place.name).symlink_to(place)
    if version:
        (packages / f"minisearch-{version}.dist-info").mkdir()
        metadata = f"Metadata-Version: 2.1\nName: minisearch\nVersion: {version}\n"
        (packages / f"minisearch-{version}.dist-info" / "METADATA").write_text(metadata)
    paths = [sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED"), str(packages)]
    program = WORKER.format(path=paths)
    processes("-S", "-c", program, scheduler, "--no-nanny", "--no-dashboard", cwd=tmp_path, env={})
    expected = rf"the worker tcp://\S+ has {message}, this is minisearch \S+: install the same"
    with pytest.raises(ClusterError, match=expected), connect(scheduler):
        pass


def test_a_scheduler_without_workers(scheduler, monkeypatch):
    monkeypatch.setattr("minisearch.cluster.dask.TIMEOUT", 1)
    message = r"the scheduler at tcp://\S+ has no workers: start some"
    with pytest.raises(ClusterError, match=message), connect(scheduler):
        pass
