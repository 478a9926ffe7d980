"""Which urls a crawl may fetch: how far, how deep, and which patterns."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from minisearch.crawl.urls import host
from minisearch.errors import BadInput
from minisearch.records import Skipped

SCOPES = ("path", "host", "domain", "any")
LONGEST_URL = 2000


@dataclass(frozen=True)
class Rules:
    """The borders of one crawl. `roots` are its seeds, and where they were redirected to."""

    roots: tuple[str, ...]
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int = 20

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise BadInput(f"scope must be one of {', '.join(SCOPES)}, not {self.scope!r}")
        if self.max_depth < 0:
            raise BadInput(f"the depth limit must be 0 or more, not {self.max_depth}")

    def judge(self, url: str, depth: int) -> Skipped | None:
        """None if `url` may be fetched, else why not.

        >>> rules = Rules(("https://example.com/docs/index.html",), max_depth=3)
        >>> rules.judge("https://example.com/docs/a.html", 1) is None
        True
        >>> rules.judge("https://example.com/blog/", 1).reason
        'outside the crawl, which keeps to example.com/docs/'
        """
        if url in self.roots:
            return None
        if len(url) > LONGEST_URL:
            return Skipped(url, f"longer than {LONGEST_URL} characters", "length")
        if not any(self._inside(url, root) for root in self.roots):
            return Skipped(url, f"outside the crawl, which keeps to {self._borders()}", "scope")
        for pattern in self.exclude:
            if fnmatchcase(url, pattern):
                return Skipped(url, f"excluded by the pattern {pattern}", "pattern")
        if self.include and not any(fnmatchcase(url, pattern) for pattern in self.include):
            return Skipped(url, f"matches none of the patterns {' '.join(self.include)}", "pattern")
        if depth > self.max_depth:
            return Skipped(url, f"{depth} links away from the start, the limit is {self.max_depth}", "depth")
        return None

    def _inside(self, url: str, root: str) -> bool:
        if self.scope == "any":
            return True
        here, home = host(url), host(root)
        if self.scope == "domain":
            domain = home.removeprefix("www.")
            return here == domain or here.endswith("." + domain)
        if here != home:
            return False
        return self.scope == "host" or urlsplit(url).path.startswith(folder(root))

    def _borders(self) -> str:
        borders = {host(root) + (folder(root) if self.scope == "path" else "") for root in self.roots}
        return " and ".join(sorted(borders))


def folder(url: str) -> str:
    """The folder a url lies in.

    >>> folder("https://example.com/docs/index.html"), folder("https://example.com/docs/")
    ('/docs/', '/docs/')
    """
    return urlsplit(url).path.rpartition("/")[0] + "/"
