"""A segment, read back occurrence by occurrence."""

import numpy as np
import pytest

from minisearch.index.codec import decode_block, decode_gaps


def occurrences(segment):
    """(term, page id, field, position) of a segment, in index order; an occurrence that is there twice comes twice."""
    fields = len(segment.lengths)
    decoded = [decode_block(docs, fields) for docs, _ in segment.blocks]
    for term, df, number, place in segment.terms:
        block = decoded[number]
        postings = block.postings(place)
        assert len(postings.docs) == df
        gaps = decode_gaps(segment.blocks[number][1], block, np.arange(*block.bounds[place : place + 2])).tolist()
        for doc, counts in zip(postings.docs.tolist(), postings.tf.T.tolist(), strict=True):
            for field, count in enumerate(counts):
                steps, gaps = gaps[:count], gaps[count:]
                for position in np.cumsum(steps).tolist():
                    yield term, int(segment.pages[doc]), field, position
        assert not gaps


@pytest.fixture(scope="session")
def entries():
    """What a segment holds: the list of (term, page id, field, position)."""
    return lambda segment: list(occurrences(segment))
