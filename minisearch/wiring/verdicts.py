"""Verdicts: what became of a url, in words that a person can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from minisearch.errors import BadUrl, NotFound
from minisearch.records import Verdict
from minisearch.store.store import Store
from minisearch.urls import normalize, origin, tracking_parameters

FULL = re.compile(r"https?://", re.IGNORECASE)
ANYWHERE = "http://anywhere.example"  # a site to read a path on


def why(store: Store, url: str) -> Verdict:
    """What became of a url, and why; NotFound if it was never met."""
    try:
        verdict = store.journal.verdict(normalize(url))
    except BadUrl:
        written = url.encode("utf-8", "replace").decode()
        verdict = store.journal.verdict(written)  # a link that cannot be followed is known as it was written
        if verdict is None:
            raise
    if verdict is None:
        raise NotFound(f"{url} was never met")
    if names := tracking_parameters(url):
        said = f"{' and '.join(names)} only tell{'s' * (len(names) == 1)} who sent the reader: it is {verdict.url}"
        spoken = _in_words(verdict)
        reason = f"{said}, {spoken.state}: {spoken.reason}"
        return replace(spoken, url=url, state="merged", rule="tracking", reason=reason, target=verdict.url)
    return _in_words(verdict)


def standing(store: Store, addresses: Iterable[str]) -> dict[str, list[str]]:
    """The urls of the pages that stand for some addresses: full urls, or paths, which may be on any site."""
    wanted: dict[str, list[str]] = {}
    for address in addresses:
        with suppress(BadUrl):
            wanted.setdefault(_full(address) or _path(address), []).append(address)
    found: dict[str, list[str]] = {}
    for address, page in store.addresses.standing():
        for known in (address, address[len(origin(address)) :]):
            for asked in wanted.get(known, ()):
                found.setdefault(asked, []).append(page)
    return found


def _full(address: str) -> str:
    return normalize(address) if FULL.match(address) else ""


def _path(address: str) -> str:
    return normalize(f"/{address.removeprefix('/')}", ANYWHERE).removeprefix(ANYWHERE)


def _in_words(verdict: Verdict) -> Verdict:
    if verdict.reason:
        return verdict
    if verdict.state == "queued":
        said = "its turn has not come: the crawl was stopped, or reached its page limit, before it"
        return replace(verdict, rule="budget", reason=said)
    said = "fetched and indexed" if verdict.indexed else "fetched, but not indexed yet"
    return replace(verdict, rule="allowed", reason=f"{said}: no rule spoke against it")
