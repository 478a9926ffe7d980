"""The pens themselves: each is what the key says it is, whoever asks."""

import json
import re
import socket
import subprocess
import sys
import time
import zlib
from contextlib import closing
from urllib.parse import urlsplit

import pytest
import requests

from minisearch.errors import NotFound
from minisearch.testing.server import FIXTURES
from minisearch.testing.zoo.judge import Read, Seen, agrees, differences
from minisearch.testing.zoo.keeper import Zoo, load_key, open_pen
from minisearch.testing.zoo.limits import BROTLI, MIB, bomb
from minisearch.testing.zoo.pen import PENS, html, prose

KEY = load_key()
COSTS = {"requests": 10, "bytes": 10_000, "seconds": 5}


@pytest.fixture
def get():
    with requests.Session() as session:
        session.trust_env = False
        yield lambda url, **options: session.get(url, timeout=10, allow_redirects=False, **options)


def test_every_pen_has_a_key_and_every_key_a_pen():
    assert set(PENS) == set(KEY)
    assert json.loads((FIXTURES / "zoo" / "key.json").read_text("utf-8"))["pens"] == KEY


@pytest.mark.parametrize("name", PENS)
def test_a_key_bounds_requests_bytes_and_seconds_and_speaks_of_urls(name):
    key = KEY[name]
    assert 0 < key["seconds"] <= 60
    assert 0 < key["bytes"] <= 20_000_000
    assert 0 < key["requests"] <= 200
    assert key["urls"]
    assert key["shows"]
    states = {"fetched", "merged", "skipped", "failed", "queued", "unmet"}
    for verdict in key["urls"].values():
        assert {each.split()[0] for each in verdict.split(" | ")} <= states


@pytest.mark.parametrize("name", [name for name in PENS if not name.startswith("robots")])
def test_the_entrance_of_a_pen_is_an_honest_page(name, get):
    with open_pen(name) as pen:
        answer = get(pen.base + "/")
    assert answer.status_code == 200
    assert "<title>" in answer.text


def test_the_zoo_tells_at_its_desk_where_its_pens_are(get):
    with Zoo() as desk:
        pens = get(f"{desk}/key.json").json()["pens"]
        front = get(desk).text
        assert set(pens) == set(PENS)
        assert get(pens["drips"]["base"] + "/").status_code == 200
    assert pens["drips"]["base"] in front


def test_a_pen_that_is_not_there_is_told_in_words():
    with pytest.raises(NotFound, match="no pen is called 'unicorn'"), open_pen("unicorn"):
        pass


def test_a_closed_pen_lets_its_visitors_go():
    with open_pen("silence") as pen:
        place = urlsplit(pen.base)
        client = socket.create_connection((place.hostname, place.port), timeout=10)
        client.sendall(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)
    with closing(client):
        began = time.monotonic()
        assert client.recv(100) == b""
        assert time.monotonic() - began < 5


def test_a_bomb_is_made_a_little_at_a_time_and_is_as_large_as_it_says():
    pieces = list(bomb(8 * MIB, 31))
    assert max(map(len, pieces)) < 10_000
    assert len(zlib.decompress(b"".join(pieces), 31)) > 8 * MIB
    assert len(BROTLI) == 429


def test_prose_is_always_the_same_and_says_nothing_twice():
    texts = {prose(f"about {number}") for number in range(500)}
    assert len(texts) == 500
    assert prose("about 1") in texts


def test_markup_in_titles_and_links_is_escaped():
    assert "<title>a &amp; b</title>" in html("a & b", '/?q="x"')
    assert 'href="/?q=&quot;x&quot;"' in html("a & b", '/?q="x"')


def test_robots_txt_is_missing_unless_a_pen_has_one(get):
    with open_pen("babble") as pen:
        assert get(f"{pen.base}/robots.txt").status_code == 404


def test_days_pass_when_they_are_told_to(get):
    with open_pen("seasons") as pen:
        first = get(f"{pen.base}/changes")
        tag = {"If-None-Match": first.headers["ETag"]}
        assert get(f"{pen.base}/changes", headers=tag).status_code == 304
        pen.day = 2
        assert get(f"{pen.base}/changes", headers=tag).status_code == 200
        assert get(f"{pen.base}/gone").status_code == 410


# -- the judge -----------------------------------------------------------------------------------


