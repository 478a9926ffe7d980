"""Graphs as other programs keep them: the JSON of GoJS diagrams, and GEXF, GraphML and node-link JSON by networkx.

The JSON of GoJS is the exchange format of the web program of the Belgrade PageRank thesis: `nodeDataArray` with
{id, text} of every page, `linkDataArray` with {from, to, text} of every link, its weight written as text (.33).
Rounded weights do not matter: a page shares out by the proportions of its links, and evenly if all are equal.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from minisearch.errors import BadInput
from minisearch.lab.lines import HEAVIEST, clip, wrong
from minisearch.lab.webs import MOST_REPEATS, Web
from minisearch.rank.matrices import fraction

Scores = Mapping[str, Sequence[float]]  # further columns of a page by their names: pagerank, hub, ...

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold


def load_json(text: str, where: str) -> Any:
    """What a JSON text says; where it is wrong if it is."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise wrong(where, error.lineno, f"this is not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise BadInput(f"{where}: this JSON is nested too deeply") from error


# -- the diagrams of GoJS ----------------------------------------------------------------------


def parse_diagram(text: str, where: str) -> Web:
    """The web of a diagram."""
    data = load_json(text, where)
    if not isinstance(data, dict):
        raise BadInput(f"{where}: a graph in JSON is an object, not a {type(data).__name__}")
    key = str(data.get("nodeKeyProperty", "id"))
    pages = _entries(data, "nodeDataArray", where)
    if not pages:
        raise BadInput(f"{where}: nodeDataArray is empty: the graph has no pages")
    numbers: dict[str, int] = {}
    for place, page in enumerate(pages, 1):
        if not isinstance(page.get(key), str | int):
            raise BadInput(f'{where}: page {place} of nodeDataArray has no "{key}"')
        if str(page[key]) in numbers:
            raise BadInput(f'{where}: page {place} of nodeDataArray repeats the {key} "{page[key]}"')
        numbers[str(page[key])] = len(numbers)
    links = [_link(link, place, numbers, where) for place, link in enumerate(_entries(data, "linkDataArray", where), 1)]
    names = _names([str(page.get("text") or "") for page in pages], list(numbers))
    weights = _evened([link[0] for link in links], [link[2] for link in links])
    return Web.numbered(names, [link[0] for link in links], [link[1] for link in links], weights)


def _entries(data: dict[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    entries = data.get(name, [] if name == "linkDataArray" else None)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadInput(f'{where}: "{name}" is required and must be a list of objects')
    return entries


def _link(link: dict[str, Any], place: int, numbers: dict[str, int], where: str) -> tuple[int, int, float]:
    ends = []
    for end in ("from", "to"):
        if str(link.get(end)) not in numbers:
            raise BadInput(
                f'{where}: link {place} of linkDataArray has "{end}" {link.get(end)!r}, but there is no such page'
            )
        ends.append(numbers[str(link[end])])
    word = link.get("weight", link.get("text", ""))
    try:
        weight = float(fraction(str(word), "a weight")) if str(word).strip() else 1.0
    except (ValueError, ZeroDivisionError, OverflowError):
        weight = math.nan
    if not 0 < weight <= HEAVIEST:
        said = f"a weight must be above 0 and at most {HEAVIEST:g}"
        raise BadInput(f"{where}: link {place} of linkDataArray has the weight {word!r}: {said}")
    return ends[0], ends[1], weight


def _evened(sources: list[int], weights: list[float]) -> list[float]:
    """Weights such that links count 1 each where all the links of their page weigh the same."""
    by_page: dict[int, set[float]] = {}
    for source, weight in zip(sources, weights, strict=True):
        by_page.setdefault(source, set()).add(weight)
    return [1.0 if len(by_page[source]) == 1 else weight for source, weight in zip(sources, weights, strict=True)]


def _names(wanted: list[str], keys: list[str]) -> list[str]:
    """The labels of the pages, unless some have none or share one: then their keys."""
    return wanted if all(wanted) and len(set(wanted)) == len(wanted) else keys


def render_diagram(web: Web) -> str:
    """A web as a diagram: an entry for every single link, with its share of the page's rank as text."""
    pages = [{"id": number, "text": name} for number, name in enumerate(web.names)]
    degrees = web.counts.sum(axis=1)
    heavy = web.size - web.counts.nnz > MOST_REPEATS
    links: list[dict[str, Any]] = []
    for source, target, often in web.links():
        number, whole = web.number(source), often == int(often) and not heavy
        share = (1.0 if whole else often) / degrees[number]
        link = {"from": number, "to": web.number(target), "text": f"{share:.2f}"}
        links += [link] * int(often) if whole else [{**link, "weight": often}]
    uneven = {link["from"] for link in links if "weight" in link}
    links = [{"weight": 1.0, **link} if link["from"] in uneven else link for link in links]
    model = {"class": "GraphLinksModel", "nodeKeyProperty": "id", "nodeDataArray": pages, "linkDataArray": links}
    return json.dumps(model, ensure_ascii=False, indent=1) + "\n"


# -- by networkx -------------------------------------------------------------------------------


def parse_gexf(text: str, where: str) -> Web:
    """The web of a GEXF file, as Gephi writes them."""
    import networkx

    check_ends(text, "GEXF", where)
    return _from_networkx(lambda: networkx.read_gexf(io.BytesIO(text.encode())), "GEXF", where)


def parse_graphml(text: str, where: str) -> Web:
    """The web of a GraphML file."""
    import networkx

    check_ends(text, "GraphML", where)
    return _from_networkx(
        lambda: networkx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True), "GraphML", where
    )


def parse_node_link(text: str, where: str) -> Web:
    """The web of node-link JSON, as D3 and networkx have it; its links are called "links" or "edges"."""
    import networkx

    data = load_json(text, where)
    key = "links" if isinstance(data, dict) and "links" in data else "edges"
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list) or not isinstance(data.get(key), list):
        raise BadInput(f'{where}: node-link JSON is an object with the lists "nodes" and "links"')
    known = {str(page.get("id")) for page in data["nodes"] if isinstance(page, dict)}
    for place, link in enumerate(data[key], 1):
        for end in ("source", "target"):
            if not isinstance(link, dict) or str(link.get(end)) not in known:
                said = link.get(end) if isinstance(link, dict) else link
                raise BadInput(f"{where}: link {place} has the {end} {said!r}, but no page has that id")
    return _from_networkx(
        lambda: networkx.node_link_graph({"directed": True, "multigraph": True, **data}, edges=key), "node-link", where
    )


