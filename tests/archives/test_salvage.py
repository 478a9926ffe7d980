import gzip
from io import BytesIO

import pytest

from minisearch.archives import salvage as module
from minisearch.archives.salvage import CompressedAsAWhole, salvage
from minisearch.archives.warc_writer import response
from minisearch.fetch.fetcher import Response

HTML = {"content-type": "text/html"}
URLS = [f"http://a/{number}" for number in range(4)]


def records(packed):
    return [response(Response(url, 200, HTML, b"<p>some words " * 9), compressed=packed) for url in URLS]


def found(data):
    """The url of each record, None where something is damaged."""
    return [entry and entry.record.rec_headers.get_header("WARC-Target-URI") for entry in salvage(BytesIO(data))]


both = pytest.mark.parametrize("packed", [True, False], ids=["packed", "plain"])


@both
def test_records_come_in_order_with_their_places(packed):
    made = records(packed)
    assert found(b"".join(made)) == URLS
    places = [entry.place for entry in salvage(BytesIO(b"".join(made)))]
    assert places == [sum(map(len, made[:number])) for number in range(4)]


@both
@pytest.mark.parametrize("where", [0, 4, 40, 80])
def test_a_damaged_record_costs_no_other(packed, where):
    made = records(packed)
    made[1] = made[1][:where] + bytes(20) + made[1][where + 20 :]
    assert [url for url in found(b"".join(made)) if url != URLS[1]] in (
        [URLS[0], None, *URLS[2:]],
        [URLS[0], *URLS[2:]],  # headers with zero bytes in them are headers still
    )


def test_what_cannot_be_unpacked_is_no_record_though_it_reads_like_one():
    made = records(packed=True)
    made[1] = b"http://spam/ 1.2.3.4 20250101000000 text/html 40\n" + bytes(60)  # as the older format has it
    assert found(b"".join(made)) == [URLS[0], None, *URLS[2:]]


@pytest.mark.parametrize("length", [b"5", b"99999999", b"-5", b"x"])
def test_a_wrong_length_costs_no_other_record(length):
    made = records(packed=False)
    start = made[1].rindex(b"Content-Length: ", 0, made[1].index(b"HTTP/1.1"))
    end = made[1].index(b"\r\n", start)
    made[1] = made[1][: start + 16] + length + made[1][end:]
    assert [url for url in found(b"".join(made)) if url] in (URLS, [URLS[0], *URLS[2:]])


@both
@pytest.mark.parametrize("kept", [5, 60, -40])
def test_what_breaks_off_is_told_and_half_a_record_is_not_taken(packed, kept):
    made = records(packed)
    assert found(b"".join(made[:2]) + made[2][:kept]) == [*URLS[:2], None]


def test_an_archive_compressed_as_a_whole_is_refused():
    with pytest.raises(CompressedAsAWhole):
        found(gzip.compress(b"".join(records(packed=False))))


@pytest.mark.parametrize(("packed", "mark"), [(True, b"\x1f\x8b\x08"), (False, b"\nWARC/1.")])
def test_a_file_made_of_beginnings_is_not_tried_without_end(monkeypatch, packed, mark):
    tried = 0

    def unpacked(start):
        nonlocal tried
        tried += 1
        return b""

    monkeypatch.setattr(module, "_unpacked", unpacked)
    assert found(records(packed)[0] + mark * 100_000)[:2] == [URLS[0], None]
    assert tried <= module.MOST_TRIES
