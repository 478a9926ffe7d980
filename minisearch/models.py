"""Dataclasses that the stages exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

Detail = dict[str, Any]  # of a decision: plain values by name, as JSON has them
NO_DETAIL: Detail = {}
YEAR = 31_536_000  # seconds


class Link(NamedTuple):
    """A link of a page: the normalised URL it leads to, its text, and the part of that page it points at."""

    url: str
    anchor: str = ""
    nofollow: bool = False
    fragment: str = ""  # what the link has after '#', as written


DEFINITION = 7  # the level of a term that is defined, one below the smallest heading


class Heading(NamedTuple):
    """A heading or a defined term, its place in the text of the page, and its id, which a URL fragment can name."""

    level: int
    text: str
    start: int = 0
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched document: the content of its markup, then the facts of its response."""

    url: str
    title: str = ""
    description: str = ""
    headings: tuple[Heading, ...] = ()
    text: str = ""
    links: tuple[Link, ...] = ()
    language: str = ""
    language_evidence: str = ""
    canonical: str = ""
    refresh: str = ""  # the target of an immediate meta refresh
    noindex: str = ""  # which directive asks for it; '' means the page may be indexed
    nofollow: bool = False
    odd_links: tuple[str, ...] = ()  # the first few that cannot be followed, as written: mailto:, javascript: ...
    untaken: int = 0  # URLs it links to beyond the limit, which are not among its links
    unread: int = 0  # characters of its markup beyond the limit of elements

    status: int = 200
    content_type: str = "text/html"
    charset: str = "utf-8"
    charset_evidence: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched_at: str = ""
    content_hash: str = ""
    simhash: int = 0  # nearly the same bits for pages with nearly the same text; 0: no text
    words: int = 0  # of its own: lines that are only a link left out
    subject: int = 0  # a number for the subject of its title, regardless of version
    outline: str = ""  # equal for pages that differ in a few numbers only; '' where numbers may matter
    html: bytes = field(default=b"", repr=False)  # as received, zlib-compressed

    def __reduce__(self) -> tuple[Callable[..., Page], tuple[Any, ...]]:
        """Pickle the links as plain tuples, which takes a third of the time: workers send thousands of them."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "links"}
        return _unpickled_page, ([*map(tuple, self.links)], values)


def _unpickled_page(links: Iterable[tuple[Any, ...]], values: dict[str, Any]) -> Page:
    return Page(**values, links=tuple(map(Link._make, links)))


@dataclass(frozen=True, slots=True)
class Redirect:
    """The server redirects to another URL."""

    url: str
    target: str
    status: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A URL that is not fetched or kept: the rule that decided, and the details of the case."""

    url: str
    rule: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """A URL that could not be fetched. A `transient` failure may be retried after `retry_after` seconds."""

    url: str
    rule: str
    detail: Detail = field(default_factory=dict)
    transient: bool = False
    retry_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A stored page that has not changed, according to its server (304)."""

    url: str


Outcome = Page | Redirect | Skipped | Failed | Unchanged


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit of a query, with the parts of its score."""

    url: str
    title: str
    score: float
    text_score: float
    link_factor: float
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()  # (start, end) of the matched words in the snippet
    page_id: int = 0
    all_words: bool = True
    similar: tuple[str, ...] = ()  # URLs of near-duplicates that match too and are collapsed into this hit
    heading: str = ""  # of the section of the snippet, unless it is the title
    link: str = ""  # the URL of the passage, with a text fragment that browsers scroll to
    language: str = ""
    fetched_at: str = ""


@dataclass(frozen=True, slots=True)
class Queued:
    """A URL of the frontier: its id in the file, and how far it is from a seed."""

    id: int
    url: str
    host: str
    depth: int
    hops: int = 0  # redirects in a row


class Found(NamedTuple):
    """A discovered URL with the decision of the rules: an empty `rule` means that it may be fetched."""

    url: str
    host: str
    depth: int
    hops: int = 0
    rule: str = ""
    detail: Detail = NO_DETAIL


