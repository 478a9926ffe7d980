"""A site of a few hundred pages to be crawled under harm, and the means to compare what came of it."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest

from minisearch.engine import Engine
from minisearch.index.codec import ANCHOR_FIELDS, PAGE_FIELDS, decode_block, decode_columns
from minisearch.testing.server import SiteServer

PAGES = 300
OPTIONS = ("--max-pages", 1000, "--workers", 2)
SYLLABLES = [start + end for start in ("ba", "do", "ki", "lu", "me", "ru") for end in ("ran", "sil", "tov", "pek")]
WORDS = [first + second for first in SYLLABLES for second in SYLLABLES]
QUERIES = (WORDS[0], WORDS[1], f"{WORDS[2]} {WORDS[3]}", f"{WORDS[0]} {WORDS[5]} {WORDS[9]}", "chapter", "twin")


def make_site():
    """{path: answer}: a tree with cross links, redirects, twins, dead ends and closed doors."""
    random = Random(7)
    words = lambda count: " ".join(random.choices(WORDS, weights=range(len(WORDS), 0, -1), k=count))  # noqa: E731
    kind = {"Content-Type": "text/html"}

    def page(number):
        near = [child for child in range(4 * number + 1, 4 * number + 5) if child < PAGES]
        far = random.sample(range(PAGES), 3)
        links = [f'<a href="/{target}.html">{words(2)}</a>' for target in near + far]
        links += [f'<a rel=nofollow href="/{random.randrange(PAGES)}.html">{words(1)}</a>']
        links += random.sample(
            [
                f'<a href="/old/{random.randrange(40)}">old</a>',
                f'<a href="/twin/{random.randrange(6)}.html">twin</a>',
                '<a href="/gone.html">gone</a>',
                '<a href="/shed/x">shed</a>',
                '<a rel=nofollow href="/ad.html">ad</a>',
            ],
            2,
        )
        canonical = f'<link rel=canonical href="/{number - 1}.html">' if number % 50 == 49 else ""
        hidden = "<meta name=robots content=noindex>" if number % 70 == 69 else ""
        body = f"<title>{words(2)} {number}</title>{canonical}{hidden}<h1>Chapter {words(2)}</h1>"
        return 200, kind, f"{body}<p>{words(40)}</p>{' '.join(links)}".encode()

    site = {f"/{number}.html": page(number) for number in range(PAGES)}
    site |= {f"/twin/{n}.html": (200, kind, b"<title>twin</title><p>We say the same.") for n in range(6)}
    site |= {f"/old/{n}": (301, {"Location": f"/old/{n + 20}" if n < 20 else f"/{n}.html"}, b"") for n in range(40)}
    site["/robots.txt"] = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /shed/")
    return site


class Site:
    """The site being served; `asked` counts requests by path."""

    def __init__(self):
        self.server = SiteServer(routes=make_site())

    @property
    def asked(self):
        return Counter(path for _, path in tuple(self.server.requests))

    def wait_for(self, count, child):
        """Return when so many requests have come in, or nothing more will come."""
        while len(self.server.requests) < count and child.poll() is None:
            time.sleep(0.002)


@pytest.fixture(scope="session")
def site():
    site = Site()
    with site.server as base:
        site.start = f"{base}/0.html"
        yield site


class Run(subprocess.Popen):
    """The real command at work. What it says is heard as it is said."""

    def __init__(self, *words, **options):
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-m", "minisearch", *map(str, words)]
        super().__init__(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, **options)
        self.lines = {self.stdout: [], self.stderr: []}
        self._ears = [threading.Thread(target=lines.extend, args=(pipe,)) for pipe, lines in self.lines.items()]
        for ear in self._ears:
            ear.start()

    def hear(self, words, seconds=30):
        """Wait until these words are said on stderr."""
        until = time.monotonic() + seconds
        while words not in self.talk and self.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
        assert words in self.talk

    def finish(self, seconds=30):
        """Wait for the end; gives the exit code."""
        try:
            self.wait(seconds)
        finally:
            self.kill()
            for ear in self._ears:
                ear.join()
            self.stdout.close()
            self.stderr.close()
        return self.returncode

    @property
    def output(self):
        """What it says on stdout."""
        return "".join(self.lines[self.stdout])

    @property
    def talk(self):
        """What it says on stderr."""
        return "".join(self.lines[self.stderr])


@pytest.fixture
def crawl(site):
    """Start the command that crawls the site into a file."""
    runs = []

    def start(db, *words, **options):
        runs.append(Run("crawl", site.start, "--db", db, *OPTIONS, *words, **options))
        return runs[-1]

    yield start
    for run in runs:
        run.finish()


def integrity(db, scratch):
    """What SQLite says about the file, asked of a copy so that nothing is mended on the way.

    Another process makes the copy: to close a file that SQLite has open is to drop SQLite's locks on it.
    """
    if not db.exists():
        return "ok"
    copy = scratch / "copy.db"
    for suffix in ("", "-wal"):
        Path(f"{copy}{suffix}").unlink(missing_ok=True)
        if Path(f"{db}{suffix}").exists():
            subprocess.run(["cp", f"{db}{suffix}", f"{copy}{suffix}"], check=True)
    with closing(sqlite3.connect(copy)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
    return dangling or verdict


def contents(db):
    """All that a file says, without the numbers and times that differ from crawl to crawl."""
    with Engine(db, create=False) as engine:
        sql = lambda query: sorted(engine.store.db.conn.execute(query).fetchall(), key=repr)  # noqa: E731
        return {
            "pages": sql(
                "SELECT urls.url, title, text, content_hash, urls.depth, noindex, kept.url FROM pages "
                "JOIN urls ON urls.id = pages.url_id JOIN contents ON contents.page_id = pages.id "
                "LEFT JOIN (SELECT id, url_id FROM pages) AS first ON first.id = canonical_page_id "
                "LEFT JOIN urls AS kept ON kept.id = first.url_id"
            ),
            "links": sql("SELECT linked_from, url, anchor, nofollow, count FROM in_links"),
            "verdicts": sql(
                "SELECT urls.url, urls.state, urls.rule, urls.detail, leads_to, shown.url FROM urls "
                "JOIN url_status ON url_status.url_id = urls.id "
                "LEFT JOIN pages ON pages.id = urls.page_id LEFT JOIN urls AS shown ON shown.id = pages.url_id"
            ),
            "terms": sorted(frequencies(engine.store).items()),
            "ranks": dict(sql("SELECT url, score FROM top_pages WHERE ranking = 'pagerank'")),
            "hits": {query: {hit.url: hit.score for hit in engine.search(query, limit=999).hits} for query in QUERIES},
        }


def frequencies(store):
    """{(kind, term): how many pages have it}."""
    found = Counter()
    conn = store.db.conn
    for segment in store.postings.segments():
        fields = len(PAGE_FIELDS if segment.kind == "page" else ANCHOR_FIELDS)
        pages = np.cumsum(decode_columns(segment.pages, 1)[0])
        live = np.isin(pages, segment.live) if segment.live is not None else np.ones(len(pages), dtype=bool)
        blocks = conn.execute("SELECT id, docs FROM blocks WHERE segment_id = ?", (segment.id,))
        decoded = {block: decode_block(docs, fields) for block, docs in blocks}
        for term, df, block, place in conn.execute(
            "SELECT term, df, block_id, place FROM terms WHERE segment_id = ?", (segment.id,)
        ):
            docs = decoded[block].postings(place).docs
            assert len(docs) == df
            found[segment.kind, term] += int(live[docs].sum())
    return +found


def same(one, other):
    """Whether two files say the same; numbers may differ in the last digits."""
    for part in ("pages", "links", "verdicts", "terms"):
        assert one[part] == other[part], f"the {part} differ"
    assert one["ranks"] == pytest.approx(other["ranks"], abs=1e-12)
    for query in QUERIES:
        assert one["hits"][query] == pytest.approx(other["hits"][query], abs=1e-12)
    return True


@pytest.fixture(scope="session")
def undisturbed(site, tmp_path_factory):
    """What a crawl that nothing happened to leaves in its file."""
    db = tmp_path_factory.mktemp("undisturbed") / "web.db"
    assert Run("crawl", site.start, "--db", db, *OPTIONS).finish() == 0
    return contents(db)


@pytest.fixture
def check():
    """The checks of this file, for tests to use."""

    class Checks:
        integrity, contents, same = staticmethod(integrity), staticmethod(contents), staticmethod(same)

    return Checks
