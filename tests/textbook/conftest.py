import json
from pathlib import Path

import pytest

DATA = json.loads((Path(__file__).parents[1] / "data" / "oracles.json").read_text(encoding="utf-8"))


@pytest.fixture
def oracles():
    """The published numbers by their id: tests/data/oracles.json."""
    return {oracle["id"]: oracle for oracle in DATA["oracles"]}


@pytest.fixture
def links_of():
    """Gives the published graph of a name as {page: its links}, those to pages never crawled included."""

    def links_of(name):
        graph = DATA["graphs"][name]
        links = {page: [to for source, to in graph["edges"] if source == page] for page in graph["nodes"]}
        for page, degree in graph.get("out_degree", {}).items():
            links[page] += [f"{page}/{number}" for number in range(degree - len(links[page]))]
        return links

    return links_of
