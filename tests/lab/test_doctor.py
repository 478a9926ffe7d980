"""The doctor on the printed tables of the literature, and on numbers made by known means."""

import json
from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.lab import doctor
from minisearch.lab.claims import Claim, claims, read_claims
from minisearch.lab.doctor import diagnose, known_numbers, lost, sentences
from minisearch.lab.edits import edit
from minisearch.lab.presets import published
from minisearch.lab.presets import web as preset
from minisearch.rank.conventions import CONVENTIONS, rank_by
from minisearch.rank.surfer import surf

EXPLAINED = {  # what must be said of each printed table, by graph and the beginning of its place
    ("000-five", "3.2,"): "49 multiplications with 1/3 stored as 0.33, no teleporting",
    ("000-five", "figure 15"): "19 multiplications with 1/3 stored as 0.33, no teleporting",
    ("000-spider-trap", "3.2.3"): "damping 0.8",
    ("000-ten-before", "4.4"): "49 multiplications with 1/3 stored as 0.33, no teleporting",
    ("000-nine", "4.4"): "49 multiplications with 1/3 stored as 0.33, no teleporting",
    ("000-dangling", "3.6.1, hubs"): "the hub scores of HITS; only B is misprinted: 0.7168 instead of 0.358258",
    ("000-dangling", "3.6.1, authorities"): "the authority scores of HITS",
    ("001-yahoo", "the HITS example, hubs"): "the hub scores of HITS",
    ("001-yahoo", "the HITS example, authorities"): "the authority scores of HITS",
    ("002-nine-links", "1,000,000 moves"): "a random surfer after 1,000,000 moves, approximately, damping 0.9",
    ("003-four", "equation (5)"): "damping 0.85",
    ("004-four", "6.3"): "the converged ranks, damping 0.9, scaled to Euclidean length 1",
    ("004-four", "appendix V"): "10 multiplications, damping 0.8",
}

SMALL = 20  # pages of a graph on which many a test here has numbers


@pytest.fixture(scope="module", autouse=True)
def ways_gone_once():
    """What numbers are held against is the same for all numbers on a graph, and takes most of the time: it is kept."""
    real, known = doctor.by_ways, {}

    def by_ways(graph, teleport, *, changes, slip=""):
        if graph.n > SMALL:
            return real(graph, teleport, changes=changes, slip=slip)
        jump = None if teleport is None else tuple(np.asarray(teleport, dtype=float).tolist())
        key = (graph.n, graph.incoming.toarray().tobytes(), graph.out_degree.tobytes(), jump, changes, slip)
        if key not in known:
            known[key] = list(real(graph, teleport, changes=changes, slip=slip))
            for run in known[key]:
                run.rows.flags.writeable = False  # nobody changes what the next one is given
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "by_ways", by_ways)
        yield


TABLES = [table for table in published() if table.erratum != "E002-05"]  # that one has a test of its own


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.graph}: {table.where}")
def test_a_printed_table_is_recognised_and_explained(table):
    web = preset(table.graph)
    told = claims(((page, word, "") for page, word in table.numbers.items()), web, partial=True)
    jump = web.vector({"A": 1, "E": 1}) if table.measure.startswith("topic") else None
    found = diagnose(web, told, teleport=jump)
    assert found.known == table
    for (graph, place), said in EXPLAINED.items():
        if graph == table.graph and table.where.startswith(place):
            assert found.best.explains
            assert said in found.best.words


