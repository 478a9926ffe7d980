"""Suggestions: spelling corrections and completions. All of it comes from the index."""

import pytest

from minisearch.search.suggest import MOST_COMPLETIONS
from minisearch.store.postings import PostingStore

MISSPELLINGS = [
    ("prunning", "pruning"),
    ("rosses", "roses"),
    ("tulpis", "tulips"),
    ("compst", "compost"),
    ("zzzzzz", ""),
    ("x", ""),
    ("1234567", ""),
]


@pytest.mark.parametrize(("typed", "meant"), MISSPELLINGS)
def test_a_misspelling_is_corrected_with_a_word_of_the_index(garden, typed, meant):
    assert garden.engine.search(typed).suggestion == meant


def test_only_unknown_words_are_corrected_and_named(garden):
    results = garden.engine.search("planting tulpis in autumn")
    assert results.missing == ("tulpis",)
    assert results.suggestion == "planting tulips in autumn"
    assert results.total > 0


def test_a_prefix_that_is_a_word_finds_that_word_too(garden):
    assert garden.engine.search("pruning*").hits[0].url.endswith("/roses.html")
    assert garden.engine.search("zzzz*").total == 0


def test_what_is_suggested_finds_something(garden):
    for typed in ("rosses", "tulpis", "compst", "potatos", "gralic"):
        suggestion = garden.engine.search(typed).suggestion
        assert not suggestion or garden.engine.search(suggestion).total


@pytest.mark.parametrize("rest", ["site:nowhere.org", "lang:klingon", "-roses", '+"hedge banana"'])
def test_nothing_is_suggested_that_finds_nothing(garden, rest):
    assert garden.engine.search("rosses").suggestion == "roses"
    assert garden.engine.search(f"rosses {rest}").suggestion == ""
    assert garden.engine.search("rosses site:127.0.0.1").suggestion == "roses site:127.0.0.1"


def test_a_query_that_is_cut_off_is_not_corrected(garden):
    assert garden.engine.search("plantign " + "tulips " * 600).suggestion == ""
    assert garden.engine.search("plantign " + "tulips " * 6).suggestion


def test_a_query_that_is_all_known_gets_no_suggestion(garden):
    results = garden.engine.search("pruning roses")
    assert (results.missing, results.suggestion) == ((), "")


def test_completions_are_titles_and_then_words(garden):
    found = garden.engine.suggest("pru")
    assert found[0] == "Pruning roses in late winter"
    assert any(word.startswith("prun") for word in found[1:])


def test_the_last_word_begun_is_completed(garden):
    assert "when to prune" in garden.engine.suggest("when to prun") or "when to pruning" in garden.engine.suggest(
        "when to prun"
    )


@pytest.mark.parametrize(
    "typed",
    ["", "  ", "\x00", "\ud800", "%", "_", "(((", "🌹", "a" * 10_000, "rose " * 9999, "rose \ud800", "\ud800 rose"],
)
def test_anything_may_have_been_typed_so_far(garden, typed):
    assert isinstance(garden.engine.suggest(typed), list)


@pytest.fixture(scope="module")
def manual(webs):
    """Long words with endings, identifiers, and a page with sections; in two segments."""
    pages = [
        webs.page(
            "json",
            "The documentation of json.JSONDecoder and JSONDecodeError. JSONDecoder decodes. Documentation helps.",
            title="json",
            headings=["Encoders and decoders", "Standard compliance"],
        ),
        webs.page("doc", "A document has documents, documented well.", title="Documents", headings=["Standards"]),
    ]
    text = "documentation of ThreadPoolExecutor, sqlite3_bind_text and UTF-8"
    more = [webs.page("more", text, title="More", links=["json"], headings=["Py_FinalizeEx()"])]
    with webs.build(pages, more) as engine:
        yield engine


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("documentatoin", "documentation"),
        ("doucmentation", "documentation"),
        ("odcumentation", "documentation"),
        ("docuemnts", "documents"),
        ("documnet", "document"),
        ("ThreadPoolExecuter", "ThreadPoolExecutor"),
        ("json.JSONDecodr of", "json.jsondecoder of"),
        ("compliense", "compliance"),
    ],
)
def test_long_words_are_corrected_with_words_not_stems(manual, typed, meant):
    assert manual.search(typed).suggestion.lower() == meant.lower()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("jsondecod", ["JSONDecoder", "JSONDecodeError"]),
        ("documenta", ["documentation"]),
        ("standard", ["Standards", "Standard compliance"]),
        ("standard comp", ["Standard compliance", "standard compliance"]),
        ("encoders and dec", ["Encoders and decoders"]),
        ("the threadp", ["the ThreadPoolExecutor"]),
        ("sqlite3_b", ["sqlite3_bind_text"]),
        ("call sqlite3_", ["call sqlite3_bind_text"]),
        ("json.jsond", ["json.JSONDecoder"]),
        ("utf-", ["UTF-8"]),
        ("Py_Fin", ["Py_FinalizeEx()"]),
    ],
)
def test_titles_headings_and_words_are_offered_as_they_are_written(manual, typed, offered):
    found = manual.suggest(typed)
    assert set(found) & set(offered)
    assert all(each.lower() in {"json", "more", "documents"} or manual.search(each).total for each in found)


