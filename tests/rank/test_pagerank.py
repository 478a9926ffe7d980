from itertools import chain

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.textbook import pagerank as textbook

ALL_LINKS = {"repeated": True, "loops": True}  # as the textbook and networkx count them


def pages_of(links):
    return list(dict.fromkeys(chain(links, *links.values())))


def graph_of(links):
    place = {page: number for number, page in enumerate(pages_of(links))}
    edges = [(place[page], place[target]) for page in links for target in links[page]]
    return LinkGraph.from_edges(len(place), [s for s, _ in edges], [t for _, t in edges], **ALL_LINKS)


def fast(links, *, teleport=None, **options):
    """The fast pagerank behind the textbook's front: a dict in, a dict out."""
    jump = None if teleport is None else [teleport.get(page, 0) for page in pages_of(links)]
    scores = pagerank(graph_of(links), teleport=jump, **options)
    assert scores.converged or options.get("rounds") is not None
    return dict(zip(pages_of(links), scores.values.tolist(), strict=True))


def from_networkx(links, *, damping, teleport=None, tolerance):
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(pages_of(links))
    graph.add_edges_from((page, target) for page in links for target in links[page])
    evenly = dict.fromkeys(links, 1)  # else networkx sends dangling pages where it teleports
    return nx.pagerank(graph, damping, teleport, tol=tolerance, max_iter=10_000, dangling=evenly)


both = pytest.mark.parametrize("pagerank", [textbook.pagerank, fast], ids=["textbook", "fast"])

webs = st.integers(0, 8).flatmap(
    lambda n: st.fixed_dictionaries(
        {page: st.lists(st.integers(0, n - 1), max_size=5) for page in range(n)},
    )
)
dampings = st.floats(0, 0.95)
NOBODY = {}
ALONE = {0: []}
NARCISSUS = {0: [0]}
STRANGERS = {0: [], 1: [], 2: []}
TWO_ISLANDS = {0: [1], 1: [0], 2: [3, 3, 4], 3: [2], 4: []}
RING = {"a": ["b"], "b": ["c"], "c": ["d"], "d": ["a"]}


def odd_webs(test):
    """The webs on which programs trip, always tried."""
    for web in (NOBODY, ALONE, NARCISSUS, STRANGERS, TWO_ISLANDS):
        test = example(web, 0.85)(test)
    return test


# -- what others have published --


def test_published_ranks_come_out(case):
    how = {"damping": case.damping, "teleport": case.teleport, "dangling": case.dangling}
    ranks = fast(case.links, **how, rounds=case.rounds, tolerance=1e-14)
    ranks = {page: ranks[page] for page in case.expected}
    assert ranks == pytest.approx(case.expected, rel=0, abs=case.within)


def test_the_textbook_gives_the_published_ranks_too(plain_case):
    when = {"tolerance": 1e-14} if plain_case.rounds is None else {"tolerance": 0, "max_rounds": plain_case.rounds}
    ranks = textbook.pagerank(plain_case.links, damping=plain_case.damping, teleport=plain_case.teleport, **when)
    assert ranks == pytest.approx(plain_case.expected, rel=0, abs=plain_case.within)


def test_it_stops_in_the_published_round(stopping):
    how = {name: stopping[name] for name in ("dangling", "tolerance")}
    scores = pagerank(graph_of(stopping["links"]), damping=stopping["beta"], **how)
    assert scores.converged
    assert scores.rounds == stopping["iterations"]


# -- what must hold on any web --


@odd_webs
@given(webs, dampings)
def test_textbook_fast_and_networkx_agree(links, damping):
    ranks = fast(links, damping=damping, tolerance=1e-13)
    assert ranks == pytest.approx(textbook.pagerank(links, damping=damping), rel=0, abs=1e-10)
    assert ranks == pytest.approx(from_networkx(links, damping=damping, tolerance=1e-13), rel=0, abs=1e-10)


