"""Every decision has a sentence."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minisearch
from minisearch.crawl.verdicts import SENTENCES, describe, describe_cause

PACKAGES = ("fetch", "parse", "archives", "crawl", "store")
PLACES = {  # of the rule among the arguments of a call
    **dict.fromkeys(("FetchError", "Rejected"), 0),
    **dict.fromkeys(("Skipped", "Failed", "Loss", "_drop", "describe"), 1),
    "Found": 4,
}


def nodes():
    for package in PACKAGES:
        for path in sorted((Path(minisearch.__file__).parent / package).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_text()))


def constant(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def values(node):
    """The strings in a dictionary that is written out, by their names."""
    return {constant(key): constant(value) for key, value in zip(node.keys, node.values, strict=True) if key}


def named_rules():
    """(rule, problem) of the decisions in the source whose rule is written out."""
    for node in nodes():
        if isinstance(node, ast.Dict):
            yield values(node).get("rule", ""), values(node).get("problem", "")
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            named = {keyword.arg: constant(keyword.value) for keyword in node.keywords}
            for argument in node.args:
                named |= values(argument) if isinstance(argument, ast.Dict) else {}
            if len(node.args) > PLACES.get(name, len(node.args)):
                yield constant(node.args[PLACES[name]]), named.get("problem", "")
            elif name == "SitemapError":
                yield "sitemap", constant(node.args[0])


RULES = sorted({f"{rule}/{problem}" if problem else rule for rule, problem in named_rules() if rule})


def test_rules_are_found_in_the_source():
    assert {"depth", "robots", "timeout/total", "connection/refused", "sitemap/xml", "crash"} <= {*RULES}
    assert len(RULES) > 40


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_in_the_source_has_a_sentence(rule):
    variants = {known.partition("/")[0] for known in SENTENCES}
    assert rule in SENTENCES or ("/" not in rule and rule in variants)


def test_every_problem_in_the_source_has_a_sentence():
    problems = {values(node).get("problem", "") for node in nodes() if isinstance(node, ast.Dict)}
    assert problems <= {"", *(known.partition("/")[2] for known in SENTENCES)}
    assert {"long", "run", "scattered", "refresh"} <= problems


CASES = """
depth {"depth": 3, "limit": 2}
    3 links away from the start, the limit is 2
depth {"depth": 1, "limit": 0}
    1 link away from the start, the limit is 0
host-pages {"host": "a", "limit": 1}
    as many pages of a were fetched as the limit allows: 1
pattern-pages {"pattern": "a/#", "limit": 10000}
    as many pages of the URL pattern a/# were fetched as the limit allows: 10,000
scope {"inside": ["a.example/x/", "b.example/y/"]}
    outside the crawl, which keeps to a.example/x/ and b.example/y/
size {"limit": 10000000}
    larger than 10,000,000 bytes
type {"type": "a/b", "types": ["c", "d", "e"]}
    its type is a/b; only c, d and e are read
http-404 {}
    the server answered 404 Not Found
http-599 {}
    the server answered 599
http-404 {"was_page": true}
    the server answered 404 Not Found; it was a page until now, and has left the index
http-503 {"tries": 3}
    the server answered 503 Service Unavailable (3 tries)
http-429 {"wait": 3600}
    the server answered 429 Too Many Requests and asked to wait 3,600 seconds: left to the next crawl
host-failures {"problem": "wait", "host": "a", "pause": 31536001}
    a is skipped until the next crawl: it asked to wait more than a year
host-failures {"host": "a", "failures": 10, "cause": {"rule": "connection", "problem": "refused"}}
    a is skipped until the next crawl: 10 of its URLs failed in a row; the last: the connection was refused
robots-unreachable {"cause": {"rule": "timeout", "seconds": 9.5}}
    robots.txt could not be read (the server sent nothing for 9.5 seconds), so nothing is allowed for now
redirect {"status": 301, "target": "http://b/", "end": "http://c/", "end_state": "failed", "cause": {"rule": "dns"}}
    redirects (301) to http://b/; in the end that is http://c/, failed: the host name could not be resolved
address {"host": "0.0.0.0", "kind": "unspecified"}
    links may not lead to 0.0.0.0, whose address is unspecified (use --allow-private to allow it)
address {"problem": "resolved", "host": "a.example", "address": "10.0.0.1", "kind": "private"}
    links may not lead to a.example, whose address 10.0.0.1 is private (use --allow-private to allow it)
trap {"pattern": "http://a/#", "repeats": 20, "pages": 25}
    the URL pattern http://a/# is blocked as a crawler trap: \
20 pages found on one another nearly repeat others
noindex {"directive": "meta robots", "links": 5, "taken": 3, "untaken": 2}
    fetched, but not indexed, as the page requests (meta robots); \
3 of the 5 URLs it links to were taken, which is the limit
sitemap {"urls": 1, "sitemaps": 2, "dropped": 6}
    read as a sitemap: 1 URL taken, 2 sitemaps named; \
6 dropped (repeated, of another host, no URL, or beyond a limit)
sitemap {"urls": 0, "dropped": 5, "unfinished": true, "cause": {"rule": "encoding"}}
    read as a sitemap: 0 URLs taken; 5 dropped (repeated, of another host, no URL, or beyond a limit); \
not read to its end: the body could not be decompressed
sitemap {"urls": 9, "left": 1}
    read as a sitemap: 9 URLs taken; 1 more sitemap not read, because these URLs are as many as may be fetched
kept {"fetched": "2026-01-02", "visited": "2026-02-03", "cause": {"rule": "http-404"}, "refused": true}
    fetched on 2026-01-02 and kept; when it was visited again on 2026-02-03: the server answered 404 Not Found \
(nothing was dropped: too many pages of the site would be)
"""
LINES = CASES.strip().split("\n")


@pytest.mark.parametrize(("decision", "sentence"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_sentences(decision, sentence):
    rule, _, detail = decision.partition(" ")
    assert describe("", rule, json.loads(detail)) == sentence.strip()


def test_a_state_without_a_rule_has_a_sentence():
    assert describe("queued", "", {}).startswith("not fetched yet")
    assert describe("fetched", "", {}).startswith("fetched and indexed")
    assert describe_cause({}) == ""


def test_what_is_quoted_is_no_template():
    assert describe("", "pattern", {"pattern": "{limit} {0.x}"}) == "excluded by the pattern {limit} {0.x}"


@pytest.mark.parametrize(
    "detail", [{}, {"limit": "many"}, {"problem": "new"}, {"cause": 5}, {"inside": []}, {"wait": "x"}]
)
def test_details_that_do_not_fit_are_shown_as_they_are(detail):
    assert describe("skipped", "scope", detail).startswith("scope")


@given(st.text(), st.dictionaries(st.text(), st.none() | st.text() | st.integers() | st.lists(st.text())))
def test_unknown_rules_are_shown_as_they_are(rule, detail):
    shown = describe("skipped", rule, detail)
    assert rule in shown or rule in SENTENCES or rule.startswith("http-")
