"""Scoring: what adds how much to a score, and which pages come first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.search import matching, scoring, searcher
from minisearch.search.index_reader import FIELDS
from minisearch.search.params import DEFAULT, NAMES
from minisearch.textbook import bm25 as textbook
from minisearch.textbook import engine as textbook_engine

# -- BM25 --


def saturation(count, length, average, field="body"):
    counts, lengths = np.array([float(count)]), np.array([float(length)])
    return float(scoring.saturation(DEFAULT, field, counts, lengths, average)[0])


both = pytest.mark.parametrize("saturation", [textbook.saturation, saturation], ids=["textbook", "scoring"])
counts = st.integers(1, 10_000)
lengths = st.integers(1, 100_000)
averages = st.floats(0.001, 100_000)
fields = st.sampled_from(FIELDS)


@both
def test_saturation_has_the_published_values(saturation):
    assert saturation(1, 10, 10, "body") == pytest.approx(1)
    assert saturation(2, 10, 10, "body") == pytest.approx(2 * 3 / 4)
    assert saturation(1, 20, 10, "body") == pytest.approx(3 / (1 + 2 * 1.75))
    assert saturation(1, 20, 10, "anchor") == pytest.approx(3 / (1 + 2 * 1.5))


@both
@given(count=counts, length=lengths, average=averages, field=fields)
def test_repeating_a_word_helps_ever_less_and_never_past_a_limit(saturation, count, length, average, field):
    once, twice, thrice = (saturation(count + more, length, average, field) for more in range(3))
    assert 0 < once <= twice <= thrice < DEFAULT.k1 + 1
    assert twice - once >= thrice - twice - 1e-12


@both
@given(count=counts, length=lengths, average=averages, field=fields)
def test_a_word_counts_less_in_a_longer_field(saturation, count, length, average, field):
    assert saturation(count, length * 2, average, field) < saturation(count, length, average, field)
    assert saturation(1, length, length, field) == pytest.approx(1)


@given(count=counts, length=lengths, average=averages, field=fields)
def test_saturation_is_that_of_the_textbook(count, length, average, field):
    expected = textbook.saturation(count, length, average, field)
    assert saturation(count, length, average, field) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("b", "k1"), [(1.0, 1.2), (0.0, 1e-9), (0.5, 1e-9)])
def test_saturation_is_defined_for_extreme_parameters_and_empty_fields(b, k1):
    params = DEFAULT.changed({"k1": k1, "b.title": b})
    with np.errstate(all="raise"):
        nothing = scoring.saturation(params, "title", np.zeros(2), np.array([0.0, 3.0]), 1.5)
        once = scoring.saturation(params, "title", np.ones(2), np.array([0.0, 3.0]), 1.5)
        on_no_page = scoring.saturation(params, "title", np.ones(1), np.zeros(1), 0.0)
    assert nothing.tolist() == [0.0, 0.0]
    assert 0 < once[1] <= once[0] <= k1 + 1
    assert on_no_page.tolist() == [1.0]


def test_idf_is_that_of_the_textbook_positive_and_smaller_for_frequent_words(webs):
    pages = [webs.page(f"p{n}", " ".join(f"word{df}" for df in range(1, 13) if n < df)) for n in range(12)]
    with webs.build(pages) as engine:
        found = [engine.term(f"word{df}") for df in range(1, 13)]
        assert engine.term("absent").idf == 0
    assert [term.df for term in found] == list(range(1, 13))
    assert [term.idf for term in found] == pytest.approx([textbook.idf(df, 12) for df in range(1, 13)], rel=1e-12)
    assert [term.idf for term in found] == sorted((term.idf for term in found), reverse=True)
    assert found[-1].idf > 0


def test_each_field_adds_weight_times_idf_times_saturation(webs):
    pages = [webs.page("a", "a cat and a cat", title="Cats"), webs.page("b", "a dog", title="A dog")]
    with webs.build(pages, [webs.page("c", "a cat")]) as engine:
        account = engine.explain("cat", webs.url("a"))
    (word,) = [part for part in account.parts if part.kind == "word"]
    idf = textbook.idf(2, 3)
    assert {field.field: field.score for field in word.fields} == pytest.approx(
        {
            "title": DEFAULT.weight["title"] * idf * textbook.saturation(1, 1, 1, "title"),
            "body": DEFAULT.weight["body"] * idf * textbook.saturation(2, 5, 3, "body"),
        },
        rel=1e-12,
    )


def test_parameters_are_those_of_the_textbook():
    assert (DEFAULT.k1, DEFAULT.b, DEFAULT.weight) == (textbook.K1, textbook.B, textbook.WEIGHTS)
    ours = DEFAULT.neighbours, DEFAULT.names, DEFAULT.exact
    assert ours == (textbook_engine.NEIGHBOURS, textbook_engine.NAMES, textbook_engine.EXACT)
    tiers = DEFAULT.telling, DEFAULT.faint, DEFAULT.short
    assert tiers == (textbook_engine.TELLING, textbook_engine.FAINT, textbook_engine.SHORT)
    assert (DEFAULT.closely, DEFAULT.blend) == (textbook_engine.CLOSELY, textbook_engine.BLEND)
    assert scoring.SAME_SCORE == textbook_engine.NEARLY
    assert {*FIELDS} == {*DEFAULT.weight} == {*DEFAULT.b} == {*DEFAULT.neighbours} > {*NAMES}


def test_each_field_is_saturated_on_its_own():
    twice, apart = {"body": [["cat", "cat"]]}, {"body": [["cat", "dog"]], "title": [["cat", "dog"]]}
    assert textbook.score(["cat"], apart, [twice, apart]) > textbook.score(["cat"], twice, [twice, apart])
    assert textbook.score(["cow"], twice, [twice, apart]) == 0


# -- words --


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


def test_what_must_not_be_there_changes_no_score(webs):
    with webs.build([webs.page("a", "cat"), webs.page("b", "cat dog"), webs.page("c")]) as engine:
        alone, beside = (engine.search(query).hits[0] for query in ("body:cat", "body:cat -dog"))
        assert (alone.url, alone.score) == (beside.url, beside.score)


# -- proximity --


def test_adjacent_words_score_more_in_the_order_of_the_query(found):
    pages = {"a-apart": "maze of hedge", "b-turned": "maze hedge of", "c-together": "hedge maze of"}
    assert found("hedge maze", pages) == ["c-together", "a-apart", "b-turned"]
    assert found("+hedge maze", pages)[0] == "c-together"


def test_words_of_a_field_are_adjacent_in_that_field_only(webs):
    pages = [webs.page("a", "red cat " * 5, title="cat red"), webs.page("b")]
    with webs.build(pages) as engine:
        assert [part.kind for part in engine.explain("title:red title:cat", "http://site/a").parts] == ["word", "word"]


def test_proximity_is_counted_on_the_best_pages_only(webs):
    pages = [webs.page("a", "red cat and red cat"), webs.page("b", "red cat " + "and so on " * 9), webs.page("c")]
    with webs.build(pages) as engine:
        a, b = (engine.explain("red cat", f"http://site/{path}", settings={"closely": 1}) for path in "ab")
    assert [[part.kind for part in account.parts] for account in (a, b)] == [
        ["word"] * 2 + ["neighbours"],
        ["word"] * 2,
    ]


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("dog cat", {"title": 1, "body": 2, "anchor": 1}),
        ("cat dog", {"headings": 1, "body": 3}),
        ("dog cow", {}),
    ],
)
def test_adjacent_words_are_counted_in_each_field(webs, query, counts):
    pages = [
        webs.page("a", "cat dog cat dog, cat dog", title="A dog cat", headings=["cat", "cat dog"]),
        webs.page("b", "a cow", links=[("a", "dog cat"), ("a", "cow")]),
        webs.page("c", "nothing"),
    ]
    with webs.build(pages[:1], pages[1:]) as engine:
        parts = [part for part in engine.explain(query, webs.url("a")).parts if part.kind == "neighbours"]
    assert {field.field: field.count for part in parts for field in part.fields} == counts


def test_proximity_adds_to_the_score_of_adjacent_words_alone(webs):
    pages = [webs.page("apart", "red and cat"), webs.page("together", "and red cat"), webs.page("other", "dog")]
    without = {f"neighbours.{field}": 0.0 for field in DEFAULT.neighbours}
    with webs.build(pages) as engine:
        bare = {hit.url: hit.score for hit in engine.search("red cat", blend=0, settings=without)}
        full = {hit.url: hit.score for hit in engine.search("red cat", blend=0)}
    apart, together = webs.url("apart"), webs.url("together")
    assert bare[apart] == pytest.approx(bare[together])
    assert full[apart] == bare[apart]
    assert full[together] > bare[together]


# -- exact matches --


def test_the_page_whose_title_was_typed_comes_first(found):
    filler = {f"x{number}": {"title": "cat food and more", "text": "cat food " * 50} for number in range(9)}
    pages = filler | {"exact": {"title": "Cat Food", "text": "nothing much " * 50}}
    assert found("cat food", pages)[0] == "exact"
    assert found("Cats, food!", pages)[0] == "exact"


@pytest.mark.parametrize("title", ["Cat food - The pet shop", "Cat food | Shop", "shop.cat.food"])
def test_the_site_name_in_a_title_does_not_matter(webs, title):
    with webs.build([webs.page("a", title=title), webs.page("b", "cat food")]) as engine:
        assert "name" in [part.kind for part in engine.explain("cat food", "http://site/a").parts]


@pytest.mark.parametrize("query", ["+cat food", "title:cat food", "cat food -dog", "cat OR food"])
def test_a_query_with_operators_is_no_exact_match(webs, query):
    with webs.build([webs.page("a", title="Cat food"), webs.page("b", "dog")]) as engine:
        assert "name" not in [part.kind for part in engine.explain(query, "http://site/a").parts]


def test_one_link_among_many_that_is_the_query_says_less_than_most_of_them(webs):
    pages = [webs.page("few", "x"), webs.page("many", "x"), webs.page("none", "cat food")]
    pages += [webs.page(f"l{number}", links=[("many", f"tale number {number}")]) for number in range(30)]
    pages += [webs.page("said", links=[("few", "cat food"), ("many", "cat food")])]
    with webs.build(pages) as engine:
        few, many = (engine.explain("cat food", f"http://site/{path}").parts for path in ("few", "many"))
    scores = [next(part.score for part in parts if part.kind == "name") for parts in (few, many)]
    assert scores[0] > 1.5 * scores[1] > 0


# -- URL paths --

CLASSES = ("Ceil", "Floor", "Rint", "Sinh", "Tanh")


@pytest.fixture(scope="module")
def javadoc(webs):
    """Pages as a generator writes them: what uses a class has its whole name in the title, the class itself has not."""
    pages = []
    for name in CLASSES:
        whole = f"org.math.function.{name}"
        text = f"package org.math.function class {name}"
        pages.append(webs.page(f"api/org/math/function/{name}.html", text, title=f"{name} (Math API)"))
        uses = {"title": f"Uses of Class {whole} (Math API)", "headings": [f"Uses of Class {whole}"]}
        pages.append(webs.page(f"api/org/math/function/class-use/{name}.html", f"No usage of {whole}", **uses))
    pages.append(webs.page("api/org/math/function/index.html", " ".join(CLASSES), title="Overview"))
    with webs.build(pages) as engine:
        yield engine


@pytest.mark.parametrize(
    "asked", ["org.math.function.Rint", "org::math::function::Rint", "math/function/Rint()", "function Rint"]
)
def test_the_page_whose_path_ends_in_the_query_comes_first(javadoc, webs, asked):
    assert javadoc.search(asked).hits[0].url == webs.url("api/org/math/function/Rint.html")


def test_a_folder_is_its_index_page(javadoc, webs):
    assert javadoc.search("math.function").hits[0].url == webs.url("api/org/math/function/index.html")


def test_explain_has_a_part_for_the_path_and_adds_up(javadoc, webs):
    url = webs.url("api/org/math/function/Rint.html")
    found = javadoc.explain("function.Rint", url)
    (part,) = [part for part in found.parts if part.kind == "address"]
    assert (part.df, [field.field for field in part.fields]) == (1, ["url"])
    assert sum(part.score for part in found.parts) == pytest.approx(found.text_score, abs=1e-9)
    assert found.score == pytest.approx(javadoc.search("function.Rint").hits[0].score, abs=1e-9)


def test_compare_names_the_path_as_the_reason(javadoc, webs):
    found = javadoc.against(
        "function.Rint", *(webs.url(f"api/org/math/function/{p}Rint.html") for p in ("", "class-use/"))
    )
    assert 'its URL ends in "function.Rint"' in found.because


def test_sentences_phrases_and_operators_are_no_path(javadoc, webs):
    url = webs.url("api/org/math/function/Rint.html")
    for asked in (
        "org math the function Rint",
        '"function.Rint"',
        "+function.Rint",
        "title:function.Rint",
        "function.Rin*",
    ):
        assert not [part for part in javadoc.explain(asked, url).parts if part.kind == "address"]


def test_words_that_very_many_urls_have_are_no_path(webs, monkeypatch):
    monkeypatch.setattr(matching, "MOST_PATHS", 2)
    with webs.build([webs.page(f"{number}/garden/rose.html", "a garden") for number in range(3)]) as engine:
        kinds = {part.kind for part in engine.explain("garden.rose", webs.url("0/garden/rose.html")).parts}
        assert "word" in kinds
        assert "address" not in kinds


# -- which pages come first --

keys_and_masks = st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(keys_and_masks, st.integers(1, 35))
def test_top_gives_the_best_and_all_that_share_the_last_place(drawn, count):
    keys, matched, complete = (np.array(column) for column in zip(*drawn, strict=True))
    chosen = scoring.top(keys.astype(float), matched, complete & matched, count).tolist()
    order = sorted((not complete[doc], -keys[doc], doc) for doc in np.flatnonzero(matched).tolist())
    last = order[:count][-1:]
    assert sorted(chosen) == sorted(place[2] for place in order if last and place[:2] <= last[0][:2])


def test_scores_that_differ_by_rounding_share_a_place():
    keys, everywhere = np.array([1.0, 2.0, 2.0 + 1e-12, 1.0 - 1e-12]), np.ones(4, dtype=bool)
    assert sorted(scoring.top(keys, everywhere, everywhere, 1).tolist()) == [1, 2]
    assert sorted(scoring.top(keys, everywhere, everywhere, 3).tolist()) == [0, 1, 2, 3]


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


def test_of_very_many_pages_that_share_a_place_the_first_urls_are_shown(webs, monkeypatch):
    monkeypatch.setattr(searcher, "MANY_TIES", 3)
    pages = [webs.page(f"p{number:02}", "cat", links=[("p07", "x")] if number == 9 else []) for number in range(20)]
    with webs.build(pages[::2], pages[1::2]) as engine:
        assert [hit.url[-3:] for hit in engine.search("site:site", limit=5).hits] == ["p00", "p01", "p02", "p03", "p04"]
        assert [hit.url[-3:] for hit in engine.search("cat", limit=3).hits] == ["p07", "p00", "p01"]
