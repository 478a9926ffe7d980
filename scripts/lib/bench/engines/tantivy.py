"""tantivy: English stemmer, title and body with positions, two threads."""

from __future__ import annotations

import time
from pathlib import Path

import tantivy

from bench.engines import bytes_in, read_documents, words

FIELDS = ["title", "body"]
THREADS = 2
HEAP = 256_000_000  # bytes, shared by the threads


class Index:
    """A folder of segments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, source: Path, limit: int | None) -> dict[str, float]:
        """Index the documents, and wait until the segments are merged."""
        documents = read_documents(source, limit)
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
        return {"index": time.perf_counter() - began}

    def size(self) -> int:
        """Bytes of the folder."""
        return bytes_in(self._folder)

    def open(self) -> None:
        """Open the index and take a searcher."""
        self._index = tantivy.Index.open(str(self._folder))
        self._searcher = self._index.searcher()

    def any_word(self, query: str, limit: int) -> list[int]:
        """Words side by side."""
        return self._ask(query, limit, conjunction=False)

    def all_words(self, query: str, limit: int) -> list[int]:
        """The same, all needed; each may stand in either field."""
        return self._ask(query, limit, conjunction=True)

    def _ask(self, query: str, limit: int, *, conjunction: bool) -> list[int]:
        plain = " ".join(words(query.lower()))  # lower case: OR and NOT mean something
        parsed = self._index.parse_query(plain, FIELDS, conjunction_by_default=conjunction)
        hits = self._searcher.search(parsed, limit, count=False).hits  # uncounted, so that it may skip pages
        ids: list[int] = self._searcher.fast_field_values("id", [address for _, address in hits])
        return ids
