"""One table of options: what stands in minisearch.toml, then MINISEARCH_* in the environment, then the flags.

[crawl]                      # minisearch.toml, in the folder where minisearch is started
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
    """Defaults for each of the `commands`, as click wants them; empty if there is no file."""
    path = Path(path)
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    shared = {_name(key): value for key, value in found.items() if not isinstance(value, dict)}
    parts = {key: value for key, value in found.items() if isinstance(value, dict)}
    for part in parts:
        if part not in commands:
            raise BadInput(f"{path} has a part [{part}], but there is no such command")
    return {name: {**shared, **{_name(k): v for k, v in parts.get(name, {}).items()}} for name in commands}


def _name(key: str) -> str:
    return key.replace("-", "_")
