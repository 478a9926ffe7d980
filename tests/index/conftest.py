"""A segment, read back as people would write it down."""

import pytest

from minisearch.packing import unpack, unpack_positions
from minisearch.text.spellings import MARK
from tests.blocks import opened


def written_out(segment, rows):
    """{(term, page id, field, place)} of a segment with these rows."""
    fields = len(segment.lengths)
    words = set()
    for row in (row for row in opened(rows) if not row.term.startswith(MARK)):
        postings = unpack(row.docs, row.df, fields)
        runs = postings.table()
        places = iter(unpack_positions(row.positions, postings).tolist())
        for doc, counts in zip(postings.docs.tolist(), runs.tolist(), strict=True):
            for field, count in enumerate(counts):
                words.update((row.term, int(segment.pages[doc]), field, next(places)) for _ in range(count))
    return words


@pytest.fixture(scope="session")
def entries():
    """What a segment says: the set of (term, page id, field, place)."""
    return lambda segment, rows=None: written_out(segment, segment.rows if rows is None else rows)
