"""Verdicts: what became of a url, in words, and which page stands for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from minisearch.crawl.verdicts import BY_STATE, describe
from minisearch.errors import BadUrl, NotFound
from minisearch.records import Verdict
from minisearch.store.store import Store
from minisearch.urls import normalize, origin, tracking_parameters

FULL = re.compile(r"https?://", re.IGNORECASE)
ANYWHERE = "http://anywhere.example"  # a site to read a path on


def why(look_up: Callable[[str], Verdict | None], url: str) -> Verdict:
    """What became of a url, and why; NotFound if it was never met."""
    try:
        verdict = look_up(normalize(url))
    except BadUrl:
        written = url.encode("utf-8", "replace").decode()
        verdict = look_up(written)  # a link that cannot be followed is known as it was written
        if verdict is None:
            raise
    if verdict is None:
        raise NotFound(f"{url} was never met")
    if names := tracking_parameters(url):
        known = _in_words(verdict)
        cause = {"rule": known.rule, **known.detail}
        detail = {"names": names, "page": verdict.url, "state": verdict.state, "cause": cause}
        if len(names) > 1:
            detail["problem"] = "several"
        verdict = replace(verdict, url=url, state="merged", rule="tracking", detail=detail, target=verdict.url)
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
    rule = verdict.rule or BY_STATE.get(verdict.state, "")
    detail = verdict.detail
    if rule == "allowed" and not verdict.indexed:
        detail = {"problem": "unindexed"}
    past = tuple(
        replace(each, reason=describe(each.state, each.rule, each.detail)) if each.rule else each
        for each in verdict.past
    )
    return replace(verdict, rule=rule, detail=detail, reason=describe(verdict.state, rule, detail), past=past)
