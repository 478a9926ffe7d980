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


def test_whoever_indexes_need_not_load_what_crawling_takes():
    tell = "import minisearch.wiring.indexing, sys; print('requests' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", tell], capture_output=True, text=True).stdout == "False\n"
