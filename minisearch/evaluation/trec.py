"""Files of judged queries and of rankings, in the formats of TREC and of known-item sets.

Judgements:  TREC qrels, a line `query 0 url relevance` for each judgement. Relevance above 0 means relevant, and a
             higher number more so. If a URL is judged twice for a query, the last line counts.
             Or JSONL, a line `{"id": ..., "query": ..., "relevant": [url, ...]}` for each query.
Queries:     a line `id<TAB>text` for each id in TREC qrels. Without such a file the id is the query, see `query_id`.
Runs:        a line `query Q0 url rank score tag` for each hit.

A judged URL is a full URL, or the path of a page with or without its first slash.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from minisearch.errors import BadInput, BadUrl
from minisearch.urls import normalize, origin

Ranking = Sequence[tuple[str, float]]  # (url, score), best first

ANY_SITE = "http://any.example"  # to normalize a path on
GZIP_MAGIC = b"\x1f\x8b"
JSON_OBJECT = re.compile(r'\s*\{\s*"')  # a query id contains no quotes
RELEVANCE = re.compile(r"[+-]?[0-9]{1,6}")
ID_ESCAPES = {"%": "%25", "_": "%5F", '"': "%22"}  # _ means a blank in an id
SCORE_STEP = 1e-6  # relative distance of two scores that single precision can represent


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query with the grade of each judged URL."""

    id: str
    query: str
    grades: Mapping[str, int]
    aliases: Mapping[str, str] = field(default_factory=dict)  # URL of a page -> URL under which it was judged

    def judged_url(self, url: str) -> str:
        """The URL under which a page was judged, or its own.

        >>> JudgedQuery("1", "roses", {"garden/roses.html": 1}).judged_url("http://example.com/garden/roses.html")
        'garden/roses.html'
        """
        if url in self.aliases:
            return self.aliases[url]
        parts = urlsplit(url)
        path = parts.path.removeprefix("/") + (f"?{parts.query}" if parts.query else "")
        return next((form for form in (url, path, f"/{path}") if form in self.grades), url)


def merge_duplicates(judged: JudgedQuery, pages: Mapping[str, Sequence[str]]) -> JudgedQuery:
    """Keep one judgement for each page, the last, if a page was judged under several URLs.

    `pages` has the URLs of the pages that each judged URL leads to.

    >>> query = JudgedQuery("1", "roses", {"old.html": 1, "new.html": 2})
    >>> merge_duplicates(query, {"old.html": ["/new"], "new.html": ["/new"]})
    JudgedQuery(id='1', query='roses', grades={'old.html': 2}, aliases={'/new': 'old.html'})
    """
    grades: dict[str, int] = {}
    aliases: dict[str, str] = {}
    for url, grade in judged.grades.items():
        urls = pages.get(url, ())
        first = next((aliases[page] for page in urls if page in aliases), url)
        for page in urls:
            aliases.setdefault(page, first)
        grades[first] = grade
    return replace(judged, grades=grades, aliases=aliases)


def query_id(query: str) -> str:
    """Encode a query as an id: one word, without quotes.

    >>> query_id('pruning  "old roses"'), query_id("snake_case")
    ('pruning_%22old_roses%22', 'snake%5Fcase')
    """
    for character, code in ID_ESCAPES.items():  # the percent sign first
        query = query.replace(character, code)
    return "_".join(query.split())


def query_text(name: str) -> str:
    """Decode the query that an id was made from.

    >>> query_text("pruning_%22old_roses%22")
    'pruning "old roses"'
    """
    text = name.replace("_", " ")
    for character, code in reversed(ID_ESCAPES.items()):  # the percent sign last
        text = text.replace(code, character)
    return text


# -- judgements ------------------------------------------------------------------------------


def is_jsonl(path: str | Path) -> bool:
    """Whether a file of judgements is JSONL and not TREC qrels."""
    _, line = next(_numbered_lines(path), (0, ""))
    return JSON_OBJECT.match(line) is not None


