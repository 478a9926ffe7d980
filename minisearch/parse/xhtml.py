"""XHTML: pages that are XML, made ready for those who read HTML.

In XML every element may close itself: `<script src="x.js"/>` is whole. To a parser of HTML it is open, and all that
follows is a part of the script; after `<title/>` the whole page is its title. So such tags are written out
(`<title></title>`) before a page is parsed, if its server says that it is XHTML. Only what is XML to the letter is
touched: a stroke after a value without quotes belongs to the value, and scripts may hold anything.
"""

from __future__ import annotations

import re

XHTML = "application/xhtml+xml"
# Elements that are empty in HTML as well, where an end of their own would be an error, or one more of them.
EMPTY_TAGS = """area base basefont bgsound br col embed frame hr image img input keygen link meta param source track
    wbr"""
EMPTY = frozenset(EMPTY_TAGS.split())
# What holds no tags is passed over, even if it never ends, and none of it is read twice.
CLOSED = re.compile(
    r"""<!--.*?(?:-->|\Z) | <!\[CDATA\[.*?(?:\]\]>|\Z) | <\?.*?(?:\?>|\Z)
        |<([a-z][\w:.-]*+)(?:\s++[^\s"'<>/=]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+/>
        |<(script|style|title|textarea|iframe|xmp|noembed|noframes)(?=[\s/>])[^<>]*+>.*?(?:</\2|\Z)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)


def written_out(markup: str) -> str:
    """The markup of a page with an end to each element that closes itself.

    >>> written_out('<title/><script src="x.js" /><p>a<br/>b</p>')
    '<title></title><script src="x.js" ></script><p>a<br/>b</p>'
    """
    return CLOSED.sub(_with_end, markup)


def _with_end(found: re.Match[str]) -> str:
    name = found[1]
    return found[0] if not name or name.lower() in EMPTY else f"{found[0][: -len('/>')]}></{name}>"
