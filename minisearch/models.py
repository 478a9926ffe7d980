"""What one stage hands to the next. Records are frozen, small, and do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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
    """A heading or a term defined, where it starts in the page's text, and the id by which a url can point at it."""

    level: int
    text: str
    start: int = 0
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched document: what its markup says, then what the server said."""

    url: str
    title: str = ""
    description: str = ""
    headings: tuple[Heading, ...] = ()
    text: str = ""
    links: tuple[Link, ...] = ()
    language: str = ""
    language_evidence: str = ""
    canonical: str = ""
    refresh: str = ""  # where it sends its readers at once
    noindex: str = ""  # which rule asked for it; empty means the page may be indexed
    nofollow: bool = False
    odd_links: tuple[str, ...] = ()  # the first few that no crawler can follow, as written: mailto:, javascript: ...
    untaken: int = 0  # urls it links to beyond the limit, which are not among its links
    unread: int = 0  # letters of its markup past the elements that are read

    status: int = 200
    content_type: str = "text/html"
    charset: str = "utf-8"
    charset_evidence: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched_at: str = ""
    content_hash: str = ""
    simhash: int = 0  # nearly the same bits for pages that say nearly the same; 0: it says nothing
    words: int = 0  # of its own: lines that are only a link left out
    subject: int = 0  # a number for what its title names, whatever the version
    outline: str = ""  # equal for pages that say the same but for a few numbers; '' where numbers may matter
    html: bytes = field(default=b"", repr=False)  # as received, zlib-compressed


@dataclass(frozen=True, slots=True)
class Redirect:
    """The server sent us elsewhere."""

    url: str
    target: str
    status: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A url we chose not to keep: the name of the rule that decided, and the details of the case."""

    url: str
    rule: str
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """A url we wanted and could not get. What is `transient` may work later, after `retry_after` seconds."""

    url: str
    rule: str
    detail: Detail = field(default_factory=dict)
    transient: bool = False
    retry_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A page we hold and that is still the same, as its server says (304)."""

    url: str


Outcome = Page | Redirect | Skipped | Failed | Unchanged


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer to a query, with the numbers its score was made from."""

    url: str
    title: str
    score: float
    text_score: float
    link_factor: float
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()  # where in the snippet the matched words stand
    page_id: int = 0
    all_words: bool = True
    similar: tuple[str, ...] = ()  # urls of near-identical pages that match too and are not shown themselves
    heading: str = ""  # of the section that the snippet is from, unless it is the title again
    link: str = ""  # the url of the passage: a text fragment, which browsers scroll to
    language: str = ""
    fetched_at: str = ""


@dataclass(frozen=True, slots=True)
class Queued:
    """A url whose turn will come: where it stands in the file and how it was reached."""

    id: int
    url: str
    host: str
    depth: int
    hops: int = 0
    found_on: int | None = None


class Found(NamedTuple):
    """A url that was met, with the verdict of the rules: an empty `rule` means that it may be fetched."""

    url: str
    host: str
    depth: int
    hops: int = 0
    rule: str = ""
    detail: Detail = NO_DETAIL


@dataclass(frozen=True, slots=True)
class Visit:
    """One step of a crawl: what was asked for, what came of it, and the urls it led to."""

    queued: Queued
    outcome: Outcome
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class PastVerdict:
    """What was said of a url until another verdict took its place."""

    until: str
    state: str
    rule: str
    reason: str  # in words; made of the rule and its details
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a url, and why."""

    url: str
    state: str
    rule: str
    reason: str
    depth: int
    found_on: str = ""
    target: str = ""  # the url that stands for this one
    indexed: bool = False
    path: tuple[str, ...] = ()  # how it was reached: from the seed to the page that links here
    past: tuple[PastVerdict, ...] = ()  # earlier verdicts, the last one first
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
    """The answer to a query: one page of hits, and how many there are in all."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    took_ms: float
    offset: int = 0
    note: str = ""  # something the reader should know, in words
    missing: tuple[str, ...] = ()  # words of the query that no page has
    suggestion: str = ""  # the query with those words put right
    folded: int = 0  # matching pages, up to here, that are not shown because they are near-identical to one that is
    sites: tuple[tuple[str, int], ...] = ()  # (site, how many pages match), if that was asked for
    languages: tuple[tuple[str, int], ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class FieldPart:
    """What one field of a page adds to the score of one term: weight * idf * saturation."""

    field: str
    count: int
    length: int
    average: float
    saturation: float
    weight: float
    score: float


@dataclass(frozen=True, slots=True)
class TermPart:
    """What one word of the query adds to the score of a page; or two words side by side (`neighbours`), or the whole
    query that is a title, a heading or the text of a link (`name`) or a title to the letter (`exact`) or the way to
    the page (`address`), or an identifier beside its parts (`identifier`).
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
    """What a linking page passes on of its rank: damping * rank / links."""

    url: str
    rank: float
    links: int  # pages that it links to
    paid: float
    share: float  # of the rank of the page that is paid


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
    paid_by: tuple[Payment, ...] = ()  # what other pages' links add to its rank, the largest first
    matched: bool = True  # it is among the answers
    all_words: bool = True  # it has all the words that tell something, and stands before those that have not
