"""Matching: which pages a query selects, and why it selects none."""

import pytest

from minisearch import Engine, Page
from minisearch.search import matching
from minisearch.search.index_reader import FIELDS, IndexReader

COLOURS = {"r": "red", "g": "green", "b": "blue", "rg": "red green", "rb": "red blue", "rgb": "red green blue"}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("red", "r rg rb rgb"),
        ("red green", "r g rg rb rgb"),
        ("+red green", "r rg rb rgb"),
        ("+red +green", "rg rgb"),
        ("red -green", "r rb"),
        ("-red", "g b"),
        ("-red -green", "b"),
        ("-red -green -blue", ""),
        ("red green -blue", "r g rg"),
        ("red red -red", ""),
        ("+absent red", ""),
        ("-absent", "r g b rg rb rgb"),
        ("absent -red", ""),
        ("red OR green", "r g rg rb rgb"),
        ("+(green OR blue) +red", "rg rb rgb"),
        ("(red green)", "rg rgb"),
        ("(red green) OR (blue -red)", "b rg rgb"),
        ("-(red green)", "r g b rb"),
        ("-(red OR green)", "b"),
        ("-(-red)", "r rg rb rgb"),
        ("blue OR -red", "g b rb rgb"),
        ('"red green"', "rg rgb"),
        ('"red blue"', "rb"),
        ('"green red"', ""),
        ('"red green blue"', "rgb"),
        ('-"green blue" +blue', "b rb"),
        ('"red absent"', ""),
        ("gre*", "g rg rgb"),
        ("-gre* +blu*", "b rb"),
        ("xy*", ""),
        ("site:site", "r g b rg rb rgb"),
        ("site:site -red", "g b"),
        ("site:elsewhere red", ""),
        ("lang:en green", "g rg rgb"),
        ("lang:fr green", ""),
    ],
)
def test_operators_choose_the_pages(found, query, paths):
    assert sorted(found(query, COLOURS)) == sorted(paths.split())


# -- phrases --


def test_a_phrase_does_not_reach_from_one_heading_or_link_to_the_next(found):
    pages = {
        "across": {"headings": ["the hedge", "maze rules"]},
        "within": {"headings": ["other", "hedge maze"]},
        "linked": {},
        "links": {"links": [("linked", "a hedge"), ("linked", "maze")]},
        "split": {"title": "hedge", "text": "maze"},
    }
    assert found('"hedge maze"', pages) == ["within"]
    assert found('"a hedge"', pages) == ["linked"]


def test_a_phrase_has_every_word_as_often_as_it_was_typed(found):
    assert found('"bora bora"', {"once": "bora and bora", "twice": "to bora bora by boat"}) == ["twice"]


PHRASED = {
    "one": "a context manager here",
    "many": "the context managers there",
    "title": {"title": "Context, manager!", "text": "no more"},
    "heading": {"headings": ["The context", "A CONTEXT_MANAGER"]},
    "name": "use ContextManager() now",
    "accent": "un contéxt mänager, " + "é " * 300,
    "longer": "acontext manager of contexts",
    "later": "context managers " * 50 + "(context—manager)",
    "context-manager": {},
    "context-managers": {},
    "linked": {"links": [("many", "context managing")]},
}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"context manager"', "one title heading name accent later context-manager many"),
        ('"context managers"', "many later context-managers"),
        ('body:"Contexts"', "longer"),
        ('body:"context"', "one many name accent later"),
        ('body:"context manager"', "one name accent later"),
        ('title:"context managers"', ""),
        ('body:context -body:"context manager"', "many longer"),
    ],
)
def test_a_phrase_is_found_where_its_words_are_written_as_typed(found, query, paths):
    assert sorted(found(query, PHRASED)) == sorted(paths.split())


ACCENTS = "Le café est fermé: un très bel été nous attend."
OTHERWISE = "If found, print them; otherwise print the input as-is."


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        (OTHERWISE, "print the"),
        (OTHERWISE, "print the input"),
        (ACCENTS, "été nous attend"),
        (ACCENTS, "ete nous attend"),
        (f"{'très ' * 3000}{ACCENTS}", "bel été nous"),
        ("so don’t panic now", "don't panic"),
        ("so don't panic now", "don’t panic"),
        ("so DON’T panic now", "don’t panic"),
        ("à l’été, don’t panic", "l'été don't"),
        (f"un café {'. ' * 60}été", "café été"),
        (f"le café{'.' * 60} noir", "cafe noir"),
        (f"roses {'-' * 60} 🌹", "roses 🌹"),
    ],
)
def test_a_phrase_is_found_beside_what_nearly_is_it_and_with_any_apostrophe(found, text, phrase):
    assert found(f'"{phrase}"', {"page": {"text": text, "language": "fr"}}) == ["page"]


