"""A search engine in memory: match pages, score words with BM25, multiply by the link factor.

The words: Robertson and Walker, 1994, and Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009.
The links: Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999.
The product on disk gives the same results: minisearch/search/scoring.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise, product
from math import log

from minisearch.textbook.bm25 import Document, average_lengths, document_frequency, has, idf, saturation, words_of
from minisearch.textbook.bm25 import score as score_words

BLEND = 0.15  # how much the best linked page gains
TELLING = 0.25  # a word counts for "all words" if its idf is at least this share of the highest idf
FAINT = 0.05  # and for proximity, if at least this
SHORT = 4  # words up to which pages with all of them come first
NEARLY = 1e-9  # scores that differ by less share a place: it is due to rounding
CLOSELY = 30  # the best pages by words, on which proximity is counted

# Proximity: what two adjacent words of the query add that are adjacent on the page, as a share of the smaller idf.
NEIGHBOURS = {"title": 0.5, "headings": 0.5, "url": 0.1, "body": 0.4, "anchor": 0.5}
# Exact match: what a title, heading or anchor text adds that is the whole query, as a share of the idf of that.
NAMES = {"title": 2.0, "headings": 3.0, "anchor": 1.5}
EXACT = 4.0  # the same for a title that is the query without stemming
ADDRESS = 8.0  # the same for a URL path that ends in the query

Token = Sequence[tuple[str, ...]]  # a token of a text: the ways to read it as words


class Engine:
    """Documents by their url, already split into lines of words, and the rank of each. A document may also have its
    title as it is `spelled`, where its words are stems, and the steps of its `address`.

    >>> pages = {"cats": {"body": [["cat", "cat"]]}, "pets": {"body": [["cat", "dog"]]}, "cars": {"body": [["car"]]}}
    >>> engine = Engine(pages, {"cats": 0.2, "pets": 0.5, "cars": 0.3})
    >>> [url for url, score in engine.search(["dog", "cat"])]
    ['pets', 'cats']
    """

    def __init__(self, documents: Mapping[str, Document], ranks: Mapping[str, float]) -> None:
        self.documents = dict(documents)
        self.prior = prior({url: ranks[url] for url in documents if url in ranks})

    def search(
        self,
        words: Iterable[str],
        blend: float = BLEND,
        closely: int = CLOSELY,
        spelled: Sequence[str] = (),
        way: Sequence[str] = (),
    ) -> list[tuple[str, float]]:
        """(url, score) of the pages with any of the words, best first; `spelled` is the query as it was typed, and
        `way` its steps, if it may be the end of a URL path, as a.b.C.

        Pages with all telling words come first, if the query is short; then the score decides, then the url.
        """
        query, documents = list(words), list(self.documents.values())
        needed = telling_words(query, documents)
        scores, incomplete = {}, {}
        for url, document in self.documents.items():
            if any(has(document, word) for word in query):
                text = text_score(query, document, documents) + score_exact(spelled, document, documents)
                text += score_address(way, document, documents)
                scores[url] = text * self.factor(url, blend)
                incomplete[url] = not all(has(document, word) for word in needed)
        keys = sorted((incomplete[url], -score) for url, score in scores.items())
        last = keys[:closely][-1:]  # pages that share the last place are included
        for url, score in scores.items():
            if (incomplete[url], -score - NEARLY) <= last[0]:
                scores[url] += score_neighbours(query, self.documents[url], documents) * self.factor(url, blend)
        return sorted(scores.items(), key=lambda hit: (incomplete[hit[0]], -hit[1], hit[0]))

    def factor(self, url: str, blend: float) -> float:
        """The link factor of a page's score."""
        return 1 + blend * self.prior.get(url, 0)


def telling_words(query: Sequence[str], documents: Sequence[Document]) -> list[str]:
    """The words that a page should have to come first: not those that nearly all pages have, nor those that none has.

    >>> telling_words(["a", "red", "rose"], [{"body": [["a", "rose"]]}, {"body": [["a"]]}, {"body": [["a"]]}])
    ['rose']
    >>> telling_words(["a", "rose", "is", "a", "rose"], [{"body": [["a", "rose"]]}])  # too long for the rule
    []
    """
    df = {word: document_frequency(word, documents) for word in query}
    telling = {word: idf(count, len(documents)) for word, count in df.items() if count}
    if len(query) > SHORT:
        return []
    return [word for word in telling if telling[word] >= TELLING * max(telling.values())]


def text_score(query: Sequence[str], document: Document, documents: Sequence[Document]) -> float:
    """What the words add, each once even if it is repeated in the query, and an exact match.

    >>> once, twice = {"body": [["hedge", "maze"]]}, {"body": [["hedge", "hedge"]]}
    >>> text_score(["hedge"], twice, [once, twice]) > text_score(["hedge", "hedge"], once, [once, twice])
    True
    """
    return score_words(dict.fromkeys(query), document, documents) + score_name(query, document, documents)


