import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.analysis.tokenizer import LONGEST, PLAIN_TOKEN, parts, spans, tokens


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
        (".NET .net, (.Net) ..net a.net .network", [".NET", ".net", ".Net", "net", "a.net", "network"]),
        ("exam\u00adple\u00ad, \ufeffa\u200b\u200db", ["exam\u00adple", "a\u200b\u200db"]),
        ("e\u2011mail utf\u20108", ["e\u2011mail", "utf\u20108"]),
        ("ok 🚀🎉, ❤️ 👍🏽!", ["ok", "🚀🎉", "❤", "👍"]),
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
        ("한국어", ["한국", "국어"]),
        ("人々", ["人々"]),
        ("🚀🎉", ["🚀🎉"]),
        ("🇷🇸", ["🇷🇸"]),
        ("go🚀", ["go", "🚀"]),
        ("exam\u00adple", ["example"]),
        ("ThreadPool\u200bExecutor", ["Thread", "Pool", "Executor"]),
        ("字\U000e0100体", ["字体"]),  # a variant of the sign
        (".NET", ["NET"]),
        ("e\u2011mail", ["e", "mail"]),
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


@settings(deadline=None)
@given(st.text("aZ9_.NETnet+#'- ()\n") | st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_cut_by_the_quicker_pattern_in_the_same_way(text):
    assert [match.span() for match in PLAIN_TOKEN.finditer(text)] == [match.span() for match in tokens(text)]


@settings(deadline=None)
@given(st.text("aB字体ไท한국🚀\u00ad\u200d\ufe0f\u0301.-_ｶﾞ") | st.text())
def test_the_parts_of_a_token_stand_where_they_are_told_to_stand(text):
    for token in cut(text):
        told = spans(token)
        assert [part for _, _, part in told] == parts(token)
        assert all(0 <= start < end <= len(token) for start, end, _ in told)


def test_a_long_run_of_letters_without_spaces_is_found_to_its_end():
    run = "全文検索" * 50
    assert len(parts(run)) == len(spans(run)) == len(run) - 1
    assert parts("é" * 200) == ["é" * LONGEST]
