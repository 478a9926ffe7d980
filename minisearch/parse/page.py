"""What counts in an HTML page, and how: the rules that both extractors share.

An extractor walks its tree and reports the elements that matter (`Elements`), with the text of the page in one string
in which lines, headings and preformatted text are marked (lines.py). `build_page` makes a Page of that.

The extractors: html.py (selectolax) and soup.py (Beautiful Soup), with equal results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from minisearch.models import DEFINITION, Heading, Page
from minisearch.parse.language import declared_language
from minisearch.parse.lines import MARK, assemble, collapse, shorten
from minisearch.parse.links import Attributes, read_links, refresh_target, related_links
from minisearch.parse.robots_meta import has_nofollow, in_meta, noindex_reason
from minisearch.urls import EDGES, join

# -- elements ------------------------------------------------------------------------------------

TAGS = {
    "block": """address article aside blockquote caption center dd details dialog dir div dl fieldset figcaption
        figure footer form header hgroup legend li main menu nav ol p search section summary table tbody tfoot thead
        tr ul""",
    "break": "br hr",
    "cell": "button td text th",  # words apart, on the same line; <text> is a label in a drawing
    "pre": "listing plaintext pre xmp",
    "heading": "h1 h2 h3 h4 h5 h6",
    "term": "dt",  # a heading if it is a definition, else a block
    # never shown, or shown only where something else fails, or there for the reader to change
    "skipped": """annotation annotation-xml audio canvas datalist desc iframe metadata noembed noframes noscript
        object rp rt script select style template textarea video""",
    "title": "title",  # not shown either
    "link": "a area frame",
    "image": "img",
    "base": "base",
    "meta": "meta",
    "relation": "link",
}
KINDS = {tag: kind for kind, tags in TAGS.items() for tag in tags.split()}
SECTIONS = frozenset(["article", "div", "header", "section"])  # whose id serves the heading they begin with
FOREIGN = frozenset(["math", "svg"])  # whose <title> is not the page's
NEVER_HIDDEN = frozenset(["html", "body"])  # scripts that hide the whole page show it again
HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)

TITLE_LENGTH = 80  # of a document without a title
MAX_TITLE, MAX_DESCRIPTION = 500, 2000  # characters; both are shown with every hit
MAX_BASE_TOTAL = 30_000_000  # characters of the base URL, once for each link: a long <base> multiplies


@dataclass(slots=True)
class Elements:
    """What an extractor found in a page."""

    html: Attributes
    title: str
    refresh: str  # content of the first <meta http-equiv="refresh"> that browsers obey
    bases: list[Attributes]
    metas: list[Attributes]
    relations: list[Attributes]  # of <link> that count
    links: list[tuple[str, Attributes, str]]  # tag, attributes and text of <a>, <area> and <frame>
    headings: list[tuple[int, str]]  # level and anchor, by number
    marked_text: str
    unread: int  # characters of markup past the limits


def build_page(url: str, found: Elements) -> Page:
    """The record of a page."""
    base = base_url(url, found.bases)
    directives = [directive for meta in found.metas if (directive := in_meta(meta))]
    nofollow = any(has_nofollow(words) for words, _ in directives)
    most = MAX_BASE_TOTAL // max(len(base), 1)
    odd: dict[str, None] = {}
    links = read_links(found.links[:most], base, nofollow, odd)
    links += related_links(links, found.relations, found.refresh, base, nofollow)
    text, lines = assemble(found.marked_text)
    headings = tuple(_headings(found.headings, lines))
    title = collapse(found.title) or next((heading.text for heading in headings if heading.level == 1), "")
    language, evidence = _language(found)
    return Page(
        url=url,
        title=shorten(title, MAX_TITLE),
        description=shorten(collapse(meta_content(found.metas, "name", "description")), MAX_DESCRIPTION),
        headings=headings,
        text=text,
        links=tuple(links),
        untaken=max(0, len(found.links) - most),
        unread=found.unread,
        odd_links=tuple(odd),
        language=language,
        language_evidence=evidence,
        canonical=_canonical(found.relations, base),
        noindex=next(filter(None, (noindex_reason(*directive) for directive in directives)), ""),
        nofollow=nofollow,
        refresh=refresh_target(found.refresh, base, at_once=True),
    )


def text_page(text: str, url: str) -> Page:
    """The record of a plain text document.

    >>> text_page("One  line\\n\\nand another", "http://example.com/").text
    'One line\\nand another'
    """
    lines = [line for raw in re.split("[\r\n\f]", clean(text)) if (line := collapse(raw))]
    return Page(url=url, title=shorten(lines[0], TITLE_LENGTH) if lines else "", text="\n".join(lines))


def is_hidden(tag: str, attributes: Attributes) -> bool:
    """Whether an element with these attributes is not shown to the reader."""
    return ("hidden" in attributes or bool(HIDING.search(attributes.get("style") or ""))) and tag not in NEVER_HIDDEN


def is_local(href: str | None) -> bool:
    """Whether a link leads to another place on the same page."""
    return href is not None and "#" in href and href.lstrip(EDGES)[0] == "#"


def is_permalink_text(text: str) -> bool:
    """Whether the text of a local link is a mere sign such as ¶ or #, which is left out of the page's text."""
    return not any(map(str.isalnum, text))


