"""Defaults of the command line: minisearch.toml, overridden by MINISEARCH_* in the environment, then by options.

[crawl]                      # minisearch.toml, in the current folder
max-pages = 500              # the same as --max-pages 500, or MINISEARCH_CRAWL_MAX_PAGES=500
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from minisearch.errors import BadInput

FILE = "minisearch.toml"


def load(commands: Collection[str], path: str | Path = FILE) -> dict[str, Any]:
    """Defaults for each of the `commands`, as click takes them; empty if there is no file."""
    path = Path(path)
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    shared = {_name(key): value for key, value in found.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in found.items() if isinstance(value, dict)}
    for table in tables:
        if table not in commands:
            raise BadInput(f"{path} has a table [{table}], but there is no such command")
    return {name: {**shared, **{_name(k): v for k, v in tables.get(name, {}).items()}} for name in commands}


def _name(key: str) -> str:
    return key.replace("-", "_")
