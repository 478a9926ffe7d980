import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.models import Hit
from minisearch.parse.html import extract
from minisearch.search.params import DEFAULT
from minisearch.search.searcher import nearly_tied
from minisearch.store.pages import PageStore


def paths_of(hits):
    return [hit.url.removeprefix("http://site/") for hit in hits]


def paths(results):
    return paths_of(results.hits)


@pytest.fixture(scope="module")
def pets(webs):
    """Four pages about pets; everybody links to "cats"."""
    pages = [
        webs.page("cats", "cat " * 3, title="Cats", links=["dogs"]),
        webs.page("dogs", "dog " * 9 + "cat", links=["cats"]),
        webs.page("both", "a cat and a dog", links=["cats"]),
        webs.page("cars", "a car", links=["cats"]),
    ]
    with webs.build(pages) as engine:
        yield engine


@pytest.fixture(scope="module")
def twins(webs):
    """Thirty pages that say the same, written down in no order, and one that says more."""
    names = [f"{(7 * number) % 30:02}" for number in range(30)]
    with webs.build([webs.page(f"x{name}", "cat") for name in names], [webs.page("y", "cat dog")]) as engine:
        yield engine


# -- which pages, in which order --


def test_pages_with_all_words_come_first_and_then_the_score_decides(webs):
    pages = [
        webs.page("all", "cat dog " + "and much else " * 99),
        webs.page("most", "cat " * 9, title="Cats", headings=["cats"]),
        *(webs.page(f"dog{number}", "dog") for number in range(5)),
        *(webs.page(f"other{number}", "other") for number in range(5)),
    ]
    with webs.build(pages) as engine:
        first, second, third, *_ = engine.search("cat dog").hits
        long = engine.search("cat dog cow hen pig").hits
    assert [hit.url.rsplit("/")[-1] for hit in (first, second, third)] == ["all", "most", "dog0"]
    assert (first.all_words, second.all_words, third.all_words) == (True, False, False)
    assert second.score > max(first.score, third.score)
    assert (paths_of(long)[0], long[0].all_words) == ("most", True)  # a long query is read for what it has


@pytest.mark.parametrize("query", ["queue", "Queue", "queues", "(queue)", '"queue"'])
def test_the_page_whose_title_is_the_query_to_the_letter_comes_first(webs, query):
    pages = [
        webs.page("queue", "a queue " * 3, title="queue — A synchronized class"),
        webs.page("queues", "queue " * 30, title="Queues — The library", headings=["Queues"], links=["queue"]),
        webs.page("index", "all", links=[("queues", "Queues"), ("queues", "queue")]),
        *(webs.page(f"other{number}", "other", links=["queues"]) for number in range(5)),
    ]
    with webs.build(pages) as engine:
        assert paths(engine.search(query))[0] == query.strip('()"').lower()


def test_a_title_with_brackets_is_still_the_title(webs):
    pages = [
        webs.page("20.1", "the news", title="News of 20.1 (May 5, 2017)"),
        webs.page("20.3", "news of may 2017 " * 9, title="News of 20.3 (May 7, 2017)", headings=["News of May 2017"]),
    ]
    with webs.build(pages) as engine:
        assert paths(engine.search("News of 20.1 (May 5, 2017)"))[0] == "20.1"


def test_languages_that_are_analysed_alike_are_told_apart_by_what_pages_declare(webs):
    pages = [
        webs.page("hr", "ruža", language="hr-hr"),
        webs.page("sr", "ruža", language="sr-latn"),
        webs.page("cyrl", "ружа", language="sr"),
        webs.page("sh", "ruža", language="sh"),
        webs.page("en", "ruža rose", language="en"),
    ]
    with webs.build(pages) as engine:
        asked = {tag: set(paths(engine.search(f"ruža lang:{tag}"))) for tag in ("hr", "sr", "croatian", "sh", "en")}
        assert set(paths(engine.search("ruža -lang:hr"))) == {"sr", "cyrl", "sh", "en"}
    alike = {"hr", "sr", "cyrl", "sh"}
    assert asked == {"hr": {"hr"}, "croatian": {"hr"}, "sr": {"sr", "cyrl"}, "sh": alike, "en": {"en"}}


