"""How much memory a program needs: that of its process and of all it has started, together, at the worst moment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

EVERY = 0.05  # seconds between two looks
CLOSELY = 0.5  # and between two close ones, which take so long that they would slow down what is looked at
GROWN = 1.05  # times as much as ever before: worth a close look at once
PROC = Path("/proc")


def family(parent: int) -> list[int]:
    """A process and all that descend from it."""
    found = [parent]
    for process in found:  # which grows while we go along it
        for thread in (PROC / str(process) / "task").glob("*/children"):
            try:
                found += map(int, thread.read_text("ascii").split())
            except (FileNotFoundError, ProcessLookupError):  # it has ended since
                continue
    return found


def resident(process: int) -> int:
    """Bytes of a process that are in memory; those it shares with others count too. An ended one has none."""
    try:
        return int((PROC / str(process) / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def share(process: int) -> int:
    """The same, but of what several processes share each has only its part: so all of them sum up to what is used."""
    try:
        told = (PROC / str(process) / "smaps_rollup").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in told.splitlines() if line.startswith("Pss:")), 0)


class Watch:
    """Looks at a running program again and again; `peak` is the most bytes that all its processes held at a time.

    `processes` is how many they were at most.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        if not (PROC / "self" / "task" / str(os.getpid()) / "children").exists():
            sys.exit("memory is read from /proc/PID/task/*/children, which this system does not have: run it on Linux")
        self.peak = self.processes = 0
        self._process = process.pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        most, looked = 0, -CLOSELY
        while not self._over.wait(EVERY):
            all_of_them = family(self._process)
            self.processes = max(self.processes, len(all_of_them))
            held = sum(map(resident, all_of_them))  # which is quickly told, and never too little
            may_be_more = held > most * GROWN or time.monotonic() - looked > CLOSELY
            if held > self.peak and may_be_more:
                most, looked = max(most, held), time.monotonic()
                self.peak = max(self.peak, sum(map(share, all_of_them)))