def score_neighbours(query: Sequence[str], document: Document, documents: Sequence[Document]) -> float:
    """The sum over pairs and fields of share * idf * saturation, for words adjacent in the query and on a line.

    >>> page = {"headings": [["the", "hedge"], ["maze"]]}
    >>> score_neighbours(["the", "hedge"], page, [page]) > score_neighbours(["hedge", "maze"], page, [page]) == 0
    True
    """
    average = average_lengths(documents)
    df = {word: document_frequency(word, documents) for word in query}
    telling_of = {word: idf(count, len(documents)) if count else 0.0 for word, count in df.items()}
    total = 0.0
    for pair in dict.fromkeys(pairwise(query)):
        telling = min(telling_of[word] for word in pair)
        if telling < FAINT * max(telling_of.values()):
            continue
        for field, share in NEIGHBOURS.items():
            count = sum(list(pairwise(line)).count(pair) for line in document.get(field, ()))
            if count and pair[0] != pair[1]:
                length = len(words_of(document, field))
                total += share * telling * saturation(count, length, average[field], field)
    return total


def score_name(query: Sequence[str], document: Document, documents: Sequence[Document]) -> float:
    """The sum over fields of share * idf, if the query is a whole line of them.

    >>> rose, roses = {"title": [["rose"]]}, {"title": [["red", "rose"]], "body": [["rose"]]}
    >>> score_name(["rose"], rose, [rose, roses]) > score_name(["rose"], roses, [rose, roses]) == 0
    True
    """
    telling = idf(sum(bool(named(query, other)) for other in documents), len(documents))
    total = 0.0
    for field in named(query, document):
        often = 1.0
        if field == "anchor":  # one link among hundreds that is the query counts little
            count = [list(line) for line in document[field]].count(list(query))
            often = saturation(count, len(words_of(document, field)), average_lengths(documents)[field], field)
        total += NAMES[field] * telling * often
    return total


def score_exact(spelled: Sequence[str], document: Document, documents: Sequence[Document]) -> float:
    """What a title adds that is the query without stemming: there may be a page about queue, another about queues.

    >>> queue, queues = {"spelled": [["queue"]]}, {"spelled": [["queues"]]}
    >>> score_exact(["queue"], queue, [queue, queues]) > score_exact(["queue"], queues, [queue, queues]) == 0
    True
    """
    titled = [list(spelled) in [list(line) for line in other.get("spelled", ())] for other in documents]
    here = list(spelled) in [list(line) for line in document.get("spelled", ())]
    return EXACT * idf(sum(titled), len(documents)) if spelled and here else 0.0


def score_address(way: Sequence[str], document: Document, documents: Sequence[Document]) -> float:
    """What a URL path adds that ends in the query: a.b.C matches .../a/b/C.html, whatever its title.

    >>> rose, uses = {"address": [["garden", "rose"]]}, {"address": [["garden", "uses", "rose"]]}
    >>> score_address(["garden", "rose"], rose, [rose, uses]) > score_address(["garden", "rose"], uses, [rose, uses])
    True
    """
    led_to = [url_ends_in(way, other) for other in documents]
    return ADDRESS * idf(sum(led_to), len(documents)) if url_ends_in(way, document) else 0.0


def url_ends_in(way: Sequence[str], document: Document) -> bool:
    """Whether the URL path of a page ends in some steps, in their order."""
    return bool(way) and any(list(steps[-len(way) :]) == list(way) for steps in document.get("address", ()))


def named(query: Sequence[str], document: Document) -> list[str]:
    """The fields of which a line is the whole query.

    >>> named(["red", "rose"], {"title": [["red", "rose"]], "headings": [["red"], ["rose"]], "body": [["red", "rose"]]})
    ['title']
    """
    return [field for field in NAMES if list(query) in [list(line) for line in document.get(field, ())]]


def has_phrase(lines: Sequence[Sequence[Token]], phrase: Sequence[Token]) -> bool:
    """Whether the words of a phrase follow each other in a line; as written, not stemmed.

    A token is the ways to read it: an identifier by its parts, or as one word.

    >>> hedge, maze = [("hedge",)], [("maze",)]
    >>> has_phrase([[hedge], [maze, hedge, maze]], [hedge, maze]), has_phrase([[hedge], [maze]], [hedge, maze])
    (True, False)
    >>> has_phrase([[[("hedge", "maze"), ("hedgemaze",)], maze]], [[("hedgemaze",)], maze])  # HedgeMaze maze
    True
    """
    wanted = readings(phrase)
    return any(
        reading[at : at + len(words)] == words
        for line in lines
        for reading in readings(line)
        for words in wanted
        for at in range(len(reading) - len(words) + 1)
    )


def readings(tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    """All ways to read some tokens as words.

    >>> readings([[("a",)], [("hedge", "maze"), ("hedgemaze",)]])
    [('a', 'hedge', 'maze'), ('a', 'hedgemaze')]
    """
    return [tuple(chain.from_iterable(chosen)) for chosen in product(*tokens)]


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
