"""The real server: it says where it is, answers, and stops quietly."""

import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from minisearch import Engine


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_told_to_stop(tmp_path, how):
    Engine(tmp_path / "a.db").close()
    command = [sys.executable, "-m", "minisearch", "serve", "--db", str(tmp_path / "a.db"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as server:
        address = re.search(r"http://\S+", server.stdout.readline()).group()
        assert b"minisearch" in urllib.request.urlopen(address, timeout=10).read()
        server.send_signal(how)
        assert server.wait(10) == 0
        assert server.stderr.read() == ""
