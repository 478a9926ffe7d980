"""A file is split and merged completely or not at all, from one state of it."""

import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main
from minisearch.errors import BadInput, MiniSearchError, StoreBusy, StoreError
from minisearch.shards.split import merge, split
from minisearch.store.rankings import RankingStore
from minisearch.testing.server import SiteServer
from tests.shards.collection import queries


@pytest.fixture
def parts(files):
    return sorted(Path(files[1]).parent.glob("*.db"))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_hosts_are_spread_evenly_and_no_other_files_are_left(files, parts):
    counts = []
    for path in parts:
        with Engine(path, read_only=True) as engine:
            urls = engine.sql("SELECT url FROM urls WHERE state = 'fetched'")[1]
            counts.append(len({url.split("/")[2] for (url,) in urls}))
    assert sorted(counts) == [2, 2, 2, 3]  # nine hosts for four
    assert names(parts[0].parent) == [path.name for path in parts]


def test_there_are_no_more_shards_than_hosts(files, tmp_path):
    made = split(files[0], tmp_path / "parts", 20)
    assert len(made) == 9
    assert all(pages for _, pages in made)
    done = CliRunner().invoke(main, ["shard", str(files[0]), "--n", "12", "--out", str(tmp_path / "cli")])
    assert "9 files instead of 12: there are no more hosts" in done.stderr
    with Engine(tmp_path / "empty.db"), pytest.raises(BadInput, match="has no pages to split"):
        split(tmp_path / "empty.db", tmp_path / "none", 2)


def test_merged_shards_are_the_one_file_again(files, parts, tmp_path):
    big, _ = files
    assert merge(parts, tmp_path / "again.db") == 150
    assert names(tmp_path) == ["again.db"]
    with Engine(big) as one, Engine(tmp_path / "again.db") as again:
        assert again.stats()["links"] == one.stats()["links"]
        for query in itertools.islice(queries(), 30):
            expected, answer = (engine.search(query, limit=15) for engine in (one, again))
            assert [hit.url for hit in answer.hits] == [hit.url for hit in expected.hits]
            for here, there in zip(answer.hits, expected.hits, strict=True):
                assert here.score == pytest.approx(there.score, abs=1e-9)


def test_a_merged_file_is_ranked_as_its_parts_were(files, tmp_path):
    parameters = "SELECT parameters FROM rankings WHERE name = 'pagerank'"
    copy, again = tmp_path / "leaking.db", tmp_path / "again.db"
    shutil.copy(files[0], copy)
    with Engine(copy) as engine:
        engine.rank(dangling="leak", tolerance=1e-6)
        expected = engine.sql(parameters)
    merge([path for path, _ in split(copy, tmp_path / "leaking", 2)], again)
    with Engine(again) as engine:
        assert engine.sql(parameters) == expected


def test_what_was_learned_of_traps_is_merged(parts, tmp_path):
    copies = [Path(shutil.copy(path, tmp_path)) for path in parts[:2]]
    for path, pattern in zip(copies, ("/a/N", "/b/N"), strict=True):
        with sqlite3.connect(path) as conn:
            conn.execute("INSERT INTO traps SELECT id, ?, 1, '[]', '[]' FROM crawls", (pattern,))
    merge(copies, tmp_path / "new.db")
    with Engine(tmp_path / "new.db") as engine:
        assert engine.sql("SELECT pattern FROM traps ORDER BY pattern")[1] == [("/a/N",), ("/b/N",)]


