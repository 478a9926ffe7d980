"""robots.txt: what a site's owner lets us fetch, and how the file is come by.

What is allowed is read as RFC 9309 says (rfc9309.py); Crawl-delay and Sitemap, which no RFC knows, as protego does.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus

import protego
import requests
import urllib3

from minisearch.errors import BadUrl
from minisearch.fetch.announced import redirect_target, retry_after
from minisearch.fetch.errors import explained
from minisearch.fetch.fetcher import MOVED, Session, ask, pieces
from minisearch.fetch.rfc9309 import EVERYBODY, FIELDS, RobotsText, Rule
from minisearch.limits import Limits
from minisearch.parse.robots_meta import AGENT

LONGEST_DELAY = 30.0  # a site cannot ask for more seconds than this between two requests
MOST_BYTES = 500 * 1024  # what is past this is not read, as the RFC allows
MOST_REDIRECTS = 5
REMEMBERED = 3600.0  # seconds
LONGEST_SHOWN = 100  # characters of a rule in a verdict

# What protego takes for the naming of a robot, and for a rule, in small letters; it forgives a missing colon.
NAMING = re.compile(r"user[- ]?agent\s*:(.*)|user(?:-|\s+)?agent(?!\S)(?![^:]*:(?:\s|\Z))(.*)")
RULE = re.compile(rf"(?:{'|'.join(name for name, kind in FIELDS.items() if kind != 'agent')})(?:[\s:]|\Z)")
STRAY = re.compile("[\udc80-\udcff]")  # an octet that is no UTF-8, as Python hands it on
ANOTHER = "-"  # the name that all other robots share


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """robots.txt as received. Status 0 means that there was no answer, `trouble` says why."""

    status: int
    text: str = ""
    trouble: str = ""
    retry_after: float = 0.0  # seconds that the server asks us to wait before we ask again
    redirects: int = field(default=0, compare=False)  # that were followed to get it

    @property
    def is_passing(self) -> bool:
        """Whether it is worth asking again."""
        return self.unreachable or self.status == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def unreachable(self) -> bool:
        """Whether nobody knows what it says; then nothing may be fetched."""
        return self.status == 0 or self.status >= 500


class RobotsRules:
    """What one origin allows."""

    def __init__(self, file: RobotsFile) -> None:
        self.unreachable = file.unreachable
        self._said = file.trouble or f"the server answered {file.status}"
        text = file.text if 200 <= file.status < 300 else ""
        self._text = RobotsText(text, AGENT)
        self._more = protego.Protego.parse("\n".join(_abridged(text)))

    def refusal(self, url: str) -> tuple[str, str]:
        """(reason, rule) if `url` may not be fetched, else two empty strings.

        >>> rules = RobotsRules(RobotsFile(200, "User-agent: *\\nDisallow: /shed/"))
        >>> rules.refusal("https://example.com/shed/rake.html")
        ('robots.txt does not allow it (line 2: Disallow: /shed/)', 'robots')
        >>> rules.refusal("https://example.com/roses.html"), RobotsRules(RobotsFile(404)).refusal("https://a/b")
        (('', ''), ('', ''))
        """
        if self.unreachable:
            return (
                f"robots.txt could not be read ({self._said}), so nothing may be fetched for now",
                "robots-unreachable",
            )
        rule = self.decisive(url)
        if rule is not None and not rule.allow:
            return f"robots.txt does not allow it (line {rule.line}: {_short(str(rule))})", "robots"
        return "", ""

    def decisive(self, url: str) -> Rule | None:
        """The line that decides about `url`; None if the file says nothing about it."""
        return self._text.decisive(url)

    @property
    def addressed(self) -> str:
        """To whom the rules that hold for us are addressed: to us by name, or to everybody ("*")."""
        return self._text.addressed

    @property
    def delay(self) -> float:
        """Seconds between two requests that the site asks for."""
        asked = self._more.crawl_delay(AGENT)
        return min(asked, LONGEST_DELAY) if asked and asked > 0 else 0.0

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps that the file names, as written there."""
        return [named for named in self._more.sitemaps if named]


