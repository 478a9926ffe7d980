"""A child process in which one crawler crawls one site. It is given a job as JSON and prints what it did as JSON.

Both sides of it are here: `work` starts the process and looks on, `main` is what runs in it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import places
from bench.crawlers import MODULES, OURS, Job, stored
from bench.memory import Watch
from bench.worker import outcome


def work(job: Job) -> dict[str, Any]:
    """What a crawler does, in how many seconds (of the crawl, and in all), and with how much memory."""
    for leftover in Path(job.file).parent.glob(f"{Path(job.file).name}*"):
        leftover.unlink()
    python = places.OURS if job.crawler in OURS else places.PEERS
    command = [str(python), "-P", "-m", "bench.crawler", json.dumps(job)]
    began, busy = time.perf_counter(), processor()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with Watch(process) as watch:
        seconds = outcome(process)
    whole, cpu = time.perf_counter() - began, processor() - busy
    done = stored(job.crawler, Path(job.file))
    if not done["pages"]:
        sys.exit(f"the bench stopped: {job.crawler} found no page at {job.seed}")
    held = {"memory": watch.peak, "processes": watch.processes}
    return {"seconds": seconds, "whole": whole, "cpu": cpu, **held, **done}


def processor() -> float:
    """Seconds of a processor that the processes we started, and theirs, have used up until they ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Crawl, and tell the seconds: from when all is imported until all is stored."""
    name, file, home, avoided, pages = json.loads(sys.argv[1])
    job = Job(name, file, home, tuple(avoided), pages)
    module = import_module(f"bench.crawlers.{MODULES[job.crawler]}")
    began = time.perf_counter()
    module.crawl(job)
    print(json.dumps(time.perf_counter() - began))


if __name__ == "__main__":
    main()
