"""Small words: passed over in sentences, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.text.small import _TABLE, small


def left(text, *languages, enough=3):
    words = text.split()
    passed = small(words, languages or ("en",), enough)
    return " ".join(word for word, over in zip(words, passed, strict=True) if not over)


@pytest.mark.parametrize(
    ("typed", "sought"),
    [
        ("What is a tablespace", "tablespace"),
        ("how to prune roses", "prune roses"),
        ("the effect of the wind on a wing", "effect wind wing"),
        ("where clause", "where clause"),
        ("dataframe any", "dataframe any"),
        ("The Who", "The Who"),
        ("the rolling stones", "the rolling stones"),
        ("to be or not to be", "to be or not to be"),
        ("what is it", "what is it"),
        ("how to", "how to"),
    ],
)
def test_a_sentence_is_told_from_a_few_words(typed, sought):
    assert left(typed) == sought


@pytest.mark.parametrize(
    ("language", "typed", "sought"),
    [
        ("sr", "како се орезују руже", "орезују руже"),
        ("sr", "Kako se orezuju ruže", "orezuju ruže"),
        ("sr", "gdje je ulaz u labirint", "ulaz labirint"),
        ("de", "wie kann ich die Rosen schneiden", "Rosen schneiden"),
        ("fr", "comment est-ce que je taille une rose", "taille rose"),
        ("es", "cómo puedo podar las rosas", "podar rosas"),
        ("it", "come si potano le rose", "potano rose"),
        ("ru", "как мне обрезать розы", "обрезать розы"),
        ("tlh", "how do I list the tables", "how do I list the tables"),
    ],
)
def test_languages_have_their_own(language, typed, sought):
    assert left(typed, language) == sought


def test_a_word_is_small_if_it_is_in_any_language_of_the_index():
    assert left("how is the ruža u vrtu", "en", "sr") == "ruža vrtu"


def test_how_many_make_a_sentence_can_be_chosen():
    assert left("what is a tablespace", enough=1000) == "what is a tablespace"
    assert left("rose of sharon", enough=1) == "rose sharon"


@given(st.lists(st.sampled_from(["what", "is", "the", "rose", "", "в", "C++"])), st.sampled_from(sorted(_TABLE)))
def test_something_is_always_left(words, language):
    passed = small(words, [language], 3)
    assert len(passed) == len(words)
    assert not words or not all(passed)
