import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.analysis.analyzer import SNOWBALL, analyzer, language, stands_whole, unstemmed
from minisearch.analysis.tokenizer import LONGEST


def terms(text, spoken="en"):
    return analyzer(spoken).terms(text)[0]


@pytest.mark.parametrize(
    ("spoken", "text", "found"),
    [
        ("en", "Crawling crawled CRAWLS", ["crawl", "crawl", "crawl"]),
        ("de", "Häuser Haus", ["haus", "haus"]),
        ("fr", "chercher cherché", ["cherch", "cherch"]),
        ("ru", "ёлка елка Елки", ["елк", "елк", "елк"]),
        ("tlh", "running Runs", ["running", "runs"]),  # no rules are known: folded, not stemmed
        ("en", "café cafe CAFÉ", ["cafe", "cafe", "cafe"]),
        ("en", "don't don’t Don'T", ["don't", "don't", "don't"]),
        ("en", "the dog's dogs", ["the", "dog", "dog"]),
        ("en", "fool's fool’s", ["fool", "fool"]),
        ("ja", "全文検索", ["全文", "文検", "検索", "索"]),
        ("ja", "全文を検索する", ["全文", "文を", "を検", "検索", "索す", "する"]),
        ("ko", "검색을", ["검색", "색을", "을"]),
        ("th", "ภาษา", ["ภา", "าษ", "ษา"]),
        ("th", "ที่นี่", ["ที", "ี่", "่น", "นี", "ี่"]),
    ],
)
def test_text_becomes_terms_by_the_rules_of_its_language(spoken, text, found):
    assert terms(text, spoken) == found


@pytest.mark.parametrize(
    ("token", "whole", "others"),
    [
        ("os.path.join", "os.path.join", ["os", "path", "join"]),
        ("ThreadPoolExecutor", "threadpoolexecutor", ["thread", "pool", "executor"]),
        ("snake_case", "snake_cas", ["snake", "case"]),
        ("utf-8", "utf-8", ["utf", "8"]),
        ("x86-64", "x86-64", ["x86", "64"]),
        ("3.11", "3.11", ["3", "11"]),
        ("C++", "c++", ["c"]),
        ("C#", "c#", ["c"]),
        (".NET", ".net", ["net"]),
        ("__init__", "__init__", ["init"]),
        ("_private", "_privat", ["privat"]),
        ("utf\u20118", "utf-8", ["utf", "8"]),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(token, whole, others):
    found, positions = analyzer("en").terms(f"a {token} z")
    assert found == ["a", whole, *others, "z"]
    assert positions == [0, 1, 1, *range(2, len(others) + 2)]


@pytest.mark.parametrize(
    ("written", "typed"),
    [("DataFrames", "dataframe"), ("JavaScript", "javascript"), ("threadPool", "ThreadPool"), ("ŽivotPis", "животпис")],
)
def test_a_compound_is_found_by_whoever_types_it_as_one_word(written, typed):
    spoken = "sr" if "Ž" in written else "en"
    assert set(terms(typed, spoken)) & set(terms(written, spoken))


@pytest.mark.parametrize(
    ("cyrillic", "in_latin"),
    [
        ("Мачка и ђак читају о љубави", "Mačka i đak čitaju o ljubavi"),
        ("ђаци", "djaci"),
        ("Његова џезва", "Njegova džezva"),
        ("претраживање страница", "pretraživanje stranica"),
        ("УЏБЕНИК", "udzbenik"),
        ("ћирилица и латиница", "ćirilica i latinica"),
    ],
)
@pytest.mark.parametrize("tag", ["sr", "sr-Cyrl", "sr_Latn", "hr", "bs", "sh"])
def test_serbian_gives_the_same_terms_in_both_alphabets(cyrillic, in_latin, tag):
    assert terms(cyrillic, language(tag)) == terms(in_latin, language(tag))


@pytest.mark.parametrize(
    "text", ["Élan naïve Ångström", "Žućko đak", "йод ёж", "हिन्दी", "がぎぐ", "ΐ Ελλάδα", "Việt ngữ"]
)
@pytest.mark.parametrize("spoken", ["en", "sr", "ru", "vi", "el"])
def test_accents_typed_apart_give_the_terms_of_those_typed_together(text, spoken):
    assert terms(unicodedata.normalize("NFD", text), spoken) == terms(unicodedata.normalize("NFC", text), spoken)


@pytest.mark.parametrize(
    ("token", "parts", "whole"),
    [
        ("cat", ["cat"], False),
        ("don't", ["don't"], False),
        ("C++", ["C"], True),
        (".net", ["net"], True),
        ("__init__", ["init"], True),
        ("init_", ["init"], True),
        ("a.b", ["a", "b"], True),
        ("a." * 31 + "b", ["a"] * 31 + ["b"], True),
        ("a." * 32 + "b", ["a"] * 32 + ["b"], False),  # data, not a word
        ("検索-エンジン", ["検索", "エン", "ンジ", "ジン"], False),
        ("ｶﾀ-ｶﾅ", ["カタ", "カナ"], False),
        ("한국-어", ["한국", "어"], False),
    ],
)
def test_what_stands_whole(token, parts, whole):
    assert stands_whole(token, parts) is whole


def test_very_long_tokens_are_cut_and_found_again():
    blob = "deadbeef" * 1000
    assert terms(blob, "tlh") == [("deadbeef" * 8)[:LONGEST]]
    assert terms(blob) == terms(blob.upper())


@settings(deadline=None)
@given(st.text(), st.sampled_from([*SNOWBALL, "ja", ""]))
@example("\ud800", "en")
@example("\u037a ﷺ", "ar")
@example("a\u0301_\u0301'x", "el")
@example("a_\u0301", "en")
@example("\u02bc", "tr")
@example("\u0640", "ar")
def test_any_text_in_any_language_gives_terms_at_rising_places(text, spoken):
    found, positions = analyzer(spoken).terms(text)
    assert all(found)
    assert len(found) == len(positions)
    assert positions == sorted(positions)
    assert not positions or positions[0] == 0


UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufe0f"


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("aBcé字ไжع한.-'_ "), st.text(UNSEEN, max_size=2))),
    st.sampled_from(["en", "sr", "ja", "th", "ar", "ko"]),
)
def test_what_nobody_sees_makes_no_difference_inside_a_word(letters, spoken):
    """It may stand between any two letters, but not beside a sign: there it parts what the sign would join."""
    plain = "".join(letter for letter, _ in letters)
    sown = "".join(
        letter + (unseen if letter.isalpha() and plain[at + 1 : at + 2].isalpha() else "")
        for at, (letter, unseen) in enumerate(letters)
    )
    assert analyzer(spoken).terms(sown) == analyzer(spoken).terms(plain)


