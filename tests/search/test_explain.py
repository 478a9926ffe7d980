import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput, NotFound
from minisearch.search.params import DEFAULT
from minisearch.textbook import bm25
from tests.search import accounts


@pytest.fixture(scope="module")
def engine(webs):
    pages = [
        webs.page("a", "os.path and a cat", title="Cats", links=[("b", "dog")]),
        webs.page("b", "a cat, a dog and nothing else"),
        webs.page("c", "a cow", links=["b"]),
        webs.page("hidden", "a cat", noindex="a rule"),
    ]
    with webs.build(pages) as engine:
        yield engine


def nearly(number):
    return pytest.approx(number, rel=0, abs=1e-9)


def adds_up(account):
    assert sum(part.score for part in account.parts) == nearly(account.text_score)
    assert account.text_score * account.link_factor == nearly(account.score)
    assert account.link_factor == nearly(1 + account.blend * account.prior)
    for part in account.parts:
        if part.kind != "neighbours":  # which have the smaller idf of the two words
            assert part.idf == nearly(bm25.idf(part.df, account.pages))
        assert sum(field.score for field in part.fields) == nearly(part.score)
        assert all(field.weight * part.idf * field.saturation == nearly(field.score) for field in part.fields)
        assert all(0 < field.saturation < DEFAULT.k1 + 1 for field in part.fields)


@settings(max_examples=50, deadline=None)
@given(st.data(), st.floats(0, 1))
def test_the_parts_add_up_to_the_score_that_search_prints(webs, data, blend):
    query = data.draw(webs.typed)
    with webs.build(*data.draw(webs.collections)) as engine:
        for hit in engine.search(query, limit=99, blend=blend).hits:
            account = engine.explain(query, hit.url, blend=blend)
            adds_up(account)
            assert (account.text_score, account.link_factor, account.score) == (
                nearly(hit.text_score),
                nearly(hit.link_factor),
                nearly(hit.score),
            )
            assert {part.kind for part in account.parts} <= {"word", "identifier", "neighbours", "name"}


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_every_word_of_a_plain_query_is_accounted_for_or_missing(webs, data):
    query = data.draw(webs.queries)
    with webs.build(*data.draw(webs.collections)) as engine:
        for hit in engine.search(query, limit=99).hits:
            account = engine.explain(query, hit.url)
            words = [part.word for part in account.parts if part.kind == "word"]
            assert sorted([*words, *account.missing]) == sorted({*query.split()})
            assert words


def test_the_account_names_every_field_that_has_the_word(engine):
    account = engine.explain("Cat dog absent", "http://site/a")
    (cat,) = account.parts
    assert (account.url, account.title, account.pages, account.missing) == (
        "http://site/a",
        "Cats",
        3,
        ("dog", "absent"),
    )
    assert (cat.kind, cat.word, cat.terms, cat.df) == ("word", "Cat", ("cat",), 2)
    assert [(f.field, f.count, f.length, f.average, f.weight) for f in cat.fields] == [
        ("title", 1, 1, pytest.approx(1 / 3), DEFAULT.weight["title"]),
        ("body", 1, 5, pytest.approx(14 / 3), DEFAULT.weight["body"]),
    ]


def kinds(account):
    return [(part.kind, part.word, [field.field for field in part.fields]) for part in account.parts]


def test_anchor_texts_count_too_and_may_be_the_whole_query(engine):
    account = engine.explain("dog", "http://site/b")
    assert kinds(account) == [("word", "dog", ["body", "anchor"]), ("name", "dog", ["anchor"])]


def test_adjacent_words_have_a_part_of_their_own(engine):
    account = engine.explain("nothing else", "http://site/b")
    assert kinds(account) == [
        ("word", "nothing", ["body"]),
        ("word", "else", ["body"]),
        ("neighbours", "nothing else", ["body"]),
    ]
    assert account.parts[2].fields[0].weight == DEFAULT.neighbours["body"]


def test_the_whole_of_an_identifier_has_its_own_part_and_is_never_missing(engine):
    account = engine.explain("os.path", "http://site/a")
    assert [(part.kind, part.word) for part in account.parts] == [
        ("word", "os"),
        ("word", "path"),
        ("identifier", "os.path"),
        ("neighbours", "os path"),
    ]
    assert account.parts[2].fields[0].weight == DEFAULT.alone * DEFAULT.weight["body"]
    among_others = engine.explain("nothing os.path", "http://site/a")
    assert DEFAULT.whole * DEFAULT.weight["body"] in [
        part.fields[0].weight for part in among_others.parts if part.kind == "identifier"
    ]
    assert engine.explain("os.path", "http://site/b").missing == ("os", "path")


