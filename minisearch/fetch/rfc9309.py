"""robots.txt as RFC 9309 reads it: which lines speak to us, and which of them decides about a url.

Koster, Illyes, Zeller and Sassman, "Robots Exclusion Protocol", 2022. Where the standard leaves a choice we do as
most crawlers do: common misspellings count, and a missing colon is forgiven. protego, the parser of Scrapy, is the
second opinion in the tests; it cannot tell the deciding line, and departs from the RFC in cases that the tests name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from minisearch.urls import origin

EVERYBODY = "*"
END_OF_LINE = re.compile(r"\r\n|\r|\n")  # str.splitlines knows many more, some of which may stand in a path
PRODUCT = re.compile(r"[a-z_-]+(?!\w)", re.IGNORECASE | re.ASCII)
FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
}
# What stands for itself; everything else is compared percent-encoded. "/" and "?" divide a path, "*" and "$" mean
# something in a rule: with a percent sign they are ordinary characters, and so are not the same.
PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!&'()+,;=:@")
SPELLING = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!&'()+,;=:@/?]")


def spelled(text: str, *, stars: bool = False) -> str:
    """A path in the one spelling in which paths and rules are compared; in a rule, stars are kept.

    >>> spelled("/~a%7E%3a%2f%zz/š$*"), spelled("/*.gif", stars=True)
    ('/~a~:%2F%25zz/%C5%A1%24%2A', '/*.gif')
    """

    def respell(found: re.Match[str]) -> str:
        if len(found[0]) == 3:
            code = int(found[0][1:], 16)
            return chr(code) if code in PLAIN else found[0].upper()
        if stars and found[0] == "*":
            return "*"
        return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))

    return SPELLING.sub(respell, text)


def readings(path: str) -> tuple[str, ...]:
    """A spelled path as it stands and, where that is another thing, with the slashes in its query written out.

    The RFC's own example has "?baz=https://foo.bar" and "?baz=https%3A%2F%2Ffoo.bar" mean the same.
    """
    front, mark, query = path.partition("?")
    other = front + mark + query.replace("%2F", "/").replace("%3F", "?")
    return (path,) if other == path else (path, other)


@dataclass(frozen=True)
class Rule:
    """One Allow or Disallow, and the line it stands on."""

    line: int
    allow: bool
    path: str

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.path}"

    @cached_property
    def octets(self) -> int:
        """How much the rule spells out: of two rules that match, the longer one decides."""
        return len(self._spelled) + self._anchored

    @property
    def _anchored(self) -> bool:
        return self.path.endswith("$")

    @cached_property
    def _spelled(self) -> str:
        return spelled(self.path[:-1] if self._anchored else self.path, stars=True)

    @cached_property
    def _patterns(self) -> list[list[str]]:
        return [re.sub(r"\*+", "*", reading).split("*") for reading in readings(self._spelled)]

    @property
    def starts(self) -> set[str]:
        """How a path has to begin for the rule to speak about it."""
        return {parts[0] for parts in self._patterns}

    def matches(self, *paths: str) -> bool:
        """Whether the rule speaks about one of these paths in the common spelling.

        >>> Rule(1, False, "/*.gif$").matches("/a/b.gif"), Rule(1, False, "/*.gif$").matches("/a/b.gif?c")
        (True, False)
        """
        return any(self._fits(parts, reading) for parts in self._patterns for reading in paths)

    def _fits(self, parts: list[str], path: str) -> bool:
        """Each part between stars is looked for after the one before it: no backtracking, whatever the rule."""
        first, *rest = parts
        if not path.startswith(first):
            return False
        at = len(first)
        if not rest:
            return not self._anchored or at == len(path)
        *middle, last = rest
        for part in middle:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        if self._anchored:
            return len(path) - len(last) >= at and path.endswith(last)
        return path.find(last, at) >= 0


class RobotsText:
    """What a robots.txt says to the robot `agent`."""

    def __init__(self, text: str, agent: str) -> None:
        groups = _groups(text.removeprefix("\ufeff"), {agent.lower(), EVERYBODY})
        self.addressed = agent.lower() if agent.lower() in groups else EVERYBODY
        rules = groups.get(self.addressed, [])
        self.rules = sorted(rules, key=lambda rule: (-rule.octets, not rule.allow, rule.line))
        self._by_start: dict[str, list[int]] = {}  # where the rules stand that begin so, up to their first star
        for place, rule in enumerate(self.rules):
            for start in rule.starts:
                self._by_start.setdefault(start, []).append(place)
        self._lengths = sorted(set(map(len, self._by_start)))

    def decisive(self, url: str) -> Rule | None:
        """The rule that decides about a normalised url; None if no rule speaks of it, which allows it.

        >>> text = RobotsText("User-agent: *\\nDisallow: /\\nAllow: /a", "minisearch")
        >>> str(text.decisive("https://example.com/a/b")), text.decisive("https://example.com/c").line
        ('Allow: /a', 2)
        """
        if not self.rules:  # as on most sites
            return None
        paths = readings(spelled(url[len(origin(url)) :] or "/"))
        if paths[0] == "/robots.txt":  # may always be read
            return None
        starts = {path[:length] for path in paths for length in self._lengths if length <= len(path)}
        places = sorted({place for start in starts for place in self._by_start.get(start, ())})
        return next((self.rules[place] for place in places if self.rules[place].matches(*paths)), None)


def _groups(text: str, robots: set[str]) -> dict[str, list[Rule]]:
    """All that is said to each of these robots, wherever in the file it is said; to those that are named at all.

    Of others nothing is kept: thousands of names over thousands of rules would be millions of pairs.
    """
    groups: dict[str, list[Rule]] = {}
    names: set[str] = set()  # whom the next rules are for
    naming = False  # the last line that counts was a User-agent line, so that another one joins it
    for number, name, value in lines(text):
        if name == "agent":
            names = names if naming else set()
            naming = True
            if (robot := product(value)) in robots:
                names.add(robot)
                groups.setdefault(robot, [])
        else:
            naming = False
            if names and value:  # "Disallow:" alone forbids nothing
                rule = Rule(number, name == "allow", value)
                for each in names:
                    groups[each].append(rule)
    return groups


def lines(text: str) -> Iterator[tuple[int, str, str]]:
    """(number, field, value) of each line that says something we know.

    >>> list(lines("USER-AGENT : a # all\\r\\nNoise: x\\rDisallow /b"))
    [(1, 'agent', 'a'), (3, 'disallow', '/b')]
    """
    for number, line in enumerate(END_OF_LINE.split(text), 1):
        said = line.partition("#")[0].strip()
        name, _, value = said.partition(":")
        known = FIELDS.get(" ".join(name.lower().split()))
        if not known:
            name, value = (*said.split(None, 1), "", "")[:2]  # the colon was forgotten
            known = FIELDS.get(name.lower())
        if known:
            yield number, known, value.strip()


def product(value: str) -> str:
    """The product token of a User-agent line, in lower case; nothing if there is none.

    >>> product("MiniSearch/1.0"), product("*"), product("minisearch2")
    ('minisearch', '*', '')
    """
    if value.split()[:1] == [EVERYBODY]:
        return EVERYBODY
    token = PRODUCT.match(value)
    return token[0].lower() if token else ""
