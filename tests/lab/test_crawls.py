"""A crawl as a web, and its map."""

import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.lab.crawls import crawl_of, payers, with_ranks, without_link
from minisearch.lab.maps import MOST_LINKS, as_dict, map_of


def small(hosts=("a.com", "a.com", "b.com", "b.com")):
    """Four pages of two sites, by ids that have gaps: 2 -> 5 -> 7 -> 2, 9 -> 2 twice, 2 -> 2."""
    nodes = [2, 5, 7, 9]
    urls = {node: f"http://{host}/{node}" for node, host in zip(nodes, hosts, strict=True)}
    ends = (np.array([2, 5, 7, 9, 2]), np.array([5, 7, 2, 2, 2]), np.array([1, 1, 1, 2, 1]))
    return crawl_of(nodes, urls, ends, {"mine": np.array([np.nan, np.nan, 0.1, np.nan, np.nan, 0.7])})


def test_a_crawl_becomes_a_web_of_urls():
    crawl = small()
    assert crawl.web.links()[:2] == [
        ("http://a.com/2", "http://a.com/2", 1.0),
        ("http://a.com/2", "http://a.com/5", 1.0),
    ]
    assert list(crawl.columns) == ["pagerank", "mine", "authorities", "hubs", "in", "out"]
    assert crawl.columns["in"].tolist() == [2, 1, 1, 0]  # a repeated link and one to oneself do not count


def test_pages_that_a_ranking_does_not_know_come_last():
    crawl = small()
    assert crawl.first(4, "mine") == [1, 0, 2, 3]
    with pytest.raises(BadInput, match="unknown ranking"):
        crawl.first(1, "fame")


def test_an_empty_file_is_told():
    nothing = np.array([], dtype=np.int64)
    with pytest.raises(BadInput, match="no pages"):
        crawl_of([], {}, (nothing, nothing, nothing), {})


def test_a_part_keeps_the_links_among_its_pages():
    part = small().part([2, 0])
    assert part.links() == [("http://b.com/7", "http://a.com/2", 1.0), ("http://a.com/2", "http://a.com/2", 1.0)]


def test_without_its_only_link_a_page_loses_rank():
    crawl = small()
    before, after = without_link(crawl, "http://a.com/2", "http://a.com/5")
    assert before[5] > after[5]
    assert np.isnan(before[3])
    assert np.nansum(after) == pytest.approx(1)
    with pytest.raises(BadInput, match="does not link"):
        without_link(crawl, "http://a.com/5", "http://a.com/2")


def test_the_links_that_pay_most_come_first():
    crawl = small()
    paid = payers(crawl, ["http://a.com/2", "http://nowhere/"])
    assert [source for source, *_ in paid] == ["http://b.com/7", "http://b.com/9"]
    ranks = dict(zip(crawl.ids, crawl.columns["pagerank"], strict=True))
    assert [worth for *_, worth in paid] == pytest.approx([0.85 * ranks[7], 0.85 * ranks[9]])


def test_links_pay_as_the_pages_were_ranked():
    crawl = small()
    ranks = dict(zip(crawl.ids, crawl.columns["pagerank"], strict=True))
    (_, _, half), *_ = payers(crawl, ["http://a.com/2"], damping=0.5)
    assert half == pytest.approx(0.5 * ranks[7])
    paid = payers(crawl, ["http://a.com/2"], repeated=True, loops=True)
    graph, place = crawl.web.graph(repeated=True, loops=True), crawl.web.numbers
    for source, target, worth in paid:
        share = graph.counts[place[source], place[target]] / graph.out_degree[place[source]]
        assert worth == pytest.approx(0.85 * ranks[crawl.ids[place[source]]] * share)


