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
    "SELECT pages.id, urls.url, title, description, language, fetched_at, depth, near_duplicate_group "
    "FROM pages JOIN urls ON urls.id = pages.url_id WHERE pages.id IN"
)
FEW = 16  # pages that are asked for one by one, which takes less time to begin
MOST_PAGES = 2**63 - 1  # no number beyond it can be asked for
MOST_TITLES = 300  # looked at for those that begin as typed
INDEXABLE = "canonical_page_id IS NULL AND noindex = ''"


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
        before = self._conn.execute("SELECT id FROM pages WHERE url_id = ?", (url_id,)).fetchone()
        cursor = self._conn.execute(
            "INSERT OR REPLACE INTO pages (id, url_id, title, description, language, language_evidence, canonical, "
            "noindex, status, content_type, charset, charset_evidence, etag, last_modified, fetched_at, content_hash, "
            "simhash, own_word_count, title_hash, skeleton_hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            self._conn.execute("UPDATE urls SET page_id = ? WHERE id = ?", (number, url_id))
        else:
            self._conn.execute(
                "UPDATE urls SET page_id = ?, state = 'fetched', rule = ?, detail = ?, redirect_target_id = NULL "
                "WHERE id = ?",
                (number, remark[0], packed(remark[1]), url_id),
            )
        self._conn.execute(
            "INSERT OR REPLACE INTO contents (page_id, headings, text, html) VALUES (?, ?, ?, ?)",
            (number, *kept_words(page), page.html if keep_html and not page.noindex else None),
        )
        if before:
            self._conn.execute("DELETE FROM links WHERE page_id = ?", (number,))
        write_links(self._conn, number, links)
        return number

    def merge(self, number: int, into: int | None) -> None:
        """Let another page stand for this one, or none."""
        self._conn.execute("UPDATE pages SET canonical_page_id = ?, segment_id = NULL WHERE id = ?", (into, number))

    def stand_for(self, url_id: int, page: int | None) -> None:
        """Say which page a url leads to."""
        self._conn.execute("UPDATE urls SET page_id = ? WHERE id = ? AND page_id IS NOT ?", (page, url_id, page))

    # -- reading -----------------------------------------------------------------------------

    def duplicate_candidates(self) -> list[DuplicateCandidate]:
        """Every page, with what decides whether it is merged into another."""
        rows = self._conn.execute(
            "SELECT pages.id, urls.id, urls.url, host, depth, canonical, content_hash, simhash, "
            "own_word_count, skeleton_hash, noindex != '', canonical_page_id, urls.page_id "
            "FROM pages JOIN urls ON urls.id = pages.url_id ORDER BY pages.id"
        )
        return [*map(DuplicateCandidate._make, rows)]

    def count(self, crawl: int) -> int:
        """How many pages a crawl has fetched."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ?", (crawl,)
        ).fetchone()
        return int(count)

    def count_indexed(self, crawl: int) -> int:
        """How many pages of a crawl are in the index."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ? "
            "AND segment_id IS NOT NULL",
            (crawl,),
        ).fetchone()
        return int(count)

    def counts(self) -> dict[str, int]:
        """Pages and links, counted."""
        names = ("pages", "indexed", "merged", "links")
        row = self._conn.execute(
            "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM pages WHERE segment_id IS NOT NULL), "
            "(SELECT count(*) FROM pages WHERE canonical_page_id IS NOT NULL), (SELECT count(*) FROM links)"
        ).fetchone()
        return dict(zip(names, row, strict=True))

    def size(self) -> int:
        """How many pages there are."""
        return int(self._conn.execute("SELECT count(*) FROM pages").fetchone()[0])

    def unindexed(self) -> int:
        """How many pages wait to be indexed."""
        (count,) = self._conn.execute(f"SELECT count(*) FROM pages WHERE segment_id IS NULL AND {INDEXABLE}").fetchone()
        return int(count)

    def ids_to_index(self, *, again: bool = False) -> list[int]:
        """The pages that wait to be indexed; those that are in the index as well, if all are to be indexed again."""
        rows = self._conn.execute(
            f"SELECT id FROM pages WHERE (segment_id IS NULL OR ?) AND {INDEXABLE} ORDER BY id", (again,)
        )
        return [number for (number,) in rows]

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """(page, page, how often) for every followed link both of whose ends we hold.

        A link to an alias counts for the page that stands for it; an alias's own links do not count.
        """
        return iter(
            self._conn.execute(
                "SELECT pages.id, urls.page_id, count FROM links "
                "JOIN pages ON pages.id = links.page_id JOIN urls ON urls.id = links.url_id "
                "WHERE urls.page_id IS NOT NULL AND NOT nofollow AND pages.canonical_page_id IS NULL"
            )
        )

    def anchors(self) -> list[tuple[int, str, str]]:
        """(page, anchor text, language of the linking page): the different texts of links to each page, in order."""
        return self._conn.execute(
            "SELECT target.id, anchor, text.language FROM (SELECT DISTINCT urls.page_id, anchor, source.language "
            "FROM pages AS source CROSS JOIN links ON links.page_id = source.id "
            "CROSS JOIN urls ON urls.id = links.url_id AND urls.page_id <> source.id "
            "WHERE source.canonical_page_id IS NULL AND NOT nofollow AND anchor <> '') AS text "
            "JOIN pages AS target ON target.id = text.page_id "
            "WHERE target.canonical_page_id IS NULL AND target.noindex = '' ORDER BY 1, 2, 3"
        ).fetchall()

    def nodes(self) -> list[int]:
        """The pages of the link graph: fetched, and not merged into another."""
        rows = self._conn.execute("SELECT id FROM pages WHERE canonical_page_id IS NULL ORDER BY id")
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
            f"SELECT page_id, substr(headings, 1, {MOST_LETTERS}) FROM contents WHERE page_id IN ({marks})", numbers
        )
        known = {page: headings for page, headings in rows if len(headings) < MOST_LETTERS}
        return [heading[1] for number in numbers if number in known for heading in json.loads(known[number])]

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
                "AND segment_id IS NOT NULL LIMIT ?",
                (begun, begun + LAST, MOST_TITLES),
            )
            found.update(title for (title,) in rows)
        return sorted(found, key=lambda title: (len(title), title))[:limit]

    def id_of(self, url: str) -> int | None:
        """The page that stands for a url, if we hold it."""
        row = self._conn.execute("SELECT page_id FROM urls WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

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
                "JOIN urls ON urls.id = pages.url_id",
                (json.dumps([*numbers]),),
            )
        )

    def text(self, number: int) -> tuple[str, list[Heading]]:
        """The visible text of a page, and its headings."""
        row = self._conn.execute("SELECT text, headings FROM contents WHERE page_id = ?", (number,)).fetchone()
        return (row[0], [Heading(*heading) for heading in json.loads(row[1])]) if row else ("", [])

    def openings(self, numbers: Iterable[int], length: int) -> dict[int, tuple[str, list[list[Any]]]]:
        """The first `length` letters of the text of some pages, and all their headings: [level, text, start, id]."""
        wanted = ", ".join(str(int(number)) for number in numbers)
        rows = self._conn.execute(f"SELECT page_id, headings FROM contents WHERE page_id IN ({wanted})").fetchall()
        return {
            page: (blobs.letters(self._conn, "contents", "text", page, length), json.loads(headings))
            for page, headings in rows
        }

    def in_links(self, number: int) -> list[dict[str, Any]]:
        """Who links to a page: {url, anchor, page} of the linking page."""
        rows = self._conn.execute(
            "SELECT source.url, links.anchor, pages.id FROM urls AS told "
            "JOIN links ON links.url_id = told.id JOIN pages ON pages.id = links.page_id "
            "JOIN urls AS source ON source.id = pages.url_id "
            "WHERE told.page_id = ? AND NOT nofollow AND pages.canonical_page_id IS NULL AND pages.id != ? "
            "ORDER BY pages.id",
            (number, number),
        )
        return [{"url": url, "anchor": anchor, "page": page} for url, anchor, page in rows]
