"""tantivy: English stemmer, title and body with positions, two threads."""

from __future__ import annotations

import time
from pathlib import Path

import tantivy

from bench.engines import Document, words

FIELDS = ["title", "body"]
THREADS = 2
HEAP = 256_000_000  # bytes, shared by the threads


class Index:
    """A folder of segments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, documents: list[Document]) -> float:
        """Index the documents and wait until the segments are merged."""
        began = time.perf_counter()
        schema = tantivy.SchemaBuilder()
        for field in FIELDS:
            schema.add_text_field(field, tokenizer_name="en_stem", index_option="position")
        schema.add_integer_field("id", fast=True)
        writer = tantivy.Index(schema.build(), path=str(self._folder)).writer(HEAP, THREADS)
        for document in documents:
            writer.add_document(tantivy.Document(id=document.id, title=document.title, body=document.text))
        writer.commit()
        writer.wait_merging_threads()
        return time.perf_counter() - began

    def open(self) -> None:
        """Open the index and a searcher."""
        self._index = tantivy.Index.open(str(self._folder))
        self._searcher = self._index.searcher()

    def any_word(self, query: str, limit: int) -> list[int]:
        """Put the words side by side."""
        return self._ask(query, limit, conjunction=False)

    def all_words(self, query: str, limit: int) -> list[int]:
        """Require all words, each in either field."""
        return self._ask(query, limit, conjunction=True)

    def _ask(self, query: str, limit: int, *, conjunction: bool) -> list[int]:
        plain = " ".join(words(query.lower()))  # upper-case OR and NOT are operators
        parsed = self._index.parse_query(plain, FIELDS, conjunction_by_default=conjunction)
        hits = self._searcher.search(parsed, limit, count=False).hits  # counting would have to visit every match
        ids: list[int] = self._searcher.fast_field_values("id", [address for _, address in hits])
        return ids
