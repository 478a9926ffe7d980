import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.search.index_reader import FIELDS
from minisearch.search.params import DEFAULT, RankingParams, read_settings

NAMES = st.sampled_from(sorted(DEFAULT.settings()))


def test_every_parameter_has_a_name():
    settings = DEFAULT.settings()
    assert settings["k1"] == 2
    assert [settings[f"weight.{field}"] for field in FIELDS] == list(DEFAULT.weight.values())
    assert RankingParams().changed(settings) == DEFAULT


@given(NAMES, st.floats(0.01, 1))
def test_one_parameter_is_changed_and_no_other(name, value):
    changed = DEFAULT.changed({name: value})
    assert changed.settings() == {**DEFAULT.settings(), name: value}
    assert RankingParams() == DEFAULT  # is not modified


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"weight.tail": 1}, 'unknown ranking weight "weight.tail": did you mean weight.title'),
        ({"weight": 1}, 'unknown ranking weight "weight": did you mean weight.url'),
        ({"blend": 1.1}, "blend must be a number from 0 to 1, not 1.1"),
        ({"b.body": 2}, "b.body must be a number from 0 to 1, not 2"),
        ({"k1": 0}, "k1 must be a number above 0 and at most 1000, not 0"),
        ({"weight.title": -1}, "weight.title must be"),
        ({"weight.title": float("nan")}, "weight.title must be"),
        ({"closely": float("inf")}, "closely must be"),
    ],
)
def test_an_invalid_value_is_refused(settings, complaint):
    with pytest.raises(BadInput, match=complaint):
        DEFAULT.changed(settings)


WRONG = [("k1", "NAME=VALUE"), ("k1=two", 'k1 must be a number, not "two"'), ("=1", "unknown ranking weight ")]


@pytest.mark.parametrize(("word", "complaint"), WRONG)
def test_what_cannot_be_read_as_a_setting_is_refused(word, complaint):
    with pytest.raises(BadInput, match=complaint):
        read_settings([word])


def test_a_file_keeps_its_parameters_and_a_query_may_override_them(webs, tmp_path):
    pages = [webs.page("title", "dog", title="cat"), webs.page("body", "cat cat cat", title="dog")]

    def first(engine, **options):
        return engine.search("cat", **options).hits[0].url.removeprefix("http://site/")

    with webs.build(pages, path=tmp_path / "kept.db") as engine:
        assert first(engine, settings={"weight.title": 9, "names.title": 0, "exact": 0}) == "title"
        assert first(engine, settings={"weight.title": 0, "names.title": 0, "exact": 0}) == "body"
        engine.ranking({"weight.title": 0, "names.title": 0, "exact": 0})
        assert first(engine) == "body"
        assert first(engine, settings={"weight.title": 9}) == "title"
        before = engine.search("cat").hits
    with Engine(tmp_path / "kept.db") as engine:
        assert engine.search("cat").hits == before
        assert engine.ranking()["weight.title"] == 0
        assert engine.ranking({})["weight.title"] == DEFAULT.weight["title"]
        assert first(engine) == "title"


def test_an_invalid_value_is_not_stored(webs):
    with webs.build([webs.page("a", "cat")]) as engine:
        with pytest.raises(BadInput):
            engine.ranking({"k1": -1})
        assert engine.ranking()["k1"] == DEFAULT.k1


@pytest.mark.parametrize("name", ["k1", "b.body", "weight.body", "neighbours.body", "whole", "alone", "blend"])
def test_explain_uses_the_same_parameters_as_search(webs, name):
    pages = [webs.page("a", "red cat of os.path", links=[("b", "cat")]), webs.page("b", "a cat is red, os.path is not")]
    settings = {name: 0.7}
    query = "os.path" if name == "alone" else "red cat os.path"
    with webs.build(pages) as engine:
        engine.search(query)  # what is cached by other numbers is not used
        for hit in engine.search(query, settings=settings).hits:
            account = engine.explain(query, hit.url, settings=settings)
            assert account.score == pytest.approx(hit.score, rel=1e-9)
            assert sum(part.score for part in account.parts) == pytest.approx(account.text_score, rel=1e-9)
