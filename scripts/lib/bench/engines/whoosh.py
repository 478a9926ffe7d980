"""Whoosh (whoosh-reloaded): stemming analyzer, BM25F over title and body."""

from __future__ import annotations

import time
from pathlib import Path

from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.index import create_in, open_dir
from whoosh.query import And, Or, Query, Term
from whoosh.scoring import BM25F

from bench.engines import bytes_in, read_documents

MEGABYTES = 256  # its documentation's advice for many documents at once


class Index:
    """A folder of segments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, source: Path, limit: int | None) -> dict[str, float]:
        """Index the documents."""
        documents = read_documents(source, limit)
        began = time.perf_counter()
        schema = Schema(
            id=NUMERIC(stored=True), title=TEXT(analyzer=StemmingAnalyzer()), body=TEXT(analyzer=StemmingAnalyzer())
        )
        writer = create_in(self._folder, schema).writer(limitmb=MEGABYTES)
        for document in documents:
            writer.add_document(id=document.id, title=document.title, body=document.text)
        writer.commit()
        return {"index": time.perf_counter() - began}

    def size(self) -> int:
        """Bytes of the folder."""
        return bytes_in(self._folder)

    def open(self) -> None:
        """Open the index and take a searcher."""
        self._index = open_dir(self._folder)
        self._searcher = self._index.searcher(weighting=BM25F())

    def any_word(self, query: str, limit: int) -> list[int]:
        """Each word in either field, any of them."""
        return self._ask(Or(self._words(query)), limit)

    def all_words(self, query: str, limit: int) -> list[int]:
        """Each word in either field, all of them."""
        return self._ask(And(self._words(query)), limit)

    def _words(self, query: str) -> list[Query]:
        cut = self._index.schema["body"].analyzer
        return [Or([Term("title", token.text), Term("body", token.text)]) for token in cut(query, mode="query")]

    def _ask(self, query: Query, limit: int) -> list[int]:
        return [hit["id"] for hit in self._searcher.search(query.normalize(), limit=limit)]
