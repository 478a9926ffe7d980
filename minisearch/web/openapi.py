"""The OpenAPI document, made from the views: `described` records the parameters and the result of each, and reads them.

Dataclasses become schemas by their type hints, so that no field is missing.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, Union, get_args, get_origin, get_type_hints

from flask import Flask

import minisearch
from minisearch.web.errors import Problem
from minisearch.web.params import Schema, strict

View = Callable[..., Any]

PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
ERRORS = {400: "Invalid request.", 404: "Not found.", 413: "Request too large.", 415: "Not JSON."}
ALWAYS = {500: "Internal error.", 503: "The database cannot be read at the moment."}


def described(
    summary: str,
    answer: Any,
    *,
    parameters: Mapping[str, Schema] | None = None,
    body: Schema | None = None,
    errors: tuple[int, ...] = (400,),
) -> Callable[[View], View]:
    """Record what a view takes and returns: `answer` is a type or a schema, `parameters` are schemas by parameter name.

    The view gets the parameters, checked, as keyword arguments. One with a `default` is optional.
    """
    known = parameters or {}

    def record(view: View) -> View:
        @wraps(view)
        def checked(**path: Any) -> Any:
            return view(**path, **{name: strict(name, known[name]) for name in known if name not in path})

        checked.openapi = {  # type: ignore[attr-defined]
            "summary": summary, "answer": answer, "parameters": known, "body": body, "errors": errors
        }  # fmt: skip
        return checked

    return record


def document(app: Flask, root: str) -> dict[str, Any]:
    """The whole document; `root` is the public URL of the application."""
    known: dict[str, Schema] = {}
    paths: dict[str, Any] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        view = app.view_functions[rule.endpoint]
        if rule.rule.startswith("/api/") and hasattr(view, "openapi"):
            method = "post" if "POST" in (rule.methods or ()) else "get"
            path = rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}")
            paths.setdefault(path, {})[method] = _operation(view.openapi, rule.endpoint, rule.arguments, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": "minisearch", "version": minisearch.__version__, "license": {"name": "MIT"}},
        "servers": [{"url": root}],
        "paths": paths,
        "components": {"schemas": known},
    }


def _operation(recorded: dict[str, Any], endpoint: str, path: set[str], known: dict[str, Schema]) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path" if name in path else "query",
            "required": name in path or "default" not in schema,
            "schema": {key: value for key, value in schema.items() if key != "default" or value not in (None, "")},
        }
        for name, schema in recorded["parameters"].items()
    ]
    answer = recorded["answer"] if isinstance(recorded["answer"], dict) else schema_of(recorded["answer"], known)
    problem = {"application/problem+json": {"schema": schema_of(Problem, known)}}
    errors = {code: ERRORS[code] for code in recorded["errors"]} | ALWAYS
    return {
        "operationId": endpoint.replace(".", "_"),
        "summary": recorded["summary"],
        "parameters": parameters,
        **({"requestBody": {"required": True, "content": _json(recorded["body"])}} if recorded["body"] else {}),
        "responses": {
            "200": {"description": "Success.", "content": _json(answer)},
            **{str(code): {"description": words, "content": problem} for code, words in errors.items()},
        },
    }


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def schema_of(kind: Any, known: dict[str, Schema]) -> Schema:
    """The schema of a type; dataclasses are added to `known` and referred to.

    >>> schema_of(tuple[str, ...] | None, {})
    {'anyOf': [{'type': 'array', 'items': {'type': 'string'}}, {'type': 'null'}]}
    """
    if kind in PLAIN:
        return PLAIN[kind]
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(each, known) for each in inside]}
    if origin is tuple and inside[-1] is not Ellipsis:
        each = [schema_of(one, known) for one in inside]
        return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
    if origin in (tuple, list):
        return {"type": "array", "items": schema_of(inside[0], known)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(inside[1], known)}
    if not is_dataclass(kind):
        raise TypeError(f"no schema for {kind}")
    name = kind.__name__  # type: ignore[union-attr]
    if name not in known:
        known[name] = {}  # a dataclass may contain itself
        hints = get_type_hints(kind)
        known[name] = {
            "type": "object",
            "required": [each.name for each in fields(kind)],
            "properties": {each.name: schema_of(hints[each.name], known) for each in fields(kind)},
        }
    return {"$ref": f"#/components/schemas/{name}"}
