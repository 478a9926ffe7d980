"""One table of options: what stands in minisearch.toml, then MINISEARCH_* in the environment, then the flags.

[crawl]                      # minisearch.toml, in the folder where minisearch is started
max-pages = 500              # the same as --max-pages 500, or MINISEARCH_CRAWL_MAX_PAGES=500
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from minisearch.errors import BadInput

FILE = "minisearch.toml"


def load(path: str | Path = FILE) -> dict[str, Any]:
    """Defaults for each command, as click wants them; empty if there is no file."""
    path = Path(path)
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    shared = {_name(key): value for key, value in found.items() if not isinstance(value, dict)}
    commands = {key: value for key, value in found.items() if isinstance(value, dict)}
    return {name: {**shared, **{_name(k): v for k, v in commands.get(name, {}).items()}} for name in _known(commands)}


def _known(commands: dict[str, Any]) -> set[str]:
    from minisearch.cli.main import COMMANDS

    unknown = set(commands) - set(COMMANDS)
    if unknown:
        raise BadInput(f"{FILE} has a part [{sorted(unknown)[0]}], but there is no such command")
    return set(COMMANDS)


def _name(key: str) -> str:
    return key.replace("-", "_")
