"""Workers that are copies of their parent. It must have a single thread, so each test is a script of its own."""

import subprocess
import sys
import threading

import pytest

from minisearch.crawl.forking import may_fork

HTML = {"Content-Type": "text/html"}

BEGIN = """
import os, signal, sys, time
from minisearch.crawl import forking
from minisearch.crawl import workers as pools
from minisearch.crawl import visit
from minisearch.crawl.visit import Task

site = sys.argv[1]

def answers(pool, *pages, seconds=60):
    for number in pages:
        pool.submit(number, Task(f"{site}/{number}"))
    found, until = {}, time.monotonic() + seconds
    while len(found) < len(pages) and time.monotonic() < until:
        found.update(pool.results(0.5))
    return found

def command(pid):
    return open(f"/proc/{pid}/cmdline").read()

"""


@pytest.fixture
def run(serve):
    """Runs a script whose first argument is a site with the pages 0 to 9; gives what it prints."""
    site = serve(**{str(n): (200, HTML, f"<title>{n}</title><p>Page {n}.".encode()) for n in range(10)})

    def run(script):
        command = [sys.executable, "-c", BEGIN + script, site]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done

    return run


def test_copies_do_the_work_of_workers(run):
    done = run("""
pool = pools.Processes(2)
found = answers(pool, 1, 2, 3)
print(*(found[n].title for n in (1, 2, 3)))
print({command(worker.process.pid) == command("self") for worker in pool._workers})
pool.close()
""")
    assert done.stdout == "1 2 3\n{True}\n"
    assert done.stderr == ""


def test_a_process_with_threads_has_workers_with_interpreters_of_their_own(run):
    done = run("""
import threading
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
pool = pools.Processes(1)
print(answers(pool, 1)[1].title)  # then it has surely begun to be what it is
print("minisearch.crawl.workers" in command(pool._workers[0].process.pid))
pool.close()
""")
    assert done.stdout == "1\nTrue\n"


def test_a_thread_is_noticed_whoever_has_started_it():
    threads = threading.Event(), threading.Event()
    before = may_fork()
    thread = threading.Thread(target=lambda: (threads[0].set(), threads[1].wait()))
    thread.start()
    threads[0].wait()
    during = may_fork()
    threads[1].set()
    thread.join()
    assert not during
    assert may_fork() == before


def test_a_copy_holds_no_file_of_its_parent(run):
    done = run("""
file = open("/etc/passwd")
pool = pools.Processes(2)
answers(pool, 1, 2)
for worker in pool._workers:
    folder = f"/proc/{worker.process.pid}/fd"
    targets = [os.readlink(f"{folder}/{name}") for name in os.listdir(folder) if int(name) > 2]
    print(sum(target.startswith("pipe:") for target in targets), "/etc/passwd" in targets)
pool.close()
""")
    assert done.stdout == "2 False\n2 False\n"


def test_a_copy_says_nothing_twice_and_nothing_on_standard_output(run):
    done = run("""
def noisy(self, task, quiet=visit.Visitor.__call__):
    print("a word from the worker", flush=True)
    return quiet(self, task)

visit.Visitor.__call__ = noisy
sys.stdout.write("not yet written, ")
pool = pools.Processes(2)
answers(pool, 1, 2)
pool.close()
print("and then written")
""")
    assert done.stdout == "not yet written, and then written\n"
    assert done.stderr.count("a word from the worker") == 2


def test_a_copy_that_dies_or_fails_is_replaced(run):
    done = run("""
pool = pools.Processes(1)
answers(pool, 1)
os.kill(pool._workers[0].process.pid, signal.SIGKILL)
print(answers(pool, 2)[2].rule, answers(pool, 3)[3].title)

def fail(self, task):
    raise RuntimeError("out of order")

calm, visit.Visitor.__call__ = visit.Visitor.__call__, fail
os.kill(pool._workers[0].process.pid, signal.SIGTERM)  # its successor will be a copy of what we are now
answers(pool, 4)
print(answers(pool, 5)[5].rule)
pool.close()
""")
    assert done.stdout == "crash 3\ncrash\n"
    assert "RuntimeError: out of order" in done.stderr


def test_signals_for_the_parent_are_not_obeyed_by_a_copy(run):
    done = run("""
signal.signal(signal.SIGTERM, lambda *_: print("the parent was told"))
pool = pools.Processes(1)
answers(pool, 1)
pid = pool._workers[0].process.pid
print(os.getpgid(pid) != os.getpgrp())
os.kill(pid, signal.SIGINT)
print(answers(pool, 2)[2].title)
os.kill(pid, signal.SIGTERM)
print(answers(pool, 3)[3].rule)
pool.close()
""")
    assert done.stdout == "True\n2\ncrash\n"


def test_an_error_in_a_copy_does_not_run_what_the_parent_has_yet_to_do(run):
    done = run("""
try:
    forking.fork(lambda tasks, results: sys.exit("gone"), 0, 1).wait()
finally:
    print("once")
""")
    assert done.stdout == "once\n"
