"""Scope: which URLs a crawl may fetch, by site, folder, depth, length, path and the patterns of its user."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cached_property
from urllib.parse import urlsplit

from minisearch.errors import BadInput
from minisearch.fetch.guard import bare_host
from minisearch.limits import Limits
from minisearch.models import Detail, Skipped
from minisearch.urls import host

SCATTERED = 2  # times `repeats` that a path segment may occur anywhere in a path: two folders may alternate for ever
SCOPES = ("path", "host", "domain", "any")

Pattern = tuple[str, Callable[[str], object]]


@dataclass(frozen=True)
class Rules:
    """The scope of one crawl. `roots` are its seeds and the URLs they were redirected to."""

    roots: tuple[str, ...]
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int = 20
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise BadInput(f"scope must be one of {', '.join(SCOPES)}, not {self.scope!r}")
        if self.max_depth < 0:
            raise BadInput(f"the depth limit must be 0 or more, not {self.max_depth}")

    def judge(self, url: str, depth: int) -> Skipped | None:
        """Why `url` may not be fetched; None if it may.

        >>> rules = Rules(("https://example.com/docs/index.html",), max_depth=3)
        >>> rules.judge("https://example.com/docs/a.html", 1) is None
        True
        >>> rules.judge("https://example.com/blog/", 1).detail
        {'inside': ['example.com/docs/']}
        """
        if url in self.roots:
            return None
        if len(url) > self.limits.url_length:
            return Skipped(url, "length", {"limit": self.limits.url_length})
        if self.scope != "any" and not self._is_inside(url):
            return Skipped(url, "scope", {"inside": self._inside})
        for pattern, matches in self._excluded:
            if matches(url):
                return Skipped(url, "pattern", {"pattern": pattern})
        if self.include and not any(matches(url) for _, matches in self._included):
            return Skipped(url, "pattern", {"problem": "include", "patterns": list(self.include)})
        if detail := self._repeats(url):
            return Skipped(url, "path", detail)
        if depth > self.max_depth:
            return Skipped(url, "depth", {"depth": depth, "limit": self.max_depth})
        return None

    def _repeats(self, url: str) -> Detail:
        """How a path is too long or repeats itself, as wrong relative links make it; else nothing."""
        segments = [segment for segment in url.partition("?")[0].split("/")[3:] if segment]
        if len(segments) > self.limits.path_segments:
            return {"problem": "long", "segments": len(segments), "limit": self.limits.path_segments}
        if len(set(segments)) == len(segments):
            return {}
        times = self.limits.repeats + 1
        for length in range(1, len(segments) // times + 1):
            for start in range(len(segments) - length * times + 1):
                run = segments[start : start + length]
                if segments[start : start + length * times] == run * times:
                    return {"problem": "run", "part": f"/{'/'.join(run)}/", "limit": self.limits.repeats}
        name, count = Counter(segments).most_common(1)[0]
        limit = SCATTERED * self.limits.repeats
        return {"problem": "scattered", "part": f"/{name}/", "count": count, "limit": limit} if count > limit else {}

    def _is_inside(self, url: str) -> bool:
        if self.scope != "domain":
            return url.partition("://")[2].startswith(self._fronts)
        here, homes = host(url), [host(root).removeprefix("www.") for root in self.roots]
        return any(here == home or here.endswith("." + home) for home in homes)

    @cached_property
    def _excluded(self) -> list[Pattern]:
        return _patterns(self.exclude)

    @cached_property
    def _included(self) -> list[Pattern]:
        return _patterns(self.include)

    @cached_property
    def _fronts(self) -> tuple[str, ...]:
        """What the URLs inside begin with, after the scheme."""
        return tuple(host(root) + (folder(root) if self.scope == "path" else "/") for root in self.roots)

    @cached_property
    def _inside(self) -> list[str]:
        return sorted({front if self.scope == "path" else front[:-1] for front in self._fronts})


def _patterns(written: tuple[str, ...]) -> list[Pattern]:
    """Shell patterns, each with a function that matches a whole URL."""
    return [(pattern, re.compile(translate(pattern)).match) for pattern in written]


def means(seed: str, target: str) -> bool:
    """Whether the target of a seed's redirect becomes part of the scope. Another port is another server.

    >>> means("http://example.com/", "https://www.example.com/"), means("http://a.example/", "http://a.example:8080/")
    (True, False)
    """
    here, there = host(seed), host(target)
    return here == there or bare_host(seed) != bare_host(target)


def folder(url: str) -> str:
    """The folder of a URL's path.

    >>> folder("https://example.com/docs/index.html"), folder("https://example.com/docs/")
    ('/docs/', '/docs/')
    """
    return urlsplit(url).path.rpartition("/")[0] + "/"
