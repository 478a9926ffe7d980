"""Tables in Markdown, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.runner import PEERS

PACKAGES = ("tantivy", "bm25s", "whoosh-reloaded", "igraph", "networkx", "scipy", "scrapy", "selectolax")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format rows under a head.

    >>> print(table(["engine", "s"], [["ours", "1"]]))
    | engine | s |
    |---|---|
    | ours | 1 |
    """
    head_line, *lines = ("| " + " | ".join(cells) + " |" for cells in (head, *rows))
    return "\n".join([head_line, "|" + "---|" * len(head), *lines])


def budget_table(rows: Iterable[Sequence[str]]) -> str:
    """Format rows of (budget, measured, whether it is met, whether the more ambitious aim is met)."""
    return "Budgets:\n\n" + table(["budget", "measured", "", "aim"], rows)


def verdict(met: bool) -> str:
    """Say whether a budget or aim is met."""
    return "met" if met else "**not met**"


def number(value: float | None) -> str:
    """Format a figure with its significant digits.

    >>> [number(value) for value in (1234.5, 12.34, 1.234, 0.01234, None)]
    ['1,234', '12.3', '1.23', '0.012', '-']
    """
    if value is None:
        return "-"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 3
    return f"{value:,.{digits}f}"


def machine() -> dict[str, Any]:
    """The hardware, the versions of the peers, the date and the load."""
    freeze = [str(PEERS), "-m", "pip", "--disable-pip-version-check", "list", "--format=freeze"]
    installed = subprocess.run(freeze, capture_output=True, text=True, check=False).stdout if PEERS.exists() else ""
    versions = dict(line.lower().split("==", 1) for line in installed.split() if "==" in line)
    return {
        "cores": os.cpu_count(),
        "memory GB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        **{name: versions[name] for name in PACKAGES if name in versions},
        "measured": datetime.now(UTC).date().isoformat(),
        "load before": round(os.getloadavg()[0], 2),
    }


def machine_line(facts: dict[str, Any]) -> str:
    """The machine in a sentence."""
    versions = ", ".join(f"{name} {facts[name]}" for name in ("Python", "SQLite", *PACKAGES) if name in facts)
    return f"{facts['cores']} cores, {facts['memory GB']} GB, {facts['system']}; {versions}; {facts['measured']}."
