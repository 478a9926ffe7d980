"""The SQLite file: its tables and views page by page, and read-only SQL queries if the server has --sql."""

from __future__ import annotations

import csv
import io
import threading
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from minisearch.engine import Engine
from minisearch.errors import BadInput, MiniSearchError, NotFound
from minisearch.web.config import settings
from minisearch.web.engines import engine
from minisearch.web.params import integer, lenient
from minisearch.web.views.graph import attachment

ROWS = 50  # on a page
CELL = 300  # characters of a text on a page
EXPORT_ROWS = 10_000
EXPORT_CELL = 1_000_000
MOST_COUNTED = 10_000
LAST_PAGE = 1_000_000
SECONDS = 3.0  # for a query
SQL_ROWS = 500  # of a query, on a page
WAIT_SECONDS = 1.0  # for another query to end: a request that waits holds a thread of the server
MAX_LENGTH = 10_000  # characters of a statement

bp = Blueprint("tables", __name__)
_running = threading.Semaphore()  # one query of a visitor at a time in each process


def single_file() -> Engine:
    """The engine, if it has one file: several have no tables in common."""
    found = engine()
    if found.is_sharded:
        raise NotFound(
            "This server searches several files, whose tables cannot be shown as one. "
            "To see those of one file, run: minisearch serve --db FILE"
        )
    return found


@bp.get("/tables")
def index() -> str:
    """Show all tables and views."""
    file = single_file()
    known = file.tables()
    counts = {each.name: file.count_rows(each.name, MOST_COUNTED) for each in known if each.type == "table"}
    return render_template("tables.html", tables=known, counts=counts, most=MOST_COUNTED)


@bp.get("/tables/<name>")
def table(name: str) -> str:
    """Show some rows of a table."""
    page = lenient("page", integer(1, LAST_PAGE, 1))
    found = _rows(name, offset=ROWS * (page - 1), max_rows=ROWS, max_length=CELL + 1)
    about = next(each for each in single_file().tables() if each.name == name)
    return render_template(
        "table.html", table=about, found=found, page=page, first=ROWS * (page - 1) + 1, cell=CELL, most=EXPORT_ROWS,
        sort=request.args.get("sort", ""), descending="desc" in request.args,
    )  # fmt: skip


@bp.get("/tables/<name>.<any(csv, json):form>")
def export(name: str, form: str) -> Response:
    """Download the first rows of a table."""
    return _download(name, form, _rows(name, offset=0, max_rows=EXPORT_ROWS, max_length=EXPORT_CELL))


def _rows(name: str, **options: int) -> Any:
    sort, descending = request.args.get("sort", ""), "desc" in request.args
    return single_file().table_rows(name, sort=sort, descending=descending, seconds=SECONDS, **options)


@bp.get("/sql")
def sql() -> tuple[str, int]:
    """Show the form, and the rows if there is a statement."""
    file, statement = _file_for_sql(), request.args.get("sql", "")
    found, error = None, None
    if statement.strip():
        try:
            found = _query(file, statement, SQL_ROWS)
        except BadInput as problem:
            error = str(problem)
    page = render_template(
        "sql.html", statement=statement, found=found, error=error, cell=CELL, rows_shown=SQL_ROWS,
        most=EXPORT_ROWS, seconds=SECONDS, max_length=MAX_LENGTH,
    )  # fmt: skip
    return page, 400 if error else 200


@bp.get("/sql.<any(csv, json):form>")
def export_sql(form: str) -> Response:
    """Download the first rows of the result."""
    return _download("query", form, _query(_file_for_sql(), request.args.get("sql", ""), EXPORT_ROWS))


def _file_for_sql() -> Engine:
    if not settings().sql:
        raise NotFound("SQL queries are disabled on this server. Start it with: minisearch serve --sql")
    return single_file()


def _query(file: Engine, statement: str, max_rows: int) -> Any:
    if len(statement) > MAX_LENGTH:
        raise BadInput(f"SQL: the statement is longer than {MAX_LENGTH:,} characters")
    if not _running.acquire(timeout=WAIT_SECONDS):
        raise MiniSearchError("Another query is running; try again in a few seconds.")
    try:
        return file.query(statement, seconds=SECONDS, max_rows=max_rows)
    finally:
        _running.release()


def _download(name: str, form: str, found: Any) -> Response:
    """Columns and rows as CSV or JSON."""
    if form == "json":
        return jsonify(columns=found.columns, rows=found.rows, truncated=found.truncated)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(found.columns)
    writer.writerows(found.rows)
    return attachment(name, form, text.getvalue())