def test_the_options_of_a_crawl_survive_split_and_merge(tmp_path):
    agents = []

    def page(request):
        agents.append(request.headers["User-Agent"])
        return 200, {"Content-Type": "text/html"}, b"<p>roses"

    with SiteServer(routes={"/": page}) as url:
        with Engine(tmp_path / "one.db") as engine:
            engine.crawl(url, delay=0.01, workers=0, keep_html=False, user_agent="own-bot/1")
        made = split(tmp_path / "one.db", tmp_path / "parts", 1)
        merge([path for path, _ in made], tmp_path / "again.db")
        for path in (made[0][0], tmp_path / "again.db"):
            with Engine(path) as engine:
                engine.recrawl(workers=0)
                assert engine.sql("SELECT count(*) FROM contents WHERE html IS NOT NULL")[1] == [(0,)]
                assert len(engine.sql("SELECT id FROM runs WHERE stage = 'crawl'")[1]) == 1
    assert agents == ["own-bot/1"] * 3


def test_a_file_with_a_malformed_link_can_be_split(tmp_path):
    routes = {"/": (200, {"Content-Type": "text/html"}, b"<a href='http://[bad/x'>see</a>")}
    with SiteServer(routes=routes) as url, Engine(tmp_path / "one.db") as engine:
        engine.crawl(url, delay=0, workers=0)
        assert engine.sql("SELECT count(*) FROM urls WHERE rule = 'malformed'")[1] == [(1,)]
    assert [pages for _, pages in split(tmp_path / "one.db", tmp_path / "parts", 2)] == [1]


def test_the_journal_of_a_file_that_is_gone_does_not_get_into_a_merged_one(files, parts, tmp_path):
    script = """if True:
        import os, sys
        from minisearch import Engine, Page
        engine = Engine(sys.argv[1])
        engine.add_pages([Page(f"http://z.com/{number}", text="wolves") for number in range(200)])
        engine.index()
        os.kill(os.getpid(), 9)
    """
    subprocess.run([sys.executable, "-c", script, tmp_path / "site.db"], check=False)
    (tmp_path / "site.db").unlink()
    assert (tmp_path / "site.db-wal").exists()
    merge(parts, tmp_path / "site.db")
    with Engine(tmp_path / "site.db") as engine:
        assert engine.search("wolves").total == 0
    assert sqlite3.connect(tmp_path / "site.db").execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_file_that_somebody_writes_to_is_refused(files, tmp_path):
    path = Path(shutil.copy(files[0], tmp_path))
    with Engine(path) as writer:
        writer.store.lock()
        with pytest.raises(StoreBusy):
            split(path, tmp_path / "parts", 2)
        with pytest.raises(StoreBusy):
            merge([path], tmp_path / "new.db")
    assert not [name for name in names(tmp_path) if name.startswith(("parts", "new"))]
    assert split(path, tmp_path / "parts", 2)


def test_nobody_writes_to_a_file_while_it_is_split(files, tmp_path, monkeypatch):
    path = Path(shutil.copy(files[0], tmp_path))
    save, refused = RankingStore.save, []

    def save_while_others_try(self, ranking):
        with Engine(path) as other, pytest.raises(StoreBusy):
            other.index(rebuild=True)
        refused.append(ranking.name)
        save(self, ranking)

    monkeypatch.setattr(RankingStore, "save", save_while_others_try)
    split(path, tmp_path / "parts", 2)
    assert refused == ["pagerank", "pagerank"]