@given(webs.filter(len), dampings, st.data())
def test_they_agree_on_any_teleport_too(links, damping, data):
    weights = st.floats(0, 10) | st.just(0)
    teleport = data.draw(st.fixed_dictionaries(dict.fromkeys(links, weights)).filter(lambda w: sum(w.values()) > 0.1))
    ranks = fast(links, damping=damping, teleport=teleport, tolerance=1e-13)
    slow = textbook.pagerank(links, damping=damping, teleport=teleport)
    theirs = from_networkx(links, damping=damping, teleport=teleport, tolerance=1e-13)
    assert ranks == pytest.approx(slow, rel=0, abs=1e-10)
    assert ranks == pytest.approx(theirs, rel=0, abs=1e-10)


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak"])
@given(webs, st.floats(0, 1))
def test_scores_are_never_negative_and_sum_to_one_unless_they_leak(dangling, links, damping):
    values = pagerank(graph_of(links), damping=damping, dangling=dangling, max_rounds=50).values
    assert (values >= 0).all()
    if dangling == "leak":
        assert values.sum() <= 1 + 1e-12
    elif links:
        assert values.sum() == pytest.approx(1, abs=1e-12)


@both
@odd_webs
@given(webs, dampings)
def test_renaming_pages_renames_scores(pagerank, links, damping):
    renamed = {f"page {page}": [f"page {target}" for target in links[page]] for page in reversed(links)}
    expected = {f"page {page}": rank for page, rank in pagerank(links, damping=damping).items()}
    assert pagerank(renamed, damping=damping) == pytest.approx(expected, rel=0, abs=1e-8)


@both
@given(st.integers(1, 30), dampings)
def test_in_a_ring_all_pages_are_equal(pagerank, n, damping):
    ring = {page: [(page + 1) % n] for page in range(n)}
    assert pagerank(ring, damping=damping) == pytest.approx(dict.fromkeys(ring, 1 / n))


@both
@pytest.mark.parametrize("links", [ALONE, NARCISSUS, STRANGERS])
def test_pages_that_link_to_nobody_else_are_equal(pagerank, links):
    assert pagerank(links) == pytest.approx(dict.fromkeys(links, 1 / len(links)))


@both
def test_without_pages_there_are_no_ranks(pagerank):
    assert pagerank({}) == {}


@both
def test_a_page_that_all_others_link_to_is_first(pagerank):
    ranks = pagerank({"hub": ["a", "b", "c"], "a": ["hub"], "b": ["hub"], "c": ["hub"]})
    assert textbook.rank_list(ranks) == ["hub", "a", "b", "c"]


@both
def test_a_repeated_link_is_followed_more_often(pagerank):
    ranks = pagerank({"page": ["twice", "once", "twice"], "once": ["page"], "twice": ["page"]})
    assert ranks["twice"] > ranks["once"]


@both
def test_a_reader_who_never_follows_links_sees_the_teleport_weights(pagerank):
    assert pagerank(RING, damping=0, teleport={"a": 3, "c": 1}) == {"a": 0.75, "b": 0, "c": 0.25, "d": 0}


# -- what becomes of those who get stuck --


@pytest.mark.parametrize(
    ("dangling", "values"),
    [("uniform", [0.25, 0.75]), ("teleport", [0, 1]), ("leak", [0, 0.5])],
)
def test_where_the_reader_goes_from_a_page_without_links(dangling, values):
    strangers = LinkGraph.from_edges(2, [], [])
    scores = pagerank(strangers, damping=0.5, teleport=[0, 1], dangling=dangling, start=[0, 1], rounds=1)
    assert scores.values.tolist() == values


# -- when it ends, and what it says of that --


def test_a_run_that_settles_says_so():
    scores = pagerank(graph_of(TWO_ISLANDS), tolerance=1e-6)
    assert scores.converged
    assert 0 < scores.residual <= 1e-6
    assert pagerank(graph_of(TWO_ISLANDS), rounds=scores.rounds - 1).residual > 1e-6


