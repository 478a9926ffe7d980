"""The compiled loops, where they are at hand; `compiled` is None where they are not.

`pip install` compiles the C files beside this one if it finds a compiler. Whatever they do, Python does as well, in
the module that each of them names, and does it where they are missing: more slowly, and with the same outcome to the
last bit, but for how tightly postings are deflated. MINISEARCH_PLAIN=1 does without them.

A checkout that moves on leaves behind what was compiled before, which may take and give other things than are told by
now. So the library says what it was told of them (a sum over compiled.pyi), and one that is out of date is not used.
"""

from __future__ import annotations

import os
from zlib import crc32

PROMISES = os.path.join(os.path.dirname(__file__), "compiled.pyi")


def promised() -> int:
    """A sum over what the compiled loops are to take and give."""
    with open(PROMISES, "rb") as file:
        return crc32(file.read())


is_outdated = False
try:
    if os.environ.get("MINISEARCH_PLAIN"):
        raise ImportError
    from minisearch.native import compiled as compiled

    if is_outdated := getattr(compiled, "promised", None) != promised():
        raise ImportError
except ImportError:
    compiled = None  # type: ignore[assignment]
