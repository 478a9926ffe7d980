"""robots.txt: what a site's owner allows, and how the file is fetched.

The parser follows RFC 9309 (Koster, Illyes, Zeller and Sassman, "Robots Exclusion Protocol", 2022) and names the line
that decides about a URL. Where the standard leaves a choice it does as most crawlers do: common misspellings count,
and a missing colon is accepted. Crawl-delay and Sitemap, which are not in the RFC, are read as well. protego, the
parser of Scrapy, is the second opinion in the tests.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from minisearch.fetch.deadline import within
from minisearch.fetch.errors import cause
from minisearch.fetch.fetcher import AGENT, Session, retry_after, trace
from minisearch.limits import Limits
from minisearch.models import Detail, Skipped
from minisearch.urls import origin

MAX_DELAY = 30.0  # seconds between two requests; a site cannot ask for more
MAX_BYTES = 500 * 1024  # the rest of a longer file is ignored, as the RFC allows
MAX_REDIRECTS = 5
MAX_QUOTED_RULE = 100  # characters

ANY_AGENT = "*"
END_OF_LINE = re.compile(r"\r\n|\r|\n")  # str.splitlines knows many more, some of which may be part of a path
PRODUCT = re.compile(r"[a-z_-]+(?!\w)", re.IGNORECASE | re.ASCII)
# The fields that count, with common misspellings; the colon after them may be missing.
FIELD = re.compile(
    r"""(?: (?P<agent>user[-\s]*agent) | (?P<allow>allow) | (?P<disallow>dis+al+ow|diasllow|disallaw)
          | (?P<delay>crawl[-\s]*delay) | (?P<sitemap>site-?maps?) ) (?: \s*: | \s | $ )""",
    re.VERBOSE | re.IGNORECASE,
)
NOT_UTF8 = re.compile("[\udc80-\udcff]")  # an octet that is no UTF-8, as "surrogateescape" decodes it
# Characters that are compared as they are; everything else is compared percent-encoded. "/" and "?" divide a path, "*"
# and "$" are operators in a rule: percent-encoded they are ordinary characters, and so are not the same.
PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!&'()+,;=:@")
TO_ENCODE = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!&'()+,;=:@/?]")


# -- the file --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """robots.txt as received. Status 0 means that there was no response; `error` has the reason."""

    status: int
    text: str = ""
    error: Detail = field(default_factory=dict)  # the rule and its details
    retry_after: float = 0.0  # seconds that the server asks to wait before the next request
    redirects: int = field(default=0, compare=False)  # that were followed to get it

    @property
    def is_transient(self) -> bool:
        """Whether another attempt may give another result."""
        return self.unreachable and self.error.get("rule") != "address"

    @property
    def unreachable(self) -> bool:
        """Whether the rules are unknown; then nothing may be fetched."""
        return not 200 <= self.status < 500 or self.status == HTTPStatus.TOO_MANY_REQUESTS


# -- the parser ------------------------------------------------------------------------------


@dataclass
class Rule:
    """One Allow or Disallow, and the number of its line."""

    line: int
    allow: bool
    path: str

    def __post_init__(self) -> None:
        encoded = percent_encoded(self.path.removesuffix("$"), keep_stars=True)
        encoded += "$" * self.path.endswith("$")
        self.octets = len(encoded)  # of two rules that match, the longer one decides
        # "^" and "$" are the ends of a path: in an encoded one there are no others.
        self._parts = f"^{query_variants(encoded)[-1]}".split("*")

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.path}"

    def matches(self, *paths: str) -> bool:
        """Whether the rule matches one of these percent-encoded paths: each part between stars follows the one before.

        >>> Rule(1, False, "/*.gif$").matches("/a/b.gif"), Rule(1, False, "/*.gif$").matches("/a/b.gif?c")
        (True, False)
        """
        return any(self._fits(f"^{path}$") for path in paths)

    def _fits(self, path: str) -> bool:
        end = 0
        for part in self._parts:
            start = path.find(part, end)
            if start < 0:
                return False
            end = start + len(part)
        return True


class RobotsRules:
    """What the robots.txt of an origin specifies for this crawler: its `rules`, `delay` and `sitemaps`."""

    def __init__(self, file: RobotsFile) -> None:
        self.unreachable = file.unreachable
        self._error = file.error or {"rule": f"http-{file.status}"}
        self.sitemaps: list[str] = []
        # Groups for others are not kept: thousands of names times thousands of rules are millions.
        groups: dict[str, list[Rule]] = {}
        delays: dict[str, float] = {}
        names: set[str] = set()  # whom the next rules are for
        naming = False  # the last line that counts was a User-agent line, so that another one joins it
        for number, name, value in lines(file.text if 200 <= file.status < 300 else ""):
            if name == "sitemap":
                self.sitemaps += [value] if value else []
            elif name == "delay":
                if value.replace(".", "", 1).isdecimal():
                    delays |= dict.fromkeys(names, float(value))
            elif name == "agent":
                names = names if naming else set()
                naming = True
                if (product := product_token(value)) in (AGENT, ANY_AGENT):
                    names.add(product)
                    groups.setdefault(product, [])
            else:
                naming = False
                if value:  # an empty Disallow forbids nothing
                    for each in names:
                        groups[each].append(Rule(number, name == "allow", value))
        self.group = AGENT if AGENT in groups else ANY_AGENT
        self.delay = min(delays.get(self.group, 0.0), MAX_DELAY)
        rules = groups.get(self.group, [])
        self.rules = sorted(rules, key=lambda rule: (-rule.octets, not rule.allow, rule.line))

    def deciding_rule(self, url: str) -> Rule | None:
        """The rule that decides about a normalised URL; None if no rule matches, which allows it.

        >>> rules = RobotsRules(RobotsFile(200, "User-agent: *\\nDisallow: /\\nAllow: /a"))
        >>> str(rules.deciding_rule("https://example.com/a/b")), rules.deciding_rule("https://example.com/c#a").line
        ('Allow: /a', 2)
        """
        if not self.rules:  # as on most sites
            return None
        path = url[len(origin(url)) :].partition("#")[0]  # a fragment is never sent
        paths = query_variants(percent_encoded(path or "/"))
        if paths[0] == "/robots.txt":  # may always be read
            return None
        return next((rule for rule in self.rules if rule.matches(*paths)), None)

    def refusal(self, url: str) -> Skipped | None:
        """Why `url` may not be fetched; None if it may.

        >>> rules = RobotsRules(RobotsFile(200, "User-agent: *\\nDisallow: /shed/"))
        >>> rules.refusal("https://a/shed/rake.html")
        Skipped(url='https://a/shed/rake.html', rule='robots', detail={'line': 2, 'text': 'Disallow: /shed/'})
        >>> rules.refusal("https://a/roses.html"), RobotsRules(RobotsFile(404)).refusal("https://a/b")
        (None, None)
        """
        if self.unreachable:
            return Skipped(url, "robots-unreachable", {"cause": self._error})
        rule = self.deciding_rule(url)
        if rule is not None and not rule.allow:
            return Skipped(url, "robots", {"line": rule.line, "text": str(rule)[:MAX_QUOTED_RULE]})
        return None


def lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (number, field, value) of each line with a known field.

    >>> list(lines("USER-AGENT : a # all\\r\\nNoise: x\\rDisallow /b\\nSitemap: https://a/#b"))
    [(1, 'agent', 'a'), (3, 'disallow', '/b'), (4, 'sitemap', 'https://a/')]
    """
    for number, line in enumerate(END_OF_LINE.split(text.removeprefix("\ufeff")), 1):
        content = line.partition("#")[0].strip()
        if found := FIELD.match(content):
            yield number, str(found.lastgroup), content[found.end() :].strip()


