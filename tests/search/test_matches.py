import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.search import finding, sought
from minisearch.search.finding import PLENTY
from minisearch.search.query import parse
from minisearch.search.sought import Sought
from minisearch.text.scripts import PAIRED, fold
from minisearch.text.terms import analyzer
from minisearch.text.words import spans, tokens

LINES = """cat cats Cat CATS catalog category bobcat happy happiness happily dying die died possible possibility
ThreadPoolExecutor threadPool thread THREADING executor os.path.join os path PATH joined join_all __init__ C++ C# c
don't don’t dog's utf-8 UTF8 x86-64 3.11 café cafe cafés naïve Łódź ﬁne fine мачка mačka macka djak đak ђак 検索 検索器
全文検索のためのエンジン ｶﾀｶﾅ カタカナ น้ำตก น้ำ こんにちは İstanbul istanbul iPhone phones
skies sky early ugly שלום سلام 한국어를 한국 🚀🎉 🚀 hy\u00adphen hyphen .NET net"""
WORDS = LINES.split()
BLANKS = [" ", " ", " ", "\n", "\t", ". ", ", ", " “", "” ", " (", "/", "… ", "。", "、"]
GLUE = [*BLANKS, "", ".", "-", "_", "'", "’", "?", "+", "#", "\u0301", "\ud800"]
LETTERS = "plain letters and nothing else " * 20  # so many that a few others do not matter
KANA = "ひらがな。" * 40
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
spoken = st.sampled_from(["en", "tlh", "sr", "de", "ja", "th", "ru"])


def texts(glue):
    lines = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(glue)), max_size=40)
    return st.builds(lambda pad, line: pad + "".join(map("".join, line)), st.sampled_from(["", LETTERS, KANA]), lines)


def sought_in(query, language="en"):
    words = [word for clause in parse(query, [language]).clauses for word in clause.words]
    wanted = [([variant.term for variant in word.terms], 1.0) for word in words if not word.bonus]
    return Sought(wanted, language, [word.text for word in words if word.bonus])


def terms_of(query, language="en"):
    words = (word for clause in parse(query, [language]).clauses for word in clause.words)
    return {variant.term for word in words for variant in word.terms}


def really(text, terms, language):
    """(start, end) of all that matches, by the rules of the index and the plain way."""
    found = []
    for token in tokens(text):
        pieces, whole = analyzer(language).of_token(token.group())
        if terms.isdisjoint((*pieces, whole)):
            continue
        if not PAIRED.search(fold(token.group())):
            found.append(token.span())
            continue
        runs = []
        for start, end, part in spans(token.group()):
            if analyzer(language).term(part) in terms:
                start, end = token.start() + start, token.start() + end
                joined = runs and start <= runs[-1][1]
                runs = [*runs[:-1], (runs[-1][0], max(runs[-1][1], end))] if joined else [*runs, (start, end)]
        found += runs
    return found


# -- what is marked --


@pytest.mark.parametrize(
    ("text", "query", "language", "marked"),
    [
        ("Roses need sun. Prune roses in March.", "pruned", "en", ["Prune"]),
        ("Roses need sun. Prune roses in March.", "rose", "en", ["Roses", "roses"]),
        ("a ThreadPoolExecutor runs", "executor", "en", ["ThreadPoolExecutor"]),
        ("a threadpoolexecutor runs", "ThreadPoolExecutor", "en", ["threadpoolexecutor"]),
        ("use os.path.join or Os.Path.Join", "os.path.join", "en", ["os.path.join", "Os.Path.Join"]),
        ("un café, deux cafe\u0301s", "cafe", "en", ["café", "cafe\u0301s"]),
        ("Мачка и mačka", "mačke", "sr", ["Мачка", "mačka"]),
        ("全文検索のためのエンジン、検索器", "検索", "ja", ["検索", "検索"]),
        ("全文検索器のための", "検索器", "ja", ["検索器"]),
        ("Pythonで検索", "python", "ja", ["Python"]),
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
    ],
)
def test_what_matches_is_marked_in_every_script(text, query, language, marked):
    found = sought_in(query, language).within(text, 0, len(text))
    assert [text[start:end] for start, end, _ in found] == marked


@given(texts(GLUE) | st.text(max_size=60), queries | st.text(max_size=10), spoken)
@example("1字", "字", "ja")
@example("cat#検索 ", "cat 検索", "en")
def test_marks_are_what_the_index_matches(text, query, language):
    found = sought_in(query, language).within(text, 0, len(text))
    assert [(start, end) for start, end, _ in found] == really(text, terms_of(query, language), language)


@given(texts(GLUE), queries, spoken, st.data())
def test_in_a_part_of_a_text_no_mark_reaches_out_of_it(text, query, language, data):
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text)))
    assert all(low <= start < end <= high for start, end, _ in sought_in(query, language).within(text, low, high))