class RobotsMemory:
    """The rules of each origin, for an hour: then they are looked up anew, in the file or on the web.

    So no rules are obeyed for longer than the file believes them, and what was unreachable is asked for again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rules: dict[str, tuple[RobotsRules, float]] = {}

    def __contains__(self, site: str) -> bool:
        return site in self._rules and self._clock() < self._rules[site][1]

    def __getitem__(self, site: str) -> RobotsRules:
        return self._rules[site][0]

    def __setitem__(self, site: str, rules: RobotsRules) -> None:
        self._rules[site] = (rules, self._clock() + REMEMBERED)


def _abridged(text: str) -> Iterator[str]:
    """The lines that protego needs to tell a delay and sitemaps: without rules, and naming no robot but us and all.

    It keeps every rule once for each robot that it is for, and a file can name thousands of robots for thousands of
    rules. Where a group begins and ends stays the same.

    >>> list(_abridged("User-agent: a\\nuser agent B\\nDisallow /c\\nUser-agent: Mini*\\nCrawl-delay: 5 # seconds"))
    ['User-agent: -', 'User-agent: -', 'Disallow:', 'User-agent: mini', 'Crawl-delay: 5']
    """
    for line in text.splitlines():
        said = line.partition("#")[0].strip()
        known = said.lower()
        if RULE.match(known):
            yield "Disallow:"
        elif naming := NAMING.fullmatch(known):
            name = (naming[1] or naming[2] or "").strip()
            yield f"User-agent: {_robot(name) if name else ''}"
        else:
            yield said


def _robot(name: str) -> str:
    """Whom protego would take a robot of this name for: all, us (by as much of our name as it has), or another one."""
    if name == EVERYBODY:
        return name
    name = name.replace("*", "")
    return name if name and AGENT.startswith(name) else ANOTHER


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def fetch_robots(
    site: str, session: Session, limits: Limits, *, clock: Callable[[], float] = time.monotonic
) -> RobotsFile:
    """The robots.txt of an origin, redirects followed."""
    url, deadline = f"{site}/robots.txt", clock() + limits.page_seconds
    silence = min(limits.silence_seconds, limits.page_seconds)
    redirects = 0
    try:
        for redirects in range(1 + MOST_REDIRECTS):
            with ask(url, session, silence) as response:
                if response.status_code not in MOVED:
                    return replace(_read(response, limits, deadline, clock), redirects=redirects)
                url = redirect_target(dict(response.headers.lower_items()), url)
    except BadUrl:
        pass
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        return RobotsFile(0, trouble=explained(error, silence).reason, redirects=redirects)
    return RobotsFile(
        404, redirects=redirects
    )  # past five hops the RFC lets us treat it as missing; and so we do if it leads nowhere


def _read(response: requests.Response, limits: Limits, deadline: float, clock: Callable[[], float]) -> RobotsFile:
    body = b""
    for piece in pieces(response, MOST_BYTES):
        body += piece
        if len(body) > MOST_BYTES:
            last = max(body.rfind(end, 0, MOST_BYTES) for end in (b"\n", b"\r"))
            body = body[: last + 1]  # half a line could forbid more than the whole
            break
        if clock() > deadline:
            return RobotsFile(0, trouble=f"not done after {limits.page_seconds:g} seconds")
    pause = retry_after(dict(response.headers.lower_items()), time.time())
    return RobotsFile(response.status_code, readable(body), retry_after=pause)


def readable(body: bytes) -> str:
    """The text of a robots.txt: UTF-8, as the RFC has it, unless a byte order mark says UTF-16.

    Octets that are no UTF-8, as in files written in Latin-1, are percent-encoded as they came: so are they in urls.

    >>> readable("User-agent: *".encode("utf-16")), readable("Disallow: /café".encode("latin-1"))
    ('User-agent: *', 'Disallow: /caf%E9')
    """
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    return STRAY.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", body.decode("utf-8-sig", "surrogateescape"))
