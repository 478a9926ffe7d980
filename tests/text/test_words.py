import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.text.words import LONGEST, parts, tokens


def cut(text):
    return [match.group() for match in tokens(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\t…—!?", []),
        ("one two", ["one", "two"]),
        ("end. Next, (inside) 'quoted'", ["end", "Next", "inside", "quoted"]),
        ("os.path.join(a, b)", ["os.path.join", "a", "b"]),
        ("...dots... --dashes--", ["dots", "dashes"]),
        ("don't l’amour dogs'", ["don't", "l’amour", "dogs"]),
        ("C++ C# F#. C++17", ["C++", "C#", "F#", "C++", "17"]),
        ("x86-64 utf-8 3.11", ["x86-64", "utf-8", "3.11"]),
        ("snake_case __init__", ["snake_case", "__init__"]),
        ("a+b a=b a/b", ["a", "b", "a", "b", "a", "b"]),
        ("ružičasta кућа", ["ružičasta", "кућа"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ที่นี่", ["ที่นี่"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("全文検索、検索", ["全文検索", "検索"]),
        ("한국어 검색", ["한국어", "검색"]),
    ],
)
def test_text_is_cut_into_tokens(text, found):
    assert cut(text) == found


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("plain", ["plain"]),
        ("Plain", ["Plain"]),
        ("HTTP", ["HTTP"]),
        ("os.path.join", ["os", "path", "join"]),
        ("ThreadPoolExecutor", ["Thread", "Pool", "Executor"]),
        ("threadPool", ["thread", "Pool"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("parseHTTPRequest", ["parse", "HTTP", "Request"]),
        ("snake_case", ["snake", "case"]),
        ("__init__", ["init"]),
        ("_", []),
        ("C++", ["C"]),
        ("C#", ["C"]),
        ("utf-8", ["utf", "8"]),
        ("x86-64", ["x86", "64"]),
        ("3.11", ["3", "11"]),
        ("utf8Decoder", ["utf8", "Decoder"]),
        ("don't", ["don't"]),
        ("naïveBayes", ["naïve", "Bayes"]),
        ("éÉ", ["é", "É"]),
        ("全文検索", ["全文", "文検", "検索"]),
        ("Python入門", ["Python", "入門"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ"]),
        ("ไทย", ["ไท", "ทย"]),
    ],
)
def test_a_token_is_made_of_words(token, words):
    assert parts(token) == words
    assert parts(unicodedata.normalize("NFD", token)) == words


@pytest.mark.parametrize("token", ["a" * 5000, "Z" * 65, "é" * 70, "1" * 65, "ab" + "_cd" * 5 + "e" * 100])
def test_a_word_that_is_too_long_is_cut(token):
    assert max(len(word) for word in parts(token)) == LONGEST
    assert token.startswith(parts(token)[0])


@settings(deadline=None)
@given(st.text())
def test_any_text_is_cut_without_losing_a_letter_or_digit(text):
    found = list(tokens(text))
    assert all(match.end() <= after.start() for match, after in pairwise(found))
    covered = {place for match in found for place in range(*match.span())}
    assert {place for place, letter in enumerate(text) if letter.isalnum()} <= covered


@settings(deadline=None)
@given(st.text())
def test_words_are_never_empty_and_have_no_blanks(text):
    for token in cut(text):
        assert all(word.split() == [word] for word in parts(token))
        assert parts(token) or set(token) <= set("_.-'’+#")
