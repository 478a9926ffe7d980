"""Inspection: what is shown of a word, a page and the file is what the index and the crawl recorded."""

import _thread
import sqlite3
import threading

import pytest

from minisearch import Engine
from minisearch.errors import BadInput, NotFound


@pytest.fixture(scope="module")
def opened(garden):
    """An engine of its own on the garden's file."""
    with Engine(garden.path) as engine:
        yield engine


# -- a word ----------------------------------------------------------------------------------


def test_postings_are_listed_by_field_and_position(opened, garden):
    account = opened.term("roses")
    best = account.postings[0]
    assert (account.terms, account.df, account.pages) == ({"rose": ("en", "sr")}, 7, 25)
    assert best.url == garden.home + "roses.html"
    assert (best.count, best.counts["title"], best.places["title"]) == (sum(best.counts.values()), 1, (1,))
    assert all(len(best.places[field]) == min(count, 10) for field, count in best.counts.items())
    assert [posting.count for posting in account.postings] == sorted((p.count for p in account.postings), reverse=True)


def test_a_word_has_a_term_for_each_language(opened):
    account = opened.term("paprika")
    assert account.terms == {"paprika": ("en",), "paprik": ("sr",)}
    assert {posting.title for posting in account.postings} == {"Paprika za ajvar", "Паприка за ајвар"}
    assert opened.term("паприка").df == 2


def test_a_limit_cuts_the_list_and_not_the_count(opened):
    account = opened.term("garden", limit=2)
    assert len(account.postings) == 2
    assert account.df > 2


def test_a_field_and_a_beginning_can_be_asked_for(opened, garden):
    (only,) = opened.term("title:roses").postings
    assert (only.url, only.counts, only.places) == (garden.home + "roses.html", {"title": 1}, {"title": (1,)})
    assert "prune" in opened.term("prun*").terms


def test_what_the_explanation_says_of_a_word_is_what_its_postings_say(opened, garden):
    (part,) = opened.explain("roses", garden.home + "roses.html", blend=0).parts[:1]
    account = opened.term("roses")
    assert (part.df, part.idf) == (account.df, account.idf)
    assert {field.field: field.count for field in part.fields} == account.postings[0].counts


def test_an_unknown_word_is_on_no_page(opened):
    account = opened.term("zeppelin")
    assert (account.df, account.idf, account.postings) == (0, 0, ())


@pytest.mark.parametrize("typed", ["", "two words", '"hedge maze"', "(a OR b)", "?!"])
def test_anything_but_one_word_is_refused(opened, typed):
    with pytest.raises(BadInput, match="one word at a time"):
        opened.term(typed)


# -- a page ----------------------------------------------------------------------------------


def test_a_page_has_its_rank_crawl_path_and_aliases(opened, garden):
    account = opened.page(garden.home + "roses.html")
    assert account.facts.title == "Pruning roses in late winter"
    assert account.facts.charset == "utf-8"
    assert account.path[0] == garden.home + "index.html"
    assert account.path[-1] == garden.home + "roses.html"
    assert (garden.home + "old-roses.html", "redirect") in account.aliases
    (standing,) = account.standings
    order = [url for url, _, _ in opened.top(99)]
    assert (standing.ranking, standing.place, standing.pages) == ("pagerank", order.index(account.facts.url) + 1, 26)


def test_an_alias_leads_to_the_page_that_stands_for_it(opened, garden):
    assert opened.page(garden.home + "old-roses.html").facts.url == garden.home + "roses.html"


def test_links_are_counted_and_the_best_ranked_come_first(opened, garden):
    account = opened.page(garden.home + "roses.html", limit=3)
    ranks = [link.rank for link in account.in_links]
    assert (len(account.in_links), account.in_count) == (3, 5)
    assert ranks == sorted(ranks, reverse=True)
    assert account.in_links[0].anchors == ("pruning roses in late winter",)
    shed = next(link for link in opened.page(garden.home + "roses.html").out_links if "shed" in link.url)
    assert (shed.state, shed.nofollow) == ("skipped", False)


@pytest.mark.parametrize("name", ["roses.html", "index.html", "compost.html", "hedge-maze-1.html"])
def test_the_weight_of_a_term_is_the_score_it_has_when_asked_for_alone(opened, garden, name):
    compared = 0
    for weight in opened.page(garden.home + name).terms:
        account = opened.explain(weight.term, garden.home + name, blend=0)
        alike = [part for part in account.parts if part.kind == "word" and part.terms == (weight.term,)]
        for part in alike:  # a stem is not always its own stem
            compared += 1
            assert weight.df == part.df
            assert weight.counts == {field.field: field.count for field in part.fields}
            assert weight.score == pytest.approx(part.score, abs=1e-9)
    assert compared >= 5


