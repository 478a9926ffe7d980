"""Over a connection that stands open a plain answer is read the short way; every other as over a new connection."""

import gzip
import socket
import ssl
import threading
import time
from contextlib import closing, contextmanager, suppress
from itertools import pairwise

import pytest
import requests
import urllib3
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import ask, fetch, open_session, pieces
from minisearch.fetch.heads import read_plain
from minisearch.fetch.shortcut import AS_WRITTEN, ROOM, Short
from minisearch.limits import Limits

START = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
FIRST = START + b"Content-Length: 5\r\n\r\nfirst"
PLAIN = START + b"Content-Length: 5\r\nETag: x\r\n\r\nhello"
PACKED = gzip.compress(b"hello" * 9, mtime=0)


class Script:
    """A server that gives its first answer over every connection, then the pieces of another, to whatever is asked."""

    def __init__(self, *pieces, first=FIRST, pause=0.01, lasting=True):
        self.pieces, self.first, self.pause, self.lasting = pieces, first, pause, lasting
        self.questions, self.connections = [], 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                self.connections += 1
                threading.Thread(target=self._speak, args=[client], daemon=True).start()

    def _speak(self, client):
        with closing(client), suppress(OSError):
            first = self.first
            while question := client.recv(65536):
                self.questions.append(question)
                for piece in [first] if first else self.pieces:
                    client.sendall(piece)
                    time.sleep(self.pause if piece is not first else 0)
                if not first and not self.lasting:
                    return
                first = b""


def tell(url, session, limits=Limits()):  # noqa: B008 - it is frozen
    """What came of asking: an answer, or trouble in words."""
    try:
        answer = fetch(url, session, limits)
    except (FetchError, Rejected) as why:
        return type(why), why.reason, why.rule, getattr(why, "transient", None)
    return answer.status, list(answer.headers.items()), answer.body


@contextmanager
def ordinary_ways(monkeypatch):
    """Counts the questions that go through urllib3."""
    asked, urlopen = [], urllib3.HTTPConnectionPool.urlopen
    with monkeypatch.context() as patch:
        patch.setattr(
            urllib3.HTTPConnectionPool,
            "urlopen",
            lambda self, method, url, *args, **options: (
                asked.append(url) or urlopen(self, method, url, *args, **options)
            ),
        )
        yield asked


@pytest.mark.parametrize(
    "sent",
    [[PLAIN], [PLAIN[:-5], PLAIN[-5:]], [PLAIN[:-2], PLAIN[-2:-1], PLAIN[-1:]]],
    ids=["in one", "head and body", "in three"],
)
def test_a_plain_answer_comes_the_short_way(sent, monkeypatch):
    with Script(*sent) as server, open_session() as session, ordinary_ways(monkeypatch) as asked:
        bodies = [fetch(f"{server.url}/{n}", session, Limits()).body for n in range(4)]
    assert bodies == [b"first", b"hello", b"hello", b"hello"]
    assert (server.connections, asked) == (1, ["/0"])


def test_the_question_is_the_same_but_for_its_path():
    with Script(PLAIN) as server, open_session("me/1") as session:
        for path in ("/a", "/b?c=%20", "/"):
            fetch(server.url + path, session, Limits())
    first, second, third = server.questions
    assert first.startswith(b"GET /a HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"User-Agent: me/1\r\n" in first
    assert second == first.replace(b"/a", b"/b?c=%20", 1)
    assert third == first.replace(b"/a", b"/", 1)


def test_a_question_with_conditions_is_put_anew(monkeypatch):
    with Script(PLAIN) as server, open_session() as session, ordinary_ways(monkeypatch) as asked:
        fetch(server.url + "/a", session, Limits())
        fetch(server.url + "/b", session, Limits(), headers={"If-None-Match": "x"})
        fetch(server.url + "/c", session, Limits())
    assert b"If-None-Match: x\r\n" in server.questions[1]
    assert b"If-None-Match" not in server.questions[2]
    assert asked == ["/a", "/b", "/c"]


ANSWERS = [
    [PLAIN],
    [PLAIN[:20], PLAIN[20:]],
    [START + b"Content-Length: 0\r\n\r\n"],
    [START + b"Content-Length: 5\r\nX-Robots-Tag: noindex\r\nLocation: /a\r\n\r\nhello"],
    [START + b"Content-Length: 5\r\nX-Robots-Tag: a\r\nX-Robots-Tag: b\r\n\r\nhello"],
    [START + b"Content-Length: %d\r\nContent-Encoding: gzip\r\n\r\n" % len(PACKED), PACKED[:9], PACKED[9:]],
    [START + b"Content-Length: %d\r\nContent-Encoding: gzip\r\n\r\n" % len(PACKED) + PACKED],
    [START + b"Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\nhello"],
    [START + b"Content-Length: 5\r\nContent-Encoding: rot13\r\n\r\nhello"],
    [START + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel", b"lo\r\n0\r\n\r\n"],
    [START + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
    [START + b"Content-Length: 5, 5\r\n\r\nhello"],
    [START + b"Connection: close\r\nContent-Length: 5\r\n\r\nhello"],
    [b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", PLAIN],
    [b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"],
    [b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"],
    [b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"],
    [b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"Content-Length: 99999999\r\n\r\nhello"],
    [START + b"X-Long: " + b"x" * 60_000 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"X-Long: " + b"x" * 65_526 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"X-Long: " + b"x" * 65_527 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"X-Long: " + b"x" * 99_000 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"A: " + b"x" * 40_000 + b"\r\nB: " + b"x" * 40_000 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [b"HTTP/1.1 200 " + b"x" * 70_000 + b"\r\nContent-Length: 5\r\n\r\nhello"],
    [START + b"X-Long: " + b"x" * 999_999 + b"\r\nContent-Length: 5\r\n\r\nhello"],
]


@pytest.mark.parametrize(
    "sent", [b"HTTP/1.1 200 %b\r\n", b"HTTP/1.1 200 OK\r\nX-Long: %b\r\n"], ids=["status", "header"]
)
def test_a_line_that_is_too_long_over_a_new_connection_is_so_over_any(sent):
    """In how many pieces it comes is up to the network, and the verdict must not be."""
    for length in (70_000, 99_000):
        assert read_plain(sent % (b"x" * length) + b"Content-Length: 5\r\n\r\nhello") is None
    assert read_plain(sent % (b"x" * 60_000) + b"Content-Length: 5\r\n\r\nhello")


@pytest.mark.parametrize("sent", ANSWERS)
def test_an_answer_means_the_same_over_a_connection_that_stands_open(sent):
    with Script(*sent, first=b"") as new, Script(*sent) as open_, open_session() as session:
        told = tell(new.url + "/a", session)
        assert tell(open_.url + "/", session)[2] == b"first"
        assert tell(open_.url + "/a", session) == told
        assert open_.connections == 1


@pytest.mark.parametrize(
    "sent",
    [
        [START + b"Content-Length: 9\r\n\r\nhello"],
        [START + b"Content-Length: 9\r\n\r\n"],
        [START + b"Content-Length: 9\r\n\r\nhe", b"llo"],
        [START + b"Content-Length: %d\r\n\r\n" % (3 * ROOM) + b"x" * ROOM, b"x" * ROOM],
        [START + b"Content-Le"],
        [START + b"\r\nhello"],
    ],
)
def test_what_breaks_off_is_told_as_over_a_new_connection(sent):
    with (
        Script(*sent, first=b"", lasting=False) as new,
        Script(*sent, lasting=False) as open_,
        open_session() as session,
    ):
        told = tell(new.url + "/a", session)
        tell(open_.url + "/", session)
        assert tell(open_.url + "/a", session) == told
        assert tell(open_.url + "/", session)[2] == b"first"  # over a new one
        assert open_.connections == 2


IN_PIECES = [PLAIN, ANSWERS[5][0] + PACKED, b"".join(ANSWERS[9])]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(IN_PIECES), st.lists(st.integers(0, 150), max_size=4))
def test_it_does_not_matter_in_which_pieces_an_answer_comes(answer, cuts):
    edges = [0, *sorted(cut for cut in cuts if cut < len(answer)), len(answer)]
    sent = [answer[start:end] for start, end in pairwise(edges) if end > start]
    with Script(*sent, pause=0.002) as server, open_session() as session:
        fetch(server.url, session, Limits())
        assert fetch(server.url, session, Limits()).body in (b"hello", b"hello" * 9)
    assert server.connections == 1


@pytest.mark.parametrize("size", [ROOM - 200, ROOM, ROOM + 1, 5 * ROOM + 7])
def test_a_body_of_any_size_is_read(size, monkeypatch):
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    head = START + b"Content-Length: %d\r\n\r\n" % size
    with Script(head + body[:1000], body[1000:]) as server, open_session() as session:
        fetch(server.url, session, Limits())
        with ordinary_ways(monkeypatch) as asked:
            assert fetch(server.url, session, Limits()).body == body
            with ask(server.url, session, 5.0) as response:
                assert b"".join(pieces(response, 10 * ROOM)) == body
    assert (server.connections, asked) == (1, [])


def test_a_body_may_be_read_in_small_pieces():
    with Script(PLAIN[:-3], PLAIN[-3:]) as server, open_session() as session:
        fetch(server.url, session, Limits())
        with ask(server.url, session, 5.0) as response:
            raw = response.raw
            assert isinstance(raw, Short)
            assert [raw.read(4, decode_content=False) for _ in range(3)] == [b"hell", b"o", b""]
            assert raw.read1(4, decode_content=False) == b""


def test_headers_are_there_for_all_who_want_them():
    with Script(PLAIN) as server, open_session() as session:
        fetch(server.url, session, Limits())
        with ask(server.url, session, 5.0) as response:
            assert (response.status_code, response.reason, response.headers["eTAG"]) == (200, "OK", "x")
            assert list(response.headers) == ["Content-Type", "Content-Length", "ETag"]
            assert dict(response.headers.lower_items())["content-length"] == "5"
            assert response.raw.headers.getlist("etag") == ["x"]
            assert response.headers.copy() == response.headers


def test_more_than_was_announced_is_not_taken_for_the_next_answer():
    with Script(PLAIN + FIRST.replace(b"first", b"wrong")) as server, open_session() as session:
        for expected in (b"first", b"hello", b"first", b"hello"):
            assert fetch(server.url, session, Limits()).body == expected
    assert server.connections == 2


def test_a_connection_is_closed_where_a_body_was_not_read():
    with Script(START + b"Content-Length: 5\r\n\r\n", b"hello") as server, open_session() as session:
        fetch(server.url, session, Limits())
        with ask(server.url, session, 5.0) as response:
            assert isinstance(response.raw, Short)
        assert fetch(server.url, session, Limits()).body == b"first"
    assert server.connections == 2


@pytest.mark.parametrize("sent", [[], [START], [START + b"Content-Length: 9\r\n\r\nhe"]], ids=["all", "head", "body"])
def test_silence_is_given_up(sent):
    with Script(*sent, pause=2) as server, open_session() as session:
        fetch(server.url, session, Limits())
        began = time.monotonic()
        with pytest.raises(FetchError, match=r"no answer within 0\.2 seconds"):
            fetch(server.url, session, Limits(silence_seconds=0.2))
        assert time.monotonic() - began < 1.5
        assert fetch(server.url, session, Limits()).body == b"first"


@pytest.mark.parametrize("start", [b"", START + b"Content-Length: 999\r\n\r\n"], ids=["head", "body"])
def test_no_drip_of_bytes_outlasts_the_deadline(start):
    drip = [start, *(b"x" for _ in range(200))] if start else [bytes([byte]) for byte in START * 5]
    with Script(*drip, pause=0.02) as server, open_session() as session:
        fetch(server.url, session, Limits())
        began = time.monotonic()
        with pytest.raises(FetchError, match=r"not done after 0\.3 seconds"):
            fetch(server.url, session, Limits(page_seconds=0.3))
        assert time.monotonic() - began < 1.5


def test_an_answer_that_was_begun_is_left_to_nobody_else(monkeypatch):
    """If it cannot be read to its end, its connection must not stay for the next question."""
    with Script(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno") as server, open_session() as session:
        fetch(server.url, session, Limits())
        with monkeypatch.context() as patch:
            patch.setattr(requests.adapters.HTTPAdapter, "send", fail)
            with pytest.raises(FetchError):
                fetch(server.url, session, Limits())
        assert fetch(server.url, session, Limits()).body == b"first"
    assert server.connections == 2


def fail(*_, **__):
    raise requests.ConnectionError("no")


def test_two_threads_do_not_hear_each_others_answers():
    with open_session() as session:
        heard = []

        def listen(name):
            for number in range(30):
                path = f"/{'missing' if number % 3 else 'page'}-{name}-{number}"
                with ask(server.url + path, session, 5.0) as response:
                    heard.append(b"".join(pieces(response, 1000)) == path.encode())

        with Echo() as server:
            threads = [threading.Thread(target=listen, args=[name]) for name in "abcd"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert heard == [True] * 120


class Echo(Script):
    """A server that answers with the path it was asked for; what is missing is found nowhere."""

    def _speak(self, client):
        with closing(client), suppress(OSError):
            while question := client.recv(65536):
                path = question.split()[1]
                status = b"404 Not Found" if b"missing" in path else b"200 OK"
                client.sendall(b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status, len(path), path))


class Torn:
    """A socket of TLS on which something goes wrong while a body is read."""

    def __init__(self, error):
        self.error = error

    def recv_into(self, _room):
        raise self.error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ssl.SSLError("bad record"), urllib3.exceptions.SSLError),
        (ConnectionResetError(), urllib3.exceptions.ProtocolError),
        (TimeoutError(), urllib3.exceptions.ReadTimeoutError),
    ],
)
def test_trouble_while_reading_is_told_as_urllib3_does(error, kind):
    class Connection:
        sock = Torn(error)

    head = read_plain(PLAIN)
    answer = Short(head, Connection(), bytearray(ROOM), head.size, lambda *_: None)
    with pytest.raises(kind):
        answer.read(5, decode_content=False)


@given(st.text("/aZ0-._~%2fF?#[]|\\ é\n&=+", max_size=12))
def test_a_path_that_is_asked_for_as_written_is_one_that_urllib3_would_not_touch(path):
    if AS_WRITTEN.fullmatch(path):
        assert urllib3.util.url._encode_target(path) == path
