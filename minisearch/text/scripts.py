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
        "’": "'",
        "ʼ": "'",
    }
)

# Accents and vowel signs written apart from their letter: part of a word, though Python's \w leaves them out.
MARKS = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"  # on letters of any script
    "\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Cyrillic, Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"  # Arabic
    "\u0900-\u0963\u0966-\u0df3"  # the scripts of India, from Devanagari to Sinhala
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"  # Thai, Lao
    "\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u1074\u1082-\u109d\u17b4-\u17d3"  # Tibetan, Burmese, Khmer
    "\u1712-\u1734\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b44\u1b80-\u1bf3\ua947-\ua953\ua980-\ua9c0"  # Java, Bali ...
    "\u3099\u309a"  # Japanese
)

# Chinese, Japanese and Thai (with its neighbours) put no space between words.
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def fold(word: str) -> str:
    """`word` without case, accents and compatibility forms.

    >>> fold("Überraschung"), fold("ﬁne"), fold("Đorđe"), fold("Ёлка"), fold("İzmir’de")
    ('uberraschung', 'fine', 'djordje', 'елка', "izmir'de")
    """
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold()
    bare = "".join(_without_accent(letter) for letter in folded)
    return unicodedata.normalize("NFC", bare).translate(_UNDECOMPOSED)


def _without_accent(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    if "\u0300" <= base < "\u0370":
        return ""  # an accent by itself: no letter takes it in
    # An accent on a Latin or Greek letter is often left out by those who type; й is a letter of its own.
    return base if base < "\u0400" else letter


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
