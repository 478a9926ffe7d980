"""Every misprint that is listed: our own value is the recomputed one."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from minisearch.errors import NotFound
from minisearch.lab.edits import edit
from minisearch.lab.experiment import Experiment, perform
from minisearch.lab.presets import KINDS, errata, erratum
from minisearch.lab.presets import web as preset
from minisearch.rank.blocks import tables
from minisearch.rank.chains import strongly_connected
from minisearch.rank.conventions import CONVENTIONS, rank_by
from minisearch.rank.dangling import removal
from minisearch.rank.farm import formula
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import hits
from minisearch.rank.matrices import fractions
from minisearch.rank.pagerank import pagerank
from minisearch.rank.scores import places
from minisearch.rank.solve import eigenvector, exact
from minisearch.rank.surfer import division_points, next_page, surf
from minisearch.textbook.hashtable import bad_hash_string
from minisearch.textbook.search import lucky_search

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text("utf-8"))
WORDS_ONLY = {  # there is no number in them, and nothing that could be run
    "E000-17", "E000-23", "E000-24", "E004-10", "E004-13",
}  # fmt: skip
CHECKS = {}


def check(name):
    def keep(function):
        CHECKS[name] = function
        return function

    return keep


def ranks(graph, **how):
    web = preset(graph)
    asked = {"dangling": "leak", "damping": 1, "tolerance": 1e-14, "max_rounds": 5000, **how}
    return dict(zip(web.names, pagerank(web.graph(), **asked).values.tolist(), strict=True))


def near(value, digits=4):
    return pytest.approx(value, abs=0.6 * 10**-digits)


def place(graph, page, **how):
    found = ranks(graph, **how)
    return places(np.round(list(found.values()), 12))[list(found).index(page)]


@check("E000-01")
def five_pages():
    assert exact(preset("000-five").graph(), damping=1) == [Fraction(n, 58) for n in (12, 15, 4, 18, 9)]


@check("E000-02")
def twenty_steps():
    assert ranks("000-five", rounds=20)["D"] == near(0.31031, 5)


@check("E000-03")
def rows_of_m():
    rows = fractions(preset("000-dangling").graph(), "H")
    assert [[str(entry) for entry in row] for row in rows] == [
        ["0", "1/3", "1/3", "1/3", "0"],
        ["1/2", "0", "0", "1/2", "0"],
        ["0", "0", "0", "0", "1"],
        ["0", "1/2", "1/2", "0", "0"],
        ["0", "0", "0", "0", "0"],
    ]


@check("E000-04")
def jumps_weigh_a_fifth():
    assert sum(ranks("000-spider-trap", damping=0.8).values()) == pytest.approx(1)
    assert Fraction(8, 10) / (1 - Fraction(8, 10)) == 4  # what 0.8 in their place would sum to


@check("E000-05")
def truncated():
    assert ranks("000-spider-trap", damping=0.8)["E"] == near(0.0955)


@check("E000-06")
def topic_of_d():
    web = preset("000-five")
    found = perform(web, Experiment("topic", damping=0.8, topics={"t": ["A", "E"]}, dangling="leak", rounds=20))
    assert found.main[web.number("D")] == near(0.2607)
    way = replace(CONVENTIONS["thesis"], damping=0.8, rounds=20)
    stored = rank_by(web.graph(), way, teleport=web.vector({"A": 1, "E": 1})).values
    assert [f"{value:.2f}" for value in stored] == ["0.26", "0.20", "0.07", "0.25", "0.20"]  # as printed


@check("E000-07")
def the_topic_is_a_and_e():
    web = preset("000-five")
    found = perform(web, Experiment("topic", damping=0.8, topics={"t": ["A", "E"]}))
    assert found.main.argmax() == web.number("A")  # A overtakes D, as the thesis says


@check("E000-08")
def hub_of_b():
    hubs = hits(preset("000-dangling").graph()).hubs.values
    assert hubs[1] == near(0.3583)
    assert hubs[1] == pytest.approx(hubs[3] / 2)


@check("E000-09")
def authority_is_links_transposed_times_hub():
    step = hits(preset("000-dangling").graph(), rounds=1, trace=True).steps[0]
    assert (step.name, step.raw.tolist()) == ("a1", [1, 2, 2, 2, 1])


@check("E000-10")
def row_i():
    web = preset("000-ten-before")
    assert [target for source, target, _ in web.links() if source == "I"] == ["E", "G", "H", "I", "J"]
    assert ranks("000-ten-before", decimals=2, rounds=49)["J"] == pytest.approx(0.20265733322497748, abs=1e-15)


@check("E000-11")
def j_is_taken_out():
    assert edit(preset("000-ten-before"), "remove J") == preset("000-nine")
    assert edit(preset("000-ten-before"), "add J A") == preset("000-ten-after")


@check("E000-12")
def the_second_list_is_the_nine_pages():
    assert ranks("000-nine", decimals=2, rounds=49)["B"] == pytest.approx(0.13435034034453724, abs=1e-15)


@check("E000-13")
def a_is_eighth():
    assert place("000-ten-before", "A") == 8
    assert place("000-ten-after", "A") == 2


@check("E000-14")
def i_falls_and_d_rises():
    before, after = (ranks(graph, decimals=2, rounds=49) for graph in ("000-ten-before", "000-nine"))
    assert (before["I"], after["I"]) == (near(0.098, 3), near(0.038, 3))
    assert (before["D"], after["D"]) == (near(0.101, 3), near(0.112, 3))
    assert (place("000-ten-before", "D"), place("000-nine", "D")) == (2, 6)


@check("E000-15")
def sums():
    for graph, printed in (("000-ten-before", 0.7885), ("000-nine", 0.9318)):
        assert sum(ranks(graph, decimals=2, rounds=49).values()) == near(printed)
        assert sum(ranks(graph).values()) == pytest.approx(1)


@check("E000-16")
def last_block():
    assert tables(preset("000-four").graph(), 2)[2, 2] == {3: (2, [2])}  # D, degree 2, to C


@check("E000-18")
def density():
    assert 10 / 10**10 == 1e-9


@check("E000-19")
def teleporting_alone_leaks():
    assert sum(ranks("000-dangling", damping=0.8).values()) < 0.6


@check("E000-20")
def removal_leaves_traps_or_nothing():
    trap = preset("000-spider-trap").graph()
    assert removal(trap).order == ()
    assert not strongly_connected(trap)
    chain = LinkGraph.from_edges(3, [0, 1], [1, 2])
    assert removal(chain).kept == ()


@check("E000-21")
def beta_follows_links():
    found, web = ranks("derived-farm", damping=0.85), preset("derived-farm")
    x = 0.85 * found["w1"] / 2
    assert formula(x, 3, web.n, 0.85).target == pytest.approx(found["t"], abs=1e-12)


@check("E000-22")
def hits_in_blocks():
    counts = preset("000-dangling").graph().counts
    hub = np.ones(5)
    by_blocks = sum(counts[rows].T @ hub[rows] for rows in (slice(0, 2), slice(2, 5)))
    assert np.array_equal(by_blocks, counts.T @ hub)


@check("E001-01")
def u_is_uniform():
    rows = fractions(preset("001-yahoo").graph(), "E")
    assert {entry for row in rows for entry in row} == {Fraction(1, 3)}


@check("E001-02")
def weights_limit_influence():
    light = LinkGraph.from_edges(3, [0, 1], [2, 2], weights=[0.1, 1.0])
    assert hits(light, weighted=True).hubs.values.tolist() == [0.1, 1, 0]


@check("E002-01")
def the_link_of_page_0():
    assert preset("002-nine-links").graph().targets(0).tolist() == [2]


@check("E002-02")
def a_jump():
    assert fractions(preset("002-nine-links").graph(), "G", damping=0.9)[0][0] == Fraction("0.025")


@check("E002-03")
def frequencies_sum_to_one():
    assert 335 + 200 + 327 + 133 == 995
    assert surf(preset("002-nine-links").graph(), 1000, damping=0.9).frequencies.sum() == pytest.approx(1)


@check("E002-04")
def six_decimals():
    frequencies = surf(preset("002-nine-links").graph(), 10**6, damping=0.9).frequencies
    assert np.allclose(frequencies, frequencies.round(6), rtol=0, atol=1e-12)


@check("E002-05")
def stationary():
    found = ranks("002-nine-links", damping=0.9)
    assert list(found.values()) == pytest.approx([0.3310194, 0.2048129, 0.3229174, 0.1412503], abs=6e-8)


@check("E002-06")
def interval():
    points = division_points(preset("002-nine-links").graph(), 2, damping=0.9)
    assert points[:2].tolist() == pytest.approx([0.205, 0.59])
    assert next_page(points, 0.43) == 1


@check("E002-07")
def relative_frequency():
    walk = surf(preset("002-nine-links").graph(), 500, damping=0.9)
    assert np.array_equal(walk.frequencies, walk.visits / 500)


@check("E002-08")
def out_links():
    assert preset("002-nine-links").graph().out_degree.tolist() == [1, 1, 5, 2]


@check("E002-09")
def a_page_without_links_does_not_stop_the_surfer():
    assert surf(preset("000-empty").graph(), 100, damping=0.9).steps == 100


@check("E004-01")
def row_four():
    assert fractions(preset("004-four").graph(), "H")[3] == [1, 0, 0, 0]


@check("E004-02")
def eigenvector_that_sums_to_one():
    graph = preset("004-four").graph()
    told = [361 / 868, 65 / 434, 65 / 434, 247 / 868]
    found = eigenvector(graph, damping=0.9).values
    assert found.tolist() == pytest.approx(told, abs=1e-12)
    assert found[0] / np.linalg.norm(found) == near(0.76083506, 8)


@check("E004-03")
def the_printed_ranks_need_point_eight():
    assert ranks("004-four", damping=0.8, rounds=10)["1"] == pytest.approx(0.40226228137613174, abs=1e-15)
    assert ranks("004-four", damping=0.9, rounds=10)["1"] == near(0.41571, 5)


@check("E004-04")
def the_third_page_links_to_the_fourth():
    assert ("3", "4", 1.0) in preset("004-four").links()


@check("E004-05")
def ascii_codes():
    assert [ord(letter) for letter in "aAb"] == [97, 65, 98]


@check("E004-06")
def the_bad_hash_runs():
    assert bad_hash_string("a", 12) == 97 % 12


@check("E004-07")
def the_second_iteration():
    found = perform(preset("004-four"), Experiment(damping=1, exact=True, rounds=2))
    assert [str(value) for value in found.fractions] == ["5/12", "1/6", "1/6", "1/4"]


@check("E004-08")
def h_is_square():
    rows = fractions(preset("004-four").graph(), "H")
    assert {len(row) for row in rows} == {len(rows)}


@check("E004-09")
def the_missing_line():
    graph, oracle = KNOWN["graphs"]["004-johnpapa"], next(o for o in KNOWN["oracles"] if o["id"] == "004-johnpapa")
    number = {name: place for place, name in enumerate(graph["nodes"])}
    sources, targets = zip(*((number[s], number[t]) for s, t in graph["edges"]), strict=True)
    degree = [graph["out_degree"].get(name, 0) for name in graph["nodes"]]
    links = LinkGraph.from_edges(len(number), sources, targets, loops=True, degree=degree)
    found = pagerank(links, damping=0.8, dangling="leak", rounds=10).values[number["dbyll"]]
    assert found == pytest.approx(oracle["expected"]["dbyll"], abs=1e-12)
    assert found == near(0.0204)


@check("E004-11")
def the_one_best_url():
    assert lucky_search({"word": ["a", "b"]}, {"a": 0.1, "b": 0.9}, "word") == "b"


@check("E004-12")
def division():
    assert str(20 / 5) == "4.0"


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_our_value_is_the_recomputed_one(name):
    CHECKS[name]()


def test_every_misprint_is_listed_and_checked():
    known = {row["id"] for row in KNOWN["errata"]}
    assert {one.id for one in errata()} == known
    assert set(CHECKS) | WORDS_ONLY == known
    assert not set(CHECKS) & WORDS_ONLY


def test_each_says_where_what_and_why():
    for one in errata():
        assert one.kind in KINDS
        assert one.source
        assert one.where
        assert one.printed
        assert one.correct
        assert one.why
        assert "seed" not in f"{one.where} {one.printed} {one.correct} {one.why}"


def test_they_are_found_by_source_by_kind_and_by_id():
    assert {one.id[:4] for one in errata("stoimenova")} == {"E002"}
    assert [one.id for one in errata("lecture slides")] == ["E001-01", "E001-02"]
    assert all(one.kind == "formula" for one in errata(kind="formula"))
    assert erratum("e000-01").numbers().numbers["D"] == "0.28"
    assert erratum("E004-12").numbers() is None
    with pytest.raises(NotFound, match="lab errata"):
        erratum("E999")
