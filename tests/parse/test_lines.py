from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.parse.lines import CONTROLS, LINE, assemble

LETTERS = "ab\u0107\u4e2d  \n\t\r\f\xa0\u2003\u200b\x1c\x7f" + LINE


@given(st.text(LETTERS, max_size=40))
@example(f"a  b{LINE} c\u2003 \u2003d {LINE}\x1c{LINE}  ")
def test_a_text_is_made_of_its_lines_and_they_of_words_one_space_apart(marked):
    lines = [" ".join(words) for line in CONTROLS.sub("", marked).split(LINE) if (words := line.split())]
    assert assemble(marked) == ("\n".join(lines), [])
