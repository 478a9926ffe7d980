"""Tables in Markdown, and the machine they were made on."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bench.places import PEERS

LISTED = ("tantivy", "bm25s", "whoosh-reloaded", "igraph", "networkx", "scipy", "scrapy", "selectolax")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a head.

    >>> print(table(["engine", "s"], [["ours", "1"]]))
    | engine | s |
    |---|---|
    | ours | 1 |
    """
    lines = [head, *rows]
    drawn = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([drawn[0], "|" + "---|" * len(head), *drawn[1:]])


def number(value: float | None) -> str:
    """A figure with as many digits as can be believed.

    >>> [number(value) for value in (1234.5, 12.34, 1.234, 0.01234, None)]
    ['1,234', '12.3', '1.23', '0.012', '-']
    """
    if value is None:
        return "-"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 3
    return f"{value:,.{digits}f}"


def machine() -> dict[str, Any]:
    """Where and with what this was measured."""
    freeze = [str(PEERS), "-m", "pip", "--disable-pip-version-check", "list", "--format=freeze"]
    pinned = subprocess.run(freeze, capture_output=True, text=True, check=False).stdout if PEERS.exists() else ""
    versions = dict(line.lower().split("==", 1) for line in pinned.split() if "==" in line)
    return {
        "cores": os.cpu_count(),
        "memory GB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        **{name: versions[name] for name in LISTED if name in versions},
        "measured": datetime.now(UTC).date().isoformat(),
        "load before": round(os.getloadavg()[0], 2),
    }


def machine_line(facts: dict[str, Any]) -> str:
    """The machine in a sentence."""
    told = ", ".join(f"{name} {facts[name]}" for name in ("Python", "SQLite", *LISTED) if name in facts)
    return f"{facts['cores']} cores, {facts['memory GB']} GB, {facts['system']}; {told}; {facts['measured']}."
