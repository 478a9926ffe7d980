"""A site on loopback, in a process of its own: `python -m bench.site FOLDER` serves until its input ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The base url under which `folder` is being served."""
    command = [sys.executable, "-P", "-m", "bench.site", str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()


def main() -> None:
    """Serve until nobody listens."""
    from minisearch.testing.server import SiteServer

    with SiteServer(sys.argv[1]) as base_url:
        print(base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
