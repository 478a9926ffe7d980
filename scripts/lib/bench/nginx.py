"""A folder served by nginx on loopback, with a configuration, a port and files of its own, as root or as anybody."""

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

PATIENCE = 10.0  # seconds until it must answer
SCRATCH = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # it makes a folder for each, whether used or not

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
{folders}
    server {{ listen 127.0.0.1:{port}; root "{root}"; index index.html; }}
}}
"""


def configuration(root: Path, scratch: Path, port: int, *, as_root: bool) -> str:
    """What nginx is told.

    >>> told = configuration(Path("/site"), Path("/tmp/x"), 8080, as_root=False)
    >>> 'listen 127.0.0.1:8080; root "/site";' in told, "user root" in told
    (True, False)
    """
    user = "user root;\n" if as_root else ""  # else its worker would be nobody, who may not be let into a checkout
    folders = "\n".join(f"    {name}_temp_path {scratch}/{name};" for name in SCRATCH)
    return CONFIGURATION.format(root=root, scratch=scratch, port=port, user=user, folders=folders)


def program() -> str:
    """Where nginx is; if it is nowhere, the bench ends with one line."""
    found = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    if found is None:
        sys.exit("nginx is missing, which serves the pages: apt-get install nginx")
    return found


@contextmanager
def served(root: Path) -> Iterator[str]:
    """The base url under which `root` is being served."""
    with tempfile.TemporaryDirectory(prefix="bench-nginx-") as name:
        scratch, port = Path(name), free_port()
        file = scratch / "nginx.conf"
        file.write_text(configuration(root, scratch, port, as_root=os.geteuid() == 0), "utf-8")
        command = [program(), "-p", name, "-e", f"{name}/error.log", "-c", str(file)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.communicate()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    """Return when somebody answers at `port`; the bench ends with one line if nobody does."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    process.terminate()
    said = process.communicate()[1].strip().splitlines() or ["it did not say why"]
    sys.exit(f"nginx does not serve: {said[-1]}")
