"""One file cut into shards, searched as one, and put together again: the same answers, the same scores."""

import itertools
import multiprocessing
import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from minisearch import Engine, Link, Page
from minisearch.analysis.simhash import simhash
from minisearch.cli.main import main
from minisearch.cli.scaling import readers as readers_of
from minisearch.crawl.duplicates import merge_pages
from minisearch.errors import BadInput, MiniSearchError, NewerSchema, NotFound, OlderSchema, StoreError
from minisearch.models import Found, Heading
from minisearch.store.rankings import RankingStore
from minisearch.store.readers import Reader
from minisearch.wiring.sharding import join, shard

HOSTS = [f"host{number}.example" for number in range(9)]
WORDS = ["rose", "roses", "pruning", "prune", "winter", "soil", "garden", "wall", "hedge", "maze", "os.path", "ружа"]
WORDS += [f"word{number}" for number in range(60)]
SHARDS = 4
KINDS = [
    "{} {}",
    "{}",
    "{} {} {}",
    '"{} {}"',
    "+{} -{}",
    "{} OR {}",
    "title:{} {}",
    "anchor:{}",
    "lang:sr {}",
    "wor* {}",
]
KINDS += [
    "pru*",
    "({} OR {}) {}",
    "body:{} headings:{}",
    "{} nowhere",
    "-{}",
    "site:host1.example",
    "{} site:host3.example",
    "docs p17",  # the way to a page
]


def address(number):
    return f"http://{HOSTS[number % len(HOSTS)]}/docs/p{number}"


def pages():
    """Pages of several hosts with links, titles, headings, languages, and near copies on other hosts."""
    dice = np.random.default_rng(8)
    urls = [address(number) for number in range(150)]
    for number, url in enumerate(urls):
        words = [WORDS[place] for place in np.minimum(dice.zipf(1.4, 80), len(WORDS)) - 1]
        text = " ".join(words) if number % 10 else "the same long page about roses on every host " * 6 + f"{number % 3}"
        links = [Link(urls[target], " ".join(dice.choice(WORDS, 2))) for target in dice.integers(0, len(urls), 4)]
        yield Page(
            url,
            title=" ".join(words[:2]) if number % 10 else "Roses everywhere",
            headings=(Heading(1, " ".join(words[2:4]), 0, "top"),),
            text=text,
            links=tuple(links),
            language=("en", "sr", "de", "")[number % 4],
            simhash=simhash(text),
            words=len(text.split()),
            subject=number % 10 and number,
            content_hash=str(number),
        )


def fill(engine, made):
    store = engine.store
    with store.transaction():
        crawl, _ = store.urls.begin_crawl([address(0)], {})
        for page in made:
            met = [page.url, *(link.url for link in page.links)]
            store.urls.discover(crawl, None, [Found(url, url.split("/")[2], 1) for url in met], max_depth=9)
            ids = store.urls.ids(met)
            store.pages.save(ids[page.url], page, ids)
            store.urls.set_status(ids[page.url], "fetched")
    merge_pages(store)
    engine.index()
    engine.rank()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """(one big file, the pattern of its shards)"""
    folder = tmp_path_factory.mktemp("shards")
    with Engine(folder / "big.db") as engine:
        fill(engine, pages())
    found = shard(folder / "big.db", folder / "parts", SHARDS)
    assert sum(count for _, count in found) == 150
    assert sum(count > 0 for _, count in found) > 1
    return folder / "big.db", str(folder / "parts" / "*.db")


def test_hosts_are_dealt_out_so_that_no_shard_is_left_empty(files):
    counts = []
    for path in sorted(Path(files[1]).parent.glob("*.db")):
        with Engine(path) as engine:
            counts.append(
                len({url.split("/")[2] for (url,) in engine.sql("SELECT url FROM urls WHERE state = 'fetched'")[1]})
            )
    assert sorted(counts) == [2, 2, 2, 3]  # nine hosts for four


