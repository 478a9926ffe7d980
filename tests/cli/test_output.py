"""Nothing that pages say can command a terminal."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from minisearch.cli.main import main
from minisearch.cli.output import as_json, sanitize

HARMFUL = ["\x1b[2J", "\x9b31m", "\x07", "\u202e", "\u2066", "\u200f", "\r", "\x00", "\u2028", "\ud800"]


@pytest.mark.parametrize("harm", HARMFUL, ids=ascii)
def test_control_and_bidirectional_characters_are_removed(harm):
    shown = sanitize(f"a{harm}b")
    assert shown.encode("utf-8")
    assert not set(harm) & {"\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200f", "\r", "\x00", "\u2028"} & set(shown)


@pytest.mark.parametrize("text", ["Ruže, ruža & 検索 👩‍🌾", "می‌خواهم", "e\u0301"])
def test_letters_of_every_script_are_kept(text):
    assert sanitize(text) == text


@given(st.text() | st.sampled_from(HARMFUL))
def test_json_is_sanitized_and_can_be_encoded(text):
    told = as_json({"title": text})
    assert json.loads(told) == {"title": text}
    assert told.encode("utf-8")
    assert "\u202e" not in told


ORDERS = "\x1b]0;gone\x07\x9b31m"
ORDERED = {
    "location": (302, {"Location": f"foo:{ORDERS}"}, b""),
    "type": (200, {"Content-Type": f"foo/{ORDERS}"}, b"roses"),
    "encoding": (200, {"Content-Encoding": f"{ORDERS}foo"}, b"roses"),
    "transfer": (200, {"Transfer-Encoding": f"{ORDERS}, chunked"}, b"roses"),
    "wish": (200, {"X-Robots-Tag": f"noindex, unavailable_after: {ORDERS}"}, b"<p>roses"),
    "forbidden%1B": "<p>roses",
}


@pytest.fixture
def run(site, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    links = "".join(f'<p>Roses in the garden: <a href="/{name}">to {name}</a></p>' for name in ORDERED)
    home = f'<title>{ORDERS}</title>{links * 3}<a href="foo:{ORDERS}">a</a><a href="http://[\x1b/">b</a>'
    site.show({"/": home} | {f"/{name}": answer for name, answer in ORDERED.items()})
    site.routes["/robots.txt"] = (200, {}, b"User-agent: *\nDisallow: /*\x1b\nSitemap: \x1b[31m")
    return lambda *words: CliRunner().invoke(main, words, catch_exceptions=False).output


def harmless(told):
    return told and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told)


@pytest.mark.parametrize("name", ["", *ORDERED])
@pytest.mark.parametrize("command", ["fetch", "robots", "inspect", "crawl"])
def test_responses_of_servers_are_sanitized(run, site, command, name):
    assert harmless(run(command, f"{site.base}/{name}"))


def test_stored_reasons_are_sanitized(run, site):
    run("crawl", f"{site.base}/", "--workers", "0")
    met = json.loads(run("sql", "SELECT url FROM urls", "--json"))
    assert len(met) >= len(ORDERED)
    for row in met:
        assert harmless(run("why", row["url"])), row
    assert harmless(run("why", f"foo:{ORDERS}"))
    for command in ("page", "recrawl"):
        assert harmless(run(command, f"{site.base}/"))


def test_the_progress_of_a_crawl_fits_into_a_terminal_and_reaches_its_end(site, tmp_path):
    others = {f"/{number}": f"<p>Page {number} of nine" for number in range(9)}
    site.show({"/": [*others], **others})
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "minisearch", "crawl", f"{site.base}/", "--db", str(tmp_path / "x.db")]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs):
        os.close(theirs)
        written = b""
        with suppress(OSError):  # the other side is closed
            while more := os.read(ours, 65536):
                written += more
    os.close(ours)
    lines = re.split("[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written.decode()))
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if "10/10" in line]
