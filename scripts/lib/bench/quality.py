"""How good: judged queries, put to every engine over the same pages, scored by the judges' own script.

Known-item sites are served on loopback and crawled; the documents of an ad hoc collection become pages. Crawled
pages are kept; they are indexed anew in every run, so that what is measured is the code as it is now.
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
MEASURES = {"known": {"MRR@10": "mrr10", "s@1": "s1"}, "adhoc": {"MAP": "map", "nDCG@10": "ndcg10"}}

Json = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """A set of queries with the pages that answer them."""

    kind: str  # known or adhoc
    name: str
    queries: list[Json]
    depth: int  # hits asked for
    fed: Fed
    fold: Callable[[str], str | None]


def measure(options: Namespace) -> Json:
    """All metrics, by engine and set."""
    folder = Path(options.judged)
    for needed in ("evaluate.py", "sites.json", "aliases.json"):
        if not (folder / needed).is_file():
            sys.exit(f"{folder} holds no {needed}: name the folder of the judged queries with --judged")
    if options.rebuild:
        shutil.rmtree(FOLDER, ignore_errors=True)
    evaluate = load(folder / "evaluate.py")
    sets = [known(path, folder, evaluate) for path in sorted(folder.glob("known/*.jsonl"))]
    sets += [adhoc(path.parent, evaluate) for path in sorted(folder.glob("adhoc/*/docs.jsonl"))]
    figures: Json = {engine: {} for engine in options.engines}
    for judged in sets:
        for engine in options.engines:
            say(f"{judged.kind} {judged.name}: {engine}")
            found = evaluate.per_query(judged.queries, answers(engine, judged), judged.fold)
            means = {metric: evaluate.mean(one[metric] for one in found.values()) for metric in evaluate.METRICS}
            figures[engine][f"{judged.kind} {judged.name}"] = means
    return {"engines": figures, "queries": {f"{judged.kind} {judged.name}": len(judged.queries) for judged in sets}}


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
    sites = json.loads((folder / "sites.json").read_text("utf-8"))
    aliases = json.loads((folder / "aliases.json").read_text("utf-8"))
    site = sites[path.stem]
    fed = cached(f"known-{path.stem}", json.dumps(site).encode())
    if not fed.is_ready():
        crawl(path.stem, site, fed)
    return Judged("known", path.stem, read_lines(path), 100, fed, evaluate.Folder(path.stem, sites, aliases))


def crawl(name: str, site: Json, fed: Fed) -> None:
    """Serve a site and crawl it."""
    package, _, wanted = site["package"].partition(" ")
    folder = unpacked(package).parent / site["dir"]
    if wanted and (found := version(package)) not in ("", wanted):
        say(f"note: the queries were judged on {package} {wanted}, and this is {found}")
    say(f"crawling {name} (once) ...")
    with served(folder) as base:
        seed = f"{base}/index.html" if (folder / "index.html").exists() else f"{base}/"
        exclude = [f"{base}/{pattern}" for pattern in site["exclude"]]
        fill(fed, [seed], exclude=exclude, max_pages=MOST_PAGES)


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


def read_lines(path: Path) -> list[Json]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tables(figures: Json) -> str:
    """One table: a row an engine, a column a set, and the means of both kinds."""
    sets = list(figures["queries"])
    kinds = [kind for kind in MEASURES if any(name.startswith(kind) for name in sets)]
    head = [""]
    for name in sets:
        kind, _, site = name.partition(" ")
        head.append(f"{site} {' / '.join(MEASURES[kind])}")
    head += [f"mean {' / '.join(MEASURES[kind])}" for kind in kinds]
    rows = []
    for engine, scores in figures["engines"].items():
        told = {name: [scores[name][m] for m in MEASURES[name.partition(" ")[0]].values()] for name in sets}
        for kind in kinds:
            same = [told[name] for name in sets if name.startswith(kind)]
            told[f"mean {kind}"] = [sum(column) / len(same) for column in zip(*same, strict=True)]
        rows.append([TITLES[engine], *(" / ".join(f"{value:.3f}" for value in values) for values in told.values())])
    counted = ", ".join(f"{name.partition(' ')[2]} {count}" for name, count in figures["queries"].items())
    return f"Judged queries: {counted}.\n\n{table(head, rows)}"
