"""The web around a query, on which HITS tells the hubs and the authorities of a topic.

J. Kleinberg, "Authoritative Sources in a Hyperlinked Environment", 1999: the answers to a query are the roots; the
pages they link to and some that link to them are added. On one site alone this drifts to the menu: every page links to
the home page and the index. What helps is in the lecture slides on search models (Serbian; author not given): weigh
pages by how well they fit the topic, and limit the influence of links that recommend nothing. So here

- links that three in ten of a site's pages have are navigation, and are left out;
- a link weighs what its two pages fit the topic, divided by the square root of the links on its page.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.lab.webs import Web
from minisearch.rank.hits import neighbourhood

ROOTS = 200  # answers to begin with, as Kleinberg did
MOST_IN = 50  # pages linking to a root that are added, as he did
EVERYWHERE = 0.3  # of a site's pages: what this share of pages links to is navigation
SMALL_SITE = 20  # pages; on fewer, a link that many have may be meant
LEAST_FIT = 0.02  # of a page that is not among the answers


def around(web: Web, relevance: Mapping[str, float], *, plain: bool = False) -> Web:
    """The web around the answers to a query, with links weighed by the topic unless `plain`.

    `relevance` has the score of each answer, by the name of the page; the first ROOTS of them are the roots.
    """
    found = {name: score for name, score in relevance.items() if name in web.numbers and score > 0}
    if not found:
        raise BadInput("no page matches the query")
    roots = sorted(found, key=lambda name: -found[name])[:ROOTS]
    if not plain:
        web = without_navigation(web)
    links = web.graph(repeated=False, loops=False)
    chosen = neighbourhood(links, [web.number(name) for name in roots], most_in=MOST_IN)
    part = links.part(chosen).counts.tocoo()
    sources, targets = (side.astype(np.int64) for side in part.coords)
    names = tuple(web.names[page] for page in chosen)
    if plain:
        return Web(names, sources, targets, part.data)
    best = max(found.values())
    fit = np.array([max(found.get(name, 0.0) / best, LEAST_FIT) for name in names])
    degree = links.out_degree[chosen]
    return Web(names, sources, targets, fit[sources] * fit[targets] / np.sqrt(degree[sources]))


def without_navigation(web: Web) -> Web:
    """The web without links inside a site to pages that three in ten of the site's pages link to."""
    _, host = np.unique([urlsplit(name).netloc for name in web.names], return_inverse=True)
    inside = (host[web.sources] == host[web.targets]) & (web.sources != web.targets)
    pairs = np.unique(np.stack([web.sources[inside], web.targets[inside]]), axis=1)
    linked = np.bincount(pairs[1], minlength=web.n)
    size: NDArray[np.int64] = np.bincount(host)[host]
    menu = (linked > EVERYWHERE * size) & (size >= SMALL_SITE)
    kept = ~(inside & menu[web.targets])
    return Web(web.names, web.sources[kept], web.targets[kept], web.weights[kept])
