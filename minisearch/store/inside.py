"""Looking inside: reads for people who want to know what the file holds."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from minisearch.errors import BadInput
from minisearch.store.file import File

STEPS = 1_000_000  # of SQLite's machine: some ten milliseconds


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page beside its text."""

    url: str
    title: str
    description: str
    language: str
    language_evidence: str
    charset: str
    charset_evidence: str
    content_type: str
    status: int
    fetched_at: str
    last_modified: str
    noindex: str
    depth: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The score of a page in a ranking, and its place among all."""

    ranking: str
    score: float
    place: int
    pages: int


class InsideStore:
    """Reads over all tables."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._conn = file.db.conn

    # -- one page ----------------------------------------------------------------------------

    def facts(self, number: int) -> PageFacts:
        """What is known of a page."""
        row = self._conn.execute(
            "SELECT urls.url, title, description, language, language_evidence, charset, charset_evidence, "
            "content_type, status, fetched_at, last_modified, noindex, depth "
            "FROM pages JOIN urls ON urls.id = pages.url_id WHERE pages.id = ?",
            (number,),
        ).fetchone()
        return PageFacts(*row)

    def standings(self, number: int) -> list[Standing]:
        """Where a page stands in every ranking."""
        rows = self._conn.execute(
            "SELECT name, mine.score, "
            "(SELECT count(*) FROM scores WHERE ranking = name AND score > mine.score) + 1, "
            "(SELECT count(*) FROM scores WHERE ranking = name) "
            "FROM rankings JOIN scores AS mine ON mine.ranking = name AND mine.page_id = ? ORDER BY name",
            (number,),
        )
        return [Standing(*row) for row in rows]

    def aliases(self, number: int) -> list[tuple[str, str]]:
        """(url, rule) of the other addresses for which a page stands."""
        return self._conn.execute(
            "SELECT urls.url, rule FROM urls JOIN pages ON pages.id = urls.page_id "
            "WHERE urls.page_id = ? AND urls.id != pages.url_id ORDER BY urls.url",
            (number,),
        ).fetchall()

    def in_links(self, number: int, ranking: str) -> list[tuple[str, str, str, int, float | None]]:
        """(url, title, anchor, count, score) of the followed links to a page, those of the best ranked pages first."""
        return self._conn.execute(
            "SELECT source.url, pages.title, links.anchor, links.count, scores.score FROM urls AS told "
            "JOIN links ON links.url_id = told.id JOIN pages ON pages.id = links.page_id "
            "JOIN urls AS source ON source.id = pages.url_id "
            "LEFT JOIN scores ON scores.ranking = :ranking AND scores.page_id = pages.id "
            "WHERE told.page_id = :page AND NOT nofollow AND pages.canonical_page_id IS NULL AND pages.id != :page "
            "ORDER BY scores.score DESC, source.url, links.position",
            {"page": number, "ranking": ranking},
        ).fetchall()

    def in_links_by_url(self, urls: list[str], ranking: str) -> list[tuple[str, str, str, int, float | None]]:
        """The same for a page that another file holds, known by its addresses."""
        return self._conn.execute(
            "SELECT source.url, pages.title, links.anchor, links.count, scores.score FROM json_each(:urls) AS wanted "
            "JOIN urls AS told ON told.url = wanted.value JOIN links ON links.url_id = told.id "
            "JOIN pages ON pages.id = links.page_id JOIN urls AS source ON source.id = pages.url_id "
            "LEFT JOIN scores ON scores.ranking = :ranking AND scores.page_id = pages.id "
            "WHERE told.page_id IS NULL AND NOT nofollow AND pages.canonical_page_id IS NULL "
            "ORDER BY source.url, links.position",
            {"urls": json.dumps(urls), "ranking": ranking},
        ).fetchall()

    def out_links(self, number: int) -> list[tuple[str, str, int, int, str]]:
        """(url, anchor, count, nofollow, what became of the url) of the links of a page, as they stand on it."""
        return self._conn.execute(
            "SELECT urls.url, anchor, count, nofollow, state FROM links JOIN urls ON urls.id = links.url_id "
            "WHERE links.page_id = ? ORDER BY position",
            (number,),
        ).fetchall()

    def sayings(self, number: int) -> list[tuple[str, str]]:
        """(what it says, language) for the links of other pages to a page, each saying once; as it is indexed."""
        return self._conn.execute(
            "SELECT DISTINCT anchor, source.language FROM urls JOIN links ON links.url_id = urls.id "
            "JOIN pages AS source ON source.id = links.page_id WHERE urls.page_id = ? AND NOT nofollow "
            "AND anchor != '' "
            "AND source.id != urls.page_id AND source.canonical_page_id IS NULL ORDER BY anchor, source.language",
            (number,),
        ).fetchall()

    def sayings_by_url(self, urls: list[str]) -> list[tuple[str, str]]:
        """The same for a page that another file holds, known by its addresses."""
        return self._conn.execute(
            "SELECT DISTINCT anchor, source.language FROM json_each(?) AS wanted JOIN urls ON urls.url = wanted.value "
            "JOIN links ON links.url_id = urls.id JOIN pages AS source ON source.id = links.page_id "
            "WHERE urls.page_id IS NULL AND NOT nofollow AND anchor != '' AND source.canonical_page_id IS NULL",
            (json.dumps(urls),),
        ).fetchall()

    def html(self, number: int) -> bytes:
        """The HTML of a page as it was received; nothing if it was not kept."""
        row = self._conn.execute("SELECT html FROM contents WHERE page_id = ?", (number,)).fetchone()
        return zlib.decompress(row[0]) if row and row[0] else b""

    # -- the whole file ----------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        """Bytes: of the file, and of what takes most of it."""
        row = self._conn.execute(
            "SELECT page_count * page_size, (SELECT coalesce(sum(length(html)), 0) FROM contents), "
            "(SELECT coalesce(sum(length(docs) + length(positions)), 0) FROM blocks) "
            "FROM pragma_page_count, pragma_page_size"
        ).fetchone()
        return dict(zip(("file", "html", "postings"), row, strict=True))

    def languages(self) -> dict[str, int]:
        """Indexed pages by language, as they tell it."""
        return dict(
            self._conn.execute(
                "SELECT language, count(*) FROM pages WHERE segment_id IS NOT NULL GROUP BY language ORDER BY 2 DESC, 1"
            )
        )

    def depths(self) -> dict[int, int]:
        """Pages by the number of links from the nearest seed; merged ones are left out."""
        return dict(
            self._conn.execute(
                "SELECT depth, count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
                "WHERE canonical_page_id IS NULL GROUP BY depth ORDER BY depth"
            )
        )

    def statuses(self) -> list[tuple[str, int]]:
        """(what the server answered, how many urls): pages by their status, failures by what went wrong."""
        return self._conn.execute(
            "SELECT status, count(*) FROM pages GROUP BY status UNION ALL "
            "SELECT replace(rule, 'http-', ''), count(*) FROM urls WHERE state = 'failed' GROUP BY rule "
            "ORDER BY 2 DESC, 1"
        ).fetchall()

    def types(self) -> list[tuple[str, int]]:
        """(content type, how many pages)."""
        return self._conn.execute(
            "SELECT content_type, count(*) FROM pages GROUP BY content_type ORDER BY 2 DESC, 1"
        ).fetchall()

    def indexed(self) -> list[int]:
        """The pages of the index, in the order of their ids."""
        return [
            number for (number,) in self._conn.execute("SELECT id FROM pages WHERE segment_id IS NOT NULL ORDER BY id")
        ]

    def texts(self, pages: Iterable[int], longest: int) -> Iterator[tuple[str, str]]:
        """(language, the first `longest` characters of the text) of some pages."""
        for number in pages:
            yield from self._conn.execute(
                "SELECT language, substr(text, 1, ?) FROM pages JOIN contents ON contents.page_id = pages.id "
                "WHERE pages.id = ?",
                (longest, number),
            )

    def out_degrees(self, pages: list[int]) -> list[int]:
        """To how many other pages each of some pages links."""
        return self._counted(
            pages,
            "SELECT links.page_id, count(DISTINCT urls.page_id) FROM json_each(?) AS wanted "
            "JOIN links ON links.page_id = wanted.value JOIN urls ON urls.id = links.url_id "
            "WHERE urls.page_id IS NOT NULL AND urls.page_id != links.page_id AND NOT nofollow GROUP BY links.page_id",
        )

    def in_degrees(self, pages: list[int]) -> list[int]:
        """How many other pages link to each of some pages."""
        return self._counted(
            pages,
            "SELECT urls.page_id, count(DISTINCT links.page_id) FROM json_each(?) AS wanted "
            "JOIN urls ON urls.page_id = wanted.value JOIN links ON links.url_id = urls.id "
            "JOIN pages ON pages.id = links.page_id "
            "WHERE links.page_id != urls.page_id AND NOT nofollow AND canonical_page_id IS NULL GROUP BY urls.page_id",
        )

    def _counted(self, pages: list[int], query: str) -> list[int]:
        found = dict(self._conn.execute(query, (json.dumps(pages),)))
        return [found.get(page, 0) for page in pages]

    # -- anything ----------------------------------------------------------------------------

    def ask(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows that a statement gives. It can read only, whatever it says."""
        with self._file.reader() as conn:
            conn.set_progress_handler(lambda: 0, STEPS)  # in which Python hears of Ctrl-C
            try:
                cursor = conn.execute(statement)
                rows = cursor.fetchall()
            except sqlite3.OperationalError as error:
                if str(error) == "interrupted":
                    raise KeyboardInterrupt from error
                raise BadInput(f"SQL: {self._in_words(error)}") from error
            except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
                raise BadInput(f"SQL: {self._in_words(error)}") from error
            finally:
                conn.set_progress_handler(None, STEPS)
        if cursor.description is None:
            raise BadInput("SQL: this statement has no result; ask for rows, such as: select * from url_status")
        return [column[0] for column in cursor.description], rows

    def _in_words(self, error: Exception) -> str:
        said = str(error)
        if "readonly" in said:
            return "the file can be read here, but not written to"
        if said.startswith("no such table"):
            return f"{said}; there are {', '.join(self._file.db.table_names() + self._file.db.view_names())}"
        if "attached databases" in said:
            return "no other file can be opened or written here"
        if "one statement at a time" in said:
            return "one statement at a time"
        return said
