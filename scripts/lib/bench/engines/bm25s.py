"""bm25s: title and body as one text, stop words and stemmer as its README shows, compiled by numba."""

from __future__ import annotations

import time
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from bench.engines import bytes_in, read_documents


class Index:
    """A matrix of scores, one column a term."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stemmer = Stemmer.Stemmer("english")

    def build(self, source: Path, limit: int | None) -> dict[str, float]:
        """Score every document for every term, and save the scores."""
        documents = read_documents(source, limit)
        began = time.perf_counter()
        corpus = [f"{document.title}\n{document.text}" for document in documents]
        tokens = bm25s.tokenize(corpus, stopwords="en", stemmer=self._stemmer, show_progress=False)
        scores = bm25s.BM25(backend="auto")
        scores.index(tokens, show_progress=False)
        scores.save(self._folder)
        np.save(self._folder / "ids.npy", np.array([document.id for document in documents]))
        return {"index": time.perf_counter() - began}

    def size(self) -> int:
        """Bytes of the folder."""
        return bytes_in(self._folder)

    def open(self) -> None:
        """Load the scores."""
        self._scores = bm25s.BM25.load(self._folder)
        self._ids = np.load(self._folder / "ids.npy")

    def open_for_one_query(self) -> None:
        """The same without compiling, which takes seconds and pays only when many queries follow."""
        self.open()
        self._scores.backend = "numpy"

    def any_word(self, query: str, limit: int) -> list[int]:
        """The documents with the highest sums; a sum of nothing is no hit."""
        tokens = bm25s.tokenize(query, stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False)
        if not tokens[0]:  # stop words and single letters only
            return []
        found, scores = self._scores.retrieve(tokens, k=min(limit, len(self._ids)), show_progress=False, n_threads=0)
        ids: list[int] = self._ids[found[0][scores[0] > 0]].tolist()
        return ids

    def all_words(self, query: str, limit: int) -> list[int]:
        """It has no such mode."""
        raise NotImplementedError
