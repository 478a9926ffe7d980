"""Patterns that stand for several files, to be searched as one (shards.py)."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from minisearch.errors import BadInput


def shard_paths(path: str | Path | None) -> list[str]:
    """The files that a pattern stands for; none if it names a single file.

    >>> shard_paths("docs.db")
    []
    """
    text = "" if path is None else str(path)
    if not any(sign in text for sign in "*?[") or Path(text).exists():
        return []
    found = sorted(glob(text))
    if not found:
        raise BadInput(f'no file matches "{text}"')
    return found