def test_a_word_typed_in_two_ways_is_accounted_for_once(engine):
    assert kinds(engine.explain("cat Cats", "http://site/b")) == [("word", "cat", ["body"])]


def test_what_must_not_be_there_adds_nothing_and_is_not_missed(engine):
    account = engine.explain("cat -cow -(dog mouse)", "http://site/b")
    assert kinds(account) == [("word", "cat", ["body"])]
    assert account.missing == ()


def test_the_link_factor_is_given_even_if_no_word_matches(engine):
    account = engine.explain("cow", "http://site/b", blend=0.5)
    ranks = {url: rank for url, _, rank in engine.top(9)}
    assert (account.parts, account.text_score, account.score) == ((), 0, 0)
    assert (account.ranking, account.prior, account.link_factor) == ("pagerank", 1, 1.5)
    assert account.rank == nearly(ranks["http://site/b"])


def test_the_url_is_normalised(engine):
    assert engine.explain("cat", "HTTP://SITE:80/x/../a#top").url == "http://site/a"


@pytest.mark.parametrize("path", ["hidden", "never-met"])
def test_a_page_that_is_not_in_the_index_has_no_score(engine, path):
    with pytest.raises(NotFound, match="is not in the index: see minisearch why"):
        engine.explain("cat", f"http://site/{path}")


def test_an_invalid_blend_is_refused(engine):
    with pytest.raises(BadInput, match="blend must be a number from 0 to 1"):
        engine.explain("cat", "http://site/a", blend=2)


def test_the_largest_link_contributions_are_listed_and_add_up(webs):
    links = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}
    pages = [webs.page(path, "cat", links=targets) for path, targets in links.items()]
    with webs.build(pages) as engine:
        account = engine.explain("cat", "http://site/c")
        ranks = {url: rank for url, _, rank in engine.top(9)}
    paid = {payment.url[-1]: payment for payment in account.paid_by}
    assert list(paid) == ["b", "a"]
    assert [paid[name].links for name in "ab"] == [2, 1]
    for payment in account.paid_by:
        assert payment.paid == pytest.approx(0.85 * ranks[payment.url] / payment.links)
    jumped = 0.15 / 3
    assert sum(payment.paid for payment in account.paid_by) + jumped == pytest.approx(account.rank, abs=1e-9)


def test_a_page_that_came_after_the_last_ranking_contributes_nothing_yet(webs):
    with webs.build([webs.page("a", "cat", links=["b"]), webs.page("b", "cat")]) as engine:
        webs.put(engine, [webs.page("late", "cat", links=["b"])])
        engine.index()
        assert [payment.url for payment in engine.explain("cat", "http://site/b").paid_by] == ["http://site/a"]
        assert engine.explain("cat", "http://site/late").paid_by == ()


def test_a_page_without_in_links_has_no_link_contributions(webs):
    with webs.build([webs.page("a", "cat")]) as engine:
        assert engine.explain("cat", "http://site/a").paid_by == ()


def test_accounts_add_up_on_identifiers_titles_and_anchor_texts(webs):
    text = "Use os.path.join for the paths of a garden; the gardens of ThreadPool and C++ have red roses."
    pages = [webs.page(f"p{number}", text * (1 + number % 3), title=f"Garden {number} paths") for number in range(9)]
    with webs.build(pages, [webs.page("q", text, links=[("p3", "red roses")])]) as engine:
        assert accounts.worst(engine, 60)[0] < 1e-12


def test_accounts_add_up_on_a_crawled_site(garden):
    assert accounts.worst(garden.engine, 100)[0] < 1e-12


# -- counts --


def test_the_df_of_adjacent_words_counts_the_pages_on_which_they_are_adjacent(garden):
    account = garden.engine.explain("pruning roses", garden.home + "roses.html")
    (pair,) = [part for part in account.parts if part.kind == "neighbours"]
    adjacent = [
        hit.url
        for hit in garden.engine.search("roses", limit=99, fold=False)
        if "neighbours" in {part.kind for part in garden.engine.explain("pruning roses", hit.url).parts}
    ]
    assert pair.df == len(adjacent) == 2
    assert {"prune", "rose"} < {*pair.terms}


@settings(max_examples=30)
@given(st.data())
def test_every_df_counts_pages(webs, data):
    query = " ".join(data.draw(st.lists(webs.words, min_size=2, max_size=3)))
    with webs.build(*data.draw(webs.collections)) as engine:
        hits = engine.search(query, limit=99).hits
        accounts_of = [engine.explain(query, hit.url, settings={"closely": 1000}) for hit in hits]
    having = {}
    for account in accounts_of:
        for part in account.parts:
            having.setdefault((part.kind, part.word), set()).add(account.url)
    for account in accounts_of:
        for part in account.parts:
            assert part.df == len(having[part.kind, part.word])
