"""The access log: one line a request, in the format that all log readers know, with the time it took at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from minisearch.errors import BadInput

Wsgi = Callable[..., Iterable[bytes]]
LONGEST = 2000  # letters of an address


def logged(wsgi: Wsgi, path: str) -> Wsgi:
    """The application with its access log: `path` is a file, "-" for standard error, or nothing for no log."""
    if not path:
        return wsgi
    try:
        log = sys.stderr if path == "-" else open(path, "a", buffering=1, encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise BadInput(f'cannot write the access log "{path}": {error.strerror}') from error

    def answer(environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        began, status, sent = time.perf_counter(), "-", 0

        def begin(line: str, headers: Any, trouble: Any = None) -> Any:
            nonlocal status
            status = line.split(" ", 1)[0]
            return start(line, headers, trouble)

        chunks = wsgi(environ, begin)
        try:
            for chunk in chunks:
                sent += len(chunk)
                yield chunk
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
            log.write(line_of(environ, status, sent, time.perf_counter() - began) + "\n")

    return answer


def line_of(environ: dict[str, Any], status: str, sent: int, seconds: float) -> str:
    """One line. What could be taken for a second one, or for a command to a terminal, is percent-encoded.

    >>> line_of({"REQUEST_METHOD": "GET", "PATH_INFO": "/a\\n"}, "200", 5, 0.0123).partition("] ")[2]
    '"GET /a%0A HTTP/1.1" 200 5 12.3ms'
    """
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    asked = quote(path.encode("latin-1", "replace"), safe="/:@!$&'()*+,;=~")
    if environ.get("QUERY_STRING"):
        asked += "?" + quote(environ["QUERY_STRING"].encode("latin-1", "replace"), safe="/:@!$&'()*+,;=~%?[]")
    when = datetime.now(UTC).strftime("%d/%b/%Y:%H:%M:%S +0000")
    who = environ.get("REMOTE_ADDR", "-")
    method, protocol = environ.get("REQUEST_METHOD", "-"), environ.get("SERVER_PROTOCOL", "HTTP/1.1")
    said = f'"{quote(method)} {asked[:LONGEST]} {protocol}"'
    return f"{who} - - [{when}] {said} {status} {sent} {1000 * seconds:.1f}ms"
