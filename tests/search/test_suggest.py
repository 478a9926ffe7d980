"""Suggestions: what was meant, and what may follow. All of it comes from the index."""

import pytest

from minisearch.search import suggest
from minisearch.search.vocabulary import Vocabulary

SLIPS = [
    ("prunning", "pruning"),
    ("rosses", "roses"),
    ("tulpis", "tulips"),
    ("compst", "compost"),
    ("zzzzzz", ""),
    ("x", ""),
    ("1234567", ""),
]


@pytest.mark.parametrize(("typed", "meant"), SLIPS)
def test_a_slip_is_put_right_with_a_word_of_the_index(garden, typed, meant):
    assert garden.engine.search(typed).suggestion == meant


def test_only_unknown_words_are_changed_and_named(garden):
    results = garden.engine.search("planting tulpis in autumn")
    assert results.missing == ("tulpis",)
    assert results.suggestion == "planting tulips in autumn"
    assert results.total > 0


def test_a_whole_word_before_a_star_stands_for_itself_too(garden):
    assert garden.engine.search("pruning*").hits[0].url.endswith("/roses.html")
    assert garden.engine.search("zzzz*").total == 0


def test_what_is_suggested_finds_something(garden):
    for typed in ("rosses", "tulpis", "compst", "potatos", "gralic"):
        suggestion = garden.engine.search(typed).suggestion
        assert not suggestion or garden.engine.search(suggestion).total


def test_what_is_too_long_to_be_read_whole_is_not_put_right(garden):
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
    told = "documentation of ThreadPoolExecutor, sqlite3_bind_text and UTF-8"
    more = [webs.page("more", told, title="More", links=["json"], headings=["Py_FinalizeEx()"])]
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
def test_long_words_with_endings_are_put_right_with_real_words(manual, typed, meant):
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
def test_titles_headings_and_words_are_offered_as_people_write_them(manual, typed, offered):
    found = manual.suggest(typed)
    assert set(found) & set(offered)
    assert all(each.lower() in {"json", "more", "documents"} or manual.search(each).total for each in found)


def test_words_survive_when_segments_are_merged(webs):
    batches = [[webs.page(f"p{number}", f"documentation Number{number}")] for number in range(9)]
    with webs.build(*batches) as engine:
        assert len(engine.store.postings.segments("page")) < 9
        assert engine.suggest("documenta") == ["documentation"]
        assert engine.search("documentatoin").suggestion == "documentation"
        assert "!documentation" not in [row[0] for row in engine.sql("select term from index_terms")[1]]


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


def test_what_was_meant_is_looked_for_once_until_the_file_changes(webs, monkeypatch):
    engine = webs.build([webs.page("a", "tulips are planted in autumn")])
    looked, look = [], Vocabulary.words_of_length
    monkeypatch.setattr(Vocabulary, "words_of_length", lambda self, *asked: looked.append(asked) or look(self, *asked))
    assert [engine.search("tulpis").suggestion for _ in range(3)] == 3 * ["tulips"]
    assert len(looked) == 1
    webs.put(engine, [webs.page("b", "tulpis is what many people type")])
    engine.index()
    assert engine.search("tulpis").suggestion == ""


def test_not_all_that_was_meant_is_kept(webs, monkeypatch):
    monkeypatch.setattr(suggest, "MOST_KEPT", 2)
    engine = webs.build([webs.page("a", "tulips are planted in autumn")])
    meant = [engine.search(typed).suggestion for typed in ("tulpis", "plantde", "autunm", "tulpis")]
    assert meant == ["tulips", "planted", "autumn", "tulips"]
    with engine.store.reading():
        assert len(engine._searcher.snapshot().corrections) == 2
