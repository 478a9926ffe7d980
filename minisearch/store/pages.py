"""Pages in the file: what was fetched, what it says, and who points at whom."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from minisearch.models import Detail, Heading, Page
from minisearch.store import blobs
from minisearch.store.file import File
from minisearch.store.headings import kept_words
from minisearch.store.likeness import DuplicateCandidate, signed
from minisearch.store.links import link_rows, write_links
from minisearch.store.postings import LAST
from minisearch.store.verdicts import packed

MOST_LETTERS = 20_000  # of the headings of a page that are read to complete one
FACTS = (
    "SELECT pages.id, urls.url, title, description, language, fetched_at, depth, alike "
    "FROM pages JOIN urls ON urls.id = pages.url WHERE pages.id IN"
)
FEW = 16  # pages that are asked for one by one, which takes less time to begin
MOST_PAGES = 2**63 - 1  # no number beyond it can be asked for
MOST_TITLES = 300  # looked at for those that begin as typed
INDEXABLE = "merged_into IS NULL AND noindex = ''"


class StoredPage(NamedTuple):
    """The small facts of a page."""

    id: int
    url: str
    title: str
    description: str
    language: str
    fetched_at: str
    depth: int
    alike: int | None = None  # its group of near-identical pages, if there are others


class PageStore:
    """Reads and writes of `pages`, `contents` and `links`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    # -- writing (inside a transaction) ------------------------------------------------------

    def save(self, url_id: int, page: Page, link_ids: dict[str, int], *, keep_html: bool = True) -> int:
        """Write a page with its links, of whose urls these are the ids."""
        return self.save_with(url_id, page, link_rows(page.links, link_ids), keep_html=keep_html)

    def save_with(
        self,
        url_id: int,
        page: Page,
        links: list[int | str],
        *,
        keep_html: bool = True,
        remark: tuple[str, Detail] | None = None,
    ) -> int:
        """Write a page with the rows of its links; an older version of it is replaced and keeps its id. With a remark
        (rule, detail), its url is settled as fetched, which takes no longer than to say which page it leads to.
        """
        before = self._conn.execute("SELECT id FROM pages WHERE url = ?", (url_id,)).fetchone()
        cursor = self._conn.execute(
            "INSERT OR REPLACE INTO pages (id, url, title, description, language, language_evidence, canonical, "
            "noindex, status, content_type, charset, charset_evidence, etag, last_modified, fetched_at, content_hash, "
            "simhash, words, subject, outline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                before[0] if before else None,
                url_id,
                page.title,
                page.description,
                page.language,
                page.language_evidence,
                page.canonical,
                page.noindex,
                page.status,
                page.content_type,
                page.charset,
                page.charset_evidence,
                page.etag,
                page.last_modified,
                page.fetched_at,
                page.content_hash,
                signed(page.simhash),
                page.words,
                page.subject,
                page.outline,
            ),
        )
        number = int(cursor.lastrowid or 0)
        if remark is None:
            self._conn.execute("UPDATE urls SET page = ? WHERE id = ?", (number, url_id))
        else:
            self._conn.execute(
                "UPDATE urls SET page = ?, state = 'fetched', rule = ?, detail = ?, target = NULL WHERE id = ?",
                (number, remark[0], packed(remark[1]), url_id),
            )
        self._conn.execute(
            "INSERT OR REPLACE INTO contents (page, headings, text, html) VALUES (?, ?, ?, ?)",
            (number, *kept_words(page), page.html if keep_html and not page.noindex else None),
        )
        if before:
            self._conn.execute("DELETE FROM links WHERE page = ?", (number,))
        write_links(self._conn, number, links)
        return number

    def expect_links(self) -> None:
        """A crawl begins. Before the first one nothing is known of who links to a url, and it is found out once all
        links are there: to keep it up to date link by link would take longer than to write them.
        """
        if self._conn.execute("SELECT 1 FROM links").fetchone():
            self.know_in_links()
        else:
            self._conn.execute("DROP INDEX IF EXISTS links_url")

    def know_in_links(self) -> None:
        """See to it that links are found by the url they lead to."""
        self._conn.execute("CREATE INDEX IF NOT EXISTS links_url ON links (url)")

    def merge(self, number: int, into: int | None) -> None:
        """Let another page stand for this one, or none."""
        self._conn.execute("UPDATE pages SET merged_into = ?, segment = NULL WHERE id = ?", (into, number))

    def stand_for(self, url_id: int, page: int | None) -> None:
        """Say which page a url leads to."""
        self._conn.execute("UPDATE urls SET page = ? WHERE id = ? AND page IS NOT ?", (page, url_id, page))

    # -- reading -----------------------------------------------------------------------------

    def duplicate_candidates(self) -> list[DuplicateCandidate]:
        """Every page, with what decides whether it is merged into another."""
        rows = self._conn.execute(
            "SELECT pages.id, urls.id, urls.url, host, depth, canonical, content_hash, simhash, "
            "words, outline, noindex != '', merged_into, urls.page "
            "FROM pages JOIN urls ON urls.id = pages.url ORDER BY pages.id"
        )
        return [*map(DuplicateCandidate._make, rows)]

    def count(self, crawl: int) -> int:
        """How many pages a crawl has fetched."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM pages JOIN urls ON urls.id = pages.url WHERE crawl = ?", (crawl,)
        ).fetchone()
        return int(count)

    def count_indexed(self, crawl: int) -> int:
        """How many pages of a crawl are in the index."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM pages JOIN urls ON urls.id = pages.url WHERE crawl = ? AND segment IS NOT NULL",
            (crawl,),
        ).fetchone()
        return int(count)

    def counts(self) -> dict[str, int]:
        """Pages and links, counted."""
        names = ("pages", "indexed", "merged", "links")
        row = self._conn.execute(
            "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM pages WHERE segment IS NOT NULL), "
            "(SELECT count(*) FROM pages WHERE merged_into IS NOT NULL), (SELECT count(*) FROM links)"
        ).fetchone()
        return dict(zip(names, row, strict=True))

    def size(self) -> int:
        """How many pages there are."""
        return int(self._conn.execute("SELECT count(*) FROM pages").fetchone()[0])

    def unindexed(self) -> int:
        """How many pages wait to be indexed."""
        (count,) = self._conn.execute(f"SELECT count(*) FROM pages WHERE segment IS NULL AND {INDEXABLE}").fetchone()
        return int(count)

    def ids_to_index(self, *, again: bool = False) -> list[int]:
        """The pages that wait to be indexed; those that are in the index as well, if all are to be indexed again."""
        rows = self._conn.execute(
            f"SELECT id FROM pages WHERE (segment IS NULL OR ?) AND {INDEXABLE} ORDER BY id", (again,)
        )
        return [number for (number,) in rows]

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """(page, page, how often) for every followed link both of whose ends we hold.

        A link to an alias counts for the page that stands for it; an alias's own links do not count.
        """
        return iter(
            self._conn.execute(
                "SELECT pages.id, urls.page, count FROM links "
                "JOIN pages ON pages.id = links.page JOIN urls ON urls.id = links.url "
                "WHERE urls.page IS NOT NULL AND NOT nofollow AND pages.merged_into IS NULL"
            )
        )

    def anchors(self) -> list[tuple[int, str, str]]:
        """(page, anchor text, language of the linking page): the different texts of links to each page, in order."""
        return self._conn.execute(
            "SELECT target.id, anchor, text.language FROM (SELECT DISTINCT urls.page, anchor, source.language "
            "FROM pages AS source CROSS JOIN links ON links.page = source.id "
            "CROSS JOIN urls ON urls.id = links.url AND urls.page <> source.id "
            "WHERE source.merged_into IS NULL AND NOT nofollow AND anchor <> '') AS text "
            "JOIN pages AS target ON target.id = text.page "
            "WHERE target.merged_into IS NULL AND target.noindex = '' ORDER BY 1, 2, 3"
        ).fetchall()

    def nodes(self) -> list[int]:
        """The pages of the link graph: fetched, and not merged into another."""
        rows = self._conn.execute("SELECT id FROM pages WHERE merged_into IS NULL ORDER BY id")
        return [number for (number,) in rows]

    def languages(self) -> list[str]:
        """The languages that pages say they are in."""
        return [tag for (tag,) in self._conn.execute("SELECT DISTINCT language FROM pages")]

    def in_languages(self, tags: list[str]) -> list[int]:
        """The pages that say they are in one of some languages."""
        marks = ", ".join("?" * len(tags))
        rows = self._conn.execute(f"SELECT id FROM pages WHERE language IN ({marks})", tags)
        return [number for (number,) in rows]

    def headings(self, numbers: list[int]) -> list[str]:
        """The headings of some pages, page by page; those of pages with very many are left out."""
        marks = ", ".join("?" * len(numbers))
        rows = self._conn.execute(
            f"SELECT page, substr(headings, 1, {MOST_LETTERS}) FROM contents WHERE page IN ({marks})", numbers
        )
        known = {page: headings for page, headings in rows if len(headings) < MOST_LETTERS}
        return [heading[1] for number in numbers if number in known for heading in json.loads(known[number])]

    def hosts(self) -> list[str]:
        """The hosts that have pages: an index look-up for each."""
        rows = self._conn.execute(
            "WITH RECURSIVE found (host) AS (SELECT min(host) FROM urls WHERE page IS NOT NULL UNION ALL "
            "SELECT (SELECT min(host) FROM urls WHERE page IS NOT NULL AND urls.host > found.host) FROM found "
            "WHERE found.host IS NOT NULL) SELECT host FROM found WHERE host IS NOT NULL"
        )
        return [host for (host,) in rows]

    def urls_on(self, hosts: Iterable[str]) -> list[str]:
        """The urls of the pages of some hosts."""
        rows = self._conn.execute(
            "SELECT url FROM urls WHERE host IN (SELECT value FROM json_each(?)) AND page IS NOT NULL "
            "AND id IN (SELECT url FROM pages)",
            (json.dumps([*hosts]),),
        )
        return [url for (url,) in rows]

    def titles_beginning(self, typed: str, limit: int) -> list[str]:
        """Titles of indexed pages that begin with `typed`, whatever their case; the shorter ones of some hundreds."""
        typed = typed.encode("utf-8", "replace").decode()
        ways = {typed}
        if not typed.isascii():  # SQLite takes no other letters of another case for the same
            ways |= {typed.lower(), typed.capitalize(), typed.title(), typed.upper()}
        found: set[str] = set()
        for begun in ways:
            rows = self._conn.execute(
                "SELECT title FROM pages WHERE title COLLATE NOCASE >= ? AND title COLLATE NOCASE < ? "
                "AND segment IS NOT NULL LIMIT ?",
                (begun, begun + LAST, MOST_TITLES),
            )
            found.update(title for (title,) in rows)
        return sorted(found, key=lambda title: (len(title), title))[:limit]

    def id_of(self, url: str) -> int | None:
        """The page that stands for a url, if we hold it."""
        row = self._conn.execute("SELECT page FROM urls WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def ids_of(self, urls: Iterable[str]) -> dict[str, int]:
        """The pages that stand for some urls; those that we do not hold are left out."""
        rows = self._conn.execute(
            "SELECT url, page FROM urls WHERE url IN (SELECT value FROM json_each(?)) AND page IS NOT NULL",
            (json.dumps([*urls]),),
        )
        return dict(rows.fetchall())

    def get(self, numbers: Iterable[int]) -> dict[int, StoredPage]:
        """The facts of some pages."""
        wanted = [number for number in numbers if 0 < number <= MOST_PAGES]
        if len(wanted) <= FEW:  # one statement whatever their number, so that it is prepared once
            rows = self._conn.execute(f"{FACTS} ({', '.join('?' * FEW)})", wanted + [None] * (FEW - len(wanted)))
        else:
            rows = self._conn.execute(f"{FACTS} (SELECT value FROM json_each(?))", (json.dumps(wanted),))
        return {row[0]: StoredPage(*row) for row in rows}

    def urls(self, numbers: Iterable[int]) -> dict[int, str]:
        """The urls of some pages."""
        return dict(
            self._conn.execute(
                "SELECT pages.id, urls.url FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value "
                "JOIN urls ON urls.id = pages.url",
                (json.dumps([*numbers]),),
            )
        )

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The visible text of a page, and its headings."""
        row = self._conn.execute("SELECT text, headings FROM contents WHERE page = ?", (number,)).fetchone()
        return (row[0], [Heading(*heading) for heading in json.loads(row[1])]) if row else ("", [])

    def openings(self, numbers: Iterable[int], length: int) -> dict[int, tuple[str, list[list[Any]]]]:
        """The first `length` letters of the text of some pages, and all their headings: [level, text, start, id]."""
        wanted = ", ".join(str(int(number)) for number in numbers)
        rows = self._conn.execute(f"SELECT page, headings FROM contents WHERE page IN ({wanted})").fetchall()
        return {
            page: (blobs.letters(self._conn, "contents", "text", page, length), json.loads(headings))
            for page, headings in rows
        }

    def in_links(self, number: int) -> list[dict[str, Any]]:
        """Who links to a page: {url, anchor, page} of the linking page."""
        rows = self._conn.execute(
            "SELECT source.url, links.anchor, pages.id FROM urls AS told "
            "JOIN links ON links.url = told.id JOIN pages ON pages.id = links.page "
            "JOIN urls AS source ON source.id = pages.url "
            "WHERE told.page = ? AND NOT nofollow AND pages.merged_into IS NULL AND pages.id != ? ORDER BY pages.id",
            (number, number),
        )
        return [{"url": url, "anchor": anchor, "page": page} for url, anchor, page in rows]