def test_a_long_phrase_in_a_script_without_spaces_is_found(found):
    phrase = "กุหลาบตัดแต่งในฤดูใบไม้ผลิ สวนสวย " * 2  # to try all ways to place its pairs of letters would never end
    assert found(f'"{phrase}"', {"page": f"1 {phrase} 2"}) == ["page"]


SQLITE = {
    "camel": "the SQLite database",
    "small": "the sqlite database",
    "parts": "the sq lite database",
    "apart": "SQLite is a database",
    "dotted": "the SQLite.database",
}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"sqlite database"', "camel small"),
        ('"SQLite database"', "camel small parts dotted"),
        ('"the SQLite"', "camel small parts dotted"),
        ('"the sqlite"', "camel small"),
        ('"lite database"', "camel parts dotted"),
        ('"the sqlite.database"', "camel dotted small"),
    ],
)
def test_an_identifier_in_a_phrase_is_read_by_its_parts_or_as_a_whole(found, query, paths):
    assert sorted(found(f"body:{query}", SQLITE)) == sorted(paths.split())


def test_a_phrase_on_too_many_pages_is_matched_by_its_stems_with_a_note(webs, monkeypatch):
    pages = [webs.page(f"p{number}", "red cat" if number else "red cats") for number in range(4)]
    monkeypatch.setattr(matching, "MOST_READ", 3)
    with webs.build(pages) as engine:
        results = engine.search('"red cat"')
        assert (results.total, results.note.count("more than 3 pages")) == (4, 1)
        assert engine.search('"red cat" red').note == results.note  # also when it is cached
        assert (engine.search('"cat"').total, engine.search('"cat"').note.count("more than 3 pages")) == (4, 1)
    monkeypatch.setattr(matching, "MOST_READ", 4)
    with webs.build(pages) as engine:
        assert (engine.search('"red cat"').total, engine.search('"red cat"').note) == (3, "")
        assert (engine.search('"cat"').total, engine.search('"cats"').total) == (3, 1)


def test_a_phrase_is_found_whatever_else_is_asked_for_and_was_asked_before(webs):
    texts = {f"{n}": "hedge maze " * (n % 2) + "maze hedge " + ("red", "blue", "green")[n % 3] for n in range(12)}
    with webs.build([webs.page(path, text) for path, text in texts.items()]) as engine:
        for colour in ("red", "blue", "red", "green"):
            hits = engine.search(f'+{colour} +"hedge maze"', limit=99)
            paths = {hit.url.rsplit("/", 1)[1] for hit in hits}
            assert paths == {path for path, text in texts.items() if colour in text and text.startswith("hedge")}


def test_phrases_of_frequent_words_beyond_a_limit_are_not_checked_and_a_note_says_so(webs, monkeypatch):
    pages = [webs.page(f"p{number}", "red cat big dog") for number in range(4)] + [webs.page("q", "dog big cat red")]
    monkeypatch.setattr(matching, "MOST_PHRASE_COST", 1)
    with webs.build(pages) as engine:
        once, both = engine.search('+"red cat"'), engine.search('+"red cat" "red cat" +"big dog" -"dog cat"')
        assert (once.total, once.note) == (4, "")  # the first one is always checked
        assert (both.total, both.note.count("may not be adjacent")) == (0, 1)


def test_a_phrase_holds_in_any_segment_and_language(webs):
    pages = [webs.page("en", "red gardens grow"), webs.page("tlh", "red gardens grow", language="tlh")]
    with webs.build(pages[:1], pages[1:], [webs.page("other", "gardens red")]) as engine:
        assert {hit.page_id for hit in engine.search('"red gardens"').hits} == {
            hit.page_id for hit in engine.search("grow").hits
        }


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"red green" +blue', ["abc"]),
        ('+blue "red green"', ["abc"]),
        ('-dark "red green"', ["ab"]),
        ("+red_green -dark", ["i"]),
    ],
)
def test_phrases_are_checked_only_on_pages_that_can_match(webs, monkeypatch, query, paths):
    pages = {"ab": "red green", "abc": "red green blue", "ba": "green red", "i": "red_green"}
    pages |= {f"d{number}": "dark red green" for number in range(6)}
    checked = []
    occurrences = IndexReader.occurrences

    def spy(self, words, docs):
        checked.append(len(docs))
        return occurrences(self, words, docs)

    monkeypatch.setattr(IndexReader, "occurrences", spy)
    with webs.build([webs.page(path, text) for path, text in pages.items()]) as engine:
        hits = engine.search(query, limit=9).hits
    assert [hit.url.removeprefix("http://site/") for hit in hits][:1] == paths
    assert checked[0] < len(pages)


