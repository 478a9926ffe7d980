"""The fixture server: a real one, so it is tested like one."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import requests

from minisearch.testing.server import FIXTURES, Response, SiteServer, fixture_server

SCRIPT = FIXTURES.parent / "scripts" / "serve_fixtures"


@pytest.fixture
def get():
    with requests.Session() as session:
        session.trust_env = False  # a proxy in the environment has no business on loopback
        yield lambda url, method="GET", **options: session.request(
            method, url, timeout=5, allow_redirects=False, **options
        )


@pytest.fixture(scope="module")
def base():
    with fixture_server() as base_url:
        yield base_url


def raw(base_url, data):
    """What the server sends to exactly these bytes, until it hangs up."""
    host, port = base_url.removeprefix("http://").split(":")
    with closing(socket.create_connection((host, int(port)), timeout=5)) as client:
        client.sendall(data)
        return b"".join(iter(lambda: client.recv(65536), b""))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/garden/index.html", "text/html; charset=utf-8"),
        ("/garden/shed/tools.html", "text/html; charset=utf-8"),
        ("/four/prva.html", "text/html; charset=utf-8"),
        ("/four/my.css", "text/css; charset=utf-8"),
        ("/robots.txt", "text/plain; charset=utf-8"),
    ],
)
def test_a_file_is_served_as_it_is_on_disk(base, get, path, kind):
    answer = get(base + path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, kind)
    assert answer.content == (FIXTURES / path[1:]).read_bytes()
    assert int(answer.headers["Content-Length"]) == len(answer.content)


@pytest.mark.parametrize(
    "path",
    [
        "/garden/key.json",
        "/four/key.json",
        "/garden/README.md",
        "/redirects.json",
        "/garden/no-such-page.html",
        "/garden/index.html/",
        "/garden//index.html",
        "/no-such-folder/",
        "/" + "x" * 5000,
        "/%00",
        "/%ff",
        "/../pyproject.toml",
        "/garden/../../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/..%2fpyproject.toml",
        "/garden/..%2f..%2fpyproject.toml",
        "//etc/passwd",
    ],
)
def test_what_is_not_part_of_the_site_is_not_served(base, path):
    answer = raw(base, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 404 Not Found\r\n")


def test_a_symbolic_link_does_not_lead_out_of_the_folder(tmp_path, get):
    (tmp_path / "secret.html").write_text("secret")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").symlink_to(tmp_path / "secret.html")
    with SiteServer(tmp_path / "site") as base_url:
        assert get(base_url + "/a.html").status_code == 404


def test_the_root_lists_the_sites_and_a_folder_without_an_index_its_pages(base, get):
    assert 'href="four/"' in get(base + "/").text
    assert 'href="garden/"' in get(base + "/").text
    assert 'href="prva.html"' in get(base + "/four/").text
    assert "key.json" not in get(base + "/four/").text


def test_a_folder_with_an_index_shows_it_and_wants_its_slash(base, get):
    assert get(base + "/garden/").content == get(base + "/garden/index.html").content
    answer = get(base + "/garden")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/garden/")


def test_an_old_address_redirects(base, get):
    answer = get(base + "/garden/old-roses.html")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/garden/roses.html")


@pytest.mark.parametrize("header", ["ETag", "Last-Modified"])
def test_validators_depend_on_content_alone(tmp_path, get, header):
    page = tmp_path / "a.html"
    with SiteServer(tmp_path) as base_url:
        page.write_text("one")
        first = get(base_url + "/a.html").headers[header]
        os.utime(page, (0, 0))
        assert get(base_url + "/a.html").headers[header] == first
        page.write_text("two")
        assert get(base_url + "/a.html").headers[header] != first


@pytest.mark.parametrize("quote", ["{}", "W/{}", '"other", {}'])
def test_a_known_tag_is_answered_with_304_and_no_body(base, get, quote):
    tag = get(base + "/garden/index.html").headers["ETag"]
    answer = get(base + "/garden/index.html", headers={"If-None-Match": quote.format(tag)})
    assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", tag)
    assert get(base + "/garden/index.html", headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_known_date_counts_only_without_a_tag(base, get):
    known = {"If-Modified-Since": get(base + "/garden/index.html").headers["Last-Modified"]}
    assert get(base + "/garden/index.html", headers=known).status_code == 304
    assert get(base + "/garden/index.html", headers={**known, "If-None-Match": '"other"'}).status_code == 200


def test_head_tells_the_length_and_sends_nothing(base):
    answer = raw(base, b"HEAD /garden/index.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    size = (FIXTURES / "garden" / "index.html").stat().st_size
    assert (body, f"Content-Length: {size}".encode() in head) == (b"", True)


def test_only_reading_is_allowed(base, get):
    answer = get(base + "/garden/index.html", "POST", data=b"something")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")


def test_requests_share_a_connection_and_are_remembered():
    server = SiteServer(FIXTURES)
    ask = "{} /four/prva.html{} HTTP/1.1\r\nHost: x\r\n{}\r\n"
    with server as base_url:
        answer = raw(
            base_url,
            (ask.format("HEAD", "", "") + ask.format("GET", "?a=1", "Connection: close\r\n")).encode(),
        )
    assert answer.count(b"HTTP/1.1 200 OK") == 2
    assert server.requests == [("HEAD", "/four/prva.html"), ("GET", "/four/prva.html?a=1")]


def test_a_connection_ends_with_its_server(get):
    with SiteServer(FIXTURES) as base_url:
        get(base_url + "/four/prva.html")
    with pytest.raises(requests.ConnectionError):
        get(base_url + "/four/prva.html")


def test_a_large_file_on_a_kept_connection_comes_without_delay(tmp_path, get):
    (tmp_path / "large.html").write_bytes(b"x" * 100_000)
    with SiteServer(tmp_path) as base_url:
        took = []
        for _ in range(20):
            start = time.perf_counter()
            get(base_url + "/large.html")
            took.append(time.perf_counter() - start)
    assert min(took) < 0.02  # Nagle and delayed acknowledgement together would cost 0.04


def test_routes_make_odd_servers(get):
    def echo(request):
        return Response(200, {"X-Method": request.method}, request.body)

    def drip():
        yield b"one "
        yield b"two"

    routes = {
        "/teapot": (418, {"Retry-After": "7"}, b"short and stout"),
        "/strange": (799, {}, b""),
        "/echo": echo,
        "/drip": lambda _: (200, {}, drip()),
        "/page?lang=sr": (200, {}, b"dobar dan"),
        "/page": (200, {}, b"good day"),
    }
    with SiteServer(routes=routes) as base_url:
        assert get(base_url + "/teapot").headers["Retry-After"] == "7"
        assert get(base_url + "/strange").status_code == 799
        assert get(base_url + "/echo", "POST", data=b"hello").content == b"hello"
        assert get(base_url + "/drip").content == b"one two"
        assert get(base_url + "/page?lang=sr").content == b"dobar dan"
        assert get(base_url + "/page?lang=en").content == b"good day"
        assert get(base_url + "/elsewhere").status_code == 404


def test_a_route_may_hang_up_or_lie_about_its_length(get):
    routes = {"/silent": None, "/liar": (200, {"Content-Length": "99"}, b"short")}
    with SiteServer(routes=routes) as base_url:
        for path in routes:
            with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
                get(base_url + path)


def test_one_site_alone_is_served_at_the_root_with_its_rules(get):
    with fixture_server("garden") as base_url:
        assert get(base_url + "/index.html").ok
        assert "Disallow: /shed/" in get(base_url + "/robots.txt").text
        assert get(base_url + "/old-roses.html").headers["Location"] == "/roses.html"
        assert get(base_url + "/key.json").status_code == 404


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=lambda ending: ending.name)
def test_the_script_prints_its_address_first_and_ends_quietly(get, ending):
    command = [sys.executable, str(SCRIPT), "--site", "four"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path.home(), text=True
    ) as script:
        base_url = script.stdout.readline().strip()
        assert get(base_url + "/prva.html").ok
        script.send_signal(ending)
        assert (*script.communicate(timeout=5), script.returncode) == ("", "", 0)


def test_the_script_says_in_words_that_a_port_is_taken(base):
    port = base.rpartition(":")[2]
    script = subprocess.run([sys.executable, str(SCRIPT), "--port", port], capture_output=True, text=True, timeout=5)
    assert (script.returncode, script.stderr.startswith("cannot listen on 127.0.0.1:")) == (1, True)