def _from_networkx(read: Callable[[], Any], form: str, where: str) -> Web:
    import networkx

    try:
        graph = read().to_directed()
    except ParseError as error:
        raise wrong(where, error.position[0], f"this is not {form}: {error}") from error
    except (networkx.NetworkXException, KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise BadInput(f"{where} cannot be read as {form}: {clip(str(error))}") from error
    if not len(graph):
        raise BadInput(f"{where} has no pages")
    numbers = {node: number for number, node in enumerate(graph)}
    labels = [str(facts.get("label") or "") for _, facts in graph.nodes(data=True)]
    sources, targets, weights = [], [], []
    for source, target, weight in graph.edges(data="weight", default=1):
        sources.append(numbers[source])
        targets.append(numbers[target])
        weights.append(_weight(weight, source, target, where))
    names = _names(labels, [str(node) for node in graph])
    if len(set(names)) < len(names):
        raise BadInput(f"{where} has two pages with the same name: {clip(max(names, key=names.count))}")
    return Web.numbered(names, sources, targets, weights)


def _weight(value: Any, source: Any, target: Any, where: str) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = math.nan
    if not 0 < weight <= HEAVIEST:
        said = f"a weight must be above 0 and at most {HEAVIEST:g}"
        raise BadInput(f"{where}: the link from {source} to {target} has the weight {value!r}: {said}")
    return weight


def render_gexf(web: Web, scores: Scores) -> str:
    """A web as GEXF, each page with its name as label and its scores as attributes."""
    import networkx

    return "\n".join(networkx.generate_gexf(_to_networkx(web, scores, xml=True))) + "\n"


def render_graphml(web: Web, scores: Scores) -> str:
    """A web as GraphML, each page with its name as label and its scores as attributes."""
    import networkx

    return "\n".join(networkx.generate_graphml(_to_networkx(web, scores, xml=True))) + "\n"


def render_node_link(web: Web, scores: Scores) -> str:
    """A web as node-link JSON, each page with its scores."""
    import networkx

    data = networkx.node_link_data(_to_networkx(web, scores, xml=False), edges="links")
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _to_networkx(web: Web, scores: Scores, *, xml: bool) -> Any:
    import networkx

    for name in web.names if xml else ():
        if found := CONTROL.search(name):
            raise BadInput(f"the page {name!r} cannot be written as XML: its name contains the character {found[0]!r}")
    graph = networkx.DiGraph()
    for number, name in enumerate(web.names):
        facts = {column: float(values[number]) for column, values in scores.items()}
        facts = {column: value for column, value in facts.items() if math.isfinite(value)}
        graph.add_node(str(number) if xml else name, **({"label": name} if xml else {}), **facts)
    nodes = list(graph)
    for source, target, often in web.links():
        weight = int(often) if often == int(often) else often
        graph.add_edge(nodes[web.number(source)], nodes[web.number(target)], weight=weight)
    return graph


def check_ends(text: str, form: str, where: str) -> None:
    """BadInput, with its line, for the first edge of GEXF or GraphML one end of which is no node."""
    nodes: set[str] = set()
    edges: list[tuple[str, str, int]] = []
    parser = expat.ParserCreate()

    def begins(tag: str, facts: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name == "node":
            nodes.add(facts.get("id", ""))
        elif name == "edge":
            edges.append((facts.get("source", ""), facts.get("target", ""), parser.CurrentLineNumber))

    parser.StartElementHandler = begins
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise wrong(where, error.lineno, f"this is not {form}: {expat.errors.messages[error.code]}") from error
    for number, (*ends, line) in enumerate(edges, 1):
        for verb, end in zip(("comes from", "leads to"), ends, strict=True):
            if end not in nodes:
                raise wrong(where, line, f'edge {number} {verb} "{clip(str(end))}", but no node has that id')