def queries():
    """200 queries of all kinds."""
    dice = np.random.default_rng(9)
    kinds = itertools.cycle(KINDS)
    for kind in itertools.islice(kinds, 200):
        yield kind.format(*dice.choice(WORDS[:30], kind.count("{}")))


def told(hit):
    return (hit.url, hit.title, hit.snippet, hit.all_words, hit.link, sorted(hit.similar))


@pytest.fixture(params=["threads", "processes"])
def readers(request):
    """Who reads the files of a pattern."""
    return None if request.param == "threads" else 2


def test_shards_answer_200_queries_exactly_as_the_one_file(files, readers):
    big, pattern = files
    found = 0
    with Engine(big) as one, Engine(pattern, readers=readers) as many:
        for query in queries():
            expected, answer = (engine.search(query, limit=15) for engine in (one, many))
            assert [told(hit) for hit in answer.hits] == [told(hit) for hit in expected.hits], query
            for here, there in zip(answer.hits, expected.hits, strict=True):
                assert here.score == pytest.approx(there.score, abs=1e-9)
                assert here.text_score == pytest.approx(there.text_score, abs=1e-9)
                assert here.link_factor == pytest.approx(there.link_factor, abs=1e-9)
            assert (answer.total, answer.folded, answer.missing) == (expected.total, expected.folded, expected.missing)
            found += len(expected.hits)
    assert found > 1000


def test_threads_that_share_an_engine_of_shards_get_the_answers_to_their_own_questions(files, readers):
    _, pattern = files
    asked = [query for query in queries() if " " in query][:60]
    with Engine(pattern, readers=readers) as many, ThreadPoolExecutor(4) as threads:
        expected = [[hit.url for hit in many.search(query).hits] for query in asked]
        found = threads.map(lambda query: [hit.url for hit in many.search(query).hits], asked)
        assert list(found) == expected


@pytest.mark.parametrize("sort", ["text", "rank"])
def test_other_orders_and_further_pages_are_the_same(files, sort):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, answer = (engine.search("rose garden", limit=7, page=3, sort=sort) for engine in (one, many))
    assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]


