"""How good: judged queries, run by every engine over the same pages, scored by the judges' own script.

Sites are served on loopback and crawled; the documents of an ad hoc collection become pages. Crawled pages are kept;
they are indexed again in every run, so that what is measured is the code as it is now. Three kinds of queries:

known    entries of a site's own index; the site is crawled without its index pages, which are the judgements
adhoc    sentences with judged documents
natural  what people asked, with graded pages of several sites, each crawled as a whole: strict scores count pages of
         grade 2 only, lenient ones all; means are over the queries of all sites together. For minisearch also how
         often the first hit links to the judged section.
"""

from __future__ import annotations

import json
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from bench.engines import TITLES, read_documents
from bench.feed import Fed, feed, fill
from bench.packages import unpacked, version
from bench.places import BENCH, say
from bench.report import table
from bench.site import served
from bench.worker import work

FOLDER = BENCH / "quality"
MOST_PAGES = 20_000
KNOWN_ITEM = {"MRR@10": "mrr10", "s@1": "s1"}
MEASURES = {"known": KNOWN_ITEM, "adhoc": {"MAP": "map", "nDCG@10": "ndcg10"}, "natural": KNOWN_ITEM}
STRICT, LENIENT = "natural strict", "natural lenient"
SEEDS = {"git": ("index.html", "git.html", "gittutorial.html", "user-manual.html")}  # no page links to all others

Json = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """A set of queries with the pages that answer them."""

    kind: str  # known, adhoc or natural
    name: str
    queries: list[Json]
    depth: int  # hits asked for
    fed: Fed
    fold: Callable[[str], str | None]

    @property
    def title(self) -> str:
        """Its kind and its name."""
        return f"{self.kind} {self.name}"


def measure(options: Namespace) -> Json:
    """All metrics, by engine and column of the table."""
    folder = Path(options.judged)
    for needed in ("evaluate.py", "sites.json", "aliases.json"):
        if not (folder / needed).is_file():
            sys.exit(f"{folder} holds no {needed}: name the folder of the judged queries with --judged")
    if options.rebuild:
        shutil.rmtree(FOLDER, ignore_errors=True)
    evaluate = load(folder / "evaluate.py")
    sets = [known(path, folder, evaluate) for path in sorted(folder.glob("known/*.jsonl"))]
    sets += [adhoc(path.parent, evaluate) for path in sorted(folder.glob("adhoc/*/docs.jsonl"))]
    sets += [natural(path, folder, evaluate) for path in sorted(folder.glob("natural/*.jsonl"))]
    scores: dict[str, dict[str, list[Json]]] = {engine: {} for engine in options.engines}
    sections: list[tuple[dict[str, str], str]] = []
    for judged in sets:
        for engine in options.engines:
            say(f"{judged.title}: {engine}")
            found = answers(engine, judged)
            for column, queries in columns(judged).items():
                scored = evaluate.per_query(queries, found, judged.fold)
                scores[engine].setdefault(column, []).extend(scored.values())
            if engine == "minisearch" and judged.kind == "natural":
                sections += judged_sections(judged)
    means: Json = {engine: {} for engine in options.engines}
    for engine, by_column in scores.items():
        for column, rows in by_column.items():
            means[engine][column] = {metric: evaluate.mean(row[metric] for row in rows) for metric in evaluate.METRICS}
    queries_of = {judged.title: len(judged.queries) for judged in sets}
    return {"engines": means, "queries": queries_of, "sections": section_accuracy(sections)}


def load(script: Path) -> ModuleType:
    """A script as a module, from wherever it is."""
    spec = spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def known(path: Path, folder: Path, evaluate: ModuleType) -> Judged:
    """A site, crawled without the pages that its judgements were made from."""
    sites, aliases = read_json(folder / "sites.json"), read_json(folder / "aliases.json")
    fed = crawled("known", path.stem, sites[path.stem])
    return Judged("known", path.stem, read_lines(path), 100, fed, evaluate.Folder(path.stem, sites, aliases))


def natural(path: Path, folder: Path, evaluate: ModuleType) -> Judged:
    """A site, crawled as a whole: its index pages can be found and can be in the way, as for a person."""
    site = read_json(folder / "natural" / "sites.json")[path.stem] | {"exclude": []}
    fed = crawled("natural", path.stem, site)
    return Judged("natural", path.stem, read_lines(path), 10, fed, evaluate.Folder("", {}, {}))


def crawled(kind: str, name: str, site: Json) -> Fed:
    """The pages of a site, crawled if that was not done before."""
    fed = cached(f"{kind}-{name}", json.dumps(site).encode())
    if not fed.is_ready():
        crawl(name, site, fed)
    return fed


def crawl(name: str, site: Json, fed: Fed) -> None:
    """Serve a site and crawl it."""
    package, _, wanted = site["package"].partition(" ")
    folder = unpacked(package).parent / site["dir"]
    if wanted and (found := version(package)) not in ("", wanted):
        say(f"note: the queries were judged on {package} {wanted}, and this is {found}")
    say(f"crawling {name} (once) ...")
    with served(folder) as base:
        front = "index.html" if (folder / "index.html").exists() else ""
        seeds = [f"{base}/{path}" for path in SEEDS.get(name, [front])]
        exclude = [f"{base}/{pattern}" for pattern in site["exclude"]]
        fill(fed, seeds, exclude=exclude, max_pages=MOST_PAGES)


