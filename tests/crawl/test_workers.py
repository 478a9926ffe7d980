"""The pool: real processes, some of which come to harm."""

import operator
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
from minisearch.crawl.workers import AHEAD, FAR_AHEAD, Inline, Processes
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.records import Failed, Page

HTML = {"Content-Type": "text/html"}


@contextmanager
def processes(count=1, **options):
    with closing(Processes(count, **options)) as pool:
        yield pool


def pids(pool):
    return [worker.process.pid for worker in pool._workers]


def collect(pool, count, seconds=60):
    """So many results, by their keys."""
    found, until = {}, time.monotonic() + seconds
    while len(found) < count and time.monotonic() < until:
        found.update(pool.results(0.5))
    return found


def ends(pid, seconds=10):
    """Whether a process goes away, or is only waiting to be buried."""
    for _ in range(int(seconds * 20)):
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        if not state or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def wait_for(condition, seconds=10):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    assert condition()


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
            2: Failed(f"{site}/none", "the server answered 404 Not Found", "http-404"),
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
            pool.submit(number, Task(f"{site}/{number}"))
        assert (room, pool.has_room()) == ([True] * 2 * AHEAD, False)
        collect(pool, 2 * AHEAD)
        assert pool.has_room()


@pytest.mark.parametrize(("quick", "held"), [(60.0, FAR_AHEAD), (0.0, AHEAD)])
def test_a_worker_that_was_quick_with_its_last_task_holds_more(site, monkeypatch, quick, held):
    monkeypatch.setattr(pools, "QUICK", quick)
    with processes(1) as pool:
        pool.submit(0, Task(f"{site}/0"))
        collect(pool, 1)
        taken = 0
        while pool.has_room():
            taken += 1
            pool.submit(taken, Task(f"{site}/{taken}"))
        assert taken == held
        collect(pool, held)


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


def test_a_worker_gives_back_the_memory_that_a_large_page_took(serve):
    large = b"".join(b"<p>Paragraph %d is about nothing.<a href=/%d>See</a></p>" % (n, n) for n in range(30_000))
    large = b"<html lang=en>" + large  # lest it be guessed, which takes memory, too
    site = serve(large=(200, HTML, large), small=(200, HTML, b"<html lang=en><p>Small"))
    with processes(1) as pool:
        sizes = []
        for number, path in enumerate(["small", "large", "small"]):
            pool.submit(number, Task(f"{site}/{path}"))
            collect(pool, 1)
            sizes.append(memory(*pids(pool)))
    before, _, after = sizes
    assert after < before + 20 * len(large)


def memory(pid):
    with open(f"/proc/{pid}/statm") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# -- slow servers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "grown"), [(3, 3), (0, 1)])
def test_while_all_workers_wait_for_slow_servers_there_may_be_more(site, monkeypatch, most, grown):
    monkeypatch.setattr(pools, "SLOW", 0.2)
    monkeypatch.setattr(pools, "START", 0.2)
    monkeypatch.setattr(pools, "_sleeps", lambda _: True)
    with processes(1, most=most) as pool:
        for number in range(3):
            pool.submit(number, Task(f"{site}/stuck"))
            time.sleep(0.3)
        assert len(pids(pool)) == grown
        assert not pool.has_room()
        if most:
            pool._most += 1
            assert pool.has_room()
            pool.submit(9, Task(f"{site}/2"))
            found = {}
            wait_for(lambda: found.update(pool.results(0.5)) or 9 in found, seconds=60)
            assert found[9].title == "2"


def test_quick_servers_need_no_more_workers_than_there_are(site):
    with processes(1, most=5) as pool:
        for number in range(8):
            while not pool.has_room():
                pool.results(0.5)
            pool.submit(number, Task(f"{site}/{number}"))
        assert len(pids(pool)) == 1


def test_a_worker_that_waits_is_given_nothing_to_hold(site, monkeypatch):
    monkeypatch.setattr(pools, "SLOW", 0.2)
    monkeypatch.setattr(pools, "START", 0.2)
    monkeypatch.setattr(pools, "_sleeps", lambda _: True)
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        time.sleep(0.3)
        for number in range(2, 2 + AHEAD):
            pool.submit(number, Task(f"{site}/{number}"))
        assert set(collect(pool, AHEAD)) == set(range(2, 2 + AHEAD))


# -- harm ------------------------------------------------------------------------------------


def test_a_worker_that_dies_is_replaced_and_loses_only_the_page_it_was_at(site):
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        before = pids(pool)
        pool.submit(2, Task(f"{site}/2"))
        pool.submit(3, Task(f"{site}/3"))  # waits behind the first
        found = collect(pool, 1)
        os.kill(before[0], signal.SIGKILL)
        found |= collect(pool, 2)
        assert found[1] == Failed(f"{site}/stuck", "the process that read it died", "crash", transient=True)
        assert [found[2].title, found[3].title] == ["2", "3"]
        assert pids(pool)[1] == before[1]
        assert pids(pool)[0] != before[0]


