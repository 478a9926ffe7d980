"""The zoo: servers that misbehave, for testing crawlers.

For pytest, `pytest_plugins = ["minisearch.testing.zoo"]` gives the fixture `zoo`:

    def test_my_crawler_survives_slow_servers(zoo):
        server = zoo.open("slow")
        observed = Observed(my_crawler(server.base + "/"))
        assert not compare(server, server.scenario.expected, observed)
"""

from __future__ import annotations

from collections.abc import Iterator

from minisearch.testing.zoo import content, responses, robots, traps
from minisearch.testing.zoo.expectations import Costs, Count, Expectations, Observed, compare
from minisearch.testing.zoo.scenario import SCENARIOS, Scenario, ScenarioServer, Zoo

__all__ = [
    "SCENARIOS", "Costs", "Count", "Expectations", "Observed", "Scenario", "ScenarioServer", "Zoo", "compare",
    "content", "responses", "robots", "traps",
]  # fmt: skip

try:
    import pytest
except ImportError:  # the servers are useful without it
    pass
else:

    @pytest.fixture(name="zoo")
    def _zoo() -> Iterator[Zoo]:
        """Servers that misbehave: `zoo.open(name)` starts one, `server.base` is its URL."""
        zoo = Zoo()
        yield zoo
        zoo.close()
