"""Serving the application with waitress: one process, or several that share a socket.

A stop is graceful: nobody new is let in, what was asked is answered, then the process ends.
"""

from __future__ import annotations

import errno
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import waitress
from waitress import wasyncore

from minisearch.engine import Engine, Readers
from minisearch.errors import BadInput
from minisearch.web.app import create_app
from minisearch.web.guard import LARGEST_BODY

LONGEST_REQUEST = 64_000  # bytes of its first line and headers
IDLE = 60  # seconds after which a silent connection is closed
PATIENCE = 5  # seconds for what is under way when we are told to stop
TOO_SOON = 2  # seconds: a process that lives shorter than that will not do better the next time
LITTER = 100_000  # objects that were made and are still there, after which rings of garbage are sought: we leave few
OUR_NAMES = ("localhost", "127.0.0.1", "::1")


def serve(
    db: str,
    host: str,
    port: int,
    *,
    threads: int = 4,
    workers: int = 1,
    ready: Callable[[str], None] = print,
    readers: Readers | None = None,
    **choices: Any,
) -> None:
    """Serve `db` until told to stop; `ready` gets the address once it answers. Choices are those of `create_app`.

    `readers` read the files of a pattern: so many processes for each thread, or others elsewhere.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a request that waits a moment is no news
    if choices.get("allow_crawl") and workers > 1:
        raise BadInput("a crawl needs the only process: leave out --workers or --allow-crawl")
    if callable(readers) and workers > 1:
        raise BadInput("only one process can speak with a cluster: leave out --workers or --cluster")
    if choices.get("allow_crawl") and not os.path.exists(db):
        Engine(db).close()  # there will be something in it soon
    # A file that cannot be used is refused now, not at the first request.
    Engine(db, create=False, read_only=bool(choices.get("read_only")), readers=readers).close()
    if is_loopback(host):
        choices |= {"is_private": True, "trusted_hosts": (*choices.get("trusted_hosts", ()), *OUR_NAMES)}
    app = create_app(db, readers=readers, **choices)
    listener = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = choices.get("base_url") or f"http://{shown}:{listener.getsockname()[1]}/"
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, _stop)
    try:
        if workers == 1:
            ready(address)
            run(app, listener, threads)
        else:
            _Crew(app, listener, threads).work(workers, lambda: ready(address))
    except SystemExit:
        pass
    finally:
        listener.close()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, kind)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen(1024)
        except BaseException:
            listener.close()
            raise
    except (OSError, ValueError) as error:
        hint = "; --port takes another" if getattr(error, "errno", None) == errno.EADDRINUSE else ""
        why = f"{getattr(error, 'strerror', None) or error}{hint}"
        raise BadInput(f"cannot listen on {host} port {port}: {why}") from error
    return listener


def run(app: Any, listener: socket.socket, threads: int) -> None:
    """Answer until a signal comes; then finish what was begun."""
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=threads,
        ident=None,
        max_request_body_size=LARGEST_BODY,
        max_request_header_size=LONGEST_REQUEST,
        channel_timeout=IDLE,
        cleanup_interval=10,
    )
    try:
        with seldom_swept():
            server.run()  # on a signal it waits for its threads, and comes back
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and any(
            channel.total_outbufs_len for channel in server.active_channels.values()
        ):
            wasyncore.loop(timeout=0.05, map=server._map, count=1)
    finally:
        server.close()


@contextmanager
def seldom_swept() -> Iterator[None]:
    """Rings of garbage are sought less often, which else takes a fifth of the time that a search does."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what is there now stays: it need not be looked through
    gc.set_threshold(max(LITTER, before[0]) if before[0] else 0, *before[1:])  # 0: somebody has turned it off
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _stop(_signal: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # once is enough
    raise SystemExit(0)


class _Crew:
    """Processes that answer together: one that dies is replaced, and all of them stop with us."""

    def __init__(self, app: Any, listener: socket.socket, threads: int) -> None:
        self._answer = partial(run, app, listener, threads)
        self._processes: list[int] = []
        self._watched, self._held = os.pipe()  # closed by the system if we are killed, which they hear

    def work(self, count: int, ready: Callable[[], None]) -> None:
        """Let so many processes answer until we are told to stop."""
        self._processes = [self._fork() for _ in range(count)]
        ready()
        began = time.monotonic()
        try:
            while True:
                number, _ = os.wait()
                self._processes.remove(number)
                if time.monotonic() - began < TOO_SOON:
                    raise BadInput("a process of the server ended as soon as it had begun; --workers 1 tells more")
                began = time.monotonic()
                self._processes.append(self._fork())
        finally:
            for number in self._processes:
                os.kill(number, signal.SIGTERM)
            for number in self._processes:
                os.waitpid(number, 0)

    def _fork(self) -> int:
        """A process that answers; its number."""
        sys.stdout.flush()
        sys.stderr.flush()
        number = os.fork()
        if number:
            return number
        status = 1
        try:
            os.close(self._held)
            threading.Thread(target=self._stop_with_parent, daemon=True).start()
            self._answer()
            status = 0
        except SystemExit:
            status = 0
        finally:
            os._exit(status)

    def _stop_with_parent(self) -> None:
        os.read(self._watched, 1)  # nothing is ever written: it ends when nobody is left who could
        os.kill(os.getpid(), signal.SIGTERM)
