"""Lines are known by the numbers of all their names, compiled or not."""

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.text import names as naming
from minisearch.text.calling import Caller, by_names, by_numbers
from minisearch.text.chunks import Lexicon, encoded
from minisearch.text.names import LONGEST, MARK, MOST_WORDS, Parts, kept, names, others, title_names
from minisearch.text.terms import Analyzer, analyzer
from minisearch.text.vocabulary import CompiledVocabulary, Vocabulary

needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")
EN = analyzer("en")
KINDS = sorted(naming._KINDS)

PIECES = [
    "Struct", "struct", "CLASS", "class", "Reference", "reference", "type", "Template", "Chapter", "part",
    "Section", "appendix", "std::vec::Vec", "a::b", "::", "a.b.c", "os.path", "Series.pct_change()", "foo()",
    "<T>", "<", ">", "<T>>", "Vec<T>", "camelCase", "snake_case", "C++", ".NET", ".net", "F.41.", "9.27.", "3.11",
    "A.1", "IV", "2)", ".", "..", "-", "--", "-x", "--json", "--é", "- ", "_", "x", "X", "1", "é", "ß", "第3章",
    "検索器", "🚀", "\ud800", "\xa0", "\t", "\x1f", "\x7f", "a" * 20, "a." * 20 + "b", "a::" * 20 + "b", "?", "(",
    ")", ":", "12", "I.", "'",
]  # fmt: skip
lines = st.lists(st.sampled_from(PIECES), max_size=6).flatmap(
    lambda some: st.sampled_from([" ", "", ".", "::", "  ", "\u3000"]).map(lambda between: between.join(some))
)


def told(lines):
    """What the compiled way makes of lines, in the form that the other has it."""
    asked = []
    texts, counts = compiled.others(lines, lambda line: asked.append(line) or others(line))
    ends = np.cumsum(np.frombuffer(counts, np.int32)).tolist()
    return [texts[low:high] for low, high in zip([0, *ends], ends, strict=False)], asked


@needed
@settings(deadline=None, max_examples=500)
@given(st.lists(lines | st.text() | st.text("aB1_.:<>() -'#", max_size=12), max_size=5))
@example([" Struct a::b ", "Struct <T> Reference", "type class foo reference", "type class reference"])
@example(["a <b> c> Reference", "a() Class", "a()<T>::b", "a:::b", "a::", "a..b", "a .", "Class", "", " "])
@example(["Function core::arch::x86::f", "sf::Color Class Reference", "Color Class Reference", "Color class reference"])
def test_compiled_or_not_lines_are_called_the_same(many):
    found, asked = told(many)
    assert found == [[encoded(each) for each in (line, *others(line))] for line in many]
    assert not any(line.isidentifier() and line.isascii() for line in asked)


@needed
@pytest.mark.parametrize("kind", [*KINDS, "thing"])
@pytest.mark.parametrize("line", ["{} a.B", "{} std::B", "{} a", "aB {}", "a {} Reference", "a() <T> {}", "x {}s y"])
def test_all_kinds_of_things_are_known_to_both(kind, line):
    for each in (line.format(kind), line.format(kind.title()), line.format(kind.upper())):
        found, asked = told([each])
        assert found == [[encoded(way) for way in (each, *others(each))]]
        assert not asked


@needed
def test_what_may_be_numbered_is_asked_for_and_what_cannot_be_is_not():
    numbered = [
        "9.27. Functions",
        "F.41. spi",
        "Chapter IV Roses",
        "part two",
        "Kapitel 2. Rosen",
        "10 Minutes",
        "第3章 x",
    ]
    plain = ["impl Add for u16", "pub fn a(b: i32) -> u32", "partly 2. cloudy" + "x", "--json: a", "A. b", "e.g. this"]
    assert told(numbered)[1] == numbered
    assert told(plain)[1] == plain[2:3]  # where a word stands before a number, too


@needed
@settings(deadline=None, max_examples=300)
@given(st.lists(lines | st.text(), max_size=5), st.sampled_from(["en", "sr", "ja"]), st.booleans())
@example(["one " * MOST_WORDS, "one " * (MOST_WORDS + 1), "--" + "x" * LONGEST, "-" * 3 + "x", "x" * 300], "en", True)
def test_compiled_or_not_the_names_of_lines_are_the_same(many, spoken, titles):
    one, other = CompiledVocabulary(), Vocabulary()
    found = [
        (by_numbers(many, Parts(Analyzer(spoken)), one, titles=titles), one.in_order()),
        (by_names(many, Parts(Analyzer(spoken)), other, titles=titles), other.in_order()),
    ]
    expected = [(title_names if titles else names)(line, analyzer(spoken)) for line in many]
    for (counts, numbers), (terms, places) in found:
        called = [terms[place] for place in places[numbers]]
        ends = np.cumsum(counts).tolist()
        assert [set(called[low:high]) for low, high in zip([0, *ends], ends, strict=False)] == expected
        assert counts.tolist() == list(map(len, expected))


@needed
@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=LONGEST + 1, max_size=400))
@example("x" * 128)
@example("x" * 129)
@example("x" * 256)
@example("x" * 257)
def test_long_names_have_the_fingerprint_that_hashlib_gives_them(text):
    text = text.replace(" ", "_")
    known = CompiledVocabulary()
    words = ([text], np.zeros(1, np.int32), np.ones(1, np.int64))
    assert known.named(words, [b"x"], b"=", naming.dashes, LONGEST, MOST_WORDS).tolist() == [0]
    assert known.in_order()[0] == [MARK + kept(text)]


@needed
@pytest.mark.parametrize(
    ("which", "sizes", "lines", "longest"),
    [([1], [1], [b""], 16), ([-1], [1], [b""], 16), ([0], [2], [b""], 16), ([0], [-1], [b""], 16), ([0], [1], [], 16),
     ([0], [1], ["x"], 16), ([0], [1], [b"x"], 9)],
)  # fmt: skip
def test_lines_that_do_not_belong_to_their_words_are_refused(which, sizes, lines, longest):
    words = (["one"], np.array(which, dtype=np.int32), np.array(sizes, dtype=np.int64))
    with pytest.raises(ValueError, match=r"word|line"):
        CompiledVocabulary().named(words, lines, b"=", naming.dashes, longest, 16)


@needed
@pytest.mark.parametrize(("many", "ask"), [([b"x"], others), (["é"], len), ("x", others), ([1], others)])
def test_what_is_no_line_is_refused(many, ask):
    with pytest.raises(TypeError):
        compiled.others(many, ask)


def test_a_line_is_read_once():
    lexicon = Lexicon()
    caller = Caller(lexicon, Parts(EN))
    first = caller.read(["Roses", "a.b", "Roses"])
    assert first[0] == first[2] != first[1]
    known = len(lexicon)
    assert caller.read(["a.b", "Roses"]) == [first[1], first[0]]
    assert len(lexicon) == known
    assert len(lexicon.terms(np.array(first[1:2], dtype=np.int32))) == 2  # =a b and =b


@needed
def test_a_very_long_line_takes_no_time():
    began = time.perf_counter()
    told(["a." * 500_000 + "b", "a::" * 500_000 + "b", "Struct " * 200_000, "a <" + ">" * 500_000, " " * 500_000])
    assert time.perf_counter() - began < 2
