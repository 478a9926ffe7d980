"""Matching: from the clauses of a query to the documents that match it, as masks.

A phrase is matched by the positions of its terms, which are stems; then the pages themselves are read to see which have
the words as they were typed, unless there are too many. Anchor texts are not read again: there the stems decide.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, reduce
from hashlib import blake2b
from itertools import chain, islice, pairwise
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import numpy as np

from minisearch.analysis.analyzer import ends_alone, language, unstemmed
from minisearch.analysis.names import path_ends_with
from minisearch.analysis.normalize import INVISIBLE, MARKS, PICTURES
from minisearch.analysis.tokenizer import tokens
from minisearch.errors import BadUrl
from minisearch.index.codec import Postings
from minisearch.search.index_reader import (
    FIELDS,
    Docs,
    IndexReader,
    Ints,
    Mask,
    distinct,
    following,
    split_occurrences,
)
from minisearch.search.params import RankingParams
from minisearch.search.query import Clause, Query, Variant, Word, beginnings
from minisearch.search.suggest import MOST_COMPLETIONS, complete_word
from minisearch.store.pages import StoredPage
from minisearch.urls import normalize

MOST_READ = 500  # pages that are read to verify a phrase
MOST_PHRASE_COST = 40_000  # documents x words that are looked at for all phrases of a query; the first may take more
READ_COST = 20  # documents that could be looked at in the time it takes to read a page
MOST_PATHS = 400  # pages whose URLs are compared with the query: words that more of them have are no path
WHOLE_TEXT = 1 << 30
MOST_BETWEEN = 4  # characters between words that matter
LONG_STRETCH = 4000  # characters of a page that are tokenized at once to find a phrase

WordKey = tuple[object, str]  # terms, field

NOT_VERIFIED = 'more than {:,} pages have "{}", perhaps with other word endings, which were not compared'
NOT_ADJACENT = "too many pages have these words to check all phrases: on some pages the words may not be adjacent"
NOT_ALL_WORDS = 'only the {:,} most frequent words that begin with "{}" were used'
_ODD_LETTERS = re.compile("[\x80-\U0010ffff]+")
_IN_WORDS = re.compile(rf"[\w{MARKS}{INVISIBLE}{PICTURES}]")  # may be folded to other letters, é to e, ß to ss
_BETWEEN = rf"[^\w{MARKS}{INVISIBLE}{PICTURES}+#'’]"
_FILLING = re.compile(rf"{_BETWEEN}{{{MOST_BETWEEN},}}(?={_BETWEEN})")  # such as a row of dots
_BLANK = re.compile(r"\s")


Reached = TypeVar("Reached")


class QueryWord(NamedTuple):
    """A word of the query, looked up. `share` is how much of its score counts: 0 for what must not be there."""

    word: Word
    field: str
    postings: Postings
    mask: Mask
    df: int  # document frequency in the whole collection, of which the postings may be a shard's
    idf: float
    share: float = 0.0

    @property
    def key(self) -> WordKey:
        """What tells it from other words of the query, however it is spelled."""
        return _key(self.word, self.field)


class ExactMatch(NamedTuple):
    """The documents of which the whole query is a title, heading or anchor text (`name`), a title without stemming
    (`exact`), or the end of the URL path (`address`); and what that adds in each field, as a share of its idf.
    """

    kind: str
    terms: tuple[Variant, ...]
    postings: Postings
    df: int
    idf: float
    shares: dict[str, float]


@dataclass(frozen=True, slots=True)
class Matches:
    """The documents that match a query, and what is needed to score them."""

    words: list[QueryWord]  # that add to the score
    exact: list[ExactMatch]
    pairs: list[tuple[QueryWord, QueryWord]]  # adjacent in the query
    matched: Mask
    complete: Mask  # those that have all discriminative words
    notes: tuple[str, ...]


def match(reader: IndexReader, params: RankingParams, query: Query, *, strict: bool = False) -> Matches:
    """The documents that match a query; if it is meant `strict`ly, only those with all discriminative words."""
    return _Matcher(reader, params, query).match(strict)


class _Matcher:
    """Evaluates the clauses of a query; each word is looked up once."""

    def __init__(self, reader: IndexReader, params: RankingParams, query: Query) -> None:
        self._reader, self._params, self._query = reader, params, query
        is_alone = sum(clause.sign != "-" for clause in query.clauses) == 1
        self._whole_share = params.alone if is_alone else params.whole  # of an identifier beside its parts
        self._words: dict[WordKey, QueryWord] = {}
        self._allowed = np.ones(reader.size, dtype=bool)  # by what must be there, and what must not
        self._phrase_cost = 0
        self._notes: dict[str, None] = dict.fromkeys([query.note] if query.note else [])
        self._look_up(_all_words(query.clauses))

    def match(self, strict: bool) -> Matches:
        query = self._query
        filters = [*self._filters()]
        for mask, _ in filters:
            self._allowed = self._allowed & mask
        different = {id(clause): clause for clause in query.clauses}.values()  # a repeated word is the same clause
        # Phrases take longest, so they come last, and are looked for only where a page can still match.
        clauses = sorted(different, key=_needs_positions)
        masks: list[Mask] = []
        allowed: list[Mask] = []  # before each clause
        for clause in clauses:
            allowed.append(self._allowed)
            masks.append(mask := self._evaluate(clause))
            if clause.sign:
                self._allowed = self._allowed & (~mask if clause.sign == "-" else mask)
        looked_at = [*(mask for mask, _ in filters), *masks, *allowed]
        counts = iter(self._reader.total(np.array([*map(np.count_nonzero, looked_at)], np.int64)).tolist())
        reasons = [reason for _, reason in filters if not next(counts)]
        dfs = [*islice(counts, len(clauses))]
        reasons += [self._reason(*known) for *known, df in zip(clauses, counts, dfs, strict=True) if not df]
        self._notes |= dict.fromkeys(filter(None, reasons))
        wanted = self._discriminative(zip(clauses, masks, dfs, strict=True))
        matched = self._allowed
        if strict:
            matched = reduce(np.logical_and, wanted, matched)
        if not any(clause.sign == "+" for clause in query.clauses):
            any_of = [self._touched(*known) for known in zip(clauses, masks, strict=True) if known[0].sign != "-"]
            is_empty = not (clauses or query.sites or query.languages)
            if any_of or is_empty:  # "-red" alone: all pages but the red ones
                matched = matched & reduce(np.logical_or, any_of, np.zeros(self._reader.size, dtype=bool))
            if is_empty:
                self._notes["the query has no words"] = None
        words = [word for word in self._words.values() if word.share]
        complete = reduce(np.logical_and, wanted, matched)
        return Matches(words, list(self._exact()), self._pairs(), matched, complete, tuple(self._notes))

    def _reason(self, clause: Clause, allowed: int) -> str:
        """The note if no document matches a clause; of a phrase, none of the `allowed` ones.

        Words that occur on no page are listed elsewhere.
        """
        if clause.sign == "-" or clause.kind not in ("phrase", "word"):
            return ""
        if clause.kind == "word":
            return f'no page has "{clause.text}"{_where(clause)}' if clause.field else ""
        reason = f'no page has the phrase "{clause.text}"{_where(clause)}'
        if allowed < self._reader.documents:
            return f"{reason} and matches the rest of the query" if allowed else ""
        return reason

    # -- words ---------------------------------------------------------------------------------

    def _look_up(self, words: Iterable[tuple[Word, str]]) -> None:
        """Look some words up, each in a field or anywhere, and count the documents that have them."""
        reader = self._reader
        asked = {_key(*word): word for word in words}
        masks = [reader.cached(("word", *key), partial(self._read_mask, *word)) for key, word in asked.items()]
        found = [reader.postings(word.terms, field) for word, field in asked.values()]
        counts = reader.total(np.array([len(postings.docs) for postings in found], dtype=np.int64)).tolist()
        for (key, word), postings, mask, df in zip(asked.items(), found, masks, counts, strict=True):
            self._words[key] = QueryWord(*word, postings, mask, df, reader.idf(df))

    def _read_mask(self, word: Word, field: str) -> Mask:
        words = chain.from_iterable(word.terms for word, _ in _all_words(self._query.clauses))
        self._reader.load([*words, *self._query.exact_keys, *self._query.literal_keys])  # all at once
        return self._reader.mask(self._reader.postings(word.terms, field).docs)

    def _use(self, word: Word, field: str, share: float) -> QueryWord:
        """A word with the share that it has in a clause; if it is in several, the largest counts."""
        share *= self._whole_share if word.is_whole else 1.0
        known = self._words[_key(word, field)]
        if share > known.share:
            known = self._words[known.key] = known._replace(word=word, share=share)
        return known

    def _evaluate(self, clause: Clause, share: float = 1.0) -> Mask:
        """The documents that have what a clause asks for. What must not be there adds nothing to the score."""
        if clause.sign == "-":
            share = 0.0
        if clause.kind == "group":
            return reduce(np.logical_or, [self._all_of(option, share) for option in clause.options])
        words = clause.words
        if clause.kind == "prefix":
            words = (complete_word(self._reader, clause.text),)
            self._look_up([(words[0], clause.field)])
            if share and not self._words[_key(words[0], clause.field)].df and len(clause.text) > 1:
                self._notes[f'no page has a word that begins with "{clause.text}"{_where(clause)}'] = None
            if len(words[0].terms) >= MOST_COMPLETIONS:
                self._notes[NOT_ALL_WORDS.format(MOST_COMPLETIONS, clause.text)] = None
        parts = [self._use(word, clause.field, share) for word in words if not word.is_whole]
        wholes = [self._use(word, clause.field, share).mask for word in words if word.is_whole]
        if clause.kind == "phrase":
            return self._phrase(words, clause.field, self._may_have_phrase(clause), clause)
        masks = [word.mask for word in parts]
        held = reduce(np.logical_and, masks) if masks else np.zeros(self._reader.size, dtype=bool)
        if clause.sign and wholes:  # an identifier that must be there, or must not, is more than its parts
            has_whole = reduce(np.logical_or, wholes)
            adjacent = tuple(word for word in words if not word.is_whole)
            candidates = held & self._allowed & ~has_whole
            held = self._phrase(adjacent, clause.field, candidates) if len(parts) > 1 else has_whole
        return reduce(np.logical_or, wholes, held)

    def _all_of(self, option: Sequence[Clause], share: float) -> Mask:
        found = np.ones(self._reader.size, dtype=bool)
        for clause in option:
            mask = self._evaluate(clause, share)
            found &= ~mask if clause.sign == "-" else mask
        return found

    def _touched(self, clause: Clause, mask: Mask) -> Mask:
        """The documents that have anything of a clause at all: of an identifier, a part is enough."""
        words = clause.words if clause.kind == "word" and len(clause.words) > 1 else ()
        return reduce(np.logical_or, [self._words[_key(word, clause.field)].mask for word in words], mask)

    def _discriminative(self, clauses: Iterable[tuple[Clause, Mask, int]]) -> list[Mask]:
        """What the documents of the first tier have; nothing, if the query is long.

        What a document must have or must not have to match at all is not asked for again.
        """
        if sum(clause.sign != "-" for clause in self._query.clauses) > self._params.short:
            return []
        known = [(mask, self._reader.idf(count)) for clause, mask, count in clauses if count and not clause.sign]
        highest = max((value for _, value in known), default=0.0)
        return [mask for mask, value in known if value >= self._params.telling * highest]

    # -- filters -------------------------------------------------------------------------------

    def _filters(self) -> Iterator[tuple[Mask, str]]:
        """The documents that match site: and lang:, and the note if there are none."""
        kinds = (
            (self._query.sites, self._on_sites, "on the site"),
            (self._query.languages, self._reader.in_languages, "in the language"),
        )
        for names, look_up, where in kinds:
            wanted = tuple(name for name in names if not name.startswith("-"))
            unwanted = tuple(name[1:] for name in names if name.startswith("-"))
            if wanted:
                yield look_up(wanted), f"no page is {where} {' or '.join(wanted)}"
            if unwanted:
                yield ~look_up(unwanted), f"every page is {where} {' or '.join(unwanted)}"

    def _on_sites(self, sites: tuple[str, ...]) -> Mask:
        """The documents of some hosts and their subdomains, or of folders of them: "example.com/docs"."""

        def find() -> Mask:
            asked = [_site(site) for site in sites]
            urls, pages = self._reader.store.pages.all_urls()
            found = [any(_is_on(url, *site) for site in asked) for url in urls]
            return self._reader.mask(self._reader.numbers(pages[found]))

        return self._reader.cached(("sites", sites), find)

    # -- phrases -------------------------------------------------------------------------------

    def _may_have_phrase(self, phrase: Clause) -> Mask:
        """The documents that have all words of a phrase, and can still match."""
        masks = [self._words[_key(word, phrase.field)].mask for word in phrase.words]
        return _follow(phrase.words, self._allowed, lambda held, number: held & masks[number], np.logical_or)

    def _phrase(self, words: Sequence[Word], field: str, candidates: Mask, phrase: Clause | None = None) -> Mask:
        """Those of some documents on which words are adjacent; as in a `phrase`, if it is one."""
        docs = np.flatnonzero(candidates)
        count = self._reader.total(len(docs))
        cost = count * len(words) + (min(count, MOST_READ) * READ_COST if phrase else 0)
        if self._phrase_cost and self._phrase_cost + cost > MOST_PHRASE_COST:
            self._notes[NOT_ADJACENT] = None
            return candidates
        self._phrase_cost += cost
        if phrase and len(words) == 1 and count > MOST_READ:  # its positions are not needed
            self._notes[NOT_VERIFIED.format(MOST_READ, phrase.text)] = None
            return candidates
        key = (*((word.terms or word.text, word.covers) for word in words), field, blake2b(docs.tobytes()).digest())
        ends = self._reader.cached(("adjacent", *key), lambda: self._ends(words, field, docs))
        found = distinct(split_occurrences(ends)[0])
        if phrase and self._reader.total(len(found)) > MOST_READ:
            self._notes[NOT_VERIFIED.format(MOST_READ, phrase.text)] = None
        elif phrase:
            found = self._reader.cached(("phrase", phrase.text, *key), lambda: self._as_typed(phrase, ends))
        return self._reader.mask(found)

    def _ends(self, words: Sequence[Word], field: str, docs: Docs) -> Ints:
        """The positions where words end that directly follow each other.

        The index does not tell how many parts an identifier has that is read as one word, as SQLite for "sqlite": where
        a beginning of it stands as well ("sq"), it may end anywhere within its length.
        """
        sought = [word.terms for word in words] + [beginnings(word, self._reader.languages) for word in words[:-1]]
        found = self._reader.occurrences([(terms, field) for terms in sought], docs)
        begun = [*found[len(words) :], found[0][:0]]

        def follow(before: Ints, number: int) -> Ints:
            after = following(before, found[number])
            longer = following(begun[number] - 1, after)  # those of both
            further = [longer + more for more in range(1, len(words[number].text))] if len(longer) else []
            return distinct(np.concatenate([after, *further])) if further else after

        anywhere = distinct(np.concatenate(found[: len(words)])) - 1
        return _follow(words, anywhere, follow, lambda *ends: distinct(np.concatenate(ends)))

    def _as_typed(self, phrase: Clause, ends: Ints) -> Docs:
        """The documents that have the words of a phrase as they were typed."""
        fields: dict[int, set[str]] = {}
        docs, rows, _ = split_occurrences(ends)
        for doc, field in zip(docs.tolist(), rows.tolist(), strict=True):
            fields.setdefault(doc, set()).add(FIELDS[field])
        pages = dict(zip(fields, self._reader.pages[[*fields]].tolist(), strict=True))
        facts = self._reader.store.pages.indexed(pages.values())
        texts = self._reader.store.pages.openings(pages.values(), WHOLE_TEXT)
        found = []
        for doc, page in pages.items():
            text, headings = texts.get(page, ("", []))
            lines = [heading[1] for heading in headings]
            if "anchor" in fields[doc] or _has_phrase(phrase.words, facts[page], lines, text, fields[doc]):
                found.append(doc)
        return np.array(found, np.intp)

    # -- the query as a whole ------------------------------------------------------------------

    def _exact(self) -> Iterator[ExactMatch]:
        """The query as a title, heading or anchor text; as a title without stemming; and as a URL path."""
        query, params = self._query, self._params
        kinds = (("name", query.exact_keys, params.names), ("exact", query.literal_keys, {"title": params.exact}))
        found = [(kind, terms, self._reader.postings(terms), shares) for kind, terms, shares in kinds if terms]
        candidates = 0
        if query.path and params.address:
            in_url = self._reader.cached(("in url", query.path), self._docs_with_words_in_url)
            candidates = len(in_url)
            docs = in_url[:0]
            if candidates <= MOST_PATHS:
                docs = self._reader.cached(("path", query.path), lambda: self._on_path(in_url))
            tf = np.zeros((len(FIELDS), len(docs)), dtype=np.uint8)
            tf[FIELDS.index("url")] = 1
            found.append(("address", (), Postings(docs, tf), {"url": params.address}))
        own = [candidates, *(len(postings.docs) for _, _, postings, _ in found)]
        candidates, *counts = self._reader.total(np.array(own)).tolist()
        for (kind, terms, postings, shares), df in zip(found, counts, strict=True):
            if df and (kind != "address" or candidates <= MOST_PATHS):
                yield ExactMatch(kind, terms, postings, df, self._reader.idf(df), shares)

    def _on_path(self, docs: Docs) -> Docs:
        """Those of some documents whose URL path ends in the query."""
        pages = self._reader.pages[docs].tolist()
        urls = self._reader.store.pages.urls(pages)
        return docs[[path_ends_with(self._query.path, urls[page]) for page in pages]]

    def _docs_with_words_in_url(self) -> Docs:
        asked = [_key(*word) for word in _all_words(self._query.clauses) if not word[0].is_whole]
        words = [self._words[key] for key in asked]
        in_url = [self._reader.mask(word.postings.docs[word.postings.tf[FIELDS.index("url")] > 0]) for word in words]
        return np.flatnonzero(reduce(np.logical_and, in_url)) if in_url else np.empty(0, np.intp)

    def _pairs(self) -> list[tuple[QueryWord, QueryWord]]:
        """Words that are adjacent in the query, and both of them discriminative."""
        row: list[QueryWord | None] = []
        for clause in self._query.clauses:
            if clause.kind in ("word", "phrase") and clause.sign != "-":
                parts = (word for word in clause.words if not word.is_whole)
                row += [self._words[_key(word, clause.field)] for word in parts]
            else:
                row.append(None)
        least = self._params.faint * max([word.idf for word in row if word], default=0.0)
        found: dict[tuple[object, object], tuple[QueryWord, QueryWord]] = {}
        for first, second in pairwise(row):
            if first and second and min(first.idf, second.idf) >= least > 0 and first.word.terms != second.word.terms:
                found[first.word.terms, second.word.terms] = (first, second)
        return list(found.values())


def _key(word: Word, field: str) -> WordKey:
    return word.terms or word.text, field


def _all_words(clauses: Iterable[Clause]) -> Iterator[tuple[Word, str]]:
    """The words of clauses, each with the field it is asked for in."""
    for clause in clauses:
        yield from ((word, clause.field) for word in clause.words)
        yield from (found for option in clause.options for found in _all_words(option))


def _needs_positions(clause: Clause) -> bool:
    """Whether a clause requires adjacent words."""
    if clause.kind == "phrase":
        return True
    return bool(clause.sign) and len(clause.words) > 1 and any(word.is_whole for word in clause.words)


def _where(clause: Clause) -> str:
    return f" in the {clause.field}" if clause.field else ""


def _follow(
    words: Sequence[Word], start: Reached, follow: Callable[[Reached, int], Reached], either: Callable[..., Reached]
) -> Reached:
    """What is reached from `start` by a phrase, word by word: of an identifier by its parts, or as a whole.

    `follow` gives what is reached by one more word, by its number; `either` what is reached in one of two ways.
    """
    reached = [start]  # after each word that is no whole
    for number, word in enumerate(words):
        if word.is_whole:
            reached[-1] = either(reached[-1], follow(reached[-1 - word.covers], number))
        else:
            reached.append(follow(reached[-1], number))
    return reached[-1]


def _has_phrase(words: Sequence[Word], page: StoredPage, headings: list[str], text: str, fields: Iterable[str]) -> bool:
    """Whether one of some fields of a page has words next to each other, as they were typed."""
    name = language(page.language)
    path = urlsplit(page.url)
    lines = {
        "title": [page.title],
        "headings": headings,
        "url": [unquote(f"{path.path} {path.query}", errors="replace")],
        "body": [text],
    }
    return any(_line_has(line, words, name) for field in fields for line in lines[field])


def _line_has(line: str, words: Sequence[Word], name: str) -> bool:
    """Whether words are adjacent in a line, which may be very long: only candidate parts are tokenized."""
    wanted = [unstemmed(name).term(word.text) for word in words if not word.is_whole]
    if not line.isascii():
        line = _FILLING.sub(" ", line)
    plain = line.replace("’", "'").encode("ascii", "replace").lower()
    sure: Iterable[re.Match[bytes]] = ()
    if all(word.isascii() and word.encode() in plain for word in wanted):  # looking for one is far quicker
        sure = re.finditer(rb"[\W_]*".join(re.escape(word.encode()) for word in wanted), plain)
    odd = () if line.isascii() else (match for match in _ODD_LETTERS.finditer(line) if _IN_WORDS.search(match[0]))
    reach = 2 * sum(map(len, wanted)) + (MOST_BETWEEN + 1) * len(wanted)
    stretches = chain.from_iterable(
        _stretches((match.span() for match in candidates), reach) for candidates in (sure, odd)
    )
    return any(_adjacent(_to_blanks(line, *stretch), words, name) for stretch in stretches)


def _stretches(candidates: Iterable[tuple[int, int]], reach: int) -> Iterator[tuple[int, int]]:
    """The text within reach of each candidate, joined where it overlaps, until it is long.

    >>> [*_stretches([(10, 12), (14, 15), (90, 91)], 3)]
    [(7, 18), (87, 94)]
    """
    start = end = -1
    for low, high in candidates:
        if low - reach > end or end - start > LONG_STRETCH:
            if end >= 0:
                yield start, end
            start = low - reach
        end = high + reach
    if end >= 0:
        yield start, end


def _to_blanks(line: str, low: int, high: int) -> str:
    """A stretch of a line, made longer so that it begins and ends between words."""
    before = max(line.rfind(blank, 0, max(0, low)) for blank in " \n")
    after = _BLANK.search(line, high)
    return line[max(before, 0) : after.start() if after else len(line)]


def _adjacent(line: str, words: Sequence[Word], name: str) -> bool:
    """Whether words are adjacent in a line, tokenized as in the index; a whole covers all its parts."""
    rules = unstemmed(name)
    wanted = [rules.term(word.text) for word in words]
    spans: dict[str, list[tuple[int, int]]] = {term: [] for term in wanted}
    start = 0
    for token in tokens(line):
        parts, whole = rules.of_token(token.group())
        end = start + len(parts)
        read = [(part, start + number, start + number + 1) for number, part in enumerate(parts)]
        read.append((whole, start, end))
        if parts and ends_alone(parts[-1]):
            read.append((parts[-1][1], end - 1, end))
        for term, first, after in read:
            if term in spans:
                spans[term].append((first, after))
        start = end

    def follow(before: set[int], number: int) -> set[int]:
        return {end for begin, end in spans[wanted[number]] if begin in before}

    return bool(_follow(words, set(range(start)), follow, operator.or_))


def _site(site: str) -> tuple[str, str]:
    """The host and the folder of a site as it is typed, spelled as in URLs.

    >>> _site("München.de/Café/")
    ('xn--mnchen-3ya.de', '/caf%c3%a9')
    """
    typed = site.lower().removeprefix("http://").removeprefix("https://")
    if not typed.isascii():
        with suppress(BadUrl):
            typed = normalize(f"http://{typed}").lower().removeprefix("http://")
    host, _, path = typed.partition("/")
    return host, f"/{path}".rstrip("/")


def _is_on(url: str, host: str, folder: str) -> bool:
    """Whether a URL is on a host or a subdomain of it, on any port; and below a folder, if one is named.

    >>> [_is_on("http://docs.example.com:8080/a/b", *_site(site)) for site in ("example.com", "example.com/a", "e.com")]
    [True, True, False]
    """
    origin, _, path = url.lower().partition("://")[2].partition("/")
    if f".{host}:" not in f".{origin}:":
        return False
    return not folder or re.match(rf"{re.escape(folder)}(?:[/?]|$)", f"/{path}") is not None
