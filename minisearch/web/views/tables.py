"""The tables and views of the file, page by page, and as CSV or JSON."""

from __future__ import annotations

import csv
import io
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from minisearch.engine import Engine
from minisearch.errors import NotFound
from minisearch.web.config import settings
from minisearch.web.engines import engine

ROWS = 50  # on a page
CELL = 300  # characters of a text on a page
EXPORT_ROWS = 10_000
EXPORT_CELL = 1_000_000
MOST_COUNTED = 10_000
LAST_PAGE = 1_000_000
SECONDS = 2.0

bp = Blueprint("tables", __name__)


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
    return render_template("tables.html", tables=known, counts=counts, most=MOST_COUNTED, sql=settings().sql)


@bp.get("/tables/<name>")
def table(name: str) -> str:
    """Show some rows of a table."""
    page = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE)
    found = _rows(name, offset=ROWS * (page - 1), max_rows=ROWS, max_length=CELL + 1)
    about = next(each for each in single_file().tables() if each.name == name)
    return render_template(
        "table.html", table=about, found=found, page=page, first=ROWS * (page - 1) + 1, cell=CELL, most=EXPORT_ROWS,
        sort=request.args.get("sort", ""), descending="desc" in request.args,
    )  # fmt: skip


@bp.get("/tables/<name>.<any(csv, json):form>")
def export(name: str, form: str) -> Response:
    """Download the first rows of a table."""
    return download(name, form, _rows(name, offset=0, max_rows=EXPORT_ROWS, max_length=EXPORT_CELL))


def _rows(name: str, **options: int) -> Any:
    sort, descending = request.args.get("sort", ""), "desc" in request.args
    return single_file().table_rows(name, sort=sort, descending=descending, seconds=SECONDS, **options)


def download(name: str, form: str, found: Any) -> Response:
    """Columns and rows as CSV or JSON."""
    if form == "json":
        return jsonify(columns=found.columns, rows=found.rows, truncated=found.truncated)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(found.columns)
    writer.writerows(found.rows)
    response = Response(text.getvalue(), mimetype="text/csv")
    response.headers["Content-Disposition"] = f"attachment; filename={name}.csv"
    return response
