"""kill -9 at any moment of a recrawl: the file is as it was, or all new; the same command continues."""

import shutil
import signal
import sqlite3
import time
from contextlib import closing
from random import Random
from urllib.parse import urlsplit

import pytest

from minisearch.testing.server import SiteServer
from tests.faults.conftest import WORDS, Run

PAGES = 120


def page(number, day):
    """A page on one of two days; on the second, some have other words, and link to pages that are new."""
    random = Random(f"{number} {day if number % 3 == 0 else 1}")
    words = " ".join(random.choices(WORDS, k=60))
    near = [child for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
    targets = [f"/{target}.html" for target in (*near, random.randrange(PAGES))]
    targets += [f"/new/{number}.html"] if day == 2 and number % 9 == 0 else []
    links = " ".join(f'<a href="{target}">{target}</a>' for target in targets)
    body = f"<title>{number} {random.choice(WORDS)}</title><h1>Chapter {number}</h1><p>{words}</p>{links}"
    return 200, {"Content-Type": "text/html"}, body.encode()


def routes(day):
    """The site on one of two days; on the second, some pages are gone, moved or not indexed."""
    found = {f"/{number}.html": page(number, day) for number in range(PAGES)}
    if day == 2:
        found |= {f"/new/{number}.html": page(1000 + number, 2) for number in range(0, PAGES, 9)}
        found |= {f"/{number}.html": (404, {}, b"") for number in range(100, 110)}
        found |= {f"/{number}.html": (301, {"Location": f"/new/{number}.html"}, b"") for number in range(81, 84)}
    return found


@pytest.fixture(scope="module")
def changing(tmp_path_factory):
    """A site on its second day, a file of its first, and how to recrawl it."""
    folder = tmp_path_factory.mktemp("changing")
    server = SiteServer(routes=routes(1))
    with server as base:
        server.db = folder / "first.db"
        assert Run("crawl", f"{base}/0.html", "--db", server.db, "--workers", 1).finish(120) == 0
        server.routes = routes(2)
        yield server


def recrawl(db, *words):
    return Run("recrawl", "--db", db, "--workers", 1, *words)


def wait_for(server, count, run):
    """Return after this many further requests, or when the run has ended."""
    until = len(server.requests) + count
    while len(server.requests) < until and run.poll() is None:
        time.sleep(0.002)


def is_same(check, one, other):
    try:
        return check.same(one, other)
    except AssertionError:
        return False


MOMENTS = [("start", 0.3), ("requests", 20), ("requests", 60), ("applying", 0.0), ("indexing", 0.05)]


def test_five_kills_leave_the_old_file_or_the_new_one(changing, check, tmp_path):
    db, quiet = (shutil.copy(changing.db, tmp_path / name) for name in ("web.db", "quiet.db"))
    assert recrawl(quiet).finish(120) == 0
    old, new = check.contents(changing.db), check.contents(quiet)
    assert not is_same(check, old, new)
    seen = []
    for event, measure in MOMENTS:
        run = recrawl(db)
        if event == "requests":
            wait_for(changing, measure, run)
        else:
            if event != "start":
                run.hear(event)
            time.sleep(measure)
        run.kill()
        assert run.finish() == -signal.SIGKILL
        assert check.integrity(db, tmp_path) == "ok"
        found = check.contents(db)
        seen.append("old" if is_same(check, found, old) else "new" if is_same(check, found, new) else "half")
    assert set(seen) <= {"old", "new"}, seen
    assert seen[:4] == ["old"] * 4
    assert recrawl(db).finish(120) == 0
    assert check.same(check.contents(db), new)


def test_a_killed_recrawl_requests_only_what_was_not_staged(changing, check, tmp_path):
    db = shutil.copy(changing.db, tmp_path / "web.db")
    run = recrawl(db)
    wait_for(changing, 100, run)
    run.kill()
    run.finish()
    with closing(sqlite3.connect(db)) as file:
        staged = {url for (url,) in file.execute("SELECT url FROM staged_visits")}
    before = len(changing.requests)
    run = recrawl(db)
    assert run.finish(120) == 0
    requested = {path for _, path in changing.requests[before:]}
    assert len(staged) >= 20
    assert not requested & {urlsplit(url).path for url in staged}
    assert "13 gone" in run.output  # three of them have moved
    assert "13 new" in run.output  # a page that is gone does not link to the last


def test_a_killed_recrawl_that_would_lose_too_much_is_refused_all_the_same(changing, check, tmp_path):
    db = shutil.copy(changing.db, tmp_path / "web.db")
    login = (200, {"Content-Type": "text/html"}, b"<title>Log in</title><p>Please log in.")
    usual, changing.routes = changing.routes, dict.fromkeys(routes(1), login)
    try:
        run = recrawl(db)
        wait_for(changing, 60, run)
        run.kill()
        run.finish()
        assert recrawl(db).finish(120) == 4
    finally:
        changing.routes = usual
    found, old = check.contents(db), check.contents(changing.db)
    found["verdicts"] = [(url, state, target, page) for url, state, _, _, target, page in found["verdicts"]]
    old["verdicts"] = [(url, state, target, page) for url, state, _, _, target, page in old["verdicts"]]
    assert check.same(found, old)
