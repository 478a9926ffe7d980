"""Worker processes, some of which are killed, hang or need too much memory."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import pytest

from minisearch.crawl import workers as pools
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import AHEAD, Inline, WorkerPool
from minisearch.errors import MiniSearchError
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Page

HTML = {"Content-Type": "text/html"}


@contextmanager
def processes(count=1, **options):
    """A pool whose workers are ready."""
    with closing(WorkerPool(count, **options)) as pool:
        wait_for(lambda: pool.results(0.1) == [] and all(worker.is_ready for worker in pool._workers))
        yield pool


def pids(pool):
    return [worker.process.pid for worker in pool._workers]


def collect(pool, count, seconds=60):
    """This many results, by their keys."""
    found, until = {}, time.monotonic() + seconds
    while len(found) < count and time.monotonic() < until:
        found.update(pool.results(0.5))
    return found


def ends(pid, seconds=10):
    """Whether a process ends in time, or is a zombie."""
    for _ in range(int(seconds * 20)):
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        if not state or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def wait_for(condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    assert condition()


@pytest.fixture
def patch_visitor(tmp_path, monkeypatch):
    """Run code in each worker before it visits a page: `code` may use `task`."""

    def patch(code):
        lines = [
            "import os, sys, time",
            "if 'minisearch.crawl.workers' in sys.orig_argv:",
            "    import minisearch.crawl.visit",
            "    def patched(self, task, visit=minisearch.crawl.visit.Visitor.__call__):",
            f"        {code}",
            "        return visit(self, task)",
            "    minisearch.crawl.visit.Visitor.__call__ = patched",
        ]
        (tmp_path / "sitecustomize.py").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(tmp_path)

    return patch


@pytest.fixture
def site(serve):
    """Pages 0 to 9, and one that never answers."""
    pages = {str(n): (200, HTML, f"<title>{n}</title><p>Page {n}.".encode()) for n in range(10)}
    return serve(**pages, stuck=lambda _: time.sleep(30))


def test_inline_does_each_task_at_once():
    pool = Inline(lambda task: task.url.upper())
    pool.submit(7, Task("a"))
    assert not pool.has_room()
    assert pool.results(0) == [(7, "A")]
    assert pool.has_room()


def test_results_come_back_with_their_keys(site):
    with processes(2) as pool:
        for number in range(10):
            pool.submit(100 + number, Task(f"{site}/{number}"))
        found = collect(pool, 10)
        assert {key: page.title for key, page in found.items()} == {100 + n: str(n) for n in range(10)}


def test_robots_txt_and_failures_travel_too(site):
    with processes() as pool:
        pool.submit(1, Task(site, robots=True))
        pool.submit(2, Task(f"{site}/none"))
        assert collect(pool, 2) == {
            1: RobotsFile(404, "404 Not Found\n"),
            2: Failed(f"{site}/none", "http-404"),
        }


def test_large_tasks_wait_for_a_worker_that_waits_for_us_to_read_its_results(serve):
    large = b"<title>large</title><p>" + b"word " * 500_000
    url = serve(large=(200, HTML, large)) + "/large"
    with processes() as pool:
        tasks = [Task(url, noindex="n" * 60_000) for _ in range(6)]
        submitting = threading.Thread(target=lambda: [pool.submit(key, task) for key, task in enumerate(tasks)])
        submitting.start()
        submitting.join(30)
        assert not submitting.is_alive()
        assert [collected.title for collected in collect(pool, 6).values()] == ["large"] * 6


def test_there_is_room_for_a_few_tasks_a_worker(site):
    with processes(2) as pool:
        room = []
        for number in range(2 * AHEAD):
            room.append(pool.has_room())
            pool.submit(number, Task(f"{site}/{number % 10}"))
        assert (room, pool.has_room()) == ([True] * 2 * AHEAD, False)
        collect(pool, 2 * AHEAD)
        assert pool.has_room()


def test_nothing_is_waited_for_longer_than_asked():
    with processes() as pool:
        began = time.monotonic()
        assert pool.results(0.2) == []
        assert 0.15 < time.monotonic() - began < 2


def test_options_reach_the_workers(serve):
    asked = []
    site = serve(a=lambda request: asked.append(request.headers["User-Agent"]) or (200, HTML, b"x" * 99))
    with processes(user_agent="tester/1", limits=Limits(page_bytes=50)) as pool:
        pool.submit(1, Task(f"{site}/a"))
        assert collect(pool, 1)[1].rule == "size"
    assert asked == ["tester/1"]


# -- slow servers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "expected"), [(3, 3), (0, 1)])
def test_more_workers_start_while_all_wait_for_slow_servers(site, monkeypatch, most, expected):
    monkeypatch.setattr(pools, "SLOW", 0.2)
    with processes(1, most=most) as pool:
        for number in range(3):
            pool.submit(number, Task(f"{site}/stuck"))
            wait_for(lambda: pool.results(0.1) == [] and all(worker.is_ready for worker in pool._workers))
            time.sleep(0.3)
        assert len(pids(pool)) == expected
        assert not pool.has_room()
        if most:
            pool._most += 1
            assert pool.has_room()
            pool.submit(9, Task(f"{site}/2"))
            found = {}
            wait_for(lambda: found.update(pool.results(0.5)) or 9 in found)
            assert found[9].title == "2"


def test_fast_servers_need_no_more_workers(site):
    with processes(1, most=5) as pool:
        for number in range(8):
            while not pool.has_room():
                pool.results(0.5)
            pool.submit(number, Task(f"{site}/{number}"))
        assert len(pids(pool)) == 1


def test_a_worker_that_waits_for_a_slow_server_is_given_no_other_tasks(site, monkeypatch):
    monkeypatch.setattr(pools, "SLOW", 0.2)
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        time.sleep(0.3)
        for number in range(2, 2 + AHEAD):
            pool.submit(number, Task(f"{site}/{number}"))
        assert set(collect(pool, AHEAD)) == set(range(2, 2 + AHEAD))


# -- crashes and limits ----------------------------------------------------------------------


def test_a_worker_that_dies_is_replaced_and_loses_only_the_page_it_was_at(site):
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        before = pids(pool)
        pool.submit(2, Task(f"{site}/2"))
        pool.submit(3, Task(f"{site}/3"))  # waits behind the first
        found = collect(pool, 1)
        os.kill(before[0], signal.SIGKILL)
        found |= collect(pool, 2)
        assert found[1] == Failed(f"{site}/stuck", "crash", transient=True)
        assert [found[2].title, found[3].title] == ["2", "3"]
        assert before[0] not in pids(pool)
        assert before[1] in pids(pool)
        assert len(pids(pool)) == 2


def test_a_worker_that_dies_idle_is_noticed_when_it_is_needed(site):
    with processes() as pool:
        pool.submit(1, Task(f"{site}/1"))
        collect(pool, 1)
        os.kill(pids(pool)[0], signal.SIGKILL)
        pool._workers[0].process.wait()
        pool.submit(2, Task(f"{site}/2"))
        pool.submit(3, Task(f"{site}/3"))
        found = collect(pool, 2)
        assert isinstance(found[2], (Page, Failed))
        assert found[3].title == "3"


def test_robots_txt_that_was_lost_with_its_worker_counts_as_unreachable(serve):
    site = serve(**{"robots.txt": lambda _: time.sleep(30)})
    with processes() as pool:
        pool.submit(1, Task(site, robots=True))
        time.sleep(0.2)
        os.kill(pids(pool)[0], signal.SIGKILL)
        assert collect(pool, 1) == {1: RobotsFile(0, error={"rule": "crash"})}


@contextmanager
def dripping_server():
    """Says its headers so slowly that it never comes to an end, yet is never silent for long."""

    def drip(connection):
        with closing(connection):
            try:
                for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000:
                    connection.sendall(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                pass

    def accept():
        while True:
            try:
                threading.Thread(target=drip, args=listener.accept()[:1], daemon=True).start()
            except OSError:
                return

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_slow_headers_do_not_cost_a_worker(site):
    with dripping_server() as trap, processes(limits=Limits(page_seconds=0.5)) as pool:
        before = pids(pool)
        pool.submit(1, Task(f"{trap}/a"))
        assert collect(pool, 1)[1] == Failed(f"{trap}/a", "timeout", {"problem": "total", "seconds": 0.5})
        assert pids(pool) == before


def test_a_worker_that_hangs_is_replaced(site, patch_visitor, monkeypatch):
    patch_visitor("task.url.endswith('/1') and time.sleep(60)")
    monkeypatch.setattr(pools, "GRACE", 2)
    with processes(limits=Limits(page_seconds=0.5)) as pool:
        before = pids(pool)
        pool.submit(1, Task(f"{site}/1"))
        pool.submit(2, Task(f"{site}/2"))
        found = collect(pool, 2)
        assert found[1] == Failed(f"{site}/1", "timeout", {"problem": "total", "seconds": 0.5})
        assert found[2].title == "2"
        assert ends(before[0], 0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory of a process")
def test_a_page_that_needs_too_much_memory_costs_that_page_alone(site, patch_visitor, capfd):
    patch_visitor("task.url.endswith('/1') and bytearray(10**9)")
    with processes(limits=Limits(worker_bytes=10**9)) as pool:
        before = pids(pool)
        pool.submit(1, Task(f"{site}/1"))
        pool.submit(2, Task(f"{site}/2"))
        found = collect(pool, 2)
        assert found[1] == Failed(f"{site}/1", "crash", {"problem": "memory", "limit": 10**9}, transient=True)
        assert found[2].title == "2"
        assert ends(before[0], 0.1)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory of a process")
def test_a_page_that_the_parser_has_no_memory_for_is_reported_as_such(serve, capfd):
    url = serve(large=(200, HTML, b"<p>a" * 2_400_000)) + "/large"
    with processes(limits=Limits(worker_bytes=300_000_000)) as pool:
        pool.submit(1, Task(url))
        assert collect(pool, 1)[1].detail == {"problem": "memory", "limit": 300_000_000}
    assert "Traceback" not in capfd.readouterr().err


def test_a_pool_whose_workers_cannot_start_says_so(site, tmp_path, monkeypatch):
    code = "import sys\nif 'minisearch.crawl.workers' in sys.orig_argv: sys.exit(1)"
    (tmp_path / "sitecustomize.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with closing(WorkerPool(2)) as pool:
        pool.submit(1, Task(site, robots=True))
        with pytest.raises(MiniSearchError, match="end as soon as they start"):
            collect(pool, 1)


def test_workers_import_nothing_from_the_current_folder(site, tmp_path, monkeypatch):
    (tmp_path / "calendar.py").write_text("raise ImportError('not the calendar of Python')")
    monkeypatch.chdir(tmp_path)
    with processes() as pool:
        pool.submit(1, Task(f"{site}/1"))
        assert collect(pool, 1)[1].title == "1"


def test_workers_find_what_was_imported_from_the_current_folder(site, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("open('imported', 'w').close()")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    with processes():
        assert (tmp_path / "imported").exists()


def test_workers_end_with_the_pool(site):
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        workers = pids(pool)
        assert len(workers) == 2
    assert all(ends(worker, 0.1) for worker in workers)


PARENT = """
import sys, time
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import WorkerPool

