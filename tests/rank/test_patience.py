import pytest

from minisearch.errors import BadInput
from minisearch.lab.exact import exact_hits, exact_rounds
from minisearch.rank.patience import at_most, look
from minisearch.rank.solve import exact
from tests.webs import TWO_ISLANDS, graph_of

LONG_WORK = {
    "elimination": lambda graph: exact(graph),
    "rounds": lambda graph: exact_rounds(graph, 3, damping="0.85"),
    "hubs": lambda graph: exact_hits(graph, 3),
}


@pytest.mark.parametrize("work", LONG_WORK)
def test_exact_work_ends_when_the_time_is_over(work):
    with at_most(-1), pytest.raises(BadInput, match="longer than the limit of -1 seconds"):
        LONG_WORK[work](graph_of(TWO_ISLANDS))


def test_nobody_is_hurried_who_set_no_end():
    with at_most(-1):
        pass
    look()
