"""When something goes wrong: a page for people, problem+json (RFC 9457) for programs, and never a traceback."""

from __future__ import annotations

import sqlite3
from http import HTTPStatus

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from minisearch.errors import BadInput, MiniSearchError, NotFound
from minisearch.web.library import library

WORDS = {
    404: "There is no such page here.",
    405: "This address cannot be asked in that way.",
    413: "That is more than this server takes at once.",
    415: "This address takes JSON.",
    500: "Something went wrong here. It is our mistake, not yours; the log knows more.",
}


def tell_troubles(app: Flask) -> None:
    """Let every error end in words."""

    @app.errorhandler(MiniSearchError)
    def ours(error: MiniSearchError) -> Response:
        status = status_of(error)
        if status == 503:
            app.logger.warning("%s", error)  # whoever runs the server is to know
        return told(status, str(error))

    @app.errorhandler(sqlite3.Error)
    def file(error: sqlite3.Error) -> Response:
        app.logger.warning("the file cannot be read: %s", error)
        library().close()
        return told(503, f"The file cannot be read just now ({error}). Please try again in a moment.")

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        own = error.description if error.description != type(error).description else None
        answer = told(status, WORDS.get(status, "") if status == 500 else own or WORDS.get(status) or _phrase(status))
        if error.get_response().headers.get("Allow"):
            answer.headers["Allow"] = error.get_response().headers["Allow"]
        return answer


def status_of(error: MiniSearchError) -> int:
    """The status by which an error of ours is told."""
    return 404 if isinstance(error, NotFound) else 400 if isinstance(error, BadInput) else 503


def told(status: int, message: str) -> Response:
    """The answer that says what is wrong, in the form in which it was asked."""
    if request.path.startswith("/api/"):
        answer = jsonify(type="about:blank", title=_phrase(status), status=status, detail=message)
        answer.content_type = "application/problem+json"
    else:
        answer = Response(render_template("trouble.html", message=message, status=status), mimetype="text/html")
    answer.status_code = status
    if status == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase
