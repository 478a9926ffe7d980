"""What a good crawler makes of a scenario, and how to compare a crawl with it.

A crawler reports `Observed`: for each URL it discovered "state rule" (fetched, merged, skipped, failed or queued, and
the name of the rule that decided), and what it read. What it cost is known to the server.

Expected verdicts are one or more of these, separated by " | "; the rule may be left out, and any rule is fine then:

    "failed timeout"                    this state, by this rule
    "merged redirect | skipped loop"    one or the other
    "unseen"                            not discovered
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
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


class PageContent(NamedTuple):
    """What a page says. In expectations, empty values are not compared; `evidence` is a regular expression."""

    title: str = ""
    contains: str = ""
    lacks: str = ""
    charset: str = ""
    evidence: str = ""


class Costs(NamedTuple):
    """What a crawl may cost at most."""

    requests: int = 20
    bytes: int = 300_000  # that the server sends
    seconds: float = 20
    memory: int = 0  # bytes; 0 if it is not to be measured
    disk: int = 2_000_000  # bytes of the file


@dataclass(frozen=True)
class Expectations:
    """What a good crawler makes of a scenario. URLs are separated by spaces; "{other}" is the second origin."""

    verdicts: Mapping[str, str]  # verdict -> URLs
    groups: tuple[str, ...] = ()  # URLs of one page: one is fetched, the others are merged, or unseen
    counts: tuple[Count, ...] = ()
    pages: Mapping[str, PageContent] = field(default_factory=dict)
    requested: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # paths -> fewest and most requests of each
    costs: Costs = field(default_factory=Costs)
    other_paths: str = ""  # that may be requested from the second origin
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # header values that clients may send
    pauses: Mapping[str, float] = field(default_factory=dict)  # path -> seconds between two requests
    crawl: Mapping[str, Any] = field(default_factory=dict)  # settings of the crawl for which this holds


@dataclass(frozen=True)
class Read:
    """What a crawler read on a page."""

    title: str
    text: str
    charset: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Observed:
    """What a crawler reports."""

    verdicts: Mapping[str, str]  # by URL
    pages: Mapping[str, Read] = field(default_factory=dict)
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
    if "{other}" in url:
        url = url.replace("{other}", server.other)
    return server.base + url if url.startswith("/") else url


def _verdicts(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for verdict, urls in expected.verdicts.items():
        for url in urls.split():
            found = observed.verdicts.get(_url(server, url), "unseen")
            if not matches(verdict, found):
                yield f"{url[:80]} should be {verdict}, not {found}"
    for group in expected.groups:
        states = sorted(observed.verdicts.get(_url(server, url), "unseen").split()[0] for url in group.split())
        if states.count("fetched") != 1 or not {*states} <= {"fetched", "merged", "unseen"}:
            yield f"{group} should be one page, not {', '.join(states)}"


def _counts(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for urls, verdict, least, most in expected.counts:
        pattern = _url(server, urls)
        found = [each for url, each in observed.verdicts.items() if fnmatchcase(url, pattern)]
        count = sum(matches(verdict, each) for each in found) if verdict else len(found)
        if not least <= count <= most:
            yield f"{count} URLs like {urls} are {verdict or 'seen'}: should be {least} to {most}"


def _pages(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    for path, content in expected.pages.items():
        read = observed.pages.get(_url(server, path))
        if read is None:
            yield f"{path} should have been read"
            continue
        for name in ("title", "charset"):
            wanted, found = getattr(content, name), getattr(read, name)
            if wanted and found != wanted:
                yield f"the {name} of {path} should be {wanted!r}, not {found!r}"
        if not re.search(content.evidence, read.evidence):
            yield f"the charset of {path} should be known by {content.evidence}, not {read.evidence!r}"
        if content.contains not in read.text:
            yield f"{path} should contain {content.contains!r}"
        if content.lacks and content.lacks in read.text:
            yield f"{path} should not contain {content.lacks!r}"


def _requests(server: ScenarioServer, expected: Expectations, _: Observed) -> Iterator[str]:
    for paths, (least, most) in expected.requested.items():
        for path in paths.split():
            if not least <= (count := server.counts.get(path, 0)) <= most:
                yield f"{path} was requested {count} times: should be {least} to {most}"
    if others := [path for _, path in server.other_requests if path not in expected.other_paths.split()]:
        yield f"requested from another origin: {' '.join(others)}"
    for name, allowed in expected.notes.items():
        if set(server.notes.get(name, ())) - set(allowed):
            yield f"sent {name} {server.notes[name]}"
    for name, pause in expected.pauses.items():
        times = [float(time) for time in server.notes.get(name, ())]
        if any(after - before < pause for before, after in pairwise(times)):
            yield f"/{name} asks for a pause of {pause} s, and was requested again sooner"


def _costs(server: ScenarioServer, expected: Expectations, observed: Observed) -> Iterator[str]:
    limits = expected.costs
    if len(server.requests) > limits.requests:
        yield f"{len(server.requests)} requests: should be {limits.requests} at most"
    if server.sent > limits.bytes:
        yield f"{server.sent:,} bytes were sent: should be {limits.bytes:,} at most"
    if observed.seconds > limits.seconds:
        yield f"took {observed.seconds:.1f} s: should be {limits.seconds} at most"
