"""Pages in the file: fetched documents, their texts and links, and which of them are duplicates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import Damaged, StoreError
from minisearch.models import Heading, Link, Page
from minisearch.store.base import TableStore, json_list
from minisearch.store.postings import LAST

MAX_HEADINGS = 20_000  # characters of the headings of a page that are read for completions
MAX_TITLES = 300  # with one prefix that are compared
INDEXABLE = "canonical_page_id IS NULL AND noindex = ''"
COLUMNS_OF_PAGE = (  # that have the names of its attributes
    *("title", "description", "language", "language_evidence", "canonical", "noindex", "status", "content_type"),
    *("charset", "charset_evidence", "etag", "last_modified", "fetched_at", "content_hash"),
)

PageIds = NDArray[np.int64]


class StoredPage(NamedTuple):
    """The small facts of a page."""

    id: int
    url: str
    title: str
    language: str
    fetched_at: str
    near_duplicate_group: int | None = None  # None: there are no near-duplicates


class DuplicateCandidate(NamedTuple):
    """What decides whether a page is merged into another."""

    id: int
    url_id: int
    url: str
    host: str
    depth: int
    canonical: str
    content_hash: str
    simhash: int | None
    words: int
    outline: str
    noindex: int  # a truth value, as SQLite has them
    canonical_page_id: int | None
    leads_to: int | None  # the page that its URL leads to, as is known so far


class PageStore(TableStore):
    """Reads and writes of `pages`, `contents` and `links`. Writes need a transaction."""

    # -- writing -------------------------------------------------------------------------------

    def save(self, url_id: int, page: Page, link_ids: Mapping[str, int], *, keep_html: bool = True) -> int:
        """Write a page and its links, and return its id. An older version is replaced and keeps its id.

        `link_ids` are the ids of the linked URLs.
        """
        old = self._value("SELECT id FROM pages WHERE url_id = ?", (url_id,))
        row = {
            "id": old,
            "url_id": url_id,
            **{name: getattr(page, name) for name in COLUMNS_OF_PAGE},
            "simhash": signed(page.simhash),
            "own_word_count": page.words,
            "title_hash": page.subject,
            "skeleton_hash": page.outline,
        }
        columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
        cursor = self._conn.execute(f"INSERT OR REPLACE INTO pages ({columns}) VALUES ({values})", row)
        page_id = int(cursor.lastrowid or 0)
        self._conn.execute("UPDATE urls SET page_id = ? WHERE id = ?", (page_id, url_id))
        self._conn.execute(
            "INSERT OR REPLACE INTO contents (page_id, headings, text, html) VALUES (?, ?, ?, ?)",
            (page_id, *stored_text(page), page.html if keep_html and not page.noindex else None),
        )
        if old is not None:
            self._conn.execute("DELETE FROM links WHERE page_id = ?", (page_id,))
        self._save_links(page_id, page.links, link_ids)
        return page_id

    def _save_links(self, page_id: int, links: Iterable[Link], ids: Mapping[str, int]) -> None:
        self._conn.executemany(
            "INSERT INTO links (page_id, position, url_id, anchor, nofollow, count, fragment) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (page_id, position, ids[url], anchor, nofollow, count, fragment)
                for position, ((url, anchor, nofollow, fragment), count) in enumerate(Counter(links).items())
            ],
        )

    def set_canonical(self, page_id: int, canonical_page_id: int | None) -> None:
        """Make a page a duplicate of another one, or of none. It is indexed again, if at all."""
        self._conn.execute(
            "UPDATE pages SET canonical_page_id = ?, segment_id = NULL WHERE id = ?", (canonical_page_id, page_id)
        )

    def set_target(self, url_id: int, page_id: int | None) -> None:
        """Set the page that a URL finally leads to."""
        self._conn.execute("UPDATE urls SET page_id = ? WHERE id = ? AND page_id IS NOT ?", (page_id, url_id, page_id))

    def set_near_duplicates(self, groups: Mapping[int, int]) -> None:
        """Replace the groups of near-duplicates: the group of each page that has one."""
        known = dict(self._rows("SELECT id, near_duplicate_group FROM pages WHERE near_duplicate_group IS NOT NULL"))
        changed = [(groups.get(page), page) for page in known.keys() | groups if known.get(page) != groups.get(page)]
        self._conn.executemany("UPDATE pages SET near_duplicate_group = ? WHERE id = ?", changed)

    # -- counting ------------------------------------------------------------------------------

    def count(self, crawl: int) -> int:
        """The number of pages that a crawl has fetched."""
        return self._count("pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ?", crawl)

    def count_indexed(self, crawl: int) -> int:
        """The number of pages of a crawl that are in the index."""
        return self._count(
            "pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ? AND segment_id IS NOT NULL", crawl
        )

    def count_pending(self) -> int:
        """The number of pages that are to be indexed."""
        return self._count(f"pages WHERE segment_id IS NULL AND {INDEXABLE}")

    def size(self) -> int:
        """The number of pages."""
        return self._count("pages")

    def counts(self) -> dict[str, int]:
        """The numbers of pages and links."""
        return {
            "pages": self.size(),
            "indexed": self._count("pages WHERE segment_id IS NOT NULL"),
            "merged": self._count("pages WHERE canonical_page_id IS NOT NULL"),
            "links": self._count("links"),
        }

    def _count(self, rows: str, *values: int) -> int:
        return int(self._value(f"SELECT count(*) FROM {rows}", values))

    # -- pages ---------------------------------------------------------------------------------

    def id_of(self, url: str) -> int | None:
        """Return the id of the page that a URL leads to; None if it is not in the file."""
        page_id: int | None = self._value("SELECT page_id FROM urls WHERE url = ?", (url,))
        return page_id

    def ids_of(self, urls: Iterable[str]) -> dict[str, int]:
        """The ids of the pages that URLs lead to; those that are not in the file are left out."""
        query = "SELECT url, page_id FROM json_each(?) JOIN urls ON url = value WHERE page_id IS NOT NULL"
        return dict(self._rows(query, (json_list(urls),)))

    def get(self, page_ids: Iterable[int]) -> dict[int, StoredPage]:
        """The small facts of pages, by id."""
        rows = self._rows(
            "SELECT pages.id, urls.url, title, language, fetched_at, near_duplicate_group "
            "FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value JOIN urls ON urls.id = pages.url_id",
            (json_list(page_ids),),
        )
        return {row[0]: StoredPage(*row) for row in rows}

    def indexed(self, page_ids: Iterable[int]) -> dict[int, StoredPage]:
        """The small facts of pages that the index names; Damaged if one of them is not in the file."""
        wanted = set(page_ids)
        found = self.get(wanted)
        if len(found) < len(wanted):
            raise Damaged
        return found

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """The URLs of pages, by id."""
        rows = self._rows(
            "SELECT pages.id, urls.url FROM json_each(?) AS wanted JOIN pages ON pages.id = wanted.value "
            "JOIN urls ON urls.id = pages.url_id",
            (json_list(page_ids),),
        )
        return dict(rows)

    def all_urls(self) -> tuple[list[str], PageIds]:
        """The URL of every page, and the ids of these pages."""
        rows = self._rows("SELECT urls.url, pages.id FROM pages JOIN urls ON urls.id = pages.url_id")
        return [url for url, _ in rows], np.array([page_id for _, page_id in rows], dtype=np.int64)

    def sorted_by_url(self) -> PageIds:
        """The ids of all pages in the order of their URLs."""
        rows = self._conn.execute("SELECT pages.id FROM urls JOIN pages ON pages.url_id = urls.id ORDER BY urls.url")
        return np.fromiter(chain.from_iterable(rows), dtype=np.int64)

    def final_urls(self) -> list[tuple[str, str]]:
        """(url, URL of the page) for every URL that leads to a page of the file."""
        return self._rows(
            "SELECT urls.url, own.url FROM urls JOIN pages ON pages.id = urls.page_id "
            "JOIN urls AS own ON own.id = pages.url_id"
        )

    def nodes(self) -> list[int]:
        """The pages of the link graph: fetched, and no duplicates."""
        return self._column("SELECT id FROM pages WHERE canonical_page_id IS NULL ORDER BY id")

    def pending(self, *, rebuild: bool = False) -> list[int]:
        """The pages that are to be indexed; with `rebuild`, all that can be."""
        which = INDEXABLE if rebuild else f"segment_id IS NULL AND {INDEXABLE}"
        return self._column(f"SELECT id FROM pages WHERE {which} ORDER BY id")

    def languages(self) -> list[str]:
        """The languages of pages."""
        return self._column("SELECT DISTINCT language FROM pages")

    def in_languages(self, tags: list[str]) -> list[int]:
        """The pages in some languages."""
        return self._column(
            "SELECT id FROM pages WHERE language IN (SELECT value FROM json_each(?))", (json_list(tags),)
        )

    def hosts(self) -> list[str]:
        """The hosts that have pages: an index look-up for each."""
        return self._column(
            "WITH RECURSIVE found (host) AS (SELECT min(host) FROM urls WHERE page_id IS NOT NULL UNION ALL "
            "SELECT (SELECT min(host) FROM urls WHERE page_id IS NOT NULL AND urls.host > found.host) FROM found "
            "WHERE found.host IS NOT NULL) SELECT host FROM found WHERE host IS NOT NULL"
        )

    def urls_on(self, hosts: Iterable[str]) -> list[str]:
        """The URLs of the pages of some hosts."""
        return self._column(
            "SELECT url FROM urls WHERE host IN (SELECT value FROM json_each(?)) AND page_id IS NOT NULL "
            "AND id IN (SELECT url_id FROM pages)",
            (json_list(hosts),),
        )

    def titles_with_prefix(self, prefix: str, limit: int) -> list[str]:
        """The shortest titles of indexed pages that begin so, in upper or lower case."""
        prefix = prefix.encode("utf-8", "replace").decode()
        prefixes = {prefix}
        if not prefix.isascii():  # SQLite compares only ASCII letters without case
            prefixes |= {prefix.lower(), prefix.capitalize(), prefix.title(), prefix.upper()}
        found: set[str] = set()
        for begin in prefixes:
            found.update(
                self._column(
                    "SELECT title FROM pages WHERE title COLLATE NOCASE >= ? AND title COLLATE NOCASE < ? "
                    "AND segment_id IS NOT NULL LIMIT ?",
                    (begin, begin + LAST, MAX_TITLES),
                )
            )
        return sorted(found, key=lambda title: (len(title), title))[:limit]

    # -- texts ---------------------------------------------------------------------------------

    def text(self, page_id: int) -> tuple[str, list[Heading]]:
        """The visible text of a page, and its headings."""
        for text, headings in self._rows("SELECT text, headings FROM contents WHERE page_id = ?", (page_id,)):
            return text, [Heading(*heading) for heading in read_headings(headings)]
        return "", []

    def openings(self, page_ids: Iterable[int], length: int) -> dict[int, tuple[str, list[list[Any]]]]:
        """The first `length` characters of the texts of pages, and all their headings: [level, text, start, id]."""
        rows = self._rows(
            "SELECT page_id, substr(text, 1, ?), headings FROM contents "
            "WHERE page_id IN (SELECT value FROM json_each(?))",
            (length, json_list(page_ids)),
        )
        return {page_id: (text, read_headings(headings)) for page_id, text, headings in rows}

    def headings(self, page_ids: list[int]) -> list[str]:
        """The headings of pages, page by page; those of pages with very many are left out."""
        stored = self._column(
            "SELECT headings FROM json_each(?) JOIN contents ON page_id = value "
            f"WHERE length(headings) < {MAX_HEADINGS} ORDER BY key",
            (json_list(page_ids),),
        )
        return [heading[1] for headings in stored for heading in read_headings(headings)]

    # -- links ---------------------------------------------------------------------------------

    def anchor_texts(self) -> Iterator[tuple[int, str, str]]:
        """(page, anchor text, language of the linking page): the different texts of links to each page, in order."""
        return self._conn.execute(
            "SELECT target.id, anchor, text.language FROM (SELECT DISTINCT urls.page_id, anchor, source.language "
            "FROM pages AS source CROSS JOIN links ON links.page_id = source.id "
            "CROSS JOIN urls ON urls.id = links.url_id AND urls.page_id <> source.id "
            "WHERE source.canonical_page_id IS NULL AND NOT nofollow AND anchor <> '') AS text "
            "JOIN pages AS target ON target.id = text.page_id "
            "WHERE target.canonical_page_id IS NULL AND target.noindex = '' ORDER BY 1, 2, 3"
        )

    # -- duplicates ----------------------------------------------------------------------------

    def duplicate_candidates(self) -> list[DuplicateCandidate]:
        """Every page, with what decides whether it is a duplicate."""
        rows = self._conn.execute(
            "SELECT pages.id, urls.id, urls.url, host, depth, canonical, content_hash, simhash, own_word_count, "
            "skeleton_hash, noindex != '', canonical_page_id, urls.page_id "
            "FROM pages JOIN urls ON urls.id = pages.url_id ORDER BY pages.id"
        )
        return [DuplicateCandidate(*row) for row in rows]

    def fingerprints(self) -> list[tuple[int, int, int, int]]:
        """(page, title hash, simhash, words) of every indexed page that has words."""
        return self._rows(
            "SELECT id, title_hash, simhash, own_word_count FROM pages "
            "WHERE segment_id IS NOT NULL AND simhash IS NOT NULL"
        )

    def near_duplicates(self, groups: Iterable[int]) -> list[int]:
        """The pages of some groups of near-duplicates."""
        query = "SELECT id FROM pages WHERE near_duplicate_group IN (SELECT value FROM json_each(?))"
        return self._column(query, (json_list(groups),))

    def near_copies(self, page_ids: Iterable[int]) -> list[tuple[int, str]]:
        """(page, URL of a duplicate) for the duplicates of pages whose texts differ a little."""
        return self._rows(
            "SELECT canonical_page_id, urls.url FROM json_each(?) AS wanted "
            "JOIN pages ON canonical_page_id = wanted.value JOIN urls ON urls.id = pages.url_id "
            "WHERE urls.rule = 'near-identical' ORDER BY urls.url",
            (json_list(page_ids),),
        )


def stored_text(page: Page) -> tuple[str, str]:
    """The headings (JSON) and the text of a page as they are stored; nothing of one that is not to be indexed."""
    return ("[]", "") if page.noindex else (json.dumps(page.headings, ensure_ascii=False), page.text)


def read_headings(stored: str) -> list[list[Any]]:
    """The headings of a page from how they are stored: [level, text, start, id]."""
    try:
        headings = [[level, text, start, anchor] for level, text, start, anchor in json.loads(stored)]
    except (TypeError, ValueError) as error:
        raise StoreError("the headings of a page in this file are damaged: crawl it again") from error
    return headings


def signed(simhash: int) -> int | None:
    """64 bits as SQLite stores them, whose integers are signed; None for a page without words."""
    return (simhash - (1 << 64) if simhash >> 63 else simhash) or None
