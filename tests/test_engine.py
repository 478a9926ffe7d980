"""The front door: `from minisearch import Engine`, and everything that a person can ask of it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minisearch
from minisearch import Engine, Hit, Link, MiniSearchError, Page
from minisearch.errors import BadInput, BadUrl, NotFound, NotReady, StoreError

TREE = {"/": ["/a", "/b"], "/a": "<title>Apples</title><p>red apples", "/b": "<title>Pears</title><p>green pears"}


@pytest.fixture
def small(engine, site):
    """An engine that knows a page on apples and one on pears."""
    engine.crawl(site.show(TREE).base + "/", workers=0)
    return engine


def test_the_front_door_has_five_names():
    assert sorted(minisearch.__all__) == ["Engine", "Hit", "Link", "MiniSearchError", "Page"]
    assert all(hasattr(minisearch, name) for name in minisearch.__all__)
    assert not hasattr(minisearch, "Motor")


def test_the_package_and_its_metadata_have_one_version():
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    assert tomllib.loads(pyproject.read_text("utf-8"))["project"]["version"] == minisearch.__version__


def test_crawling_indexing_ranking_and_searching_take_three_lines(site):
    with minisearch.Engine() as engine:
        engine.crawl(site.show(TREE).base + "/", workers=0)
        assert engine.search("apples").hits[0].title == "Apples"


def test_an_engine_in_memory_leaves_no_file(site, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Engine() as engine:
        engine.crawl(site.show(TREE).base + "/", workers=0)
    assert os.listdir(tmp_path) == []


def test_an_engine_in_a_file_leaves_that_file_alone(site, tmp_path):
    with Engine(tmp_path / "web.db") as engine:
        engine.crawl(site.show(TREE).base + "/", workers=0)
    assert os.listdir(tmp_path) == ["web.db"]
    with Engine(str(tmp_path / "web.db"), create=False) as engine:
        assert engine.search("apples").total == 1
        assert engine.stats()["pages"] == 3


def test_the_file_is_closed_also_when_something_goes_wrong(tmp_path):
    with pytest.raises(BadInput), Engine(tmp_path / "web.db") as engine:
        engine.crawl()
    assert os.listdir(tmp_path) == ["web.db"]


def test_whatever_goes_wrong_is_a_minisearch_error(tmp_path):
    with pytest.raises(MiniSearchError):
        Engine(tmp_path / "missing.db", create=False)
    with pytest.raises(StoreError):
        Engine(tmp_path)


# -- searching -----------------------------------------------------------------------------------


def test_an_empty_engine_finds_nothing(engine):
    results = engine.search("anything")
    assert (results.total, results.hits, engine.lucky("anything")) == (0, (), None)


def test_pages_without_an_index_are_not_ready(engine, site):
    engine.crawl(site.show(TREE).base + "/", workers=0, index=False)
    with pytest.raises(NotReady, match=r"^no index yet: run \"minisearch index\" first"):
        engine.search("apples")
    engine.index()
    assert engine.search("apples").total == 1


def test_a_hit_tells_where_and_why(small, site):
    hit = small.search("green").hits[0]
    assert isinstance(hit, Hit)
    assert (hit.url, hit.title, hit.snippet) == (site.base + "/b", "Pears", "green pears")
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["green"]
    assert hit.score == pytest.approx(hit.text_score * hit.link_factor)


def test_lucky_is_the_first_hit(garden):
    for case in garden.key["queries"]:
        assert garden.engine.lucky(case["query"]) == garden.engine.search(case["query"]).hits[0]


def test_pages_of_hits_follow_one_another(garden):
    whole = garden.engine.search("garden", limit=100)
    pages = [garden.engine.search("garden", limit=3, page=page) for page in range(1, 12)]
    assert [hit.url for page in pages for hit in page.hits] == [hit.url for hit in whole.hits]
    assert {page.total for page in pages} == {whole.total}
    assert [page.offset for page in pages[:3]] == [0, 3, 6]


@pytest.mark.parametrize("page", [10, 1000, 10**18, 10**30])
def test_a_page_beyond_the_end_is_empty_but_knows_the_total(garden, page):
    results = garden.engine.search("garden", page=page)
    assert (results.hits, results.total) == ((), garden.engine.search("garden").total)


@pytest.mark.parametrize(
    "options", [{"limit": 0}, {"limit": -1}, {"page": 0}, {"page": -3}, {"sort": "age"}, {"blend": 2}, {"blend": -0.1}]
)
def test_senseless_options_of_a_search_are_refused(small, options):
    with pytest.raises(BadInput):
        small.search("apples", **options)


def test_ten_thousand_words_are_cut_and_the_reader_is_told(garden):
    results = garden.engine.search(" ".join(f"compost{n} rose" for n in range(5000)))
    assert "only the first 64 words of the query were used" in results.note
    assert results.total > 0


ODD = [
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff roses",
    "'",
    '"',
    "roses'--",
    '"roses',
    "roses AND",
    "NOT",
    "NEAR(roses)",
]
ODD += [
    "*",
    "ros*",
    "title:",
    "(((",
    ")",
    "-roses",
    "+",
    "%",
    "_",
    "\\",
    "🌹",
    "👩‍🌾 roses",
    "\u202eroses",
    "́",
    "ro\u00adses",
]
ODD += [
    "roses " * 10_000,
    "x" * 100_000,
    "a." * 5_000,
    "/" * 10_000,
    "全文検索",
    "ru\u0301ža",
    "C++ C# .net",
    "\n\r\t\v\x1f\x7f",
]


@pytest.mark.parametrize("query", ODD, ids=lambda query: ascii(query[:12]))
def test_anything_typed_is_a_query(garden, query):
    results = garden.engine.search(query)
    assert results.query == query
    assert len(results.hits) <= min(results.total, 10)
    for hit in results.hits[:2]:
        assert garden.engine.explain(query, hit.url).score == pytest.approx(hit.score, abs=1e-9)


WORDS = st.sampled_from(
    ["roses", "compost", "паприка", "the", "tomato's", "seed-saving", "AND", "OR", '"', "(", "*", ":"]
)
TYPED = st.text(st.characters() | st.characters(categories=["Cs", "Cc"]), max_size=30)


@settings(max_examples=200, deadline=None)
@given(query=st.lists(WORDS | TYPED, max_size=6).map(" ".join), sort=st.sampled_from(["blend", "text", "rank"]))
def test_no_query_whatever_raises(garden, query, sort):
    hits = garden.engine.search(query, sort=sort).hits
    order = [(not hit.all_words, -hit.score) for hit in hits]
    assert order == sorted(order)


# -- explaining ----------------------------------------------------------------------------------


def added_up(account):
    """The score, put together again from the smallest parts of its account."""
    text = sum(field.weight * part.idf * field.saturation for part in account.parts for field in part.fields)
    return text * (1 + account.blend * account.prior)


@pytest.mark.parametrize("blend", [0.0, 0.15, 1.0])
def test_the_parts_of_every_score_add_up(garden, blend):
    queries = [case["query"] for case in garden.key["queries"]]
    for query in [
        *queries,
        " ".join(queries),
        "roses roses",
        "seed-saving ThreadPool rose's",
        "the garden in the year",
    ]:
        for hit in garden.engine.search(query, limit=100, blend=blend).hits:
            account = garden.engine.explain(query, hit.url, blend=blend)
            assert added_up(account) == pytest.approx(hit.score, abs=1e-9)
            assert account.text_score == pytest.approx(hit.text_score, abs=1e-9)
            assert account.link_factor == pytest.approx(hit.link_factor, abs=1e-9)


def test_an_account_names_the_words_that_a_page_does_not_have(small, site):
    account = small.explain("red pears quince", site.base + "/a")
    assert ([part.word for part in account.parts], account.missing) == (["red"], ("pears", "quince"))


def test_an_alias_is_explained_as_its_page(garden):
    account = garden.engine.explain("pruning roses", garden.home + "old-roses.html")
    assert account.url == garden.home + "roses.html"


def test_any_spelling_of_a_url_will_do(garden):
    odd = garden.home.replace("http://", "HTTP://") + "./x/../roses.html#top"
    assert garden.engine.explain("roses", odd).url == garden.home + "roses.html"
    assert garden.engine.why(odd).url == garden.home + "roses.html"


@pytest.mark.parametrize("name", ["nowhere.html", "noticeboard.html", "elephant-garlic.html", "shed/tools.html"])
def test_what_is_not_in_the_index_cannot_be_explained(garden, name):
    with pytest.raises(NotFound, match=r"is not in the index: see minisearch why \S+$"):
        garden.engine.explain("roses", garden.home + name)


@pytest.mark.parametrize("url", ["", "roses", "mailto:me@a.example", "http://", "\ud800", "http://[::", "\0"])
def test_what_is_no_url_is_refused_in_words(garden, url):
    for ask in (garden.engine.why, lambda url: garden.engine.explain("roses", url)):
        with pytest.raises(BadUrl):
            ask(url)


# -- looking -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "state", "rule"),
    [
        ("roses.html", "fetched", "allowed"),
        ("noticeboard.html", "fetched", "noindex"),
        ("old-roses.html", "merged", "redirect"),
        ("compost-heap.html", "merged", "identical"),
        ("sowing-calendar-print.html", "merged", "canonical"),
        ("shed/tools.html", "skipped", "robots"),
        ("seed-merchant.html", "skipped", "nofollow"),
        ("elephant-garlic.html", "failed", "http-404"),
    ],
)
def test_why_tells_what_became_of_a_url(garden, name, state, rule):
    verdict = garden.engine.why(garden.home + name)
    assert (verdict.state, verdict.rule) == (state, rule)
    assert verdict.reason
    assert verdict.indexed == (rule == "allowed")
    assert verdict.path[0] == garden.home + "index.html"


def test_why_tells_what_waits_and_why(engine, site):
    engine.crawl(site.show(TREE).base + "/", workers=0, max_pages=1, index=False)
    verdict = engine.why(site.base + "/a")
    assert (verdict.state, verdict.rule, verdict.found_on) == ("queued", "budget", site.base + "/")
    assert engine.why(site.base + "/").reason.startswith("fetched, but not indexed yet")


def test_why_does_not_know_what_was_never_met(garden):
    with pytest.raises(NotFound, match=r"was never discovered: no link to it was taken from a crawled page$"):
        garden.engine.why("http://elsewhere.example/")


def test_the_file_in_numbers(garden):
    numbers, key = garden.engine.stats(), garden.key
    assert numbers["pages"] == len(key["fetched"])
    assert numbers["indexed"] == len(key["merged_graph"]) - len(key["noindex"])
    assert numbers["merged"] == len(key["merged"]) - 1  # a redirect is no page
    assert numbers["urls"] == {
        "fetched": len(key["merged_graph"]),
        "merged": len(key["merged"]),
        "skipped": len(key["skipped"]) + len(key["ignored"]),
        "failed": len(key["failed"]),
    }
    assert numbers["terms"] > 1000
    assert numbers["pagerank"]["damping"] == 0.85


def test_an_empty_file_in_numbers(engine):
    nothing = {"pages": 0, "indexed": 0, "merged": 0, "links": 0, "terms": 0, "urls": {}, "pagerank": None}
    assert engine.stats().items() >= nothing.items()


def test_the_best_linked_pages_come_first(garden):
    top = garden.engine.top(3)
    assert top[0][:2] == (garden.home + "index.html", "A garden through the year")
    assert [score for *_, score in top] == sorted((score for *_, score in top), reverse=True)


# -- while others are at work --------------------------------------------------------------------


def test_another_engine_searches_while_the_crawl_goes_on(fixtures, tmp_path, monkeypatch):
    monkeypatch.setattr("minisearch.crawl.job.INDEX_FIRST", 1000)
    path = tmp_path / "web.db"
    with Engine(path) as crawler, Engine(path) as reader:
        crawler.crawl(f"{fixtures}/four/prva.html", workers=0)
        before = [hit.url for hit in reader.search("stranica").hits]
        for _ in crawler.crawling(f"{fixtures}/garden/index.html", workers=0):
            assert [hit.url for hit in reader.search("stranica").hits] == before
            assert reader.search("compost").total == 0
        crawler.index()
        assert reader.search("compost").total > 0


def test_the_crawling_engine_itself_can_search_on_the_way(small, site):
    site.show({**TREE, "/new/": ["/new/a"], "/new/a": "<p>plums"})
    for _ in small.crawling(site.base + "/new/", workers=0):
        assert small.search("apples").total == 1
        assert small.search("plums").total == 0
    small.index()
    assert small.search("plums").total == 1


def test_what_another_engine_has_indexed_is_found_at_once(site, tmp_path):
    with Engine(tmp_path / "web.db") as writer, Engine(tmp_path / "web.db") as reader:
        assert reader.search("apples").total == 0
        writer.crawl(site.show(TREE).base + "/", workers=0)
        assert reader.search("apples").total == 1


def test_a_stage_that_fails_lets_others_write(site, tmp_path):
    with Engine(tmp_path / "web.db") as one, Engine(tmp_path / "web.db") as other:
        with pytest.raises(BadInput):
            one.rank(damping=7)
        other.crawl(site.show(TREE).base + "/", workers=0)
        assert other.stats()["pages"] == 3


def test_the_package_is_imported_in_parts_when_they_are_needed():
    script = (
        "import minisearch, sys; assert 'numpy' not in sys.modules; minisearch.Engine; assert 'numpy' in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


def test_who_searches_one_file_does_not_wait_for_what_reads_many():
    script = "import sys; from minisearch import Engine; Engine(); assert 'multiprocessing' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


def test_a_query_needs_nothing_that_was_not_imported_before(garden):
    script = (
        f"import sys; from minisearch import Engine; engine = Engine({str(garden.path)!r}); known = set(sys.modules); "
        "asked = [engine.search(query).total for query in ('pruning roses', 'rosse', 'hedge-maze')]; "
        "assert all(asked[::2]), asked; assert not set(sys.modules) - known, set(sys.modules) - known"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


@pytest.mark.parametrize("wish", [{"damping": 7}, {"method": "trustrank", "trust": ("https://*.nowhere/*",)}])
def test_a_ranking_that_is_refused_leaves_no_trace(garden, wish):
    runs = lambda: garden.engine.sql("SELECT count(*) FROM runs")[1]  # noqa: E731
    before = runs()
    with pytest.raises(BadInput):
        garden.engine.rank(**wish)
    assert runs() == before


def test_pages_with_urls_of_other_kinds_are_refused(tmp_path):
    with Engine(tmp_path / "a.db") as engine:
        with pytest.raises(BadUrl, match='not an http or https URL: "mailto:x"'):
            engine.add_pages([Page("http://a/", links=(Link("mailto:x"),))])
        with pytest.raises(BadUrl, match="not an http or https URL"):
            engine.add_pages([Page("example.com")])
        assert engine.stats()["pages"] == 0


def test_indexing_by_hand_lets_others_write_afterwards(tmp_path):
    with Engine(tmp_path / "a.db") as engine, Engine(tmp_path / "a.db") as other:
        engine.add_pages([Page("http://a/", text="roses")])
        assert list(engine.indexing()) == [1]
        other.add_pages([Page("http://b/", text="roses")])


@pytest.mark.parametrize("readers", [0, -1])
def test_at_least_one_process_reads_shards(tmp_path, readers):
    Engine(tmp_path / "a1.db").close()
    with pytest.raises(BadInput, match="at least 1 process has to read the files"):
        Engine(tmp_path / "a*.db", readers=readers)
