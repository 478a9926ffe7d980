"""A disk that fills up: each stage says so, leaves the file as it was, and can be run again."""

import resource
import shutil

import pytest

from minisearch.engine import Engine
from minisearch.errors import StoreError

STAGES = {
    "crawl": lambda engine, start: engine.crawl(start, max_pages=1000, workers=0, index=False, rank=False),
    "index": lambda engine, _: engine.index(),
    "rank": lambda engine, _: engine.rank(),
}


@pytest.fixture(scope="module")
def files(site, tmp_path_factory):
    """{stage: a file that is ready for it}."""
    folder = tmp_path_factory.mktemp("stages")
    Engine(folder / "web.db").close()
    ready = {}
    for stage, run in STAGES.items():
        ready[stage] = shutil.copy(folder / "web.db", folder / f"{stage}.db")
        with Engine(folder / "web.db") as engine:
            run(engine, site.start)
    return ready


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_without_room_fails_whole_and_can_be_run_again(site, files, undisturbed, check, tmp_path, stage):
    db = tmp_path / "web.db"
    shutil.copy(files[stage], db)
    with Engine(db) as engine:
        connection = engine.store.db.conn
        (used,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {used}")
        with pytest.raises(StoreError, match=r"cannot write to .*full"):
            STAGES[stage](engine, site.start)
        assert check.integrity(db, tmp_path) == "ok"
        connection.execute("PRAGMA max_page_count = 1000000")
        for later in list(STAGES)[list(STAGES).index(stage) :]:
            STAGES[later](engine, site.start)
    assert check.same(check.contents(db), undisturbed)


@pytest.mark.parametrize("size", [20_000, 800_000])
def test_the_command_says_so_in_one_line(crawl, check, tmp_path, size):
    db = tmp_path / "web.db"
    run = crawl(db, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    assert run.finish() == 2
    said = [line for line in run.talk.splitlines() if line not in ("indexing ...", "ranking ...")]
    assert len(said) == 1
    assert said[0].startswith(f'minisearch: cannot write to "{db}": ')
    assert check.integrity(db, tmp_path) == "ok"
