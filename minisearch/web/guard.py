"""What every answer carries and every request must pass.

Who may call us, what a browser may load, who may change things.

A page of ours loads nothing from elsewhere and runs no script that is not a file of ours. A request that changes
something must come from our own pages: browsers say where a request comes from (Sec-Fetch-Site, Origin, Referer), and
no page of another site can make them say otherwise.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from minisearch.web.settings import settings

LARGEST_BODY = 4_000_000  # bytes that a request may bring
SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    # form-action is left open: browsers apply it to redirects too, and a lucky search ends on the page it found.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def guard(app: Flask, hosts: tuple[str, ...]) -> None:
    """Put the guards before and after every view; `hosts` are the names by which we may be called, none: by any."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY

    @app.before_request
    def check() -> None:
        if hosts and host_name(request.host) not in hosts:
            abort(400, description="This server does not go by that name; see --trusted-host.")
        if request.method not in SAFE and not from_our_pages():
            abort(403, description="This came from another site, so nothing was done.")

    @app.after_request
    def carry(response: Response) -> Response:
        response.headers.extend(HEADERS)  # which no view of ours sets
        return response


@lru_cache(maxsize=100)
def host_name(host: str) -> str:
    """A Host header without its port.

    >>> host_name("Example.com:8080"), host_name("[::1]:8080")
    ('example.com', '::1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def from_our_pages() -> bool:
    """Whether a request was made by a page of ours, or by no page at all (a program, not a browser)."""
    where = request.headers.get("Sec-Fetch-Site")
    if where:
        return where in ("same-origin", "none")
    origin = request.headers.get("Origin") or request.headers.get("Referer")  # of which our own pages send none
    if origin is None:
        return True
    own = {request.host, urlsplit(settings().base_url).netloc}
    try:
        return urlsplit(origin).netloc in own - {""}
    except ValueError:
        return False