# -- fields, sites and languages --


CATS = {
    "title": {"title": "cat"},
    "headings": {"headings": ["cat"]},
    "cat": {},
    "body": {"text": "cat"},
    "anchor": {},
    "links": {"links": [("anchor", "cat")]},
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_can_be_asked_alone(found, field):
    path = "cat" if field == "url" else field
    assert found(f"{field}:cat", CATS) == found(f'{field}:"cat"', CATS) == found(f"{field}:ca*", CATS) == [path]
    assert path not in found(f"-{field}:cat", CATS)


def test_a_phrase_in_a_field_is_sought_in_that_field_only(found):
    pages = {"here": {"title": "red cat"}, "there": {"title": "cat red", "text": "a red cat"}}
    assert found('title:"red cat"', pages) == ["here"]
    assert found('body:"red cat"', pages) == ["there"]


def test_a_folder_of_a_site_can_be_asked_alone(found):
    pages = {"docs/a": "cat", "docs/deep/b": "cat", "blog/c": "cat"}
    assert found("cat site:site/docs", pages) == ["docs/a", "docs/deep/b"]
    assert found("cat site:site/docs site:site/blog", pages) == ["blog/c", "docs/a", "docs/deep/b"]


@pytest.mark.parametrize("site", ["münchen.de", "MÜNCHEN.de/café", "xn--mnchen-3ya.de/caf%C3%A9", "de"])
def test_a_site_is_found_however_its_letters_are_written(site):
    with Engine() as engine:
        engine.add_pages([Page("http://xn--mnchen-3ya.de/caf%C3%A9/a", "Coffee"), Page("http://site/b", "Coffee")])
        engine.index()
        assert [hit.title for hit in engine.search(f"coffee site:{site}")] == ["Coffee"]


def test_a_language_can_be_asked_alone(found):
    pages = {"en": "sport", "sr": {"text": "sport", "language": "sr-Latn"}, "de": {"text": "sport", "language": "de"}}
    assert found("sport lang:sr", pages) == ["sr"]
    assert found("sport lang:de lang:sr", pages) == ["de", "sr"]
    assert found("sport lang:de lang:hr", pages) == ["de"]
    assert found("lang:en", pages) == ["en"]


@pytest.mark.parametrize(
    ("site", "paths"),
    [
        ("site/docs", "docs Docs/a docs?b docs/f/g"),
        ("http://SITE/DOCS/", "docs Docs/a docs?b docs/f/g"),
        ("site/docs/f", "docs/f/g"),
        ("te", ""),
        ("SITE", "docs Docs/a docs?b docs-c docsd e/docs docs/f/g"),
    ],
)
def test_a_folder_of_a_site_is_all_below_it_whatever_the_case(found, site, paths):
    pages = dict.fromkeys(("docs", "Docs/a", "docs?b", "docs-c", "docsd", "e/docs", "docs/f/g"), "cat")
    assert sorted(found(f"cat site:{site}", pages)) == sorted(paths.split())


# -- identifiers and prefixes --


def test_an_identifier_that_must_be_there_is_there_whole_or_with_its_parts_side_by_side(found):
    pages = {"apart": "a thread in the pool", "parts": "a thread pool", "whole": "threadpool", "other": "nothing"}
    assert sorted(found("threadpool +ThreadPool", pages)) == ["parts", "whole"]
    assert sorted(found("-ThreadPool", pages)) == ["apart", "other"]
    assert sorted(found("ThreadPool", pages)) == ["apart", "parts", "whole"]


@pytest.mark.parametrize("name", ["C++", "C#", ".NET", "__init__"])
def test_what_is_known_by_its_marks_is_another_thing_without_them(found, name):
    pages = {"bare": {"title": name.strip("+#._"), "text": name.strip("+#._") * 2}, "marked": {"text": f"on {name}"}}
    assert found(f'"{name}"', pages) == found(f"+{name}", pages) == ["marked"]
    assert found(f"-{name}", pages) == ["bare"]
    assert found(name, pages)[0] == "marked"


@pytest.mark.parametrize("typed", ["documenta", "documentatio", "document", "docum"])
def test_a_prefix_finds_words_whose_stem_is_shorter(found, typed):
    pages = {"a": "some documentation", "b": "documentation and documents", "c": "a doctor"}
    assert sorted(found(f"{typed}*", pages)) == ["a", "b"]
