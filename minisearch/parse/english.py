"""English: whether a text is so plainly in it that nobody need be asked.

Most pages that declare no language are in this one, and in no other do "the" and "of" hold the same sentence together.
A model of all languages takes half a second to be read, while whole sites may have one page that needs it. So a text
in which the small words of English are many, of many kinds and everywhere is told by them. Where they are few, or
missing for a while (a program, a list of names, a second language, a near one), the model is asked as ever.

The numbers were chosen by 26,000 texts from Debian's manuals in thirty languages: the model (minisearch/crawl/
language.py) calls each of those English that are plainly so here, a fifth of all it does. Of 60,000 that were made of
an English text and another it does so of all but two.
"""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W\d_]+")
# Small words that no other language has, and some that others have, too. ("In", "was", "for" and "so" tell nothing.)
_TABLE = """the this that these those there which who how when where your his she it its they them their are were been
    being have could would should may must from with about into and but if than then such any some not each |
    be can does had has is my of or to"""
ENGLISH, SHARED = (frozenset(words.split()) for words in _TABLE.split("|"))
NEEDED = frozenset(["the", "of"])  # Scots and Pidgin say others
KINDS = 6  # different ones that there are at the least
SHARE = 0.25  # of all words that are small; of English prose it is a third
GAP = 15  # words in a row of which none is English alone
FOREIGN = 0.01  # share of letters that are not ASCII


def is_plainly_english(text: str) -> bool:
    """Whether the small words of a text leave no doubt that all of it is English.

    >>> is_plainly_english("It is the best of times, and this is where the worst of them are to be found.")
    True
    >>> is_plainly_english("This is the best of times, and it may be the worst. " + "Doch wer weiss das schon? " * 3)
    False
    """
    words = WORD.findall(text.lower())
    small = [word for word in words if word in ENGLISH or word in SHARED]
    kinds = {*small}
    if len(kinds) < KINDS or not NEEDED.issubset(kinds) or len(small) < SHARE * len(words):
        return False
    places = [place for place, word in enumerate(words) if word in ENGLISH]
    gaps = [then - now - 1 for now, then in zip([-1, *places], [*places, len(words)], strict=True)]
    letters = "".join(words)
    return max(gaps) <= GAP and len(letters) - len(letters.encode("ascii", "ignore")) <= FOREIGN * len(letters)