AS_PRINTED = json.loads(
    (Path(__file__).parents[1] / "data" / "oracles.json").read_text("utf-8"), parse_float=str, parse_int=str
)["oracles"]
CAUSES = {  # what must be said of the vectors of each oracle, by the round or the run; more is said than this
    "000-five-exact": {"": "49 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-five-program50": {"": "49 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-fig15-ranks": {"": "19 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-fig15-iterations": {"3": "3 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-dangling-naive": {"": "the rank of dangling pages is lost"},
    "000-trap-naive": {"": "49 multiplications, no teleporting"},
    "000-trap-beta08": {"": "damping 0.8"},
    "000-topic-AE": {"": "with 1/3 stored as 0.33, and 0.8 of it as 0.26, damping 0.8"},
    "000-ten-before-program": {"": "49 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-ten-before-exact": {"": "49 multiplications with 1/3 stored as 0.33, no teleporting"},
    "000-nine-program": {"": "49 multiplications with 1/3 stored as 0.33, no teleporting"},
    "002-stationary": {},  # of a misprinted matrix: no way of computing gives it, which has a test of its own
    "002-surfer-1000": {"0": "a random surfer after 1,000 moves, approximately, damping 0.9"},
    "002-surfer-1e6": {"0": "a random surfer after 1,000,000 moves, approximately, damping 0.9"},
    "003-H-iterations": {
        "1": "1 multiplication, no teleporting (damping 1), the rank of dangling pages is lost",
        "2": "2 multiplications, no teleporting (damping 1), the rank of dangling pages is lost",
    },
    "003-iterations": {
        "1": "1 multiplication, damping 0.85, dangling pages teleport",
        "9": "9 multiplications, damping 0.85, dangling pages teleport",
    },
    "003-exact": {"": "9 multiplications, damping 0.85, dangling pages teleport"},
    "004-iterations": {
        "0": "the start vector, without any iteration",
        "1": "1 multiplication, no teleporting",
        "2": "2 multiplications, no teleporting",
    },
    "004-left-eigenvector": {"": "the converged ranks, damping 0.9, scaled to Euclidean length 1"},
    "004-compute-ranks": {"": "10 multiplications, damping 0.8"},
}
NO_WEB = {"004-johnpapa"}  # its pages link to others outside it, and only the number of these links is told


def printed_vectors(oracle):
    """The vectors that are printed, by round or by run."""
    printed = oracle.get("printed")
    if oracle["kind"] == "surfer":
        return {str(number): run["freq"] for number, run in enumerate(printed)}
    if oracle["kind"] == "pagerank_steps":
        return printed
    return {"": printed} if printed and oracle["kind"] in ("pagerank", "eigenvector") else {}


def test_every_vector_that_is_printed_has_a_cause_to_be_named():
    assert {one["id"] for one in AS_PRINTED if printed_vectors(one)} == set(CAUSES) | NO_WEB


@pytest.mark.parametrize(
    ("oracle", "which"),
    [(one, which) for one in AS_PRINTED for which in CAUSES.get(one["id"], ())],
    ids=lambda part: part["id"] if isinstance(part, dict) else part,
)
def test_the_cause_of_every_printed_vector_is_named(oracle, which):
    web, numbers = preset(oracle["graph"]), printed_vectors(oracle)[which]
    told = zip(web.names, numbers, strict=True) if isinstance(numbers, list) else numbers.items()
    jump = oracle["params"].get("teleport")
    found = diagnose(
        web,
        claims(((page, word, "") for page, word in told), web, partial=True),
        teleport=web.vector({page: float(weight) for page, weight in jump.items()}) if isinstance(jump, dict) else None,
    )
    assert found.best.explains
    assert CAUSES[oracle["id"]][which] in found.best.words


def test_the_cause_of_the_wrong_vector_is_named():
    web = preset("000-five")
    found = diagnose(web, read_claims(".19,.23,.06,.28,.14", web))
    assert found.best.words.startswith("49 multiplications with 1/3 stored as 0.33")
    assert (found.best.fit, found.best.conventions, found.best.apart) == ("rounded", ("thesis",), {})
    assert found.best.alike == (46, 55)
    assert found.sum == pytest.approx(0.9)
    assert lost(web, found.best).startswith("the shares of A do not sum to 1")
    assert np.allclose(found.right, np.array([12, 15, 4, 18, 9]) / 58)
    assert found.known.erratum == "E000-01"


def test_a_misprinted_matrix_is_not_explained_and_the_right_numbers_are_given():
    web = preset("002-nine-links")
    found = diagnose(web, read_claims("0.3257049 0.1848188 0.3181344 0.1713418", web))
    assert not found.best.explains
    assert found.known.erratum == "E002-05"
    assert np.allclose(found.right, [8917 / 26938, 22069 / 107752, 34795 / 107752, 3805 / 26938])


def exactly(web, values):
    return [Claim(name, float(value), 1e-15) for name, value in zip(web.names, values, strict=True)]


@pytest.mark.parametrize("name", sorted(CONVENTIONS))
@pytest.mark.parametrize("graph", ["one-dead-end", "nine-links"])
def test_every_convention_is_recognised_by_its_numbers(name, graph):
    web = preset(graph)
    found = diagnose(web, exactly(web, rank_by(web.graph(), name).values))
    assert found.best.fit == "rounded"
    assert found.best.apart == {}
    named = rank_by(web.graph(), found.best.conventions[0]).values
    assert np.allclose(named, rank_by(web.graph(), name).values, rtol=0, atol=1e-12)


def test_the_numbers_of_networkx_itself_are_recognised():
    web = preset("one-dead-end")
    graph = networkx.DiGraph([(source, target) for source, target, _ in web.links()])
    ranks = networkx.pagerank(graph)
    found = diagnose(web, exactly(web, [ranks[name] for name in web.names]))
    assert (found.best.conventions, found.best.apart) == (("networkx",), {})
    assert found.best.words.endswith("(networkx stops there)")


@pytest.mark.parametrize(
    ("graph", "base", "damping", "rounds"),
    [("five-pages", "cs101", 0.5, 3), ("one-dead-end", "cs101", 0.5, 43), ("ten-pages", "thesis", 0.9, 17)],
)
def test_a_choice_and_a_number_of_rounds_are_found_out(graph, base, damping, rounds):
    web = preset(graph)
    way = replace(CONVENTIONS[base], damping=damping, rounds=rounds)
    found = diagnose(web, exactly(web, rank_by(web.graph(), way).values))
    assert found.best.fit == "rounded"
    assert found.best.way.damping == damping


def test_who_has_the_same_for_all_pages_has_not_begun():
    found = diagnose(preset("five-pages"), read_claims(".2 .2 .2 .2 .2", preset("five-pages")))
    assert found.best.words == "the start vector, without any iteration, damping 0.85"


def test_a_forgotten_link_is_found_out():
    web = preset("four-page-site")
    slip = edit(web, "cut 1 2")
    sharp = rank_by(slip.graph(), replace(CONVENTIONS["cs50ai"], tolerance=1e-13, stop="sum")).values
    assert "as if 1 did not link to 2" in diagnose(web, exactly(web, sharp)).best.words


def test_links_read_backwards_are_found_out():
    web = preset("four-page-site")
    backwards = type(web)(web.names, web.targets, web.sources, web.weights)
    values = rank_by(backwards.graph(), replace(CONVENTIONS["stoimenova"], damping=0.85)).values
    assert "with all links read backwards" in diagnose(web, exactly(web, values)).best.words


def test_counting_links_is_no_pagerank():
    web = preset("five-pages")
    counts = np.asarray(web.graph().counts.sum(axis=0))
    assert "the number of links to each page, not PageRank" in diagnose(web, exactly(web, counts)).best.words


def test_a_walk_is_recognised_by_its_scatter():
    web = preset("nine-links")
    walk = surf(web.graph(), 10_000, seed=3, damping=0.9)
    told = [Claim(name, float(f), 1e-4) for name, f in zip(web.names, walk.frequencies, strict=True)]
    assert "a random surfer after 10,000 moves" in diagnose(web, told).best.words


@pytest.mark.parametrize("row", ["30.9 25.6 17.9 25.6", "30.9% 25.6% 17.9% 25.6%"])
def test_percentages_are_ranks(row):
    web = preset("003-four")
    best = diagnose(web, read_claims(row, web)).best
    assert best.explains
    assert best.way.damping == 0.85
    assert (best.scale == "percent") == ("%" not in row)
    assert ("in percent" in best.words) == ("%" not in row)


def test_a_scale_is_told_beside_the_convention():
    web = preset("003-four")
    found = diagnose(web, read_claims("30.9 25.6 17.9 25.6", web))
    assert found.best.apart["scale"] == ("none", "percent")
    assert "scale percent instead of none" in " ".join(sentences(web, found))


@pytest.mark.parametrize("row", ["0 0 0 0 0", "0.00 0.00 0.00 0.00 0.00"])
def test_zeros_are_explained_by_what_has_leaked_away_or_not_at_all(row):
    web = preset("five-pages")
    assert not diagnose(web, read_claims(row, web)).best.explains
    drained = preset("000-dangling")
    best = diagnose(drained, read_claims(row, drained)).best
    assert best.explains
    assert "the rank of dangling pages is lost" in best.words


def test_nonsense_is_not_explained():
    web = preset("four-page-site")
    found = diagnose(web, read_claims("0.9123 0.0411 0.0101 0.0333", web))
    assert not found.best.explains
    assert found.known is None
    assert found.right.sum() == pytest.approx(1)


def test_known_numbers_are_known_by_graph_and_digits():
    web = preset("five-pages")
    told = read_claims(".19 .23 .06 .28 .14", web)
    assert known_numbers(web, told).erratum == "E000-01"
    assert known_numbers(preset("spider-trap"), told) is None


def test_without_numbers_there_is_nothing_to_explain():
    with pytest.raises(BadInput, match="no numbers"):
        diagnose(preset("five-pages"), [])


def test_a_large_graph_is_diagnosed_by_the_conventions_alone():
    from minisearch.lab.webs import Web

    dice = np.random.default_rng(0)
    ends = dice.integers(0, 2000, size=(2, 120_000))
    web = Web.numbered([str(n) for n in range(2000)], *ends)
    found = diagnose(web, exactly(web, rank_by(web.graph(), "cs101").values))
    assert "cs101" in found.best.conventions
