"""Where the bench keeps things, how it talks, and which Python runs what."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]  # the checkout
BENCH = ROOT / ".bench"  # data and indexes, never part of the project
SCALE = BENCH / "scale"
OURS = ROOT / ".venv" / "bin" / "python"
PEERS = ROOT / ".venv-bench" / "bin" / "python"


def say(*words: object) -> None:
    """Tell the person who waits; stdout is for tables."""
    print(*words, file=sys.stderr, flush=True)