def read_judgements(path: str | Path, queries: str | Path | None = None) -> list[JudgedQuery]:
    """All judged queries of a file, in its order. `queries` is a file with the texts of the ids in TREC qrels."""
    if not is_jsonl(path):
        return _read_qrels(path, queries)
    if queries is not None:
        raise BadInput(f'"{path}" contains its own queries: leave out "{queries}"')
    return _read_jsonl(path)


def read_queries(path: str | Path) -> dict[str, str]:
    """The text of each query id in a file with lines `id<TAB>text`."""
    texts: dict[str, str] = {}
    for number, line in _numbered_lines(path):
        name, _, text = (part.strip() for part in line.partition("\t"))
        if not (name and text):
            raise _line_error(path, number, "expected id<TAB>text")
        if name in texts:
            raise _line_error(path, number, f"duplicate query {name}")
        texts[name] = text
    return texts


def _read_qrels(path: str | Path, queries: str | Path | None) -> list[JudgedQuery]:
    texts = read_queries(queries) if queries is not None else None
    grades: dict[str, dict[str, int]] = {}
    for number, (name, _, url, relevance) in _columns(path, "query 0 url relevance"):
        if not RELEVANCE.fullmatch(relevance):
            raise _line_error(path, number, f"relevance must be an integer such as 0 or 1, not {relevance!r}")
        if texts is not None and name not in texts:
            raise _line_error(path, number, f'query {name} is not in "{queries}"')
        of_query = grades.setdefault(name, {})
        of_query.pop(url, None)  # so that the last judgement comes last, which `merge_duplicates` relies on
        of_query[url] = int(relevance)
    return [JudgedQuery(name, texts[name] if texts else query_text(name), judged) for name, judged in grades.items()]


def _read_jsonl(path: str | Path) -> list[JudgedQuery]:
    found: dict[str, JudgedQuery] = {}
    for number, line in _numbered_lines(path):
        try:
            judged = _from_json(json.loads(line))
        except json.JSONDecodeError as error:
            raise _line_error(path, number, f"invalid JSON: {error.msg} at column {error.colno}") from error
        except (ValueError, RecursionError) as error:
            raise _line_error(path, number, str(error)) from error
        if judged.id in found:
            raise _line_error(path, number, f"duplicate query {judged.id}")
        found[judged.id] = judged
    return list(found.values())


