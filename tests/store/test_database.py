"""The file is refused in one clear line, and written by one at a time."""

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from minisearch import Engine
from minisearch.errors import NewerSchema, NotOurFile, OlderSchema, StoreBusy, StoreError
from minisearch.models import Found, Page
from minisearch.store import database
from minisearch.store.database import Store

NOBODY = 65534
RUN = {"stage": "x", "settings": "{}", "started_at": ""}
WRITER = """
import sys
from minisearch.store.database import Store
store = Store(sys.argv[1])
with store.transaction():
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "web.db"


@pytest.fixture
def old(path):
    """A file of ours, made by today's schema."""
    Store(path).close()
    return path


def run(path, script):
    """Let another program write to the file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def ask(path, question):
    """Let another program read the file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchone()[0]


def fill(store):
    """Write one page down, to be found."""
    crawl, _ = store.urls.begin_crawl(["http://a.example/"], {})
    store.urls.discover(crawl, None, [Found("http://a.example/", "a.example", 0)])
    store.pages.save(1, Page("http://a.example/", text="hedgehogs in the hedge"), {})


@contextmanager
def writer(path):
    """Another process in the middle of a transaction."""
    command = [sys.executable, "-c", WRITER, str(path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout.readline() == "writing\n"
        yield process
        process.stdin.close()


def said(error, path, **options):
    """What is said when the file is refused."""
    with pytest.raises(error) as refusal:
        Store(path, **options).close()
    return str(refusal.value)


@contextmanager
def undone(store):
    """A transaction that fails at its end."""
    with suppress(ZeroDivisionError), store.transaction():
        yield
        raise ZeroDivisionError


# -- refusing ------------------------------------------------------------------------------------


def test_a_file_that_is_not_sqlite_is_refused(path):
    path.write_text("Dear diary, today I have learned to search. " * 50)
    assert said(NotOurFile, path) == f'"{path}" is not a SQLite file'
    assert path.read_text().startswith("Dear diary")


OPENINGS = [{}, {"create": False}, {"read_only": True}]


def refused(error, path, **options):
    """The message with which an engine refuses a file, which it leaves as it was."""
    before = path.read_bytes()
    with pytest.raises(error) as refusal:
        Engine(path, **options)
    assert path.read_bytes() == before
    return str(refusal.value)


@pytest.mark.parametrize("options", OPENINGS)
@pytest.mark.parametrize("script", ["CREATE TABLE recipes (name)", "PRAGMA application_id = 7"])
def test_the_file_of_another_program_is_refused(path, script, options):
    run(path, script)
    assert refused(NotOurFile, path, **options) == f'"{path}" is a SQLite file of another program'


@pytest.mark.parametrize("options", OPENINGS)
def test_a_newer_file_is_refused_by_its_schema(old, options):
    run(old, "PRAGMA user_version = 99")
    message = f'"{old}" was written by a newer minisearch (schema 99, this one reads 13)'
    assert refused(NewerSchema, old, **options) == message


@pytest.mark.parametrize("options", OPENINGS)
@pytest.mark.parametrize("version", [1, 10])
def test_an_older_file_is_refused_with_the_commands_that_make_a_new_one(old, version, options):
    run(old, f"PRAGMA user_version = {version}")
    assert refused(OlderSchema, old, **options) == (
        f'"{old}" was written by an older minisearch (schema {version}, this one reads 13): '
        'run "minisearch crawl URL --db NEW.db", or "minisearch import FILE --db NEW.db" '
        "if the crawl was recorded with --warc"
    )


def test_a_file_cut_in_half_is_refused_in_one_line(old):
    old.write_bytes(old.read_bytes()[:5000])
    assert said(StoreError, old) == f'cannot read "{old}": database disk image is malformed'


def test_a_damaged_schema_is_refused_in_one_line(old):
    old.write_bytes(old.read_bytes().replace(b"NOT NULL", b"NOT N\x88LL", 1))
    assert said(StoreError, old) == f'cannot read "{old}": its schema is damaged'


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("missing/web.db", 'cannot create "{}/missing/web.db": there is no folder "{}/missing"'),
        (".", '"{}" is a folder, not a file'),
        ("x" * 300, 'cannot open "{}/' + "x" * 300 + '": File name too long'),
        ("zero\0byte", 'cannot open "{}/zero\0byte": '),
        ("/proc/web.db", 'cannot open "/proc/web.db": unable to open database file'),
        ("/proc/version/web.db", 'cannot create "/proc/version/web.db": there is no folder "/proc/version"'),
        ("/dev/null", "cannot "),
    ],
    ids=["no folder", "a folder", "too long", "zero byte", "proc", "below a file", "a device"],
)
def test_a_path_that_cannot_be_a_file_is_refused_in_one_line(tmp_path, place, why):
    told = said(StoreError, tmp_path / place)
    assert told.startswith(why.replace("{}", str(tmp_path)))
    assert "\n" not in told