def first_free(candidates: Iterable[str | None], taken: set[str]) -> str:
    """The first id that no other heading has, which is taken from now on."""
    for candidate in candidates:
        if candidate and candidate not in taken:
            taken.add(candidate)
            return candidate
    return ""


def base_url(url: str, bases: list[Attributes]) -> str:
    """The URL against which the links of a page are resolved."""
    href = next((attributes["href"] for attributes in bases if "href" in attributes), None)
    return join(href or url, url) or url


def meta_content(metas: list[Attributes], attribute: str, name: str) -> str:
    """The content of the first <meta> of a name that has any."""
    for meta in metas:
        if (meta.get(attribute) or "").strip().lower() == name and (content := meta.get("content")):
            return content
    return ""


def is_relation(attributes: Attributes, parents: Iterable[str]) -> bool:
    """Whether a <link> counts: the HTML standard allows canonical links in the head alone, and so do we, because a
    comment of a visitor may bring one into the body.
    """
    return "canonical" not in (attributes.get("rel") or "").lower() or "body" not in parents


def _language(found: Elements) -> tuple[str, str]:
    """The language that a page declares, such as "sr-cyrl", and where."""
    for stated in (found.html.get("lang"), found.html.get("xml:lang")):
        if stated and (language := declared_language(stated)):
            return language, "html lang"
    language = declared_language(meta_content(found.metas, "http-equiv", "content-language"))
    return (language, "meta tag") if language else ("", "")


def _canonical(relations: list[Attributes], base: str) -> str:
    """The canonical URL that a page names; none if it names several."""
    named = [each for each in relations if "canonical" in (each.get("rel") or "").lower().split()]
    urls = {join(href, base) for each in named if (href := each.get("href"))}
    return urls.pop() if len(urls) == 1 else ""


def _headings(found: list[tuple[int, str]], lines: list[tuple[int, str, int]]) -> Iterator[Heading]:
    """The headings as they are written, and the definitions by their names."""
    for number, line, start in lines:
        level, anchor = found[number]
        if text := definition_name(line, anchor) if level == DEFINITION else line:
            yield Heading(level, text, start, anchor)


# -- bounds --------------------------------------------------------------------------------------

MAX_ELEMENTS = 500_000  # each takes hundreds of bytes in a tree; the largest manuals have half as many
MAX_NESTING = 10_000  # elements in one another, after which a parser needs seconds
PART = 100_000  # characters of markup whose tags are counted together
# Elements that hold nothing, that end where the next one begins, or that cost a parser nothing to nest.
FLAT_TAGS = """area base br col embed hr img input link meta param source track wbr body colgroup dd dt head html li
    optgroup option p rb rp rt rtc tbody td tfoot th thead tr a abbr b big code em font i nobr s small span strike
    strong sub sup tt u"""
NESTING_TAG = re.compile(rf"<(/?)(?!(?:{'|'.join(FLAT_TAGS.split())})[\s/<>])[a-z][^<>]*(?<!/)>", re.IGNORECASE)
SURROGATES = re.compile("[\ud800-\udfff]")


def prepare(markup: str, max_nesting: int = 0) -> tuple[str, int]:
    """The markup for a parser, and how many characters are cut off because the page exceeds the limits."""
    markup = clean(markup)
    max_nesting = max_nesting or MAX_NESTING
    end, tags = len(markup), markup.count("<")
    if tags > MAX_ELEMENTS:
        end = _end_of_elements(markup, MAX_ELEMENTS)
    if tags > max_nesting and _nesting_at_most(markup) > max_nesting:
        end = min(end, _end_of_nesting(markup, max_nesting))
    return markup[:end], len(markup) - end


def clean(markup: str) -> str:
    """The markup without byte order mark, NUL, half characters and the character that marks our lines."""
    markup = markup.removeprefix("\ufeff")
    for sign in ("\0", MARK):
        if sign in markup:
            markup = markup.replace(sign, "")
    try:
        markup.encode()
    except UnicodeEncodeError:
        return SURROGATES.sub("\ufffd", markup)
    return markup


