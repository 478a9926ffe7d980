"""Probe one URL without a file: its responses, its robots.txt, its page.

Each function returns a report made of plain values, the same for the terminal and for JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from http.client import responses as reason_phrases
from pathlib import Path
from typing import Any
from urllib.parse import quote

from minisearch.audit.advice import advise
from minisearch.audit.facts import Audit, audit
from minisearch.crawl.verdicts import describe, describe_cause
from minisearch.crawl.visit import Task, Visitor, status
from minisearch.errors import BadInput, NotFound
from minisearch.fetch.errors import Rejected, cause
from minisearch.fetch.fetcher import PAGE_STATUSES, USER_AGENT, Exchange, Session, content_length, media_type, trace
from minisearch.fetch.guard import guard_for
from minisearch.fetch.robots import RobotsFile, RobotsRules, decode_robots, fetch_robots
from minisearch.limits import HTML, Limits
from minisearch.models import Failed, Outcome, Page, Redirect, Skipped
from minisearch.parse.charset import decode
from minisearch.parse.charset import describe as describe_charset
from minisearch.parse.classify import is_binary
from minisearch.parse.reader import XHTML, write_out_empty_elements
from minisearch.store.inspect import PageFacts
from minisearch.urls import normalize, origin

LIMITS = Limits()
MAX_IMAGES = 50  # whose size is requested


def session_for(url: str, user_agent: str = "", *, allow_private: bool = False) -> Session:
    """A session for a URL that a person named."""
    return Session(user_agent or USER_AGENT, guard=guard_for([url], allow_private=allow_private))


# -- fetch ---------------------------------------------------------------------------------------


def fetch_report(address: str, *, user_agent: str = "", allow_private: bool = False) -> tuple[dict[str, Any], bytes]:
    """The redirect trace of `address`, and the body at its end."""
    url = normalize(address)
    with session_for(url, user_agent, allow_private=allow_private) as session:
        exchanges = trace(url, session, LIMITS)
    last = exchanges[-1]
    outcome = _outcome(last)
    report = {
        "url": url,
        "hops": [_exchange(each) for each in exchanges],
        "final_url": last.url,
        "status": last.status,
        "bytes": len(last.body),
        "charset": outcome.charset if isinstance(outcome, Page) else "",
        "charset_evidence": outcome.charset_evidence if isinstance(outcome, Page) else "",
        "verdict": _verdict(outcome),
    }
    return report, last.body


def _exchange(exchange: Exchange) -> dict[str, Any]:
    return {
        "url": exchange.url,
        "status": exchange.status,
        "phrase": reason_phrases.get(exchange.status, ""),
        "headers": [list(header) for header in exchange.headers],
        "first_byte_ms": round(exchange.first_byte_seconds * 1000, 1),
        "total_ms": round(exchange.seconds * 1000, 1),
        "bytes": len(exchange.body),
        "trouble": describe_cause(cause(exchange.error)) if exchange.error else "",
    }


def _outcome(exchange: Exchange) -> Outcome:
    """What the crawler makes of a response."""
    result = Visitor()(Task(exchange.url, response=exchange.response))
    assert isinstance(result, Outcome)
    error = exchange.error
    if error is None or (isinstance(result, Skipped) and result.rule == "type"):
        return result
    return (Skipped if isinstance(error, Rejected) else Failed)(exchange.url, error.rule, error.detail)


def _verdict(outcome: Outcome) -> dict[str, Any]:
    """What a crawl would decide."""
    state, rule, detail = status(outcome)
    verdict = {"state": "moved" if isinstance(outcome, Redirect) else state, "rule": rule}
    verdict["reason"] = describe(state, rule, detail) if rule else "a page that would be indexed"
    if not isinstance(outcome, Page):
        return verdict
    return {**verdict, "title": outcome.title, "language": outcome.language, "links": len(outcome.links)}


# -- robots --------------------------------------------------------------------------------------


def robots_report(
    address: str, *, file: str | Path | None = None, user_agent: str = "", allow_private: bool = False
) -> dict[str, Any]:
    """Whether robots.txt lets us fetch `address`, and the line that decides; of a `file`, if one is named."""
    url = normalize(address)
    if file is not None:
        answer = RobotsFile(200, decode_robots(_contents(Path(file))))
    else:
        try:
            with session_for(url, user_agent, allow_private=allow_private) as session:
                answer = fetch_robots(origin(url), session, LIMITS)
        except Rejected as why:
            raise BadInput(describe("skipped", why.rule, why.detail)) from why
    rules = RobotsRules(answer)
    refusal = rules.refusal(url)
    rule = None if rules.unreachable else rules.deciding_rule(url)
    if refusal is not None:
        reason = describe("skipped", refusal.rule, refusal.detail)
    elif answer.status >= 300:
        reason = describe("", "robots-missing", {"status": answer.status})
    elif rule is not None:
        reason = describe("", "robots-allowed", {"line": rule.line, "text": str(rule)})
    else:
        reason = describe("", "robots-silent", {})
    return {
        "url": url,
        "robots": str(file) if file is not None else f"{origin(url)}/robots.txt",
        "status": answer.status,
        "allowed": refusal is None,
        "reason": reason,
        "line": rule.line if rule else None,
        "rule": str(rule) if rule else "",
        "group": rules.group,
        "delay": rules.delay,
        "sitemaps": rules.sitemaps,
    }


# -- inspect -------------------------------------------------------------------------------------


def inspect_report(
    target: str, *, url: str = "", images: bool = False, user_agent: str = "", allow_private: bool = False
) -> dict[str, Any]:
    """What a page shows, and advice for its owner. `target` is a URL or a file; `url` is where a file belongs."""
    if not target.lower().startswith(("http://", "https://")):
        if not os.path.exists(target):
            raise BadInput(f'there is no file "{target}", and it is not an http or https URL')
        return _inspected_file(Path(target), url)
    where = normalize(target)
    with session_for(where, user_agent, allow_private=allow_private) as session:
        *_, last = trace(where, session, LIMITS)
        if last.status not in PAGE_STATUSES or last.error:
            problem = cause(last.error) if last.error else {"rule": f"http-{last.status}"}
            raise NotFound(f"{last.url}: {describe_cause(problem)}")
        kind = media_type(last.response.headers)
        if kind not in ("", *HTML):
            raise NotFound(f"{last.url}: its type is {kind}; only pages can be inspected ({', '.join(HTML)})")
        found = _audited(last.body, last.response.headers.get("content-type", ""), last.url)
        if header := last.response.headers.get("x-robots-tag", ""):
            found.robots += [f"X-Robots-Tag: {line}" for line in header.splitlines()]
        found.image_bytes = dict(_sizes_on_the_web(found, session)) if images else {}
    return _inspected(found)


def _inspected_file(path: Path, url: str) -> dict[str, Any]:
    """The same for a page in a file; `url` is where it belongs, if that is known."""
    body = _contents(path)
    if is_binary(body):
        raise BadInput(f'"{path}" is not a page: its content is binary')
    found = _audited(body, "", normalize(url or f"http://localhost/{quote(os.fsencode(path.name))}"))
    if not url and len(found.canonicals) == 1 and found.canonicals[0].startswith("http"):
        found = _audited(body, "", found.canonicals[0])  # where its canonical link says it belongs
    found.image_bytes = dict(_sizes_on_disk(found, path.parent))
    return _inspected(found)


def inspect_stored(html: bytes, facts: PageFacts) -> dict[str, Any]:
    """The same for a page that is in a file, by the HTML kept there."""
    return _inspected(_audited(html, f"{facts.content_type}; charset={facts.charset}", facts.url))


def _contents(path: Path) -> bytes:
    """The contents of a file; BadInput if it is larger than a page may be."""
    try:
        with path.open("rb") as file:
            body = file.read(LIMITS.page_bytes + 1)
    except OSError as error:
        raise BadInput(f'cannot read "{path}": {error.strerror}') from error
    if len(body) > LIMITS.page_bytes:
        raise BadInput(f'"{path}" is larger than {LIMITS.page_bytes:,} bytes: no page of this size is read')
    return body


def _audited(body: bytes, content_type: str, url: str) -> Audit:
    decoded = decode(body, content_type)
    is_xhtml = media_type({"content-type": content_type}) == XHTML
    found = audit(write_out_empty_elements(decoded.text) if is_xhtml else decoded.text, url)
    found.bytes, found.charset, found.charset_evidence = len(body), decoded.charset, describe_charset(decoded)
    found.charset_declared, found.charset_contradicted = bool(decoded.declared), decoded.is_contradicted
    return found


def _sizes_on_disk(found: Audit, folder: Path) -> Iterable[tuple[str, int]]:
    for image in found.images:
        path = folder / image.src.partition("?")[0]
        if image.url and not image.src.startswith("/") and path.is_file():
            yield image.url, path.stat().st_size


def _sizes_on_the_web(found: Audit, session: Session) -> Iterable[tuple[str, int]]:
    for url in list(dict.fromkeys(image.url for image in found.images if image.url))[:MAX_IMAGES]:
        yield url, content_length(url, session, LIMITS)


def _inspected(found: Audit) -> dict[str, Any]:
    return {**asdict(found), "advice": [asdict(each) for each in advise(found)]}
