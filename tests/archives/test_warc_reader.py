from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from minisearch.archives.warc_reader import ABSENT, ArchiveVisitor, Warc
from minisearch.archives.warc_writer import NOTE, note, response, warcinfo
from minisearch.crawl.visit import Task
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.records import Failed, Page, Skipped

HTML = {"content-type": "text/html"}
RECORDS = [
    warcinfo("x.warc", {"seeds": ["http://a/"]}, compressed=False),
    response(Response("http://a/", 200, HTML, b"<title>Home</title>"), compressed=False),
    response(Response("http://a/busy", 503, HTML), compressed=False),
    response(Response("http://a/pic", 200, {"content-type": "image/png"}, b"x"), compressed=False),
    note(Task("http://a/slow"), Failed("http://a/slow", "no answer", "timeout", transient=True), compressed=False),
    note(Task("http://a", robots=True), RobotsFile(200, "User-agent: *"), compressed=False),
]


@pytest.fixture
def warc(tmp_path):
    def make(*records):
        path = tmp_path / "x.warc"
        path.write_bytes(b"".join(records or RECORDS))
        return Warc(path)

    return make


def test_what_names_no_answer_as_its_own_is_given_none(warc):
    plain = b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"  # of a tool that writes no digests
    page, again = (b"response", b"http://a/", head + b"<p>Hi"), (b"revisit", b"http://a/b", head)
    archive = warc(*(plain % (kind, url, len(said), said) for kind, url, said in (page, again)))
    assert archive.urls() == ["http://a/"]
    assert archive.passed == {"revisit": 1}


def test_an_archive_knows_what_it_holds_and_how_it_was_made(warc):
    archive = warc()
    assert archive.urls() == ["http://a/", "http://a/busy", "http://a/pic"]
    assert (archive.start(), archive.about) == ("http://a/", {"seeds": ["http://a/"]})
    assert archive.has("http://a/")
    assert not archive.has("http://a/slow")


def test_each_url_is_visited_as_on_the_web(warc):
    visit = ArchiveVisitor(warc())
    outcomes = {name: visit(Task(f"http://a/{name}")) for name in ("", "busy", "pic", "slow", "none")}
    assert isinstance(outcomes[""], Page)
    assert outcomes["busy"].rule == "http-503"
    assert (outcomes["pic"].rule, outcomes["none"].rule) == ("type", ABSENT)
    assert outcomes["slow"] == Failed("http://a/slow", "no answer", "timeout")  # not to be tried again
    assert not outcomes["busy"].transient
    assert visit(Task("http://a", robots=True)) == RobotsFile(200, "User-agent: *")
    assert visit(Task("http://b", robots=True)) == RobotsFile(404)


def test_an_error_that_came_later_does_not_undo_a_page(warc):
    gone = response(Response("http://a/", 404, HTML), compressed=False)
    archive = warc(*RECORDS, gone)
    assert archive.answer("http://a/", Limits())[0].status == 200
    archive = warc(gone, *RECORDS)
    assert archive.answer("http://a/", Limits())[0].status == 200
    assert archive.passed == {"another answer for the same url": 1}


def test_a_status_of_any_other_length_than_three_digits_is_no_http(warc):
    record = response(Response("http://a/odd", 200, HTML, b"x" * 5000), compressed=False)
    odd = record.replace(b"200 OK", b"9" * 5000).replace(b"x" * 5000, b"x" * len("200 OK"))  # of the same length
    archive = warc(odd, *RECORDS)
    assert archive.passed == {"no http": 1}
    assert archive.urls() == warc().urls()


def test_a_body_is_read_up_to_the_limit_only(warc):
    archive = warc(response(Response("http://a/", 200, HTML, b"x" * 100_000), compressed=False))
    outcome = ArchiveVisitor(archive, limits=Limits(page_bytes=1000))(Task("http://a/"))
    assert isinstance(outcome, Skipped)
    assert outcome.rule == "size"


def test_notes_that_make_no_sense_are_passed_over(warc):
    odd = note(Task("http://a/slow"), Failed("http://a/slow", "x", "timeout"), compressed=False)
    archive = warc(*RECORDS[:2], odd.replace(b'"kind": "Failed"', b'"kind": "Fooled"'))
    assert archive.passed == {"metadata": 1}


@pytest.mark.parametrize(
    "odd",
    [
        b"[" * 100_000,
        b'{"kind": "RobotsFile", "robots": true, "status": "x"}',
        b'{"kind": "RobotsFile", "robots": true, "status": 200, "text": 5}',
        b'{"kind": "Skipped", "robots": false, "url": 5, "reason": [], "rule": null}',
        b'{"kind": "Failed", "robots": false, "url": "http://a/", "reason": "", "rule": "", "retry_after": "soon"}',
    ],
)
def test_notes_of_other_types_are_passed_over(tmp_path, odd):
    path = tmp_path / "odd.warc"
    with path.open("wb") as file:
        file.write(RECORDS[1])
        writer = WARCWriter(file, gzip=False)
        writer.write_record(
            writer.create_warc_record("http://a/", "metadata", payload=BytesIO(odd), warc_content_type=NOTE)
        )
    assert Warc(path).passed == {"metadata": 1}


def dated(date, body):
    record = response(Response("http://a/", 200, HTML, body), compressed=False)
    start = record.index(b"WARC-Date: ") + len("WARC-Date: ")
    return record[:start] + date + record[record.index(b"\r\n", start) :]


def test_of_several_answers_the_newest_counts_wherever_it_stands(warc):
    new, old = dated(b"2022-01-01T00:00:00Z", b"new"), dated(b"2019-01-01T00:00:00Z", b"old")
    for records in ((new, old), (old, new)):
        assert warc(*records).answer("http://a/", Limits())[0].body == b"new"


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_does_more_than_lose_pages(tmp_path: Path, data):
    """An archive with a few bytes changed, and perhaps cut off, is read as far as it goes, or refused in words."""
    raw = bytearray(b"".join(RECORDS))
    for _ in range(data.draw(st.integers(0, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "damaged.warc"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        archive = Warc(path)
    except BadInput:
        return
    visit = ArchiveVisitor(archive)
    for url in archive.urls():
        visit(Task(url))
