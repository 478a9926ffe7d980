"""Serving the application: waitress for one process, gunicorn for several."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import waitress
from flask import Flask

from minisearch.engine import Engine, Readers
from minisearch.errors import BadInput
from minisearch.web.app import create_app
from minisearch.web.security import MAX_BODY

MAX_HEADERS = 64_000  # bytes of the request line and the headers
IDLE_TIMEOUT = 60  # seconds after which an idle connection is closed


def serve(
    db: str,
    host: str,
    port: int,
    *,
    threads: int | None = None,
    workers: int = 1,
    ready: Callable[[str], None] = print,
    readers: Readers | None = None,
    **options: Any,
) -> None:
    """Serve `db` until SIGINT or SIGTERM; `ready` gets the URL once it can be requested.

    `readers` read the files of a pattern; the other options are those of `create_app`.
    """
    if workers > 1 and options.get("allow_crawl"):
        raise BadInput("--allow-crawl cannot be combined with --workers")
    if workers > 1 and callable(readers):
        raise BadInput("--cluster cannot be combined with --workers")
    may_create, read_only = bool(options.get("allow_crawl")), bool(options.get("read_only"))
    Engine(db, create=may_create, read_only=read_only, readers=readers).close()  # or an error now
    if is_loopback(host):
        options["is_private"] = True
        options["trusted_hosts"] = (*options.get("trusted_hosts", ()), "localhost", "127.0.0.1")
        options["trusted_hosts"] += () if ":" in host else (host,)
    app = create_app(db, readers=readers, **options)
    run = _run_waitress if workers == 1 else partial(_run_gunicorn, workers=workers)
    if threads is None:  # queries that take turns are answered sooner than by threads that share one interpreter lock
        threads = 4 if workers == 1 else 1
    with listen(host, port) as listener:
        name = "localhost" if host == "::1" else f"[{host}]" if ":" in host else host
        url = options.get("base_url") or f"http://{name}:{listener.getsockname()[1]}/"
        run(app, listener, threads, lambda: ready(url))


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to that address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, ValueError) as error:
        code = getattr(error, "errno", None) or 0  # negative: the name cannot be resolved
        reason = os.strerror(code) if code > 0 else getattr(error, "strerror", None) or error
        hint = "; choose another --port" if code == errno.EADDRINUSE else ""
        raise BadInput(f"cannot listen on {host} port {port}: {reason}{hint}") from error


def _run_waitress(app: Flask, listener: socket.socket, threads: int, ready: Callable[[], None]) -> None:
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a request that waits for a thread is normal
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.default_int_handler)
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=threads,
        ident=None,
        max_request_body_size=MAX_BODY,
        max_request_header_size=MAX_HEADERS,
        channel_timeout=IDLE_TIMEOUT,
        cleanup_interval=10,
    )
    try:
        ready()
        server.run()  # until a signal; then it waits for the requests that are being answered
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


def _run_gunicorn(
    app: Flask, listener: socket.socket, threads: int, ready: Callable[[], None], *, workers: int
) -> None:
    try:
        from gunicorn.app.base import BaseApplication
    except ImportError as error:
        raise BadInput("--workers needs gunicorn: pip install 'minisearch[server]'") from error

    if hasattr(socket, "TCP_DEFER_ACCEPT"):  # else a connection that a browser opens in advance holds a thread
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, IDLE_TIMEOUT)
    options = {
        "bind": f"fd://{listener.detach()}",  # gunicorn closes it
        "workers": workers,
        "threads": threads,
        "worker_class": "gthread",
        "preload_app": True,
        "keepalive": IDLE_TIMEOUT,
        "loglevel": "critical",
        "control_socket_disable": True,
        "when_ready": lambda _server: ready(),
    }

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name in options.keys() & self.cfg.settings.keys():  # older versions have no control socket
                self.cfg.set(name, options[name])

        def load(self) -> Flask:
            return app

    Server().run()
