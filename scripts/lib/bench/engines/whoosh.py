"""Whoosh (whoosh-reloaded): stemming analyzer, BM25F over title and body."""

from __future__ import annotations

import time
from pathlib import Path

from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.index import create_in, open_dir
from whoosh.query import And, Or, Query, Term
from whoosh.scoring import BM25F

from bench.engines import Document

MEGABYTES = 256  # as its documentation recommends for bulk indexing


class Index:
    """A folder of segments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, documents: list[Document]) -> float:
        """Index the documents."""
        began = time.perf_counter()
        schema = Schema(
            id=NUMERIC(stored=True), title=TEXT(analyzer=StemmingAnalyzer()), body=TEXT(analyzer=StemmingAnalyzer())
        )
        writer = create_in(self._folder, schema).writer(limitmb=MEGABYTES)
        for document in documents:
            writer.add_document(id=document.id, title=document.title, body=document.text)
        writer.commit()
        return time.perf_counter() - began

    def open(self) -> None:
        """Open the index and a searcher."""
        self._index = open_dir(self._folder)
        self._searcher = self._index.searcher(weighting=BM25F())

    def any_word(self, query: str, limit: int) -> list[int]:
        """Search for any word, each in either field."""
        return self._ask(Or(self._words(query)), limit)

    def all_words(self, query: str, limit: int) -> list[int]:
        """Require all words, each in either field."""
        return self._ask(And(self._words(query)), limit)

    def _words(self, query: str) -> list[Query]:
        analyze = self._index.schema["body"].analyzer
        return [Or([Term("title", token.text), Term("body", token.text)]) for token in analyze(query, mode="query")]

    def _ask(self, query: Query, limit: int) -> list[int]:
        return [hit["id"] for hit in self._searcher.search(query.normalize(), limit=limit)]
