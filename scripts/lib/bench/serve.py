"""How many searches a second the server answers end to end, and how long each takes: wrk asks, two processes answer.

The queries are those of `scripts/bench search`, over its file; every answer is a whole page of results. At half load
each connection waits between two questions, so that they come at half the rate that was reached at full load.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus
from urllib.request import urlopen

from bench.places import BENCH, OURS, say
from bench.report import number, table

CONNECTIONS = 16
SCRIPT = """
local queries = {%s}
local at = %d
request = function()
  at = at %% #queries + 1
  return wrk.format("GET", "/search?q=" .. queries[at])
end
function delay() return %d end
"""


def measure(options: Namespace) -> dict[str, Any]:
    """Requests a second at full load, and how long they take at half of it."""
    if not shutil.which("wrk"):
        sys.exit("this bench needs wrk: apt-get install wrk")
    found = sorted(BENCH.glob("search/*/minisearch/minisearch.db"), key=lambda path: path.stat().st_mtime)
    db = Path(options.db) if options.db else found[-1] if found else None
    if db is None:
        sys.exit("there is no file to serve: run scripts/bench search first, or name one with --db")
    queries = json.loads((db.parent.parent / "queries.json").read_text("utf-8"))
    command = [str(OURS), "-m", "minisearch", "serve", "--db", str(db), "--port", "0"]
    command += ["--workers", str(options.workers), "--threads", str(options.threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://\S+", server.stdout.readline()).group()  # type: ignore[union-attr]
            home = sum(len(urlopen(address + path).read()) for path in assets(address))  # noqa: S310
            for query in queries:
                urlopen(f"{address}search?q={quote_plus(query)}").read()  # noqa: S310  # all words read once
            say(f"full load, {CONNECTIONS} connections, {options.seconds} s ...")
            full = wrk(address, queries, options.seconds, 0)
            say("half of it ...")
            pause = round(2000 * CONNECTIONS / full["rate"])
            half = wrk(address, queries, options.seconds, pause)
        finally:
            server.terminate()
    return {"full": full, "half": half, "workers": options.workers, "queries": len(queries), "home": home}


def assets(address: str) -> list[str]:
    """The addresses of all that the home page loads."""
    html = urlopen(address).read().decode()  # noqa: S310
    known = re.findall(r'(?:href|src)="/(static/[^"]+\.(?:css|js|svg))"', html)
    folder = known[0].rpartition("/")[0]
    return ["", *known, *(f"{folder}/{name}.js" for name in ("suggest", "keys", "reorder"))]


def wrk(address: str, queries: list[str], seconds: int, pause: int) -> dict[str, float]:
    """What wrk says."""
    listed = ", ".join(json.dumps(quote_plus(query)) for query in queries)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (listed, 0, pause))
        script.flush()
        command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", script.name, address]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said:
        sys.exit(f"some answers were errors:\n{said}")
    told = {share: milliseconds(said, share) for share in ("50%", "99%")}
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1)), **told}  # type: ignore[union-attr]


def milliseconds(said: str, share: str) -> float:
    """A line of wrk's table."""
    value, unit = re.search(rf"\s{share}\s+([\d.]+)(us|ms|s)", said).groups()  # type: ignore[union-attr]
    return float(value) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def tables(figures: dict[str, Any]) -> str:
    """As people read it."""
    rows = [
        [name, number(figures[name]["rate"]), number(figures[name]["50%"]), number(figures[name]["99%"])]
        for name in ("full", "half")
    ]
    head = [f"load ({figures['workers']} processes)", "searches a second", "p50, ms", "p99, ms"]
    return f"{table(head, rows)}\n\nhome page with all it loads: {figures['home']:,} bytes"
