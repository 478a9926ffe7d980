"""Verdicts: what became of a url, in words that a person can act on."""

from __future__ import annotations

from dataclasses import replace

from minisearch.crawl.tracking import tracking
from minisearch.crawl.urls import normalize
from minisearch.errors import BadUrl, NotFound
from minisearch.records import Verdict
from minisearch.store.store import Store


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
    if names := tracking(url):
        said = f"{' and '.join(names)} only tell{'s' * (len(names) == 1)} who sent the reader: it is {verdict.url}"
        spoken = _in_words(verdict)
        reason = f"{said}, {spoken.state}: {spoken.reason}"
        return replace(spoken, url=url, state="merged", rule="tracking", reason=reason, target=verdict.url)
    return _in_words(verdict)


def _in_words(verdict: Verdict) -> Verdict:
    if verdict.reason:
        return verdict
    if verdict.state == "queued":
        said = "its turn has not come: the crawl was stopped, or reached its page limit, before it"
        return replace(verdict, rule="budget", reason=said)
    said = "fetched and indexed" if verdict.indexed else "fetched, but not indexed yet"
    return replace(verdict, rule="allowed", reason=f"{said}: no rule spoke against it")
