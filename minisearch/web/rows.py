"""The hits of a page of results as HTML: most of the page, so made here and not by a template, which takes longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape
from urllib.parse import quote_plus, urlencode

from markupsafe import Markup

from minisearch.analysis.languages import name as language_name
from minisearch.models import Hit, Results
from minisearch.web.addresses import MARK, SAFE
from minisearch.web.pieces import is_web, link, marked, scored, short
from minisearch.web.shown import number, trail
from minisearch.web.wish import Wish

SHORT_TITLE = 60  # letters of a title that a link is named after

Moves = Mapping[int, int | None]


def rows(results: Results, wish: Wish, moved: Moves, url_for: Callable[..., str]) -> Markup:
    """Each hit as an item of a list. `moved` tells by how many places it moved up, if the order is another one."""
    doors = Doors(wish, url_for)
    parts: list[str] = []
    for hit in results.hits:
        parts += (
            f'<li id="hit{hit.page_id}">\n<h2 dir="auto">{link(hit.url, hit.title)}{_move(hit, moved)}</h2>',
            f'<p class="trail"><bdi>{escape(trail(hit.url))}</bdi></p>',
            *_passage(hit),
            f'<p class="facts">\n{_score(hit, results, wish)}',
            *doors.of(hit),
            *_facts(hit),
            "</p>\n</li>\n",
        )
    return Markup("\n".join(parts))  # noqa: S704 - every text in them is escaped


def _move(hit: Hit, moved: Moves) -> str:
    if hit.page_id not in moved:
        return ""
    by = moved[hit.page_id]
    if by is None:
        return '\n<span class="moved up">from farther down</span>'
    way = "up" if by > 0 else "down"
    return f'\n<span class="moved {way}">{way} {abs(by)}</span>' if by else ""


def _passage(hit: Hit) -> Iterator[str]:
    """The section and the snippet, with links to their place on the page; pages that are nearly the same."""
    if hit.heading:
        yield f'<p class="section" dir="auto">{link(hit.link if is_web(hit.url) else hit.url, hit.heading)}</p>'
    place = ""
    if hit.marks and not hit.heading and is_web(hit.url):
        place = f' <a class="place" href="{escape(hit.link)}" rel="noreferrer">to this place</a>'
    yield f'<p class="snippet" dir="auto">{marked(hit)}{place}</p>'
    if hit.similar:
        listed = "".join(f"<li>{link(url, trail(url))}</li>" for url in hit.similar)
        yield f'<details class="similar"><summary>{len(hit.similar)} similar</summary>\n<ul>{listed}</ul>\n</details>'


def _score(hit: Hit, results: Results, wish: Wish) -> str:
    return f"<span>PageRank {number(hit.score)}</span>" if wish.sort == "rank" else scored(hit, results.hits[0].score)


class Doors:
    """Links to what is behind each hit, in the order of the hits. What they have in common is made once."""

    def __init__(self, wish: Wish, url_for: Callable[..., str]) -> None:
        self._why = escape(f"{url_for('look.explain')}?{urlencode({'q': wish.sought}, safe=SAFE)}&url=")
        self._blend = "" if wish.blend is None else f"&amp;blend={wish.blend}"
        self._about = url_for("look.page", number=MARK).split(str(MARK))
        self._is_usual = wish.is_usual
        self._above = ""

    def of(self, hit: Hit) -> Iterator[str]:
        """Those of the next hit."""
        title, url = escape(short(hit.title, SHORT_TITLE)), escape(quote_plus(hit.url, safe=SAFE))
        why, about = self._why + url, str(hit.page_id).join(self._about)
        yield f'<a class="why" href="{why}{self._blend}" aria-label="Why is this here? {title}">why</a>'
        yield f'<a href="{about}" aria-label="All about this page: {title}">about</a>'
        if self._above and self._is_usual:
            against = f"{why}&amp;against={self._above}"
            yield f'<a href="{against}" aria-label="Why is this below the one before it? {title}">why below?</a>'
        self._above = url


def _facts(hit: Hit) -> Iterator[str]:
    if hit.language:
        yield f'<span title="language">{escape(language_name(hit.language))}</span>'
    if hit.fetched_at:
        when = escape(hit.fetched_at)
        yield f'<time datetime="{when}" title="fetched">{when[:10]}</time>'
