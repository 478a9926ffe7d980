"""kill -9 at any moment, then the same command again: nothing is lost, nothing is half there, nothing is twice."""

import os
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from random import Random

SEED = 2024


def stage(db):
    """What is to be done next, by the file."""
    if not db.exists():
        return "crawl"
    with closing(sqlite3.connect(db)) as file:
        if not file.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return "crawl"
        # Pages are indexed on the way, too, but what others say of them only when all are in.
        parts = ("pages", "urls WHERE state = 'queued'", "segments WHERE kind = 'anchor'", "rankings")
        counts = [file.execute(f"SELECT count(*) FROM {part}").fetchone()[0] for part in parts]
    pages, queued, anchors, rankings = counts
    if not pages or queued:
        return "crawl"
    return "index" if not anchors else "rank" if not rankings else "done"


def moments(random):
    """Ten moments: at the start, in the middle of the crawl, when the pages are in, when they are indexed."""
    yield "start", random.uniform(0.1, 0.5)
    for _ in range(6):
        yield "requests", random.randint(5, 40)
    yield "indexing", 0
    yield "indexing", random.uniform(0, 0.05)
    yield "ranking", random.uniform(0, 0.02)


def test_ten_kills_change_nothing_in_the_end(site, crawl, undisturbed, check, tmp_path):
    db, random = tmp_path / "web.db", Random(SEED)
    seen = []
    for event, measure in moments(random):
        run = crawl(db)
        if event == "requests":
            site.wait_for(len(site.server.requests) + measure, run)
            measure = random.uniform(0, 0.02)
        elif event != "start":
            run.hear(event)
        time.sleep(measure)
        run.kill()
        assert run.finish() == -signal.SIGKILL
        assert check.integrity(db, tmp_path) == "ok"
        seen.append(stage(db))
    assert len(seen) == 10
    assert set(seen) >= {"crawl", "index", "rank"}
    assert crawl(db).finish() == 0
    assert check.same(check.contents(db), undisturbed)


def test_a_killed_crawl_asks_again_only_for_what_was_under_way(site, crawl, undisturbed, check, tmp_path):
    db, before = tmp_path / "web.db", site.asked
    run = crawl(db)
    site.wait_for(sum(before.values()) + 150, run)
    run.kill()
    run.finish()
    assert crawl(db).finish() == 0
    twice = {path for path, count in (site.asked - before).items() if count > 1 and path != "/robots.txt"}
    assert len(twice) < 80, "a batch, and what the workers held"
    assert check.same(check.contents(db), undisturbed)


# -- Ctrl-C ----------------------------------------------------------------------------------


def interrupt(run):
    """As a terminal does it: everyone in the foreground gets the signal."""
    os.killpg(run.pid, signal.SIGINT)


def test_an_interrupted_crawl_stops_cleanly_and_goes_on_when_run_again(site, crawl, undisturbed, check, tmp_path):
    db, before = tmp_path / "web.db", site.asked
    run = crawl(db, start_new_session=True)
    site.wait_for(sum(before.values()) + 100, run)
    interrupt(run)
    assert run.finish() == 130
    assert "finishing the current pages" in run.talk
    assert "Traceback" not in run.talk
    assert "interrupted: run the same command again to continue" in run.output
    first = site.asked - before
    with closing(sqlite3.connect(db)) as file:
        settled = {url for (url,) in file.execute("SELECT url FROM urls WHERE state != 'queued'")}
    base = site.start.removesuffix("/0.html")
    assert {base + path for path in first if path != "/robots.txt"} <= settled, "all that was fetched was kept"

    assert crawl(db).finish() == 0
    second = site.asked - before - first
    assert not (first & second) - Counter({"/robots.txt": 1}), "nothing was fetched twice"
    assert check.same(check.contents(db), undisturbed)


def test_two_interrupts_stop_at_once_and_harm_nothing(site, crawl, undisturbed, check, tmp_path):
    db = tmp_path / "web.db"
    run = crawl(db, start_new_session=True)
    site.wait_for(len(site.server.requests) + 60, run)
    interrupt(run)
    run.hear("finishing the current pages")
    interrupt(run)
    assert run.finish(5) in (130, -signal.SIGINT), "a shell calls both 130"
    assert run.talk.endswith("minisearch: interrupted\n")
    assert "Traceback" not in run.talk
    assert check.integrity(db, tmp_path) == "ok"
    assert crawl(db).finish() == 0
    assert check.same(check.contents(db), undisturbed)
