"""From links in the file to ranks: which links count, and that published graphs get their published ranks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.rank.job import link_graph


@pytest.fixture
def links(engine, site):
    """The link graph of a site after a crawl from its first page: {path: [(path, weight)]}."""

    def links(pages, **options):
        site.show(pages)
        engine.crawl(site.base + next(iter(pages)), workers=0, index=False, rank=False)
        graph, nodes = link_graph(engine.store, **options)
        stored = engine.store.pages.get(nodes.tolist())
        names = [stored[node].url.removeprefix(site.base) for node in nodes.tolist()]
        rows = graph.counts.toarray().astype(int).tolist()
        return {
            name: [(names[to], weight) for to, weight in enumerate(row) if weight]
            for name, row in zip(names, rows, strict=True)
        }

    return links


def test_links_that_are_marked_nofollow_do_not_count(links):
    home = '<p>home <a href="/a">x</a> <a href="/b" rel="nofollow">x</a>'
    assert links({"/": home, "/a": ["/b"], "/b": []}) == {"/": [("/a", 1)], "/a": [("/b", 1)], "/b": []}


def test_links_to_what_was_not_crawled_do_not_count(links):
    assert links({"/": ["/a", "/gone", "http://elsewhere.example/"], "/a": []}) == {"/": [("/a", 1)], "/a": []}


def test_links_to_an_alias_count_for_the_page_that_stands_for_it(links):
    pages = {"/": ["/old", "/twin", "/a"], "/old": (301, {"Location": "/a"}, b""), "/a": "<p>x", "/twin": "<p>x"}
    assert links(pages) == {"/": [("/a", 1)], "/a": []}


def test_the_links_of_an_alias_do_not_count(links):
    print_out = '<link rel="canonical" href="/a"><p>for printing <a href="/b">x</a>'
    assert links({"/": ["/a", "/print"], "/a": "<p>a", "/print": print_out, "/b": "<p>b"}) == {
        "/": [("/a", 1)],
        "/a": [],
        "/b": [],
    }


def test_links_of_a_page_that_is_not_indexed_count(links):
    hidden = '<meta name="robots" content="noindex"><p><a href="/a">x</a>'
    assert links({"/": hidden, "/a": []}) == {"/": [("/a", 1)], "/a": []}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [("/a", 1)]),
        ({"repeated": True}, [("/a", 3)]),
        ({"loops": True}, [("/", 1), ("/a", 1)]),
        ({"repeated": True, "loops": True}, [("/", 2), ("/a", 3)]),
    ],
    ids=str,
)
def test_repeated_links_and_links_to_oneself_count_when_asked_for(links, options, expected):
    home = '<p><a href="/a">x</a> <a href="/a">x</a> <a href="/a">other words</a> <a href="/">x</a> <a href="/">x</a>'
    assert links({"/": home, "/a": []}, **options)["/"] == expected


def test_repeated_links_to_aliases_add_up(links):
    pages = {"/": ["/old", "/a", "/a"], "/old": (301, {"Location": "/a"}, b""), "/a": []}
    assert links(pages, repeated=True)["/"] == [("/a", 3)]


# -- ranks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("000-trap-beta08", {"loops": True}),
        ("002-stationary", {"repeated": True}),
        ("003-exact", {}),
        ("derived-five-uniform", {}),
        ("derived-dangling-uniform", {}),
    ],
)
def test_a_site_with_a_published_graph_gets_its_published_ranks(engine, site, oracles, name, options):
    oracle = oracles[name]
    ways = {
        page: [to for source, to in oracle["graph"]["edges"] if source == page] for page in oracle["graph"]["nodes"]
    }
    site.show({f"/{page}": [f"/{to}" for to in targets] for page, targets in ways.items()})
    engine.crawl(*(f"{site.base}/{page}" for page in ways), workers=0, index=False, rank=False)
    engine.rank(damping=oracle["params"]["beta"], tolerance=1e-14, **options)
    ranks = {url.rpartition("/")[2]: score for url, _, score in engine.top()}
    assert ranks == pytest.approx(oracle["expected"], abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(0, 8), max_size=4), min_size=1, max_size=8), st.floats(0, 1))
def test_ranks_are_shares_of_one(site, web, damping):
    site.show({f"/{page}": [f"/{to}" for to in targets] for page, targets in enumerate(web)})
    with Engine() as engine:
        engine.crawl(site.base + "/0", workers=0, index=False, rank=False)
        engine.rank(damping=damping)
        scores = np.array([score for *_, score in engine.top(100)])
        assert len(scores) == engine.stats()["pages"]
    assert scores.min() >= 0
    assert scores.sum() == pytest.approx(1)


def test_ranking_again_replaces_the_old_ranks(engine, site):
    site.show({"/": ["/a", "/b"], "/a": ["/b"], "/b": []})
    engine.crawl(site.base + "/", workers=0)
    before = engine.top()
    engine.rank(damping=0)
    assert [score for *_, score in engine.top()] == pytest.approx([1 / 3] * 3)
    engine.rank()
    assert engine.top() == before


def test_ranks_follow_a_crawl_that_goes_on(engine, site):
    site.show({"/": ["/a", "/b"], "/a": ["/b"], "/b": []})
    engine.crawl(site.base + "/", workers=0, max_pages=1)
    assert [score for *_, score in engine.top()] == [1]
    engine.crawl(site.base + "/", workers=0)
    assert [url.removeprefix(site.base) for url, *_ in engine.top()] == ["/b", "/a", "/"]


def test_how_it_was_ranked_is_remembered(engine, site):
    site.show({"/": ["/a"], "/a": ["/"]})
    engine.crawl(site.base + "/", workers=0, rank=False)
    assert engine.stats()["pagerank"] is None
    scores = engine.rank(damping=0.5, loops=True)
    told = engine.stats()["pagerank"]
    assert (told["damping"], told["loops"], told["repeated"]) == (0.5, True, False)
    assert (told["rounds"], told["residual"]) == (scores.rounds, scores.residual)


def test_no_pages_have_no_ranks(engine):
    assert len(engine.rank().values) == 0
    assert engine.top() == []


def test_senseless_damping_is_refused_and_the_ranks_stay(engine, site):
    site.show({"/": []})
    engine.crawl(site.base + "/", workers=0)
    with pytest.raises(BadInput):
        engine.rank(damping=2)
    assert [score for *_, score in engine.top()] == [1]


# -- other rankings ------------------------------------------------------------------------------


@pytest.fixture
def farm(engine, site):
    """A crawl of a small site and of a link farm that hangs on it; gives the scores of a ranking by path."""
    target, *helpers = (f"/farm/{number}" for number in range(4))
    site.show(
        {
            "/": ["/good/a", "/good/b", target],
            "/good/a": ["/good/b", "/"],
            "/good/b": ["/good/a"],
            target: helpers,
            **{helper: [target] for helper in helpers},
        }
    )
    engine.crawl(site.base + "/", workers=0, index=False, rank=False)

    def scores(ranking):
        return {url.removeprefix(site.base): score for url, _, score in engine.top(100, ranking)}

    return scores


def test_trust_flows_from_the_pages_that_are_trusted(engine, farm):
    trust = engine.rank(method="trustrank", trust=["*/good/*"])
    assert trust.converged
    assert farm("trustrank")["/good/a"] > 2 * farm("trustrank")["/farm/0"]
    assert sum(farm("trustrank").values()) == pytest.approx(1)
    assert engine.store.rankings.get("trustrank").parameters["trust"] == ["*/good/*"]


def test_spam_mass_finds_the_farm(engine, farm):
    engine.rank(method="spam-mass", trust=["*/good/*"])
    mass = farm("spam_mass")
    assert {path for path, share in mass.items() if share > 0.5} == {path for path in mass if "/farm/" in path}
    assert mass["/good/a"] < 0


def test_topics_are_ranked_each_and_together(engine, farm):
    engine.rank(method="topic", topics={"good": ["*/good/*"], "farm": ["*/farm/*"]}, prefer={"good": 3})
    good, bad, both = farm("topic:good"), farm("topic:farm"), farm("topic")
    assert both == pytest.approx({path: (3 * good[path] + bad[path]) / 4 for path in good})


def test_hubs_and_authorities_of_the_whole_crawl(engine, farm):
    engine.rank(method="hits")
    assert max(farm("authorities").values()) == max(farm("hubs").values()) == 1


def test_the_policy_for_dead_ends_can_be_chosen(engine, site):
    site.show({"/": ["/a"], "/a": ["/", "/end"], "/end": []})
    engine.crawl(site.base + "/", workers=0, index=False, rank=False)
    assert engine.rank(dangling="leak").values.sum() < 0.9
    assert engine.rank(dangling="remove").values.sum() > 1
    assert engine.stats()["pagerank"]["dangling"] == "remove"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"method": "fame"}, 'unknown ranking "fame": choose from pagerank, trustrank'),
        ({"method": "trustrank"}, "no trusted pages"),
        ({"method": "trustrank", "trust": ["*.edu"]}, r'no page matches "\*\.edu"'),
        ({"method": "topic"}, "at least one topic"),
        ({"method": "topic", "topics": {"x": ["nowhere"]}}, 'no page matches "nowhere"'),
        ({"method": "topic", "topics": {"x": ["*"]}, "prefer": {"y": 1}}, 'unknown topic "y"'),
        ({"dangling": "vanish"}, "unknown dangling policy"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(engine, farm, options, complaint):
    with pytest.raises(BadInput, match=complaint):
        engine.rank(**options)
    assert engine.store.rankings.names() == []


def test_links_are_read_as_arrays_as_they_are_read_row_by_row(garden):
    store = garden.engine.store
    arrays = store.rankings.link_ends()
    assert sorted(zip(*(column.tolist() for column in arrays), strict=True)) == sorted(
        store.db.execute(
            "SELECT links.page_id, urls.page_id, count FROM links JOIN pages ON pages.id = links.page_id "
            "JOIN urls ON urls.id = links.url_id "
            "WHERE urls.page_id IS NOT NULL AND NOT nofollow AND pages.canonical_page_id IS NULL"
        )
    )
    assert len(arrays[0]) > 50


def test_a_file_without_links_has_no_link_ends(engine):
    assert [column.tolist() for column in engine.store.rankings.link_ends()] == [[], [], []]
    graph, nodes = link_graph(engine.store, repeated=True)
    assert (graph.n, len(nodes)) == (0, 0)