def test_a_map_has_the_first_pages_with_colours_that_are_explained():
    drawn = map_of(small(), 3)
    assert drawn.ids == (2, 5, 7)
    assert dict(drawn.legend) == {"a.com": 2, "b.com": 1}
    assert drawn.kinds == (0, 0, 1)
    assert len(drawn.at) == 3
    parts = map_of(small(), 4, colour="part")
    assert dict(parts.legend) == {"core": 3, "in": 1, "out": 0, "tendril": 0, "tube": 0, "island": 0}
    assert as_dict(parts, ["t"] * 4)["pages"][3]["group"] == "in"


def test_on_one_site_alone_folders_are_told_apart():
    legend = dict(map_of(small(["a.com"] * 4), 4).legend)
    assert legend == {"a.com/": 4}


def test_of_many_sites_the_smallest_share_a_colour():
    nodes = list(range(1, 31))
    urls = {node: f"http://s{node % 12}.com/{node}" for node in nodes}
    nothing = np.array([], dtype=np.int64)
    drawn = map_of(crawl_of(nodes, urls, (nothing, nothing, nothing), {}), 30)
    assert len(drawn.legend) == 8
    assert drawn.legend[-1][0] == "others"
    assert sum(count for _, count in drawn.legend) == 30


def test_of_too_many_links_those_to_famous_pages_are_left_out():
    n = 80
    nodes = list(range(1, n + 1))
    pairs = np.array([(a, b) for a in nodes for b in nodes if a != b and (b <= 40 or b == a % n + 1)])
    ends = (pairs[:, 0], pairs[:, 1], np.ones(len(pairs), dtype=np.int64))
    drawn = map_of(crawl_of(nodes, {node: f"http://x/{node}" for node in nodes}, ends, {}), n)
    assert len(drawn.links) == MOST_LINKS
    assert drawn.more_links == len(pairs) - MOST_LINKS
    place = {number: spot for spot, number in enumerate(drawn.ids)}
    assert all((place[a], place[a + 1]) in set(drawn.links) for a in range(41, n))


@pytest.mark.parametrize("wrong", [{"count": 0}, {"count": 501}, {"ranking": "fame"}, {"colour": "mood"}])
def test_a_map_that_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(BadInput):
        map_of(small(), **wrong)


def test_a_link_of_the_template_is_one_that_most_pages_of_its_site_have():
    sites = ["a.com"] * 8 + ["b.com"] * 2
    urls = {node: f"http://{site}/{node}" for node, site in enumerate(sites)}
    menu = [(node, 0) for node in range(1, 7)]  # 6 of 8 pages of one site
    other = [(8, 9), (9, 8), (8, 0), (1, 7), (2, 7), (3, 7), (0, 1)]
    ends = tuple(np.array(side, dtype=np.int64) for side in zip(*menu, *other, strict=True))
    crawl = crawl_of(list(urls), urls, (*ends, np.ones(len(ends[0]), dtype=np.int64)), {})
    drawn = map_of(crawl, 10, template=False)
    names = [(drawn.urls[source], drawn.urls[target]) for source, target in drawn.links]
    assert sorted(names) == sorted((urls[source], urls[target]) for source, target in other)
    assert drawn.template_links == 6
    assert len(map_of(crawl, 10).links) == 13


def test_with_the_present_ranks_no_hit_moves(garden):
    engine = garden.engine
    hits = engine.search("garden", limit=20, snippets=False, fold=False).hits
    ranks = engine.store.rankings.get("pagerank").vector
    shifts = with_ranks(hits, ranks, engine.ranking()["blend"])
    assert [(shift.place, shift.then) for shift in shifts] == [(place, place) for place in range(1, len(hits) + 1)]
    assert [shift.score_then for shift in shifts] == pytest.approx([hit.score for hit in hits])


def test_pages_with_all_words_stay_before_the_others(garden):
    hits = garden.engine.search("hedge maze roses", limit=20, snippets=False, fold=False).hits
    ranks = np.full(100, 1e-9)
    ranks[hits[-1].page_id] = 1.0
    shifts = with_ranks(hits, ranks, 0.9)
    complete = [shift.hit.all_words for shift in shifts]
    assert complete == sorted(complete, reverse=True)
