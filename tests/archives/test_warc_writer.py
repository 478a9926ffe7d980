from io import BytesIO

import pytest
from warcio.archiveiterator import ArchiveIterator

from minisearch.archives import warc_writer as warc
from minisearch.archives.warc_writer import NOTE, Recorded, RecordingPool, RecordingVisitor, note, response, warcinfo
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import Inline
from minisearch.errors import StoreError
from minisearch.fetch.fetcher import Response, open_session
from minisearch.fetch.robots import RobotsFile
from minisearch.records import Failed, Page, Redirect, Skipped

both = pytest.mark.parametrize("compressed", [True, False])


def read(raw):
    return [
        (r.rec_type, r.rec_headers, r.http_headers, r.content_stream().read()) for r in ArchiveIterator(BytesIO(raw))
    ]


@both
def test_an_answer_is_a_response_with_its_headers_and_its_body_unpacked(compressed):
    headers = {"content-type": "text/html", "content-encoding": "gzip", "content-length": "7", "x-robots-tag": "a\nb"}
    raw = response(Response("http://a/", 404, headers, b"<p>hello"), compressed=compressed)
    ((kind, about, said, body),) = read(raw)
    assert (kind, about.get_header("WARC-Target-URI"), said.statusline) == ("response", "http://a/", "404 Not Found")
    assert body == b"<p>hello"
    assert said.get_header("content-length") == "8"
    assert said.get_header("x-archive-orig-content-encoding") == "gzip"
    assert [value for name, value in said.headers if name == "x-robots-tag"] == ["a", "b"]
    assert raw.startswith(b"\x1f\x8b" if compressed else b"WARC/1.1")


def test_headers_are_written_as_they_came():
    raw = response(Response("http://a/", 302, {"location": "/b?c=\u00c5\u00a1"}), compressed=False)
    assert b"location: /b?c=\xc5\xa1\r\n" in raw


@both
def test_what_was_decided_without_an_answer_is_a_note(compressed):
    raw = note(Task("http://a/x"), Failed("http://a/x", "no answer", "timeout"), compressed=compressed)
    ((kind, about, _, body),) = read(raw)
    assert (kind, about.get_header("Content-Type")) == ("metadata", NOTE)
    assert b'"rule": "timeout"' in body
    assert read(note(Task("http://a", robots=True), RobotsFile(200, "x")))[0][1].get_header("WARC-Target-URI") == (
        "http://a/robots.txt"
    )
    assert note(Task("http://a/x"), Redirect("http://a/x", "http://a/y", 301)) == b""


def test_records_follow_one_another():
    raw = warcinfo("x", {"seeds": ["http://a/"]}) + response(Response("http://a/", 200, {}, b"x"))
    assert [kind for kind, *_ in read(raw)] == ["warcinfo", "response"]


def test_a_recording_visitor_tells_what_it_heard(serve):
    site = serve(a=(200, {"Content-Type": "text/html"}, b"<title>Hi"), b=(200, {"Content-Type": "image/png"}, b"x"))
    with open_session() as session:
        visit = RecordingVisitor(session=session)
        page, skipped, robots = (
            visit(task) for task in (Task(f"{site}/a"), Task(f"{site}/b"), Task(site, robots=True))
        )
    assert isinstance(page.outcome, Page)
    assert [kind for kind, *_ in read(page.records)] == ["response"]
    assert isinstance(skipped.outcome, Skipped)
    assert [kind for kind, *_ in read(skipped.records)] == ["metadata"]
    assert robots.outcome.status == 404
    assert [kind for kind, *_ in read(robots.records)] == ["metadata"]


def test_a_pool_writes_down_what_its_workers_heard_and_what_became_of_those_that_died(tmp_path):
    path = tmp_path / "a.warc.gz"
    died = Failed("http://a/2", "the process that read it died", "crash")
    heard = {
        "http://a/1": Recorded(Page("http://a/1"), response(Response("http://a/1", 200, {}, b"one"))),
        "http://a/2": died,
    }
    pool = RecordingPool(Inline(lambda task: heard[task.url]), path, {})
    for key, url in enumerate(heard):
        pool.submit(key, Task(url))
    assert pool.results(0) == [(0, Page("http://a/1")), (1, died)]
    pool.close()
    assert [kind for kind, *_ in read(path.read_bytes())] == ["warcinfo", "response", "metadata"]


def test_an_archive_that_cannot_be_written_is_named(monkeypatch):
    with open("/dev/full", "ab", buffering=0) as full:
        monkeypatch.setattr(warc, "open_archive", lambda _: full)
        with pytest.raises(StoreError, match=r'^cannot write "a.warc": No space left on device$'):
            RecordingPool(Inline(lambda task: Failed(task.url, "x", "x")), "a.warc", {})
