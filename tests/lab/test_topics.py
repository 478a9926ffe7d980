"""The web around a query: roots, neighbours, no menus, and links that weigh what they say."""

import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.lab.topics import LEAST_FIT, SMALL_SITE, around, without_navigation
from minisearch.lab.webs import Web
from minisearch.rank.hits import hits

SITE = [f"http://site/{number}" for number in range(SMALL_SITE + 5)]
HOME = SITE[0]


def site(*links):
    """A site whose every page links home, with further links."""
    return Web.of(SITE, [*((page, HOME) for page in SITE[1:]), *links])


def test_what_every_page_links_to_is_navigation():
    web = without_navigation(site((SITE[1], SITE[2])))
    assert web.links() == [(SITE[1], SITE[2], 1.0)]
    assert web.names == tuple(SITE)


def test_links_from_other_sites_are_no_navigation():
    outside = [f"http://other/{number}" for number in range(SMALL_SITE)]
    web = Web.of([*SITE, *outside], [*((page, HOME) for page in outside), *((page, HOME) for page in SITE[1:])])
    assert without_navigation(web).links() == [(page, HOME, 1.0) for page in outside]


def test_a_small_site_has_no_navigation():
    web = Web.of(SITE[:5], [(page, HOME) for page in SITE[1:5]])
    assert without_navigation(web) == web


def test_roots_bring_their_neighbours():
    web = site((SITE[1], SITE[2]), (SITE[3], SITE[1]), (SITE[4], SITE[5]))
    found = around(web, {SITE[1]: 3.0})
    assert set(found.names) == {SITE[1], SITE[2], SITE[3]}
    weights = {(source, target): weight for source, target, weight in found.links()}
    assert weights[SITE[1], SITE[2]] == pytest.approx(LEAST_FIT)


def test_a_link_weighs_what_its_pages_fit_and_less_among_many():
    links = [(SITE[1], SITE[2]), *((SITE[3], page) for page in SITE[2:11] if page != SITE[3])]
    found = around(site(*links), {SITE[1]: 2.0, SITE[2]: 4.0, SITE[3]: 4.0})
    weights = {(source, target): weight for source, target, weight in found.links()}
    assert weights[SITE[1], SITE[2]] == pytest.approx(0.5)
    assert weights[SITE[3], SITE[2]] == pytest.approx(1 / np.sqrt(8))


def test_the_topic_decides_who_is_an_authority():
    links = [(SITE[n], SITE[2]) for n in range(3, 6)] + [(SITE[n], SITE[9]) for n in range(10, 16)]
    relevance = {SITE[n]: 1.0 for n in range(2, 6)} | {SITE[n]: 0.05 for n in range(9, 16)}
    web = around(site(*links), relevance)
    best = hits(web.graph(), weighted=True).authorities.values.argmax()
    assert web.names[best] == SITE[2]
    drifting = around(site(*links), relevance, plain=True)
    assert drifting.names[hits(drifting.graph()).authorities.values.argmax()] == HOME


def test_a_query_without_answers_is_told():
    with pytest.raises(BadInput, match="no page matches"):
        around(site(), {"http://elsewhere/": 1.0})
