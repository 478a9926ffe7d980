"""robots.txt: what a site's owner lets us fetch (RFC 9309, read by protego)."""

from __future__ import annotations

from dataclasses import dataclass

import protego
import requests

from minisearch.crawl.fetch import CHUNK, Limits

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


def fetch_robots(origin: str, session: requests.Session, limits: Limits) -> RobotsFile:
    """The robots.txt of an origin, redirects followed."""
    session.max_redirects = MOST_REDIRECTS
    try:
        with session.get(f"{origin}/robots.txt", stream=True, timeout=limits.silence_seconds) as response:
            body = b""
            for piece in response.iter_content(CHUNK):
                body += piece
                if len(body) >= MOST_BYTES:
                    break
            return RobotsFile(response.status_code, body[:MOST_BYTES].decode("utf-8-sig", "replace"))
    except requests.TooManyRedirects:
        return RobotsFile(404)  # past five hops the RFC lets us treat it as missing
    except requests.RequestException as error:
        return RobotsFile(0, trouble=f"no answer: {type(error).__name__}")
