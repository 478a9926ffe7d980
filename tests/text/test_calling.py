"""Lines are known by the numbers of all their names."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.text import names as naming
from minisearch.text.calling import Caller, called
from minisearch.text.chunks import Lexicon
from minisearch.text.names import LONGEST, MOST_WORDS, Parts, names, title_names
from minisearch.text.terms import Analyzer, analyzer
from minisearch.text.vocabulary import Vocabulary

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


@settings(deadline=None, max_examples=300)
@given(st.lists(lines | st.text(), max_size=5), st.sampled_from(["en", "sr", "ja"]), st.booleans())
@example(["one " * MOST_WORDS, "one " * (MOST_WORDS + 1), "--" + "x" * LONGEST, "-" * 3 + "x", "x" * 300], "en", True)
def test_lines_are_called_by_all_their_names(many, spoken, titles):
    vocabulary = Vocabulary()
    counts, numbers = called(many, Parts(Analyzer(spoken)), vocabulary, titles=titles)
    terms, places = vocabulary.in_order()
    expected = [(title_names if titles else names)(line, analyzer(spoken)) for line in many]
    found = [terms[place] for place in places[numbers]]
    ends = np.cumsum(counts).tolist()
    assert [set(found[low:high]) for low, high in zip([0, *ends], ends, strict=False)] == expected
    assert counts.tolist() == list(map(len, expected))


def test_a_line_is_read_once():
    lexicon = Lexicon()
    caller = Caller(lexicon, Parts(EN))
    first = caller.read(["Roses", "a.b", "Roses"])
    assert first[0] == first[2] != first[1]
    known = len(lexicon)
    assert caller.read(["a.b", "Roses"]) == [first[1], first[0]]
    assert len(lexicon) == known
    assert len(lexicon.terms(np.array(first[1:2], dtype=np.int32))) == 2  # =a b and =b
