"""The web application: one blueprint for each kind of page, and around them guards, tags and kind words.

Everything can be read without JavaScript. `create_app("docs.db")` is a WSGI application for any server:
`gunicorn 'minisearch.web.app:create_app("docs.db")'`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from flask import Flask

import minisearch
from minisearch.engine import Readers
from minisearch.web import library, settings
from minisearch.web.access import logged
from minisearch.web.caching import cache
from minisearch.web.guard import guard
from minisearch.web.pages import api, crawl, graph, lab, look, search, stats
from minisearch.web.settings import Settings
from minisearch.web.shown import teach
from minisearch.web.trouble import tell_troubles
from minisearch.web.views import embed, sql, tables

HERE = Path(__file__).parent
A_YEAR = 365 * 24 * 3600  # seconds for which a browser may keep a file of ours: its address changes with it

BLUEPRINTS = (
    search.pages,
    look.pages,
    graph.pages,
    lab.pages,
    stats.pages,
    api.pages,
    crawl.pages,
    tables.tables,
    sql.sql,
    embed.embed,
)
NAV = (
    ("search.home", "Search"),
    ("graph.show", "Graph"),
    ("lab.show", "Lab"),
    ("stats.show", "Stats"),
    ("tables.index", "Tables"),
    ("crawl.show", "Crawl"),
)


def create_app(db: str, *, readers: Readers | None = None, **choices: Any) -> Flask:
    """The application over one file, or those of a pattern, that `readers` read. Choices: the fields of `Settings`."""
    chosen = Settings(**choices).check()
    edition = hashlib.blake2s(f"{minisearch.__version__} {_digest()} {chosen}".encode(), digest_size=6).hexdigest()
    app = Flask("minisearch.web", static_url_path=f"/static/{edition}", static_folder=str(HERE / "static"))
    app.jinja_options = {"cache_size": -1}  # our templates are few: all are kept, and none has to be the oldest
    app.config.update({settings.KEY: chosen, "SEND_FILE_MAX_AGE_DEFAULT": A_YEAR})
    app.extensions[library.KEY] = library.Library(db, readers)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    guard(app, chosen.hosts)
    cache(app, edition)
    tell_troubles(app)
    teach(app)
    for pages in BLUEPRINTS:
        app.register_blueprint(pages)
    known = app.view_functions
    nav = [each for each in NAV if each[0] in known and (each[0] != "crawl.show" or chosen.allow_crawl)]
    app.context_processor(lambda: {"site": chosen, "nav": nav, "query": ""})
    app.extensions[crawl.KEY] = crawl.Crawler(db, inside=chosen.is_private)
    app.wsgi_app = logged(_below(chosen, app.wsgi_app), chosen.access_log)  # type: ignore[method-assign]
    return app


def _digest() -> str:
    """A name for all our templates and static files as they are now."""
    found = hashlib.blake2s(digest_size=8)
    for path in sorted([*(HERE / "static").rglob("*"), *(HERE / "templates").rglob("*")]):
        if path.is_file():
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


def _below(chosen: Settings, wsgi: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application below the prefix of its base url, whether the proxy in front cuts that off or not."""
    if not chosen.base_url:
        return wsgi

    def below(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if chosen.prefix and (path + "/").startswith(chosen.prefix + "/"):
            environ["PATH_INFO"] = path[len(chosen.prefix) :] or "/"
        environ["SCRIPT_NAME"] = chosen.prefix
        environ["wsgi.url_scheme"] = chosen.base_url.partition(":")[0]
        return wsgi(environ, start)

    return below
