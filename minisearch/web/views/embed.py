"""The search box for other sites, and the permission for their pages to call the API (CORS)."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request, send_from_directory

from minisearch.web.config import settings

ENDPOINTS = ("api.search", "api.suggest")  # that pages of other origins may call
MAX_AGE = 3600  # seconds for which a browser keeps the script

bp = Blueprint("embed", __name__)


@bp.get("/embed.js")
def script() -> Response:
    """The module that puts a search box into a page. A browser loads modules of other origins only with this header."""
    response = send_from_directory(current_app.static_folder or "", "embed.js", max_age=MAX_AGE)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


@bp.after_app_request
def allow_origin(response: Response) -> Response:
    """Let pages of the chosen origins read what the API returns."""
    allowed = settings().cors
    if allowed and request.endpoint in ENDPOINTS:
        response.vary.add("Origin")
        origin = request.headers.get("Origin", "")
        if "*" in allowed or origin in allowed:
            response.headers["Access-Control-Allow-Origin"] = "*" if "*" in allowed else origin
    return response
