"""How words become terms: folded, in one alphabet, cut back to their stem by the rules of their language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import Stemmer

from minisearch.analysis import tokenizer as words
from minisearch.analysis.languages import primary
from minisearch.analysis.normalize import ALONE, PAIRED, fold, latin

DEFAULT_LANGUAGE = "en"
REMEMBERED = 300_000  # tokens whose terms are kept in memory
SOUTH_SLAVIC = {"sr", "hr", "bs", "sh", "cnr"}  # one language in two alphabets, as far as searching goes
TOGETHER = "sh"  # what all of them are called

SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@lru_cache(maxsize=1000)
def language(tag: str) -> str:
    """The language whose rules apply to a page tagged `tag`, a language tag or a name.

    >>> language("en-GB"), language("sr-Cyrl"), language("Croatian"), language(""), language("tlh")
    ('en', 'sr', 'sr', 'en', 'tlh')
    """
    short = primary(tag)
    if short in SOUTH_SLAVIC:
        return "sr"
    return short or DEFAULT_LANGUAGE


class Analyzer:
    """Terms by the rules of one language."""

    def __init__(self, language: str, *, stemmed: bool = True) -> None:
        self.language = language
        name = SNOWBALL.get(language) if stemmed else None
        known = name in Stemmer.algorithms()  # older releases know fewer languages
        self._stemmer = Stemmer.Stemmer(name, 0) if known else None  # it need not remember: we do

    @lru_cache(maxsize=REMEMBERED)  # noqa: B019 # analyzers live as long as the program
    def term(self, word: str) -> str:
        """The term of one word.

        >>> Analyzer("en").term("Crawling"), Analyzer("sr").term("страница"), Analyzer("sr").term("stranica")
        ('crawl', 'stranic', 'stranic')
        """
        if self.language == "vi":
            word = word.replace("đ", "d").replace("Đ", "D")  # to others it is a dj
        folded = latin(fold(word)) if self.language == "sr" else fold(word)
        stemmed: str = self._stemmer.stemWord(folded) if self._stemmer else folded
        return stemmed or folded  # some stemmers leave nothing of a lone mark

    def stem_plain(self, words: list[str]) -> list[str]:
        """The terms of many words of plain small letters (ASCII), at one go.

        >>> Analyzer("en").stem_plain(["crawling", "roses"])
        ['crawl', 'rose']
        """
        stems: list[str] = self._stemmer.stemWords(words) if self._stemmer else [*words]
        return stems if all(stems) else [term or word for term, word in zip(stems, words, strict=True)]

    @lru_cache(maxsize=REMEMBERED)  # noqa: B019
    def of_token(self, token: str) -> tuple[tuple[str, ...], str]:
        """The terms of a token's parts, in order, and its term as a whole or ''.

        >>> Analyzer("en").of_token("ThreadPoolExecutors")
        (('thread', 'pool', 'executor'), 'threadpoolexecutor')
        """
        parts = words.parts(token)
        whole = self.term(token) if parts and stands_whole(token, parts) else ""
        return tuple(map(self.term, parts)), whole

    def terms(self, text: str) -> tuple[list[str], list[int]]:
        """All terms of `text` and their positions. A token of several parts is also a term as a whole, at its first
        position. Where characters are indexed in pairs, the last one is also a term: the others begin a pair.

        >>> Analyzer("en").terms("Using os.path today")
        (['use', 'os.path', 'os', 'path', 'today'], [0, 1, 1, 2, 3])
        >>> Analyzer("ja").terms("検索器")
        (['検索', '索器', '器'], [0, 1, 1])
        """
        found: list[str] = []
        positions: list[int] = []
        at = 0
        for match in words.tokens(text):
            token = match.group()
            pieces, whole = self.of_token(token)
            if whole:
                found.append(whole)
                positions.append(at)
            found.extend(pieces)
            positions.extend(range(at, at + len(pieces)))
            at += len(pieces)
            if not token.isascii() and pieces and ends_alone(pieces[-1]):
                found.append(pieces[-1][1])
                positions.append(at - 1)
        return found, positions


def ends_alone(term: str) -> bool:
    """Whether a term is a pair of letters, of which the second is also a term when no other follows it.

    >>> ends_alone("検索"), ends_alone("索"), ends_alone("する")
    (True, False, False)
    """
    return len(term) == 2 and ALONE.match(term, 1) is not None


def stands_whole(token: str, parts: Sequence[str]) -> bool:
    """Whether a token is also a term as a whole: not if it equals its only part, or if it is data and not a word.

    >>> stands_whole("os.path", ["os", "path"]), stands_whole("C++", ["C"]), stands_whole("cat", ["cat"])
    (True, True, False)
    """
    if len(parts) == 1 and token[-1] not in "+#_" and token[0] not in "._":
        return False
    folded = fold(token)
    return len(folded) <= words.LONGEST and (folded.isascii() or not PAIRED.search(folded))


@cache
def analyzer(language: str) -> Analyzer:
    """The analyzer of a language, made once."""
    return Analyzer(language)


@cache
def unstemmed(language: str) -> Analyzer:
    """The same without stems: words stay as they are written, but for case, accents and alphabet.

    >>> unstemmed("en").term("Queues"), unstemmed("sr").term("Руже")
    ('queues', 'ruze')
    """
    return Analyzer(language, stemmed=False)
