"""The kernel of a graph, and the pages that are peeled off it."""

import numpy as np
from hypothesis import given

from minisearch.rank.peel import WORTH_IT, peel
from tests.webs import graph_of, webs


def test_pages_are_peeled_off_by_levels():
    graph = graph_of({0: [1], 1: [2], 2: [3], 3: [2, 4], 4: [], 5: [4]})
    kernel = peel(graph.incoming, graph.dangling)
    assert [level.tolist() for level in kernel.levels] == [[0, 5], [1]]
    assert kernel.pages.tolist() == [2, 3]
    assert kernel.links.toarray().tolist() == [[0, 1], [1, 0]]


def test_where_nothing_is_to_be_saved_all_pages_stay():
    graph = graph_of({page: [(page + 1) % 30] for page in range(30)} | {30: [0]})
    kernel = peel(graph.incoming, graph.dangling)
    assert WORTH_IT * graph.n >= 1
    assert kernel.pages is None
    assert kernel.links is graph.incoming


@given(webs)
def test_every_page_is_in_the_kernel_or_stuck_or_on_one_level(links):
    graph = graph_of(links)
    kernel = peel(graph.incoming, graph.dangling)
    if kernel.pages is None:
        return
    stuck = np.flatnonzero(graph.dangling)
    everybody = np.concatenate([kernel.pages, stuck, *kernel.levels])
    assert sorted(everybody.tolist()) == list(range(graph.n))
    assert (kernel.links != graph.incoming[kernel.pages][:, kernel.pages]).nnz == 0
    for place, level in enumerate(kernel.levels):
        known = {page for earlier in kernel.levels[:place] for page in earlier.tolist()}
        assert {source for page in level.tolist() for source in graph.sources(page).tolist()} <= known