@pytest.mark.parametrize("spoken", ["en", "sr", "de", "tr"])
@settings(deadline=None)
@given(text=st.text("abdjilnrstčćžšđßöéåабдђјљњџчй '-. "))
def test_capitals_make_no_difference(spoken, text):
    assert terms(text.upper(), spoken) == terms(text, spoken)


@pytest.mark.parametrize(
    ("tag", "spoken"),
    [
        ("", "en"),
        ("EN-us", "en"),
        ("de_AT", "de"),
        ("deu", "de"),
        ("German", "de"),
        ("sr-Cyrl-RS", "sr"),
        ("srpski", "sr"),
        ("hrv", "sr"),
        ("cnr", "sr"),
        ("tlh", "tlh"),
        ("und", "en"),
        ("-", "en"),
    ],
)
def test_a_tag_or_a_name_stands_for_a_language(tag, spoken):
    assert language(tag) == spoken


@pytest.mark.parametrize("token", ["_", "__", "_._", "_++", "-_-", "_#", "_\u0301", "_.__\u0301\u0300"])
def test_a_token_without_parts_is_no_word(token):
    assert analyzer("en").of_token(token) == ((), "")
    assert analyzer("en").terms(f"a {token} b") == (["a", "b"], [0, 1])


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1)), st.sampled_from([*SNOWBALL, "vi", "ja"]))
@example(["s", "es", "ing"], "en")
def test_plain_words_are_stemmed_together_as_each_alone(plain, spoken):
    assert analyzer(spoken).stem_plain(plain) == [analyzer(spoken).term(word) for word in plain]


def test_words_can_be_left_unstemmed():
    assert [unstemmed("en").term(word) for word in ("Queues", "CAFÉ")] == ["queues", "cafe"]
    assert unstemmed("sr").term("Руже") == unstemmed("sr").term("ruže") == "ruze"
    assert unstemmed("en").stem_plain(["queues"]) == ["queues"]
