"""The addresses of our pages in templates: as Flask's own `url_for` makes them, but quickly.

A page of results has forty of them. What comes before the question mark is the same every time, or the same but for a
number, so it is asked of Flask once.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import flask
from flask import Flask, request

SAFE = "!$'()*,/:;?@"  # letters that need no percent sign in a query, as Flask has it
NUMBER = "number"  # the one name of a part of a path that may change
MARK = 9_182_736_455  # in place of such a number, to find where it goes


class Addresses:
    """`url_for` for the templates of an application."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._ends: dict[tuple[str, str], tuple[str, str | None] | None] = {}
        self._files: dict[tuple[str, str], str] = {}

    def url_for(self, endpoint: str, **values: Any) -> str:
        """The address of a view. Values that are no part of its path stand in the query; those that are None do not."""
        prefix = request.environ.get("SCRIPT_NAME", "")
        if endpoint == "static":
            return self._file(prefix, **values)
        if (prefix, endpoint) not in self._ends:
            self._ends[prefix, endpoint] = self._look_up(endpoint)
        ends = self._ends[prefix, endpoint]
        if ends is None:
            return flask.url_for(endpoint, **values)
        path, tail = ends
        if tail is not None:
            path = f"{path}{int(values.pop(NUMBER))}{tail}"
        told = [(name, value) for name, value in values.items() if value is not None]
        return f"{path}?{urlencode(told, safe=SAFE)}" if told else path

    def _file(self, prefix: str, filename: str) -> str:
        if (prefix, filename) not in self._files:
            self._files[prefix, filename] = flask.url_for("static", filename=filename)
        return self._files[prefix, filename]

    def _look_up(self, endpoint: str) -> tuple[str, str | None] | None:
        """What stands before and after the number in a path, if there is one; None if more than that may change."""
        rules = list(self._app.url_map.iter_rules(endpoint))
        if len(rules) != 1 or rules[0].arguments - {NUMBER}:
            return None
        if not rules[0].arguments:
            return flask.url_for(endpoint), None
        head, _, tail = flask.url_for(endpoint, number=MARK).partition(str(MARK))
        return head, tail