@dataclass(frozen=True, slots=True)
class Visit:
    """One step of a crawl: a URL, the outcome of fetching it, and the URLs it led to."""

    queued: Queued
    outcome: Outcome
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class PastVerdict:
    """An earlier status of a URL."""

    until: str
    state: str
    rule: str
    reason: str  # in words; made of the rule and its details
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of a URL, and why."""

    url: str
    state: str
    rule: str
    reason: str
    depth: int
    found_on: str = ""
    target: str = ""  # the canonical URL, or the target of a redirect
    indexed: bool = False
    path: tuple[str, ...] = ()  # the crawl path, from the seed to the referrer
    past: tuple[PastVerdict, ...] = ()  # earlier statuses, the latest first
    detail: Detail = field(default_factory=dict)  # of the rule


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """The URLs a crawl has discovered so far, by what became of them."""

    fetched: int
    indexed: int
    merged: int
    skipped: dict[str, int]
    failed: dict[str, int]
    waiting: int
    seconds: float = 0.0
    interrupted: bool = False
    notes: tuple[str, ...] = ()  # skipped hosts and blocked URL patterns, in words
    requests: int = 0  # sent in this run
    limit_reached: str = ""  # why URLs are still queued: "pages" or "requests"

    @property
    def discovered(self) -> int:
        """Every URL: fetched + merged + skipped + failed + waiting."""
        return self.fetched + self.merged + sum(self.skipped.values()) + sum(self.failed.values()) + self.waiting

    @property
    def met(self) -> int:
        """The former name of `discovered`."""
        return self.discovered


@dataclass(frozen=True, slots=True)
class Results:
    """The result of a query: one page of hits, and the total number of hits."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    took_ms: float
    offset: int = 0
    note: str = ""  # a remark for the reader
    missing: tuple[str, ...] = ()  # words of the query that no page has
    suggestion: str = ""  # the query with those words corrected
    folded: int = 0  # matching near-duplicates, up to here, that are collapsed into other hits
    sites: tuple[tuple[str, int], ...] = ()  # (site, matching pages), if requested
    languages: tuple[tuple[str, int], ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class FieldPart:
    """The contribution of one field to the score of one term: weight * idf * saturation."""

    field: str
    count: int
    length: int
    average: float
    saturation: float
    weight: float
    score: float


PART_LABELS = {  # what each kind of `TermPart` but a plain word means
    "identifier": "as a whole",
    "neighbours": "next to each other",
    "name": "matches a whole title, heading or link text, or the end of an identifier in one",
    "exact": "exact title",
    "address": "matches the URL path",
}


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things, for people.

    >>> counted(1, "page"), counted(2000, "page"), counted(2, "query", "queries")
    ('1 page', '2,000 pages', '2 queries')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


@dataclass(frozen=True, slots=True)
class TermPart:
    """The contribution of one word of the query to the score of a page; or of two adjacent words (`neighbours`); or of
    the whole query, if it equals a title, a heading or a link text (`name`), a title to the letter (`exact`) or the
    path of the URL (`address`); or of an identifier beside its parts (`identifier`).
    """

    kind: str
    word: str
    terms: tuple[str, ...]
    df: int
    idf: float
    fields: tuple[FieldPart, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Payment:
    """The contribution of a linking page to the rank of another: damping * rank / links."""

    url: str
    rank: float
    links: int  # pages that it links to
    paid: float
    share: float  # of the rank of the linked page


@dataclass(frozen=True, slots=True)
class Explanation:
    """The account of a score: text_score is the sum of its parts; score = text_score * link_factor."""

    query: str
    url: str
    title: str
    pages: int
    parts: tuple[TermPart, ...]
    missing: tuple[str, ...]  # words of the query that the page does not have
    text_score: float
    ranking: str
    rank: float
    prior: float  # the rank on a scale from 0 to 1
    blend: float
    link_factor: float
    score: float
    paid_by: tuple[Payment, ...] = ()  # contributions of other pages' links to its rank, the largest first
    matched: bool = True  # it is among the hits
    all_words: bool = True  # it has all the words but stop words, and is ranked before pages that have not
