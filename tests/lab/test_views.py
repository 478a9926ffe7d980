"""What there is to see on a web, as plain data."""

import json

import pytest

from minisearch.errors import BadInput
from minisearch.lab.experiment import Experiment, perform
from minisearch.lab.presets import presets
from minisearch.lab.presets import web as preset
from minisearch.lab.results import as_dict, order_of, picture
from minisearch.lab.views import (
    BOW_TIE,
    blocks_view,
    bow_tie_view,
    comparison_view,
    conventions_view,
    draw_view,
    farm_view,
    matrix_view,
    removal_view,
    stripes_view,
)
from minisearch.lab.webs import Web


@pytest.mark.parametrize("name", [one.name for one in presets()])
def test_every_preset_can_be_seen_in_every_view(name):
    web = preset(name)
    views = [removal_view(web, damping=0.85), bow_tie_view(web), blocks_view(web, 2), farm_view(web, 3, web.names[:1])]
    for view in (*views, comparison_view(web, web), conventions_view()):
        assert json.dumps(view, allow_nan=False)
    rows = matrix_view(web, "G")["entries"]
    assert {sum(row) for row in rows} == {1}


def test_removal_tells_what_goes_and_what_comes_back(oracles):
    found = removal_view(preset("two-dead-ends"))
    assert [step["page"] for step in found["removed"]] == ["E", "C"]
    assert {row["page"]: row["exact"] for row in found["ranks"]} == {
        "A": "2/9", "B": "4/9", "C": "13/54", "D": "1/3", "E": "13/54",
    }  # fmt: skip


def test_what_has_no_ranks_is_still_taken_apart():
    found = removal_view(preset("bow-tie"))
    assert [step["page"] for step in found["removed"]] == ["O1", "T1", "T2", "U1"]
    assert found["ranks"] == []
    assert "2 closed groups" in found["note"]
    assert "choose damping below 1" in found["note"]
    assert removal_view(preset("bow-tie"), damping=0.85)["ranks"]


def test_a_web_without_circles_shrinks_to_nothing():
    found = removal_view(Web.of("ABC", ["AB", "BC"]))
    assert [step["page"] for step in found["removed"]] == ["C", "B", "A"]
    assert "every page was removed" in found["note"]


def test_removal_of_a_large_web_is_not_exact_but_told():
    names = [f"p{number}" for number in range(150)]
    ring = Web.of(names, [*zip(names, [*names[1:], names[0]], strict=True), ("p0", "p2")])
    found = removal_view(ring, damping=0.85)
    assert found["sum"] == pytest.approx(1)
    assert found["verdict"].startswith("converged after")


def test_stripes_hold_every_link_once(oracles):
    web = preset("000-four")
    found = stripes_view(web, 2)["stripes"]
    links = [(page, target) for part in found.values() for page, (_, targets) in part.items() for target in targets]
    assert sorted(links) == sorted(link[:2] for link in web.links())
    assert [list(part) for part in found.values()] == [["A", "B"], ["C", "D"]]


def test_a_draw_leads_where_the_published_one_does():
    found = draw_view(preset("nine-links"), "2", 0.43, damping="0.9")
    assert [round(upto, 3) for *_, upto in found["points"]] == [0.205, 0.59, 0.615, 1]
    assert found["to"] == "1"
    with pytest.raises(BadInput, match="a draw must be in"):
        draw_view(preset("nine-links"), "2", 1.0)


def test_parts_of_the_bow_tie_are_explained():
    assert set(bow_tie_view(preset("bow-tie"))["parts"]) == set(BOW_TIE)


def test_an_outcome_is_plain_data_with_places():
    web = preset("four-pages")
    found = as_dict(web, perform(web, Experiment(rounds=2, trace=True)), traced=True)
    assert [row["place"] for row in found["pages"]] == sorted(row["place"] for row in found["pages"])
    assert len(found["trace"]) == 3
    assert json.dumps(found, allow_nan=False)


def test_pages_that_differ_by_a_rounding_error_stay_in_their_order():
    import numpy as np

    assert order_of(np.array([0.25, 0.25 + 1e-16, 0.5])) == [(2, 1), (0, 2), (1, 2)]


def test_pictures_are_chosen_by_name():
    web = preset("four-pages")
    outcome = perform(web, Experiment(trace=True))
    assert picture(web, outcome, "four", "ranks").title == "four: ranks by iteration"
    with pytest.raises(BadInput, match='unknown picture "art"'):
        picture(web, outcome, "four", "art")