pool = WorkerPool(3)
pool.submit(1, Task(sys.argv[1] + "/1"))
while not pool.results(1):
    pass
pool.submit(2, Task(sys.argv[1] + "/slow"))
print(*(worker.process.pid for worker in pool._workers), flush=True)
time.sleep(60)
"""


def test_workers_end_when_their_parent_is_killed(serve):
    site = serve(**{"1": (200, HTML, b"x"), "slow": lambda _: time.sleep(1)})
    parent = subprocess.Popen([sys.executable, "-c", PARENT, site], stdout=subprocess.PIPE, text=True)
    workers = parent.stdout.readline().split()
    parent.kill()
    parent.communicate()
    assert len(workers) == 3
    assert all(ends(worker) for worker in workers)


def test_nothing_printed_by_a_worker_ends_up_among_the_results(site, patch_visitor, capfd):
    patch_visitor("print('printed', flush=True); os.write(1, b'and written' * 9999)")
    with processes() as pool:
        for number in range(4):
            pool.submit(number, Task(f"{site}/{number}"))
        assert [page.title for _, page in sorted(collect(pool, 4).items())] == ["0", "1", "2", "3"]
    assert capfd.readouterr().out == ""


# The script has no `if __name__ == "__main__"`, and nobody can write to its stdout by a file number.
SCRIPT = """
import contextlib, io, sys
from minisearch import Engine

with contextlib.redirect_stdout(io.StringIO()), Engine() as engine:
    summary = engine.crawl(sys.argv[1])
print(summary.fetched, file=sys.stderr)
"""


def test_a_script_may_crawl_while_its_stdout_is_redirected(site, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, tmp_path / "script.py", f"{site}/1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "1\n")


def test_an_interrupt_from_the_keyboard_does_not_reach_the_workers(site):
    with processes(2) as pool:
        assert {os.getpgid(pid) for pid in pids(pool)}.isdisjoint({os.getpgrp()})
        for pid in pids(pool):
            os.kill(pid, signal.SIGINT)
        pool.submit(1, Task(f"{site}/1"))
        pool.submit(2, Task(f"{site}/2"))
        found = collect(pool, 2)
        assert (found[1].title, found[2].title) == ("1", "2")