def test_words_survive_when_segments_are_rebuilt(webs):
    batches = [[webs.page(f"p{number}", f"documentation Number{number}")] for number in range(9)]
    with webs.build(*batches) as engine:
        assert engine.sql("select count(*) from segments where kind = 'page'")[1][0][0] < 9
        assert engine.suggest("documenta") == ["documentation"]
        assert engine.search("documentatoin").suggestion == "documentation"


@pytest.mark.parametrize("typed", ["sqlite3_b*", "SQLite3_*", "title:x OR json.JSOND*", "utf-*"])
def test_a_star_completes_identifiers(manual, typed):
    found = manual.search(typed)
    assert [hit.url.rpartition("/")[2] for hit in found.hits] == (["json"] if "json" in typed else ["more"])
    assert found.hits[0].marks


def test_a_star_finds_words_whose_stem_is_shorter(manual):
    assert manual.search("documenta*").total == 3


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Руже у башти", "руже"),
        ("Руже у башти", "РУЖЕ У"),
        ("РУЖЕ", "руж"),
        ("Ο κήπος", "ο κή"),
        ("Österreich in Zahlen", "österr"),
        ("élan", "Él"),
        ("Über Österreich", "über ö"),
    ],
)
def test_titles_are_offered_whatever_the_case_in_any_alphabet(webs, title, typed):
    with webs.build([webs.page("one", "Some text.", title=title)]) as engine:
        assert title in engine.suggest(typed)


def test_a_correction_is_looked_up_once_until_the_index_changes(webs, monkeypatch):
    looked_up, look_up = [], PostingStore.words_of_length

    def spy(self, *given):
        looked_up.append(given)
        return look_up(self, *given)

    monkeypatch.setattr(PostingStore, "words_of_length", spy)
    with webs.build([webs.page("a", "tulips are planted in autumn")]) as engine:
        assert [engine.search("tulpis").suggestion for _ in range(3)] == 3 * ["tulips"]
        assert len(looked_up) == 1
        webs.put(engine, [webs.page("b", "tulpis is what many people type")])
        engine.index()
        assert engine.search("tulpis").suggestion == ""


def test_of_words_equally_near_the_more_frequent_one_was_meant(webs):
    batches = [webs.page("a", "a boat"), webs.page("c", "an oats")], [webs.page("b", "a coat, my coat and her coat")]
    with webs.build(*batches) as engine:
        assert engine.search("cbat").suggestion == "coat"
        assert engine.search("bcat").suggestion == "boat"  # the first letter is taken to be right


def test_words_of_pages_that_are_gone_are_not_suggested(webs):
    others = [webs.page(f"p{number}", "other words") for number in range(9)]
    with webs.build([webs.page("a", "tulips"), *others]) as engine:
        assert engine.search("tulpis").suggestion == "tulips"
        webs.put(engine, [webs.page("a", "roses")])
        engine.index()
        assert engine.search("tulpis").suggestion == ""
        assert engine.suggest("tul") == []


# -- prefixes --


def test_a_prefix_stands_for_the_words_that_begin_so_the_most_frequent_first(webs):
    pages = [webs.page("a", "cat category dog", title="Category")], [webs.page("b", "category cow")]
    with webs.build(*pages) as engine:
        assert list(engine.term("cat*").terms) == ["categori", "cat"]
        assert engine.term("xy*").df == 0


def test_a_prefix_stands_for_a_limited_number_of_words(webs):
    words = " ".join(f"cat{number}" for number in range(MOST_COMPLETIONS + 9))
    with webs.build([webs.page("a", words)]) as engine:
        assert len(engine.term("cat*").terms) == MOST_COMPLETIONS + 1  # and what the prefix is by itself
        assert engine.search("cat*").note == 'only the 1,000 most frequent words that begin with "cat" were used'


def test_a_prefix_stands_for_hundreds_of_words(webs):
    with webs.build([webs.page(f"p{number}", f"roses cat{number}") for number in range(200)]) as engine:
        assert engine.search("cat*").total == engine.search("roses +cat*").total == 200
        assert engine.search("roses -cat*").total == 0


def test_words_of_all_segments_are_counted_together(webs):
    with webs.build([webs.page("a", "JSON jsonl")], [webs.page("b", "JSON jsonp jsonp jsonp")]) as engine:
        assert engine.suggest("jso") == ["jsonp", "JSON", "jsonl"]


@pytest.mark.parametrize(
    ("language", "text", "typed"),
    [
        ("sr", "паприка за ајвар", "папри*"),
        ("sr", "паприка за ајвар", "papri*"),
        ("de", "Eine Uebersicht", "ueb*"),
        ("en", "dying flowers", "dy*"),
        ("id", "saya membaca buku", "mem*"),
        ("nl", "zij heeft gelopen", "gel*"),
        ("hi", "घर में खोज", "खो*"),
        ("hi", "हिन्दी में", "हि*"),
        ("ja", "全文検索エンジン", "全文検*"),
        ("ja", "全文検索エンジン", "全文*"),
    ],
)
def test_a_prefix_finds_words_whose_stem_is_spelled_otherwise(found, language, text, typed):
    assert found(typed, {"page": {"text": text, "language": language}, "other": "else"}) == ["page"]


def test_a_word_begun_with_vowel_signs_is_completed(webs):
    with webs.build([webs.page("page", "हिन्दी में", language="hi")]) as engine:
        assert engine.suggest("हि")


def test_a_single_letter_that_finds_nothing_is_named_as_it_was_typed(webs):
    with webs.build([webs.page("page", "roses")]) as engine:
        assert engine.search("字").missing == ("字",)
