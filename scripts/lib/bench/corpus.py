"""Pages to measure with: HTML of Debian's documentation packages, crawled by minisearch from disk.

The packages are real sites that anybody can download by name.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bench import DATA, ROOT, log
from minisearch import Engine
from minisearch.crawl.visit import Task
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Link, Outcome, Page
from minisearch.parse.html import extract
from minisearch.parse.reader import read
from minisearch.urls import normalize

PACKAGES = DATA / "packages"
DOCS = Path("usr", "share", "doc")
SCHEMA = ROOT / "minisearch" / "store" / "schema.sql"
SEED = "http://localhost/"
LOG_EVERY = 2000  # pages


class Corpus(NamedTuple):
    """The same pages for all engines: as an unindexed file of minisearch, and as JSON lines for the peers."""

    folder: Path

    @property
    def database(self) -> Path:
        """The pages for minisearch."""
        return self.folder / "pages.db"

    @property
    def documents(self) -> Path:
        """The pages for the peers; written last, so the corpus is complete if it exists."""
        return self.folder / "documents.jsonl"

    def is_ready(self) -> bool:
        """Whether the corpus is complete and has the current schema."""
        schema = self.folder / "schema.sql"
        return self.documents.exists() and schema.exists() and schema.read_bytes() == SCHEMA.read_bytes()


def build_corpus(folder: Path, bodies: Mapping[str, Callable[[], bytes]]) -> Corpus:
    """Make the corpus of these HTML pages, a reader for each path, in `folder` unless it is there."""
    corpus = Corpus(folder)
    if not corpus.is_ready():
        log(f"reading {len(bodies):,} pages into {corpus.database} (once) ...")
        crawl_corpus(corpus, [SEED], visitor=LocalPages(bodies), scope="host", max_depth=1, max_pages=len(bodies) + 1)
    return corpus


def crawl_corpus(corpus: Corpus, seeds: Iterable[str], **options: object) -> None:
    """Crawl a corpus without indexing it."""
    corpus.folder.mkdir(parents=True, exist_ok=True)
    corpus.documents.unlink(missing_ok=True)
    for leftover in corpus.folder.glob("pages.db*"):
        leftover.unlink()
    shutil.copy(SCHEMA, corpus.folder / "schema.sql")
    with Engine(corpus.database) as engine:
        for count, _ in enumerate(engine.crawling(*seeds, index=False, keep_html=False, **options), start=1):
            if count % LOG_EVERY == 0:
                log(f"  {count:,}")
    partial = corpus.documents.with_suffix(".partial")
    with closing(sqlite3.connect(corpus.database)) as file, partial.open("w", encoding="utf-8") as lines:
        for document in file.execute(
            "SELECT pages.id, urls.url, pages.title, contents.text FROM pages "
            "JOIN urls ON urls.id = pages.url_id JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.canonical_page_id IS NULL AND pages.noindex = '' ORDER BY pages.id"
        ):
            lines.write(json.dumps(document, ensure_ascii=False) + "\n")
    partial.rename(corpus.documents)


class LocalPages:
    """Visitor of a crawl that reads pages from `bodies` instead of the network.

    The seed links to all of them, so that none is missed, and is not indexed.
    """

    def __init__(self, bodies: Mapping[str, Callable[[], bytes]]) -> None:
        self._bodies = {normalize(SEED + quote(path)): body for path, body in bodies.items()}

    def __call__(self, task: Task) -> Outcome | RobotsFile:
        """Do a task."""
        if task.robots:
            return RobotsFile(404)
        if task.url == SEED:
            return Page(SEED, links=tuple(Link(url) for url in self._bodies), noindex="a list of all pages")
        if task.url not in self._bodies:
            return Failed(task.url, "http-404")
        return read(Response(task.url, 200, {"content-type": "text/html"}, self._bodies[task.url]()), extract)


# -- Debian packages -------------------------------------------------------------------------


def page_files(packages: Iterable[str]) -> dict[str, Path]:
    """Every HTML page of some packages by package and path below the site's folder."""
    found: dict[str, Path] = {}
    for package in packages:
        files = html_files(package)
        folder = common_folder(files)
        found |= {f"{package}/{file.relative_to(folder).as_posix()}": file for file in files}
    return found


def html_files(package: str) -> list[Path]:
    """Every HTML page of a package, without symbolic links."""
    found = []
    for folder, _, names in os.walk(unpacked(package) / DOCS):  # does not follow linked folders
        found += [Path(folder, name) for name in names if name.endswith(".html")]
    files = sorted(file for file in found if file.is_file() and not file.is_symlink())
    if not files:
        sys.exit(f"{package} holds no HTML pages")
    return files


def common_folder(files: Iterable[Path]) -> Path:
    """The deepest folder that holds all files.

    >>> common_folder([Path("/html/library/os.html"), Path("/html/index.html")]).as_posix()
    '/html'
    """
    return Path(os.path.commonpath([file.parent for file in files]))


def unpacked(package: str) -> Path:
    """The folder of an unpacked package, downloaded if needed."""
    folder = PACKAGES / package
    if not folder.is_dir():
        archive = downloaded(package)
        if archive is None:
            log(f"downloading {package} ...")
            PACKAGES.mkdir(parents=True, exist_ok=True)
            run("apt-get", "--quiet", "download", package)
            archive = next(PACKAGES.glob(f"{package}_*.deb"))
        log(f"unpacking {archive.name} ...")
        partial = PACKAGES / f"{package}.unpacking"
        shutil.rmtree(partial, ignore_errors=True)
        run("dpkg-deb", "-x", str(archive), str(partial))
        partial.rename(folder)
    return folder


def downloaded(package: str) -> Path | None:
    """The archive of a package, if it was downloaded."""
    return next(PACKAGES.glob(f"{package}_*.deb"), None)


def version(package: str) -> str:
    """The version of a downloaded package; empty if only the unpacked folder is left."""
    archive = downloaded(package)
    return run("dpkg-deb", "--field", str(archive), "Version").strip() if archive else ""


def run(tool: str, *arguments: str) -> str:
    """Run a Debian tool in the folder of packages and return its output; exit with one line if it fails."""
    if shutil.which(tool) is None:
        sys.exit(f"{tool} is missing: the pages are from Debian packages, so run this on Debian or Ubuntu")
    done = subprocess.run([tool, *arguments], cwd=PACKAGES, capture_output=True, text=True, check=False)
    if done.returncode:
        error = (done.stderr.strip().splitlines() or ["no error message"])[-1]
        sys.exit(f'{tool} {" ".join(arguments)} failed: {error} (does "apt-get update" help?)')
    return done.stdout


# -- choices of pages ------------------------------------------------------------------------


def corpus_name(packages: list[str], pages: int) -> str:
    """A folder name for a choice of pages.

    >>> corpus_name(["git-doc"], 20)
    'git-doc-20-e9ef23'
    """
    return f"{packages[0]}-{pages}-{blake2b(' '.join(packages).encode(), digest_size=3).hexdigest()}"


def spread(items: list[str], count: int) -> list[str]:
    """Choose `count` items, evenly spread.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'b', 'd']
    """
    count = min(count, len(items))
    return [items[place * len(items) // count] for place in range(count)]