def test_an_accent_is_marked_with_its_letter():
    (mark,) = sought_in("นก", "th").within("ดนก้ด", 0, 5)
    assert mark[:2] == (1, 4)


def test_a_letter_sought_by_itself_is_marked_wherever_it_stands():
    sought = Sought([(["索"], 1.0)], "ja")
    assert [match[:2] for match in sought.within("検索器、索引", 0, 6)] == [(1, 2), (4, 5)]
    assert [match[:2] for match in sought.find("検索器、索引", 0, 6)] == [(1, 2), (4, 5)]


# -- by what a passage is chosen --


@given(texts(BLANKS), queries, spoken)
@example(LETTERS + "Cat’s don’t", "don't", "en")
@example(LETTERS + "ThreadPoolExecutors", "executor", "en")
@example(LETTERS + "skies dying possibilities happy", "sky die possible happiness", "en")
@example("djak", "ђак", "sr")
@example("?" * 50 + "cat", "cat", "en")
@example(KANA + "Ｃａｔ ｶﾀｶﾅ", "cat カタカナ", "ja")
@example(KANA + "น้ำตก", "น้ำ", "th")
def test_whatever_matches_is_found(text, query, language):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "PLENTY", 10_000)
        patch.setattr(sought, "MOST_WORDS", 100)
        found = sought_in(query, language).find(text, 0, len(text))
    assert found == sorted(found)
    for start, end in really(text, terms_of(query, language), language):
        assert any(one < end and other > start for one, other, _ in found), text[start:end]


@given(texts(GLUE) | st.text(max_size=60), queries, spoken, st.integers(0, 50))
def test_what_is_found_lies_in_the_stretch_looked_through(text, query, language, low):
    found = sought_in(query, language).find(text, low, len(text))
    assert all(low <= start < end <= len(text) and words > 0 for start, end, words in found)


def test_each_word_of_the_query_has_a_bit():
    found = sought_in("cat dog").find("a dog, two cats", 0, 15)
    assert len({words for _, _, words in found}) == 2
    assert {words.bit_count() for _, _, words in found} == {1}


def test_an_identifier_in_one_word_counts_as_all_its_parts():
    sought = sought_in("ThreadPoolExecutor")
    ((_, _, words),) = sought.find("a threadpoolexecutor", 0, 20)
    assert words == sought.all


def test_words_that_tell_little_are_marked_and_not_looked_for():
    sought = Sought([(["rose"], 5.0), (["the"], 0.1)], "en")
    assert [match[:2] for match in sought.find("the rose", 0, 8)] == [(4, 8)]
    assert [match[:2] for match in sought.within("the rose", 0, 8)] == [(0, 3), (4, 8)]


def test_a_word_that_is_everywhere_is_looked_at_where_a_rarer_one_stands():
    text = "cat " * 500 + "dog " + "cat " * 500
    found = sought_in("cat dog").find(text, 0, len(text))
    assert len(found) <= PLENTY + 3
    dog = text.index("dog")
    assert [start - dog for start, _, _ in found if abs(start - dog) < 10] == [-4, 0, 4]


def test_a_query_without_words_finds_nothing():
    assert Sought([], "en").find("a cat", 0, 5) == []
    assert list(Sought([((), 1.0)], "en").within("a cat", 0, 5)) == []


def test_next_to_each_of_six_rarer_words_a_frequent_one_is_found_though_they_have_capitals():
    pairs = "".join(f"Dog with cat {'plain letters ' * 40}" for _ in range(6))
    text = "cat " * PLENTY + pairs
    found = sought_in("cat dog").find(text, 0, len(text))
    places = {start for start, _, _ in found}
    dogs = [place for place in range(len(text)) if text.startswith("Dog", place)]
    assert all(dog in places and dog + len("Dog with ") in places for dog in dogs)


@pytest.mark.parametrize("word", ["fooBAR", "foo_bar", "barBar", "x.BAR", "AB2bar", "Bar", "bars", "a-bar", "«bar»"])
def test_parts_of_a_word_are_marked_however_they_begin(word):
    text = f"some {word} here"
    assert [(start, end) for start, end, _ in sought_in("bar").within(text, 0, len(text))] == really(
        text, {"bar"}, "en"
    )


@pytest.mark.parametrize("language", ["en", "tlh", "de", "sr"])
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("threading.current_thread", ["threading.current_thread", "threading.currentthread"]),
        ("thread_id", ["thread_", "thread_id", "thread_info"]),
        ("UTF-8", ["utf-8", "utf-"]),
    ],
)
def test_an_identifier_that_is_sought_as_a_whole_is_found(text, terms, language):
    long = f"{'thread utf threading ' * 100}some {text}() here"
    sought = Sought([(terms, 1.0)], language)
    assert [long[start:end] for start, end, _ in sought.find(long, 0, len(long))] == [text]
    assert [long[start:end] for start, end, _ in sought.within(long, 0, len(long))] == [text]
