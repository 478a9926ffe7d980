"""Killed at any round, and gone on with from there."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minisearch.rank.hits import hits
from minisearch.rank.pagerank import pagerank
from minisearch.scale.checkpoint import Checkpoints, State
from minisearch.scale.measures import Blockwise
from minisearch.scale.workshop import Threads
from tests.webs import random_graph

GRAPH = random_graph(400, 2000)
LINKS = GRAPH.counts.tocoo()
KILLED = """
import os, signal, sys
from minisearch.scale import checkpoint
from tests.scale.test_checkpoint import rank

save = checkpoint.Checkpoints.save
def until(self, state):
    kept = save(self, state)
    if state.done == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return kept
checkpoint.Checkpoints.save = until
rank(sys.argv[1])
"""


def rank(folder, method="pagerank", **how):
    with Threads(2) as threads:
        measures = Blockwise(folder, threads, k=3)
        web = measures.graph(GRAPH.n, [(*LINKS.coords, None)], origin="drawn")
        return getattr(measures, method)(web, **how)


@pytest.mark.parametrize("round_", [1, 7])
def test_a_process_that_is_killed_is_gone_on_with(tmp_path, round_):
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(round_)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    killed = subprocess.run(command, env=env, cwd=Path(__file__).parents[2], check=False)
    assert killed.returncode == -signal.SIGKILL
    undisturbed = rank(tmp_path / "other")
    left = rank(tmp_path, max_rounds=round_)  # which is as far as it had come: no round is taken
    scores = rank(tmp_path)
    assert left.rounds == round_
    assert not left.converged
    assert np.array_equal(scores.values, undisturbed.values)
    assert scores.rounds == undisturbed.rounds
    assert np.abs(scores.values - pagerank(GRAPH).values).max() < 1e-10


def test_hubs_and_authorities_are_gone_on_with(tmp_path):
    rank(tmp_path, "hits", max_rounds=3)
    found, whole = rank(tmp_path, "hits"), hits(GRAPH)
    assert np.abs(found.hubs.values - whole.hubs.values).max() < 1e-10
    assert np.abs(found.authorities.values - whole.authorities.values).max() < 1e-10


def test_ranks_by_other_settings_begin_anew(tmp_path):
    rank(tmp_path, max_rounds=5)
    other = rank(tmp_path, damping=0.5)
    assert other.rounds == rank(tmp_path / "other", damping=0.5).rounds
    assert np.abs(other.values - pagerank(GRAPH, damping=0.5).values).max() < 1e-10


def test_half_a_checkpoint_does_not_count(tmp_path):
    first = Checkpoints(tmp_path, "a web")
    first.save(State(3, 0.5, {"rank": [np.ones(2)]}))
    (tmp_path / "round-4").mkdir()
    (tmp_path / "round-4" / "rank-0.npy").write_bytes(b"half")
    assert Checkpoints(tmp_path, "a web").resumed().done == 3
    assert Checkpoints(tmp_path, "another").resumed() is None
