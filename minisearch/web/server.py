"""Serving the application with waitress."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from types import FrameType

import waitress

from minisearch.engine import Engine
from minisearch.errors import BadInput
from minisearch.web.app import create_app


def serve(db: str, host: str, port: int, threads: int, ready: Callable[[str], None] = print) -> None:
    """Serve `db` until told to stop; `ready` gets the address once it answers."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a request that waits a moment is no news
    Engine(db, create=False).close()  # a file that cannot be used is told now, not at the first request
    try:
        server = waitress.create_server(create_app(db), host=host, port=port, threads=threads)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot listen on {host} port {port}: {getattr(error, 'strerror', None) or error}") from error

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, stop)
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{server.effective_port}/")
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.close()