def test_a_word_that_no_page_has_is_not_asked_for(pets):
    results = pets.search("cat unheard-of")
    assert paths(results) == paths(pets.search("cat"))
    assert all(hit.all_words for hit in results.hits)
    assert pets.search("unheard-of").total == 0


@pytest.mark.parametrize("query", ["", "   ", "(((", "?!", "\x00", "\ud800", '"', "NEAR/3", "*", "title:"])
def test_a_query_without_known_words_finds_nothing(pets, query):
    assert (pets.search(query).total, pets.search(query).hits) == (0, ())


@settings(deadline=None)
@given(st.data(), st.sampled_from(["blend", "text", "rank"]))
def test_a_person_may_type_anything(webs, pets, data, sort):
    query = data.draw(st.text() | webs.typed)
    results = pets.search(query, sort=sort)
    assert results.query == query
    assert len(results.hits) == results.total <= 4
    assert all(hit.score >= 0 for hit in results.hits)


@pytest.mark.parametrize("query", ['"a cat"', "title:cat", "ca*", "-cat", "site:site", "lang:en", "(cat OR dog)"])
def test_an_index_whose_pages_are_all_gone_answers_everything_with_nothing(webs, query):
    with webs.build([webs.page("a", "a cat", links=[("b", "a cat")]), webs.page("b", "a cat")]) as engine:
        webs.put(engine, [webs.page("a", "a cat"), webs.page("b", "a cat")])  # fetched again, not yet indexed
        assert engine.search(query).total == 0


def test_the_whole_of_an_identifier_is_a_bonus_and_not_needed(webs):
    pages = [webs.page("whole", "import os.path"), webs.page("parts", "the path of os"), webs.page("path", "a path")]
    with webs.build(pages) as engine:
        results = engine.search("os.path")
        assert paths(results) == ["whole", "parts", "path"]
        assert [hit.all_words for hit in results.hits] == [True, True, False]


def test_an_identifier_that_is_all_one_asks_for_is_a_word_of_its_own(webs):
    parts = webs.page("parts", "tree by tree, copy by copy " * 5, title="Copies of trees")
    whole = webs.page("whole", "call copy_tree for it" + " and so on" * 50)
    others = [webs.page(f"other{number}", "copy some paper, plant a tree" + " or not" * 20) for number in range(5)]
    with webs.build([parts, whole, *others]) as engine:
        assert paths(engine.search("copy_tree"))[:2] == ["whole", "parts"]
        assert paths(engine.search("copy_tree -fish"))[:2] == ["whole", "parts"]
        assert paths(engine.search("copy_tree", settings={"alone": DEFAULT.whole}))[:2] == ["parts", "whole"]
        account = engine.explain("copy_tree", "http://site/whole")
        assert sum(part.score for part in account.parts) == pytest.approx(account.text_score, rel=1e-9)


def test_a_compound_is_found_by_any_spelling(webs):
    with webs.build([webs.page("a", "a DataFrame"), webs.page("b", "a dataframe"), webs.page("c", "data")]) as engine:
        assert set(paths(engine.search("dataframes"))) == {"a", "b"}
        assert set(paths(engine.search("DataFrame"))) == {"a", "b", "c"}


def test_serbian_pages_are_found_in_both_alphabets(webs):
    pages = [webs.page("c", "црна мачка", language="sr"), webs.page("l", "crna mačka", language="sr-Latn")]
    with webs.build([*pages, webs.page("en", "a black cat", language="en")]) as engine:
        assert paths(engine.search("mačke")) == paths(engine.search("МАЧКА")) == ["c", "l"]
        for hit in engine.search("mačka").hits:
            assert [hit.snippet[start:end] for start, end in hit.marks] in (["мачка"], ["mačka"])


def test_what_is_marked_is_what_the_index_matched(webs):
    pages = [webs.page("en", "stranica stranice", language="en"), webs.page("sr", "stranica", language="sr")]
    with webs.build(pages) as engine:
        (hit,) = (hit for hit in engine.search("stranice").hits if hit.url.endswith("/en"))
        assert [hit.snippet[start:end] for start, end in hit.marks] == ["stranice"]  # by English rules


def test_equal_pages_are_ordered_by_url(twins):
    assert paths(twins.search("cat dog", limit=31)) == ["y", *(f"x{number:02}" for number in range(30))]