def test_a_worker_that_replaces_another_knows_nothing_of_what_was_sent_before(serve):
    menu = b"".join(b"<a href=/%d>Page %d</a> " % (n, n) for n in range(50))
    site = serve(**{str(n): (200, HTML, menu) for n in range(6)}, stuck=lambda _: time.sleep(30))
    with processes() as pool:
        found = {}
        for number in range(6):
            pool.submit(number, Task(f"{site}/{number}"))
            found |= collect(pool, 1)
            if number == 2:
                pool.submit(9, Task(f"{site}/stuck"))
                os.kill(pids(pool)[0], signal.SIGKILL)
                assert collect(pool, 1)[9].rule == "crash"
        links = [found[number].links for number in range(6)]
        assert {tuple(link.anchor for link in each) for each in links} == {tuple(f"Page {n}" for n in range(50))}
        same = {(a, b): sum(map(operator.is_, links[a], links[b])) for a, b in ((1, 2), (4, 5), (2, 4))}
        assert same[1, 2] > 25  # a few may share their place with another, and be remembered later
        assert same[4, 5] > 25
        assert same[2, 4] == 0


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
        assert collect(pool, 1) == {1: RobotsFile(0, error="the process that read it died")}


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
        assert collect(pool, 1)[1] == Failed(f"{trap}/a", "not done after 0.5 seconds", "timeout")
        assert pids(pool) == before


HANG = """
import sys, time
if "minisearch.crawl.workers" in sys.orig_argv:
    import minisearch.crawl.visit

    def hang(self, task, calm=minisearch.crawl.visit.Visitor.__call__):
        if task.url.endswith("/a"):
            time.sleep(60)
        return calm(self, task)

    minisearch.crawl.visit.Visitor.__call__ = hang
"""


def test_a_worker_that_hangs_is_replaced(site, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(HANG)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pools, "may_fork", lambda: False)
    monkeypatch.setattr(pools, "GRACE", 2)
    monkeypatch.setattr(pools, "START", 60)
    with dripping_server() as trap, processes(limits=Limits(page_seconds=0.5)) as pool:
        pool.submit(0, Task(f"{site}/0"))  # from now on it has no loading to do
        collect(pool, 1)
        before = pids(pool)
        pool.submit(1, Task(f"{trap}/a"))
        pool.submit(2, Task(f"{site}/2"))
        found = collect(pool, 2)
        assert found[1] == Failed(f"{trap}/a", "not done after 2.5 seconds", "timeout")
        assert found[2].title == "2"
        assert ends(before[0], 0.1)


def test_there_are_no_more_workers_than_tasks_and_one_that_is_ready_for_the_next(site):
    with processes(3) as pool:
        met = [len(pids(pool))]
        for number in range(4):
            pool.submit(number, Task(f"{site}/{number}"))
            met.append(len(pids(pool)))
        assert met == [1, 2, 3, 3, 3]
        assert len(collect(pool, 4)) == 4


def test_workers_end_with_the_pool(site):
    with processes(2) as pool:
        pool.submit(1, Task(f"{site}/stuck"))
        workers = pids(pool)
        assert len(workers) == 2
    assert all(ends(worker, 0.1) for worker in workers)


PARENT = """
import sys, time
from minisearch.crawl import workers as pools
from minisearch.crawl.visit import Task

if sys.argv[2] == "fresh":
    pools.may_fork = lambda: False
pool = pools.Processes(3)
pool.submit(1, Task(sys.argv[1] + "/1"))
while not pool.results(1):
    pass
pool.submit(2, Task(sys.argv[1] + "/slow"))
print(*(worker.process.pid for worker in pool._workers), flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("workers", ["copies", "fresh"])
def test_workers_end_when_their_parent_is_killed(serve, workers):
    site = serve(**{"1": (200, HTML, b"x"), "slow": lambda _: time.sleep(1)})
    parent = subprocess.Popen([sys.executable, "-c", PARENT, site, workers], stdout=subprocess.PIPE, text=True)
    workers = parent.stdout.readline().split()
    parent.kill()
    parent.communicate()
    assert len(workers) == 3
    assert all(ends(worker) for worker in workers)


NOISE = """
import os, sys
if "minisearch.crawl.workers" in sys.orig_argv:
    import minisearch.crawl.visit

    def noisy(self, task, quiet=minisearch.crawl.visit.Visitor.__call__):
        print("a word from the worker", flush=True)
        os.write(1, b"and one more" * 9999)
        return quiet(self, task)

    minisearch.crawl.visit.Visitor.__call__ = noisy
"""


def test_nothing_printed_by_a_worker_disturbs_the_results(site, tmp_path, monkeypatch, capfd):
    (tmp_path / "sitecustomize.py").write_text(NOISE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pools, "may_fork", lambda: False)
    with processes() as pool:
        for number in range(4):
            pool.submit(number, Task(f"{site}/{number}"))
        assert [page.title for _, page in sorted(collect(pool, 4).items())] == ["0", "1", "2", "3"]
    out, err = capfd.readouterr()
    assert (out, err.count("a word from the worker")) == ("", 4)


def test_an_interrupt_from_the_keyboard_does_not_reach_the_workers(site):
    with processes(2) as pool:
        assert {os.getpgid(pid) for pid in pids(pool)}.isdisjoint({os.getpgrp()})
        pool.submit(1, Task(f"{site}/1"))
        collect(pool, 1)
        for pid in pids(pool):
            os.kill(pid, signal.SIGINT)
        pool.submit(2, Task(f"{site}/2"))
        assert collect(pool, 1)[2].title == "2"


def test_a_worker_that_is_busy_is_not_taken_to_wait(monkeypatch):
    monkeypatch.setattr(pools, "SLOW", 0)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    idle = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        wait_for(lambda: pools._sleeps(idle.pid))
        workers = [pools._Worker(each, None, None, held=[1], is_new=False) for each in (busy, idle)]
        wait_for(lambda: [worker.waits() for worker in workers] == [False, True])
    finally:
        for process in (busy, idle):
            process.kill()
            process.communicate()
