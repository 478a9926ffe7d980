"""Scenarios: small servers that each misbehave in one way, and what their pages are made of.

A scenario is a function that returns the routes of its server, with what a good crawler does with it:

    @scenario({"fetched": "/", "failed redirect-loop": "/self"})
    def self_redirect(_: ScenarioServer) -> Routes:
        '''A page that redirects to itself.'''
        return {"/self": redirect("/self")}

Unless it has a home page, one is made that links to all its routes. Each has an origin of its own, because robots.txt,
politeness and scope are matters of origins. Every page has text of its own, so that only pages that are meant to be
similar are.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from minisearch.errors import NotFound
from minisearch.testing.server import Response, Route, SiteServer
from minisearch.testing.zoo.expectations import Expectations

HTML = {"Content-Type": "text/html; charset=utf-8"}
NOT_LINKED = ("*", "/robots.txt")
MAX_WAIT = 60.0  # seconds a client may have to wait
LIMITS = {"page_seconds": 10.0, "silence_seconds": 5.0}  # of a crawl, unless the scenario has others

FIRST = "amber birch copper dawn ember fern ginger hazel iron jade linen moss"
SECOND = "berry bridge castle field garden hill island lake meadow river shore stone valley wood"
WORDS = [first + second for first in FIRST.split() for second in SECOND.split()]

Routes = Mapping[str, Route]


@dataclass(frozen=True)
class Scenario:
    """The routes of a server and what is expected of a crawler, on the first visit and on the second."""

    name: str
    description: str
    routes: Callable[[ScenarioServer], Routes]
    expected: Expectations
    second_visit: Expectations | None = None  # after `server.day` was set to 2


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    verdicts: Mapping[str, str],
    *,
    limits: Mapping[str, Any] | None = None,
    second_visit: Expectations | None = None,
    **expected: Any,
) -> Callable[[Callable[[ScenarioServer], Routes]], Callable[[ScenarioServer], Routes]]:
    """Register a function as a scenario; its docstring is the description. More options: those of Expectations."""
    crawl = {"max_pages": 400, **expected.pop("crawl", {}), "limits": {**LIMITS, **(limits or {})}}

    def register(routes: Callable[[ScenarioServer], Routes]) -> Callable[[ScenarioServer], Routes]:
        name = routes.__name__.replace("_", "-")
        expectations = Expectations(verdicts, crawl=crawl, **expected)
        SCENARIOS[name] = Scenario(name, routes.__doc__ or "", routes, expectations, second_visit)
        return routes

    return register


class ScenarioServer(SiteServer):
    """The server of one scenario. The route "*" is for all paths that have none.

    `other` is a second origin, which no crawler should visit. `day` is the number of the visit: a scenario may change
    overnight.
    """

    def __init__(self, name: str, *, host: str = "127.0.0.1", verbose: bool = False) -> None:
        if name not in SCENARIOS:
            raise NotFound(f"there is no scenario {name!r}; there are {', '.join(SCENARIOS)}")
        super().__init__(host=host, verbose=verbose)
        self.scenario = SCENARIOS[name]
        self.other = SiteServer(host=host)
        self.base, self.other_base, self.day = "", "", 1
        self._closed = threading.Event()

    def __enter__(self) -> str:
        self.base, self.other_base = super().__enter__(), self.other.__enter__()
        routes = self.scenario.routes(self)
        home = page(f"Home of {self.scenario.name}", *(path for path in routes if path not in NOT_LINKED))
        self.routes = {"*": error(404), "/robots.txt": error(404), "/": home, **routes}
        return self.base

    def __exit__(self, *reason: object) -> None:
        self._closed.set()
        super().__exit__(*reason)
        self.other.__exit__(*reason)

    def wait(self, seconds: float = MAX_WAIT) -> None:
        """Wait until the time is over or the server is closed."""
        self._closed.wait(seconds)


class Zoo:
    """Scenario servers that run until the zoo is closed. `with Zoo() as url` starts all, and lists them at `url`."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0, verbose: bool = False) -> None:
        self._options: dict[str, Any] = {"host": host, "verbose": verbose}
        self._front = SiteServer(host=host, port=port, verbose=verbose)
        self._servers = ExitStack()

    def __enter__(self) -> str:
        url = self._servers.enter_context(self._front)
        servers = {name: self.open(name) for name in SCENARIOS}
        links = [f'<p><a href="{s.base}/">{name}</a>: {escape(s.scenario.description)}' for name, s in servers.items()]
        about = {
            name: {"base": server.base, **asdict(server.scenario), "routes": ""} for name, server in servers.items()
        }
        self._front.routes = {
            "/": page("The zoo", text="\n".join(links)),
            "/scenarios.json": Response(200, {"Content-Type": "application/json"}, json.dumps(about).encode()),
        }
        return url

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, name: str) -> ScenarioServer:
        """Start the server of a scenario: `server.base` is its URL, `server.requests` are the requests it got."""
        server = ScenarioServer(name, **self._options)
        self._servers.enter_context(server)
        return server

    def close(self) -> None:
        """Stop all servers."""
        self._servers.close()


# -- pages and responses -------------------------------------------------------------------------


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
    names = [link.partition("?")[0].partition(";")[0][:60] for link in links]  # no parameters, no session
    items = "".join(
        f'<li><a href="{escape(link)}">to {escape(name)}</a></li>\n' for link, name in zip(links, names, strict=True)
    )
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
