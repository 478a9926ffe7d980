"""The compiled loops, where they are at hand; `compiled` is None where they are not.

`pip install` compiles the C files beside this one if it finds a compiler. Whatever they do, Python does as well, in
the module that each of them names, and does it where they are missing: more slowly, and with the same outcome to the
last bit, but for how tightly postings are deflated. MINISEARCH_PLAIN=1 does without them.
"""

from __future__ import annotations

import os

try:
    if os.environ.get("MINISEARCH_PLAIN"):
        raise ImportError
    from minisearch.native import compiled as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]
