"""From the markup of a page to a Page, with selectolax.

Python is slow at walking trees and fast at reading strings. So the tree is walked once, to sort the elements that
matter; then what is not shown is removed, marks are inserted where lines begin and end (lines.py), and the text of the
whole page is taken at once.

The same with Beautiful Soup: soup.py. The rules of both: page.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from minisearch.models import Page
from minisearch.parse import page as rules
from minisearch.parse.lines import AROUND, marks
from minisearch.parse.links import LINK_LENGTH, Attributes, is_refresh

NAMED = '[id]:not([id=""]), a[name]:not([name=""])'
NESTED_TERM = "dd dt, dt dt"  # a term that is a part of another

Nodes = defaultdict[str, list[LexborNode]]


def extract(markup: str, url: str) -> Page:
    """The record of an HTML page.

    >>> extract("<title>Hello</title><p>See <a href=/b#c>this</a>!", "http://example.com/a").links
    (Link(url='http://example.com/b', anchor='this', nofollow=False, fragment='c'),)
    """
    markup, unread = rules.prepare(markup)
    try:
        tree = LexborHTMLParser(markup.encode())
    except SelectolaxError as error:  # it parses any markup that there is memory for
        raise MemoryError from error
    assert tree.root is not None
    nodes = sort(tree.root)
    title = next((node.text() for node in nodes["title"] if rules.FOREIGN.isdisjoint(parents(node))), "")
    refresh = first_refresh(nodes["meta"])
    relations = [*counting_relations(nodes["relation"])]
    headings = [(rules.heading_level(node.tag or ""), anchor) for node, anchor in headings_and_definitions(nodes, tree)]
    remove(nodes["skipped"] + nodes["title"])
    remove([node for node in tree.css("[hidden], [style]") if rules.is_hidden(node.tag or "", node.attributes)])
    links = []
    for node in nodes["link"]:
        attributes = node.attributes
        if node.tag != "a" or not rules.is_local(attributes.get("href")):
            links.append((node, attributes))
        elif rules.is_permalink_text(node.text()):
            node.decompose(recursive=False)
    insert_marks(nodes)
    marked_text = "".join(node.text() for node in tree.root.iter() if node.tag == "body")
    insert_image_texts(nodes["image"])
    return rules.build_page(
        url,
        rules.Elements(
            html=tree.root.attributes,
            title=title,
            refresh=refresh,
            bases=[node.attributes for node in nodes["base"]],
            metas=[node.attributes for node in nodes["meta"]],
            relations=relations,
            links=[(node.tag or "", attributes, node.text()[:LINK_LENGTH]) for node, attributes in links],
            headings=headings,
            marked_text=marked_text,
            unread=unread,
        ),
    )


def sort(root: LexborNode) -> Nodes:
    """The elements that matter, by kind. (The content of a <template> is no part of the tree.)"""
    nodes: Nodes = defaultdict(list)
    kind_of = rules.KINDS.get
    for node in root.traverse():
        if kind := kind_of(node.tag or ""):
            nodes[kind].append(node)
    return nodes


def first_refresh(metas: list[LexborNode]) -> str:
    """The content of the first refresh that is not only for browsers without scripts."""
    for node in metas:
        if is_refresh(node.attributes) and "noscript" not in parents(node):
            return node.attributes.get("content") or ""
    return ""


def parents(node: LexborNode) -> Iterator[str]:
    """The tags of the elements that hold an element, from the inside out."""
    parent = node.parent
    while parent:
        yield parent.tag or ""
        parent = parent.parent


def counting_relations(relations: list[LexborNode]) -> Iterator[Attributes]:
    """The attributes of the <link>s that count."""
    in_head = True  # after a link in the body, all others are there
    for node in relations:
        attributes = node.attributes
        in_head = in_head and "body" not in parents(node)
        if rules.is_relation(attributes, () if in_head else ("body",)):
            yield attributes


def headings_and_definitions(nodes: Nodes, tree: LexborHTMLParser) -> list[tuple[LexborNode, str]]:
    """Each heading with its id. Terms that are definitions become headings, in `nodes`, too."""
    taken: set[str] = set()
    found = [(node, rules.first_free(ids(node), taken)) for node in nodes["heading"]]
    terms = [(node, rules.first_free(ids(node), taken)) for node in nodes.pop("term", [])]
    nested = set() if all(anchor for _, anchor in terms) else {node.mem_id for node in tree.css(NESTED_TERM)}
    for node, anchor in terms:
        if anchor or (node.mem_id not in nested and is_name(node)):
            nodes["heading"].append(node)
            found.append((node, anchor))
        else:
            nodes["term"].append(node)
    return found


def is_name(term: LexborNode) -> bool:
    """Whether a term without an id is a name; not if it leads elsewhere, as in an index."""
    return rules.is_unmistakable_name(term.text()) and term.css_first("a[href]") is None


def ids(heading: LexborNode) -> Iterator[str | None]:
    """The ids that lead to a heading: its own, its section's, and the first inside it."""
    yield heading.id
    parent = heading.parent
    if parent and parent.tag in rules.SECTIONS:
        yield parent.id
    inside = next((node for node in heading.css(NAMED) if node.mem_id != heading.mem_id), None)
    yield (inside.id or inside.attributes.get("name")) if inside else None


def remove(nodes: list[LexborNode]) -> None:
    """Take elements out of the tree, each with all that it holds."""
    for node in nodes:
        node.decompose(recursive=False)


def insert_marks(nodes: Nodes) -> None:
    """Insert marks where lines, headings and preformatted text begin and end."""
    for number, node in enumerate(nodes["heading"]):
        before, after = marks("heading", number)
        node.insert_before(before)
        node.insert_after(after)
    for kind, (before, after) in AROUND.items():
        for node in nodes[kind]:
            node.insert_before(before)
            if after:
                node.insert_after(after)


def insert_image_texts(images: list[LexborNode]) -> None:
    """Insert what images show, for the links that hold them."""
    for image in images:
        if alt := image.attributes.get("alt"):
            image.insert_before(f" {alt} ")
