import gc
import subprocess
import sys

import pytest

from minisearch.crawl.calm import LITTER, calm


@pytest.mark.parametrize(("before", "within"), [(700, LITTER), (0, 0), (10 * LITTER, 10 * LITTER)])
def test_rings_of_garbage_are_sought_less_often_only_while_pages_are_read(before, within):
    kept = gc.get_threshold()
    try:
        gc.set_threshold(before, 10, 10)
        with calm():
            assert gc.get_threshold() == (within, 10, 10)
        assert gc.get_threshold() == (before, 10, 10)
    finally:
        gc.set_threshold(*kept)


def test_what_was_made_in_calm_is_not_yet_to_be_looked_through_when_it_is_over():
    with calm():
        records = [[number] for number in range(10_000)]
    assert gc.get_count()[0] < gc.get_threshold()[0]
    assert len(records) == 10_000


def test_whoever_indexes_need_not_load_what_crawling_takes():
    tell = "import minisearch.index.indexer, sys; print('requests' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", tell], capture_output=True, text=True).stdout == "False\n"