def test_a_score_is_explained_by_the_numbers_of_all_files(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        best = one.lucky("pruning roses").url
        expected, account = (engine.explain("pruning roses", best) for engine in (one, many))
    assert account.score == pytest.approx(expected.score, abs=1e-9)
    assert [(part.word, part.df) for part in account.parts] == [(part.word, part.df) for part in expected.parts]


def test_the_file_whose_business_a_url_was_says_what_became_of_it(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        for number in range(0, 150, 10):
            url = address(number)
            assert many.why(url).reason == one.why(url).reason


@pytest.mark.parametrize("number", [0, 3, 10, 77])
def test_a_page_is_told_as_the_one_file_tells_it(files, number):
    big, pattern = files
    url = address(number)
    with Engine(big) as one, Engine(pattern) as many:
        expected, account = (engine.page(url, limit=1000) for engine in (one, many))
    assert account.in_count > 0
    assert replace(account, terms=()) == replace(expected, terms=())
    assert [weight.term for weight in account.terms] == [weight.term for weight in expected.terms]
    assert [weight.score for weight in account.terms] == pytest.approx([weight.score for weight in expected.terms])


def test_numbers_that_can_be_added_up_are_those_of_the_one_file(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, numbers = one.stats(), many.stats()
    assert numbers["files"] == SHARDS
    for name in ("pages", "indexed", "merged", "links", "urls", "languages", "depths"):
        assert numbers[name] == expected[name], name
    assert numbers["sizes"]["postings"] > 0
    said = CliRunner().invoke(main, ["stats", "--db", pattern]).stdout
    assert "\npages     150\n" in said


def test_a_word_is_told_as_the_one_file_tells_it(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        expected, account = (engine.term("roses", limit=1000) for engine in (one, many))
    assert account == expected


@pytest.mark.parametrize("number", [-1, 0, 10**6])
def test_a_page_that_is_nowhere_is_not_found(files, readers, number):
    with Engine(files[1], readers=readers) as many, pytest.raises(NotFound, match="there is no page number"):
        many.address(number)


def test_suggestions_come_from_all_files(files):
    big, pattern = files
    with Engine(big) as one, Engine(pattern) as many:
        assert many.suggest("prun") == one.suggest("prun")


def test_shards_put_together_are_the_one_file_again(files, tmp_path):
    big, _ = files
    assert join(sorted((big.parent / "parts").glob("*.db")), tmp_path / "again.db") == 150
    with Engine(big) as one, Engine(tmp_path / "again.db") as again:
        assert again.stats()["links"] == one.stats()["links"]
        for query in itertools.islice(queries(), 30):
            expected, answer = (engine.search(query, limit=15) for engine in (one, again))
            assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]
            for here, there in zip(answer.hits, expected.hits, strict=True):
                assert here.score == pytest.approx(there.score, abs=1e-9)


def test_a_file_that_failed_once_keeps_no_other_at_what_it_was(files, tmp_path, monkeypatch):
    paths = [Path(shutil.copy(path, tmp_path)) for path in sorted(Path(files[1]).parent.glob("*.db"))]
    with Engine(tmp_path / "*.db") as many:
        before = many.search("roses").total
        monkeypatch.setattr(Reader, "_last", failing_once(Reader._last))
        with pytest.raises(sqlite3.OperationalError):
            many.search("roses")
        with Engine(paths[0]) as one, one.store.transaction():
            one.store.db.conn.execute("UPDATE pages SET segment_id = NULL")
        assert many.search("roses").total < before


def test_the_last_page_of_a_file_may_go_before_the_ranking_knows(files, tmp_path):
    paths = [Path(shutil.copy(path, tmp_path)) for path in sorted(Path(files[1]).parent.glob("*.db"))]
    with Engine(paths[-1]) as one:
        (last,) = one.sql("SELECT url_id FROM pages ORDER BY id DESC LIMIT 1")[1]
        with one.store.transaction():
            one.store.revisits.remove(*last)
    with Engine(tmp_path / "*.db") as many:
        assert many.search("roses").total == 149


def failing_once(question):
    """The same as `question`, but for the first time it is asked."""
    times = itertools.count()

    def ask(*given):
        if not next(times):
            raise sqlite3.OperationalError("disk I/O error")
        return question(*given)

    return ask


def readers_at_work():
    """The processes that read files; the workers of a cluster that other tests share are none of them."""
    return [child for child in multiprocessing.active_children() if not child.name.startswith("Dask")]


def test_a_process_that_is_killed_is_told_and_the_others_end(files):
    _, pattern = files
    with Engine(pattern, readers=2) as many:
        one, other = readers_at_work()
        one.kill()
        one.join()
        with pytest.raises(MiniSearchError, match="a process that read some of the files is gone: ask again"):
            many.search("roses")
        other.join(60)
        assert many.search("roses").hits  # by new ones
    assert not readers_at_work()


def test_several_readers_are_for_several_files(files):
    big, _ = files
    with pytest.raises(BadInput, match="several readers are for a pattern"):
        Engine(big, readers=2)
    with pytest.raises(BadInput, match="two ways to read the files: choose one"), readers_of(2, "local:2"):
        pass


def test_a_page_in_two_files_is_refused(files, tmp_path, readers):
    big, _ = files
    for name in ("a.db", "b.db"):
        with sqlite3.connect(big) as conn:
            conn.execute("VACUUM INTO ?", (str(tmp_path / name),))
    with pytest.raises(BadInput, match=r'"\S+a\.db" and "\S+b\.db" overlap: both hold http://host'):
        Engine(str(tmp_path / "*.db"), readers=readers)
    with pytest.raises(BadInput, match=r'b\.db" overlaps with a file before it: both hold http://host'):
        join([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "new.db")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("new")) == []


@pytest.mark.parametrize(("version", "error", "age"), [(999, NewerSchema, "a newer"), (9, OlderSchema, "an older")])
def test_a_shard_of_another_schema_is_refused(files, tmp_path, readers, version, error, age):
    big, _ = files
    for name in ("a.db", "b.db"):
        with sqlite3.connect(big) as conn:
            conn.execute("VACUUM INTO ?", (str(tmp_path / name),))
    with sqlite3.connect(tmp_path / "b.db") as conn:
        conn.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(error, match=rf'b\.db" was written by {age} minisearch \(schema {version}'):
        Engine(str(tmp_path / "*.db"), readers=readers)
    assert not readers_at_work()


def test_what_is_not_there_or_there_already_is_said(files, tmp_path):
    big, pattern = files
    with pytest.raises(BadInput, match="no file matches"):
        Engine(str(tmp_path / "*.db"))
    with pytest.raises(MiniSearchError, match="exists already: move it away first"):
        shard(big, big.parent / "parts", SHARDS)
    with pytest.raises(MiniSearchError, match="exists already"):
        join([big], big)
    with Engine(pattern) as many:
        with pytest.raises(MiniSearchError, match="cannot be asked of several files at a time"):
            many.sql("select 1")
        for stage in (many.index, many.rank):
            with pytest.raises(MiniSearchError, match="nothing is written to several files at a time"):
                stage()


def test_what_cannot_be_made_whole_leaves_nothing_behind(files, tmp_path, monkeypatch):
    big, _ = files

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("minisearch.store.database.Store._create", full)
    with pytest.raises((StoreError, sqlite3.OperationalError)):
        join([big], tmp_path / "new.db")
    with pytest.raises((StoreError, sqlite3.OperationalError)):
        shard(big, tmp_path / "parts", 2)
    assert not list(tmp_path.iterdir())


def test_a_shard_that_fails_takes_those_before_it_along(files, tmp_path, monkeypatch):
    big, _ = files
    save = RankingStore.save

    def full(self, ranking):
        if "parts/big-2.db" in str(self._conn.execute("PRAGMA database_list").fetchone()[2]):
            raise sqlite3.OperationalError("database or disk is full")
        save(self, ranking)

    monkeypatch.setattr(RankingStore, "save", full)
    with pytest.raises(StoreError, match="disk is full"):
        shard(big, tmp_path / "parts", 3)
    assert not list(tmp_path.iterdir())


def test_the_commands_do_it(files, tmp_path):
    big, _ = files

    def run(*arguments):
        result = CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)
        return result.stdout, result.stderr

    said, _ = run("shard", big, "--by", "host", "--n", 2, "--out", tmp_path / "two")
    assert [line.rpartition(" ")[2] for line in said.splitlines()] == ["pages", "pages"]
    one, many = (run("search", "pruning roses", "--db", db, "--table")[0] for db in (big, tmp_path / "two" / "*.db"))
    assert one == many
    beside, _ = run("search", "pruning roses", "--db", tmp_path / "two" / "*.db", "--table", "--processes", 2)
    assert beside == one
    assert run("merge", tmp_path / "two" / "*.db", "--out", tmp_path / "new.db")[0].startswith("150 pages of 2 files")


@pytest.mark.parametrize("processes", [0, 2])
def test_the_search_page_serves_shards(files, processes):
    from minisearch.web.app import create_app
    from minisearch.web.library import KEY

    big, pattern = files
    apps = [create_app(str(big)), create_app(pattern, readers=processes or None)]
    one, many = (app.test_client() for app in apps)
    for path in ("/", "/search?q=pruning+roses", "/search?q=wor*&page=2", "/suggest?q=prun"):
        expected, answer = (client.get(path) for client in (one, many))
        assert answer.status_code == expected.status_code == 200, path
        links = [
            re.findall(r'href="(http://host[^"#]*)', client.get_data(as_text=True)) for client in (answer, expected)
        ]
        assert links[0] == links[1]
    assert many.get("/stats").status_code == 200
    refused = many.get("/graph")
    assert refused.status_code == 503
    assert "cannot be asked of several files at a time" in refused.get_data(as_text=True)
    assert len(readers_at_work()) == processes
    for app in apps:
        app.extensions[KEY].close()
