import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.scale.blocks import Block, Blocks, in_memory, opened
from minisearch.scale.cutting import cut
from tests.webs import graph_of, random_graph, some_webs


def matrix(web):
    """All blocks put together again."""
    whole = np.zeros((web.n, web.n))
    for (i, j), source in web.blocks.items():
        rows = np.eye(web.pages(i).stop - web.pages(i).start)
        for column, paid in enumerate(rows):
            part = np.zeros(web.pages(j).stop - web.pages(j).start)
            opened(source).add_paid(paid, part)
            whole[web.pages(j), web.pages(i).start + column] = part
    return whole


@settings(max_examples=40)
@given(some_webs, st.integers(1, 4))
def test_blocks_have_every_link_once_and_keep_the_degrees_of_the_whole_web(links, k):
    graph = graph_of(links)
    web = Blocks.cut(graph, min(k, graph.n))
    assert np.array_equal(matrix(web), graph.incoming.toarray())
    assert np.array_equal(np.concatenate(web.degrees), graph.out_degree)


def test_walking_backwards_gives_what_the_targets_hold():
    graph = random_graph(50, 200)
    ((block),) = Blocks.cut(graph, 1).blocks.values()
    held = np.arange(50.0)
    total = np.zeros(50)
    block.add_collected(held, total)
    assert total == pytest.approx(graph.counts @ held)


def test_blocks_without_links_are_left_out():
    graph = LinkGraph.from_edges(4, [0, 2], [1, 3])
    assert sorted(Blocks.cut(graph, 2).blocks) == [(0, 0), (1, 1)]


def test_where_few_pages_are_linked_to_the_others_have_no_rows():
    block = Block.of(LinkGraph.from_edges(100, [5, 7], [9, 9]).incoming)
    assert block.rows.tolist() == [9]
    assert block.indptr.tolist() == [0, 2]


@pytest.mark.parametrize("k", [0, 11])
def test_there_are_no_more_pieces_than_pages(k):
    with pytest.raises(BadInput, match=f"10 pages can be cut into 1 to 10 pieces, not {k}"):
        Blocks.cut(random_graph(10, 20), k)


def test_what_is_filed_can_be_handed_over(tmp_path):
    web = cut(tmp_path, 3, [(np.array([0, 1, 1]), np.array([1, 2, 2]), np.array([1, 2, 3]))], repeated=True)
    (block,) = map(in_memory, web.blocks.values())
    assert isinstance(block, Block)
    assert block.weights.tolist() == [1, 5]
    assert in_memory(web.degrees[0]).tolist() == [1, 5, 0]
