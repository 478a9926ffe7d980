"""bm25s: title and body as one text, stop words and stemmer as in its README, compiled by numba."""

from __future__ import annotations

import time
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from bench.engines import Document


class Index:
    """A matrix of scores with a column for each term."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stemmer = Stemmer.Stemmer("english")

    def build(self, documents: list[Document]) -> float:
        """Compute and save the score of every document for every term."""
        began = time.perf_counter()
        corpus = [f"{document.title}\n{document.text}" for document in documents]
        tokens = bm25s.tokenize(corpus, stopwords="en", stemmer=self._stemmer, show_progress=False)
        scores = bm25s.BM25(backend="auto")
        scores.index(tokens, show_progress=False)
        scores.save(self._folder)
        np.save(self._folder / "ids.npy", np.array([document.id for document in documents]))
        return time.perf_counter() - began

    def open(self) -> None:
        """Load the scores."""
        self._scores = bm25s.BM25.load(self._folder)
        self._ids = np.load(self._folder / "ids.npy")

    def open_for_one_query(self) -> None:
        """Load the scores without compiling, which takes seconds and pays off only with many queries."""
        self.open()
        self._scores.backend = "numpy"

    def any_word(self, query: str, limit: int) -> list[int]:
        """Return the documents with the highest scores above 0."""
        tokens = bm25s.tokenize(query, stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False)
        if not tokens[0]:  # stop words and single letters only
            return []
        found, scores = self._scores.retrieve(tokens, k=min(limit, len(self._ids)), show_progress=False, n_threads=0)
        ids: list[int] = self._ids[found[0][scores[0] > 0]].tolist()
        return ids
