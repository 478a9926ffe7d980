"""Reading by chunks gives what reading token by token gives: the same terms, places and lengths."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.index.keys import LAST_PLACE, LAST_TEXT, NOTHING, PLACE_BITS, SPOT_BITS, Keys
from minisearch.text.chunks import Lexicon, Reader, chunks, encoded, encoded_lines
from minisearch.text.names import Parts
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
    """([the (place, term) of each word of each text, in order], [its length])."""
    lexicon = Lexicon()
    reader = Reader(lexicon, analyzer(spoken))
    return expand(lexicon, *reader.read([encoded_lines(text) if lines else encoded(text) for text in texts]))


def expand(lexicon, chunks, sizes):
    lengths = lexicon.lengths(chunks, sizes).tolist()
    terms = lexicon.put_in_order()
    words = [[] for _ in sizes]
    for term, text, place in made(lexicon, chunks, sizes):
        words[text].append((place, terms[term]))
    return list(map(sorted, words)), lengths


def made(lexicon, chunks, sizes):
    """(term, text, place) of every word."""
    keys = Keys(lexicon)
    found = np.zeros(keys.count(np.bincount(chunks, minlength=len(lexicon))), dtype=np.int64)
    assert keys.fill(found, chunks, sizes, np.arange(len(sizes), dtype=np.int32)) == len(found)
    told = [(key >> SPOT_BITS, key >> PLACE_BITS & LAST_TEXT, key & LAST_PLACE) for key in found.tolist()]
    return [word for word in told if word[0] != NOTHING]


def slowly(text, spoken="en"):
    """The same by Analyzer.terms: (words, length)."""
    terms, places = analyzer(spoken).terms(text)
    return sorted(zip(places, terms, strict=True)), places[-1] + 1 if places else 0


def lines_slowly(text, spoken="en"):
    found, at, length = [], 0, 0
    for line in text.split("\n"):
        told, words = slowly(line, spoken)
        found += [(at + place, term) for place, term in told]
        at += words + 1
        length += words
    return found, length


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
        [[(0, "red"), (1, "rose"), (3, "os"), (3, "os.path"), (4, "path")], []],
        [4, 0],
    )


def test_readers_of_two_languages_share_a_lexicon():
    lexicon = Lexicon()
    english, klingon = (Reader(lexicon, analyzer(spoken)) for spoken in ("en", "tlh"))
    found = [
        english.read([encoded("gardens garden")]),
        klingon.read([encoded("gardens garden")]),
        english.read([encoded_lines("a\ngardens")]),
    ]
    assert expand(lexicon, *map(np.concatenate, zip(*found, strict=True))) == (
        [[(0, "garden"), (1, "garden")], [(0, "gardens"), (1, "garden")], [(0, "a"), (2, "garden")]],
        [2, 2, 2],
    )


def test_a_chunk_is_analysed_once():
    lexicon = Lexicon()
    reader = Reader(lexicon, analyzer("en"))
    first, _ = reader.read([b"Roses, roses; (Roses)"])
    second, _ = reader.read([b"roses"])
    assert first.tolist() == [second[0] - 1, second[0], second[0] - 1]
    assert reader.met[0] == [b"Roses", b"roses"]
    assert reader.met[1].tolist() == first[:2].tolist()
    assert lexicon.terms(np.append(first, second)).tolist() == [0, 0, 0, 0]
    assert lexicon.put_in_order() == ["rose"]


@given(texts, texts, st.sampled_from(["en", "sr", "tlh"]))
def test_words_that_a_name_had_first_are_read_as_any_others(line, text, spoken):
    lexicon = Lexicon()
    reader = Reader(lexicon, analyzer(spoken))
    names = Parts(analyzer(spoken), reader.words)
    before = reader.read([encoded(text[:9])])
    assert names.of_lines([encoded(line)]) == Parts(analyzer(spoken)).of_lines([encoded(line)])
    found = map(np.concatenate, zip(before, reader.read([encoded(line), encoded(text)]), strict=True))
    words = [slowly(each, spoken) for each in (text[:9], line, text)]
    assert expand(lexicon, *found) == tuple(map(list, zip(*words, strict=True)))


def test_terms_in_order_are_numbered_by_the_alphabet():
    lexicon = Lexicon()
    chunks, sizes = Reader(lexicon, analyzer("tlh")).read([b"rose apple", b"fig rose"])
    assert lexicon.put_in_order() == ["apple", "fig", "rose"]
    assert made(lexicon, chunks, sizes) == [(2, 0, 0), (0, 0, 1), (1, 1, 0), (2, 1, 1)]


def test_no_place_is_further_on_than_the_last():
    lexicon = Lexicon()
    chunks, sizes = Reader(lexicon, analyzer("tlh")).read([b"a " * LAST_PLACE + b"b c os.path", b"a c"])
    b, c, os, whole, path = map(lexicon.put_in_order().index, ("b", "c", "os", "os.path", "path"))
    found = made(lexicon, chunks, sizes)
    assert sorted(word for word in found if word[0]) == sorted(
        [(term, 0, LAST_PLACE) for term in (b, c, os, whole, path)] + [(c, 1, 1)]
    )


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