def judged(key, urls=(), pages=(), seconds=0.0):
    with open_pen("archive") as pen:
        full = {pen.base + path if path.startswith("/") else path: verdict for path, verdict in dict(urls).items()}
        read = {pen.base + path: facts for path, facts in dict(pages).items()}
        return " ".join(differences(pen, {**COSTS, **key}, Seen(full, read, seconds)))


@pytest.mark.parametrize(
    ("wanted", "found", "verdict"),
    [
        ("fetched", "fetched", True),
        ("fetched", "fetched noindex", True),
        ("fetched", "merged", False),
        ("skipped size", "skipped sizeable", False),
        ("failed timeout | skipped", "skipped robots", True),
        ("unmet", "unmet", True),
    ],
)
def test_a_verdict_agrees_with_one_of_those_wanted(wanted, found, verdict):
    assert agrees(wanted, found) is verdict


@pytest.mark.parametrize(
    ("key", "urls", "said"),
    [
        ({"urls": {"/a": "fetched"}}, {"/a": "fetched"}, ""),
        ({"urls": {"/a": "fetched"}}, {}, "/a should be fetched, and is unmet"),
        ({"urls": {"/a": "unmet"}}, {"/a": "queued"}, "should be unmet, and is queued"),
        ({"groups": [["/a", "/b"]]}, {"/a": "merged identical", "/b": "fetched"}, ""),
        ({"groups": [["/a", "/b"]]}, {"/b": "fetched"}, ""),
        ({"groups": [["/a", "/b"]]}, {"/a": "fetched", "/b": "fetched"}, "should be one page"),
        ({"groups": [["/a", "/b"]]}, {"/a": "fetched", "/b": "failed x"}, "should be one page"),
        ({"counts": [{"of": "/n/*", "are": "fetched", "most": 1}]}, {"/n/1": "fetched", "/n/2": "failed x"}, ""),
        ({"counts": [{"of": "/n/*", "most": 1}]}, {"/n/1": "fetched", "/n/2": "failed x"}, "2 urls like /n/*"),
        ({"counts": [{"are": "fetched", "least": 1}]}, {}, "0 urls like"),
        ({"pages": {"/a": {"title": "A"}}}, {}, "/a should have been read"),
        ({"asked": {"/a": [1, 1]}}, {}, "/a was asked for 0 times"),
    ],
)
def test_a_difference_is_told_in_a_sentence(key, urls, said):
    found = judged(key, urls)
    assert (said in found) if said else not found


def test_what_was_read_is_compared():
    key = {
        "pages": {"/a": {"title": "A", "charset": "utf-8", "has": ["yes"], "lacks": ["no"], "evidence": "mark|meta"}}
    }
    assert not judged(key, pages={"/a": Read("A", "yes", "utf-8", "meta tag")})
    said = judged(key, pages={"/a": Read("B", "no", "koi8-r", "header")})
    assert len(re.findall("should", said)) == 5


def test_costs_are_compared():
    with open_pen("archive") as pen:
        for _ in range(3):
            requests.get(pen.base, timeout=10)
        said = " ".join(differences(pen, {"requests": 2, "bytes": 10, "seconds": 1}, Seen({}, {}, 2.0)))
    assert "3 requests" in said
    assert "bytes were sent" in said
    assert "took 2.0 s" in said


def test_the_zoo_is_served_until_it_is_told_to_stop(get):
    command = [sys.executable, str(FIXTURES.parent / "scripts" / "serve_fixtures"), "--site", "zoo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        desk = server.stdout.readline().strip()
        pens = get(f"{desk}/key.json").json()["pens"]
        assert "bomb" in get(desk).text
        assert get(pens["archive"]["base"] + "/").status_code == 200
        server.terminate()
        assert server.wait(10) == 0


# -- for others ----------------------------------------------------------------------------------


def test_the_zoo_can_be_used_from_any_pytest(tmp_path):
    test = "import urllib.request\ndef test_it(zoo):\n    urllib.request.urlopen(zoo.open('archive').base + '/')\n"
    (tmp_path / "test_mine.py").write_text(test)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "minisearch.testing.zoo.plugin",
        "-p",
        "no:cacheprovider",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_the_fixture_opens_pens(zoo):
    assert requests.get(zoo.open("archive").base, timeout=10).status_code == 200
