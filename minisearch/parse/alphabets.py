"""Alphabets: texts that are not in Latin letters, and which of the charsets of their alphabet they are in.

Any bytes can be read in each of them. But read in a wrong one, rare letters become common ones, capitals stand inside
words, and signs where letters should be; and a text in Latin letters becomes one that mixes two alphabets in a word.
Where a letter has two bytes there are thousands of them, but of each text a good part are the commonest hundred.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple


class _Alphabet(NamedTuple):
    common: frozenset[str]
    letters: frozenset[str]


def _alphabet(common: str, rare: str) -> _Alphabet:
    """An alphabet, by its small letters where there are others: two thirds of a text and more are in common ones."""
    return _Alphabet(frozenset(common), frozenset(common + rare))


CYRILLIC = _alphabet("оеаинтсрвлкмдпу", "яыьгзбчйхжшюцщэфъёіїєґјљњђћџѓќѕў")
GREEK = _alphabet("αοιετσνηυρπκμλς", "ωδγχθφβξζψάέήίόύώϊϋΐΰ")
HEBREW = _alphabet("יוהלאתרבמשןםנ", "גדזחטךכסעףפץצק")
ARABIC = _alphabet("اليمونرتبةعدسفهكقح", "أإآجخذزشصضطظغثىئؤءپچژگکیًٌٍَُِّْـ")
THAI = _alphabet("านรกเอง่ม้ลยวทดตสัีิคห", "บปพไแจะขชใูุโ์ำผณธซศถภ็ฟษญืึฐฎฏฆฉฌฑฒฝฤฬฮฯ๊๋ๆ")
CHARSETS = {  # in the order in which they are believed when there is nothing to choose
    "cp1251": CYRILLIC,
    "koi8_r": CYRILLIC,
    "koi8_u": CYRILLIC,
    "iso8859_5": CYRILLIC,
    "cp866": CYRILLIC,
    "mac_cyrillic": CYRILLIC,
    "cp1253": GREEK,
    "iso8859_7": GREEK,
    "cp1255": HEBREW,
    "cp1256": ARABIC,
    "iso8859_6": ARABIC,
    "cp874": THAI,
}
NEUTRAL = frozenset("«»“”„‘’‚‹›–—…·•№©®™°§\xa0،؛؟\u200c\u200d\u200e\u200f")  # signs that may stand in any text
WORDS = re.compile(r"[^\s!-@\[-`{-~]*[^\x00-\x7f][^\s!-@\[-`{-~]*")  # with a letter in them that is not ASCII
READ = 500  # words that are looked at
COMMON, RARE, WRONG = 2, 1, -4  # what a letter tells for an alphabet
ENOUGH, FEWEST = 1.5, 5  # on average, and of how many letters, after which it is no chance

KANA = frozenset(map(chr, [*range(0x3041, 0x3094), *range(0x30A1, 0x30F7)]))
HANGUL = frozenset("이다는의가에고을하지로은한사도를기리서자어인나시대해아라그만있들보게일상스제수정부여조오장소")
HAN = frozenset(
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多"
    "天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长这這來國個說們為時"
    "會著過學對裡後麼沒於還發當無開見經頭從動兩長給给年月日分新全高机關关"
)
OF_TWO_BYTES = {"cp932": KANA, "euc_jp": KANA, "cp949": HANGUL, "gb18030": HAN, "big5hkscs": HAN}
GOOD_PART = 0.15  # of the letters of a text that are among the commonest


def told_by_letters(body: bytes) -> str:
    """The codec in which `body` makes sense; nothing if in none.

    >>> told_by_letters("Тише едешь, дальше будешь".encode("iso8859-5")), told_by_letters("naïve".encode("latin-1"))
    ('iso8859_5', '')
    """
    return _best({codec: sense_of_letters(body, codec) for codec in CHARSETS})


def told_by_pairs(body: bytes) -> str:
    """The same of codecs in which a letter has two bytes.

    >>> told_by_pairs("これは本です".encode("euc-jp")), told_by_pairs("naïve".encode("latin-1"))
    ('euc_jp', '')
    """
    return _best({codec: sense_of_pairs(body, codec) for codec in OF_TWO_BYTES})


def _best(told: dict[str, float]) -> str:
    """The codec for which most is told; nothing if that is too little."""
    best = max(told, key=told.__getitem__)
    return best if told[best] >= 1 else ""


def sense_of_letters(body: bytes, codec: str) -> float:
    """How much sense `body` makes in a codec of another alphabet: enough from 1 on."""
    words = WORDS.findall(body.decode(codec, "replace"))[:READ]
    told = [_worth(letter, before, CHARSETS[codec]) for word in words for before, letter in pairwise(" " + word)]
    return sum(told) / len(told) / ENOUGH if len(told) >= FEWEST else 0.0


def sense_of_pairs(body: bytes, codec: str) -> float:
    """The same in one of two-byte letters: which part of them are the commonest, of the part that is enough."""
    foreign = [letter for letter in body.decode(codec, "replace") if not letter.isascii()]
    common = sum(map(OF_TWO_BYTES[codec].__contains__, foreign))
    return common / len(foreign) / GOOD_PART if len(foreign) >= FEWEST else 0.0


def _worth(letter: str, before: str, alphabet: _Alphabet) -> int:
    if letter in NEUTRAL:
        return 0
    small = letter.lower()
    if small not in alphabet.letters or (small != letter and before in alphabet.letters):
        return WRONG
    return COMMON if letter in alphabet.common else RARE
