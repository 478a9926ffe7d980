import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.replay import ORDERS, Lead, replay
from minisearch.errors import BadInput

TREE = {0: [Lead(1), Lead(2)], 1: [Lead(3), Lead(4)], 2: [Lead(5)], 3: [Lead(0)]}


@pytest.mark.parametrize(
    ("order", "expected"),
    [("breadth", [0, 1, 2, 3, 4, 5]), ("newest", [0, 2, 5, 1, 4, 3]), ("best", [0, 1, 2, 3, 4, 5])],
)
def test_each_order_walks_its_own_way(order, expected):
    assert list(replay([0], TREE, order)) == expected


def test_best_first_follows_what_many_link_to():
    leads = {0: [Lead(1), Lead(2), Lead(3)], 1: [Lead(3), Lead(4)], 2: [Lead(4)]}
    assert list(replay([0], leads, "best")) == [0, 1, 3, 2, 4]


def test_a_page_that_links_twice_counts_once():
    leads = {0: [Lead(1), Lead(2), Lead(2), Lead(2)]}
    assert list(replay([0], leads, "best")) == [0, 1, 2]


def test_a_redirect_is_no_step_further():
    leads = {0: [Lead(1), Lead(2)], 1: [Lead(3, steps=0)], 2: [Lead(4)]}
    assert list(replay([0], leads, "breadth")) == [0, 1, 2, 3, 4]


def test_a_link_that_is_not_followed_leads_nowhere_unless_another_does():
    assert list(replay([0], {0: [Lead(1, followed=False)]}, "breadth")) == [0]
    assert list(replay([0], {0: [Lead(1, followed=False), Lead(1)]}, "breadth")) == [0, 1]
    later = {0: [Lead(2, followed=False), Lead(1)], 1: [Lead(2)]}
    assert list(replay([0], later, "newest")) == [0, 1, 2]


def test_an_unknown_order_is_refused():
    with pytest.raises(BadInput, match="order must be one of"):
        list(replay([0], {}, "worst"))


webs = st.dictionaries(st.integers(0, 8), st.lists(st.builds(Lead, st.integers(0, 8), st.just(1), st.booleans())))


def reached(leads):
    found, waiting = {0}, [0]
    while waiting:
        for lead in leads.get(waiting.pop(), ()):
            if lead.followed and lead.url not in found:
                found.add(lead.url)
                waiting.append(lead.url)
    return found


@given(webs, st.sampled_from(list(ORDERS)))
def test_every_order_comes_to_the_same_pages_each_once(leads, order):
    walked = list(replay([0], leads, order))
    assert len(walked) == len(set(walked))
    assert set(walked) == reached(leads)


@given(webs)
def test_best_first_takes_the_most_linked_one_each_time(leads):
    walked = list(replay([0], leads, "best"))
    for place, url in enumerate(walked[1:], 1):
        before = walked[:place]
        counts = {}
        for page in before:
            for target in {lead.url for lead in leads.get(page, ()) if lead.followed}:
                counts[target] = counts.get(target, 0) + 1
        open_now = {target: count for target, count in counts.items() if target not in before}
        assert open_now[url] == max(open_now.values())
