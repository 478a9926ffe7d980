"""Run functions of the benchmarks in child processes and measure their time and memory.

Each measurement has a process of its own, so that no engine profits from the imports, caches or memory of another.
`python -m bench.runner MODULE FUNCTION ARGUMENTS` is such a child: it prints what the function returns as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import ROOT, log

MINISEARCH = ROOT / ".venv" / "bin" / "python"
PEERS = ROOT / ".venv-bench" / "bin" / "python"
PROC = Path("/proc")
INTERVAL = 0.05  # seconds between two samples of the resident memory
PSS_INTERVAL = 0.5  # and of the proportional memory, which is slow enough to disturb the measured processes
PSS_GROWTH = 1.05  # growth of the resident memory that is worth an extra sample


class Failed(Exception):
    """A measurement failed."""


def interpreter(competitor: str) -> Path:
    """Return the Python that has a competitor installed."""
    return MINISEARCH if competitor == "minisearch" else PEERS


def start(python: Path, function: Callable[..., Any], *arguments: Any) -> subprocess.Popen[str]:
    """Start a child process that calls a function; arguments and result must be JSON, paths become strings."""
    target = [function.__module__, function.__name__, json.dumps(arguments, default=str)]
    command = [str(python), "-P", "-m", "bench.runner", *target]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def result(child: subprocess.Popen[str], message: str = "") -> Any:
    """Send a message to a child and return what its function returns."""
    with child:  # also waits for a child that Ctrl-C stops
        output, _ = child.communicate(message)
    if child.returncode:
        raise Failed(f"a child process ended with {child.returncode}: {child.args!r}")
    return json.loads(output.splitlines()[-1])


def call(python: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a child process."""
    return result(start(python, function, *arguments))


def call_measured(python: Path, function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Call a function in a child process; add the resources that the child and its descendants used to its result.

    "whole" is the time in seconds, start-up included, "cpu" their CPU time, "memory" their peak in bytes, "processes"
    their largest number.
    """
    began, cpu = time.perf_counter(), children_cpu()
    child = start(python, function, *arguments)
    with MemoryMonitor(child.pid) as monitor:
        found: dict[str, Any] = result(child)
    used = {"whole": time.perf_counter() - began, "cpu": children_cpu() - cpu}
    return {**found, **used, "memory": monitor.peak, "processes": monitor.processes}


def rounds(title: str, competitors: Iterable[str], count: int, measure: Callable[[str], Any]) -> dict[str, list[Any]]:
    """Measure every competitor `count` times and return the results of each.

    Rounds are interleaved, so that a transient load of the machine affects all competitors.
    """
    results: dict[str, list[Any]] = {name: [] for name in competitors}
    for number in range(count):
        for name, found in results.items():
            log(f"{title}: {name}, round {number + 1} of {count}")
            found.append(measure(name))
    return results


def children_cpu() -> float:
    """CPU seconds of all ended child processes and their descendants."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_peak_memory() -> int:
    """Peak memory of this process in bytes."""
    status = (PROC / "self" / "status").read_text("utf-8")  # ru_maxrss also counts what the parent held when it forked
    return bytes_of_field(status, "VmHWM:")


class MemoryMonitor:
    """Samples the memory of a process and its descendants: `peak` in bytes, and `processes`, their largest number.

    Pages that several processes share count once (PSS). RSS counts them in each: a cheap upper bound, which tells when
    PSS need not be read.
    """

    def __init__(self, pid: int) -> None:
        if not (PROC / "self" / "task" / str(os.getpid()) / "children").exists():
            sys.exit("memory is measured with /proc/PID/task/*/children, which this system lacks: run it on Linux")
        self.peak = self.processes = 0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> MemoryMonitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        sampled_rss, sampled_at = 0, -PSS_INTERVAL
        while not self._done.wait(INTERVAL):
            pids = process_tree(self._pid)
            self.processes = max(self.processes, len(pids))
            rss = sum(map(resident_memory, pids))
            due = rss > sampled_rss * PSS_GROWTH or time.monotonic() - sampled_at > PSS_INTERVAL
            if rss > self.peak and due:
                sampled_rss, sampled_at = max(sampled_rss, rss), time.monotonic()
                self.peak = max(self.peak, sum(map(proportional_memory, pids)))


def process_tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for process in found:  # grows during the iteration
        for thread in (PROC / str(process) / "task").glob("*/children"):
            try:
                found += map(int, thread.read_text("ascii").split())
            except (FileNotFoundError, ProcessLookupError):  # it has ended
                continue
    return found


def resident_memory(pid: int) -> int:
    """RSS of a process in bytes; 0 if it has ended."""
    try:
        return int((PROC / str(pid) / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def proportional_memory(pid: int) -> int:
    """PSS of a process in bytes: each shared page divided by the number of processes that share it."""
    try:
        return bytes_of_field((PROC / str(pid) / "smaps_rollup").read_text("ascii"), "Pss:")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def bytes_of_field(text: str, field: str) -> int:
    """The value of a field of a file in /proc in bytes; 0 without it, as for an ended process.

    >>> bytes_of_field("Rss:     200 kB\\nPss:     100 kB", "Pss:")
    102400
    """
    return next((int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith(field)), 0)


def main() -> None:
    """Call the function that the command line names."""
    module, function, arguments = sys.argv[1:]
    print(json.dumps(getattr(import_module(module), function)(*json.loads(arguments))))


if __name__ == "__main__":
    main()
