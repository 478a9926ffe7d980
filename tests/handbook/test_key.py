"""The handbook is what its answer key says: crawled, ranked and searched."""

import json

import networkx as nx
import pytest

from minisearch.rank.job import link_graph
from minisearch.rank.structure import bow_tie
from tests.handbook.console import HANDBOOK

KEY = json.loads((HANDBOOK / "key.json").read_text("utf-8"))


def names(handbook, ranking, count=1000):
    """The pages in the order of a ranking, by their names."""
    return [url.removeprefix(handbook.home) for url, _, _ in handbook.engine.top(count, ranking)]


def scores(handbook, ranking):
    return {url.removeprefix(handbook.home): score for url, _, score in handbook.engine.top(1000, ranking)}


@pytest.fixture(scope="module")
def graph(handbook):
    """The link graph as networkx has it: {page: links to}."""
    links, nodes = link_graph(handbook.engine.store)
    stored = handbook.engine.store.pages.get(nodes.tolist())
    pages = [stored[node].url.removeprefix(handbook.home) for node in nodes.tolist()]
    drawn = nx.DiGraph()
    drawn.add_nodes_from(pages)
    rows, columns = links.counts.nonzero()
    drawn.add_edges_from((pages[source], pages[target]) for source, target in zip(rows, columns, strict=True))
    return drawn


@pytest.fixture(scope="module")
def trusted(handbook):
    """The handbook with TrustRank and spam mass."""
    trust = [handbook.home + name for name in KEY["farm"]["trusted"]]
    handbook.engine.rank(method="trustrank", trust=trust)
    handbook.engine.rank(method="spam-mass", trust=trust)
    return handbook


def test_every_page_is_met_and_has_its_verdict(handbook):
    def verdict(name):
        found = handbook.engine.why(handbook.home + name)
        return found.state, found.rule

    expected = dict.fromkeys(KEY["robots"], ("skipped", "robots"))
    expected |= dict.fromkeys(KEY["nofollow"], ("skipped", "nofollow"))
    expected |= dict.fromkeys(KEY["scope"], ("skipped", "scope"))
    expected |= dict.fromkeys(KEY["redirect"], ("merged", "redirect"))
    expected |= dict.fromkeys(KEY["canonical"], ("merged", "canonical"))
    expected |= dict.fromkeys(KEY["noindex"], ("fetched", "noindex"))
    expected |= dict.fromkeys(KEY["broken"], ("failed", "http-404"))
    for file in HANDBOOK.rglob("*.html"):
        expected.setdefault(str(file.relative_to(HANDBOOK)), ("fetched", "allowed"))
    assert {name: verdict(name) for name in expected} == expected
    met = {url for (url,) in handbook.engine.sql("select url from urls")[1]}
    assert len(met) == len(expected)


def test_aliases_are_kept_as_the_page_that_the_key_names(handbook):
    for alias, page in {**KEY["redirect"], **KEY["canonical"]}.items():
        assert handbook.home + page in handbook.engine.why(handbook.home + alias).reason


def test_the_contents_have_the_highest_pagerank_by_a_clear_margin(handbook):
    first, second = handbook.engine.top(2)
    assert first[0] == handbook.home + KEY["highest_pagerank"]
    assert first[2] > 1.05 * second[2]


def test_the_best_hubs_and_authorities_are_those_of_the_key(handbook):
    handbook.engine.rank(method="hits")
    assert names(handbook, "hubs", 3) == KEY["hubs"]
    assert names(handbook, "authorities", 3) == KEY["authorities"]


def test_the_dead_end_is_the_only_page_without_links(graph):
    assert [page for page, degree in graph.out_degree() if degree == 0] == KEY["dangling"]


def test_the_trap_can_be_entered_but_not_left(graph):
    trap = set(KEY["trap"])
    assert nx.node_boundary(graph, trap) == set()
    assert {source for source, _ in graph.in_edges(trap)} - trap == {"spider-traps.html"}


def test_the_farm_is_closed_and_has_one_link_from_outside(graph):
    farm = KEY["farm"]
    own = {farm["target"], *farm["supporters"]}
    assert nx.node_boundary(graph, own) == set()
    assert {source for source, _ in graph.in_edges(own)} - own == {farm["accessible"]}
    assert set(graph[farm["target"]]) == set(farm["supporters"])


def test_pagerank_believes_the_farm_and_trustrank_does_not(trusted):
    farm = KEY["farm"]
    assert names(trusted, "pagerank").index(farm["target"]) < farm["highest_place_by_pagerank"]
    assert names(trusted, "trustrank").index(farm["target"]) >= farm["best_place_by_trustrank"]


def test_spam_mass_tells_the_farm_from_all_other_pages(trusted):
    farm = KEY["farm"]
    suspects = {page for page, mass in scores(trusted, "spam_mass").items() if mass > farm["spam_mass_above"]}
    assert suspects == {farm["target"], *farm["supporters"]}


def test_the_parts_of_the_bow_tie_are_as_large_as_the_key_says(handbook, graph):
    links, _ = link_graph(handbook.engine.store)
    assert {part: size for part, size in bow_tie(links).sizes().items() if part != "core"} == KEY["bow_tie"]
    assert {*KEY["dangling"], *KEY["trap"], KEY["farm"]["target"], *KEY["farm"]["supporters"]} == {
        page for page in graph if not nx.has_path(graph, page, KEY["start"])
    }


def test_there_are_forty_queries():
    assert len({case["query"] for case in KEY["queries"]}) >= 40


@pytest.mark.parametrize("case", KEY["queries"], ids=lambda case: case["query"])
def test_the_right_page_comes_first(handbook, case):
    assert handbook.engine.lucky(case["query"]).url == handbook.home + case["first"]


@pytest.mark.parametrize("case", KEY["nothing"], ids=lambda case: case["because"])
def test_what_must_not_be_found_is_not_found(handbook, case):
    assert not handbook.engine.search(case["query"]).hits
