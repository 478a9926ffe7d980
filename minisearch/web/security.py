"""Security headers, allowed hosts, and what other sites may do: embed the search box, but change nothing.

A page loads nothing from other sites and runs only script files of this application. A request that changes something
must come from one of our pages: browsers say where a request comes from (Sec-Fetch-Site, Origin, Referer), and a page
of another site cannot change that.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from minisearch.web.config import settings

CORS_ENDPOINTS = ("api.search", "api.suggest")  # that pages of the origins of `serve --cors` may call
MAX_BODY = 4_000_000  # bytes of a request body
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    # form-action is not restricted: browsers apply it to redirects too, and "I'm feeling lucky" ends on another site.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def init_security(app: Flask, hosts: list[str]) -> None:
    """Check every request and add the headers to every response; `hosts` are the allowed host names, none: any."""
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY, TRUSTED_HOSTS=hosts or None)

    @app.before_request
    def refuse_cross_site() -> None:
        if request.method not in SAFE_METHODS and not is_same_origin():
            abort(403, description="Cross-site request refused.")

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.extend(HEADERS)
        allowed = settings().cors
        if allowed and request.endpoint in CORS_ENDPOINTS:
            response.vary.add("Origin")
            origin = request.headers.get("Origin", "")
            if "*" in allowed or origin in allowed:
                response.headers["Access-Control-Allow-Origin"] = "*" if "*" in allowed else origin
        return response


def is_same_origin() -> bool:
    """Whether a request was made by one of our pages, or by a program that is no browser."""
    site = request.headers.get("Sec-Fetch-Site")
    if site:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin") or request.headers.get("Referer")
    if origin is None:
        return True
    own = {request.host, urlsplit(settings().base_url).netloc}
    try:
        return urlsplit(origin).netloc in own - {""}
    except ValueError:
        return False
