"""The top pages of a crawl by a ranking, laid out and coloured, with the links among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.lab.crawls import Crawl, Ids
from minisearch.lab.layout import layout
from minisearch.lab.sketch import Picture, short
from minisearch.rank.structure import CLASSES

MOST_PAGES = 500
MOST_LINKS = 2_500  # that can be distinguished, and drawn while the graph is dragged
COLOURS = ("site", "part")
TEMPLATE_SHARE = 0.5  # of the pages of a site: a target that more of them link to belongs to their template
TEMPLATE_PAGES = 5  # a target that fewer pages link to does not
KINDS = 8  # colours that can be distinguished: those of the largest sites, and one for all others

_laid: WeakKeyDictionary[Crawl, dict[tuple[int, str, bool], list[list[float]]]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Map:
    """What is drawn: pages by their place among the first, links by these places."""

    ids: tuple[int, ...]
    urls: tuple[str, ...]
    scores: tuple[float, ...]
    links: tuple[tuple[int, int], ...]
    template_links: int  # that are hidden because nearly every page has them
    more_links: int  # that are not drawn: those to pages that everybody links to
    at: Sequence[Sequence[float]]
    kinds: tuple[int, ...]  # the colour of each page
    legend: tuple[tuple[str, int], ...]  # what each colour means, and how many pages have it
    links_in: tuple[int, ...]
    links_out: tuple[int, ...]

    def picture(self, labels: Sequence[str], addresses: dict[int, str]) -> Picture:
        """The same, to be drawn."""
        names = [label or url for label, url in zip(labels, self.urls, strict=True)]
        marks = [short(name, 24) for name in names]
        return Picture(names, self.links, self.at, self.scores, self.kinds, addresses, marks)


def map_of(
    crawl: Crawl, count: int = 100, ranking: str = "pagerank", colour: str = "site", *, template: bool = True
) -> Map:
    """The map of the first pages; without `template`, links that nearly every page of a site has are left out."""
    if not 1 <= count <= MOST_PAGES:
        raise BadInput(f"the graph shows 1 to {MOST_PAGES} pages, not {count}")
    if colour not in COLOURS:
        raise BadInput(f'cannot colour pages by "{colour[:40]}": choose from {", ".join(COLOURS)}')
    chosen = crawl.first(count, ranking)
    links, hidden = _links(crawl, chosen, template)
    kinds, legend = _by_site(crawl, chosen) if colour == "site" else _by_part(crawl, chosen)
    columns = crawl.columns
    values = np.nan_to_num(np.asarray(columns[ranking])[chosen])
    return Map(
        tuple(crawl.ids[page] for page in chosen),
        tuple(crawl.web.names[page] for page in chosen),
        tuple(values.tolist()),
        tuple(links[:MOST_LINKS]),
        hidden,
        max(0, len(links) - MOST_LINKS),
        _places(crawl, chosen, links, (len(chosen), ranking, template)),
        kinds,
        legend,
        *(tuple(int(columns[name][page]) for page in chosen) for name in ("in", "out")),
    )


def _links(crawl: Crawl, chosen: Sequence[int], template: bool) -> tuple[list[tuple[int, int]], int]:
    """The links among these pages, those to rarely linked pages first, and how many template links are left out."""
    sources, targets = crawl.web.graph(repeated=False, loops=False).counts.tocoo().coords
    place = np.full(crawl.web.n, -1)
    place[chosen] = np.arange(len(chosen))
    inside = (place[sources] >= 0) & (place[targets] >= 0)
    shown = inside if template else inside & ~_are_template(crawl, sources, targets)
    starts, ends = place[sources[shown]], place[targets[shown]]
    linked = np.bincount(ends, minlength=len(chosen))
    order = np.lexsort((starts, ends, linked[ends]))
    return list(zip(starts[order].tolist(), ends[order].tolist(), strict=True)), int(inside.sum() - shown.sum())


def _are_template(crawl: Crawl, sources: Ids, targets: Ids) -> NDArray[np.bool_]:
    """Which links lead where most pages of their site link to, as those of a menu or a footer do."""
    _, sites = np.unique([urlsplit(name).netloc for name in crawl.web.names], return_inverse=True)
    pages = np.bincount(sites)
    _, same, counts = np.unique(sites[sources] * crawl.web.n + targets, return_inverse=True, return_counts=True)
    found: NDArray[np.bool_] = (counts >= TEMPLATE_PAGES)[same] & (
        counts[same] > TEMPLATE_SHARE * pages[sites[sources]]
    )
    return found


def _places(
    crawl: Crawl, chosen: Sequence[int], links: list[tuple[int, int]], key: tuple[int, str, bool]
) -> list[list[float]]:
    """Laid out once for as long as the crawl stays the same."""
    known = _laid.setdefault(crawl, {})
    if key not in known:
        drawn = links[:MOST_LINKS]
        places = layout(len(chosen), [source for source, _ in drawn], [target for _, target in drawn])
        known[key] = places.round(1).tolist()
    return known[key]


def _by_site(crawl: Crawl, chosen: Sequence[int]) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    sites = [urlsplit(crawl.web.names[page]).netloc for page in chosen]
    if len(set(sites)) == 1:  # one site: colour its folders instead
        sites = [site + _folder(crawl.web.names[page]) for site, page in zip(sites, chosen, strict=True)]
    largest = Counter(sites).most_common()
    number = {site: min(place, KINDS - 1) for place, (site, _) in enumerate(largest)}
    legend = largest[: KINDS - 1]
    if len(largest) >= KINDS:
        others = sum(count for _, count in largest[KINDS - 1 :])
        legend.append((largest[-1][0] if len(largest) == KINDS else "others", others))
    return tuple(number[site] for site in sites), tuple(legend)


def _folder(url: str) -> str:
    steps = urlsplit(url).path.split("/")[1:-1]
    return "/" + "".join(f"{step}/" for step in steps[:2])


def _by_part(crawl: Crawl, chosen: Sequence[int]) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    parts = crawl.parts()
    kinds = tuple(CLASSES.index(parts[page]) for page in chosen)
    return kinds, tuple((name, kinds.count(number)) for number, name in enumerate(CLASSES))


def as_dict(map_: Map, titles: Sequence[str]) -> dict[str, Any]:
    """The map as plain data."""
    names = [name for name, _ in map_.legend]
    rows = zip(
        map_.ids, map_.urls, titles, map_.scores, map_.kinds, map_.at, map_.links_in, map_.links_out, strict=True
    )
    return {
        "pages": [
            {"id": number, "url": url, "title": title, "score": score, "group": names[kind], "in": into, "out": out}
            | {"x": place[0], "y": place[1]}
            for number, url, title, score, kind, place, into, out in rows
        ],
        "links": [list(link) for link in map_.links],
        "links_not_drawn": map_.more_links,
        "template_links_hidden": map_.template_links,
    }
