"""The answers to a query if the pages had other ranks."""

import numpy as np
import pytest

from minisearch.search.whatif import with_ranks


def test_with_the_ranks_as_they_are_nobody_moves(garden):
    engine = garden.engine
    hits = engine.search("garden", limit=20, snippets=False, fold=False).hits
    ranks = engine.store.ranks.get("pagerank").vector
    shifts = with_ranks(hits, ranks, engine.ranking()["blend"])
    assert [(shift.place, shift.then) for shift in shifts] == [(place, place) for place in range(1, len(hits) + 1)]
    assert [shift.score_then for shift in shifts] == pytest.approx([hit.score for hit in hits])


def test_pages_with_all_words_stay_before_the_others(garden):
    hits = garden.engine.search("hedge maze roses", limit=20, snippets=False, fold=False).hits
    ranks = np.full(100, 1e-9)
    ranks[hits[-1].page_id] = 1.0
    shifts = with_ranks(hits, ranks, 0.9)
    complete = [shift.hit.all_words for shift in shifts]
    assert complete == sorted(complete, reverse=True)
