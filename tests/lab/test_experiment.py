"""Experiments: every method by one door, held against the published numbers."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab.experiment import Experiment, perform
from minisearch.lab.options import METHODS
from minisearch.lab.presets import presets
from minisearch.lab.presets import web as preset
from minisearch.lab.webs import Web
from minisearch.rank.pagerank import DANGLING
from tests.lab.conftest import drawn_webs


def by_name(web, values):
    return dict(zip(web.names, np.asarray(values, dtype=float).tolist(), strict=True))


ASKED = {
    "trustrank": {"trusted": ["*"]},
    "topic": {"topics": {"one": ["*"]}},
    "surfer": {"steps": 500},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [one.name for one in presets()])
def test_every_method_ranks_every_preset_with_numbers_or_says_why_not(name, method):
    web, refused = preset(name), []
    for dangling, damping in product([None, *DANGLING], ["0", "0.85", "1"]):
        asked = Experiment(method, damping=damping, dangling=dangling, **ASKED.get(method, {}))
        try:
            found = perform(web, asked)
        except BadInput:
            refused.append((dangling, damping))
        else:
            assert all(np.isfinite(values).all() for values in found.columns.values())
            assert found.verdict
    assert not {(None, "0"), (None, "0.85")} & set(refused)  # as it comes, everything can be ranked


def test_the_exact_solution_is_the_published_one():
    found = perform(preset("003-four"), Experiment("solve"))
    assert [str(value) for value in found.fractions] == ["5307/17165", "4389/17165", "616/3433", "4389/17165"]
    assert found.verdict == "solved exactly; the ranks sum to 1"


@pytest.mark.parametrize("method", ["pagerank", "solve", "eigen"])
@given(web=drawn_webs(most=5), damping=st.sampled_from([0.5, 0.85]))
def test_three_ways_to_the_same_ranks(method, web, damping):
    found = perform(web, Experiment(method, damping=damping, tolerance=1e-13 if method == "pagerank" else None))
    true = perform(web, Experiment("solve", damping=damping))
    assert np.allclose(found.main, true.main, rtol=0, atol=1e-9)


def test_a_topic_is_ranked_as_published(oracles):
    oracle, web = oracles["000-topic-AE"], preset("000-five")
    asked = Experiment("topic", damping=0.8, dangling="leak", rounds=20, topics={"AE": ["A", "E"]})
    assert by_name(web, perform(web, asked).main) == pytest.approx(oracle["expected"], abs=1e-12)


def test_a_reader_of_two_topics_gets_their_mixture():
    web, topics = preset("five-pages"), {"first": ["A"], "second": ["E"]}
    found = perform(web, Experiment("topic", topics=topics, preference={"first": 3, "second": 1}))
    assert list(found.columns) == ["reader", "first", "second"]
    mixed = 0.75 * found.columns["first"] + 0.25 * found.columns["second"]
    assert np.allclose(found.main, mixed)


def test_trust_and_spam_mass_are_as_published(oracles):
    expected, web = oracles["derived-trustrank"]["expected"], preset("000-four")
    found = perform(web, Experiment("trustrank", damping=0.8, trusted=["B", "D"], tolerance=1e-14))
    from fractions import Fraction

    told = {page: float(Fraction(value)) for page, value in expected["trustrank"].items()}
    assert by_name(web, found.columns["trustrank"]) == pytest.approx(told, abs=1e-12)
    assert found.notes[0] == "2 trusted pages: B, D"


def test_hubs_and_authorities_come_in_the_order_asked_for(oracles):
    web = preset("001-yahoo")
    found = perform(web, Experiment("hits", order="hub", rounds=3, trace=True))
    assert list(found.columns) == ["hub", "authority"]
    assert [name for name, *_ in found.steps] == ["h1", "a1", "h2", "a2", "h3", "a3"]
    assert by_name(web, found.steps[0][1]) == {"yahoo": 3.0, "amazon": 2.0, "msoft": 1.0}


def test_the_modified_hits_is_as_published(oracles):
    oracle = oracles["derived-modified-hits"]
    names = ["yahoo", "amazon", "msoft"]
    web = Web.of(names, [tuple(link) for link in oracle["params"]["weight"]])
    fits = [oracle["params"]["topic_score"][name] for name in names]
    found = perform(web, Experiment("hits", order="hub", weighted=True, fits=fits, rounds=200))
    assert by_name(web, found.columns["hub"]) == pytest.approx(oracle["expected"]["hub"], abs=1e-12)
    assert by_name(web, found.columns["authority"]) == pytest.approx(oracle["expected"]["authority"], abs=1e-12)


def test_a_surfer_counts_what_pagerank_says():
    found = perform(preset("nine-links"), Experiment("surfer", damping=0.9, steps=20_000, seed=1))
    off = np.abs(found.columns["counted"] - found.columns["exact"])
    assert (off <= 4 * found.columns["error"]).all()
    assert found.surf.steps == 20_000


def test_a_convention_can_be_changed_in_single_choices():
    web = preset("five-pages")
    twenty = perform(web, Experiment(convention="thesis", rounds=19, trace=True))
    assert by_name(web, twenty.main)["D"] == pytest.approx(0.2983886474968779, abs=1e-15)
    assert len(twenty.trace.rows) == 20
    assert twenty.damping == 1.0


def test_rounds_that_somebody_asked_for_are_not_those_of_the_convention():
    web = preset("five-pages")
    assert perform(web, Experiment(convention="cs101")).verdict == "10 iterations, the default of cs101"
    assert perform(web, Experiment(convention="cs101", rounds=3)).verdict.startswith("3 iterations as requested")


def test_many_pages_of_one_host_speak_with_one_voice():
    farm = [(f"http://farm/{page}", "http://x/") for page in range(9)]
    honest = [("http://a/", "http://y/"), ("http://b/", "http://y/"), ("http://b/", "http://x/")]
    web = Web.of(dict.fromkeys(name for link in (*farm, *honest) for name in link), [*farm, *honest])
    plain, fair = perform(web, Experiment("hits")), perform(web, Experiment("hits", by_host=True))
    assert by_name(web, plain.main)["http://x/"] == 1
    assert by_name(web, fair.main)["http://y/"] == 1
    with pytest.raises(BadInput, match="for method hits"):
        perform(web, Experiment(by_host=True))


def test_a_trace_too_long_to_keep_is_refused_before_it_begins():
    web = Web.of(str(page) for page in range(30))
    with pytest.raises(BadInput, match="a trace of 1,000,000 iterations over 30 pages is too long"):
        perform(web, Experiment(rounds=10**6, trace=True))


def test_a_web_without_pages_is_told_for_every_method():
    for method in METHODS:
        with pytest.raises(BadInput, match="the graph has no pages"):
            perform(Web.of(""), Experiment(method, trusted=["A"], topics={"t": ["A"]}))


def test_trust_is_exact_if_so_asked(oracles):
    web = preset("000-four")
    found = perform(web, Experiment("trustrank", damping="0.8", trusted=["B", "D"], exact=True))
    told = oracles["derived-trustrank"]["expected"]["trustrank"]
    assert dict(zip(web.names, map(str, found.fractions), strict=True)) == told


@given(web=drawn_webs(most=4), order=st.sampled_from(["authority", "hub"]))
def test_exact_rounds_of_hits_are_those_in_floating_point(web, order):
    exact = perform(web, Experiment("hits", rounds=3, exact=True, trace=True, order=order))
    plain = perform(web, Experiment("hits", rounds=3, trace=True, order=order))
    assert [step[0] for step in exact.steps] == [step[0] for step in plain.steps]
    for name, values in plain.columns.items():
        assert np.allclose(values, exact.columns[name], rtol=0, atol=1e-12)


def test_the_start_of_a_walk_is_seen_in_its_trace():
    found = perform(preset("nine-links"), Experiment("surfer", steps=1000, trace=True))
    assert found.trace.moments[0] == 1
    assert found.trace.moments[-1] == 1000
    assert np.array_equal(found.trace.rows[-1], found.main)
    assert all(row.sum() == pytest.approx(1) for row in found.trace.rows)


@given(web=drawn_webs(most=4), rounds=st.integers(1, 4), dangling=st.sampled_from(["uniform", "teleport", "leak"]))
def test_a_trace_on_a_board_is_the_same_walk_with_every_digit_right(web, rounds, dangling):
    asked = Experiment(rounds=rounds, dangling=dangling, trace=True)
    board = perform(web, asked)
    plain = perform(web, replace(asked, start=[1.0] * web.n))  # a start of its own is not computed in fractions
    assert board.trace.fractions
    assert not plain.trace.fractions
    assert np.allclose(board.trace.rows, plain.trace.rows, rtol=0, atol=1e-14)


def test_rounds_that_were_asked_for_are_no_failure_but_told():
    found = perform(preset("five-pages"), Experiment(rounds=3))
    assert found.verdict.startswith("3 iterations as requested; residual")
    assert (
        perform(preset("five-pages"), Experiment(rounds=0)).verdict == "this is the start vector: no iteration was run"
    )
    loop = perform(Web.of("AB", [("A", "B"), ("B", "A")]), Experiment(damping=1, start=[1, 0], max_rounds=50))
    assert loop.verdict.startswith("did not converge: residual 2.0e+00 after 50 iterations")
    assert not loop.converged


def test_what_does_not_sum_to_one_says_so():
    found = perform(preset("two-dead-ends"), Experiment(dangling="remove", damping=1))
    assert "the ranks sum to 1.48148, not to 1" in found.notes
    assert perform(preset("two-dead-ends"), Experiment(dangling="remove", damping=1, rescale=True)).main.sum() == 1
    assert any("no teleporting" in note for note in found.notes)


def test_components_are_ranked_apart():
    web = preset("bow-tie")
    found = perform(web, Experiment(apart=True))
    assert found.main.sum() == pytest.approx(1)
    assert found.columns["pagerank"][web.number("X1")] == pytest.approx(0.1)


@pytest.mark.parametrize("method", sorted(METHODS))
@given(web=drawn_webs(most=4))
def test_never_not_a_number(method, web):
    asked = Experiment(method, trusted=["A"], topics={"t": ["A"]}, steps=10)
    try:
        found = perform(web, asked)
    except BadInput:
        return
    for values in found.columns.values():
        assert np.isfinite(values).all()


BAD = [
    (Experiment("alexa"), 'unknown method "alexa"'),
    (Experiment(damping=1.5), "between 0 and 1"),
    (Experiment(damping="x"), "damping must be a number"),
    (Experiment("hits", convention="cs101"), "not for hits"),
    (Experiment(convention="altavista"), 'unknown convention "altavista"'),
    (Experiment("trustrank"), "trustrank needs trusted pages"),
    (Experiment("trustrank", trusted=["Z"]), 'no page matches "Z"'),
    (Experiment("topic"), "needs a topic"),
    (Experiment("topic", topics={"t": ["Z"]}), 'no page matches "Z": give a page'),
    (Experiment("topic", topics={"t": ["A"]}, preference={"u": 1}), 'unknown topic "u"'),
    (Experiment(teleport=[0, 0, 0, 0, 0]), "zero everywhere"),
    (Experiment(teleport=[1, -1, 0, 0, 0]), "teleport gives B the weight -1"),
    (Experiment(teleport=[1]), "one number for each of the 5 pages"),
    (Experiment(rounds=-1), "must be 0 or more"),
    (Experiment(rounds=10**12), "the limit is 1,000,000 iterations"),
    (Experiment(max_rounds=10**12), "the limit is 1,000,000 iterations"),
    (Experiment(tolerance=-1), "tolerance must be 0 or more"),
    (Experiment("solve", rounds=3), "has no iterations"),
    (Experiment("hits", exact=True), "the limit of HITS is usually not a fraction"),
    (Experiment("eigen", exact=True), "floating point: --method solve"),
    (Experiment("surfer", exact=True), "no exact result"),
    (Experiment("topic", exact=True, topics={"t": ["A"], "u": ["B"]}), "one topic only"),
    (Experiment("hits", fits=[1, 1, -2, 1, 1]), "fits gives C the weight -2"),
    (Experiment("surfer", steps=0), "must be 1 or more"),
    (Experiment("surfer", start=[1, 1, 0, 0, 0]), "starts on exactly one page"),
    (Experiment(convention="cs101", exact=True), "its own start and scale"),
    (Experiment(apart=True, trace=True), "combined with teleport"),
]


@pytest.mark.parametrize(("what", "told"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_what_makes_no_sense_is_told(what, told):
    with pytest.raises(BadInput, match=told):
        perform(preset("five-pages"), what)
