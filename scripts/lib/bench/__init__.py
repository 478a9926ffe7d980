"""Benchmarks of minisearch beside its peers."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]  # the checkout
DATA = ROOT / ".bench"  # downloads, corpora and indexes; ignored by git


def log(message: str) -> None:
    """Print progress on stderr; stdout is for tables."""
    print(message, file=sys.stderr, flush=True)
