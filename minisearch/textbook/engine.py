"""A whole search engine in memory: find the pages, weigh their words, let links decide between equals.

The words: Robertson and Walker, 1994, and Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009.
The links: Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999.
Its fast sister, on disk, which gives the same answers: minisearch/search/searcher.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

from minisearch.textbook.bm25 import Document, document_frequency, has, score

BLEND = 0.15  # how much the best linked page gains


class Engine:
    """Documents by their url, already split into words, and the rank of each.

    >>> pages = {"cats": {"body": ["cat", "cat"]}, "pets": {"body": ["cat", "dog"]}, "cars": {"body": ["car"]}}
    >>> engine = Engine(pages, {"cats": 0.2, "pets": 0.5, "cars": 0.3})
    >>> [url for url, score in engine.search(["dog", "cat"])]
    ['pets', 'cats']
    """

    def __init__(self, documents: Mapping[str, Document], ranks: Mapping[str, float]) -> None:
        self.documents = dict(documents)
        self.prior = prior({url: ranks[url] for url in documents if url in ranks})

    def search(self, words: Iterable[str], blend: float = BLEND) -> list[tuple[str, float]]:
        """(url, score) of the pages with any of the words, best first; a word asked for twice counts once.

        Pages with all words come first, but for words that no page has; then the score decides, then the url.
        """
        documents = list(self.documents.values())
        words = [word for word in dict.fromkeys(words) if document_frequency(word, documents)]
        scores, complete = {}, {}
        for url, document in self.documents.items():
            if any(has(document, word) for word in words):
                scores[url] = score(words, document, documents) * (1 + blend * self.prior.get(url, 0))
                complete[url] = all(has(document, word) for word in words)
        return sorted(scores.items(), key=lambda hit: (not complete[hit[0]], -hit[1], hit[0]))


def prior(ranks: Mapping[str, float]) -> dict[str, float]:
    """The logarithm of each rank on a scale from 0 (the lowest) to 1 (the highest); all 0 if they are equal.

    >>> {url: round(z, 9) for url, z in prior({"a": 0.1, "b": 0.01, "c": 0.001}).items()}
    {'a': 1.0, 'b': 0.5, 'c': 0.0}
    """
    logs = {url: log(rank) for url, rank in ranks.items() if rank > 0}
    lowest, highest = min(logs.values(), default=0.0), max(logs.values(), default=0.0)
    if highest - lowest <= 1e-9:
        return dict.fromkeys(logs, 0.0)
    return {url: (value - lowest) / (highest - lowest) for url, value in logs.items()}
