"""Extract: from a page's markup to its title, text, headings and links, in a few times what parsing takes.

Python is slow at walking trees and fast at reading strings. So the tree is walked once, only to sort the elements
that matter; then what is not shown is cut off, marks are written into the tree where lines begin and end, and the
text of the whole is read at one go.

The same with Beautiful Soup, to be read: minisearch/parse/soup.py. The rules of both: minisearch/parse/page.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from minisearch.parse import page as rules
from minisearch.parse.links import LINK_LENGTH
from minisearch.parse.nesting import cut_short, flatten, is_tame
from minisearch.parse.refresh import is_refresh
from minisearch.records import Page

FEW = 10  # elements of a heading that are looked at one by one
NAMED = '[id]:not([id=""]), a[name]:not([name=""])'
PART = "dd dt, dt dt"  # a term that belongs to another
KNOWN = range(1000)  # The parser numbers the elements it knows, and numbers are quicker to get than names.
NUMBERS = {tag: LexborHTMLParser("").create_node(tag).tag_id for tag in rules.KINDS}
A = NUMBERS["a"]
# The parser's methods find out at every call whether they are given text or a node; each of these takes bytes alone.
put_before, put_after = LexborNode.insert_before[bytes], LexborNode.insert_after[bytes]  # type: ignore[index]
KINDS = dict.fromkeys(KNOWN, "") | {NUMBERS[tag]: kind for tag, kind in rules.KINDS.items() if NUMBERS[tag] in KNOWN}


def extract(markup: str | bytes, url: str) -> Page:
    """The record of an HTML page; its markup is text, or bytes that are known to be this text in UTF-8.

    >>> extract("<title>Hello</title><p>See <a href=/b>this</a>!", "http://example.com/a").links
    (Link(url='http://example.com/b', anchor='this', nofollow=False),)
    """
    tree, unread = parse(markup)
    return walk(tree, url, unread)


def parse(markup: str | bytes) -> tuple[LexborHTMLParser, int]:
    """The tree that browsers would build, and how many letters of markup are not in it."""
    text, utf8 = (markup.decode(), markup) if isinstance(markup, bytes) else (markup, b"")
    to_read = cut_short(text)
    cleaned = rules.clean(to_read, utf8 if to_read is text else b"")
    tree = LexborHTMLParser(cleaned if is_tame(cleaned) else flatten(cleaned.decode()).encode())
    return tree, len(text) - len(to_read)


def walk(tree: LexborHTMLParser, url: str, unread: int) -> Page:
    """The record of a page."""
    assert tree.root is not None
    nodes = sort(tree.root)
    title = first_title(nodes["title"])
    refresh = first_refresh(nodes["meta"])
    relations = list(told(nodes["relation"]))
    headings = [(rules.level(node.tag or ""), anchor) for node, anchor in headed(nodes, tree)]
    cut(nodes["skipped"] + nodes["title"] + hidden(tree))
    links: list[tuple[LexborNode, rules.Attributes]] = []
    local, beyond = [], set[str | None]()
    is_local, most = rules.is_local, rules.MOST_LINKS
    for node in nodes["link"]:
        attributes = node.attributes
        href = attributes.get("href")
        if is_local(href) and node.tag_id == A:
            local.append(node)
        elif len(links) < most:
            links.append((node, attributes))
        elif href:
            beyond.add(href)
    cut([node for node in local if rules.is_sign(node.text())])  # permalinks
    mark(nodes)
    marked = "".join(node.text() for node in tree.root.iter() if node.tag == "body")
    spell_out(nodes["image"])
    return rules.page(
        url,
        rules.Seen(
            html=tree.root.attributes,
            title=title,
            refresh=refresh,
            bases=[node.attributes for node in nodes["base"]],
            metas=[node.attributes for node in nodes["meta"]],
            relations=relations,
            links=[
                ("a" if node.tag_id == A else node.tag or "", attributes, node.text()[:LINK_LENGTH])
                for node, attributes in links
            ],
            beyond=beyond,
            headings=headings,
            marked=marked,
            unread=unread,
        ),
    )


def sort(root: LexborNode) -> defaultdict[str, list[LexborNode]]:
    """The elements that matter, by kind. (The content of a <template> is no part of the tree.)"""
    nodes: defaultdict[str, list[LexborNode]] = defaultdict(list)
    kind_of = KINDS.get
    for node in root.traverse():
        if kind := kind_of(node.tag_id, "unknown"):
            nodes[kind].append(node)
    for node in nodes["unknown"]:
        nodes[rules.KINDS.get(node.tag or "", "")].append(node)
    return nodes


def first_title(titles: list[LexborNode]) -> str:
    """The text of the first <title> that is not a drawing's or a formula's."""
    return next((node.text() for node in titles if rules.FOREIGN.isdisjoint(above(node))), "")


def first_refresh(metas: list[LexborNode]) -> str:
    """What the first <meta> says that sends the reader on, and is not there for browsers without scripts alone."""
    for node in metas:
        if is_refresh(attributes := node.attributes) and "noscript" not in above(node):
            return attributes.get("content") or ""
    return ""


def above(node: LexborNode) -> Iterator[str]:
    """The tags in which an element stands, from the inside out."""
    parent = node.parent
    while parent:
        yield parent.tag or ""
        parent = parent.parent


def told(relations: list[LexborNode]) -> Iterator[rules.Attributes]:
    """What the <link>s say that count. The body comes last: after the first that is there, none is looked at again."""
    in_head = True
    for node in relations:
        attributes = node.attributes
        if not rules.is_told(attributes, ["body"]):
            in_head = in_head and rules.is_told(attributes, above(node))
            if not in_head:
                continue
        yield attributes


def headed(nodes: dict[str, list[LexborNode]], tree: LexborHTMLParser) -> list[tuple[LexborNode, str]]:
    """Each heading with the id by which a url can point at it; from now on, terms that define are headings too."""
    taken: set[str] = set()
    found = [(node, rules.first_free(ids(node), taken)) for node in nodes["heading"]]
    terms = nodes.pop("term", [])
    nodes["term"] = []
    parts = {node.mem_id for node in tree.css(PART)} if terms else ()
    for node in terms:
        anchor = rules.first_free(ids(node), taken)
        if anchor or (node.mem_id not in parts and is_name(node)):
            nodes["heading"].append(node)
            found.append((node, anchor))
        else:
            nodes["term"].append(node)
    return found


def is_name(term: LexborNode) -> bool:
    """Whether a term that has no id and is no part of another is a name: not if it leads elsewhere, as in an index."""
    leads = (node.tag_id == A and "href" in node.attributes for node in term.traverse())
    return rules.is_surely_named(term.text()) and not any(leads)


def ids(heading: LexborNode) -> Iterator[str | None]:
    """The ids that lead to a heading: its own, its section's, and the first inside it."""
    yield heading.id
    parent = heading.parent
    if parent and parent.tag in rules.SECTIONS:
        yield parent.id
    for place, node in enumerate(heading.traverse()):
        if place == FEW:  # headings may be nested by the thousand: then the parser looks for it
            inside = heading.css_first(NAMED)
            yield (inside.id or inside.attributes.get("name")) if inside else None
            return
        if place and (found := node.id or (node.attributes.get("name") if node.tag_id == A else None)):
            yield found
            return


def hidden(tree: LexborHTMLParser) -> list[LexborNode]:
    """The elements kept from the reader."""
    return [node for node in tree.css("[hidden], [style]") if rules.is_hidden(node.tag or "", node.attributes)]


def cut(nodes: list[LexborNode]) -> None:
    """Take elements out of the tree, each with all that it holds."""
    for node in nodes:
        node.decompose(recursive=False)


def mark(nodes: dict[str, list[LexborNode]]) -> None:
    """Write into the tree where lines, headings and preformatted text begin and end."""
    for number, node in enumerate(nodes["heading"]):
        before, after = (mark.encode() for mark in rules.marks("heading", number))
        put_before(node, before)
        put_after(node, after)
    for kind in rules.AROUND:
        opening, closing = (mark.encode() for mark in rules.marks(kind))
        for node in nodes[kind]:
            put_before(node, opening)
            if closing:
                put_after(node, closing)


def spell_out(images: list[LexborNode]) -> None:
    """Write what images show into the tree, for the links they stand in."""
    for image in images:
        if alt := image.attributes.get("alt"):
            image.insert_before(f" {alt} ")