def test_no_more_hits_are_given_than_asked_for(twins):
    assert len(twins.search("cat", limit=7).hits) == 7
    assert twins.search("cat", limit=7).total == 31


@pytest.mark.parametrize("limit", [1, 4, 7, 31, 100])
def test_paging_through_ties_shows_every_page_once(twins, limit):
    shown = [path for page in range(1, 33) for path in paths(twins.search("cat", limit=limit, page=page))]
    assert shown == paths(twins.search("cat", limit=31))
    assert len(set(shown)) == 31


def test_past_the_last_hit_there_are_none_but_the_total_stays(twins):
    results = twins.search("cat", limit=10, page=9)
    assert (results.hits, results.total, results.offset) == ((), 31, 80)


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(["blend", "text", "rank"]))
def test_a_shorter_list_is_a_prefix_of_a_longer_one_and_pages_cover_all_hits_once(webs, data, sort):
    query = data.draw(webs.queries)
    with webs.build(*data.draw(webs.collections)) as engine:
        everything = engine.search(query, limit=99, sort=sort)
        assert len(everything.hits) == everything.total
        for limit in range(1, everything.total + 1):
            assert engine.search(query, limit=limit, sort=sort).hits == everything.hits[:limit]
        by_three = [engine.search(query, limit=3, page=page, sort=sort).hits for page in range(1, 6)]
        assert sum(by_three, ()) == everything.hits


# -- words and links --


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_each_sort_orders_by_what_it_says(webs, data):
    query = data.draw(webs.queries)
    with webs.build(*data.draw(webs.collections)) as engine:
        ranks = {url: rank for url, _, rank in engine.top(99)}
        by_rank, by_text, by_nothing = (
            engine.search(query, limit=99, **how).hits for how in ({"sort": "rank"}, {"sort": "text"}, {"blend": 0})
        )
    assert [hit.score for hit in by_rank] == [ranks[hit.url] for hit in by_rank]
    assert list(by_rank) == sorted(by_rank, key=lambda hit: (not hit.all_words, -ranks[hit.url], hit.url))
    assert list(by_text) == sorted(by_text, key=lambda hit: (not hit.all_words, -hit.text_score, hit.url))
    assert all(hit.score == hit.text_score and hit.link_factor == 1 for hit in by_text)
    assert by_nothing == by_text


def test_links_decide_between_equal_texts(webs):
    pages = [webs.page("a", "cat"), webs.page("z", "cat"), webs.page("fan", "dog", links=["z"])]
    with webs.build(pages) as engine:
        assert paths(engine.search("cat")) == ["z", "a"]
        assert paths(engine.search("cat", blend=0)) == ["a", "z"]
        assert engine.search("cat", blend=1).hits[0].link_factor == 2


def test_before_ranking_words_alone_decide(webs):
    with Engine() as engine:
        webs.put(engine, [webs.page("b", "cat", links=["a"]), webs.page("a", "cat")])
        engine.index()
        assert [(hit.link_factor, hit.score == hit.text_score) for hit in engine.search("cat").hits] == [(1, True)] * 2
        assert paths(engine.search("cat", sort="rank")) == ["a", "b"]


# -- hits --


def test_a_hit_has_a_title_a_snippet_and_the_numbers_of_its_score(pets):
    hit = pets.search("cat").hits[0]
    assert (hit.url, hit.title, hit.snippet) == ("http://site/cats", "Cats", "cat cat cat ")
    assert hit.marks == ((0, 3), (4, 7), (8, 11))
    assert hit.score == pytest.approx(hit.text_score * hit.link_factor)


def test_a_page_without_a_title_is_called_by_its_url(pets):
    assert pets.search("car").hits[0].title == "http://site/cars"


def test_a_query_with_too_many_words_has_a_note(pets):
    results = pets.search("cat " + " ".join(f"w{number}" for number in range(99)))
    assert results.total == 3
    assert "first 64 words" in results.note


