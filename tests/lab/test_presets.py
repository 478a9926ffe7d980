"""The webs that come with minisearch, held against the published graphs."""

import json
from pathlib import Path

import pytest

from minisearch.errors import BadInput
from minisearch.lab import presets
from minisearch.rank.conventions import CONVENTIONS

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text("utf-8"))


@pytest.mark.parametrize("preset", presets.presets(), ids=lambda preset: preset.name)
def test_a_preset_is_the_published_graph(preset):
    graph = KNOWN["graphs"][preset.id]
    assert list(preset.pages) == graph["nodes"]
    told = sorted((source, target) for source, target in map(tuple, graph["edges"]))
    links = sorted((s, t) for s, t, often in preset.web().links() for _ in range(int(often)))
    assert links == told
    assert presets.web(preset.name) == presets.web(preset.id) == preset.web()


def test_every_published_graph_that_is_complete_is_a_preset():
    complete = {name for name, graph in KNOWN["graphs"].items() if "out_degree" not in graph}
    assert {preset.id for preset in presets.presets()} == complete


def test_names_say_what_a_web_is_and_no_two_are_alike():
    names = [name for preset in presets.presets() for name in (preset.name, preset.id)]
    assert len(names) == len(set(names)) == 32
    assert {"five-pages", "spider-trap", "nine-links"} <= set(names)


def test_the_literature_is_cited_by_author_and_title():
    said = json.dumps([presets.table(name) for name in ("presets", "published", "errata")], ensure_ascii=False)
    assert "seed" not in said.lower()
    assert "E. Stoimenova, Random internet surfing" in {preset.source for preset in presets.presets()}


def test_printed_numbers_belong_to_pages_and_to_a_convention():
    for table in presets.published():
        assert set(table.numbers) <= set(presets.web(table.graph).names)
        assert table.convention in CONVENTIONS
    assert [table.where for table in presets.published("003-four")] == ["equation (5)"]


def test_a_name_that_is_nearly_right_is_guessed():
    with pytest.raises(BadInput, match='did you mean "spider-trap"'):
        presets.web("spidertrap")
    with pytest.raises(BadInput, match="minisearch lab presets"):
        presets.web("nothing like it")
