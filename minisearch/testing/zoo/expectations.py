"""What a good crawler does with a scenario, and how to compare a crawl with it.

A crawler reports `Observed`: for each URL it discovered "state rule" (fetched, merged, skipped, failed or queued, and
the name of the rule that decided), and what it read. What it cost is known to the server.

Expected verdicts are one or more of these, separated by " | "; the rule may be left out, and any rule is fine then:

    "failed timeout"                    this state, by this rule
    "merged redirect | skipped loop"    one or the other
    "unseen"                            not discovered
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from minisearch.testing.zoo.scenario import ScenarioServer

UNLIMITED = 1 << 60


class Count(NamedTuple):
    """How many URLs that match a pattern have a verdict; any verdict if it is empty."""

    urls: str = "*"
    verdict: str = ""
    least: int = 0
    most: int = UNLIMITED


class Costs(NamedTuple):
    """What a crawl may cost at most."""

    requests: int = 50
    bytes: int = 1_000_000  # that the server sends
    seconds: float = 60
    memory: int = 0  # bytes; 0 if it is not to be measured
    disk: int = 20_000_000  # bytes of the file


@dataclass(frozen=True)
class Expectations:
    """What a good crawler does with a scenario. URLs are separated by spaces; "{other}" is the second origin."""

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
    checks = (_verdicts, _counts, _pages, _requests, _costs)
    return [difference for check in checks for difference in check(server, expected, observed)]


def matches(expected: str, verdict: str) -> bool:
    """Whether a verdict is one of those expected.

    >>> matches("failed timeout | skipped", "skipped size"), matches("fetched", "failed http-404")
    (True, False)
    """
    return any(verdict == each or verdict.startswith(each + " ") for each in expected.split(" | "))


def _url(server: ScenarioServer, url: str) -> str:
    """An expected URL in full."""
    url = url.replace("{other}", server.other_base)
    return server.base + url if url.startswith("/") else url


def _verdicts(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for verdict, urls in expected.verdicts.items():
        for url in urls.split():
            found = observed.verdicts.get(_url(server, url), "unseen")
            if not matches(verdict, found):
                yield f"{url[:80]} should be {verdict}, not {found}"


def _counts(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for urls, verdict, least, most in expected.counts:
        pattern = _url(server, urls)
        found = [each for url, each in observed.verdicts.items() if fnmatchcase(url, pattern)]
        count = sum(matches(verdict, each) for each in found) if verdict else len(found)
        if not least <= count <= most:
            yield f"{count} URLs like {urls} are {verdict or 'seen'}: should be {least} to {most}"


def _pages(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for path, words in expected.pages.items():
        if words not in observed.pages.get(_url(server, path), ""):
            yield f"{path} should contain {words!r}"


def _requests(server: ScenarioServer, expected: Expectations, _: Observed) -> Iterator[str]:
    counts = Counter(path for _, path in server.requests)
    for paths, (least, most) in expected.requested.items():
        for path in paths.split():
            if not least <= counts[path] <= most:
                yield f"{path} was requested {counts[path]} times: should be {least} to {most}"
    if server.other.requests:
        yield f"requested from another origin: {' '.join(path for _, path in server.other.requests)}"


def _costs(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    limits = expected.costs
    if len(server.requests) > limits.requests:
        yield f"{len(server.requests)} requests: should be {limits.requests} at most"
    if server.sent > limits.bytes:
        yield f"{server.sent:,} bytes were sent: should be {limits.bytes:,} at most"
    if observed.seconds > limits.seconds:
        yield f"took {observed.seconds:.1f} s: should be {limits.seconds} at most"
