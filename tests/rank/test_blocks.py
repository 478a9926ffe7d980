from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.blocks import added_up, adjacency, block_step, groups, map_pairs, reduce_pairs, stripes, tables
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import fractions
from tests.webs import graph_of, some_webs


@given(some_webs, st.data())
def test_blocks_add_up_to_the_direct_product_exactly(links, data):
    graph = graph_of(links)
    k = data.draw(st.integers(1, graph.n))
    rank = [Fraction(page + 1, graph.n) for page in range(graph.n)]
    follow = fractions(graph, "H")
    direct = [sum(rank[i] * follow[i][j] for i in range(graph.n)) for j in range(graph.n)]
    assert added_up(block_step(tables(graph, k), rank), graph.n) == direct
    cut = stripes(graph, k)
    assert list(cut) == list(range(1, k + 1))
    parts = {(number, 0): reduce_pairs(map_pairs(stripe, rank)) for number, stripe in cut.items()}
    assert added_up(parts, graph.n) == direct
    paid = reduce_pairs(map_pairs(adjacency(graph), rank))
    assert [paid.get(page, 0) for page in range(graph.n)] == direct


@given(some_webs)
def test_every_link_is_in_one_block_with_the_degree_of_its_page(links):
    graph = graph_of(links)
    cut = tables(graph, min(2, graph.n))
    found = sorted((source, to) for block in cut.values() for source, (_, targets) in block.items() for to in targets)
    assert found == sorted((page, to) for page in links for to in links[page])
    degrees = {source: degree for block in cut.values() for source, (degree, _) in block.items()}
    assert degrees == {page: len(targets) for page, targets in links.items() if targets}


@pytest.mark.parametrize(("n", "k", "sizes"), [(7, 3, [3, 2, 2]), (4, 4, [1, 1, 1, 1]), (0, 1, [0])])
def test_pieces_are_of_nearly_equal_length(n, k, sizes):
    assert [len(piece) for piece in groups(n, k)] == sizes


@pytest.mark.parametrize("k", [0, 4, -1])
def test_there_are_no_more_pieces_than_pages(k):
    with pytest.raises(BadInput, match=f"3 pages can be cut into 1 to 3 pieces, not {k}"):
        groups(3, k)


def test_links_with_half_a_weight_cannot_be_listed():
    with pytest.raises(BadInput, match="whole numbers"):
        adjacency(LinkGraph.from_edges(2, [0], [1], weights=[0.5]))


def test_large_weights_are_not_listed_link_by_link():
    with pytest.raises(BadInput, match="4e\\+09 links"):
        adjacency(LinkGraph.from_edges(2, [0], [1], weights=[4e9]))
