"""A computation that is killed continues from its last checkpoint."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minisearch.cluster.checkpoint import Checkpoints, State
from minisearch.cluster.ranks import BlockRanking
from minisearch.rank.hits import hits
from minisearch.rank.pagerank import pagerank
from tests.webs import random_graph

GRAPH = random_graph(400, 2000)
LINKS = GRAPH.counts.tocoo()
KILLED = """
import os, signal, sys
from minisearch.cluster.checkpoint import Checkpoints
from tests.cluster.test_checkpoint import rank

save = Checkpoints.save
def save_until(self, state):
    saved = save(self, state)
    if state.done == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return saved
Checkpoints.save = save_until
rank(sys.argv[1])
"""


def rank(folder, method="pagerank", **options):
    ranking = BlockRanking(folder, k=3)
    graph = ranking.graph(GRAPH.n, [(*LINKS.coords, None)], origin="random")
    return getattr(ranking, method)(graph, **options)


@pytest.mark.parametrize("iteration", [1, 7])
def test_a_process_that_is_killed_continues(tmp_path, iteration):
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(iteration)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    killed = subprocess.run(command, env=env, cwd=Path(__file__).parents[2], check=False)
    assert killed.returncode == -signal.SIGKILL
    undisturbed = rank(tmp_path / "other")
    left = rank(tmp_path, max_rounds=iteration)  # as many as were done: nothing is computed
    scores = rank(tmp_path)
    assert left.rounds == iteration
    assert not left.converged
    assert np.array_equal(scores.values, undisturbed.values)
    assert scores.rounds == undisturbed.rounds
    assert np.abs(scores.values - pagerank(GRAPH).values).max() < 1e-10


def test_hubs_and_authorities_continue(tmp_path):
    rank(tmp_path, "hits", max_rounds=3)
    found, whole = rank(tmp_path, "hits"), hits(GRAPH)
    assert np.abs(found.hubs.values - whole.hubs.values).max() < 1e-10
    assert np.abs(found.authorities.values - whole.authorities.values).max() < 1e-10


def test_other_settings_start_from_the_beginning(tmp_path):
    rank(tmp_path, max_rounds=5)
    other = rank(tmp_path, damping=0.5)
    assert other.rounds == rank(tmp_path / "other", damping=0.5).rounds
    assert np.abs(other.values - pagerank(GRAPH, damping=0.5).values).max() < 1e-10


def test_only_complete_checkpoints_of_the_same_computation_count(tmp_path):
    path = tmp_path / "rank.npz"
    Checkpoints(path, "a graph").save(State(3, 0.5, {"rank": np.ones(2)}))
    (tmp_path / "rank.npz.tmp").write_bytes(b"half of the next one")
    state = Checkpoints(path, "a graph").resume()
    assert (state.done, state.residual) == (3, 0.5)
    assert state.vectors["rank"].tolist() == [1, 1]
    assert Checkpoints(path, "another").resume() is None


@pytest.mark.parametrize("kept", [0, 1, 0.5, -4])
def test_a_damaged_checkpoint_is_ignored(tmp_path, kept):
    path = tmp_path / "rank.npz"
    checkpoints = Checkpoints(path, "a graph")
    checkpoints.save(State(3, 0.5, {"rank": np.ones(2)}))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole)) if kept == 0.5 else kept])
    assert checkpoints.resume() is None


def test_a_file_that_is_no_checkpoint_is_ignored(tmp_path):
    path = tmp_path / "rank.npz"
    for write in (lambda file: np.savez(file, x=1), lambda file: np.save(file, np.ones(2))):
        with path.open("wb") as file:
            write(file)
        assert Checkpoints(path, "a graph").resume() is None
