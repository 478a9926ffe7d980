"""What the servers of the zoo send: pages of made-up text, redirects and errors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from html import escape
from typing import Any

from minisearch.testing.server import Response, Route

HTML = {"Content-Type": "text/html; charset=utf-8"}

FIRST = "amber birch copper dawn ember fern ginger hazel iron jade linen moss"
SECOND = "berry bridge castle field garden hill island lake meadow river shore stone valley wood"
WORDS = [first + second for first in FIRST.split() for second in SECOND.split()]


def prose(about: str, words: int = 70) -> str:
    """Some sentences, always the same about the same thing.

    >>> prose("ants", 5) == prose("ants", 5) != prose("bees", 5)
    True
    """
    chosen = random.Random(about).choices(WORDS, k=words)  # noqa: S311 - no secret
    sentences = [" ".join(chosen[start : start + 9]).capitalize() for start in range(0, words, 9)]
    return ". ".join(sentences) + "."


def html(title: str, *links: str, text: str = "", head: str = "", words: int = 70) -> str:
    """A page: its title, text of its own (or `text`) and links."""
    named = [(escape(link), escape(link.partition("?")[0][:60])) for link in links]  # no parameters, no session
    items = "".join(f'<li><a href="{url}">to {name}</a></li>\n' for url, name in named)
    body = text or f"<p>{prose(title, words)}</p>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{escape(title)}</title>{head}</head>\n'
        f"<body><h1>{escape(title)}</h1>\n{body}\n<ul>\n{items}</ul></body></html>\n"
    )


def page(title: str, *links: str, headers: Mapping[str, str] | None = None, **content: Any) -> Response:
    """The response with such a page; `content` are the options of html()."""
    return Response(200, {**HTML, **(headers or {})}, html(title, *links, **content).encode())


def pages(*paths: str) -> dict[str, Route]:
    """A page for each path."""
    return {path: page(f"Page {path}") for path in paths}


def redirect(target: str, status: int = 302) -> Response:
    """A redirect."""
    return Response(status, {"Location": target})


def error(status: int) -> Response:
    """An error page."""
    return Response(status, HTML, html(f"Error {status}", words=3).encode())
