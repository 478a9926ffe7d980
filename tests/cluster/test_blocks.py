import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.cluster.blocks import cut, load, multiply
from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.graph import LinkGraph
from tests.cluster.conftest import cut_graph
from tests.webs import random_graph

edges = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 3)), max_size=30)


def in_chunks(links, size=4):
    for start in range(0, len(links), size):
        part = np.array(links[start : start + size])
        yield part[:, 0], part[:, 1], part[:, 2]


def matrix(graph):
    """All blocks as one matrix."""
    whole = np.zeros((graph.n, graph.n))
    for (i, j), block in graph.blocks.items():
        whole[graph.pages(j), graph.pages(i)] = load(block).toarray()
    return whole


@settings(max_examples=40)
@given(edges, st.integers(1, 4), st.booleans(), st.booleans())
def test_blocks_hold_every_link_and_the_degrees_of_the_whole_graph(tmp_path_factory, links, k, repeated, loops):
    found = cut(tmp_path_factory.mktemp("cut"), 9, in_chunks(links), k=k, repeated=repeated, loops=loops)
    sources, targets, times = ([link[side] for link in links] for side in range(3))
    graph = LinkGraph.from_edges(9, sources, targets, weights=times if repeated else None, loops=loops)
    assert np.array_equal(matrix(found), graph.incoming.toarray())
    assert np.array_equal(np.concatenate([load(degree) for degree in found.degrees]), graph.out_degree)
    assert found.links == graph.edges


@pytest.mark.parametrize("transposed", [False, True])
def test_columns_and_rows_of_blocks_multiply_like_the_whole_matrix(tmp_path, transposed):
    graph = random_graph(50, 200, repeated=True)
    found = cut_graph(graph, tmp_path, k=3)
    vector = np.arange(50.0)
    lines = [found.line(number, found.parts(vector), transposed=transposed) for number in range(3)]
    products = [multiply(*line, transposed=transposed) for line in zip(lines, found.sizes(), strict=True)]
    whole = (graph.counts if transposed else graph.incoming) @ vector
    assert np.concatenate(products) == pytest.approx(whole)


def test_blocks_without_links_are_left_out(tmp_path):
    graph = LinkGraph.from_edges(4, [0, 2], [1, 3])
    assert sorted(cut_graph(graph, tmp_path, k=2).blocks) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("k", [0, 11])
def test_there_are_no_more_ranges_than_pages(tmp_path, k):
    with pytest.raises(BadInput, match=f"10 pages can be cut into 1 to 10 ranges, not {k}"):
        cut_graph(random_graph(10, 20), tmp_path, k=k)


def test_blocks_of_the_same_origin_are_used_again(tmp_path):
    first = cut(tmp_path, 9, in_chunks([(0, 1, 1)]), origin="edges.txt, 12 bytes")
    again = cut(tmp_path, 9, iter(()), origin="edges.txt, 12 bytes")
    other = cut(tmp_path, 9, iter(()), origin="edges.txt, 13 bytes")
    assert (first.links, again.links, other.links) == (1, 1, 0)
    assert again.name == first.name != other.name


def test_a_cut_that_was_stopped_starts_again(tmp_path):
    def broken():
        yield np.array([0]), np.array([1]), None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut(tmp_path, 9, broken(), origin="same")
    assert cut(tmp_path, 9, in_chunks([(1, 2, 1), (2, 3, 1)]), origin="same").links == 2


def test_a_damaged_file_is_refused_when_it_is_loaded(tmp_path):
    graph = cut(tmp_path, 9, in_chunks([(0, 1, 1), (1, 2, 1)]))
    for file in (graph.blocks[0, 0], graph.degrees[0]):
        whole = file.read_bytes()
        for damaged in (b"", whole[:-4], whole[: len(whole) // 2]):
            file.write_bytes(damaged)
            with pytest.raises(MiniSearchError, match=r"is damaged .*: remove its folder and run the command again"):
                load(file)


def test_a_block_without_one_of_its_arrays_is_refused(tmp_path):
    (block,) = cut(tmp_path, 9, in_chunks([(0, 1, 1)])).blocks.values()
    block.write_bytes(block.read_bytes().replace(b"indices.npy", b"indicez.npy"))
    with pytest.raises(MiniSearchError, match="is damaged"):
        load(block)


def test_a_changed_byte_in_a_block_is_noticed(tmp_path):
    (block,) = cut(tmp_path, 9, in_chunks([(0, 1, 1)])).blocks.values()
    whole = block.read_bytes()
    place = whole.index(np.array([0], np.int32).tobytes(), whole.index(b"indices.npy") + 100)
    block.write_bytes(whole[:place] + b"\x63" + whole[place + 1 :])
    with pytest.raises(MiniSearchError, match="is damaged"):
        load(block)
