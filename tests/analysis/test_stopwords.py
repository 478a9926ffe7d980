"""Stop words: left out of sentences, and of nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.stopwords import _TABLE, stop_words


def kept(text, *languages, enough=3):
    words = text.split()
    stopped = stop_words(words, languages or ("en",), enough)
    return " ".join(word for word, is_stopped in zip(words, stopped, strict=True) if not is_stopped)


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
    assert kept(typed) == sought


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
    assert kept(typed, language) == sought


def test_a_word_is_a_stop_word_if_it_is_one_in_any_language_of_the_index():
    assert kept("how is the ruža u vrtu", "en", "sr") == "ruža vrtu"


def test_how_many_make_a_sentence_can_be_chosen():
    assert kept("what is a tablespace", enough=1000) == "what is a tablespace"
    assert kept("rose of sharon", enough=1) == "rose sharon"


@given(st.lists(st.sampled_from(["what", "is", "the", "rose", "", "в", "C++"])), st.sampled_from(sorted(_TABLE)))
def test_something_is_always_left(words, language):
    stopped = stop_words(words, [language], 3)
    assert len(stopped) == len(words)
    assert not words or not all(stopped)
