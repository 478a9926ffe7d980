"""The zoo: all pens, each on an origin of its own, and a front desk that tells where they are.

    with open_pen("drips") as pen:
        seen = my_crawler(pen.base + "/")
    assert not differences(pen, load_key()["drips"], seen)

What a good crawler makes of each pen stands in key.json beside this file; minisearch/testing/zoo/judge.py reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from importlib import import_module
from importlib.resources import files
from typing import Any

from minisearch.errors import NotFound
from minisearch.testing.server import Response, SiteServer
from minisearch.testing.zoo.pen import HTML, PENS, Pen

for _kind in ("limits", "slow", "moves", "retries", "robots", "sitemaps", "sameness", "charsets", "traps", "changes"):
    import_module(f"minisearch.testing.zoo.{_kind}")


def load_key() -> dict[str, Any]:
    """The answer key, by pen."""
    key: dict[str, dict[str, Any]] = json.loads(
        files("minisearch").joinpath("testing", "zoo", "key.json").read_text("utf-8")
    )
    return key["pens"]


@contextmanager
def open_pen(name: str, **options: Any) -> Iterator[Pen]:
    """One pen: `pen.base` is its address, `pen.requests` what it was asked for."""
    if name not in PENS:
        raise NotFound(f"no pen is called {name!r}; there are {', '.join(PENS)}")
    pen = Pen(name, PENS[name], **options)
    with pen:
        yield pen


class Zoo:
    """Pens that stay open until the zoo closes. `with Zoo() as base` opens all, and a front desk at `base`."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0, verbose: bool = False) -> None:
        self._address = {"host": host, "verbose": verbose}
        self._desk = SiteServer(host=host, port=port, verbose=verbose)
        self._doors = ExitStack()

    def __enter__(self) -> str:
        base = self._doors.enter_context(self._desk)
        pens = {name: self.open(name) for name in PENS}
        key = {name: {"base": pens[name].base, **facts} for name, facts in load_key().items()}
        items = "".join(
            f'<li><a href="{pen.base}/">{name}</a>: {escape(key[name]["shows"])}</li>\n' for name, pen in pens.items()
        )
        self._desk.routes = {
            "/": Response(200, HTML, f"<!DOCTYPE html><title>The zoo</title><h1>The zoo</h1><ul>{items}</ul>".encode()),
            "/key.json": Response(200, {"Content-Type": "application/json"}, json.dumps({"pens": key}).encode()),
        }
        return base

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, name: str) -> Pen:
        """A pen, newly opened, in the state of its first day."""
        return self._doors.enter_context(open_pen(name, **self._address))

    def close(self) -> None:
        """Close all pens."""
        self._doors.close()