def _end_of_elements(markup: str, most: int) -> int:
    """Where the element begins, or ends, that is one too many; the end of the markup if there is none."""
    too_many = [next(islice(re.finditer(tag, markup), most, None), None) for tag in ("<[a-zA-Z]", "</[a-zA-Z]")]
    return min((tag.start() for tag in too_many if tag), default=len(markup))


def _nesting_at_most(markup: str) -> int:
    """An upper bound of how many elements are in one another, from the number of tags in each part of the markup.

    >>> _nesting_at_most("<div><p>a</p></div><br><div>b</div>")
    4
    """
    depth = most = 0
    for start in range(0, len(markup), PART):
        closed = markup.count("</", start, start + PART)
        opened = markup.count("<", start, start + PART) - closed
        most = max(most, depth + opened)
        depth = max(depth + opened - closed, opened)  # more than `opened` only if all end tags closed something
    return most


def _end_of_nesting(markup: str, most: int) -> int:
    """Where more elements are in one another than are read; the end of the markup if they never are.

    >>> _end_of_nesting("<div>x" * 5, most=3) == len("<div>x" * 3)
    True
    """
    depth = 0
    for tag in NESTING_TAG.finditer(markup):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > most:
            return tag.start()
    return len(markup)


# -- definitions ---------------------------------------------------------------------------------
# A reference puts the names of what it explains, such as the functions of a module, into <dt> with an id. Such a name
# is to its explanation what a heading is to its section: a search for it should find this page, not one that uses it.
# Manuals of programs give no ids: there an option or a constant is recognised by how it is written.

WORD = re.compile(r"\w+(?:\.\w+)*")
CODE = re.compile(r"[a-z][A-Z]|[\w)>][_.:]\w|^\W*--?\w")  # camelCase, snake_case, a.path, --option
OPTION = re.compile(r"(?<![^\s,|/])--?[^\W\d_][\w-]*")
# An option of more than a letter; A_CONSTANT; a.path or a:path, but not a file.
UNMISTAKABLE = re.compile(
    r"""--?[^\W\d_][\w-]+ | \$?[A-Z][A-Z\d]*_[A-Z\d_]+
        |(?!.*\.(?:conf|html|ini|json|txt|xml|ya?ml)$)[^\W\d][\w<>-]*(?:[.:][\w<>-]+)+""",
    re.VERBOSE,
)


def definition_name(line: str, anchor: str) -> str:
    """The name that a <dt> defines: its id if that is a path to it, else the term without arguments; '' for a word.

    >>> definition_name("class Event(name)[source]", "celery.events.Event")
    'celery.events.Event'
    >>> definition_name("max_wal_size (integer)", "GUC-MAX-WAL-SIZE"), definition_name("hash function", "term-hash")
    ('max_wal_size', '')
    >>> definition_name("[q, r] = qr (A)", "index-qr"), definition_name("-n, --max-count=<number>", "")
    ('qr', '--max-count')
    """
    if line.startswith("-") and (options := OPTION.findall(line.replace("[no-]", ""))):
        return str(max(options, key=len))
    head, arguments, _ = line.partition("(")
    if "." in anchor and any(_ends_with(anchor, word) for word in WORD.findall(head)):
        return anchor
    head = head.rpartition(" = ")[2].strip()
    return head if " " not in head and (arguments or CODE.search(head)) else ""


def is_unmistakable_name(text: str) -> bool:
    """Whether a term without an id is a name all the same.

    >>> is_unmistakable_name("core.autocrlf"), is_unmistakable_name("--graph"), is_unmistakable_name("PG_COLOR")
    (True, True, True)
    >>> is_unmistakable_name("PostgreSQL"), is_unmistakable_name("table_name"), is_unmistakable_name("a.txt")
    (False, False, False)
    """
    return UNMISTAKABLE.fullmatch(definition_name(" ".join(text.split()), "")) is not None


def _ends_with(path: str, word: str) -> bool:
    """Whether the last part of a path is a word.

    >>> _ends_with("os.path.join", "join"), _ends_with("os.path.join", "oin")
    (True, False)
    """
    return path.endswith(word) and not path[-len(word) - 1 : -len(word)].isalnum()


def heading_level(tag: str) -> int:
    """The level of a heading or a definition.

    >>> heading_level("h2"), heading_level("dt")
    (2, 7)
    """
    return DEFINITION if tag == "dt" else int(tag[1])
