"""Files that somebody drops on the lab page: one in any of the formats, or Common Crawl's two; also packed."""

from __future__ import annotations

from collections.abc import Sequence

from minisearch.errors import BadInput
from minisearch.lab import address, edgelist
from minisearch.lab.lines import GZIP, clip, decode, unpack
from minisearch.lab.question import MOST_LETTERS, check, read
from minisearch.lab.webs import Web


def opened(files: Sequence[tuple[str, bytes]]) -> str:
    """The graph in uploaded files, in compact notation.

    >>> opened([("links.csv", b"A,B\\nB,A\\n")])
    'A:B;B:A'
    """
    texts = {clip(name): decode(unpacked(data, clip(name)), clip(name)) for name, data in files}
    if len(texts) > 1:
        return address.written(check(_pair(texts)))
    ((name, text),) = texts.items()
    return address.written(check(read(text, name=name)))


def _pair(texts: dict[str, str]) -> Web:
    vertices = [name for name in texts if "vertices" in name]
    edges = [name for name in texts if "edges" in name]
    if len(texts) != 2 or len(vertices) != 1 or len(edges) != 1:
        raise BadInput("choose one file, or two of Common Crawl: one with vertices and one with edges in its name")
    where = (vertices[0], edges[0])
    return edgelist.parse_vertices(texts[where[0]], texts[where[1]], where=where)


def unpacked(data: bytes, name: str) -> bytes:
    """The bytes of a file, decompressed if it is gzip."""
    found = unpack(data, name, MOST_LETTERS) if data.startswith(GZIP) else data
    if len(found) > MOST_LETTERS:
        raise BadInput(f"{name} is too long: the limit is {MOST_LETTERS:,} bytes")
    return found
