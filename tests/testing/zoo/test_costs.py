"""No scenario fills the memory or the disk: the heavy ones are crawled and measured in a process of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minisearch.testing.zoo import SCENARIOS

HEAVY = [name for name, scenario in SCENARIOS.items() if scenario.expected.costs.memory]
CRAWL = """
import json, re, sys
from minisearch import Engine
from minisearch.crawl import frontier
from minisearch.limits import Limits
url, path, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
frontier.FIRST_BACKOFF = 0.05
with Engine(path) as engine:
    limits = Limits(**settings.pop("limits"))
    engine.crawl(url, workers=0, index=False, rank=False, limits=limits, **settings)
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how large a process has been")
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_scenario_fills_neither_memory_nor_disk(name, tmp_path, zoo):
    server, path = zoo.open(name), tmp_path / "zoo.db"
    expected = server.scenario.expected
    command = [sys.executable, "-c", CRAWL, server.base + "/", str(path), json.dumps(expected.crawl)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    child = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    # Not what the system says of a child that has ended: that begins with the size of the process it came from.
    assert int(child.stdout) * 1024 <= expected.costs.memory
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= expected.costs.disk
