"""The map of the crawl, without a browser."""

import json
from xml.etree import ElementTree

import networkx
import pytest


def test_the_map_is_drawn_by_the_server_and_told_as_a_table(client):
    html = client.get("/graph?n=10").text
    assert html.count("<circle") == 10
    assert "A garden through the year" in html
    assert "links among them" in html


@pytest.mark.parametrize("colour", ["site", "part"])
def test_the_map_as_data(client, colour):
    found = client.get(f"/api/graph?n=7&by=hubs&colour={colour}").json
    assert (found["by"], len(found["pages"]), found["total"]) == ("hubs", 7, 26)
    scores = [page["score"] for page in found["pages"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= end < 7 for link in found["links"] for end in link)


def test_an_unknown_ranking_is_told(client):
    answer = client.get("/api/graph?by=fame")
    assert answer.status_code == 400
    assert "pagerank" in answer.json["detail"]


READERS = {
    "gexf": lambda text: len(ElementTree.fromstring(text).findall(".//{*}node")),
    "graphml": lambda text: networkx.parse_graphml(text).number_of_nodes(),
    "json": lambda text: len(json.loads(text)["nodes"]),
    "svg": lambda text: len(ElementTree.fromstring(text).findall(".//{*}circle")),
    "csv": lambda text: len({cell for line in text.splitlines()[1:] for cell in line.split(",")[:2] if cell}),
}


@pytest.mark.parametrize("form", READERS)
def test_the_map_can_be_taken_along(client, form):
    answer = client.get(f"/graph/export.{form}?n=9")
    assert answer.status_code == 200
    assert f"graph.{form}" in answer.headers["Content-Disposition"]
    assert READERS[form](answer.text) == 9


def test_no_other_file_is_handed_out(client):
    assert client.get("/graph/export.exe").status_code == 404
    assert client.get("/graph/export.cc").status_code == 404