def test_what_was_indexed_a_moment_ago_is_found(webs):
    with webs.build([webs.page("a", "cat")]) as engine:
        assert paths(engine.search("cat")) == ["a"]
        webs.put(engine, [webs.page("b", "cat"), webs.page("a", "dog")])
        engine.index()
        assert paths(engine.search("cat")) == ["b"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"sort": "alphabet"}, "sort must be one of blend, text, rank, tfidf, boolean, not 'alphabet'"),
        ({"blend": -0.1}, "blend must be a number from 0 to 1, not -0.1"),
        ({"blend": 1.5}, "not 1.5"),
        ({"blend": float("nan")}, "not nan"),
        ({"limit": 0}, "the limit must be between 1"),
        ({"limit": 1.5}, "the limit must be an integer"),
        ({"page": float("inf")}, "the page must be between 1"),
        ({"page": 0}, "the page must be between 1"),
    ],
)
def test_invalid_options_are_refused(pets, options, complaint):
    with pytest.raises(BadInput, match=complaint):
        pets.search("cat", **options)


def test_of_a_long_phrase_every_word_has_to_follow(webs):
    lines = {
        "whole": "one two three four five six seven",
        "parted": "one two three four, then five six seven",
        "turned": "four five six seven one two three",
        "again": "one two three one two three four five six seven",
    }
    engine = webs.build([webs.page(path, line) for path, line in lines.items()])
    results = engine.search('"one two three four five six seven"')
    assert set(paths(results)) == {"whole", "again"}


@pytest.mark.parametrize(
    ("query", "having"),
    [
        ('"dog and dogs"', {"both"}),
        ('"dogs and dog"', {"turned"}),
        ('+dogs +"dog house"', {"house"}),
        ('(dogs OR cat) AND "dog house"', {"house"}),
        ('"dog house" OR "dogs house"', {"house", "houses"}),
        ('"dog house" OR "dogs and dog"', {"house", "turned"}),
    ],
)
def test_a_word_in_two_forms_is_in_each_phrase_as_it_is_written_there(webs, query, having):
    lines = {"both": "dog and dogs", "turned": "dogs and dog", "house": "dog house", "houses": "dogs house"}
    with webs.build([webs.page(path, line) for path, line in lines.items()]) as engine:
        assert set(paths(engine.search(query))) == having


@pytest.mark.parametrize("query", ["Box open", "open", "m.Box.open", "box open", "m.Box"])
def test_the_page_that_defines_a_name_comes_before_those_that_use_it(webs, query):
    terms = "<dt id=m.Box>class m.Box<dd>What holds.<dt id=m.Box.open>open(key)<dd>See inside."
    page = extract(f"<dl>{terms}</dl>", webs.url("reference"))
    use = "First get the key. Then call open of m.Box, that is, m.Box.open: it is a Box."
    users = [webs.page(f"use/{number}", use, headings=["How to use it"]) for number in range(3)]
    with webs.build([page, *users, *(webs.page(f"other/{number}", "Nothing.") for number in range(9))]) as engine:
        assert engine.lucky(query).url == webs.url("reference")


def test_in_quotes_it_is_the_words_and_not_an_identifier_made_of_them(webs):
    text = "A context manager does it. To be one is simple, and every context manager is one. " * 3
    pages = [
        webs.page("types", "ContextManager and so on, and so forth.", headings=["typing.ContextManager"]),
        webs.page("managers", text, headings=["All about context managers"]),
        webs.page("exactly", "What is it?", title="Context Manager"),
    ]
    with webs.build([*pages, *(webs.page(f"other/{number}", "Nothing.") for number in range(9))]) as engine:
        assert paths(engine.search("context manager"))[:2] == ["exactly", "types"]
        assert paths(engine.search('"context manager"'))[:2] == ["exactly", "managers"]


# -- facets --


def test_every_match_is_counted_once_by_site_and_once_by_language(garden):
    found = garden.engine.search("garden", facets=True)
    assert sum(count for _, count in found.sites) == found.total
    assert sum(count for _, count in found.languages) == found.total
    assert [site for site, _ in found.sites] == [garden.home.split("/")[2]]
    counts = [count for _, count in found.languages]
    assert counts == sorted(counts, reverse=True)


def test_the_hosts_are_read_once(garden, monkeypatch):
    read, calls = PageStore.all_urls, []
    monkeypatch.setattr(PageStore, "all_urls", lambda pages: calls.append(1) or read(pages))
    for query in ("garden", "roses", "soil"):
        assert garden.engine.search(query, facets=True).sites
    assert len(calls) <= 1


