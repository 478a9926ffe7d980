"""Letters: what is folded together, and which scripts write without spaces.

One form for each word, whatever its case, its accents or (for Serbian and its neighbours) its alphabet.
"""

from __future__ import annotations

import re
import unicodedata

SERBIAN_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "ђ": "dj", "е": "e", "ж": "z", "з": "z", "и": "i",
    "ј": "j", "к": "k", "л": "l", "љ": "lj", "м": "m", "н": "n", "њ": "nj", "о": "o", "п": "p", "р": "r",
    "с": "s", "т": "t", "ћ": "c", "у": "u", "ф": "f", "х": "h", "ц": "c", "ч": "c", "џ": "dz", "ш": "s",
}  # fmt: skip
_LATIN_OF = str.maketrans(SERBIAN_CYRILLIC)

# Letters that Unicode does not take apart, with the spelling people type instead.
_UNDECOMPOSED = str.maketrans(
    {
        "đ": "dj",
        "ø": "o",
        "ł": "l",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ð": "d",
        "ё": "е",
        "ŧ": "t",
        "ħ": "h",
    }
)

# Chinese, Japanese and Thai (with its neighbours) put no space between words.
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def fold(word: str) -> str:
    """`word` without case, accents and compatibility forms.

    >>> fold("Überraschung"), fold("ﬁne"), fold("Đorđe"), fold("Ёлка")
    ('uberraschung', 'fine', 'djordje', 'елка')
    """
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold().translate(_UNDECOMPOSED)
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", "".join(_without_accent(letter) for letter in folded))


def _without_accent(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)
    # An accent on a Latin or Greek letter is often left out by those who type; й is a letter of its own.
    return base[0] if base[0] < "\u0400" else letter


def latin(word: str) -> str:
    """A folded Serbian word in its Latin spelling, accents left out.

    >>> latin("ђак"), latin("ружа"), latin("ruza")
    ('djak', 'ruza', 'ruza')
    """
    return word.translate(_LATIN_OF)


def bigrams(run: str) -> list[str]:
    """Overlapping pairs of letters, the terms of a script without spaces.

    >>> bigrams("検索器"), bigrams("字")
    (['検索', '索器'], ['字'])
    """
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]
