"""The shape of a crawl: what the servers answered, how links are spread over pages, and the bow tie they make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.rank.structure import bow_tie
from minisearch.store.store import Store
from minisearch.wiring.ranking import link_graph


def shape(store: Store) -> dict[str, Any]:
    """All that `minisearch stats` draws and does not tell in words."""
    graph, _ = link_graph(store)
    return {
        "statuses": {str(status): count for status, count in store.inside.statuses()},
        "types": dict(store.inside.types()),
        "fates": _fates(store),
        "in": spread(graph.counts.sum(axis=0)),
        "out": spread(graph.counts.sum(axis=1)),
        "bow_tie": bow_tie(graph).sizes(),
        "edges": int(graph.counts.nnz),
    }


def spread(degrees: ArrayLike) -> list[tuple[int, int]]:
    """(links, how many pages have so many), rising.

    >>> spread([1, 3, 1])
    [(1, 2), (3, 1)]
    """
    values, counts = np.unique(np.asarray(degrees).astype(np.int64).ravel(), return_counts=True)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


def _fates(store: Store) -> dict[str, int]:
    """What became of every url met; skipped ones by the rule that decided."""
    found: dict[str, int] = {}
    for state, rule, count in store.journal.tally():
        name = f"{state}: {rule}" if state in ("skipped", "failed") and rule else state
        found[name] = found.get(name, 0) + count
    return dict(sorted(found.items(), key=lambda item: -item[1]))
