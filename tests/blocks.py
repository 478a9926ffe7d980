"""Rows of an index, apart and in blocks as rare terms are kept."""

from minisearch.packing import Block, apart


def opened(rows):
    """All rows in order, whether they stood alone or in blocks."""
    return sorted(row for each in rows for row in (apart(each) if isinstance(each, Block) else [each]))


def together(rows, size=2):
    """Blocks of `size` rows each, made by hand."""
    rows = sorted(rows)
    for start in range(0, len(rows), size):
        terms, counts, docs, positions, words = zip(*rows[start : start + size], strict=True)
        rest = [places or word.encode() for places, word in zip(positions, words, strict=True)]
        raw = [bytes(map(len, docs)), bytes(map(len, rest)), *docs, *rest]
        yield Block("\n".join(terms), ",".join(map(str, counts)), b"\0" + b"".join(raw))
