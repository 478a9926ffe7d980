"""Reading: what minisearch/crawl/extract.py gives, by walks through a page's tree in C, if that can be done.

The tree is the parser's, or for a page that is written by the book one that is built in a fraction of the time
(minisearch/native/crawl/strict.c). The compiled loops (minisearch/native/crawl/tree.c) call functions of whoever built
it; the parser's are found by their names in the library that selectolax is. Where they are not, or where nothing is
compiled, there is no `reader`.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from functools import lru_cache

from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from minisearch.crawl import markup as rules
from minisearch.crawl.anchors import read_link
from minisearch.crawl.joining import Joiner
from minisearch.crawl.refresh import is_refresh
from minisearch.native.loops import compiled
from minisearch.records import DEFINITION, Link, Page

FUNCTIONS = """lxb_dom_node_first_child_noi lxb_dom_node_next_noi lxb_dom_node_parent_noi lxb_dom_node_tag_id_noi
    lxb_dom_node_type_noi lxb_dom_node_text_content lxb_dom_element_first_attribute_noi
    lxb_dom_element_next_attribute_noi lxb_dom_attr_qualified_name lxb_dom_attr_value_noi
    lxb_dom_element_qualified_name"""
KINDS = ["", *rules.TAGS]  # by number
# And what an element is besides, as minisearch/native/crawl/tree.h has it.
BESIDES = {
    16: frozenset(["a"]),
    32: rules.FOREIGN,
    64: rules.SECTIONS,
    128: frozenset(["body"]),
    256: rules.NEVER_HIDDEN,
    512: frozenset(["noscript"]),
    1024: frozenset(["dd", "dt"]),
}
TEXT = 2048
WORDS = "-text"  # as the parser calls what is no element, but the text between them
KNOWN = 1000  # The parser numbers the elements it knows, and those below this number.
NO_NUMBER = -1
MOST = 8192  # links that are remembered from page to page
LETTERS = 1_000_000  # and letters of them, as they are written and as they are kept
IDS = 3  # what of a heading or a term comes before the ids by which it may go


class Reader:
    """Reads trees, with what is the same for all of them at hand."""

    def __init__(self, most: int = MOST, letters: int = LETTERS) -> None:
        self._memo = compiled.LinkMemo(Link, most, letters, int.from_bytes(os.urandom(8)))
        library = ctypes.CDLL(lexbor.__file__)
        self._functions = tuple(
            ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in FUNCTIONS.split()
        )
        self._what, self._others = what(parsers_numbers())
        self._what_strictly, self._others_strictly = what({tag: n for n, tag in enumerate(compiled.Strict.tags)})

    def __call__(self, parsed: LexborHTMLParser, url: str, unread: int) -> Page | None:
        """The record of a page; None if it has so many links that not all of them are read."""
        assert parsed.root is not None
        tree = compiled.Tree(parsed, parsed.root.mem_id, self._functions, self._what, self._others)
        return self._read(tree, url, unread)

    def read_strictly(self, markup: bytes, url: str) -> Page | None:
        """The record of a page that is written by the book; None if it is not, is unclean, or has too many links."""
        if b"\r" in markup:  # as parsers of HTML do before anything else
            markup = markup.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        strict = compiled.Strict(markup)
        if not strict.root:
            return None
        tree = compiled.Tree(strict, strict.root, strict.functions, self._what_strictly, self._others_strictly)
        return self._read(tree, url, 0)

    def _read(self, tree: compiled.Tree, url: str, unread: int) -> Page | None:
        html, title, bases, metas, relations, headings, terms, links = tree.survey(hides)
        join = Joiner(rules.base(url, bases))
        if links > min(rules.MOST_LINKS, rules.most_links(join)):
            return None
        taken: set[str] = set()
        headed = [(heading[0], rules.first_free(heading[IDS:], taken)) for heading in headings]
        numbers = array("i")
        for term in terms:
            _, address, is_part = term[:IDS]
            anchor = rules.first_free(term[IDS:], taken)
            is_heading = anchor or (not is_part and is_name(tree.words(address)))
            numbers.append(len(headed) if is_heading else NO_NUMBER)
            if is_heading:
                headed.append((DEFINITION, anchor))
        told = rules.Told(
            html=html,
            title=title or "",
            refresh=first_refresh(metas),
            bases=bases,
            metas=[attributes for attributes, _ in metas],
            relations=[attributes for attributes, body in relations if not body or rules.is_told(attributes, ["body"])],
            headings=headed,
            unread=unread,
        )
        wishes = rules.wanted(told)
        nofollow, odd = rules.says_nofollow_to_all(wishes), dict[str, None]()
        where = join.known, join.folders, join.find
        text, lines, found, unplain = tree.read(numbers.tobytes(), *where, self._memo, nofollow)
        for place in sorted(unplain):
            tag, attributes, words = found[place]
            found[place] = read_link(tag, attributes, words, join, nofollow, odd)
        return rules.record(url, told, join, wishes, text, lines, filter(None, found), odd)


def what(numbers: dict[str, int]) -> tuple[bytes, dict[str, int]]:
    """What elements are to us, by number (minisearch/native/crawl/tree.h); and by name, of those that have none."""
    by_number, by_name = array("H", bytes(2 * KNOWN)), dict[str, int]()
    for tag in sorted({*rules.KINDS, *(tag for tags in BESIDES.values() for tag in tags)}):
        kind = KINDS.index(rules.KINDS.get(tag, "")) | sum(bit for bit, tags in BESIDES.items() if tag in tags)
        if numbers.get(tag, KNOWN) < KNOWN:
            by_number[numbers[tag]] = kind
        else:
            by_name[tag] = kind
    by_number[numbers[WORDS]] = TEXT
    return by_number.tobytes(), by_name


def parsers_numbers() -> dict[str, int]:
    """The parser's numbers for those elements that are something to us, and for texts."""
    blank = LexborHTMLParser("text")
    assert blank.root is not None
    tags = {*rules.KINDS, *(tag for tags in BESIDES.values() for tag in tags)}
    text = next(node for node in blank.root.traverse(include_text=True) if node.tag == WORDS)
    return {tag: blank.create_node(tag).tag_id for tag in tags} | {WORDS: text.tag_id}


@lru_cache(maxsize=1000)
def hides(style: str) -> bool:
    """Whether a style keeps what it is of from the reader."""
    return rules.HIDING.search(style) is not None


def first_refresh(metas: list[tuple[rules.Attributes, int]]) -> str:
    """What the first <meta> says that sends the reader on, and is not there for browsers without scripts alone."""
    told = (meta.get("content") or "" for meta, noscript in metas if not noscript and is_refresh(meta))
    return next(told, "")


def is_name(words: str | None) -> bool:
    """Whether a term that has no id and is no part of another is a name: not if it leads elsewhere, as in an index."""
    return words is not None and rules.is_surely_named(words)


def reader() -> Reader | None:
    """A reader, if there can be one."""
    try:
        return Reader() if compiled else None
    except (AttributeError, OSError):
        return None