def product_token(value: str) -> str:
    """The product token of a User-agent line, in lower case; empty if there is none.

    >>> product_token("MiniSearch/1.0"), product_token("*"), product_token("minisearch2")
    ('minisearch', '*', '')
    """
    if value.split()[:1] == [ANY_AGENT]:
        return ANY_AGENT
    token = PRODUCT.match(value)
    return token[0].lower() if token else ""


def percent_encoded(text: str, *, keep_stars: bool = False) -> str:
    """A path in the one spelling in which paths and rules are compared; in a rule, stars are kept.

    >>> percent_encoded("/~a%7E%3a%2f%zz/š$*"), percent_encoded("/*.gif", keep_stars=True)
    ('/~a~:%2F%25zz/%C5%A1%24%2A', '/*.gif')
    """

    def encode(found: re.Match[str]) -> str:
        if len(found[0]) == 3:
            code = int(found[0][1:], 16)
            return chr(code) if code in PLAIN else found[0].upper()
        if keep_stars and found[0] == "*":
            return "*"
        return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))

    return TO_ENCODE.sub(encode, text)


def query_variants(path: str) -> tuple[str, ...]:
    """A percent-encoded path and, where that differs, the same with the slashes in its query decoded.

    In the RFC's own example "?baz=https://foo.bar" and "?baz=https%3A%2F%2Ffoo.bar" mean the same.
    """
    front, mark, query = path.partition("?")
    other = front + mark + query.replace("%2F", "/").replace("%3F", "?")
    return (path,) if other == path else (path, other)


# -- fetching --------------------------------------------------------------------------------


def fetch_robots(site: str, session: Session, limits: Limits) -> RobotsFile:
    """Fetch the robots.txt of an origin, following redirects; Rejected if the origin itself is blocked."""
    limits = replace(limits, page_bytes=MAX_BYTES + 1, redirects=MAX_REDIRECTS)
    with within(limits.page_seconds):
        *redirects, last = trace(f"{site}/robots.txt", session, limits)
    error, count = last.error, len(redirects)
    if error is not None and error.rule != "size":  # of a file that is too long, the beginning counts
        if error.rule == "address" and not redirects:
            raise error
        if error.rule.startswith("redirect"):  # nowhere, or too often: missing, according to the RFC
            return RobotsFile(404, redirects=count)
        return RobotsFile(0, error=cause(error), redirects=count)
    pause = retry_after(last.response.headers, time.time())
    return RobotsFile(last.status, decode_robots(last.body), retry_after=pause, redirects=count)


def decode_robots(body: bytes) -> str:
    """The text of a robots.txt: UTF-8, as in the RFC, unless it has a byte order mark of UTF-16.

    Octets that are no UTF-8, as in files written in Latin-1, are percent-encoded as they came: so are they in URLs.

    >>> decode_robots("User-agent: *".encode("utf-16")), decode_robots("Disallow: /café".encode("latin-1"))
    ('User-agent: *', 'Disallow: /caf%E9')
    """
    if len(body) > MAX_BYTES:
        last = max(body.rfind(end, 0, MAX_BYTES) for end in (b"\n", b"\r"))
        body = body[: last + 1]  # part of a line could forbid more than the whole
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    return NOT_UTF8.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", body.decode("utf-8-sig", "surrogateescape"))
