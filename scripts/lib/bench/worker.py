"""A child process that does one piece of work with one engine, so that nothing is left over from another.

It is given a job as JSON in its argument, and prints the outcome as JSON. Both sides of it are here: `work` starts
the process, `main` is what runs in it.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.engines import load
from bench.places import OURS, PEERS


def start(action: str, engine: str, folder: Path, **arguments: Any) -> subprocess.Popen[str]:
    """A process at work."""
    job = json.dumps({"action": action, "engine": engine, "folder": str(folder), **arguments})
    python = OURS if engine == "minisearch" else PEERS
    command = [str(python), "-P", "-m", "bench.worker", job]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def outcome(process: subprocess.Popen[str], tell: str = "") -> Any:
    """What a process has to say in the end; `tell` is said to it first."""
    said, _ = process.communicate(tell)
    if process.returncode:
        sys.exit(f"the bench stopped: a worker failed ({process.args!r})")
    return json.loads(said.splitlines()[-1])


def work(action: str, engine: str, folder: Path, **arguments: Any) -> Any:
    """Do a piece of work in a process of its own."""
    return outcome(start(action, engine, folder, **arguments))


# -- in the child ----------------------------------------------------------------------------


def build(engine: str, folder: Path, source: str, limit: int | None = None) -> dict[str, Any]:
    """Index what is in `source`; tells seconds by stage, and bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index = load(engine, folder)
    seconds = index.build(Path(source), limit)
    return {"seconds": seconds, "bytes": index.size()}


def ask(engine: str, folder: Path, method: str, queries: str, limit: int = 10) -> dict[str, Any]:
    """Ask all queries twice; gives the milliseconds of each time, how many had a hit, and the memory."""
    index = load(engine, folder)
    index.open()
    search: Callable[[str, int], list[int]] = getattr(index, method)
    asked = read_queries(queries)
    first, _ = timed(search, asked, limit)
    times, answered = timed(search, asked, limit)
    return {"first ms": first, "ms": times, "answered": answered, "memory": peak_memory()}


def timed(search: Callable[[str, int], list[int]], queries: list[str], limit: int) -> tuple[list[float], int]:
    """The milliseconds that each query takes, and how many have a hit."""
    times, answered = [], 0
    for query in queries:
        began = time.perf_counter()
        found = search(query, limit)
        times.append((time.perf_counter() - began) * 1000)
        answered += bool(found)
    return times, answered


def first(engine: str, folder: Path, query: str) -> float:
    """Milliseconds to open the index and answer one query, when all is imported."""
    index = load(engine, folder)
    began = time.perf_counter()
    getattr(index, "open_for_one_query", index.open)()
    index.any_word(query, 10)
    return (time.perf_counter() - began) * 1000


def flood(engine: str, folder: Path, queries: str, seconds: float) -> float:
    """Queries a second over some seconds, beginning when a line comes in."""
    index = load(engine, folder)
    index.open()
    asked = read_queries(queries)
    for query in asked:
        index.any_word(query, 10)
    print("ready", flush=True)
    sys.stdin.readline()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        index.any_word(asked[count % len(asked)], 10)
        count += 1
    return count / (time.perf_counter() - began)


def run(engine: str, folder: Path, queries: str, limit: int) -> list[list[int]]:
    """The ids that answer each query."""
    index = load(engine, folder)
    index.open()
    return [index.any_word(query, limit) for query in read_queries(queries)]


def links(engine: str, folder: Path, queries: str) -> list[str]:  # noqa: ARG001
    """The link of minisearch's first hit for each query; empty if nothing is found."""
    from bench.engines.minisearch import Index

    index = Index(folder)
    index.open()
    return [index.first_link(query) for query in read_queries(queries)]


def knows_all_words(engine: str, folder: Path, queries: str) -> bool:
    """Whether the engine has an all-words mode."""
    if engine != "minisearch":
        return engine != "bm25s"
    from bench.engines.minisearch import Index

    index = Index(folder)
    index.open()
    return index.knows_all_words(read_queries(queries))


def read_queries(path: str) -> list[str]:
    """The queries in a JSON file."""
    queries: list[str] = json.loads(Path(path).read_text("utf-8"))
    return queries


def peak_memory() -> int:
    """The most bytes this process has held."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss would also count what the parent held when it started us
        lines = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


ACTIONS: dict[str, Callable[..., Any]] = {
    action.__name__: action for action in (build, ask, first, flood, run, links, knows_all_words)
}


def main() -> None:
    """Do the job."""
    job = json.loads(sys.argv[1])
    action, folder = ACTIONS[job.pop("action")], Path(job.pop("folder"))
    print(json.dumps(action(folder=folder, **job)))


if __name__ == "__main__":
    main()
