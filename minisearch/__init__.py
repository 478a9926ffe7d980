"""A whole search engine in one SQLite file.

>>> from minisearch import Engine
>>> with Engine() as engine:
...     engine.stats()["pages"]
0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minisearch.engine import Engine
    from minisearch.errors import MiniSearchError
    from minisearch.models import Hit, Link, Page

__version__ = "0.1.0"
__all__ = ["Engine", "Hit", "Link", "MiniSearchError", "Page"]

_HOMES = {
    "Engine": "minisearch.engine",
    "MiniSearchError": "minisearch.errors",
    "Hit": "minisearch.models",
    "Link": "minisearch.models",
    "Page": "minisearch.models",
}


def __getattr__(name: str) -> Any:
    """Import a front-door name when it is first asked for, so that `minisearch --help` stays instant."""
    if name not in _HOMES:
        raise AttributeError(f"module 'minisearch' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
