"""The key, held against what a crawler did: sentences that name every difference.

A crawler reports a `Seen`: for each url it met "state rule" (fetched, merged, skipped, failed, queued, and the name
of the rule that decided), and what it read. What it cost, the pen knows itself.

What the key says of a url is one or more of these, parted by " | "; the rule may be left out:

    "/drip": "failed timeout"                 this state, by this rule
    "/old": "merged redirect | skipped loop"  one or the other
    "/admin": "skipped"                       by whatever rule
    "javascript:alert(1)": "unmet"            never heard of
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any

from minisearch.testing.zoo.pen import Pen


@dataclass(frozen=True)
class Read:
    """What a crawler read on a page."""

    title: str
    text: str
    charset: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Seen:
    """What a crawler reports."""

    urls: Mapping[str, str]
    pages: Mapping[str, Read] = field(default_factory=dict)
    seconds: float = 0.0


def differences(pen: Pen, key: Mapping[str, Any], seen: Seen) -> list[str]:
    """What is not as the key says; an empty list if all is well. `key` is that of this pen (and day)."""
    return [*_verdicts(pen, key, seen), *_counts(pen, key, seen), *_readings(pen, key, seen), *_costs(pen, key, seen)]


def address(pen: Pen, url: str) -> str:
    """A url of the key in full."""
    if "{neighbour}" in url:
        url = url.replace("{neighbour}", pen.neighbour)
    return pen.base + url if url.startswith("/") else url


def agrees(wanted: str, found: str) -> bool:
    """Whether a verdict is one of those wanted.

    >>> agrees("failed timeout | skipped", "skipped size"), agrees("fetched", "failed http-404")
    (True, False)
    """
    return any(found == each or found.startswith(each + " ") for each in wanted.split(" | "))


def _verdicts(pen: Pen, key: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for url, wanted in key.get("urls", {}).items():
        found = seen.urls.get(address(pen, url), "unmet")
        if not agrees(wanted, found):
            yield f"{url[:80]} should be {wanted}, and is {found}"
    for group in key.get("groups", ()):  # one is kept; the others are merged into it, or were read as its spellings
        states = sorted(seen.urls.get(address(pen, url), "unmet").split()[0] for url in group)
        if states.count("fetched") != 1 or not {*states} <= {"fetched", "merged", "unmet"}:
            yield f"{' and '.join(group)} should be one page, and are {', '.join(states)}"


def _counts(pen: Pen, key: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for rule in key.get("counts", ()):
        pattern = rule.get("of", "*")
        pattern = address(pen, pattern) if pattern.startswith("/") else pattern
        states = [state for url, state in seen.urls.items() if fnmatchcase(url, pattern)]
        count = sum(agrees(rule["are"], state) for state in states) if "are" in rule else len(states)
        least, most = rule.get("least", 0), rule.get("most", 1 << 60)
        if not least <= count <= most:
            yield f"{count} urls like {rule.get('of', '*')} are {rule.get('are', 'met')}: should be {least} to {most}"


def _readings(pen: Pen, key: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for url, wanted in key.get("pages", {}).items():
        read = seen.pages.get(address(pen, url))
        if read is None:
            yield f"{url} should have been read"
            continue
        for name in ("title", "charset"):
            if name in wanted and getattr(read, name) != wanted[name]:
                yield f"the {name} of {url} should be {wanted[name]!r}, and is {getattr(read, name)!r}"
        if not re.search(wanted.get("evidence", ""), read.evidence):
            yield f"the charset of {url} should be known by {wanted['evidence']}, not {read.evidence!r}"
        yield from (f"{url} should say {said!r}" for said in wanted.get("has", ()) if said not in read.text)
        yield from (f"{url} should not say {said!r}" for said in wanted.get("lacks", ()) if said in read.text)


def _costs(pen: Pen, key: Mapping[str, Any], seen: Seen) -> Iterator[str]:
    for path, (least, most) in key.get("asked", {}).items():
        count = pen.count.get(path, 0)
        if not least <= count <= most:
            yield f"{path} was asked for {count} times: should be {least} to {most}"
    if len(pen.requests) > key["requests"]:
        yield f"{len(pen.requests)} requests: should be {key['requests']} at most"
    if pen.sent > key["bytes"]:
        yield f"{pen.sent:,} bytes were sent: should be {key['bytes']:,} at most"
    if seen.seconds > key["seconds"]:
        yield f"took {seen.seconds:.1f} s: should be {key['seconds']} at most"
    strays = [path for _, path in pen.strays if path not in key.get("next_door", ())]
    if strays:
        yield f"went next door: {' '.join(strays)}"
    for name, wanted in key.get("notes", {}).items():
        if set(pen.notes.get(name, ())) - set(wanted):
            yield f"sent {name} {pen.notes[name]}"
    for name, pause in key.get("pauses", {}).items():
        times = [float(time) for time in pen.notes.get(name, ())]
        if any(later - sooner < pause for sooner, later in pairwise(times)):
            yield f"/{name} asks for a pause of {pause} s, and was asked again sooner"
