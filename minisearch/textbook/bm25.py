"""BM25 with dicts and loops: how much a page is about the words of a query.

Robertson and Walker, "Some simple effective approximations to the 2-Poisson model", 1994; explained at length in
Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
The same as one SQL statement: minisearch/textbook/sql_index.py
The same with arrays, which it is tested against: minisearch/search/scoring.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log

Lines = Sequence[Sequence[str]]  # of words in order; a title or a text is one line, headings and links are many
Document = Mapping[str, Lines]  # {field: its lines}

K1 = 2.0  # how soon repeating a word stops helping
WEIGHTS = {"title": 1.2, "headings": 0.5, "url": 0.2, "body": 1.0, "anchor": 0.8}
B = {"title": 0.75, "headings": 0.6, "url": 0.75, "body": 0.75, "anchor": 0.5}  # how much long fields are held back


def idf(df: int, pages: int) -> float:
    """How telling a word is that `df` of `pages` pages have: rare words tell much, common ones little.

    >>> idf(1, 10) > idf(9, 10) > 0
    True
    """
    return log(1 + (pages - df + 0.5) / (df + 0.5))


def saturation(count: int, length: int, average: float, field: str) -> float:
    """The weight of `count` occurrences of a word in a field of `length` words: always below K1 + 1.

    >>> saturation(1, 100, average=100, field="body")
    1.0
    >>> 1 < saturation(2, 100, average=100, field="body") < saturation(9, 100, average=100, field="body") < K1 + 1
    True
    >>> saturation(1, 300, average=100, field="body") < saturation(1, 300, average=100, field="anchor") < 1
    True
    """
    return count * (K1 + 1) / (count + K1 * (1 - B[field] + B[field] * length / average))


def words_of(document: Document, field: str) -> list[str]:
    """The words of a field, of one line after the other.

    >>> words_of({"headings": [["my", "cat"], ["dogs"]]}, "headings")
    ['my', 'cat', 'dogs']
    """
    return [word for line in document.get(field, ()) for word in line]


def has(document: Document, word: str) -> bool:
    """Whether a document has the word in any field.

    >>> has({"title": [["cat"]], "body": [["a", "dog"]]}, "dog")
    True
    """
    return any(word in words_of(document, field) for field in WEIGHTS)


def document_frequency(word: str, documents: Iterable[Document]) -> int:
    """How many documents have the word.

    >>> document_frequency("cat", [{"title": [["cat"]], "body": [["cat"]]}, {"anchor": [["cat"]]}, {"body": [["dog"]]}])
    2
    """
    return sum(has(document, word) for document in documents)


def average_lengths(documents: Sequence[Document]) -> dict[str, float]:
    """How many words each field has in the mean; a document without the field counts as 0.

    >>> average_lengths([{"title": [["cat"]]}, {"body": [["a", "dog"]]}])["body"]
    1.0
    """
    return {field: sum(len(words_of(document, field)) for document in documents) / len(documents) for field in WEIGHTS}


def score(words: Iterable[str], document: Document, documents: Sequence[Document]) -> float:
    """The sum over words and fields of weight * idf * saturation: each field is saturated on its own.

    >>> cat, dog = {"title": [["cat"]]}, {"body": [["a", "dog", "and", "a", "cat"]]}
    >>> score(["cat"], cat, [cat, dog]) > score(["cow"], cat, [cat, dog])
    True
    """
    average = average_lengths(documents)
    total = 0.0
    for word in words:
        telling = idf(document_frequency(word, documents), len(documents))
        for field, weight in WEIGHTS.items():
            in_field = words_of(document, field)
            if word in in_field:
                total += weight * telling * saturation(in_field.count(word), len(in_field), average[field], field)
    return total
