"""What occurrences are weighed by: the same by the length of a field as page by page."""

import numpy as np
import pytest

from minisearch.search import bm25
from minisearch.search.occurrences import MOST_LENGTHS, Scale
from minisearch.search.recipe import DEFAULT

COUNTS = np.array([1, 3, 2, 255], dtype=np.uint8)


@pytest.mark.parametrize("longest", [0, 7, MOST_LENGTHS - 1, MOST_LENGTHS, 500_000])
def test_a_count_is_worth_the_same_however_long_the_longest_field_is(longest):
    lengths = np.array([1, longest, 5, 0], dtype=np.uint32)
    average = float(lengths.mean())
    scale = Scale(DEFAULT, {"title": lengths}, {"title": average}, len(lengths))
    docs = np.array([3, 1, 0, 2], dtype=np.int32)
    norms = bm25.norm(lengths[docs], average, "title", DEFAULT)
    assert scale.saturation("title", COUNTS, docs).tolist() == bm25.saturation(COUNTS, norms, DEFAULT.k1).tolist()


def test_a_field_that_no_page_has_is_weighed_too():
    scale = Scale(DEFAULT, {"title": np.zeros(3, dtype=np.uint8)}, {"title": 0.0}, 3)
    expected = bm25.saturation(COUNTS[:1], np.array([DEFAULT.k1]), DEFAULT.k1)
    assert scale.saturation("title", COUNTS[:1], np.array([1])).tolist() == expected.tolist()
