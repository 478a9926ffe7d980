"""Reads for people who want to know what the file holds: about one page, and about all of them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sqlite_utils

LINKS_TO = (  # the followed links to URLs `target`, of pages that are no duplicates
    "JOIN links ON links.url_id = target.id AND NOT nofollow "
    "JOIN pages ON pages.id = links.page_id AND pages.canonical_page_id IS NULL "
)
LinkFacts = tuple[str, str, str, int, float | None]


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


class InspectStore:
    """Reads over all tables."""

    def __init__(self, db: sqlite_utils.Database) -> None:
        self._conn = db.conn

    def overview(self) -> tuple[dict[str, int], str]:
        """The number of pages by host, without duplicates, and when the last page was fetched."""
        hosts = self._conn.execute(
            "SELECT host, count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
            "WHERE canonical_page_id IS NULL GROUP BY host ORDER BY host"
        )
        (latest,) = self._conn.execute("SELECT coalesce(max(fetched_at), '') FROM pages").fetchone()
        return dict(hosts.fetchall()), latest

    # -- one page ------------------------------------------------------------------------------

    def facts(self, page_id: int) -> PageFacts:
        """What is known of a page."""
        row = self._conn.execute(
            "SELECT urls.url, title, description, language, language_evidence, charset, charset_evidence, "
            "content_type, status, fetched_at, last_modified, noindex, depth "
            "FROM pages JOIN urls ON urls.id = pages.url_id WHERE pages.id = ?",
            (page_id,),
        ).fetchone()
        return PageFacts(*row)

    def standings(self, page_id: int) -> list[Standing]:
        """The score and place of a page in every ranking."""
        rows = self._conn.execute(
            "SELECT name, mine.score, "
            "(SELECT count(*) FROM scores WHERE ranking = name AND score > mine.score) + 1, "
            "(SELECT count(*) FROM scores WHERE ranking = name) "
            "FROM rankings JOIN scores AS mine ON mine.ranking = name AND mine.page_id = ? ORDER BY name",
            (page_id,),
        )
        return [Standing(*row) for row in rows]

    def aliases(self, page_id: int) -> list[tuple[str, str]]:
        """(url, rule) of the other URLs that lead to a page."""
        return self._conn.execute(
            "SELECT urls.url, rule FROM urls JOIN pages ON pages.id = urls.page_id "
            "WHERE urls.page_id = ? AND urls.id != pages.url_id ORDER BY urls.url",
            (page_id,),
        ).fetchall()

    def in_links(self, page_id: int, ranking: str) -> list[LinkFacts]:
        """(url, title, anchor, count, score) of the followed links to a page, those of the best ranked pages first."""
        return self._in_links(
            f"urls AS target {LINKS_TO}", "target.page_id = :page AND pages.id != :page", ranking, page=page_id
        )

    def in_links_by_url(self, urls: list[str], ranking: str) -> list[LinkFacts]:
        """The same for a page that another file holds, known by its URLs."""
        wanted = f"json_each(:urls) AS wanted JOIN urls AS target ON target.url = wanted.value {LINKS_TO}"
        return self._in_links(wanted, "target.page_id IS NULL", ranking, urls=json.dumps(urls))

    def _in_links(self, links: str, where: str, ranking: str, **values: int | str) -> list[LinkFacts]:
        return self._conn.execute(
            f"SELECT source.url, pages.title, links.anchor, links.count, scores.score FROM {links} "
            "JOIN urls AS source ON source.id = pages.url_id "
            "LEFT JOIN scores ON scores.ranking = :ranking AND scores.page_id = pages.id "
            f"WHERE {where} ORDER BY scores.score DESC, source.url, links.position",
            {"ranking": ranking, **values},
        ).fetchall()

    def linking_by_url(self, urls: list[str]) -> list[tuple[int, str]]:
        """(page id, url) of the pages with a followed link to a URL of a page that another shard holds."""
        return self._conn.execute(
            "SELECT DISTINCT pages.id, source.url FROM json_each(?) AS wanted JOIN urls ON urls.url = wanted.value "
            "JOIN links ON links.url_id = urls.id JOIN pages ON pages.id = links.page_id "
            "JOIN urls AS source ON source.id = pages.url_id "
            "WHERE urls.rule = 'shard' AND NOT nofollow AND pages.canonical_page_id IS NULL ORDER BY pages.id",
            (json.dumps(urls),),
        ).fetchall()

    def links_elsewhere(self, page_ids: list[int]) -> list[tuple[int, str]]:
        """(page id, url) of the followed links of pages to URLs that another shard decides."""
        return self._conn.execute(
            "SELECT links.page_id, urls.url FROM json_each(?) AS wanted JOIN links ON links.page_id = wanted.value "
            "JOIN urls ON urls.id = links.url_id WHERE urls.rule = 'shard' AND NOT nofollow",
            (json.dumps(page_ids),),
        ).fetchall()

    def decided(self, urls: list[str]) -> list[tuple[str, str]]:
        """(url, state) of the URLs that no other shard decides."""
        return self._conn.execute(
            "SELECT url, state FROM urls WHERE url IN (SELECT value FROM json_each(?)) AND rule <> 'shard'",
            (json.dumps(urls),),
        ).fetchall()

    def out_links(self, page_id: int) -> list[tuple[str, str, int, int, str]]:
        """(url, anchor, count, nofollow, state of the URL) of the links of a page, in their order."""
        return self._conn.execute(
            "SELECT urls.url, anchor, count, nofollow, state FROM links JOIN urls ON urls.id = links.url_id "
            "WHERE links.page_id = ? ORDER BY position",
            (page_id,),
        ).fetchall()

    def anchor_texts(self, page_id: int) -> list[tuple[str, str]]:
        """(text, language) of the links of other pages to a page, each once, as they are indexed."""
        return self._conn.execute(
            f"SELECT DISTINCT anchor, pages.language FROM urls AS target {LINKS_TO} "
            "WHERE target.page_id = ? AND anchor != '' AND pages.id != target.page_id ORDER BY anchor, pages.language",
            (page_id,),
        ).fetchall()

    def anchor_texts_by_url(self, urls: list[str]) -> list[tuple[str, str]]:
        """The same for a page that another file holds, known by its URLs."""
        return self._conn.execute(
            "SELECT DISTINCT anchor, pages.language FROM json_each(?) AS wanted "
            f"JOIN urls AS target ON target.url = wanted.value {LINKS_TO} "
            "WHERE target.page_id IS NULL AND anchor != ''",
            (json.dumps(urls),),
        ).fetchall()

    def html(self, page_id: int) -> bytes:
        """The HTML of a page as it was received; b'' if it was not kept."""
        row = self._conn.execute("SELECT html FROM contents WHERE page_id = ?", (page_id,)).fetchone()
        return zlib.decompress(row[0]) if row and row[0] else b""

    # -- the whole file ------------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        """Bytes of the file, and of what takes most of it."""
        row = self._conn.execute(
            "SELECT page_count * page_size, (SELECT coalesce(sum(length(html)), 0) FROM contents), "
            "(SELECT coalesce(sum(length(docs) + length(positions)), 0) FROM blocks) "
            "FROM pragma_page_count, pragma_page_size"
        ).fetchone()
        return dict(zip(("file", "html", "postings"), row, strict=True))

    def languages(self) -> dict[str, int]:
        """The number of indexed pages by language."""
        return dict(
            self._conn.execute(
                "SELECT language, count(*) FROM pages WHERE segment_id IS NOT NULL GROUP BY language ORDER BY 2 DESC, 1"
            )
        )

    def depths(self) -> dict[int, int]:
        """The number of pages by depth, without duplicates."""
        return dict(
            self._conn.execute(
                "SELECT depth, count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
                "WHERE canonical_page_id IS NULL GROUP BY depth ORDER BY depth"
            )
        )

    def statuses(self) -> list[tuple[str, int]]:
        """(HTTP status or error, number of URLs)."""
        return self._conn.execute(
            "SELECT status, count(*) FROM pages GROUP BY status UNION ALL "
            "SELECT replace(rule, 'http-', ''), count(*) FROM urls WHERE state = 'failed' GROUP BY rule "
            "ORDER BY 2 DESC, 1"
        ).fetchall()

    def types(self) -> list[tuple[str, int]]:
        """(content type, number of pages)."""
        return self._conn.execute(
            "SELECT content_type, count(*) FROM pages GROUP BY content_type ORDER BY 2 DESC, 1"
        ).fetchall()

    def indexed(self) -> list[int]:
        """The ids of the indexed pages, in order."""
        rows = self._conn.execute("SELECT id FROM pages WHERE segment_id IS NOT NULL ORDER BY id")
        return [page_id for (page_id,) in rows]

    def texts(self, page_ids: Iterable[int], length: int) -> Iterator[tuple[str, str]]:
        """(language, the first `length` characters of the text) of pages."""
        for page_id in page_ids:
            yield from self._conn.execute(
                "SELECT language, substr(text, 1, ?) FROM pages JOIN contents ON contents.page_id = pages.id "
                "WHERE pages.id = ?",
                (length, page_id),
            )