def test_a_missing_file_is_not_made_when_it_should_be_there(path):
    assert said(StoreError, path, create=False) == f'there is no file "{path}": crawl a site into it first'
    assert not path.exists()


def test_an_empty_file_becomes_ours(path):
    path.touch()
    Store(path).close()
    assert ask(path, "PRAGMA application_id") == database.APPLICATION_ID


@pytest.mark.parametrize("name", ["what?.db", "100%.db", "a#b.db", "кућа.db", "mode=ro&.db", b"latin-\xe9.db"])
def test_a_file_may_have_any_name(tmp_path, name):
    Store(tmp_path / os.fsdecode(name)).close()
    assert [os.fsencode(found) for found in os.listdir(tmp_path)] == [os.fsencode(name)]


# -- reading where one may not write -------------------------------------------------------------


@pytest.fixture
def mode():
    return 0o444


@pytest.fixture
def left():
    """Whether somebody who wrote was killed, and left changes beside the file."""
    return False


@pytest.fixture
def closed(mode, left):
    """A folder with a searchable file, and somebody who may not write there; root is made to be nobody."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    with Engine(folder / "web.db") as engine:
        with engine.store.transaction():
            fill(engine.store)
        engine.index()
        engine.stats()  # so that all modules are loaded: root's Python may be closed to nobody
        if left:
            shutil.copy(folder / "web.db-wal", folder / "left")
    if left:
        (folder / "left").rename(folder / "web.db-wal")
    (folder / "web.db").chmod(mode)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.setresuid(NOBODY, NOBODY, 0)
    yield folder
    if root:
        os.setresuid(0, 0, 0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_file_in_a_closed_folder_can_be_searched(closed):
    with Engine(closed / "web.db", create=False) as engine:
        assert engine.search("hedgehog").hits[0].url == "http://a.example/"
        assert engine.stats()["pages"] == 1
    assert os.listdir(closed) == ["web.db"]


@pytest.mark.parametrize("mode", [0o666])
def test_a_file_that_could_be_written_to_is_left_alone_in_a_closed_folder(closed):
    with Engine(closed / "web.db") as engine:
        with pytest.raises(StoreError, match=r"^cannot write to \"\S+web.db\": permission denied for its folder$"):
            engine.index()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            engine.store.db.execute("DELETE FROM pages")


def test_a_file_that_may_only_be_read_is_not_written_to(closed):
    with (
        Engine(closed / "web.db") as engine,
        pytest.raises(StoreError, match=r"^cannot write to \"\S+web.db\": permission denied$"),
    ):
        engine.index()


@pytest.mark.parametrize("mode", [0o000])
def test_a_file_that_may_not_be_read_is_refused(closed):
    assert said(StoreError, closed / "web.db") == f'cannot open "{closed}/web.db": permission denied'


def test_nothing_new_is_made_in_a_closed_folder(closed):
    path = closed / "new.db"
    assert said(StoreError, path) == f'cannot create "{path}": permission denied'


@pytest.mark.parametrize("left", [True])
def test_changes_that_cannot_be_taken_in_are_told_in_one_line(closed):
    assert said(StoreError, closed / "web.db") == (
        f'cannot read "{closed}/web.db": it has changes in web.db-wal, which cannot be read in a read-only folder: '
        "open it once as a user who may write there"
    )


# -- one writer, many readers --------------------------------------------------------------------


def test_the_file_is_kept_in_wal_mode(old):
    assert ask(old, "PRAGMA journal_mode") == "wal"


def test_whoever_writes_switches_wal_mode_on_again(old):
    run(old, "PRAGMA journal_mode = DELETE")
    with closing(Store(old)) as store:
        store.start_run("crawl", {})
    assert ask(old, "PRAGMA journal_mode") == "wal"


def test_a_second_writer_is_told_so(path):
    with closing(Store(path)) as first, closing(Store(path)) as second:
        first.start_run("crawl", {})
        with pytest.raises(StoreBusy) as refusal:
            second.start_run("crawl", {})
        assert str(refusal.value) == f'"{path}" is locked by another minisearch process: wait for it, or stop it'
        first.unlock()
        assert second.start_run("crawl", {}) == 2


def test_a_writer_in_another_process_is_respected_until_it_is_killed(path):
    with closing(Store(path)) as store, writer(path) as process:
        with pytest.raises(StoreBusy):
            store.start_run("crawl", {})
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert store.start_run("crawl", {}) == 1


def test_a_lock_that_was_removed_at_the_last_moment_is_not_taken_for_one(path, monkeypatch):
    with closing(Store(path)) as first, closing(Store(path)) as second, closing(Store(path)) as third:
        first.start_run("crawl", {})
        flock = fcntl.flock
        monkeypatch.setattr(fcntl, "flock", lambda *lock: (first.unlock(), flock(*lock)))  # between open and lock
        second.start_run("crawl", {})
        with pytest.raises(StoreBusy):
            third.start_run("crawl", {})


def test_many_may_make_the_file_at_once(path):
    barrier = threading.Barrier(8)

    def open_it(_):
        barrier.wait()
        with closing(Store(path)) as store:
            return store.db.table("urls").count

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(open_it, range(8))) == [0] * 8


def test_the_lock_file_is_gone_after_closing(path):
    store = Store(path)
    store.start_run("crawl", {})
    assert (path.parent / "web.db-writer").exists()
    store.close()
    assert os.listdir(path.parent) == ["web.db"]


def test_a_program_that_holds_the_file_is_reported_in_one_line(old, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    with closing(sqlite3.connect(old, isolation_level=None)) as other, closing(Store(old)) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"^cannot write to \"\S+web.db\": database is locked$"):
            store.start_run("crawl", {})


def test_readers_read_on_while_a_writer_writes(path):
    with closing(Store(path)) as author, closing(Store(path)) as reader:
        with author.transaction():
            author.db.table("runs").insert(RUN)
            assert reader.db.table("runs").count == 0
        assert reader.db.table("runs").count == 1


def test_a_reader_sees_one_state_however_long_it_reads(path):
    with closing(Store(path)) as author, closing(Store(path)) as reader:
        with reader.reading():
            assert reader.db.table("runs").count == 0
            author.start_run("crawl", {})
            assert reader.db.table("runs").count == 0
        assert reader.db.table("runs").count == 1


@pytest.mark.parametrize("held", ["reading", "transaction"])
@pytest.mark.parametrize("wanted", ["reading", "transaction"])
def test_threads_that_share_a_store_take_turns(path, held, wanted):
    with closing(Store(path)) as store, ThreadPoolExecutor(1) as thread:

        def take_part():
            with getattr(store, wanted)():
                order.append("the other")

        order = []
        with getattr(store, held)():
            waiting = thread.submit(take_part)
            with suppress(TimeoutError):
                waiting.result(timeout=0.2)
            order.append("the first")
        waiting.result(timeout=10)
        assert order == ["the first", "the other"]


def test_a_transaction_that_fails_leaves_nothing_behind():
    with closing(Store()) as store:
        with undone(store):
            fill(store)
        assert [store.db.table(name).count for name in ("crawls", "urls", "pages", "contents")] == [0, 0, 0, 0]


def test_what_could_not_begin_keeps_nobody_from_writing(tmp_path):
    first, second = Engine(tmp_path / "web.db"), Engine(tmp_path / "web.db")
    with pytest.raises(ZeroDivisionError), first.store.transaction():
        1 / 0  # noqa: B018
    second.rank()
    first.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        first.rank()
    second.rank()
    second.close()
