"""Relevance: judged queries, answered by every engine from the same pages and scored by the judges' own script.

Sites are served on loopback and crawled; the documents of an ad hoc collection become pages. Crawled pages are kept
and indexed again in every run, so that the current code is measured. There are three kinds of queries:

known    entries of a site's own index; the site is crawled without its index pages, which are the judgements
adhoc    sentences with judged documents
natural  questions of real users with graded pages of several sites, each crawled as a whole: strict scores count pages
         of grade 2 only, lenient ones all; means are over the queries of all sites. For minisearch also how often the
         first hit links to the judged section.
"""

from __future__ import annotations

import json
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from html import escape
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

from bench import DATA, engines, log, runner
from bench.corpus import Corpus, build_corpus, crawl_corpus, unpacked, version
from bench.engines import TITLES, read_documents
from bench.report import table
from minisearch.testing.server import SiteServer

FOLDER = DATA / "quality"
MAX_PAGES = 20_000
KNOWN_ITEM = {"MRR@10": "mrr10", "s@1": "s1"}
METRICS = {"known": KNOWN_ITEM, "adhoc": {"MAP": "map", "nDCG@10": "ndcg10"}, "natural": KNOWN_ITEM}
STRICT, LENIENT = "natural strict", "natural lenient"
SEEDS = {"git": ("index.html", "git.html", "gittutorial.html", "user-manual.html")}  # no page links to all others

Json = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """A set of queries with their relevant pages."""

    kind: str  # known, adhoc or natural
    name: str
    queries: list[Json]
    limit: int  # hits of a query
    corpus: Corpus
    canonical: Callable[[str], str | None]  # maps redirects and duplicates to one page

    @property
    def title(self) -> str:
        """Kind and name."""
        return f"{self.kind} {self.name}"

    @property
    def query_file(self) -> Path:
        """The queries as the engines read them."""
        return self.corpus.folder / "queries.json"


def measure(options: Namespace) -> Json:
    """Measure all metrics, by engine and column of the table."""
    folder = Path(options.judged)
    for needed in ("evaluate.py", "sites.json", "aliases.json"):
        if not (folder / needed).is_file():
            sys.exit(f"{folder} holds no {needed}: name the folder of the judged queries with --judged")
    if options.rebuild:
        shutil.rmtree(FOLDER, ignore_errors=True)
    evaluate = SimpleNamespace(**run_path(str(folder / "evaluate.py")))
    sets = [known(path, folder, evaluate) for path in sorted(folder.glob("known/*.jsonl"))]
    sets += [adhoc(path.parent, evaluate) for path in sorted(folder.glob("adhoc/*/docs.jsonl"))]
    sets += [natural(path, folder, evaluate) for path in sorted(folder.glob("natural/*.jsonl"))]
    scores: dict[str, dict[str, list[Json]]] = {engine: {} for engine in options.engines}
    sections: list[tuple[dict[str, str], str]] = []
    for judged in sets:
        for engine in options.engines:
            log(f"{judged.title}: {engine}")
            found = run_queries(engine, judged)
            for column, queries in columns(judged).items():
                scored = evaluate.per_query(queries, found, judged.canonical)
                scores[engine].setdefault(column, []).extend(scored.values())
            if engine == "minisearch" and judged.kind == "natural":
                sections += judged_sections(judged)
    means = {
        engine: {
            column: {metric: evaluate.mean(row[metric] for row in rows) for metric in evaluate.METRICS}
            for column, rows in by_column.items()
        }
        for engine, by_column in scores.items()
    }
    queries_of = {judged.title: len(judged.queries) for judged in sets}
    return {"engines": means, "queries": queries_of, "sections": section_accuracy(sections)}


def known(path: Path, folder: Path, evaluate: SimpleNamespace) -> Judged:
    """A site, crawled without the index pages that its judgements are from."""
    sites, aliases = read_json(folder / "sites.json"), read_json(folder / "aliases.json")
    corpus = crawled("known", path.stem, sites[path.stem])
    return Judged("known", path.stem, read_lines(path), 100, corpus, evaluate.Folder(path.stem, sites, aliases))


def natural(path: Path, folder: Path, evaluate: SimpleNamespace) -> Judged:
    """A site, crawled as a whole: its index pages can be hits, as for a user."""
    site = read_json(folder / "natural" / "sites.json")[path.stem] | {"exclude": []}
    corpus = crawled("natural", path.stem, site)
    return Judged("natural", path.stem, read_lines(path), 10, corpus, evaluate.Folder("", {}, {}))


def crawled(kind: str, name: str, site: Json) -> Corpus:
    """The pages of a site, served and crawled unless they are cached."""
    corpus = cached(f"{kind}-{name}", json.dumps(site).encode())
    if corpus.is_ready():
        return corpus
    package, _, wanted = site["package"].partition(" ")
    folder = unpacked(package).parent / site["dir"]
    if wanted and (found := version(package)) not in ("", wanted):
        log(f"note: the queries were judged on {package} {wanted}, this is {found}")
    log(f"crawling {name} (once) ...")
    with SiteServer(folder) as base:
        home = "index.html" if (folder / "index.html").exists() else ""
        seeds = [f"{base}/{path}" for path in SEEDS.get(name, [home])]
        exclude = [f"{base}/{pattern}" for pattern in site["exclude"]]
        crawl_corpus(corpus, seeds, exclude=exclude, max_pages=MAX_PAGES)
    return corpus


