"""The map of the crawl, without a browser."""

import json
from xml.etree import ElementTree

import networkx
import pytest


def test_the_graph_is_drawn_by_the_server_and_listed_as_a_table(client):
    html = client.get("/graph?n=10").text
    assert html.count("<circle") == 10
    assert "A garden through the year" in html
    assert "of 26 pages" in html


@pytest.mark.parametrize("colour", ["site", "part"])
def test_the_graph_as_data(client, colour):
    found = client.get(f"/api/graph?n=7&by=hubs&colour={colour}").json
    assert (found["by"], len(found["pages"]), found["total"]) == ("hubs", 7, 26)
    scores = [page["score"] for page in found["pages"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= end < 7 for link in found["links"] for end in link)


def test_an_unknown_ranking_is_refused(client):
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
def test_the_graph_can_be_exported(client, form):
    answer = client.get(f"/graph/export.{form}?n=9")
    assert answer.status_code == 200
    assert f"graph.{form}" in answer.headers["Content-Disposition"]
    assert READERS[form](answer.text) == 9


def test_no_other_file_is_sent(client):
    assert client.get("/graph/export.exe").status_code == 404
    assert client.get("/graph/export.cc").status_code == 404


def test_links_of_the_template_are_hidden_unless_they_are_asked_for(client, read):
    def links(path):
        page = read(client.get(path))
        return len(page.select("path.link")), page.select_one("#template").has_attr("checked"), page.get_text()

    hidden, checked, text = links("/graph")
    assert (hidden, checked) == (80, True)
    assert "21 template links hidden" in text
    shown, checked, text = links("/graph?template=show")
    assert (shown, checked) == (101, False)
    assert "template links hidden" not in text
    assert links("/graph?template=show&template=hide")[0] == hidden  # as the form sends it with the box checked
    assert len(client.get("/api/graph").json["links"]) == shown
    found = client.get("/api/graph?template=hide").json
    assert (len(found["links"]), found["template_links_hidden"]) == (hidden, 21)
    assert client.get("/graph/export.svg?template=hide").text.count('class="link"') == hidden


def test_names_are_drawn_above_all_circles(client):
    svg = client.get("/graph/export.svg").text
    assert svg.rindex("<circle") < svg.index("<text")
