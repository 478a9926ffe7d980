"""The hits of a page of results as HTML: most of the page, so made here and not by a template, which takes longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape
from urllib.parse import urlencode

from markupsafe import Markup

from minisearch.records import Hit, Results
from minisearch.search.facets import language_name
from minisearch.web.addresses import SAFE
from minisearch.web.pieces import is_web, link, marked, scored, short
from minisearch.web.shown import number, trail
from minisearch.web.wish import Wish

SHORT_TITLE = 60  # letters of a title that a link is named after

Moves = Mapping[int, int | None]


def rows(results: Results, wish: Wish, moved: Moves, url_for: Callable[..., str]) -> Iterator[Markup]:
    """Each hit as an item of a list. `moved` tells by how many places it moved up, if the order is another one."""
    above = None
    for hit in results.hits:
        parts = (
            f'<li id="hit{hit.page_id}">\n<h2 dir="auto">{link(hit.url, hit.title)}{_move(hit, moved)}</h2>',
            f'<p class="trail"><bdi>{escape(trail(hit.url))}</bdi></p>',
            *_passage(hit),
            f'<p class="facts">\n{_score(hit, results, wish)}',
            *_doors(hit, above, wish, url_for),
            *_facts(hit),
            "</p>\n</li>\n",
        )
        yield Markup("\n".join(parts))  # noqa: S704 - every text in them is escaped
        above = hit


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


def _doors(hit: Hit, above: Hit | None, wish: Wish, url_for: Callable[..., str]) -> Iterator[str]:
    """Links to what is behind a hit."""
    title = escape(short(hit.title, SHORT_TITLE))
    why = escape(f"{url_for('look.explain')}?{urlencode({'q': wish.sought, 'url': hit.url}, safe=SAFE)}")
    blend = "" if wish.blend is None else f"&amp;blend={wish.blend}"
    yield f'<a class="why" href="{why}{blend}" aria-label="Why is this here? {title}">why</a>'
    yield f'<a href="{url_for("look.page", number=hit.page_id)}" aria-label="All about this page: {title}">about</a>'
    if above is not None and wish.is_usual:
        against = escape(urlencode({"against": above.url}, safe=SAFE))
        yield f'<a href="{why}&amp;{against}" aria-label="Why is this below the one before it? {title}">why below?</a>'


def _facts(hit: Hit) -> Iterator[str]:
    if hit.language:
        yield f'<span title="language">{escape(language_name(hit.language))}</span>'
    if hit.fetched_at:
        when = escape(hit.fetched_at)
        yield f'<time datetime="{when}" title="fetched">{when[:10]}</time>'
