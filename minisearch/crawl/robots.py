"""robots.txt: what a site's owner lets us fetch (RFC 9309, read by protego)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import protego
import requests
import urllib3

from minisearch.crawl.fetch import MOVED, Limits, Session, ask, explained, pieces, redirect_target
from minisearch.errors import BadUrl

AGENT = "minisearch"
LONGEST_DELAY = 30.0  # a site cannot ask for more seconds than this between two requests
MOST_BYTES = 500 * 1024  # what is past this is not read, as the RFC allows
MOST_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """robots.txt as received. Status 0 means that there was no answer, `trouble` says why."""

    status: int
    text: str = ""
    trouble: str = ""


class RobotsRules:
    """What one origin allows."""

    def __init__(self, file: RobotsFile) -> None:
        self._unreachable = file.status == 0 or file.status >= 500
        self._said = file.trouble or f"the server answered {file.status}"
        text = file.text if 200 <= file.status < 300 else ""
        self._parsed = protego.Protego.parse(text)

    def refusal(self, url: str) -> tuple[str, str]:
        """(reason, rule) if `url` may not be fetched, else two empty strings.

        >>> rules = RobotsRules(RobotsFile(200, "User-agent: *\\nDisallow: /shed/"))
        >>> rules.refusal("https://example.com/shed/rake.html")
        ('robots.txt does not allow it', 'robots')
        >>> rules.refusal("https://example.com/roses.html"), RobotsRules(RobotsFile(404)).refusal("https://a/b")
        (('', ''), ('', ''))
        """
        if self._unreachable:
            return (
                f"robots.txt could not be read ({self._said}), so nothing may be fetched",
                "robots-unreachable",
            )
        if not self._parsed.can_fetch(url, AGENT):
            return "robots.txt does not allow it", "robots"
        return "", ""

    @property
    def delay(self) -> float:
        """Seconds between two requests that the site asks for."""
        return min(float(self._parsed.crawl_delay(AGENT) or 0.0), LONGEST_DELAY)


def fetch_robots(
    site: str, session: Session, limits: Limits, *, clock: Callable[[], float] = time.monotonic
) -> RobotsFile:
    """The robots.txt of an origin, redirects followed."""
    url, deadline = f"{site}/robots.txt", clock() + limits.page_seconds
    silence = min(limits.silence_seconds, limits.page_seconds)
    try:
        for _ in range(1 + MOST_REDIRECTS):
            with ask(url, session, silence) as response:
                if response.status_code not in MOVED:
                    return _read(response, limits, deadline, clock)
                url = redirect_target(dict(response.headers.lower_items()), url)
    except BadUrl:
        pass
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        return RobotsFile(0, trouble=explained(error, silence).reason)
    return RobotsFile(404)  # past five hops the RFC lets us treat it as missing; and so we do if it leads nowhere


def _read(response: requests.Response, limits: Limits, deadline: float, clock: Callable[[], float]) -> RobotsFile:
    body = b""
    for piece in pieces(response):
        body += piece
        if len(body) >= MOST_BYTES:
            break
        if clock() > deadline:
            return RobotsFile(0, trouble=f"not done after {limits.page_seconds:g} seconds")
    return RobotsFile(response.status_code, body[:MOST_BYTES].decode("utf-8-sig", "replace"))
