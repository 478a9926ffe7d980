import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.scale.cutting import cut
from tests.scale.test_blocks import matrix

edges = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 3)), max_size=30)


def in_chunks(links, size=4):
    for at in range(0, len(links), size):
        part = np.array(links[at : at + size])
        yield part[:, 0], part[:, 1], part[:, 2]


@settings(max_examples=25)
@given(edges, st.integers(1, 4), st.booleans(), st.booleans())
def test_what_is_cut_without_being_held_is_the_same_web(tmp_path_factory, links, k, repeated, loops):
    web = cut(tmp_path_factory.mktemp("cut"), 9, in_chunks(links), k=k, repeated=repeated, loops=loops)
    sources, targets, times = ([link[side] for link in links] for side in range(3))
    graph = LinkGraph.from_edges(9, sources, targets, weights=times if repeated else None, loops=loops)
    assert np.array_equal(matrix(web), graph.incoming.toarray())
    degrees = np.concatenate([np.load(f"{degree.path}.npy") for degree in web.degrees])
    assert np.array_equal(degrees, graph.out_degree)
    assert web.links == graph.edges


def test_blocks_of_the_same_origin_are_not_made_again(tmp_path):
    first = cut(tmp_path, 9, in_chunks([(0, 1, 1)]), origin="edges.txt, 12 bytes")
    again = cut(tmp_path, 9, iter(()), origin="edges.txt, 12 bytes")
    other = cut(tmp_path, 9, iter(()), origin="edges.txt, 13 bytes")
    assert (first.links, again.links, other.links) == (1, 1, 0)
    assert again.name == first.name != other.name


def test_a_cut_that_was_stopped_is_begun_again(tmp_path):
    def broken():
        yield np.array([0]), np.array([1]), None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut(tmp_path, 9, broken(), origin="same")
    assert cut(tmp_path, 9, in_chunks([(1, 2, 1), (2, 3, 1)]), origin="same").links == 2


@pytest.mark.parametrize(
    ("source", "target", "said"), [(9, 0, "page 9 for its source"), (0, -1, "page -1 for its target")]
)
def test_a_link_to_nowhere_is_refused(tmp_path, source, target, said):
    with pytest.raises(BadInput, match=f"{said}, but there are 9 pages"):
        cut(tmp_path, 9, [(np.array([source]), np.array([target]), None)])
