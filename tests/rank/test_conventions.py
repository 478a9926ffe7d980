from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from minisearch.errors import BadInput
from minisearch.rank.conventions import CHOICES, CONVENTIONS, Convention, convention, differences, rank_by
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.textbook.pagerank import compute_ranks
from tests.rank.test_oracles import ORACLES, vector
from tests.rank.test_oracles import graph_of as published
from tests.webs import TWO_ISLANDS, graph_of, pages_of, some_webs

PRINTED = [
    ("thesis", "000-five-program50"),
    ("thesis", "000-ten-before-program"),
    ("ilic", "004-compute-ranks"),
    ("ilic", "004-johnpapa"),
    ("cs101", "004-compute-ranks"),
    ("stoimenova", "002-stationary"),
    ("horvat-mundar", "003-iterations"),
]


@pytest.mark.parametrize(("name", "oracle"), PRINTED)
def test_a_convention_gives_what_its_source_published(name, oracle):
    known = ORACLES[oracle]
    expected = known["expected"].get("9", known["expected"])
    values = vector(known, rank_by(published(known["graph"]), name).values)
    assert values == pytest.approx(expected, rel=0, abs=1e-12)


@given(some_webs)
def test_networkx_is_networkx(links):
    graph = nx.DiGraph([(page, to) for page in links for to in links[page]])
    graph.add_nodes_from(links)
    theirs = nx.pagerank(graph)
    ours = rank_by(graph_of(links), "networkx").values
    assert ours.tolist() == pytest.approx([theirs[page] for page in links], rel=0, abs=1e-12)


@given(some_webs)
def test_cs101_is_compute_ranks(links):
    theirs = compute_ranks({page: links.get(page, []) for page in pages_of(links)})
    assert rank_by(graph_of(links), "cs101").values.tolist() == pytest.approx(list(theirs.values()), abs=1e-12)


def cs50ai(links):
    """iterate_pagerank as the course describes it."""
    corpus = {page: {to for to in targets if to != page} or set(links) for page, targets in links.items()}
    ranks = dict.fromkeys(corpus, 1 / len(corpus))
    while True:
        new = {
            page: 0.15 / len(corpus)
            + 0.85 * sum(ranks[other] / len(corpus[other]) for other in corpus if page in corpus[other])
            for page in corpus
        }
        if all(abs(new[page] - ranks[page]) <= 0.001 for page in corpus):
            return new
        ranks = new


@given(some_webs)
def test_cs50ai_links_a_dead_end_to_all_pages(links):
    assert rank_by(graph_of(links), "cs50ai").values.tolist() == pytest.approx(list(cs50ai(links).values()), abs=1e-9)


def test_the_first_paper_s_ranks_sum_to_the_number_of_pages():
    scores = rank_by(graph_of({0: [1, 2], 1: [2], 2: [0]}), "brin-page")
    assert scores.values.sum() == pytest.approx(3)
    assert scores.values == pytest.approx(3 * pagerank(graph_of({0: [1, 2], 1: [2], 2: [0]}), tolerance=1e-13).values)


def test_in_the_first_paper_every_page_that_is_not_removed_gets_the_same_for_nothing():
    alone_and_a_dead_end = graph_of({0: [1], 1: [0], 2: [0], 3: [4], 4: []})
    scores = rank_by(alone_and_a_dead_end, "brin-page").values
    assert scores[2] == pytest.approx(0.15)
    assert scores[1] == pytest.approx(0.15 + 0.85 * scores[0])
    assert scores[3:].tolist() == [0, 0]


def test_powers_of_g_change_the_last_digits_only_whatever_becomes_of_dead_ends():
    links = graph_of({0: [1, 2, 3], 1: [0], 2: [1, 3], 3: []})
    for dangling in CHOICES["dangling"]:
        by_powers = replace(convention("horvat-mundar"), dangling=dangling)
        plain = rank_by(links, replace(by_powers, powers=False)).values
        assert rank_by(links, by_powers).values == pytest.approx(plain, rel=0, abs=1e-14), dangling


def test_nutch_starts_from_one_and_adds_a_share_for_nothing():
    scores = rank_by(graph_of({0: [1], 1: []}), replace(convention("nutch"), rounds=1))
    assert scores.values.tolist() == pytest.approx([0.15 + 0.85 * 0.5, 0.15 + 0.85 * 1.5])


@pytest.mark.parametrize("name", CONVENTIONS)
@given(some_webs)
def test_no_convention_gives_what_is_no_number(name, links):
    scores = rank_by(graph_of(links), name, trace=True)
    assert np.isfinite(scores.values).all()
    assert (scores.values >= 0).all()
    if scores.iterates and convention(name).dangling != "remove":
        assert len(scores.iterates) == scores.rounds + 1


@given(some_webs)
def test_updating_in_turn_comes_to_the_same_end(links):
    together = Convention("x", "us", dangling="uniform")
    one, other = (rank_by(graph_of(links), replace(together, update=way)) for way in CHOICES["update"])
    assert other.converged
    assert other.values == pytest.approx(one.values, rel=0, abs=1e-9)


def test_updating_in_turn_sees_new_ranks_at_once():
    chain = graph_of({0: [1], 1: [2], 2: [0]})
    how = Convention("x", "us", damping=0.5, rounds=1, update="in turn")
    first = 0.5 / 3 + 0.5 / 3
    assert rank_by(chain, how).values[1] == pytest.approx(0.5 / 3 + 0.5 * first)


@pytest.mark.parametrize(
    ("scale", "size"), [("sum", np.sum), ("max", np.max), ("euclidean", np.linalg.norm)], ids=["sum", "max", "length"]
)
def test_ranks_are_scaled_as_asked(scale, size):
    how = Convention("x", "us", dangling="leak", scale=scale)
    assert size(rank_by(graph_of(TWO_ISLANDS), how).values) == pytest.approx(1)


def test_what_two_conventions_differ_in():
    assert differences(convention("cs101"), convention("ilic")) == {}
    told = differences(convention("networkx"), convention("horvat-mundar"))
    assert told == {"rounds": (None, 9), "tolerance": (1e-6, 1e-12), "stop": ("mean", "sum")}


def test_all_conventions_that_are_promised_are_there():
    wanted = {
        "brin-page",
        "networkx",
        "nutch",
        "cs101",
        "cs50ai",
        "thesis",
        "slides",
        "stoimenova",
        "horvat-mundar",
        "ilic",
    }
    assert set(CONVENTIONS) == wanted
    assert all(each.source for each in CONVENTIONS.values())


def test_an_empty_web_has_no_ranks_by_any_convention():
    for name in CONVENTIONS:
        assert rank_by(LinkGraph.from_edges(0, [], []), name).values.tolist() == []


@pytest.mark.parametrize(
    ("way", "complaint"),
    [
        ("nobody", 'unknown convention "nobody": choose from brin-page'),
        (Convention("x", "us", damping=3), "damping must be between 0 and 1"),
        (Convention("x", "us", repeated="often"), 'unknown repeated "often"'),
        (Convention("x", "us", dangling="vanish"), 'unknown dangling "vanish"'),
        (Convention("x", "us", rounds=-1), "iterations must be 0 or more"),
        (Convention("x", "us", dangling="remove", update="in turn"), "goes with update"),
    ],
)
def test_what_makes_no_sense_is_refused(way, complaint):
    with pytest.raises(BadInput, match=complaint):
        rank_by(graph_of({0: [1], 1: []}), way)
