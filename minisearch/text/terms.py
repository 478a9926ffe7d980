"""How words become terms: folded, in one alphabet, cut back to their stem by the rules of their language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import Stemmer

from minisearch.text import words
from minisearch.text.scripts import UNSPACED, fold, latin

DEFAULT_LANGUAGE = "en"
SOUTH_SLAVIC = {"sr", "hr", "bs", "sh", "cnr"}  # one language in two alphabets, as far as searching goes

SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def language(tag: str) -> str:
    """The language by whose rules a page tagged `tag` is read.

    >>> language("en-GB"), language("sr-Cyrl"), language("hr"), language(""), language("tlh")
    ('en', 'sr', 'sr', 'en', 'tlh')
    """
    primary = tag.lower().replace("_", "-").split("-")[0]
    if primary in SOUTH_SLAVIC:
        return "sr"
    return primary or DEFAULT_LANGUAGE


class Analyzer:
    """Terms by the rules of one language."""

    def __init__(self, language: str) -> None:
        name = SNOWBALL.get(language)
        known = name in Stemmer.algorithms()  # older releases know fewer languages
        self._stem = Stemmer.Stemmer(name).stemWord if known else None
        self._transliterate = language == "sr"
        self._memo: dict[str, tuple[str, ...]] = {}

    def term(self, word: str) -> str:
        """The term of one word.

        >>> Analyzer("en").term("Crawling"), Analyzer("sr").term("страница"), Analyzer("sr").term("stranica")
        ('crawl', 'stranic', 'stranic')
        """
        folded = fold(word)
        if self._transliterate:
            folded = latin(folded)
        return self._stem(folded) if self._stem else folded

    def of_token(self, token: str) -> tuple[str, ...]:
        """The terms of a token's parts, in order.

        >>> Analyzer("en").of_token("ThreadPoolExecutor")
        ('thread', 'pool', 'executor')
        """
        known = self._memo.get(token)
        if known is None:
            known = self._memo[token] = tuple(self.term(part) for part in words.parts(token))
        return known

    def terms(self, text: str) -> tuple[list[str], list[int]]:
        """All terms of `text` and their positions. A token of several parts also stands whole where it begins.

        >>> Analyzer("en").terms("Using os.path today")
        (['use', 'os', 'os.path', 'path', 'today'], [0, 1, 1, 2, 3])
        """
        found: list[str] = []
        positions: list[int] = []
        at = 0
        for match in words.tokens(text):
            token = match.group()
            pieces = self.of_token(token)
            if len(pieces) == 1 and token[-1] not in "+#":
                found.append(pieces[0])
                positions.append(at)
            else:
                found.extend(pieces)
                positions.extend(range(at, at + len(pieces)))
                whole = whole_term(token, pieces)
                if whole:
                    found.insert(len(found) - len(pieces) + 1, whole)
                    positions.insert(len(positions) - len(pieces) + 1, at)
            at += len(pieces)
        return found, positions


def whole_term(token: str, pieces: tuple[str, ...]) -> str:
    """The term of a token as a whole, or '' if its one part says it all or it is no word but data.

    >>> whole_term("os.path", ("os", "path")), whole_term("C++", ("c",)), whole_term("cat", ("cat",))
    ('os.path', 'c++', '')
    """
    if len(token) > words.LONGEST or (len(pieces) == 1 and token[-1] not in "+#"):
        return ""
    folded = fold(token)
    return "" if UNSPACED.search(folded) else folded


@cache
def analyzer(language: str) -> Analyzer:
    """The analyzer of a language, made once."""
    return Analyzer(language)


def query_variants(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    """The terms by which pages in any of `languages` would hold `word`.

    >>> query_variants("gardens", ["en", "sr"])
    ('garden', 'gardens')
    """
    return tuple(dict.fromkeys(analyzer(language).term(word) for language in languages))
