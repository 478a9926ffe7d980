"""Reading by chunks gives what reading token by token gives: the same terms, places and lengths."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.text.chunks import Lexicon, Reader, chunks
from minisearch.text.terms import SNOWBALL, analyzer

LANGUAGES = [*SNOWBALL, "ja", "tlh", ""]
PIECES = (
    "cat Cats os.path utf-8 C++ C# c++d +# don't don’t . - ' ’ _ __ ++ # ( ) ; /a/b.html?c=d ThreadPool HTTPServer "
    "\0 \ud800 \udfff \n \t \x1c \x85 \xa0 \u2028 \u3000 \u200b \u0301 \u037a 😀 \U000e0001 "
    "\u00ad \u200d \u2060 \ufeff exam\u00adple .NET ..net a.net .Net. 🚀🎉 👍🏽 🇷🇸 한국어 e\u2011mail "
    "ruža Ђак e\u0301 ٣ हिन्दी ที่นี่ 全文検索 検 ｶﾀ ㈠ ⒈ ﬁne ß İ ﷺ"
)
pieces = st.sampled_from([*PIECES.split(" "), " ", "", "a" * 70, "x." * 40, "検" * 70, "aB" * 50, "Ā" * 200])
texts = st.text() | st.lists(pieces).map("".join) | st.lists(pieces).map(" ".join)


def read(*texts, spoken="en", lines=False):
    """([(terms, places) of each text], [its length])."""
    lexicon = Lexicon()
    reader = Reader(lexicon, analyzer(spoken))
    found = [reader.read_lines(text) if lines else reader.read(text) for text in texts]
    return expand(lexicon, found)


LAST = (1 << 20) - 1  # a place


def expand(lexicon, found):
    numbers = np.array([number for chunk in found for number in chunk], dtype=np.int64)
    sizes = np.array([len(chunk) for chunk in found], dtype=np.int64)
    lexicon.learn()
    spelled = lexicon.put_in_order(40)
    words = lexicon.expand(numbers, sizes, np.arange(len(found)) << 20, LAST)
    told = [([], []) for _ in found]
    for word in words.tolist():
        told[word >> 20 & LAST][0].append(spelled[word >> 40])
        told[word >> 20 & LAST][1].append(word & LAST)
    return told, lexicon.lengths(numbers, sizes).tolist()


def slowly(text, spoken="en"):
    """The same by Analyzer.terms: ((terms, places), length)."""
    terms, places = analyzer(spoken).terms(text)
    return (terms, places), places[-1] + 1 if places else 0


def lines_slowly(text, spoken="en"):
    found, places, at, length = [], [], 0, 0
    for line in text.split("\n"):
        (terms, here), words = slowly(line, spoken)
        found += terms
        places += [at + place for place in here]
        at += words + 1
        length += words
    return (found, places), length


def unzipped(pairs):
    pairs = list(pairs)
    return [told for told, _ in pairs], [length for _, length in pairs]


@settings(deadline=None, max_examples=300)
@given(texts, st.sampled_from(LANGUAGES))
@example("", "en")
@example("a\0b\ud800c\udfffd", "en")
@example("x" * 5000 + " " + "a." * 5000 + " " + "検" * 500, "en")
@example("全文検索エンジン、and C++。don’t", "ja")
@example("a\u0301_\u0301'x _ \u037a", "el")
@example("naïve\xa0café\u3000b\u2028c\x85d", "fr")
def test_any_text_gives_the_terms_and_places_of_the_analyzer(text, spoken):
    assert read(text, spoken=spoken) == unzipped([slowly(text, spoken)])


@settings(deadline=None)
@given(st.lists(texts, max_size=6), st.sampled_from(LANGUAGES))
@example([], "en")
@example(["", "", ""], "en")
@example(["", "a b", "", "a", ""], "en")
def test_texts_read_together_are_as_if_read_alone(many, spoken):
    assert read(*many, spoken=spoken) == unzipped(slowly(text, spoken) for text in many)


@settings(deadline=None)
@given(st.lists(st.lists(texts, max_size=4).map("\n".join), max_size=4), st.sampled_from(LANGUAGES))
@example([""], "en")
@example(["\n", "\n\na\n"], "en")
@example(["a b\nc", "d\r\ne"], "en")
def test_between_two_lines_a_place_stays_empty(many, spoken):
    assert read(*many, spoken=spoken, lines=True) == unzipped(lines_slowly(text, spoken) for text in many)


def test_a_gap_takes_a_place_but_counts_as_no_word():
    assert read("red roses\nos.path", "", lines=True) == (
        [(["red", "rose", "os", "os.path", "path"], [0, 1, 3, 3, 4]), ([], [])],
        [4, 0],
    )


def test_readers_of_two_languages_share_a_lexicon():
    lexicon = Lexicon()
    english, klingon = (Reader(lexicon, analyzer(spoken)) for spoken in ("en", "tlh"))
    found = [english.read("gardens garden"), klingon.read("gardens garden"), english.read_lines("a\ngardens")]
    assert expand(lexicon, found) == (
        [(["garden", "garden"], [0, 1]), (["gardens", "garden"], [0, 1]), (["a", "garden"], [0, 2])],
        [2, 2, 2],
    )


def test_a_chunk_is_analysed_once():
    lexicon = Lexicon()
    reader = Reader(lexicon, analyzer("en"))
    first, second = reader.read("Roses, roses; (Roses)"), reader.read("roses")
    assert first == [second[0] - 1, second[0], second[0] - 1]
    assert lexicon.terms(np.array(first + second)).tolist() == [0, 0, 0, 0]
    assert list(lexicon.vocabulary) == ["rose"]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        ("a=b&c", [b"a", b"b", b"c"]),
        ("C++/C#", [b"C++", b"C#"]),
        ("été", ["été".encode()]),
        ("a\0b\tc\nd\x1ce", [b"a", b"b", b"c", b"d", b"e"]),
        ("a\ud800b", [b"a", b"b"]),
    ],
)
def test_a_text_is_cut_where_no_token_can_reach(text, cut):
    assert chunks(text) == cut
