"""A process that makes segments: `python -m minisearch.wiring.segmenter FILE AFTER UP_TO`.

It only reads the file; what it has made goes to its parent over standard output.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from minisearch.store.store import Store
from minisearch.wiring.indexing import segments


def main(path: str, after: str, up_to: str) -> None:
    """Make the segments of a share of the pages."""
    results = Connection(os.dup(sys.stdout.fileno()), readable=False)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing printed may end up among the results
    with suppress(BrokenPipeError):  # the parent has gone
        for made in segments(Store(path, create=False), int(after), int(up_to)):
            facts = {name: getattr(made, name) for name in ("kind", "pages", "lengths", "languages", "spoken")}
            rows = list(made.rows)  # all of them before the parent, busy with another, has to wait
            results.send(facts)
            results.send(rows)
        results.send(None)


if __name__ == "__main__":
    main(*sys.argv[1:])
