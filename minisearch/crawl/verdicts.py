"""Decisions in words: the sentence for each rule that a crawl decides by.

A decision is a state, the name of a rule, and the details of the case: plain values, of which `problem` names the
variant of a rule and `cause` holds the decision that led to this one (its rule among its details). The file and web
archives hold these; sentences are made here, for display.
"""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from minisearch.models import YEAR, Detail, Verdict, counted
from minisearch.urls import tracking_parameters

SENTENCES = {  # by rule, or by rule/problem
    # scope
    "archive": "not in the archive that was imported",
    "depth": "{depth} away from the start, the limit is {limit}",
    "length": "longer than {limit:,} characters",
    "malformed": "not a valid URL",
    "nofollow": "found only in links marked nofollow",
    "path/long": "its path has {segments} parts, the limit is {limit}",
    "path/run": "{part} occurs in its path more than {limit} times in a row",
    "path/scattered": "{part} occurs in its path {count} times, the limit is {limit}",
    "pattern": "excluded by the pattern {pattern}",
    "pattern/include": "matches none of the patterns {patterns}",
    "redirects": "more than {limit} redirects in a row",
    "scheme": "a {scheme}: URL; only http: and https: are followed",
    "scope": "outside the crawl, which keeps to {inside}",
    "shard": "held by another shard",
    # crawler traps and quotas
    "duplicate-content": "found on a copy of {page}, of which {copies:,} copies were fetched",
    "host-pages": "as many pages of {host} were fetched as the limit allows: {limit:,}",
    "pattern-pages": "as many pages of the URL pattern {pattern} were fetched as the limit allows: {limit:,}",
    "trap": "the URL pattern {pattern} is blocked as a crawler trap: "
    "{repeats:,} pages found on one another nearly repeat others",
    # robots.txt
    "robots": "robots.txt does not allow it (line {line}: {text})",
    "robots-unreachable": "robots.txt could not be read ({cause}), so nothing is allowed for now",
    "robots-allowed": "robots.txt allows it (line {line}: {text})",
    "robots-missing": "there is no robots.txt (the server answered {status}), so everything is allowed",
    "robots-silent": "robots.txt has no rule for it, so it is allowed",
    # requests
    "address": "links may not lead to {host}, whose address is {kind} (use --allow-private to allow it)",
    "address/resolved": "links may not lead to {host}, whose address {address} is {kind} "
    "(use --allow-private to allow it)",
    "connection": "the connection failed ({error})",
    "connection/closed": "the server closed the connection without a response",
    "connection/none": "no connection to the server could be made",
    "connection/refused": "the connection was refused",
    "crash": "the process that read it died",
    "crash/memory": "the process that read it needs more than {limit:,} bytes of memory",
    "dns": "the host name could not be resolved",
    "encoding": "the body could not be decompressed",
    "encoding/unsupported": "unsupported content encoding ({encoding})",
    "headers": "its headers are longer than {limit:,} bytes",
    "headers/contradiction": "its Content-Length headers contradict each other",
    "headers/long": "its headers are too long or too many",
    "host-failures": "{host} is skipped until the next crawl: {failures} of its URLs failed in a row; "
    "the last: {cause}",
    "host-failures/wait": "{host} is skipped until the next crawl: it asked to wait {pause}",
    "protocol": "the response is not HTTP",
    "protocol/invalid": "the response is not valid HTTP",
    "timeout": "the server sent nothing for {seconds:g} seconds",
    "timeout/total": "not done after {seconds:g} seconds",
    "tls": "no secure connection to the server could be made",
    "tls/certificate": "the server's certificate could not be verified ({error})",
    "tls/handshake": "no secure connection to the server could be made ({error})",
    "truncated": "the connection was closed before the body was complete",
    "url": "no request can be made for this URL",
    # responses
    "binary": "declared as {type}, but the content is binary",
    "damaged": "its record in the archive is damaged",
    "javascript": "the page needs JavaScript: without it there is hardly any text and no link to follow",
    "redirect": "redirects ({status}) to {target}",
    "redirect/invalid": "an invalid redirect: {error}",
    "redirect/refresh": "redirects (meta refresh) to {target}",
    "redirect-loop": "redirects in a loop",
    "redirect-loop/back": "redirects in a loop, back to {target}",
    "size": "larger than {limit:,} bytes",
    "size/cut": "larger than {limit:,} bytes; the rest was not read",
    "soft-404": 'the page says "{words}" with status {status} (a soft 404)',
    "type": "its type is {type}; only {types} are read",
    "type/page": "it is an HTML page",
    "unreadable": "its file cannot be read: {error}",
    # sitemaps
    "sitemap": "read as a sitemap: {urls} taken",
    "sitemap/redirect": "a sitemap that redirects ({status}) to {target}",
    "sitemap/unreadable": "a sitemap that could not be read: {cause}",
    "sitemap/binary": "not a sitemap: its content is binary",
    "sitemap/entity": 'it declares an entity ("{name}"), as XML bombs do',
    "sitemap/root": "not a sitemap: it begins with <{tag}>",
    "sitemap/xml": "its XML is broken ({error}, line {line})",
    # pages
    "allowed": "fetched and indexed: no rule excludes it",
    "allowed/unindexed": "fetched, but not indexed yet: no rule excludes it",
    "budget": "not fetched yet: the crawl was stopped, or reached its limit, before it",
    "canonical": "its canonical page is {page}",
    "changed": "it has changed",
    "elements": "fetched, but not read completely",
    "equivalent-url": "has nearly the same text as the equivalent URL {page}",
    "identical": "has exactly the same text as {page}",
    "kept": "fetched on {fetched} and kept; when it was visited again on {visited}: {cause}",
    "links": "fetched, but not read completely",
    "near-identical": "differs only in numbers from {page}",
    "noindex": "fetched, but not indexed, as the page requests ({directive})",
    "tracking": "without its tracking parameters ({names}) it is {page}, {state}: {cause}",
}
ADDITIONS = {  # by detail: what follows the sentence
    "end": "; in the end that is {end}, {end_state}: {cause}",
    "wait": " and asked to wait {wait}: left to the next crawl",
    "tries": " ({tries} tries)",
    "sitemaps": ", {sitemaps} named",
    "dropped": "; {dropped:,} dropped (repeated, of another host, no URL, or beyond a limit)",
    "unfinished": "; not read to its end: {cause}",
    "left": "; {left} not read, because these URLs are as many as may be fetched",
    "untaken": "; {taken:,} of the {links:,} URLs it links to were taken, which is the limit",
    "unread": "; it has more than {elements:,} elements or {nesting:,} levels of nesting, which is the limit: "
    "{unread:,} characters were not read",
    "was_page": "; it was a page until now, and has left the index",
    "refused": " (nothing was dropped: too many pages of the site would be)",
}
COUNTED = {"urls": "URL", "sitemaps": "sitemap", "left": "more sitemap", "depth": "link"}
BY_STATE = {"queued": "budget", "fetched": "allowed"}  # the rule where none is recorded


