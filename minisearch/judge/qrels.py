"""Judgements: which pages are good answers to which queries.

Two forms are read. TREC qrels have a line `query 0 url relevance` for each judgement (relevance 0 or less: bad; above:
good, the more the better); if a page is judged twice, the last line holds. JSONL sets have a line
`{"id": ..., "query": ..., "relevant": [url, ...]}` for each query. A url is a full one, or a path without its first
slash; one that was merged into another page is that page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from minisearch.errors import BadInput
from minisearch.judge.lines import numbered, whole, write, wrong

ESCAPED = {"%": "%25", "_": "%5F", '"': "%22"}  # what a query keeps when its blanks become _
JSON_LINE = re.compile(r'\s*\{\s*"')  # no id of ours looks like this: it has no quotes
NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Judged:
    """A query, and the relevance of each page that was judged for it."""

    id: str
    query: str
    grades: Mapping[str, int]
    names: Mapping[str, str] = field(default_factory=dict)  # by the url of a page: as what it was judged

    def name_of(self, url: str) -> str:
        """The name under which a page was judged, or else its url."""
        return self.names.get(url) or name_in(self.grades, url)


def query_id(query: str) -> str:
    """A query as its own id: one word, without quotes.

    >>> query_id('pruning  "old roses"'), query_id("snake_case")
    ('pruning_%22old_roses%22', 'snake%5Fcase')
    """
    return "_".join("".join(ESCAPED.get(letter, letter) for letter in query).split())


def query_text(name: str) -> str:
    """The query that an id spells.

    >>> query_text("pruning_%22old_roses%22")
    'pruning "old roses"'
    """
    text = name.replace("_", " ")
    for letter, code in reversed(ESCAPED.items()):  # the percent sign last
        text = text.replace(code, letter)
    return text


def name_in(grades: Mapping[str, int], url: str) -> str:
    """The name under which a page was judged: its url, or its path without the first slash. Else its url.

    >>> name_in({"garden/roses.html": 1}, "http://example.com/garden/roses.html")
    'garden/roses.html'
    """
    parts = urlsplit(url)
    path = parts.path.removeprefix("/") + (f"?{parts.query}" if parts.query else "")
    return next((name for name in (url, path, f"/{path}") if name in grades), url)


def by_page(judged: Judged, standing: Mapping[str, Sequence[str]]) -> Judged:
    """The same with one judgement a page, the last, when it was judged by several of its urls.

    `standing` has the urls of the pages that stand for what was judged.

    >>> by_page(Judged("1", "roses", {"old.html": 1, "new.html": 2}), {"old.html": ["/new"], "new.html": ["/new"]})
    Judged(id='1', query='roses', grades={'old.html': 2}, names={'/new': 'old.html'})
    """
    grades: dict[str, int] = {}
    names: dict[str, str] = {}
    for name, grade in judged.grades.items():
        pages = standing.get(name, ())
        known = next((names[page] for page in pages if page in names), name)
        names.update({page: known for page in pages if page not in names})
        grades[known] = grade
    return replace(judged, grades=grades, names=names)


def is_jsonl(path: str | Path) -> bool:
    """Whether the file is a JSONL set and not TREC qrels."""
    return any(JSON_LINE.match(line) for _, line in list(numbered(path))[:1])


def read_judged(path: str | Path, queries: str | Path | None = None) -> list[Judged]:
    """All judged queries of a file, in its order. `queries` is a file with the texts of the ids in TREC qrels."""
    if not is_jsonl(path):
        return _read_trec(path, queries)
    if queries is not None:
        raise BadInput(f'"{path}" holds its own queries: leave out "{queries}"')
    return _read_jsonl(path)


def read_queries(path: str | Path) -> dict[str, str]:
    """The text of each query in a file with lines `id<TAB>text`."""
    found: dict[str, str] = {}
    for number, line in numbered(path):
        name, _, text = (part.strip() for part in line.partition("\t"))
        if not (name and text):
            raise wrong(path, number, "a query is written as id<TAB>text")
        if name in found:
            raise wrong(path, number, f"the query {name} stands here for the second time")
        found[name] = text
    return found


def _read_trec(path: str | Path, queries: str | Path | None) -> list[Judged]:
    texts = read_queries(queries) if queries is not None else None
    grades: dict[str, dict[str, int]] = {}
    for number, line in numbered(path):
        columns = line.split()
        if len(columns) != 4:
            raise wrong(path, number, f'a judgement is "query 0 url relevance", and here are {len(columns)} words')
        name, _, url, relevance = columns
        if not NUMBER.fullmatch(relevance):
            raise wrong(path, number, f"relevance is a whole number such as 0 or 1, not {relevance!r}")
        if texts is not None and name not in texts:
            raise wrong(path, number, f'there is no query {name} in "{queries}"')
        here = grades.setdefault(name, {})
        here.pop(url, None)  # so that the last judgement stands last
        here[url] = int(relevance)
    return [Judged(name, texts[name] if texts else query_text(name), judged) for name, judged in grades.items()]


def _read_jsonl(path: str | Path) -> list[Judged]:
    found: dict[str, Judged] = {}
    for number, line in numbered(path):
        try:
            judged = _from_json(json.loads(line))
        except json.JSONDecodeError as error:
            raise wrong(path, number, f"this is not JSON: {error.msg} at column {error.colno}") from error
        except (ValueError, RecursionError) as error:
            raise wrong(path, number, str(error)) from error
        if judged.id in found:
            raise wrong(path, number, f"the query {judged.id} stands here for the second time")
        found[judged.id] = judged
    return list(found.values())


def _from_json(entry: Any) -> Judged:
    if not isinstance(entry, dict):
        raise BadInput('a judged query is an object {"id", "query", "relevant"}')
    for key in ("id", "query"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise BadInput(f'"{key}" must be there, and must be text')
    pages = entry.get("relevant")
    if not isinstance(pages, list) or not all(isinstance(page, str) for page in pages):
        raise BadInput('"relevant" must be there, and must be a list of urls')
    return Judged(entry["id"], entry["query"], dict.fromkeys(pages, 1))


def write_qrels(path: str | Path, judged: Iterable[Judged], *, append: bool = False) -> None:
    """Write judgements as TREC qrels, or add them to those a file has."""
    rows = [(whole(one.id), whole(url), grade) for one in judged for url, grade in one.grades.items()]
    write(path, (f"{name} 0 {url} {grade}" for name, url, grade in rows), append=append)
