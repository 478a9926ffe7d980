"""The zoo: servers that misbehave, for testing crawlers.

For pytest, `pytest_plugins = ["minisearch.testing.zoo"]` gives the fixture `zoo`:

    def test_my_crawler_survives_slow_servers(zoo):
        server = zoo.open("slow")
        observed = Observed(my_crawler(server.base + "/"))
        assert not compare(server, server.scenario.expected, observed)
"""

from __future__ import annotations

from collections.abc import Iterator

from minisearch.testing.zoo import responses, sites  # noqa: F401 - they register their scenarios
from minisearch.testing.zoo.scenario import SCENARIOS, Expectations, Observed, ScenarioServer, Zoo, compare, serve_all

__all__ = ["SCENARIOS", "Expectations", "Observed", "ScenarioServer", "Zoo", "compare", "serve_all"]

try:
    import pytest
except ImportError:  # the servers are useful without it
    pass
else:

    @pytest.fixture(name="zoo")
    def _zoo() -> Iterator[Zoo]:
        """Servers that misbehave: `zoo.open(name)` starts one, `server.base` is its URL."""
        with Zoo() as zoo:
            yield zoo
