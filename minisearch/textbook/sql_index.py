"""The inverted index as three relational tables, and BM25 as one SQL statement.

The formula, and the same with dicts and loops: minisearch/textbook/bm25.py
The same index with the postings of a term packed into a few bytes: minisearch/index/

A table WITHOUT ROWID is kept in the order of its primary key, so the postings of a term are adjacent, and SQLite
finds the first of them in a few steps. Any SQLite tool can read these tables; the price is their size.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter

from minisearch.textbook.bm25 import K1, WEIGHTS, B, Document, words_of

TABLES = """
CREATE TABLE documents (  -- how many words each field of a document has: a row for every field, also an empty one
    url TEXT, field TEXT, length INTEGER, PRIMARY KEY (url, field)
) WITHOUT ROWID;
CREATE TABLE terms (      -- how many documents have the term in any field
    term TEXT, df INTEGER, PRIMARY KEY (term)
) WITHOUT ROWID;
CREATE TABLE postings (   -- how often the term occurs in a field of a document
    term TEXT, url TEXT, field TEXT, tf INTEGER, PRIMARY KEY (term, url, field)
) WITHOUT ROWID;
"""

FIELDS = ", ".join(f"('{field}', {weight}, {B[field]})" for field, weight in WEIGHTS.items())
SEARCH = f"""
WITH fields (field, weight, b) AS (VALUES {FIELDS}),
     averages AS (SELECT field, COUNT(*) AS n, AVG(length) AS average FROM documents GROUP BY field)
SELECT url, SUM(
           weight
           * ln(1 + (n - df + 0.5) / (df + 0.5))                             -- idf
           * tf * (:k1 + 1) / (tf + :k1 * (1 - b + b * length / average))    -- saturation
       ) AS score
  FROM json_each(:words) AS query
  JOIN terms ON terms.term = query.value
  JOIN postings USING (term)
  JOIN documents USING (url, field)
  JOIN averages USING (field)
  JOIN fields USING (field)
 GROUP BY url
 ORDER BY ROUND(score, 9) DESC, url  -- what differs by less is equal: sums are rounded
"""


def make_index() -> sqlite3.Connection:
    """An empty index in memory."""
    index = sqlite3.connect(":memory:")
    index.executescript(TABLES)
    index.create_function("ln", 1, math.log, deterministic=True)  # not every SQLite is built with it
    return index


def add_document(index: sqlite3.Connection, url: str, document: Document) -> None:
    """Add a document that is not in the index yet."""
    lengths, postings = [], []
    for field in WEIGHTS:
        words = words_of(document, field)
        lengths.append((url, field, len(words)))
        postings += [(term, url, field, tf) for term, tf in Counter(words).items()]
    terms = {(term,) for term, *_ in postings}
    index.executemany("INSERT INTO documents VALUES (?, ?, ?)", lengths)
    index.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", postings)
    index.executemany("INSERT INTO terms VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET df = df + 1", terms)


def lookup(index: sqlite3.Connection, term: str) -> list[tuple[str, str, int]]:
    """The postings of a term: (url, field, how often), by url and field.

    >>> index = make_index()
    >>> add_document(index, "cats.html", {"title": [["my", "cat"]], "body": [["cat", "and", "cat"]]})
    >>> lookup(index, "cat")
    [('cats.html', 'body', 2), ('cats.html', 'title', 1)]
    """
    return index.execute("SELECT url, field, tf FROM postings WHERE term = ? ORDER BY url, field", [term]).fetchall()


def search(index: sqlite3.Connection, words: list[str]) -> list[tuple[str, float]]:
    """(url, score) of the documents with any of the words, best first; of equal ones by url.

    >>> index = make_index()
    >>> add_document(index, "pets.html", {"body": [["a", "dog", "and", "a", "cat"]]})
    >>> add_document(index, "cats.html", {"title": [["cat"]]})
    >>> [url for url, score in search(index, ["cat"])]
    ['cats.html', 'pets.html']
    """
    return index.execute(SEARCH, {"words": json.dumps(words), "k1": K1}).fetchall()
