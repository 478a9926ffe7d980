"""How many searches a second the server answers end to end, and how long each takes: wrk asks, two processes answer.

Every response is a whole page of results. There are several thousand fresh queries of one to six words, drawn from
titles; the same few hundred again and again show what cached postings are worth. At half load each connection waits
between two requests, so that they come at half the rate that was reached at full load.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
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
from bench.speed import draw

CONNECTIONS = 16
FRESH = 8_000  # different queries
REPEATED = 200
SCRIPT = """
local queries = {%s}
local threads = 0
function setup(thread)
  thread:set("at", math.floor(threads * #queries / 2))  -- no thread asks what another has just asked
  threads = threads + 1
end
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
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as file:
        queries = draw([title for (title,) in file.execute("SELECT title FROM pages ORDER BY id")], FRESH)
    command = [str(OURS), "-m", "minisearch", "serve", "--db", str(db), "--port", "0"]
    command += ["--workers", str(options.workers)]
    command += ["--threads", str(options.threads)] if options.threads else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://\S+", server.stdout.readline()).group()  # type: ignore[union-attr]
            home = sum(len(urlopen(address + path).read()) for path in assets(address))  # noqa: S310
            figures = {}
            for name, asked in (("fresh", queries), ("repeated", queries[:REPEATED])):
                for query in asked[:REPEATED] * 2 * options.workers:  # any process may answer; all shall know them
                    urlopen(f"{address}search?q={quote_plus(query)}").read()  # noqa: S310
                say(f"{name} queries, full load, {CONNECTIONS} connections, {options.seconds} s ...")
                full = wrk(address, asked, options.seconds, 0)
                say("half of it ...")
                half = wrk(address, asked, options.seconds, round(2000 * CONNECTIONS / full["rate"]))
                figures |= {f"{name}, full": full, f"{name}, half": half}
        finally:
            server.terminate()
    return {"loads": figures, "workers": options.workers, "queries": len(queries), "home": home}


def assets(address: str) -> list[str]:
    """The URLs of all that the home page loads."""
    html = urlopen(address).read().decode()  # noqa: S310
    known = re.findall(r'(?:href|src)="/(static/[^"]+\.(?:css|js|svg))"', html)
    folder = known[0].rpartition("/")[0]
    return ["", *known, *(f"{folder}/{name}.js" for name in ("suggest", "keys"))]


def wrk(address: str, queries: list[str], seconds: int, pause: int) -> dict[str, float]:
    """What wrk says."""
    listed = ", ".join(json.dumps(quote_plus(query)) for query in queries)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (listed, pause))
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
        [name, number(load["rate"]), number(load["50%"]), number(load["99%"])]
        for name, load in figures["loads"].items()
    ]
    head = [f"queries, load ({figures['workers']} processes)", "searches a second", "p50, ms", "p99, ms"]
    told = f"{figures['queries']:,} fresh queries; home page with all it loads: {figures['home']:,} bytes"
    return f"{table(head, rows)}\n\n{told}"
