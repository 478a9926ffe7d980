import json

import pytest
from warcio.archiveiterator import ArchiveIterator

from minisearch.archives.warc_writer import CRAWL
from minisearch.crawl import recording
from minisearch.crawl.recording import Recorded, RecordingPool, RecordingVisitor
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import Inline
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import Response, Session
from minisearch.models import Failed, Page, Skipped


def kinds(path):
    with path.open("rb") as file:
        return [record.rec_type for record in ArchiveIterator(file)]


def test_visitor_returns_its_responses(serve):
    site = serve(a=(200, {"Content-Type": "text/html"}, b"<title>Hi"), b=(200, {"Content-Type": "image/png"}, b"x"))
    with Session() as session:
        visit = RecordingVisitor(session=session)
        results = [visit(task) for task in (Task(f"{site}/a"), Task(f"{site}/b"), Task(site, robots=True))]
    page, skipped, robots = (result.outcome for result in results)
    assert isinstance(page, Page)
    assert isinstance(skipped, Skipped)
    assert robots.status == 404
    assert [result.response and result.response.body for result in results] == [b"<title>Hi", None, None]


@pytest.fixture
def results(monkeypatch):
    """What the workers of a pool send, by URL."""
    results = {}
    monkeypatch.setattr(recording, "pool_of", lambda *_args, **_options: Inline(lambda task: results[task.url]))
    return results


def test_pool_writes_responses_and_what_became_of_crashed_workers(tmp_path, results):
    path = tmp_path / "a.warc.gz"
    crashed = Failed("http://a/2", "crash")
    results["http://a/1"] = Recorded(Page("http://a/1"), Response("http://a/1", 200, {}, b"one"))
    results["http://a/2"] = crashed
    pool = RecordingPool(path, {}, 1)
    for key, url in enumerate(results):
        pool.submit(key, Task(url))
    assert pool.results(0) == [(0, Page("http://a/1")), (1, crashed)]
    pool.close()
    assert kinds(path) == ["warcinfo", "response", "metadata"]


def test_only_what_an_import_needs_is_written_about_the_crawl(tmp_path):
    path = tmp_path / "a.warc"
    about = {"seeds": ["http://a/"], "scope": "host", "headers": {"Authorization": "Bearer secret"}}
    RecordingPool(path, about, 0).close()
    line = next(line for line in path.read_text().splitlines() if line.startswith(CRAWL))
    assert json.loads(line.partition(":")[2]) == {"seeds": ["http://a/"], "scope": "host"}


def test_no_worker_is_started_for_an_archive_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "pool_of", None)
    with pytest.raises(BadInput, match="cannot write"):
        RecordingPool(tmp_path / "missing" / "a.warc", {}, 1)
