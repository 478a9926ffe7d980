"""Shards give the answers of the one file: the same hits, scores and accounts, wherever they run."""

import itertools
import multiprocessing
import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main
from minisearch.cli.options import readers as chosen_readers
from minisearch.errors import BadInput, MiniSearchError, NewerSchema, NotFound, OlderSchema
from minisearch.shards import search
from minisearch.shards.executors import on_cluster
from minisearch.shards.split import split
from minisearch.store.postings import PostingStore
from tests.shards.collection import address, fill, pages, queries, shown
from tests.shards.conftest import SHARDS


@pytest.fixture(params=["threads", "processes"])
def readers(request):
    """Who reads the files of a pattern."""
    return None if request.param == "threads" else 2


@pytest.fixture(params=["threads", "processes", "cluster"])
def all_readers(request):
    """The same, and the workers of a Dask cluster."""
    if request.param == "cluster":
        return on_cluster(request.getfixturevalue("client"))
    return None if request.param == "threads" else 2


def flat(account):
    """The numbers of an account, and all else that it says."""
    numbers, rest = [], []

    def collect(value):
        if isinstance(value, dict):
            for each in value.values():
                collect(each)
        elif isinstance(value, list | tuple):
            rest.append(len(value))
            for each in value:
                collect(each)
        elif isinstance(value, float):
            numbers.append(value)
        else:
            rest.append(value)

    collect(asdict(account))
    return numbers, rest


def test_shards_answer_200_queries_exactly_as_the_one_file(files, all_readers):
    big, pattern = files
    found = 0
    with Engine(big) as one, Engine(pattern, readers=all_readers) as many:
        for query in queries():
            expected, answer = (engine.search(query, limit=15, facets=True) for engine in (one, many))
            assert [shown(hit) for hit in answer.hits] == [shown(hit) for hit in expected.hits], query
            for here, there in zip(answer.hits, expected.hits, strict=True):
                assert here.score == pytest.approx(there.score, abs=1e-9)
                assert here.text_score == pytest.approx(there.text_score, abs=1e-9)
                assert here.link_factor == pytest.approx(there.link_factor, abs=1e-9)
            assert replace(answer, hits=(), took_ms=0) == replace(expected, hits=(), took_ms=0)
            found += len(expected.hits)
    assert found > 1000


def test_accounts_of_scores_are_those_of_the_one_file_and_so_are_the_links(files, all_readers):
    big, pattern = files
    links = 0
    with Engine(big) as one, Engine(pattern, readers=all_readers) as many:
        for query in itertools.islice(queries(), 0, 200, 7):
            for hit in one.search(query, limit=3).hits:
                expected, account = (engine.explain(query, hit.url) for engine in (one, many))
                (numbers, rest), (expected_numbers, expected_rest) = flat(account), flat(expected)
                assert rest == expected_rest, (query, hit.url)
                assert numbers == pytest.approx(expected_numbers, abs=1e-9)
                assert all(payment.share <= 1 for payment in account.paid_by)
                links += len(account.paid_by)
    assert links > 100


@pytest.mark.parametrize(
    "query",
    [
        '"rose garden"',
        '"rose garden" "wall soil"',
        '+"rose garden" -"wall soil" winter',
        '("rose garden" OR hedge) wall',
        "+os.path -maze",
        "rose garden wall soil",
        "prunning rosse",
        '"nowhere at all"',
        "site:nowhere.example rose",
        "lang:fr rose",
        "xyz*",
        "",
    ],
)
def test_notes_and_corrections_are_those_of_the_one_file(files, readers, monkeypatch, query):
    monkeypatch.setattr("minisearch.search.matching.MOST_READ", 25)
    monkeypatch.setattr("minisearch.search.matching.MOST_PHRASE_COST", 1500)
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, answer = (engine.search(query) for engine in (one, many))
    assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]
    assert replace(answer, hits=(), took_ms=0) == replace(expected, hits=(), took_ms=0)


