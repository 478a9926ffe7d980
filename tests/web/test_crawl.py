"""Crawls started from a page: where they are allowed, by our own pages, one at a time, watched and stopped."""

import threading
import time

import pytest

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.web.app import create_app

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def client(tmp_path):
    Engine(tmp_path / "a.db").close()
    app = create_app(str(tmp_path / "a.db"), allow_crawl=True, trusted_hosts=("localhost",), is_private=True)
    return app.test_client()


def finished(client):
    """The progress when the crawl has ended."""
    until = time.monotonic() + 60
    while (progress := client.get("/crawl/status").json)["is_running"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    return progress


def test_a_crawl_can_be_started_watched_and_searched(client, site):
    site.show({"/": ["/a", "/b"], "/a": "<title>Tulips</title>tulips", "/b": "<title>Roses</title>roses"})
    assert "Seed URL" in client.get("/crawl").text
    assert client.post("/crawl", data={"url": site.base + "/", "pages": "10"}, headers=OURS).status_code == 303
    last = finished(client)
    assert (last["state"], last["fetched"], last["error"]) == ("done", 3, "")
    assert "Tulips" in client.get("/search?q=tulips").text
    assert 'Pages fetched: <span data-field="fetched">3</span>' in client.get("/crawl").text


def test_a_crawl_can_be_stopped_and_a_second_one_has_to_wait(client, site):
    wait = threading.Event()

    def slow(_request):
        wait.wait(60)
        return (
            200,
            {"Content-Type": "text/html"},
            b"<title>Slow</title>" + b"".join(b'<a href="/%d">n</a>' % n for n in range(50)),
        )

    site.show({"/": ["/slow"]})
    site.routes["/slow"] = slow
    client.post("/crawl", data={"url": site.base + "/"}, headers=OURS)
    second = client.post("/crawl", data={"url": site.base + "/slow"}, headers=OURS)
    assert second.status_code == 400
    assert "a crawl is already running" in second.text
    assert "Stop the crawl" in client.get("/crawl").text
    assert client.post("/crawl/stop", headers=OURS).status_code == 303
    wait.set()
    assert finished(client)["state"] == "stopped"


def test_nothing_can_be_started_where_it_is_not_allowed(garden, client):
    closed = create_app(str(garden.path)).test_client()
    assert closed.get("/crawl").status_code == 404
    assert closed.post("/crawl", data={"url": "http://a.example/"}).status_code == 404
    assert "/crawl" not in closed.get("/").text
    assert "/crawl" in client.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Referer": "https://evil.example/page"},
    ],
)
def test_another_site_cannot_start_or_stop_a_crawl(client, headers):
    for path in ("/crawl", "/crawl/stop"):
        answer = client.post(path, data={"url": "http://a.example/"}, headers=headers)
        assert answer.status_code == 403
        assert "Cross-site request refused" in answer.text
    assert "Seed URL" in client.get("/crawl").text


def test_a_public_server_does_not_crawl_private_addresses(tmp_path, site):
    app = create_app(str(tmp_path / "a.db"), allow_crawl=True, trusted_hosts=("localhost",))
    client = app.test_client()
    Engine(tmp_path / "a.db").close()
    site.show({"/": "<title>Inside</title>secret"})
    client.post("/crawl", data={"url": site.base + "/"}, headers=OURS)
    assert finished(client)["fetched"] == 0
    assert site.requests == []


def test_an_invalid_url_is_refused(client):
    answer = client.post("/crawl", data={"url": "javascript:alert(1)"}, headers=OURS)
    assert answer.status_code == 400
    assert "Seed URL" in client.get("/crawl").text


def test_allow_crawl_needs_a_trusted_host():
    with pytest.raises(BadInput, match="--trusted-host"):
        create_app("a.db", allow_crawl=True)


def test_open_progress_pages_hold_no_thread(client, site):
    release = threading.Event()

    def slow(_request):
        release.wait(60)
        return 200, {"Content-Type": "text/html"}, b"<title>Slow</title>"

    site.routes["/slow"] = slow
    client.post("/crawl", data={"url": site.base + "/slow"}, headers=OURS)
    began = time.monotonic()
    for _ in range(20):
        assert client.get("/crawl/status").json["state"] == "crawling"
    assert time.monotonic() - began < 30
    release.set()
    finished(client)


def test_several_processes_do_not_start_several_crawls(client, site):
    several = {"wsgi.multiprocess": True}
    for answer in (
        client.get("/crawl", environ_overrides=several),
        client.post("/crawl", data={"url": site.base + "/"}, headers=OURS, environ_overrides=several),
    ):
        assert answer.status_code == 400
        assert "one process" in answer.text
    assert client.get("/crawl/status").json["state"] == "idle"
