"""A pen: a small server that misbehaves in one way, and what its pages are made of.

Every page has prose of its own, so that only those meant to look alike do. A pen stands on an origin of its own,
since robots.txt, politeness and scope are matters of origins.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape

from minisearch.testing.server import Answer, Request, Response, Route, SiteServer

HTML = {"Content-Type": "text/html; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
GIGABYTE = 1 << 30
LONGEST_WAIT = 60.0  # seconds a client may be kept waiting; a test that needs them has failed

VOCABULARY = """
amber anchor apple arrow autumn badge bakery balloon bamboo barley basket beacon birch blanket blossom bottle
boulder bramble bridge bronze bucket butter button cabin candle canyon carpet castle cedar chalk cherry chimney
cinder cliff clover cobalt comet copper coral cotton cradle crater cricket crystal dagger daisy dawn desert diamond
dolphin drum eagle echo ember engine falcon feather fern fiddle flint forest fountain fox garden garlic ginger
glacier goblet granite grove hammer harbour harvest hazel heron hollow honey horizon iron island ivory ivy jasmine
jewel juniper kettle kitten ladder lagoon lantern lavender lemon lilac linen lobster lumber magnet maple marble
meadow melon mint mirror moss needle nettle oak oasis ocean olive opal orchard otter owl paddle parsley pebble
pepper pine planet plum pocket poppy pottery puddle pumpkin quarry quartz quilt raven reed ribbon river robin rope
rose saddle saffron salmon sapphire seed shadow silk silver sparrow spice spruce squirrel storm sugar sunset swallow
tablet teapot thistle thunder timber tulip tunnel turnip valley velvet violin walnut whistle willow window winter
wolf yarn zinc"""
WORDS = VOCABULARY.split()


class Pen(SiteServer):
    """The server of one pen. `keep(pen)` gives its routes; "*" is the one for all that has none.

    `neighbour` is a second origin, made when a pen speaks of it: what a crawler should stay away from, or may visit.
    `day` is the number of the visit: a pen may have changed overnight.
    """

    def __init__(self, name: str, keep: Keeper, *, host: str = "127.0.0.1", verbose: bool = False) -> None:
        super().__init__(host=host, verbose=verbose)
        self.name, self._keep = name, keep
        self.base, self.day = "", 1
        self.over = threading.Event()
        self.count: dict[str, int] = {}  # how often each path was asked for
        self.notes: dict[str, list[str]] = {}  # what a pen wants to remember of its visitors
        self.next_door: dict[str, Route] = {"/": page("Next door")}
        self._neighbour: SiteServer | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> str:
        self.base = super().__enter__()
        self.routes = {"*": missing(), **self._keep(self)}
        return self.base

    def __exit__(self, *error: object) -> None:
        self.over.set()
        super().__exit__(*error)
        if self._neighbour is not None:
            self._neighbour.__exit__(*error)

    @property
    def neighbour(self) -> str:
        """The address of another server, whose visitors are counted too."""
        if self._neighbour is None:
            self._neighbour = SiteServer(routes=self.next_door, host=self.host)
            self.neighbour_url = self._neighbour.__enter__()
        return self.neighbour_url

    @property
    def strays(self) -> list[tuple[str, str]]:
        """What the neighbour was asked for."""
        return self._neighbour.requests if self._neighbour else []

    def answer(self, request: Request) -> Answer:
        """What this pen says to `request`."""
        with self._lock:
            self.count[request.path] = self.count.get(request.path, 0) + 1
        route = self._route(request.path)
        return route(request) if callable(route) else route

    def _route(self, path: str) -> Route:
        for known in (path, path.partition("?")[0]):
            if known in self.routes:
                return self.routes[known]
        return missing() if path == "/robots.txt" else self.routes["*"]

    def wait(self, seconds: float = LONGEST_WAIT) -> None:
        """Pass the time, unless the zoo closes."""
        self.over.wait(seconds)

    def note(self, name: str, value: str) -> None:
        """Remember something."""
        with self._lock:
            self.notes.setdefault(name, []).append(value)


Keeper = Callable[[Pen], Mapping[str, Route]]
PENS: dict[str, Keeper] = {}


def pen(keeper: Keeper) -> Keeper:
    """Open a pen under the function's name."""
    PENS[keeper.__name__.replace("_", "-")] = keeper
    return keeper


def prose(about: str, words: int = 70) -> str:
    """Some sentences, always the same about the same thing.

    >>> prose("ants", 5) == prose("ants", 5) != prose("bees", 5)
    True
    """
    chosen = random.Random(about).choices(WORDS, k=words)  # noqa: S311 - no secret
    sentences = [" ".join(chosen[start : start + 9]).capitalize() for start in range(0, words, 9)]
    return ". ".join(sentences) + "."


def html(title: str, *links: str, text: str = "", head: str = "", words: int = 70) -> str:
    """A page: its title, prose of its own (or `text`) and links."""
    items = "".join(f'<li><a href="{escape(link)}">to {escape(_plain(link))}</a></li>\n' for link in links)
    body = text or f"<p>{prose(title, words)}</p>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{escape(title)}</title>{head}</head>\n'
        f"<body><h1>{escape(title)}</h1>\n{body}\n<ul>\n{items}</ul></body></html>\n"
    )


def _plain(link: str) -> str:
    """What a person would call a link: no parameters, no session."""
    return link.partition("?")[0].partition(";")[0][:60]


def page(
    title: str, *links: str, text: str = "", head: str = "", words: int = 70, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer that such a page is."""
    markup = html(title, *links, text=text, head=head, words=words)
    return Response(200, {**HTML, **(headers or {})}, markup.encode())


def moved(target: str, status: int = 302, body: bytes | Iterable[bytes] = b"") -> Response:
    """A redirect."""
    return Response(status, {**PLAIN, "Location": target}, body)


def missing(status: int = 404) -> Response:
    """Nothing here."""
    return Response(status, HTML, html(f"Error {status}", words=3).encode())


def robots(text: str | bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A robots.txt."""
    return Response(status, {**PLAIN, **(headers or {})}, text.encode() if isinstance(text, str) else text)


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    """One answer after the other; the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def endless(piece: bytes) -> Iterator[bytes]:
    """The same again and again, up to a gigabyte: no careful reader takes it all."""
    for _ in range(GIGABYTE // len(piece)):
        yield piece