@pytest.mark.parametrize("ranker", ["boolean", "tfidf", "bm25", "fields", "links", "blend"])
def test_other_orders_and_further_pages_are_the_same(files, ranker):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        for query in ("rose garden", "-rose", "prun* wall"):
            expected, answer = (engine.search(query, limit=7, page=3, ranker=ranker) for engine in (one, many))
            assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]
            assert [hit.score for hit in answer.hits] == pytest.approx([hit.score for hit in expected.hits], abs=1e-9)


def test_another_link_prior_is_scaled_over_all_shards(tmp_path):
    settings = {"prior": "trustrank"}
    with Engine(tmp_path / "big.db") as one:
        fill(one, pages())
        trusted = [hit.url for hit in one.search("rose", limit=3).hits]
        one.rank(method="trustrank", trust=trusted)
        split(tmp_path / "big.db", tmp_path / "parts", SHARDS)
        with Engine(str(tmp_path / "parts" / "*.db")) as many:
            assert_same_scores(one, many, settings=settings)
            assert_same_scores(one, many, settings=settings, sort="rank")
            explained = [flat(engine.explain("rose", trusted[0], settings=settings)) for engine in (one, many)]
            assert explained[0][1] == explained[1][1]
            assert explained[0][0] == pytest.approx(explained[1][0], abs=1e-9)
            with pytest.raises(BadInput, match='no ranking "hubs": run "minisearch rank --method hits"'):
                many.search("rose", settings={"prior": "hubs"})
        by_trust = one.search("rose", sort="rank", settings=settings, limit=50).hits
        trust = {url: score for url, _, score in one.top(150, "trustrank")}
        assert [hit.score for hit in by_trust] == pytest.approx([trust[hit.url] for hit in by_trust])


def assert_same_scores(one, many, **options):
    expected, found = ([(hit.url, hit.score) for hit in each.search("rose", **options).hits] for each in (one, many))
    assert [url for url, _ in found] == [url for url, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-9)


def test_more_pages_than_can_be_read_share_the_last_place(files, monkeypatch):
    monkeypatch.setattr("minisearch.search.searcher.MANY_TIES", 5)
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, answer = (engine.search("-nowhere", limit=9, ranker="boolean") for engine in (one, many))
    assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]


