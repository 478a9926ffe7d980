import numpy as np
import pytest

from minisearch.rank.scores import Scores, places, settle


def test_every_iterate_is_kept_on_request_and_the_start_is_the_first():
    halving = settle(lambda x: x / 2, np.array([8.0]), tolerance=1, max_rounds=10, trace=True)
    assert [vector.tolist() for vector in halving.iterates] == [[8], [4], [2], [1]]
    assert settle(lambda x: x / 2, np.array([8.0]), tolerance=1, max_rounds=10).iterates == ()


@pytest.mark.parametrize(
    ("rounds", "residual", "converged", "words"),
    [
        (20, 1e-11, True, "converged after 20 iterations (residual 1.0e-11)"),
        (1, 1e-11, True, "converged after 1 iteration (residual 1.0e-11)"),
        (20, 0.25, False, "did not converge: residual 2.5e-01 after 20 iterations"),
        (0, np.inf, False, "this is the start vector: no iteration was run"),
    ],
)
def test_scores_say_whether_they_settled(rounds, residual, converged, words):
    assert Scores(np.ones(2), rounds, residual, converged).verdict == words


def test_equals_share_a_place():
    assert places([]) == []
    assert places([3, 1, 2, 3]) == [1, 4, 3, 1]
