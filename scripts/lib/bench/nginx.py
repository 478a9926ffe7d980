"""Serve a folder with nginx on loopback, without its system configuration and as any user."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_TIMEOUT = 10.0  # seconds to start

CONFIGURATION = """\
{user}daemon off;
worker_processes 1;
pid {scratch}/pid;
error_log {scratch}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    types {{ text/html html htm; text/plain txt; text/css css; text/javascript js; image/svg+xml svg; image/png png; }}
    default_type application/octet-stream;
    client_body_temp_path {scratch}/client_body;
    proxy_temp_path {scratch}/proxy;
    fastcgi_temp_path {scratch}/fastcgi;
    uwsgi_temp_path {scratch}/uwsgi;
    scgi_temp_path {scratch}/scgi;
    server {{ listen 127.0.0.1:{port}; root "{root}"; index index.html; }}
}}
"""


def find() -> str:
    """The path of nginx; exit with one line if there is none."""
    found = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    if found is None:
        sys.exit("nginx is missing, which serves the pages: apt-get install nginx")
    return found


@contextmanager
def serve(root: Path) -> Iterator[str]:
    """Serve `root`; gives the base URL."""
    with tempfile.TemporaryDirectory(prefix="bench-nginx-") as scratch:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = int(listener.getsockname()[1])
        user = "user root;\n" if os.geteuid() == 0 else ""  # the default, nobody, may not be able to read the checkout
        file = Path(scratch, "nginx.conf")
        file.write_text(CONFIGURATION.format(user=user, scratch=scratch, port=port, root=root), "utf-8")
        command = [find(), "-p", scratch, "-e", f"{scratch}/error.log", "-c", str(file)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            wait_until_ready(port, process)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.communicate()


def wait_until_ready(port: int, process: subprocess.Popen[str]) -> None:
    """Wait until `port` accepts connections; exit with one line if it does not."""
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    process.terminate()
    error = (process.communicate()[1].strip().splitlines() or ["no error message"])[-1]
    sys.exit(f"nginx does not start: {error}")