def test_the_terms_of_a_page_are_those_of_its_postings(opened, garden):
    heaviest = opened.page(garden.home + "roses.html").terms[0]
    assert heaviest.term == "prune"
    assert heaviest.counts == opened.term("pruning").postings[0].counts


def test_a_page_that_may_not_be_indexed_has_no_terms(opened, garden):
    account = opened.page(garden.home + "noticeboard.html")
    assert (account.indexed, account.terms) == (False, ())
    assert account.facts.noindex


def test_a_page_that_we_do_not_hold_is_not_found(opened, garden):
    with pytest.raises(NotFound, match="minisearch why"):
        opened.page(garden.home + "shed/tools.html")


# -- the file --------------------------------------------------------------------------------


def test_stats_counts_what_is_in_the_file(opened, garden):
    numbers = opened.stats()
    assert numbers["sizes"]["file"] > numbers["sizes"]["html"] > 0
    assert numbers["sizes"]["postings"] > 0
    assert numbers["languages"] == {"en": 23, "sr-cyrl": 1, "sr-latn": 1}
    assert sum(numbers["depths"].values()) == numbers["degrees"]["of"] == 26
    assert numbers["depths"]["0"] == 1


def test_every_link_goes_out_and_comes_in(opened):
    degrees = opened.stats()["degrees"]
    assert degrees["counted"] == degrees["of"]
    assert degrees["in"]["mean"] == pytest.approx(degrees["out"]["mean"])
    assert sum(degrees["in"]["bins"].values()) == degrees["counted"]


def test_words_follow_the_laws_of_zipf_and_heaps(opened):
    words = opened.stats()["words"]
    assert (words["read_pages"], words["of"]) == (25, 25)
    assert -1.5 < words["zipf_slope"] < -0.5
    assert 0.4 < words["heaps_beta"] < 1
    assert words["different"] <= words["read"]


def test_many_links_are_counted_on_some_pages_only(opened, monkeypatch):
    monkeypatch.setattr("minisearch.search.inspect.MOST_LINKS", 10)
    monkeypatch.setattr("minisearch.search.inspect.LEAST_PAGES", 5)
    degrees = opened.stats()["degrees"]
    assert (degrees["counted"], degrees["of"]) == (5, 26)


def test_an_empty_file_has_numbers_too(engine):
    numbers = engine.stats()
    assert numbers["words"]["zipf_slope"] is None
    assert numbers["degrees"]["in"]["max"] == 0
    assert engine.term("anything").df == 0


# -- sql -------------------------------------------------------------------------------------


def test_sql_gives_columns_and_rows(opened):
    columns, rows = opened.sql("select url, score from top_pages limit 2")
    assert columns == ["url", "score"]
    assert len(rows) == 2


WRITES = ["delete from pages", "create table x (a)", "create temp table x (a)", "pragma user_version = 9"]
ELSEWHERE = ["attach 'FILE' as other", "vacuum into 'FILE'"]
WRONG = [
    ("select", "incomplete"),
    ("select * from nope", "there are in_links"),
    ("select 1; select 2", "one statement"),
]


@pytest.mark.parametrize("statement", WRITES)
def test_sql_cannot_write(opened, engine, statement):
    for each in (opened, engine):
        before = each.stats()["pages"]
        with pytest.raises(BadInput, match="only reading this file is allowed"):
            each.sql(statement)
        assert each.stats()["pages"] == before


@pytest.mark.parametrize("statement", ELSEWHERE)
def test_sql_can_make_no_other_file(opened, engine, tmp_path, statement):
    for each in (opened, engine):
        with pytest.raises(BadInput):
            each.sql(statement.replace("FILE", str(tmp_path / "other.db")))
    assert not list(tmp_path.iterdir())


def test_a_statement_without_end_can_be_interrupted(opened, engine):
    for each in (opened, engine):
        threading.Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            each.sql("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n")
        assert each.sql("select 1") == (["1"], [(1,)])


@pytest.mark.parametrize(("statement", "message"), [*WRONG, ("", "no result"), ("select '\0'", "SQL: ")])
def test_an_sql_error_is_a_clear_message(opened, statement, message):
    with pytest.raises(BadInput, match=message):
        opened.sql(statement)


def test_an_engine_in_memory_can_write_again_after_a_question(engine):
    engine.sql("select 1")
    engine.rank()
    with pytest.raises(sqlite3.OperationalError):
        engine.store.db.conn.execute("select * from nope")
    assert engine.sql("select count(*) from rankings") == (["count(*)"], [(1,)])
