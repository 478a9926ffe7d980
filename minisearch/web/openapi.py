"""The OpenAPI document, made from the views themselves: `described` notes beside each what it takes and gives.

Records become schemas by their type hints, so that the document cannot forget a field.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from flask import Flask

import minisearch

View = TypeVar("View", bound=Callable[..., Any])
Schema = dict[str, Any]

PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
PROBLEM: Schema = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}
SAID = {400: "What was asked makes no sense.", 404: "The file holds no such thing.", 413: "Too much.", 415: "Not JSON."}
ALWAYS = {500: "Our mistake.", 503: "The file cannot be read just now."}


def described(
    summary: str,
    answer: Any,
    *,
    asks: Mapping[str, Schema] | None = None,
    body: Schema | None = None,
    errors: tuple[int, ...] = (400,),
) -> Callable[[View], View]:
    """Note what a view takes and gives. `answer` is a type or a schema; `asks` are schemas by the name in the address.

    One that has a `default` may be left out.
    """

    def note(view: View) -> View:
        view.openapi = {"summary": summary, "answer": answer, "asks": asks or {}, "body": body, "errors": errors}  # type: ignore[attr-defined]
        return view

    return note


def document(app: Flask, address: str) -> dict[str, Any]:
    """The whole document; `address` is where the application is reached."""
    known: dict[str, Schema] = {"Problem": PROBLEM}
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
        "servers": [{"url": address}],
        "paths": paths,
        "components": {"schemas": known},
    }


def _operation(noted: dict[str, Any], endpoint: str, path: set[str], known: dict[str, Schema]) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path" if name in path else "query",
            "required": name in path or "default" not in schema,
            "schema": {key: value for key, value in schema.items() if key != "default" or value is not None},
        }
        for name, schema in noted["asks"].items()
    ]
    answer = noted["answer"] if isinstance(noted["answer"], dict) else schema_of(noted["answer"], known)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    told = {code: SAID[code] for code in noted["errors"]} | ALWAYS
    return {
        "operationId": endpoint.replace(".", "_"),
        "summary": noted["summary"],
        "parameters": parameters,
        **({"requestBody": {"required": True, "content": _json(noted["body"])}} if noted["body"] else {}),
        "responses": {
            "200": {"description": "The answer.", "content": _json(answer)},
            **{str(code): {"description": words, "content": problem} for code, words in told.items()},
        },
    }


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def schema_of(kind: Any, known: dict[str, Schema]) -> Schema:
    """The schema of a type; records are noted in `known` and referred to.

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
        known[name] = {}  # so that a record may hold its like
        hints = get_type_hints(kind)
        known[name] = {
            "type": "object",
            "required": [each.name for each in fields(kind)],
            "properties": {each.name: schema_of(hints[each.name], known) for each in fields(kind)},
        }
    return {"$ref": f"#/components/schemas/{name}"}


def optional(schema: Schema, default: Any = MISSING) -> Schema:
    """A schema of something that may be left out."""
    return schema | {"default": None if default is MISSING else default}
