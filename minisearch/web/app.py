"""The application factory.

`create_app("docs.db")` is a WSGI application for any server: `gunicorn 'minisearch.web.app:create_app("docs.db")'`.
Every page can be read without JavaScript.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, g, request

from minisearch.engine import Readers
from minisearch.errors import BadInput
from minisearch.web import config, engines
from minisearch.web.config import Settings
from minisearch.web.errors import init_errors
from minisearch.web.filters import init_filters
from minisearch.web.security import init_security
from minisearch.web.views import api, crawl, details, graph, lab, search, stats, tables

STATIC = Path(__file__).parent / "static"
YEAR = 365 * 24 * 3600  # seconds for which browsers keep a static file: its URL changes with its content

MODULES = (search, details, graph, lab, stats, tables, api, crawl)
NAV = (
    ("graph.show", "Graph"),
    ("lab.show", "Lab"),
    ("stats.show", "Stats"),
    ("details.why", "Why"),
    ("tables.index", "Tables"),
    ("crawl.show", "Crawl"),
    ("search.help_page", "Help"),
)


def create_app(db: str, *, readers: Readers | None = None, **options: Any) -> Flask:
    """The application over one file, or over the files of a pattern, which `readers` read. Options: see `Settings`."""
    settings = Settings(**options).check()
    app = Flask("minisearch.web", static_url_path=f"/static/{_static_version()}", static_folder=str(STATIC))
    app.jinja_options = {"cache_size": -1}  # keep all templates
    app.config.update({config.KEY: settings, "SEND_FILE_MAX_AGE_DEFAULT": YEAR})
    app.extensions[engines.KEY] = engines.Engines(db, readers)
    app.extensions[crawl.KEY] = crawl.Crawler(db, allow_private=settings.is_private)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    _init_access_log(app, settings.access_log)
    init_security(app, settings.hosts)
    init_errors(app)
    init_filters(app)
    for module in MODULES:
        app.register_blueprint(module.bp)
    nav = [entry for entry in NAV if settings.allow_crawl or entry[0] != "crawl.show"]
    app.context_processor(lambda: {"site": settings, "nav": nav, "query": ""})
    app.after_request(_add_etag)
    app.wsgi_app = _with_prefix(settings, app.wsgi_app)  # type: ignore[method-assign]
    return app


def _static_version() -> str:
    """A hash of all static files."""
    digest = hashlib.blake2s(digest_size=6)
    for path in sorted(STATIC.rglob("*.*")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _add_etag(response: Response) -> Response:
    """Let browsers keep a page and ask whether it has changed."""
    is_page = request.method in ("GET", "HEAD") and response.status_code == 200 and not response.is_streamed
    if is_page and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
    return response


def _with_prefix(settings: Settings, wsgi: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application below the path of its base URL, whether the proxy removes that path or not."""

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "HTTP_HOST" in environ:
            environ["HTTP_HOST"] = environ["HTTP_HOST"].lower()  # TRUSTED_HOSTS are compared with case
        if settings.base_url:
            path = environ.get("PATH_INFO", "")
            if settings.prefix and (path + "/").startswith(settings.prefix + "/"):
                environ["PATH_INFO"] = path[len(settings.prefix) :] or "/"
            environ["SCRIPT_NAME"] = settings.prefix
            environ["wsgi.url_scheme"] = settings.base_url.partition(":")[0]
        return wsgi(environ, start_response)

    return call


def _init_access_log(app: Flask, path: str) -> None:
    """Write a line for each request, in the common log format with the duration at the end."""
    if not path:
        return
    try:
        handler = logging.StreamHandler() if path == "-" else logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise BadInput(f'cannot write the access log "{path}": {error.strerror}') from error
    log = logging.Logger("minisearch.access")
    log.addHandler(handler)

    @app.before_request
    def start_clock() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def log_request(response: Response) -> Response:
        url = quote(request.path)  # a line break or a terminal sequence in the log would be an attack
        if request.query_string:
            url += "?" + quote(request.query_string, safe="/:@!$&'()*+,;=~%?[]")
        line = f'"{quote(request.method)} {url[:2000]} {request.environ.get("SERVER_PROTOCOL", "HTTP/1.1")}"'
        when = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime())
        size, milliseconds = response.calculate_content_length() or 0, 1000 * (time.perf_counter() - g.started)
        log.info(
            "%s - - [%s] %s %d %d %.1fms", request.remote_addr, when, line, response.status_code, size, milliseconds
        )
        return response
