"""The results of a query if a link did not exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minisearch.errors import MiniSearchError
from minisearch.lab.crawls import payers, without_link
from minisearch.search.compare import with_ranks
from minisearch.web.engines import engine
from minisearch.web.graphs import crawled

HITS = 20
LONGEST = 2_000


def what_if(params: Mapping[str, str]) -> dict[str, Any]:
    """The query, the links with the largest contribution to its results, and the results without one of them."""
    query, source, target = (params.get(name, "").strip()[:LONGEST] for name in ("query", "from", "to"))
    shown: dict[str, Any] = {"query": query, "from": source, "to": target}
    if not query:
        return shown
    try:
        hits = engine().search(query, limit=HITS, snippets=False, fold=False).hits
        crawl = crawled()
        known = engine().rank_options()
        how = {name: known[name] for name in ("damping", "repeated", "loops") if name in known}
        shown["links"] = payers(crawl, [hit.url for hit in hits[:5]], **how)
        if source and target:
            before, after = without_link(crawl, source, target, **how)
            shown["shifts"] = with_ranks(hits, after, float(engine().ranking()["blend"]))
            page = crawl.ids[crawl.web.number(target)]
            shown["rank"] = (float(before[page]), float(after[page]))
    except MiniSearchError as error:
        shown["trouble"] = str(error)
    return shown