def test_a_facet_counts_what_its_filter_finds(garden):
    found = garden.engine.search("garden OR башта OR vrt", facets=True)
    assert len(found.languages) > 1
    for language, count in found.languages:
        assert garden.engine.search(f"(garden OR башта OR vrt) lang:{language}").total == count


def test_facets_are_counted_on_demand_only(garden, engine):
    assert garden.engine.search("garden").sites == ()
    assert engine.search("garden", facets=True).languages == ()


def hit(score, all_words=True):
    return Hit("http://a/", "", score, score, 1.0, "", all_words=all_words)


@pytest.mark.parametrize(
    ("hits", "tied"),
    [
        ([], False),
        ([hit(5)], False),
        ([hit(5), hit(5)], True),
        ([hit(5), hit(4.9)], True),
        ([hit(5), hit(4)], False),
        ([hit(5), hit(4.9, all_words=False)], False),
    ],
)
def test_two_are_nearly_tied_if_little_lies_between_them(hits, tied):
    assert nearly_tied(hits) is tied


# -- notes --


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "the query has no words"),
        ("((", "the query has no words"),
        ("lang:klingon roses", "no page is in the language klingon"),
        ("-lang:en -lang:sr roses", "every page is in the language en or sr"),
        ("-site:127.0.0.1 roses", "every page is on the site 127.0.0.1"),
        ("site:nowhere.org roses", "no page is on the site nowhere.org"),
        (
            "site:nowhere.org lang:klingon roses",
            "no page is on the site nowhere.org; no page is in the language klingon",
        ),
        ('"hedge banana"', 'no page has the phrase "hedge banana"'),
        ('"maze hedge"', 'no page has the phrase "maze hedge"'),
        ('title:"hedge banana"', 'no page has the phrase "hedge banana" in the title'),
        ("title:banana", 'no page has "banana" in the title'),
        ("bananar*", 'no page has a word that begins with "bananar"'),
        ("+hedge +compost +paprika", "no page has all that the query asks for"),
        ("+(roses paprika)", "no page has all that the query asks for"),
        ("roses -roses", "no page has all that the query asks for"),
        ("banana +hedge +compost +paprika", "no page has all that the query asks for"),
        ('-hedge "hedge maze"', 'no page has the phrase "hedge maze" and matches the rest of the query'),
        ('lang:klingon "hedge maze"', "no page is in the language klingon"),  # which is on some page
    ],
)
def test_the_reason_for_finding_nothing_is_given(garden, query, reason):
    results = garden.engine.search(query)
    assert (results.total, results.note) == (0, reason)


@pytest.mark.parametrize("query", ["banana", "+roses +banana", "roses AND banana", "(banana OR banana)"])
def test_a_word_that_no_page_has_is_named_and_is_reason_enough(garden, query):
    results = garden.engine.search(query)
    assert (results.total, results.note, results.missing) == (0, "", ("banana",))


@pytest.mark.parametrize("query", ["bananar*", "+bananar*", "(bananar* OR banana)", "title:bananar*"])
def test_a_prefix_that_no_page_has_is_named_once(garden, query):
    results = garden.engine.search(query)
    assert results.note.count("bananar") == 1
    assert "bananar*" not in results.missing


def test_a_word_that_other_fields_have_is_not_missing(garden):
    results = garden.engine.search("title:paths roses")
    assert garden.engine.search("paths").total
    assert results.missing == ()
    assert results.note == 'no page has "paths" in the title'


def test_excluding_what_no_page_has_needs_no_note(garden):
    results = garden.engine.search('roses -banana -"hedge banana" -title:banana -bananar*')
    assert results.total == garden.engine.search("roses").total
    assert results.note == ""


def test_one_very_long_word_is_cut_with_a_true_note(garden):
    results = garden.engine.search("x" * 100_000)
    assert (results.total, results.note) == (0, "only the first 4,000 characters of the query were used")


# -- Results --


def test_results_can_be_iterated_and_have_a_length(garden):
    results = garden.engine.search("roses", limit=3)
    assert [hit.url for hit in results] == [hit.url for hit in results.hits]
    assert len(results) == 3 < results.total
    assert not garden.engine.search("zeppelin")