def test_two_pages_are_compared_as_in_the_one_file(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        first, *_, last = one.search("pruning roses").hits
        expected, found = (engine.against("pruning roses", first.url, last.url) for engine in (one, many))
    assert flat(found)[1] == flat(expected)[1]
    assert flat(found)[0] == pytest.approx(flat(expected)[0], abs=1e-9)


def test_threads_that_share_an_engine_get_the_answers_to_their_own_queries(files, readers):
    _, pattern = files
    asked = [query for query in queries() if " " in query][:60]
    with Engine(pattern, readers=readers) as many, ThreadPoolExecutor(4) as threads:
        expected = [[hit.url for hit in many.search(query).hits] for query in asked]
        found = threads.map(lambda query: [hit.url for hit in many.search(query).hits], asked)
        assert list(found) == expected


def test_the_shard_that_had_to_decide_says_what_became_of_a_url(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        for number in range(0, 150, 10):
            assert many.why(address(number)) == one.why(address(number))


@pytest.mark.parametrize("number", [0, 3, 10, 77])
def test_a_page_is_described_as_in_the_one_file(files, number):
    big, pattern = files
    url = address(number)
    with Engine(big) as one, Engine(pattern) as many:
        expected, account = (engine.page(url, limit=1000) for engine in (one, many))
    assert account.in_count > 0
    assert replace(account, terms=()) == replace(expected, terms=())
    assert [weight.term for weight in account.terms] == [weight.term for weight in expected.terms]
    assert [weight.score for weight in account.terms] == pytest.approx([weight.score for weight in expected.terms])


def test_a_page_is_found_by_its_url_and_by_its_number(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        for number in range(0, 150, 13):
            url = address(number)
            found, expected = many.number(url), one.number(url)
            assert many.address(found) == one.address(expected)
            assert many.text(found) == one.text(expected)
        urls = [address(number) for number in range(0, 150, 9)]
        assert many.titles(urls) == one.titles(urls)
        assert many.size() == one.size()
        assert many.top(20) == one.top(20)
        wanted = [address(3), "docs/p17", "http://nowhere.example/"]
        assert many.standing(wanted) == one.standing(wanted)
        assert many.number("http://nowhere.example/") is None


def test_numbers_that_can_be_added_up_are_those_of_the_one_file(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, numbers = one.stats(), many.stats()
    assert numbers["files"] == SHARDS
    for name in ("pages", "indexed", "merged", "links", "urls", "languages", "depths"):
        assert numbers[name] == expected[name], name
    assert numbers["sizes"]["postings"] > 0
    printed = CliRunner().invoke(main, ["stats", "--db", pattern]).stdout
    assert "\npages     150, indexed 150, duplicates 0\n" in printed


@pytest.mark.parametrize("word", ["roses", "pru*", "title:rose", "nowhere"])
def test_a_word_is_described_as_in_the_one_file(files, word):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        for limit in (5, 1000):
            expected, account = (engine.term(word, limit=limit) for engine in (one, many))
            assert account == expected


@pytest.mark.parametrize("number", [-1, 0, 10**6])
def test_a_page_that_does_not_exist_is_not_found(files, readers, number):
    with Engine(files[1], readers=readers) as many, pytest.raises(NotFound, match="there is no page number"):
        many.address(number)


@pytest.mark.parametrize("typed", ["prun", "r", "rose w", "Roses ev", "garden wall ro", "nowhe"])
def test_suggestions_come_from_all_shards(files, typed):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        assert many.suggest(typed) == one.suggest(typed)


def copies(files, folder):
    return [Path(shutil.copy(path, folder)) for path in sorted(Path(files[1]).parent.glob("*.db"))]


def test_a_shard_that_changes_is_searched_as_it_is_now(files, tmp_path, monkeypatch):
    paths = copies(files, tmp_path)
    with Engine(tmp_path / "*.db") as many:
        before = many.search("roses").total
        with Engine(paths[0]) as one, one.store.transaction():
            one.store.db.conn.execute("UPDATE pages SET segment_id = NULL")
        after = many.search("roses").total
        assert after < before
        monkeypatch.setattr(PostingStore, "generation", failing_once(PostingStore.generation))
        with pytest.raises(sqlite3.OperationalError):
            many.search("roses")
        with Engine(paths[1]) as one, one.store.transaction():
            one.store.db.conn.execute("UPDATE pages SET segment_id = NULL")
        assert many.search("roses").total < after


def test_shards_that_never_stop_changing_are_reported(files, monkeypatch):
    with Engine(files[1]) as many:
        count = itertools.count()
        monkeypatch.setattr(PostingStore, "generation", lambda _: (next(count),))
        with pytest.raises(MiniSearchError, match="the files change too often"):
            many.search("roses")


def test_the_last_page_of_a_shard_may_be_deleted_after_it_was_ranked(files, tmp_path):
    paths = copies(files, tmp_path)
    with Engine(paths[-1]) as one:
        (last,) = one.sql("SELECT url_id FROM pages ORDER BY id DESC LIMIT 1")[1]
        with one.store.transaction():
            one.store.recrawls.remove(*last)
    with Engine(tmp_path / "*.db") as many:
        assert many.search("roses").total == 149


def failing_once(function):
    """The same function, which fails when it is called first."""
    times = itertools.count()

    def call(*arguments):
        if not next(times):
            raise sqlite3.OperationalError("disk I/O error")
        return function(*arguments)

    return call


def reading_processes():
    """The processes that read shards; the workers of a cluster that other tests share are none of them."""
    return [child for child in multiprocessing.active_children() if not child.name.startswith("Dask")]


def test_a_process_that_is_killed_is_reported_and_replaced(files):
    _, pattern = files
    with Engine(pattern, readers=2) as many:
        one, other = reading_processes()
        one.kill()
        one.join()
        with pytest.raises(MiniSearchError, match="a process that read some of the files is gone: ask again"):
            many.search("roses")
        other.join(60)
        assert many.search("roses").hits
    assert not reading_processes()


def test_several_readers_are_for_several_files(files):
    big, _ = files
    with pytest.raises(BadInput, match="several readers are for a pattern"):
        Engine(big, readers=2)
    with pytest.raises(BadInput, match="cannot be combined"), chosen_readers(2, "local:2"):
        pass


def test_a_page_in_two_files_is_refused(files, tmp_path, readers):
    big, _ = files
    for name in ("a.db", "b.db"):
        shutil.copy(big, tmp_path / name)
    with pytest.raises(BadInput, match=r'"\S+a\.db" and "\S+b\.db" overlap: both hold http://host'):
        Engine(str(tmp_path / "*.db"), readers=readers)
    assert not reading_processes()


def test_two_files_may_share_a_host_if_their_pages_differ(files, tmp_path):
    paths = copies(files, tmp_path)
    shutil.copy(paths[0], tmp_path / "again.db")
    for path, parity in ((paths[0], 0), (tmp_path / "again.db", 1)):
        with Engine(path) as one, one.store.transaction():
            for page, url in one.sql("SELECT id, url_id FROM pages")[1]:
                if page % 2 == parity:
                    one.store.recrawls.remove(url)
    with Engine(tmp_path / "*.db") as many:
        assert many.size() == 150


@pytest.mark.parametrize(("version", "error", "age"), [(999, NewerSchema, "a newer"), (9, OlderSchema, "an older")])
def test_a_shard_of_another_schema_is_refused(files, tmp_path, readers, version, error, age):
    for name in ("a.db", "b.db"):
        shutil.copy(files[0], tmp_path / name)
    with sqlite3.connect(tmp_path / "b.db") as conn:
        conn.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(error, match=rf'b\.db" was written by {age} minisearch \(schema {version}'):
        Engine(str(tmp_path / "*.db"), readers=readers)
    assert not reading_processes()


def test_what_needs_one_file_says_so(files, tmp_path):
    with pytest.raises(BadInput, match="no file matches"):
        Engine(str(tmp_path / "*.db"))
    with Engine(files[1]) as many:
        for work in (many.index, many.rank, many.shape, lambda: many.sql("select 1")):
            with pytest.raises(MiniSearchError, match="cannot be done with several files at a time"):
                work()


def test_functions_that_ask_for_different_totals_are_refused(files):
    with Engine(files[1]) as many, pytest.raises(AssertionError, match="different totals"):
        many._shards.run(only_the_first_asks)


def only_the_first_asks(file):
    if file.reader().shard == 0:
        file.reader().total(1)


def test_files_are_opened_without_reading_their_urls(files, monkeypatch):
    read = []
    monkeypatch.setattr(search, "_urls_on", lambda *given: read.append(given))
    with Engine(files[1]) as many:
        assert many.search("roses").hits
    assert read == []


@pytest.mark.parametrize("processes", [0, 2])
def test_the_search_page_serves_shards(files, processes):
    from minisearch.web.app import create_app
    from minisearch.web.engines import KEY

    big, pattern = files
    apps = [create_app(str(big)), create_app(pattern, readers=processes or None)]
    one, many = (app.test_client() for app in apps)
    for path in ("/", "/search?q=pruning+roses", "/search?q=wor*&page=2", "/suggest?q=prun"):
        expected, answer = (client.get(path) for client in (one, many))
        assert answer.status_code == expected.status_code == 200, path
        links = [re.findall(r'href="(http://host[^"#]*)', each.get_data(as_text=True)) for each in (answer, expected)]
        assert links[0] == links[1]
    assert many.get("/stats").status_code == 200
    refused = many.get("/graph")
    assert refused.status_code == 503
    assert "cannot be done with several files at a time" in refused.get_data(as_text=True)
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: apps[1].test_client().get("/search?q=roses").status_code, range(8))
        assert set(found) == {200}
    assert len(reading_processes()) == processes
    for app in apps:
        app.extensions[KEY].close()
