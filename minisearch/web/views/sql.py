"""Read-only SQL queries with a time limit, if the server was started with --sql."""

from __future__ import annotations

import threading
from typing import Any

from flask import Blueprint, Response, render_template, request

from minisearch.errors import BadInput, MiniSearchError, NotFound
from minisearch.web.config import settings
from minisearch.web.views.tables import CELL, download, single_file

SECONDS = 3.0
WAIT_SECONDS = 1.0  # for another query to end: a request that waits holds a thread of the server
ROWS = 500  # on a page
EXPORT_ROWS = 10_000
MAX_LENGTH = 10_000  # characters of a statement

EXAMPLES = (  # the twelve questions of the handbook: fixtures_site/handbook/parts.html
    ("Three pages and their titles", "select url, title from page_list order by url limit 3"),
    ("Pages by depth", "select depth, count(*) as pages from page_list group by depth"),
    ("The longest pages", "select url, words from page_list order by words desc, url limit 3"),
    ("Pages by language", "select language, count(*) as pages from page_list group by language"),
    (
        "Links to a page",
        "select linked_from, anchor from in_links where url like '%/roses.html' order by linked_from limit 3",
    ),
    (
        "Links of a page",
        "select links_to, anchor from out_links where url like '%/roses.html' order by links_to limit 3",
    ),
    (
        "The highest PageRank",
        "select round(score, 4) as score, url from top_pages where ranking = 'pagerank' "
        "order by score desc, url limit 3",
    ),
    ("The most frequent terms", "select term, df from vocabulary order by df desc, term limit 3"),
    (
        "Skipped URLs by rule",
        "select rule, count(*) as urls from url_status where state = 'skipped' group by rule",
    ),
    ("Broken links", "select url, rule, referrer from url_status where state = 'failed'"),
    ("Duplicates", "select url, duplicate_of from page_list where duplicate_of is not null order by url"),
    (
        "The sections of a page",
        "select level, heading from sections join page_list using (page_id) "
        "where url like '%/roses.html' order by position",
    ),
)

bp = Blueprint("sql", __name__)
_running = threading.Semaphore()  # one query at a time in each process


@bp.before_request
def check() -> None:
    """Refuse everything unless the option was given."""
    if not settings().sql:
        raise NotFound("SQL queries are disabled on this server. Start it with: minisearch serve --sql")


@bp.get("/sql")
def show() -> tuple[str, int]:
    """Show the form, and the rows if there is a statement."""
    statement = request.args.get("sql", "")
    found, error = None, None
    single_file()
    if statement.strip():
        try:
            found = _run(statement, ROWS)
        except BadInput as problem:
            error = str(problem)
    page = render_template(
        "sql.html", statement=statement, found=found, error=error, examples=EXAMPLES, cell=CELL, rows_shown=ROWS,
        most=EXPORT_ROWS, seconds=SECONDS, max_length=MAX_LENGTH,
    )  # fmt: skip
    return page, 400 if error else 200


@bp.get("/sql.<any(csv, json):form>")
def export(form: str) -> Response:
    """Download the first rows of the result."""
    return download("query", form, _run(request.args.get("sql", ""), EXPORT_ROWS))


def _run(statement: str, max_rows: int) -> Any:
    if len(statement) > MAX_LENGTH:
        raise BadInput(f"SQL: the statement is longer than {MAX_LENGTH:,} characters")
    file = single_file()
    if not _running.acquire(timeout=WAIT_SECONDS):
        raise MiniSearchError("Another query is running; try again in a few seconds.")
    try:
        return file.query(statement, seconds=SECONDS, max_rows=max_rows)
    finally:
        _running.release()
