"""Error handlers: an HTML page for people, problem+json (RFC 9457) for programs, and never a traceback."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, SecurityError

from minisearch.errors import BadInput, MiniSearchError, NotFound
from minisearch.web.engines import engines

MESSAGES = {
    404: "There is no page at this URL.",
    405: "This URL does not support that method.",
    413: "The request is too large.",
    415: "This URL accepts JSON only.",
    500: "Internal error. The server log has the details.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as programs get it."""

    type: str
    title: str
    status: int
    detail: str


def init_errors(app: Flask) -> None:
    """Register the error handlers."""

    @app.errorhandler(MiniSearchError)
    def minisearch_error(error: MiniSearchError) -> Response:
        status = status_of(error)
        if status == 503:
            app.logger.warning("%s", error)
        return error_response(status, str(error))

    @app.errorhandler(sqlite3.Error)
    def database_error(error: sqlite3.Error) -> Response:
        app.logger.warning("database error: %s", error)
        engines().close()
        return error_response(503, f"The database cannot be read at the moment ({error}). Try again later.")

    @app.errorhandler(SecurityError)
    def untrusted_host(_error: SecurityError) -> Response:
        return Response("Host not allowed. See serve --trusted-host.\n", 400, mimetype="text/plain")

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        status = error.code or 500
        own = error.description if error.description != type(error).description and status != 500 else None
        response = error_response(status, own or MESSAGES.get(status) or HTTPStatus(status).phrase)
        if error.get_response().headers.get("Allow"):
            response.headers["Allow"] = error.get_response().headers["Allow"]
        return response


def status_of(error: MiniSearchError) -> int:
    """The HTTP status of an error."""
    return 404 if isinstance(error, NotFound) else 400 if isinstance(error, BadInput) else 503


def error_response(status: int, message: str) -> Response:
    """The response for an error: JSON for the API, else a page."""
    phrase = HTTPStatus(status).phrase
    if request.path.startswith("/api/"):
        response = jsonify(Problem("about:blank", phrase, status, message))
        response.content_type = "application/problem+json"
    else:
        path = re.sub(r"(/index)?\.\w{1,5}$", "", unquote(request.path)) if status == 404 else ""
        words = " ".join(re.findall(r"[^\W_]{2,}", path))[:100]
        page = render_template("error.html", message=message, status=status, phrase=phrase, words=words)
        response = Response(page, mimetype="text/html")
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    if status == 503:
        response.headers["Retry-After"] = "5"
    return response