def adhoc(folder: Path, evaluate: SimpleNamespace) -> Judged:
    """A collection, each document a page."""
    source = folder / "docs.jsonl"
    corpus = cached(f"adhoc-{folder.name}", source.read_bytes())
    build_corpus(corpus.folder, {f"{folder.name}/{doc['id']}": partial(html, doc) for doc in read_lines(source)})
    queries = read_lines(folder / "queries.jsonl")
    return Judged("adhoc", folder.name, queries, 1000, corpus, evaluate.Folder("", {}, {}))


def html(document: Json) -> bytes:
    """A document as HTML."""
    title, text = escape(document["title"]), escape(document["text"])
    return f'<!DOCTYPE html><html lang="en"><title>{title}</title><p>{text}</p></html>'.encode()


def cached(name: str, source: bytes) -> Corpus:
    """The corpus of a set, in a folder that changes when its source changes."""
    return Corpus(FOLDER / f"{name}-{blake2b(source, digest_size=3).hexdigest()}")


def run_queries(engine: str, judged: Judged) -> dict[str, list[str]]:
    """Build the index of an engine and return its hits for each query, as the judges name pages."""
    corpus, python = judged.corpus, runner.interpreter(engine)
    judged.query_file.write_text(json.dumps([query["query"] for query in judged.queries]), "utf-8")
    source = corpus.database if engine == "minisearch" else corpus.documents
    runner.call(python, engines.build, engine, corpus.folder / engine, source)
    hits = runner.call(python, engines.hits, engine, corpus.folder / engine, judged.query_file, judged.limit)
    names = {document.id: page_name(document.url, judged) for document in read_documents(corpus.documents)}
    return {query["id"]: [names[number] for number in found] for query, found in zip(judged.queries, hits, strict=True)}


def page_name(url: str, judged: Judged) -> str:
    """A page as the judges name it: its path on the site, or the document's id."""
    path = unquote(urlsplit(url).path).lstrip("/")
    if judged.kind == "adhoc":
        return path.rpartition("/")[2]
    return path + "index.html" if path.endswith("/") or not path else path


def columns(judged: Judged) -> dict[str, list[Json]]:
    """The columns of the table that a set contributes to, with its queries and their relevant pages."""
    if judged.kind != "natural":
        return {judged.title: judged.queries}
    return {STRICT: graded(judged.queries, 2), LENIENT: graded(judged.queries, 1)}


def graded(queries: list[Json], minimum: int) -> list[Json]:
    """The queries with the pages of at least this grade as the relevant ones.

    >>> graded([{"id": "1", "relevant": {"a.html": 2, "b.html": 1}}], 2)
    [{'id': '1', 'relevant': ['a.html']}]
    """
    return [
        {**query, "relevant": [page for page, grade in query["relevant"].items() if grade >= minimum]}
        for query in queries
    ]


def judged_sections(judged: Judged) -> list[tuple[dict[str, str], str]]:
    """For each query with judged sections: {page: fragment}, and the page and fragment of minisearch's first hit."""
    index = judged.corpus.folder / "minisearch"
    links = runner.call(runner.MINISEARCH, engines.first_links, index, judged.query_file)
    rows = zip(judged.queries, links, strict=True)
    return [(query["section"], target(link, judged)) for query, link in rows if query["section"]]


def target(link: str, judged: Judged) -> str:
    """Page and fragment of a link, without its text fragment."""
    page, _, fragment = link.partition("#")
    return f"{page_name(page, judged)}#{unquote(fragment.partition(':~:')[0])}"


def section_accuracy(rows: list[tuple[dict[str, str], str]]) -> dict[str, int]:
    """Count queries with a judged section, first hits on its page, and first hits that link to it.

    >>> section_accuracy([({"a.html": "one"}, "a.html#one"), ({"a.html": "one"}, "a.html#"), ({"a.html": "one"}, "#")])
    {'judged': 3, 'page': 2, 'section': 1}
    """
    page = sum(target.partition("#")[0] in sections for sections, target in rows)
    section = sum(target in {f"{page}#{fragment}" for page, fragment in sections.items()} for sections, target in rows)
    return {"judged": len(rows), "page": page, "section": section}


def read_json(path: Path) -> Json:
    """The object in a JSON file."""
    content: Json = json.loads(path.read_text("utf-8"))
    return content


def read_lines(path: Path) -> list[Json]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tables(figures: Json) -> str:
    """One table: a row for each engine, a column for each set, and means of the known and the adhoc sets."""
    columns = list(next(iter(figures["engines"].values()), {}))
    kinds = [kind for kind in ("known", "adhoc") if any(column.startswith(kind) for column in columns)]
    head = [""]
    for column in columns:
        kind, _, name = column.partition(" ")
        head.append(f"{column if kind == 'natural' else name} {' / '.join(METRICS[kind])}")
    head += [f"mean {' / '.join(METRICS[kind])}" for kind in kinds]
    rows = []
    for engine, scores in figures["engines"].items():
        shown = {column: [scores[column][m] for m in METRICS[column.partition(" ")[0]].values()] for column in columns}
        for kind in kinds:
            same = [shown[column] for column in columns if column.startswith(kind)]
            shown[f"mean {kind}"] = [sum(values) / len(same) for values in zip(*same, strict=True)]
        rows.append([TITLES[engine], *(" / ".join(f"{value:.3f}" for value in values) for values in shown.values())])
    counted = ", ".join(f"{title} {count}" for title, count in figures["queries"].items())
    return f"Judged queries: {counted}.\n\n{table(head, rows)}{sections_line(figures['sections'])}"


def sections_line(sections: dict[str, int]) -> str:
    """The section accuracy as a sentence, if it was measured."""
    if not sections["judged"]:
        return ""
    return (
        f"\n\nOf {sections['judged']} natural queries with a judged section, the first hit of minisearch is on its "
        f"page for {sections['page']} and links to the section for {sections['section']}."
    )
