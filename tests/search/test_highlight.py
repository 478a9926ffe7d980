"""Words of a query are found in a text by the rules of the index, whatever the script, and in any part of a token."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from minisearch.analysis.analyzer import SNOWBALL, analyzer
from minisearch.analysis.normalize import PAIRED, fold
from minisearch.analysis.tokenizer import PLAIN_TOKEN, spans, tokens
from minisearch.search.query import parse
from minisearch.search.snippets.highlight import PREFIX_CHANGING, Highlighter

LINES = """cat cats Cat CATS catalog category bobcat happy happiness happily dying die died possible possibility
ThreadPoolExecutor threadPool thread THREADING executor os.path.join os path PATH joined join_all __init__ C++ C# c
don't don’t dog's utf-8 UTF8 x86-64 3.11 café cafe cafés naïve Łódź ﬁne fine мачка mačka macka djak đak ђак 検索 検索器
全文検索のためのエンジン ｶﾀｶﾅ カタカナ น้ำตก น้ำ こんにちは İstanbul istanbul iPhone phones
skies sky early ugly שלום سلام 한국어를 한국 🚀🎉 🚀 hy\u00adphen hyphen .NET net"""
WORDS = LINES.split()
BLANKS = [" ", " ", " ", "\n", "\t", ". ", ", ", " “", "” ", " (", "/", "… ", "。", "、"]
GLUE = [*BLANKS, "", ".", "-", "_", "'", "’", "?", "+", "#", "\u0301", "\ud800"]
ASCII = "plain letters and nothing else " * 20
KANA = "ひらがな。" * 40
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
languages = st.sampled_from(["en", "tlh", "sr", "de", "ja", "th", "ru", "ar"])


def texts(glue):
    lines = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(glue)), max_size=40)
    return st.builds(lambda pad, line: pad + "".join(map("".join, line)), st.sampled_from(["", ASCII, KANA]), lines)


def terms_of(query, language="en"):
    words = (word for clause in parse(query, [language]).clauses for word in clause.words)
    return {variant.term for word in words for variant in word.terms}


def highlighter(query, language="en"):
    return Highlighter(dict.fromkeys(terms_of(query, language), 1), language)


def highlighted(text, query, language="en"):
    return [text[start:end] for start, end, _ in highlighter(query, language).find(text)]


def expected(text, terms, language):
    """(start, end) of all matches, by the rules of the index, token after token."""
    found = []
    for token in tokens(text):
        parts, whole = analyzer(language).of_token(token.group())
        if terms.isdisjoint((*parts, whole)):
            continue
        if not PAIRED.search(fold(token.group())):
            found.append(token.span())
            continue
        merged = []
        for start, end, part in spans(token.group()):
            if analyzer(language).term(part) in terms:
                start, end = token.start() + start, token.start() + end
                if merged and start <= merged[-1][1]:
                    start, end = merged[-1][0], max(merged.pop()[1], end)
                merged.append((start, end))
        found += merged
    return found


@pytest.mark.parametrize(
    ("text", "query", "language", "marked"),
    [
        ("Roses need sun. Prune roses in March.", "pruned", "en", ["Prune"]),
        ("Roses need sun. Prune roses in March.", "rose", "en", ["Roses", "roses"]),
        ("a ThreadPoolExecutor runs", "executor", "en", ["ThreadPoolExecutor"]),
        ("a threadpoolexecutor runs", "ThreadPoolExecutor", "en", ["threadpoolexecutor"]),
        ("use os.path.join or Os.Path.Join", "os.path.join", "en", ["os.path.join", "Os.Path.Join"]),
        ("un café, deux cafe\u0301s", "cafe", "en", ["café", "cafe\u0301s"]),
        ("Die Häuser, das Haus, im Hause", "Haus", "de", ["Häuser", "Haus", "Hause"]),
        ("Ueber Übungen und Straßen", "über strasse", "de", ["Ueber", "Straßen"]),
        ("Мачка и mačka", "mačke", "sr", ["Мачка", "mačka"]),
        ("Ђак и đak, djak", "ђак", "sr", ["Ђак", "đak", "djak"]),
        ("全文検索のためのエンジン、検索器", "検索", "ja", ["検索", "検索"]),
        ("全文検索器のための", "検索器", "ja", ["検索器"]),
        ("Pythonで検索", "python", "ja", ["Python"]),
        ("検索はpythonで", "python", "ja", ["python"]),
        ("Ｐｙｔｈｏｎで検索", "python", "ja", ["Ｐｙｔｈｏｎ"]),
        ("ｶﾞｽの検索", "ガス", "ja", ["ｶﾞｽ"]),
        ("ไปน้ำตกกัน", "น้ำตก", "th", ["น้ำตก"]),
        ("اهلا سلام عليكم", "سلام", "ar", ["سلام"]),
        ("אמר שלום לכולם", "שלום", "he", ["שלום"]),
        ("한국어를 배우다", "한국어", "ko", ["한국어"]),
        ("it is ok 🚀🎉 now", "🚀🎉", "en", ["🚀🎉"]),
        ("a hy\u00adphen", "hyphen", "en", ["hy\u00adphen"]),
        ("nothing of the kind", "cat", "en", []),
        ("", "cat", "en", []),
        ("a cat", "", "en", []),
    ],
)
def test_matches_are_found_in_every_script(text, query, language, marked):
    assert highlighted(text, query, language) == marked


@given(texts(GLUE) | st.text(max_size=60), queries | st.text(max_size=10), languages)
@example("1字", "字", "ja")
@example("cat#検索 ", "cat 検索", "en")
@example(ASCII + "Cat’s don’t", "don't", "en")
@example(ASCII + "skies dying possibilities happy", "sky die possible happiness", "en")
@example(KANA + "Ｃａｔ ｶﾀｶﾅ", "cat カタカナ", "ja")
def test_matches_are_those_of_the_index(text, query, language):
    found = highlighter(query, language).find(text)
    assert [(start, end) for start, end, _ in found] == expected(text, terms_of(query, language), language)


@given(texts(GLUE), queries, languages, st.data())
def test_matches_in_a_part_of_a_text_lie_in_it(text, query, language, data):
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text)))
    assert all(low <= start < end <= high for start, end, _ in highlighter(query, language).find(text, low, high))


LATIN = "aeiounstrlmdkpgbvhfcjzwyxáéíóúäöüčšžěøåæçñãõâêîôûëïàèìòùłżźśđ"
ALPHABETS = {
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш" + "abcčćdđefghijklmnoprsštuvzž",
    "el": "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ",
    "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփքօֆ",
    "hi": "अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "ne": "अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "fa": "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
}
words = st.sampled_from(sorted({*SNOWBALL, "uk", "vi", "he", "tlh"} - PREFIX_CHANGING)).flatmap(
    lambda tag: st.tuples(st.just(tag), st.text(ALPHABETS.get(tag, LATIN), min_size=1, max_size=12))
)


@given(words, st.sampled_from([str, str.upper, str.title]))
@example(("de", "ueber"), str)
@example(("de", "Öfen"), str)
@example(("sr", "ђак"), str.title)
@example(("pl", "æsir"), str)
@example(("en", "cafe\u0301"), str)
@example(("he", "שָׁלוֹם"), str)
def test_a_word_is_found_by_its_term_in_every_language_with_a_prefilter(word, cased):
    language, letters = word[0], cased(word[1])
    term = analyzer(language).term(letters)
    assume(term)
    assert (6, 6 + len(letters), 1) in Highlighter({term: 1}, language).find(f"other {letters} öl")


ENDINGS = (
    "s es ies ied ed ing ingly edly eed eedly y ly tional ational ation ator ency ancy ably ible ently izer ization "
    "alism ality ally fulness ousness iveness ivity bility bly ogy ogist fully lessly icate icity ical ness ative "
    "ance ement ment ent ism ate ion e l ' 's ying ie sses us at bl iz"
)
english_words = st.builds(
    lambda start, ends: start + "".join(ends),
    st.text("aeioubcdglnrstxy", min_size=1, max_size=6),
    st.lists(st.sampled_from(ENDINGS.split()), max_size=3),
)


@given(english_words | st.sampled_from(["dying", "tying", "skies", "news", "early", "only", "idly", "gently", "c++"]))
@example("possibility")
@example("happy")
@example("i")
def test_an_english_word_is_found_by_its_term_whatever_its_ending(word):
    assume(PLAIN_TOKEN.fullmatch(word))  # not an apostrophe at the end
    assert Highlighter({analyzer("en").term(word): 1}, "en").find(word)


@pytest.mark.parametrize("language", sorted(PREFIX_CHANGING))
def test_languages_without_a_prefilter_have_stemmers(language):
    assert language in SNOWBALL


@pytest.mark.parametrize("word", ["fooBAR", "foo_bar", "barBar", "x.BAR", "AB2bar", "Bar", "bars", "a-bar", "«bar»"])
def test_parts_of_a_token_are_found_however_they_begin(word):
    text = f"some {word} here"
    assert [(start, end) for start, end, _ in highlighter("bar").find(text)] == expected(text, {"bar"}, "en")


@pytest.mark.parametrize("language", ["en", "tlh", "de", "sr"])
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("threading.current_thread", ["threading.current_thread", "threading.currentthread"]),
        ("thread_id", ["thread_", "thread_id", "thread_info"]),
        ("UTF-8", ["utf-8", "utf-"]),
    ],
)
def test_an_identifier_is_found_as_a_whole(text, terms, language):
    long = f"{'thread utf threading ' * 100}some {text}() here"
    found = Highlighter(dict.fromkeys(terms, 1), language).find(long)
    assert [long[start:end] for start, end, _ in found] == [text]


def test_an_accent_is_highlighted_with_its_letter():
    ((start, end, _),) = highlighter("นก", "th").find("ดนก้ด")
    assert (start, end) == (1, 4)


def test_a_letter_of_a_script_without_spaces_is_found_wherever_it_stands():
    assert Highlighter({"索": 1}, "ja").find("検索器、索引") == [(1, 2, 1), (4, 5, 1)]


def test_a_match_has_the_bits_of_its_words():
    assert Highlighter({"cat": 1, "dog": 2}, "en").find("a dog, two cats, a CatDog") == [
        (2, 5, 2),
        (11, 15, 1),
        (19, 25, 3),
    ]


def test_a_word_is_found_amid_a_long_run_without_spaces():
    text = "あいうえお" * 5000 + "検索" + "かきくけこ" * 5000 + "検索"
    assert highlighted(text, "検索", "ja") == ["検索", "検索"]
    assert highlighted("x/" * 5000 + "cat" + "/y" * 5000, "cat") == ["cat"]