def describe(state: str, rule: str, detail: Detail) -> str:
    """Why a URL has its state, in words; a rule without a sentence is given as it is, with its details.

    >>> describe("skipped", "robots", {"line": 3, "text": "Disallow: /shed/"})
    'robots.txt does not allow it (line 3: Disallow: /shed/)'
    >>> describe("failed", "http-503", {"tries": 3}), describe("skipped", "moon", {"phase": "full"})
    ('the server answered 503 Service Unavailable (3 tries)', 'moon {"phase": "full"}')
    """
    rule = rule or BY_STATE.get(state, "")
    try:
        additions = "".join(words for name, words in ADDITIONS.items() if name in detail)
        return (_sentence(rule, detail) + additions).format_map({name: _value(name, detail[name]) for name in detail})
    except (LookupError, ValueError, TypeError, AttributeError):  # of another version, or written by another program
        return f"{rule} {json.dumps(detail)}" if detail else rule


def describe_cause(cause: Detail) -> str:
    """The sentence for a decision whose rule is among its details; nothing if there is none."""
    return describe("", cause["rule"], {name: cause[name] for name in cause if name != "rule"}) if cause else ""


def _sentence(rule: str, detail: Detail) -> str:
    if rule.startswith("http-"):
        status = int(rule.removeprefix("http-"))
        phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
        return f"the server answered {status} {phrase}".rstrip()
    return SENTENCES[f"{rule}/{detail['problem']}" if "problem" in detail else rule]


def _value(name: str, value: Any) -> Any:
    if name == "cause":
        return describe_cause(value)
    if name in ("wait", "pause"):
        return "more than a year" if value > YEAR else f"{value:,.0f} seconds"
    if name in COUNTED:
        return counted(value, COUNTED[name])
    if isinstance(value, list):
        return " and ".join(filter(None, (", ".join(value[:-1]), value[-1])))
    return value


def with_reason(verdict: Verdict, url: str) -> Verdict:
    """The verdict on `url`, in words; a URL with tracking parameters is merged into the one without them."""
    rule = verdict.rule or BY_STATE.get(verdict.state, "")
    detail = {"problem": "unindexed"} if rule == "allowed" and not verdict.indexed else verdict.detail
    past = tuple(
        replace(each, reason=describe(each.state, each.rule, each.detail)) if each.rule else each
        for each in verdict.past
    )
    state, target = verdict.state, verdict.target
    if names := tracking_parameters(url):
        cause = {"rule": rule, **detail}
        detail = {"names": names, "page": verdict.url, "state": state, "cause": cause}
        state, rule, target = "merged", "tracking", verdict.url
    else:
        url = verdict.url
    reason = describe(state, rule, detail)
    return replace(verdict, url=url, state=state, rule=rule, detail=detail, reason=reason, target=target, past=past)
