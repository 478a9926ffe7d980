"""Edits: each gives a new web; properties that must hold for any."""

import pytest
from hypothesis import given

from minisearch.errors import BadInput
from minisearch.lab.edits import add_link, add_trap, cut_link, edit, plant_farm, remove_page
from minisearch.lab.presets import web as preset
from minisearch.lab.webs import Web
from minisearch.rank.farm import formula
from minisearch.rank.pagerank import pagerank
from tests.lab.conftest import drawn_webs


def test_one_link_more_makes_the_ten_pages_after():
    assert edit(preset("ten-pages"), "add J A") == preset("ten-pages-one-link-more")


def test_without_page_j_the_ten_pages_are_nine():
    assert edit(preset("ten-pages"), "remove J") == preset("nine-pages")


def test_a_trap_in_the_five_pages_is_the_spider_trap():
    assert edit(preset("five-pages"), "trap A") == preset("spider-trap")


def test_removing_dead_ends_one_by_one_gives_the_steps_of_the_thesis():
    first = edit(preset("two-dead-ends"), "remove E")
    assert first == preset("two-dead-ends-step-1")
    assert edit(first, "remove C") == preset("two-dead-ends-step-2")


def test_a_planted_farm_is_the_published_one():
    around = Web.of(["w1", "w2", "w3", "w4"], [("w1", "w2"), ("w2", "w3"), ("w3", "w4"), ("w3", "w1"), ("w4", "w1")])
    planted = plant_farm(around, "t", 3, ["w1"])
    known = preset("spam-farm")
    assert planted.names[:5] == known.names[:5]
    assert Web(known.names, planted.sources, planted.targets, planted.weights) == known


def test_the_formula_of_a_farm_holds_for_any_number_of_supporters():
    for supporters in (1, 10, 500):
        web = plant_farm(preset("five-pages"), "T", supporters, ["C"])
        ranks = pagerank(web.graph(), dangling="leak", tolerance=1e-14).values
        x = 0.85 * ranks[web.number("C")] / 3  # C has two links of its own, and the one to the farm
        assert ranks[web.number("T")] == pytest.approx(formula(x, supporters, web.n).target, abs=1e-12)


@given(web=drawn_webs())
def test_what_is_added_can_be_cut_again(web):
    fresh = add_link(web, "A", "NEW")
    assert fresh.names == (*web.names, "NEW")
    assert remove_page(fresh, "NEW") == web
    assert cut_link(fresh, "A", "NEW").size == web.size


@given(web=drawn_webs())
def test_a_trap_keeps_who_comes_in(web):
    trapped = add_trap(web, "A").graph()
    assert trapped.targets(0).tolist() == [0]


def test_the_old_web_stays_as_it_was():
    web = preset("five-pages")
    edit(web, "cut A B", "remove C", "dead-end D", "farm E 2 A")
    assert web == preset("five-pages")


def test_names_with_blanks_are_quoted():
    assert edit(Web.of(["a b"]), "add 'a b' c").links() == [("a b", "c", 1.0)]


def test_a_second_farm_gets_other_names():
    web = edit(Web.of("A"), "farm A 2", "farm A 2")
    assert web.names == ("A", "A-s1", "A-s2", "A-s'1", "A-s'2")


BAD = [
    ("cut A Z", 'no page is called "Z"'),
    ("cut A A", "A does not link to A"),
    ("remove Z", 'no page is called "Z"'),
    ("paint A", "start with add, cut, remove"),
    ("add A", "add takes 2 words"),
    ("remove", "remove takes one word"),
    ("farm A", "farm takes 2 or more words"),
    ("farm A many", '"many" is not a number of supporters'),
    ("farm A 0", "a farm has 1 to"),
    ("farm A 99999999", "a farm has 1 to"),
    ("farm A 2 Z", 'no page is called "Z"'),
    ("", "it is empty or has an unbalanced quote"),
    ("add 'A", "it is empty or has an unbalanced quote"),
]


@pytest.mark.parametrize(("line", "told"), BAD)
def test_a_bad_edit_is_told(line, told):
    with pytest.raises(BadInput, match=told):
        edit(Web.of("AB", [("A", "B")]), line)


def test_the_last_page_cannot_go():
    with pytest.raises(BadInput, match="the only page"):
        edit(Web.of("A"), "remove A")
