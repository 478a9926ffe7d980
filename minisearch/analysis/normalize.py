"""Normalization of characters: case folding, accents, invisible characters, and scripts that are indexed in pairs.

Each word has one form regardless of case, accents and (for Serbian and related languages) alphabet.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
        "\u2010": "-",  # the hyphen that is nothing else; the one that does not break becomes it
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

# Invisible characters in a word: places to break it, joiners, directions, variants and shades of a sign.
INVISIBLE = (
    "\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff"
)
_UNSEEN = re.compile(f"[{INVISIBLE}]+")

# Signs that are pictures, by which people look for pages as well.
PICTURES = (
    "\u2600-\u2775\u2794-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001f64f"
    "\U0001f680-\U0001f6ff\U0001f900-\U0001faff"
)

# Hebrew and Arabic vowels and the Hindi dot below, left out by many who write, and the stroke that lengthens a word.
_POINTS = re.compile("[\u093c\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0656-\u065f\u0670]+")

# Chinese, Japanese and Thai (with its neighbours) put no space between words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
UNSPACED = re.compile(f"[{_UNSPACED}]+")
# Korean does, but what we would call words are joined into one, and grow endings.
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7ff"
PAIRED = re.compile(f"[{_UNSPACED}]+|[{_HANGUL}]+|[{PICTURES}]+")  # what is cut into pairs of letters
# Letters of such scripts that can be a word by themselves.
ALONE = re.compile(f"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff{_HANGUL}{PICTURES}]")

# Letters and marks that fold() changes in more than their case, alone or together with the letter before; and all
# characters above U+FFFF, for a longer list of these takes longer.
FOLDABLE = re.compile(
    "[\u00aa-\u024f\u02b0-\u037a\u0386-\u0390\u03aa-\u03b0\u03c2\u03ca-\u03d6\u03f0-\u03f9\u0401\u0451\u0587\u0591-\u05c7"
    "\u061c\u0640\u064b-\u065f\u0670\u0675-\u0678\u093c\u0958-\u095f\u09dc-\u09df\u0a33-\u0a36\u0a59-\u0a5e\u0b5c\u0b5d"
    "\u0e33\u0eb3\u0edc\u0edd\u0f43-\u0fb9\u10fc-\u11ff\u13a0-\u13fd\u180b-\u180f\u1c80-\u1c88\u1d2c-\u1dbf\u1e00-\u1fff"
    "\u200b-\u2011\u202a-\u202e\u2060-\u209c\u2100-\u218f\u2460-\u24ff\u2c7c\u2c7d\u2d6f\u3038-\u303a\u3099\u309a\u309f\u30ff"
    "\u3131-\u318e\u3192-\u3195\u3220-\u32bf\ua69c\ua69d\ua770\ua7f1-\ua7f9\uab5c-\uabbf\uf900-\ufdfb\ufe00-\ufe0f\ufe70-\ufeff"
    "\uff10-\uffdc\U00010000-\U0010ffff]"
)

_FOLDED = re.compile("[\u4e00-\u9fff]+")  # letters that have no case, no accents and no other forms


def fold(word: str) -> str:
    """`word` without case, accents and compatibility forms.

    >>> fold("Überraschung"), fold("ﬁne"), fold("Đorđe"), fold("Ёлка"), fold("İzmir’de"), fold("hy\\u00adphen")
    ('uberraschung', 'fine', 'djordje', 'елка', "izmir'de", 'hyphen')
    """
    if word.isascii():
        return word.lower()
    if _FOLDED.fullmatch(word):
        return word
    folded = unicodedata.normalize("NFKC", without_unseen(word)).casefold()
    bare = "".join(_without_accent(letter) for letter in _POINTS.sub("", folded))
    return unicodedata.normalize("NFC", bare).translate(_UNDECOMPOSED)


def without_unseen(word: str) -> str:
    """`word` without invisible characters."""
    return _UNSEEN.sub("", word)


@lru_cache(maxsize=20_000)  # letters: more than a script has
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
