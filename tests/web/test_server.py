"""The real server, with one process (waitress) and with several (gunicorn)."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.web import server

SECONDS = 60


@contextmanager
def served(db, *options):
    command = [sys.executable, "-m", "minisearch", "serve", "--db", str(db), "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as server:
        try:
            line = server.stdout.readline()
            server.address = re.search(r"http\S+", line).group()
            yield server
        finally:
            server.kill()


def get(address):
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:
        return answer.read().decode()


@pytest.fixture
def db(tmp_path):
    Engine(tmp_path / "a.db").close()
    return tmp_path / "a.db"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_serves_until_a_signal(db, how, workers, tmp_path_factory, monkeypatch):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("HOME", str(home))
    with served(db, "--workers", workers) as server:
        assert "minisearch" in get(server.address)
        server.send_signal(how)
        assert server.wait(SECONDS) == 0
        assert server.stderr.read() == ""
    assert [path.name for path in home.iterdir()] == []  # such as the folder of gunicorn's control socket


def children(number):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(number)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


@pytest.mark.skipif(sys.platform != "linux", reason="ps tells the children of a process on Linux only")
def test_no_process_outlives_a_server_that_is_killed(db):
    with served(db, "--workers", "2") as server:
        get(server.address)
        until = time.monotonic() + SECONDS
        while len(started := children(server.pid)) < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        server.kill()
        server.wait(SECONDS)
        while any(is_running(number) for number in started):
            assert time.monotonic() < until
            time.sleep(0.05)


def is_running(number):
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False).stdout
    return bool(told.strip()) and not told.startswith("Z")


@pytest.mark.skipif(sys.platform != "linux", reason="ps tells the children of a process on Linux only")
def test_a_process_that_dies_is_replaced(db):
    with served(db, "--workers", "2") as server:
        get(server.address)
        first = children(server.pid)
        os.kill(first[0], signal.SIGKILL)
        until = time.monotonic() + SECONDS
        while len(set(children(server.pid)) - {first[0]}) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        assert len(set(children(server.pid)) - {first[0]}) == 2
        assert "minisearch" in get(server.address)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems accept connections before there is a request")
def test_connections_without_a_request_keep_nobody_waiting(db):
    with served(db, "--workers", "2") as server, ExitStack() as opened:
        where = server.address.split("/")[2].split(":")
        for _ in range(60):  # a thread would wait five seconds for each
            opened.enter_context(socket.create_connection(where, SECONDS))
        assert "minisearch" in get(server.address)


def test_requests_made_before_the_signal_are_answered(garden, tmp_path):
    with served(garden.path, "--access-log", str(tmp_path / "log")) as server:
        get(server.address)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(get(f"{server.address}stats"))) for _ in range(3)]
        with socket.create_connection(server.address.split("/")[2].split(":"), SECONDS):
            for thread in threads:
                thread.start()
            until = time.monotonic() + SECONDS
            while not answers and time.monotonic() < until:
                time.sleep(0.01)
            server.send_signal(signal.SIGTERM)
            for thread in threads:
                thread.join()
        assert server.wait(SECONDS) == 0
    assert all("</html>" in answer for answer in answers)


def test_the_access_log_has_a_line_for_each_request(db, tmp_path):
    with served(db, "--access-log", str(tmp_path / "log")) as server:
        get(f"{server.address}search?q=a%0Ab")
        with pytest.raises(urllib.error.HTTPError):
            get(f"{server.address}nowhere%0d%0aforged")
        server.terminate()
        server.wait(SECONDS)
    lines = sorted((tmp_path / "log").read_text().splitlines(), key=lambda line: " 404 " in line)  # threads take turns
    assert len(lines) == 2
    assert re.search(r'^127\.0\.0\.1 - - \[.+\] "GET /search\?q=a%0Ab HTTP/1\.1" 200 \d+ [\d.]+ms$', lines[0])
    assert '"GET /nowhere%0D%0Aforged HTTP/1.1" 404' in lines[1]


def test_on_loopback_only_its_own_names_are_trusted(db):
    with served(db) as server:
        asked = urllib.request.Request(server.address, headers={"Host": "rebound.example"})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(asked, timeout=SECONDS)
        assert get(server.address.replace("127.0.0.1", "localhost"))


def test_requests_that_are_too_large_are_refused(db):
    with served(db) as server:
        asked = urllib.request.Request(server.address, data=b"x" * 5_000_000)
        with pytest.raises((urllib.error.HTTPError, urllib.error.URLError)):
            urllib.request.urlopen(asked, timeout=SECONDS)
        with pytest.raises((urllib.error.HTTPError, urllib.error.URLError)):
            get(f"{server.address}search?q={'x' * 100_000}")
        assert "minisearch" in get(server.address)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--workers", "2", "--allow-crawl"], "--allow-crawl cannot be combined with --workers"),
        (["--host", "0.0.0.0", "--allow-crawl"], "--trusted-host"),
        (["--base-url", "example.com"], "--base-url must be a URL"),
        (["--access-log", "/nowhere/at/all/log"], "cannot write the access log"),
        (["--host", "no.such.host.invalid"], "cannot listen on"),
    ],
)
def test_what_cannot_be_served_is_a_one_line_error(db, options, said):
    command = [sys.executable, "-m", "minisearch", "serve", "--db", str(db), "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_port_in_use_is_reported_with_a_hint():
    with server.listen("127.0.0.1", 0) as taken, pytest.raises(BadInput, match="already in use; choose another --port"):
        server.listen("127.0.0.1", taken.getsockname()[1])


def test_without_gunicorn_several_workers_are_refused(db, monkeypatch):
    monkeypatch.setitem(sys.modules, "gunicorn.app.base", None)
    with pytest.raises(BadInput, match=r"pip install 'minisearch\[server\]'"):
        server.serve(str(db), "127.0.0.1", 0, workers=2)


def test_open_progress_pages_do_not_stop_the_server(db):
    with served(db, "--allow-crawl", "--threads", "2") as server:
        for _ in range(8):
            assert "idle" in get(f"{server.address}crawl/status")
        assert "minisearch" in get(server.address)