def test_what_exists_or_overlaps_is_refused(files, parts, tmp_path):
    big, _ = files
    with pytest.raises(MiniSearchError, match="exists already: move it away first"):
        split(big, parts[0].parent, 4)
    with pytest.raises(MiniSearchError, match="exists already"):
        merge([big], big)
    for name in ("a.db", "b.db"):
        shutil.copy(big, tmp_path / name)
    with pytest.raises(BadInput, match=r'b\.db" overlaps with a file before it: both hold http://host'):
        merge([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "new.db")
    with pytest.raises(BadInput, match="is given twice"):
        merge([tmp_path / "a.db", tmp_path / "a.db"], tmp_path / "new.db")
    assert names(tmp_path) == ["a.db", "b.db"]


def test_what_cannot_be_completed_leaves_nothing_behind(files, tmp_path, monkeypatch):
    big, _ = files

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("minisearch.store.database.Store._create", full)
    with pytest.raises((StoreError, sqlite3.OperationalError)):
        merge([big], tmp_path / "new.db")
    with pytest.raises((StoreError, sqlite3.OperationalError)):
        split(big, tmp_path / "parts", 2)
    assert not names(tmp_path)


def test_a_shard_that_fails_takes_those_before_it_along(files, tmp_path, monkeypatch):
    save = RankingStore.save

    def full(self, ranking):
        if "big-2.db" in str(self._conn.execute("PRAGMA database_list").fetchone()[2]):
            raise sqlite3.OperationalError("database or disk is full")
        save(self, ranking)

    monkeypatch.setattr(RankingStore, "save", full)
    with pytest.raises(StoreError, match="disk is full"):
        split(files[0], tmp_path / "parts", 3)
    assert not names(tmp_path)


def test_the_commands_do_it(files, tmp_path):
    big, _ = files

    def run(*arguments):
        return CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False).stdout

    made = run("shard", big, "--by", "host", "--n", 2, "--out", tmp_path / "two")
    assert [line.rpartition(" ")[2] for line in made.splitlines()] == ["pages", "pages"]
    pattern = tmp_path / "two" / "*.db"
    one, many = (run("search", "pruning roses", "--db", db, "--table") for db in (big, pattern))
    assert one == many
    assert run("search", "pruning roses", "--db", pattern, "--table", "--processes", 2) == one
    assert run("shards", "merge", pattern, "--out", tmp_path / "new.db").startswith("150 pages from 2 files")


# -- kill -9 -------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from minisearch.shards import split as shards

work, name, times, source, target = sys.argv[1:]
function, left = getattr(shards, name) if hasattr(shards, name) else getattr(Path, name), int(times)

def killed(*given, **options):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*given, **options)

setattr(shards if hasattr(shards, name) else Path, name, killed)
if work == "split":
    shards.split(Path(source), Path(target), 3)
else:
    shards.merge(sorted(Path(source).glob("*.db")), Path(target))
"""


def run_killed(work, name, times, source, target):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    arguments = [sys.executable, "-c", KILLED, work, name, str(times), str(source), str(target)]
    return subprocess.run(arguments, env=environment, check=False).returncode


@pytest.mark.parametrize(
    ("name", "times"),
    [("_copy_rows", 1), ("index_pages", 2), ("index_anchors", 2), ("_ranking_of", 3), ("replace", 1)],
)
def test_a_split_that_is_killed_leaves_the_old_file_and_can_be_repeated(files, tmp_path, name, times):
    path, folder = Path(shutil.copy(files[0], tmp_path)), tmp_path / "parts"
    assert run_killed("split", name, times, path, folder) == -signal.SIGKILL
    assert not folder.exists()
    with Engine(path) as whole:
        assert whole.search("roses").total > 0
        assert whole.size() == 150
    assert sum(pages for _, pages in split(path, folder, 3)) == 150
    assert len(names(folder)) == 3
    with Engine(folder / "*.db") as many, Engine(path) as whole:
        assert many.search("roses").total == whole.search("roses").total
    assert [name for name in names(tmp_path) if "unfinished" in name] == []


@pytest.mark.parametrize(
    ("name", "times"),
    [("_add_rows", 2), ("merge_pages", 1), ("index_anchors", 1), ("rank", 1), ("replace", 1)],
)
def test_a_merge_that_is_killed_leaves_the_old_files_and_can_be_repeated(files, parts, tmp_path, name, times):
    source, target = tmp_path / "parts", tmp_path / "new.db"
    source.mkdir()
    copies = [Path(shutil.copy(path, source)) for path in parts]
    assert run_killed("merge", name, times, source, target) == -signal.SIGKILL
    assert not target.exists()
    with Engine(source / "*.db") as many:
        assert many.size() == 150
    assert merge(copies, target) == 150
    assert [name for name in names(tmp_path) if name.startswith("new")] == ["new.db"]
