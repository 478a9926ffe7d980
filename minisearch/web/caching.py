"""ETags: a page that has not changed is not made again, neither for those who have it nor for the next who ask for it.

A page depends on its address, on the file and on our own code; the tag is made of these three, before any work.
Browsers keep a page and ask whether it is still good (`no-cache`), which costs us a look at the head of the file.
"""

from __future__ import annotations

import hashlib
import threading

from flask import Flask, Response, request

from minisearch.web.library import library

NEVER = ("static",)  # endpoints with tags of their own
KEPT = ("search.results",)  # whose pages are kept for the next who asks the same
MOST_KEPT = 300


def cache(app: Flask, edition: str) -> None:
    """Tag what is got by GET; `edition` names our code and settings."""
    kept: dict[str, bytes] = {}
    lock = threading.Lock()

    @app.before_request
    def unless_known() -> Response | None:
        if request.method not in ("GET", "HEAD") or request.endpoint in (*NEVER, None):
            return None
        if request.if_none_match and _tag(edition) in request.if_none_match:
            return _tagged(Response(status=304), edition)
        known = request.environ["minisearch.tag"] = _tag(edition)  # before the work: the file may change meanwhile
        body = kept.get(known)
        return None if body is None else Response(body, mimetype="text/html")

    @app.after_request
    def tag(response: Response) -> Response:
        known = request.environ.get("minisearch.tag")
        if known and response.status_code == 200 and "Cache-Control" not in response.headers:
            response.set_etag(known)
            response.headers["Cache-Control"] = "no-cache"
            if request.endpoint in KEPT and request.method == "GET":
                with lock:
                    kept.setdefault(known, response.get_data())
                    if len(kept) > MOST_KEPT:
                        del kept[next(iter(kept))]  # the oldest
        elif response.status_code >= 400:
            response.headers["Cache-Control"] = "no-store"
        return response


def _tag(edition: str) -> str:
    here = request.environ
    path, query, accepted = (here.get(name, "") for name in ("PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT"))
    asked = f"{edition} {library().stamp_now()} {path}?{query} {accepted}"
    return hashlib.blake2s(asked.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _tagged(response: Response, edition: str) -> Response:
    response.set_etag(_tag(edition))
    response.headers["Cache-Control"] = "no-cache"
    return response
