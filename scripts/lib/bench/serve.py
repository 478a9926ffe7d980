"""Load test of the search page: wrk sends requests, `minisearch serve` answers with whole pages of results.

There are thousands of fresh queries of one to six words from titles; a few hundred repeated ones show the effect of
cached postings. At half load each connection pauses between two requests, which halves the rate of full load.
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

from bench import DATA, log
from bench.report import number, table
from bench.runner import MINISEARCH
from bench.search import draw_queries

CONNECTIONS = 16
FRESH = 8_000  # different queries
REPEATED = 200
SCRIPT = """
local queries = {%s}
local threads = 0
function setup(thread)
  thread:set("at", math.floor(threads * #queries / 2))  -- each thread has its own half
  threads = threads + 1
end
request = function()
  at = at %% #queries + 1
  return wrk.format("GET", "/search?q=" .. queries[at])
end
function delay() return %d end
"""


def measure(options: Namespace) -> dict[str, Any]:
    """Measure requests a second at full load, and latency at full and half load."""
    if not shutil.which("wrk"):
        sys.exit("wrk is missing, which sends the requests: apt-get install wrk")
    built = sorted(DATA.glob("search/*/minisearch/minisearch.db"), key=lambda path: path.stat().st_mtime)
    db = Path(options.db) if options.db else built[-1] if built else None
    if db is None:
        sys.exit("there is no file to serve: run scripts/bench search first, or name one with --db")
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as file:
        queries = draw_queries([title for (title,) in file.execute("SELECT title FROM pages ORDER BY id")], FRESH)
    command = [str(MINISEARCH), "-m", "minisearch", "serve", "--db", str(db), "--port", "0"]
    command += ["--workers", str(options.workers)]
    command += ["--threads", str(options.threads)] if options.threads else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = re.search(r"http://\S+", server.stdout.readline()).group()  # type: ignore[union-attr]
            home = sum(len(fetch(url + path)) for path in home_page_files(url))
            loads: dict[str, Any] = {}
            for name, asked in (("fresh", queries), ("repeated", queries[:REPEATED])):
                for query in asked[:REPEATED] * 2 * options.workers:  # often enough to warm the caches of all workers
                    fetch(f"{url}search?q={quote_plus(query)}")
                log(f"{name} queries, full load, {CONNECTIONS} connections, {options.seconds} s ...")
                full = run_wrk(url, asked, options.seconds, pause=0)
                log(f"{name} queries, half load ...")
                half = run_wrk(url, asked, options.seconds, pause=round(2000 * CONNECTIONS / full["rate"]))
                loads |= {f"{name}, full": full, f"{name}, half": half}
        finally:
            server.terminate()
    return {"loads": loads, "workers": options.workers, "queries": len(queries), "home": home}


def fetch(url: str) -> bytes:
    """The body of a response."""
    body: bytes = urlopen(url).read()  # noqa: S310 - our own server
    return body


def home_page_files(url: str) -> list[str]:
    """The paths of the home page and of all files that it loads."""
    files = re.findall(r'(?:href|src)="/(static/[^"]+\.(?:css|js|svg))"', fetch(url).decode())
    folder = files[0].rpartition("/")[0]
    return ["", *files, *(f"{folder}/{module}.js" for module in ("suggest", "keys"))]


def run_wrk(url: str, queries: list[str], seconds: int, *, pause: int) -> dict[str, float]:
    """Requests a second and latencies in milliseconds, with a pause of each connection in milliseconds."""
    quoted = ", ".join(json.dumps(quote_plus(query)) for query in queries)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (quoted, pause))
        script.flush()
        command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", script.name, url]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        sys.exit(f"some responses were errors:\n{output}")
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)  # type: ignore[union-attr]
    return {"rate": float(rate), **{share: latency(output, share) for share in ("50%", "99%")}}


def latency(output: str, share: str) -> float:
    """Milliseconds of a percentile in the output of wrk.

    >>> latency("  Latency Distribution\\n     50%  850.00us\\n     99%    1.20s", "99%")
    1200.0
    """
    value, unit = re.search(rf"\s{share}\s+([\d.]+)(us|ms|s)", output).groups()  # type: ignore[union-attr]
    return float(value) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def tables(figures: dict[str, Any]) -> str:
    """A row for each load."""
    rows = [
        [name, number(load["rate"]), number(load["50%"]), number(load["99%"])]
        for name, load in figures["loads"].items()
    ]
    head = [f"queries, load ({figures['workers']} processes)", "searches a second", "p50, ms", "p99, ms"]
    note = f"{figures['queries']:,} fresh queries; home page with all files it loads: {figures['home']:,} bytes"
    return f"{table(head, rows)}\n\n{note}"
