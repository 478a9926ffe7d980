"""The zoo for pytest: the fixture `zoo` opens pens and closes them after the test.

def test_my_crawler_survives_a_drip(zoo):
    pen = zoo.open("drips")
    ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from minisearch.testing.zoo.keeper import Zoo


@pytest.fixture
def zoo() -> Iterator[Zoo]:
    """Servers that misbehave: `zoo.open(name)` gives a pen, `pen.base` its address."""
    from minisearch.testing.zoo.keeper import Zoo

    pens = Zoo()
    yield pens
    pens.close()
