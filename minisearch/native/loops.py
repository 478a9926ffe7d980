"""The compiled loops, where they are at hand; `compiled` is None where they are not.

`pip install` compiles the C files beside this one if it finds a compiler. Whatever they do, Python does as well, in
the module that each of them names, and does it where they are missing, or older than their sources in a checkout:
more slowly, to the same last bit. MINISEARCH_PLAIN=1 does without them.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_stale(library: str) -> bool:
    """Whether a library is older than a C file beside it or below: then it may lack what Python calls by now."""
    built = Path(library)
    return any(source.stat().st_mtime > built.stat().st_mtime for source in built.parent.rglob("*.[ch]"))


try:
    if os.environ.get("MINISEARCH_PLAIN"):
        raise ImportError
    from minisearch.native import compiled as compiled

    if is_stale(compiled.__file__):
        raise ImportError
except ImportError:
    compiled = None  # type: ignore[assignment]