def _from_json(entry: Any) -> JudgedQuery:
    if not isinstance(entry, dict):
        raise BadInput('expected an object with "id", "query" and "relevant"')
    for key in ("id", "query"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise BadInput(f'"{key}" must be a string that is not empty')
    urls = entry.get("relevant")
    if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
        raise BadInput('"relevant" must be a list of URLs')
    return JudgedQuery(entry["id"], entry["query"], dict.fromkeys(urls, 1))


def write_qrels(path: str | Path, judged: Iterable[JudgedQuery], *, append: bool = False) -> None:
    """Write judgements as TREC qrels, or append them to a file."""
    lines = []
    for query in judged:
        for url, grade in query.grades.items():
            lines.append(f"{_column(query.id)} 0 {_column(url)} {grade}")
    _write_lines(path, lines, append=append)


# -- runs ------------------------------------------------------------------------------------


def run_queries(judged: Iterable[JudgedQuery], search: Callable[[str], Ranking]) -> dict[str, Ranking]:
    """The ranking that `search` returns for each judged query."""
    return {query.id: search(query.query) for query in judged}


def decreasing_scores(ranking: Ranking) -> list[tuple[str, float]]:
    """The ranking with scores lowered where needed, so that sorting by score keeps its order.

    minisearch ranks pages with all words before others regardless of scores; trec_eval looks at the scores only.

    >>> decreasing_scores([("a", 2.0), ("b", 4.0), ("c", 1.0)])
    [('a', 2.0), ('b', 1.999998), ('c', 1.0)]
    """
    lowered = []
    highest = math.inf
    for url, score in ranking:
        score = min(score, highest)
        lowered.append((url, score))
        highest = score - SCORE_STEP * max(abs(score), SCORE_STEP)
    return lowered


def write_run(path: str | Path, run: Mapping[str, Ranking], tag: str = "minisearch") -> None:
    """Write a TREC run."""
    lines = []
    for name, ranking in run.items():
        for rank, (url, score) in enumerate(ranking, 1):
            lines.append(f"{_column(name)} Q0 {_column(url)} {rank} {float(score)!r} {_column(tag)}")
    _write_lines(path, lines)


def read_run(path: str | Path) -> dict[str, Ranking]:
    """The ranking of each query in a TREC run, in the order of the ranks."""
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for number, (name, _, url, rank, score, _) in _columns(path, "query Q0 url rank score tag"):
        try:
            place, value = int(rank), float(score)
        except ValueError as error:
            raise _line_error(path, number, f"rank and score must be numbers, not {rank!r} and {score!r}") from error
        if not math.isfinite(value):
            raise _line_error(path, number, f"the score must be finite, not {score}")
        hits = found.setdefault(name, {})
        if url in hits:
            raise _line_error(path, number, f"duplicate hit {url} for query {name}")
        hits[url] = place, value
    return {
        name: [(url, score) for url, (_, score) in sorted(hits.items(), key=lambda hit: hit[1][0])]
        for name, hits in found.items()
    }


# -- lines -----------------------------------------------------------------------------------


def _numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """(number, line) of every line that is not blank, counted from 1."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f'cannot read "{path}": {error.strerror}') from error
    if data.startswith(GZIP_MAGIC):
        raise BadInput(f"{path} is compressed with gzip: decompress it first")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _line_error(path, data.count(b"\n", 0, error.start) + 1, "invalid UTF-8") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip("\r")


def _columns(path: str | Path, names: str) -> Iterator[tuple[int, list[str]]]:
    """(number, columns) of every line; `names` are those of the expected columns."""
    expected = len(names.split())
    for number, line in _numbered_lines(path):
        columns = line.split()
        if len(columns) != expected:
            raise _line_error(path, number, f'expected {expected} columns "{names}", found {len(columns)}')
        yield number, columns


def _column(value: str) -> str:
    """The value, if it can be a column in a file whose columns are separated by whitespace."""
    if value.split() != [value]:
        raise BadInput(f"{value!r} cannot be written to a TREC file: it is empty or contains whitespace")
    return value


def _line_error(path: str | Path, number: int, reason: str) -> BadInput:
    return BadInput(f"{path}, line {number}: {reason}")


def _write_lines(path: str | Path, lines: Iterable[str], *, append: bool = False) -> None:
    try:
        with Path(path).open("a+b" if append else "wb") as file:
            if append and file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n":  # the last line was not terminated
                    file.write(b"\n")
            file.writelines(f"{line}\n".encode() for line in lines)
    except OSError as error:
        raise BadInput(f'cannot write "{path}": {error.strerror}') from error


def match_addresses(addresses: Iterable[str], pages: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The pages at `addresses`, which are full URLs, or paths on any site. `pages` holds (URL, URL of its page).

    >>> match_addresses(["docs/a.html"], [("http://example.com/docs/a.html", "http://example.com/docs/a.html")])
    {'docs/a.html': ['http://example.com/docs/a.html']}
    """
    wanted: dict[str, list[str]] = {}
    for address in addresses:
        with suppress(BadUrl):
            wanted.setdefault(_normalized(address), []).append(address)
    found: dict[str, list[str]] = {}
    for url, page in pages:
        for known in (url, url[len(origin(url)) :]):
            for address in wanted.get(known, ()):
                found.setdefault(address, []).append(page)
    return found


def _normalized(address: str) -> str:
    if address.lower().startswith(("http://", "https://")):
        return normalize(address)
    return normalize(f"/{address.removeprefix('/')}", ANY_SITE).removeprefix(ANY_SITE)
