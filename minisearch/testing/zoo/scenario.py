"""Scenarios: small servers that each misbehave in one way, and what a good crawler does with them.

A scenario is a function that returns the routes of its server, with the expected verdicts:

    @scenario({"fetched": "/", "failed redirect-loop": "/self"})
    def self_redirect(_: ScenarioServer) -> Routes:
        '''A page that redirects to itself.'''
        return {"/self": redirect("/self")}

Unless it has a home page, one is made that links to all its routes. Each has an origin of its own, because robots.txt,
politeness and scope are matters of origins. Every page has text of its own, so that only pages that are meant to be
similar are.

A crawler reports `Observed`: for each URL it discovered "state rule" (fetched, merged, skipped, failed or queued, and
the name of the rule that decided), and what it read. What it cost is known to the server. Expected verdicts are one or
more of these, separated by " | "; the rule may be left out, and any rule is fine then:

    "failed timeout"                    this state, by this rule
    "merged redirect | skipped loop"    one or the other
    "unseen"                            not discovered
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from html import escape
from typing import Any, NamedTuple

from minisearch.errors import NotFound
from minisearch.testing.server import Response, Route, SiteServer
from minisearch.testing.zoo.content import error, page

NOT_LINKED = ("*", "/robots.txt")
LIMITS = {"page_seconds": 10.0, "silence_seconds": 5.0}  # of a crawl, unless the scenario has others

Routes = Mapping[str, Route]


# -- what is expected ----------------------------------------------------------------------------


class Count(NamedTuple):
    """How many URLs that match a pattern have a verdict; any verdict if it is empty."""

    urls: str = "*"
    verdict: str = ""
    least: int = 0
    most: int = sys.maxsize


class Costs(NamedTuple):
    """What a crawl may cost at most."""

    requests: int = 50
    bytes: int = 1_000_000  # that the server sends
    seconds: float = 60
    memory: int = 0  # bytes; 0 if it is not to be measured
    disk: int = 20_000_000  # bytes of the file


@dataclass(frozen=True)
class Expectations:
    """What a good crawler does with a scenario. URLs are separated by spaces."""

    verdicts: Mapping[str, str]  # verdict -> URLs
    counts: tuple[Count, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)  # path -> words that were read there
    requested: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # paths -> fewest and most requests of each
    costs: Costs = field(default_factory=Costs)
    crawl: Mapping[str, Any] = field(default_factory=dict)  # settings of the crawl for which this holds


@dataclass(frozen=True)
class Observed:
    """What a crawler reports."""

    verdicts: Mapping[str, str]  # by URL
    pages: Mapping[str, str] = field(default_factory=dict)  # the text by URL
    seconds: float = 0.0


def compare(server: ScenarioServer, expected: Expectations, observed: Observed) -> list[str]:
    """The differences between what was expected and what was observed, in sentences."""
    return [*_reported(server.base, expected, observed), *_measured(server, expected, observed.seconds)]


def matches(expected: str, verdict: str) -> bool:
    """Whether a verdict is one of those expected.

    >>> matches("failed timeout | skipped", "skipped size"), matches("fetched", "failed http-404")
    (True, False)
    """
    return any(verdict == each or verdict.startswith(each + " ") for each in expected.split(" | "))


def _reported(base: str, expected: Expectations, observed: Observed) -> Iterator[str]:
    """Differences in what the crawler reports."""

    def full(url: str) -> str:
        return base + url if url.startswith("/") else url

    for verdict, urls in expected.verdicts.items():
        for url in urls.split():
            found = observed.verdicts.get(full(url), "unseen")
            if not matches(verdict, found):
                yield f"{url[:80]} should be {verdict}, not {found}"
    for pattern, verdict, least, most in expected.counts:
        found_like = [each for url, each in observed.verdicts.items() if fnmatchcase(url, full(pattern))]
        count = sum(not verdict or matches(verdict, each) for each in found_like)
        if not least <= count <= most:
            yield f"{count} URLs like {pattern} are {verdict or 'seen'}: should be {least} to {most}"
    for path, words in expected.pages.items():
        if words not in observed.pages.get(full(path), ""):
            yield f"{path} should contain {words!r}"


def _measured(server: ScenarioServer, expected: Expectations, seconds: float) -> Iterator[str]:
    """Differences in what the server measured."""
    counts = Counter(path for _, path in server.requests)
    for paths, (least, most) in expected.requested.items():
        for path in paths.split():
            if not least <= counts[path] <= most:
                yield f"{path} was requested {counts[path]} times: should be {least} to {most}"
    if server.other.requests:
        yield f"requested from another origin: {' '.join(path for _, path in server.other.requests)}"
    for name, cost in (("requests", len(server.requests)), ("bytes", server.sent), ("seconds", seconds)):
        limit = getattr(expected.costs, name)
        if cost > limit:
            yield f"{cost:,} {name}: should be {limit:,} at most"


# -- scenarios and their servers -----------------------------------------------------------------


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

    def __init__(self, name: str, **options: Any) -> None:
        if name not in SCENARIOS:
            raise NotFound(f"there is no scenario {name!r}; there are {', '.join(SCENARIOS)}")
        super().__init__(**options)
        self.scenario = SCENARIOS[name]
        self.other = SiteServer(host=self.host)
        self.base, self.other_base, self.day = "", "", 1
        self.closed = threading.Event()  # what a route that keeps a client waiting waits for

    def __enter__(self) -> str:
        self.base, self.other_base = super().__enter__(), self.other.__enter__()
        routes = self.scenario.routes(self)
        home = page(f"Home of {self.scenario.name}", *(path for path in routes if path not in NOT_LINKED))
        self.routes = {"*": error(404), "/robots.txt": error(404), "/": home, **routes}
        return self.base

    def __exit__(self, *reason: object) -> None:
        self.closed.set()
        super().__exit__(*reason)
        self.other.__exit__(*reason)


class Zoo(ExitStack):
    """Scenario servers that run until the zoo is closed."""

    def open(self, name: str, **options: Any) -> ScenarioServer:
        """Start the server of a scenario: `server.base` is its URL, `server.requests` are the requests it got."""
        server = ScenarioServer(name, **options)
        self.enter_context(server)
        return server


@contextmanager
def serve_all(*, port: int = 0, **options: Any) -> Iterator[str]:
    """Start all scenarios; gives the URL of a page that lists them, for programs as /scenarios.json."""
    with Zoo() as zoo:
        servers = [zoo.open(name, **options) for name in SCENARIOS]
        links = [f'<p><a href="{s.base}/">{s.scenario.name}</a>: {escape(s.scenario.description)}' for s in servers]
        about = {s.scenario.name: {"base": s.base, **asdict(s.scenario), "routes": ""} for s in servers}
        routes: Routes = {
            "/": page("The zoo", text="\n".join(links)),
            "/scenarios.json": Response(200, {"Content-Type": "application/json"}, json.dumps(about).encode()),
        }
        with SiteServer(routes=routes, port=port, **options) as url:
            yield url