def adhoc(folder: Path, evaluate: ModuleType) -> Judged:
    """A collection, each document a page."""
    source = folder / "docs.jsonl"
    fed = cached(f"adhoc-{folder.name}", source.read_bytes())
    bodies = {f"{folder.name}/{document['id']}": page(document) for document in read_lines(source)}
    feed(fed.folder, bodies)
    queries = read_lines(folder / "queries.jsonl")
    return Judged("adhoc", folder.name, queries, 1000, fed, evaluate.Folder("", {}, {}))


def page(document: Json) -> Callable[[], bytes]:
    """A document as HTML."""
    title, text = escape(document["title"]), escape(document["text"])
    html = f'<!DOCTYPE html><html lang="en"><title>{title}</title><p>{text}</p></html>'.encode()
    return lambda: html


def cached(name: str, origin: bytes) -> Fed:
    """Where the pages of a set are kept, for as long as what they are made from stays the same."""
    folder = FOLDER / f"{name}-{blake2b(origin, digest_size=3).hexdigest()}"
    return Fed(folder)


def answers(engine: str, judged: Judged) -> dict[str, list[str]]:
    """What an engine finds for each query, as the judges name pages."""
    home = judged.fed.folder
    queries = home / "queries.json"
    queries.write_text(json.dumps([query["query"] for query in judged.queries]), "utf-8")
    source = judged.fed.database if engine == "minisearch" else judged.fed.documents
    work("build", engine, home / engine, source=str(source))
    runs = work("run", engine, home / engine, queries=str(queries), limit=judged.depth)
    names = {document.id: named(document.url, judged) for document in read_documents(judged.fed.documents, None)}
    return {query["id"]: [names[number] for number in found] for query, found in zip(judged.queries, runs, strict=True)}


def named(url: str, judged: Judged) -> str:
    """A page as the judges name it: its path on the site, or the document's id."""
    path = unquote(urlsplit(url).path).lstrip("/")
    if judged.kind == "adhoc":
        return path.rpartition("/")[2]
    return path + "index.html" if path.endswith("/") or not path else path


def columns(judged: Judged) -> dict[str, list[Json]]:
    """The columns of the table that a set is scored in, with the queries and their relevant pages."""
    if judged.kind != "natural":
        return {judged.title: judged.queries}
    return {STRICT: graded(judged.queries, 2), LENIENT: graded(judged.queries, 1)}


def graded(queries: list[Json], least: int) -> list[Json]:
    """The queries with their pages of at least this grade as the relevant ones.

    >>> graded([{"id": "1", "relevant": {"a.html": 2, "b.html": 1}}], 2)
    [{'id': '1', 'relevant': ['a.html']}]
    """
    return [
        {**query, "relevant": [page for page, grade in query["relevant"].items() if grade >= least]}
        for query in queries
    ]


def judged_sections(judged: Judged) -> list[tuple[dict[str, str], str]]:
    """For each query with judged sections: {page: fragment}, and the page and fragment of minisearch's first hit."""
    home = judged.fed.folder
    links = work("links", "minisearch", home / "minisearch", queries=str(home / "queries.json"))
    rows = zip(judged.queries, links, strict=True)
    return [(query["section"], place(link, judged)) for query, link in rows if query["section"]]


def place(link: str, judged: Judged) -> str:
    """Page and fragment that a link leads to, without the words of a text fragment."""
    page, _, fragment = link.partition("#")
    return f"{named(page, judged)}#{unquote(fragment.partition(':~:')[0])}"


def section_accuracy(rows: list[tuple[dict[str, str], str]]) -> dict[str, int]:
    """How many queries have a judged section, how many first hits are on its page, and how many link to it.

    >>> section_accuracy([({"a.html": "one"}, "a.html#one"), ({"a.html": "one"}, "a.html#"), ({"a.html": "one"}, "#")])
    {'judged': 3, 'page': 2, 'section': 1}
    """
    page = sum(place.partition("#")[0] in sections for sections, place in rows)
    section = sum(place in {f"{page}#{fragment}" for page, fragment in sections.items()} for sections, place in rows)
    return {"judged": len(rows), "page": page, "section": section}


def read_json(path: Path) -> Json:
    """The object in a JSON file."""
    content: Json = json.loads(path.read_text("utf-8"))
    return content


def read_lines(path: Path) -> list[Json]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tables(figures: Json) -> str:
    """One table: a row for each engine, a column for each set, and the means of the known and the adhoc ones."""
    columns = list(next(iter(figures["engines"].values()), {}))
    kinds = [kind for kind in ("known", "adhoc") if any(column.startswith(kind) for column in columns)]
    head = [""]
    for column in columns:
        kind, _, name = column.partition(" ")
        head.append(f"{column if kind == 'natural' else name} {' / '.join(MEASURES[kind])}")
    head += [f"mean {' / '.join(MEASURES[kind])}" for kind in kinds]
    rows = []
    for engine, scores in figures["engines"].items():
        shown = {column: [scores[column][m] for m in MEASURES[column.partition(" ")[0]].values()] for column in columns}
        for kind in kinds:
            same = [shown[column] for column in columns if column.startswith(kind)]
            shown[f"mean {kind}"] = [sum(values) / len(same) for values in zip(*same, strict=True)]
        rows.append([TITLES[engine], *(" / ".join(f"{value:.3f}" for value in values) for values in shown.values())])
    counted = ", ".join(f"{title} {count}" for title, count in figures["queries"].items())
    return f"Judged queries: {counted}.\n\n{table(head, rows)}{sections_line(figures['sections'])}"


def sections_line(sections: dict[str, int]) -> str:
    """The section accuracy in a sentence, if it was measured."""
    if not sections["judged"]:
        return ""
    return (
        f"\n\nOf {sections['judged']} natural queries with a judged section, the first hit of minisearch is on its "
        f"page for {sections['page']} and links to the section for {sections['section']}."
    )
