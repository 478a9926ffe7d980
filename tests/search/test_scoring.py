"""Which pages answer a query with operators, and what is worth how much."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.search import allowance, phrases, recipe, searcher
from minisearch.search.scoring import first_pages
from minisearch.search.snapshot import Snapshot


@pytest.fixture
def found(webs):
    """The paths that a query finds among {path: text or facts}, best first."""

    def search(query, pages, **options):
        drawn = [
            webs.page(path, **({"text": facts} if isinstance(facts, str) else facts)) for path, facts in pages.items()
        ]
        with webs.build(drawn) as engine:
            hits = engine.search(query, limit=99, **options).hits
        return [hit.url.removeprefix("http://site/") for hit in hits]

    return search


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


# -- phrases and fields --


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
def test_a_phrase_is_found_where_its_words_are_written_just_so(found, query, paths):
    assert sorted(found(query, PHRASED)) == sorted(paths.split())


def test_a_phrase_that_too_many_pages_have_is_found_by_its_stems_and_the_reader_told_so(webs, monkeypatch):
    pages = [webs.page(f"p{number}", "red cat" if number else "red cats") for number in range(4)]
    monkeypatch.setattr(phrases, "MOST_READ", 3)
    with webs.build(pages) as engine:
        results = engine.search('"red cat"')
        assert (results.total, results.note.count("more than 3 pages")) == (4, 1)
        assert engine.search('"red cat" red').note == results.note  # also when it is remembered
        assert (engine.search('"cat"').total, engine.search('"cat"').note.count("more than 3 pages")) == (4, 1)
    monkeypatch.setattr(phrases, "MOST_READ", 4)
    with webs.build(pages) as engine:
        assert (engine.search('"red cat"').total, engine.search('"red cat"').note) == (3, "")
        assert (engine.search('"cat"').total, engine.search('"cats"').total) == (3, 1)


def test_a_phrase_on_few_pages_is_looked_for_once_and_anew_on_other_pages(webs, monkeypatch):
    texts = {f"{n}": "hedge maze " * (n % 2) + "maze hedge " + ("red", "blue", "green")[n % 3] for n in range(12)}
    asked = []
    plain = phrases._side_by_side
    monkeypatch.setattr(phrases, "_side_by_side", lambda *given: asked.append(given) or plain(*given))
    with webs.build([webs.page(path, text) for path, text in texts.items()]) as engine:
        for colour, times in (("red", 1), ("blue", 2), ("red", 2), ("blue", 2), ("green", 3)):
            hits = engine.search(f'+{colour} +"hedge maze"', limit=99).hits
            paths = {hit.url.rsplit("/", 1)[1] for hit in hits}
            assert paths == {path for path, text in texts.items() if colour in text and text.startswith("hedge")}
            assert len(asked) == times


def test_phrases_of_words_that_very_many_pages_have_are_not_all_looked_for_and_the_reader_told_so(webs, monkeypatch):
    pages = [webs.page(f"p{number}", "red cat big dog") for number in range(4)] + [webs.page("q", "dog big cat red")]
    monkeypatch.setattr(allowance, "MOST_READ", 1)
    with webs.build(pages) as engine:
        once, both = engine.search('+"red cat"'), engine.search('+"red cat" "red cat" +"big dog" -"dog cat"')
        assert (once.total, once.note) == (4, "")  # the first one always is
        assert (both.total, both.note.count("may stand apart")) == (0, 1)


def test_of_very_many_pages_that_share_a_place_the_first_urls_are_shown(webs, monkeypatch):
    monkeypatch.setattr(searcher, "MANY", 3)
    pages = [webs.page(f"p{number:02}", "cat", links=[("p07", "x")] if number == 9 else []) for number in range(20)]
    with webs.build(pages[::2], pages[1::2]) as engine:
        assert [hit.url[-3:] for hit in engine.search("site:site", limit=5).hits] == ["p00", "p01", "p02", "p03", "p04"]
        assert [hit.url[-3:] for hit in engine.search("cat", limit=3).hits] == ["p07", "p00", "p01"]


def test_a_phrase_holds_in_any_segment_and_language(webs):
    pages = [webs.page("en", "red gardens grow"), webs.page("tlh", "red gardens grow", language="tlh")]
    with webs.build(pages[:1], pages[1:], [webs.page("other", "gardens red")]) as engine:
        assert {hit.page_id for hit in engine.search('"red gardens"').hits} == {
            hit.page_id for hit in engine.search("grow").hits
        }


FIELDS = {
    "title": {"title": "cat"},
    "headings": {"headings": ["cat"]},
    "cat": {},
    "body": {"text": "cat"},
    "anchor": {},
    "links": {"links": [("anchor", "cat")]},
}


@pytest.mark.parametrize("field", recipe.FIELDS)
def test_a_field_can_be_asked_alone(found, field):
    path = "cat" if field == "url" else field
    assert found(f"{field}:cat", FIELDS) == found(f'{field}:"cat"', FIELDS) == found(f"{field}:ca*", FIELDS) == [path]
    assert path not in found(f"-{field}:cat", FIELDS)


def test_a_phrase_in_a_field_is_sought_in_that_field_only(found):
    pages = {"here": {"title": "red cat"}, "there": {"title": "cat red", "text": "a red cat"}}
    assert found('title:"red cat"', pages) == ["here"]
    assert found('body:"red cat"', pages) == ["there"]


def test_words_of_a_field_are_neighbours_in_that_field_only(webs):
    pages = [webs.page("a", "red cat " * 5, title="cat red"), webs.page("b")]
    with webs.build(pages) as engine:
        assert [part.kind for part in engine.explain("title:red title:cat", "http://site/a").parts] == ["word", "word"]


def test_a_folder_of_a_site_can_be_asked_alone(found):
    pages = {"docs/a": "cat", "docs/deep/b": "cat", "blog/c": "cat"}
    assert found("cat site:site/docs", pages) == ["docs/a", "docs/deep/b"]
    assert found("cat site:site/docs site:site/blog", pages) == ["blog/c", "docs/a", "docs/deep/b"]


def test_a_language_can_be_asked_alone(found):
    pages = {"en": "sport", "sr": {"text": "sport", "language": "sr-Latn"}, "de": {"text": "sport", "language": "de"}}
    assert found("sport lang:sr", pages) == ["sr"]
    assert found("sport lang:de lang:sr", pages) == ["de", "sr"]
    assert found("sport lang:de lang:hr", pages) == ["de"]
    assert found("lang:en", pages) == ["en"]


# -- what is worth how much --


def test_words_side_by_side_are_worth_more_and_in_the_order_of_the_query(found):
    pages = {"a-apart": "maze of hedge", "b-turned": "maze hedge of", "c-together": "hedge maze of"}
    assert found("hedge maze", pages) == ["c-together", "a-apart", "b-turned"]
    assert found("+hedge maze", pages)[0] == "c-together"


def test_the_page_whose_title_was_typed_comes_first(found):
    filler = {f"x{number}": {"title": "cat food and more", "text": "cat food " * 50} for number in range(9)}
    pages = filler | {"exact": {"title": "Cat Food", "text": "nothing much " * 50}}
    assert found("cat food", pages)[0] == "exact"
    assert found("Cats, food!", pages)[0] == "exact"


@pytest.mark.parametrize("title", ["Cat food - The pet shop", "Cat food | Shop", "shop.cat.food"])
def test_the_name_of_the_site_does_not_matter(webs, title):
    with webs.build([webs.page("a", title=title), webs.page("b", "cat food")]) as engine:
        assert "name" in [part.kind for part in engine.explain("cat food", "http://site/a").parts]


@pytest.mark.parametrize("query", ["+cat food", "title:cat food", "cat food -dog", "cat OR food"])
def test_a_query_with_operators_is_no_name(webs, query):
    with webs.build([webs.page("a", title="Cat food"), webs.page("b", "dog")]) as engine:
        assert "name" not in [part.kind for part in engine.explain(query, "http://site/a").parts]


def test_one_link_among_many_that_is_the_query_says_less_than_most_of_them(webs):
    pages = [webs.page("few", "x"), webs.page("many", "x"), webs.page("none", "cat food")]
    pages += [webs.page(f"l{number}", links=[("many", f"tale number {number}")]) for number in range(30)]
    pages += [webs.page("said", links=[("few", "cat food"), ("many", "cat food")])]
    with webs.build(pages) as engine:
        few, many = (engine.explain("cat food", f"http://site/{path}").parts for path in ("few", "many"))
    worth = [next(part.score for part in parts if part.kind == "name") for parts in (few, many)]
    assert worth[0] > 1.5 * worth[1] > 0


def test_a_word_typed_in_two_ways_counts_once(webs):
    with webs.build([webs.page("a", "a rose"), webs.page("b", "a tulip")]) as engine:
        once, twice = (engine.search(query, blend=0).hits[0].score for query in ("rose", "Roses rose ROSE"))
        assert once == twice


def test_a_word_that_nearly_all_pages_have_is_not_needed_to_come_first(webs):
    common = [webs.page(f"x{number}", "the end") for number in range(20)]
    with webs.build(
        [*common, webs.page("best", "garden " * 5), webs.page("worse", "the " + "garden end " * 9)]
    ) as engine:
        assert all(hit.all_words for hit in engine.search("the garden").hits[:2])


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


def test_what_must_not_be_there_changes_no_score(webs):
    with webs.build([webs.page("a", "cat"), webs.page("b", "cat dog"), webs.page("c")]) as engine:
        alone, beside = (engine.search(query).hits[0] for query in ("body:cat", "body:cat -dog"))
        assert (alone.url, alone.score) == (beside.url, beside.score)


# -- which pages come first --

worths = st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(worths, st.integers(0, 35))
def test_the_first_pages_are_told_with_all_that_share_the_last_place(drawn, count):
    keys, matched, complete = (np.array(column) for column in zip(*drawn, strict=True))
    chosen = first_pages(keys.astype(float).__getitem__, matched, complete & matched, count).tolist()
    order = sorted((not complete[page], -keys[page], page) for page in np.flatnonzero(matched).tolist())
    last = order[:count][-1:]
    assert chosen == sorted(place[2] for place in order if last and place[:2] <= last[0][:2])


@given(
    st.integers(0, 1000),
    st.sampled_from([1, 2, 7, 9]),
    st.integers(4000, 5000),
    st.sampled_from([3, 1 << 40]),
    st.sampled_from([0, 3, 2000]),  # of the best pages, which do not match
    st.sampled_from([1, 8, 4000]),  # pages that have all words, if they match
)
def test_so_they_are_among_many(seed, count, size, different, left_out, having_all):
    keys = np.random.default_rng(seed).integers(0, different, size).astype(float)
    matched = np.ones(size, dtype=bool)
    matched[np.argsort(-keys)[:left_out]] = False
    complete = matched & (np.arange(size) < having_all)
    chosen = first_pages(keys.__getitem__, matched, complete, count)
    worth = np.where(matched, keys + complete * 2.0**41, -1)
    assert chosen.tolist() == np.flatnonzero(worth >= np.sort(worth)[-count]).tolist()


@pytest.mark.parametrize("closely", [1, 3, 9])
@pytest.mark.parametrize("query", ["red cat", "+red +cat", "a red cat", "cat a", "red cat in a hat"])
def test_a_short_list_is_the_beginning_of_a_long_one(webs, query, closely):
    said = ["a cat", "a red hat", "red cat in a hat", "a cat red", "a red cat and a red cat", "the red " * 9 + "cat"]
    pages = [webs.page(f"p{number}", f"{said[number % 6]} {'so ' * number}") for number in range(40)]
    pages += [webs.page(f"q{number}", "a dog") for number in range(60)]
    with webs.build(pages[:50], pages[50:]) as engine:
        whole = engine.search(query, limit=99, settings={"closely": closely}).hits
        for limit in (1, 2, 5, 12):
            assert engine.search(query, limit=limit, settings={"closely": closely}).hits == whole[:limit]


def test_neighbours_are_counted_on_the_best_pages_only(webs):
    pages = [webs.page("a", "red cat and red cat"), webs.page("b", "red cat " + "and so on " * 9), webs.page("c")]
    with webs.build(pages) as engine:
        a, b = (engine.explain("red cat", f"http://site/{path}", settings={"closely": 1}) for path in "ab")
    assert [[part.kind for part in account.parts] for account in (a, b)] == [
        ["word"] * 2 + ["neighbours"],
        ["word"] * 2,
    ]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"red green" +blue', ["abc"]),
        ('+blue "red green"', ["abc"]),
        ('-dark "red green"', ["ab"]),
        ("+red_green -dark", ["i"]),
    ],
)
def test_words_side_by_side_are_looked_for_only_where_a_page_can_match(webs, monkeypatch, query, paths):
    pages = {"ab": "red green", "abc": "red green blue", "ba": "green red", "i": "red_green"}
    pages |= {f"d{number}": "dark red green" for number in range(6)}
    looked_at = []
    read = Snapshot.spots

    def spy(self, *asked):
        looked_at.extend(len(pages) for _, pages in asked)
        return read(self, *asked)

    monkeypatch.setattr(Snapshot, "spots", spy)
    with webs.build([webs.page(path, text) for path, text in pages.items()]) as engine:
        hits = engine.search(query, limit=9).hits
    assert [hit.url.removeprefix("http://site/") for hit in hits][:1] == paths
    assert max(looked_at[:2]) < len(pages)
