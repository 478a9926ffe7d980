"""A look at a graph in XML before networkx reads it, which makes up the nodes that are missing."""

from __future__ import annotations

from xml.parsers import expat

from minisearch.lab.lines import clip, wrong


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