def test_a_run_that_is_cut_short_says_so_too():
    scores = pagerank(graph_of(TWO_ISLANDS), max_rounds=3)
    assert (scores.rounds, scores.converged) == (3, False)
    assert scores.residual > 1e-10


def test_a_reader_going_to_and_fro_for_ever_never_settles():
    to_and_fro = graph_of({0: [1], 1: [0]})
    scores = pagerank(to_and_fro, damping=1, start=[1, 0], max_rounds=99)
    assert (scores.values.tolist(), scores.residual, scores.converged) == ([0, 1], 2, False)


@pytest.mark.parametrize("rounds", [0, 1, 7, 500])
def test_exactly_the_rounds_asked_for_are_taken(rounds):
    assert pagerank(graph_of(TWO_ISLANDS), rounds=rounds).rounds == rounds


def test_before_the_first_round_there_is_the_start_and_nothing_is_known_about_it():
    scores = pagerank(graph_of(RING), start=[2, 0, 0, 2], rounds=0)
    assert (scores.values.tolist(), scores.residual, scores.converged) == ([0.5, 0, 0, 0.5], np.inf, False)


def test_the_end_does_not_depend_on_the_start_but_a_good_start_gets_there_sooner():
    graph = graph_of(TWO_ISLANDS)
    cold = pagerank(graph)
    assert pagerank(graph, start=[0, 0, 0, 0, 9]).values == pytest.approx(cold.values, abs=1e-8)
    assert pagerank(graph, start=cold.values).rounds < cold.rounds


# -- what makes no sense --


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"damping": -0.1}, "damping must be between 0 and 1"),
        ({"damping": 1.5}, "between 0 and 1, not 1.5"),
        ({"damping": float("nan")}, "damping must be between 0 and 1"),
        ({"teleport": [0, 0, 0, 0]}, "teleport is zero everywhere"),
        ({"teleport": [1, -2, 1, 1]}, "teleport gives page 1 the weight -2.0"),
        ({"teleport": [1, 1, float("nan"), 1]}, "teleport gives page 2 the weight nan"),
        ({"teleport": [1, 1, 1, float("inf")]}, "teleport gives page 3 the weight inf"),
        ({"teleport": [1, 1]}, "one number for each of the 4 pages"),
        ({"teleport": [[1, 1, 1, 1]]}, "one number for each of the 4 pages"),
        ({"teleport": 1}, "one number for each of the 4 pages"),
        ({"teleport": ["much", "little", "none", "all"]}, "teleport must be a list of numbers"),
        ({"teleport": {"a": 1}}, "teleport must be a list of numbers"),
        ({"start": [0, 0, 0, 0]}, "start is zero everywhere"),
        (
            {"dangling": "vanish"},
            'unknown dangling policy "vanish": choose from uniform, teleport, leak',
        ),
        ({"decimals": -1}, "decimals must be 0 or more"),
        ({"tolerance": -1}, "tolerance must be 0 or more"),
        ({"tolerance": float("nan")}, "tolerance must be 0 or more"),
        ({"rounds": -1}, "iterations must be 0 or more"),
        ({"max_rounds": -1}, "iterations must be 0 or more"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_one_line(options, complaint):
    with pytest.raises(BadInput, match=complaint) as refusal:
        pagerank(graph_of(RING), **options)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("weight", [1e308, 5e-324])
def test_only_the_proportions_of_teleport_weights_matter(weight):
    scores = pagerank(graph_of(RING), damping=0, teleport=[weight] * 4)
    assert scores.values.tolist() == [0.25] * 4


def test_an_empty_graph_still_minds_the_length_of_its_teleport():
    empty = LinkGraph.from_edges(0, [], [])
    assert pagerank(empty, teleport=[]).converged
    with pytest.raises(BadInput, match="each of the 0 pages"):
        pagerank(empty, teleport=[1])
