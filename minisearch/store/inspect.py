"""Reads for people who want to know what the file holds: about one page, and about all of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from minisearch.store.base import TableStore, json_list

# The followed links to some URLs, of pages that are no duplicates. The URLs lead to one page, the first is its own;
# another shard may hold that page.
LINKS_TO = (
    "FROM json_each(?1) AS wanted JOIN urls AS target ON target.url = wanted.value "
    "JOIN links ON links.url_id = target.id AND NOT nofollow "
    "JOIN pages ON pages.id = links.page_id AND pages.canonical_page_id IS NULL "
    "JOIN urls AS source ON source.id = pages.url_id AND source.url <> json_extract(?1, '$[0]')"
)


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


class InspectStore(TableStore):
    """Reads over all tables."""

    def overview(self) -> tuple[dict[str, int], str]:
        """The number of indexed pages by host, and when the last page was fetched."""
        hosts = self._rows(
            "SELECT host, count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
            "WHERE canonical_page_id IS NULL AND noindex = '' GROUP BY host ORDER BY host"
        )
        return dict(hosts), self._value("SELECT coalesce(max(fetched_at), '') FROM pages")

    # -- one page ------------------------------------------------------------------------------

    def facts(self, page_id: int) -> PageFacts:
        """What is known of a page."""
        (row,) = self._rows(
            "SELECT urls.url, title, description, language, language_evidence, charset, charset_evidence, "
            "content_type, status, fetched_at, last_modified, noindex, depth "
            "FROM pages JOIN urls ON urls.id = pages.url_id WHERE pages.id = ?",
            (page_id,),
        )
        return PageFacts(*row)

    def scores(self, page_id: int) -> list[tuple[str, float]]:
        """(ranking, score) of a page in every ranking."""
        return self._rows("SELECT ranking, score FROM scores WHERE page_id = ? ORDER BY ranking", (page_id,))

    def aliases(self, page_id: int) -> list[tuple[str, str]]:
        """(url, rule) of the other URLs that lead to a page."""
        return self._rows(
            "SELECT urls.url, rule FROM urls JOIN pages ON pages.id = urls.page_id "
            "WHERE urls.page_id = ? AND urls.id != pages.url_id ORDER BY urls.url",
            (page_id,),
        )

    def in_links(self, urls: list[str], ranking: str) -> list[tuple[str, str, str, int, float | None]]:
        """(url, title, anchor, count, score) of the followed links to a page, those of the best ranked pages first."""
        return self._rows(
            f"SELECT source.url, pages.title, links.anchor, links.count, scores.score {LINKS_TO} "
            "LEFT JOIN scores ON scores.ranking = ?2 AND scores.page_id = pages.id "
            "ORDER BY scores.score DESC, source.url, links.position",
            (json_list(urls), ranking),
        )

    def linking(self, urls: list[str]) -> list[tuple[int, str]]:
        """(page id, url) of the pages with a followed link to a page."""
        return self._rows(f"SELECT DISTINCT pages.id, source.url {LINKS_TO} ORDER BY pages.id", (json_list(urls),))

    def anchor_texts(self, urls: list[str]) -> list[tuple[str, str]]:
        """(text, language) of the links of other pages to a page, each once, as they are indexed."""
        query = f"SELECT DISTINCT anchor, pages.language {LINKS_TO} WHERE anchor <> ''"
        return self._rows(query, (json_list(urls),))

    def links_elsewhere(self, page_ids: list[int]) -> list[tuple[int, str]]:
        """(page id, url) of the followed links of pages to URLs that another shard decides."""
        return self._rows(
            "SELECT links.page_id, urls.url FROM json_each(?) AS wanted JOIN links ON links.page_id = wanted.value "
            "JOIN urls ON urls.id = links.url_id WHERE urls.rule = 'shard' AND NOT nofollow",
            (json_list(page_ids),),
        )

    def decided(self, urls: list[str]) -> list[tuple[str, str]]:
        """(url, state) of the URLs that no other shard decides."""
        query = "SELECT url, state FROM json_each(?) JOIN urls ON url = value WHERE rule <> 'shard'"
        return self._rows(query, (json_list(urls),))

    def out_links(self, page_id: int) -> list[tuple[str, str, int, int, str]]:
        """(url, anchor, count, nofollow, state of the URL) of the links of a page, in their order."""
        return self._rows(
            "SELECT urls.url, anchor, count, nofollow, state FROM links JOIN urls ON urls.id = links.url_id "
            "WHERE links.page_id = ? ORDER BY position",
            (page_id,),
        )

    def html(self, page_id: int) -> bytes:
        """The HTML of a page as it was received; b'' if it was not kept."""
        html = self._value("SELECT html FROM contents WHERE page_id = ?", (page_id,))
        return zlib.decompress(html) if html else b""

    # -- the whole file ------------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        """Bytes of the file, and of what takes most of it."""
        (row,) = self._rows(
            "SELECT page_count * page_size, (SELECT coalesce(sum(length(html)), 0) FROM contents), "
            "(SELECT coalesce(sum(length(docs) + length(positions)), 0) FROM blocks) "
            "FROM pragma_page_count, pragma_page_size"
        )
        return dict(zip(("file", "html", "postings"), row, strict=True))

    def languages(self) -> dict[str, int]:
        """The number of indexed pages by language."""
        return dict(
            self._rows(
                "SELECT language, count(*) FROM pages WHERE segment_id IS NOT NULL GROUP BY language ORDER BY 2 DESC, 1"
            )
        )

    def depths(self) -> dict[int, int]:
        """The number of pages by depth, without duplicates."""
        rows = self._rows(
            "SELECT depth, count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
            "WHERE canonical_page_id IS NULL GROUP BY depth ORDER BY depth"
        )
        return dict(rows)

    def statuses(self) -> list[tuple[str, int]]:
        """(HTTP status or error, number of URLs)."""
        return self._rows(
            "SELECT status, count(*) FROM pages GROUP BY status UNION ALL "
            "SELECT replace(rule, 'http-', ''), count(*) FROM urls WHERE state = 'failed' GROUP BY rule "
            "ORDER BY 2 DESC, 1"
        )

    def types(self) -> list[tuple[str, int]]:
        """(content type, number of pages)."""
        return self._rows("SELECT content_type, count(*) FROM pages GROUP BY content_type ORDER BY 2 DESC, 1")

    def indexed(self) -> list[int]:
        """The ids of the indexed pages, in order."""
        return self._column("SELECT id FROM pages WHERE segment_id IS NOT NULL ORDER BY id")

    def texts(self, page_ids: Iterable[int], length: int) -> Iterator[tuple[str, str]]:
        """(language, the first `length` characters of the text) of pages."""
        for page_id in page_ids:
            yield from self._conn.execute(
                "SELECT language, substr(text, 1, ?) FROM pages JOIN contents ON contents.page_id = pages.id "
                "WHERE pages.id = ?",
                (length, page_id),
            )
