"""What all pages share: security headers, ETags, prefixes and error pages."""

import re
import sqlite3
from contextlib import closing

import pytest

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.shards.split import split
from minisearch.web.app import create_app
from minisearch.web.filters import breadcrumb, is_web

PATHS = ["/", "/search?q=roses", "/lucky?q=roses", "/help", "/explain", "/term/rose", "/why", "/stats", "/nowhere"]


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_security_headers(client, path):
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_no_inline_script_or_style(client, read, path):
    page = read(client.get(path))
    for script in page.find_all("script"):
        assert script["src"].startswith("/static/")
        assert not script.text
    assert not page.find_all("style")
    assert not page.find_all(style=True)
    assert not [tag for tag in page.find_all(True) if any(name.startswith("on") for name in tag.attrs)]


@pytest.mark.parametrize("path", ["/", "/search?q=roses", "/page/1", "/suggest?q=ro", "/api/search?q=roses"])
def test_an_unchanged_page_is_answered_with_304(client, path):
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""
    assert again.headers["ETag"] == first.headers["ETag"]
    assert client.get("/help").headers["ETag"] != first.headers["ETag"]


def test_a_changed_file_changes_the_etag(site, tmp_path):
    site.show({"/": "<title>Tulips</title>tulips", "/b": "<title>More tulips</title>tulips"})
    with Engine(tmp_path / "a.db") as engine:
        engine.crawl(site.base + "/", workers=0)
        client = create_app(str(tmp_path / "a.db")).test_client()
        before = client.get("/search?q=tulips")
        engine.crawl(site.base + "/b", workers=0)
        after = client.get("/search?q=tulips", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert "More tulips" in after.text


def test_static_files_can_be_cached_because_their_url_changes(client, read):
    style = read(client.get("/")).find("link", rel="stylesheet")["href"]
    answer = client.get(style)
    assert answer.status_code == 200
    assert "max-age=31536000" in answer.headers["Cache-Control"]
    assert re.fullmatch(r"/static/[0-9a-f]{12}/style.css", style)


def test_errors_are_pages_with_a_way_back(client, read):
    answer = client.get("/docs/pruning-roses.html")
    assert answer.status_code == 404
    page = read(answer)
    assert page.find(role="alert").text == "There is no page at this URL."
    search = page.main.select_one("p a")
    assert search.text == "Search for “docs pruning roses”"
    assert search["href"] == "/search?q=docs+pruning+roses"
    assert {"/", "/graph", "/lab", "/stats", "/why", "/help"} <= {link["href"] for link in page.main.find_all("a")}
    assert client.post("/search").status_code == 405


def test_internal_errors_show_no_traceback(app, monkeypatch):
    monkeypatch.setattr(Engine, "suggest", lambda *_: 1 / 0)
    answer = app.test_client().get("/suggest?q=x")
    assert answer.status_code == 500
    assert "ZeroDivisionError" not in answer.text
    assert "Internal error" in answer.text


def test_a_missing_file_is_reported_and_used_again_when_it_is_back(tmp_path):
    client = create_app(str(tmp_path / "gone.db")).test_client()
    answer = client.get("/search?q=x")
    assert answer.status_code == 503
    assert "there is no file" in answer.text
    assert answer.headers["Retry-After"]
    Engine(tmp_path / "gone.db").close()
    assert client.get("/search?q=x").status_code == 200


def test_an_older_file_is_refused_with_the_command_to_run(tmp_path, caplog):
    path = tmp_path / "old.db"
    Engine(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    before = path.read_bytes()
    answer = create_app(str(path)).test_client().get("/search?q=x")
    assert answer.status_code == 503
    assert "older minisearch" in answer.text
    assert "minisearch crawl URL --db NEW.db" in answer.text
    assert "minisearch crawl URL --db NEW.db" in caplog.text
    assert path.read_bytes() == before


def test_numbers_of_several_files_are_added_up(garden, tmp_path):
    split(garden.path, tmp_path / "shards", 3)
    client = create_app(str(tmp_path / "shards" / "*.db")).test_client()
    page, whole = client.get("/stats"), create_app(str(garden.path)).test_client().get("/api/stats").json
    assert page.status_code == 200
    assert "These are several files" in page.text
    counted = client.get("/api/stats").json
    assert counted["files"] == 1  # all pages are on one host
    assert (counted["indexed"], counted["depths"]) == (whole["indexed"], whole["depths"])
    refused = client.get("/graph")
    assert refused.status_code == 503
    assert "several files" in refused.text


def test_every_page_works_with_an_empty_file(tmp_path):
    Engine(tmp_path / "empty.db").close()
    client = create_app(str(tmp_path / "empty.db")).test_client()
    assert "No results" in client.get("/search?q=x").text
    assert "The file is empty" in client.get("/stats").text
    assert 'placeholder="Search"' in client.get("/").text
    assert (client.get("/graph").status_code, "The file is empty" in client.get("/graph").text) == (200, True)
    assert client.get("/page/1").status_code == 404
    assert "No page contains this word" in client.get("/term/rose").text


def test_a_replaced_file_is_opened_again(site, tmp_path):
    for name, title in (("one", "Tulips"), ("two", "Roses")):
        site.show({"/": f"<title>{title}</title>flowers"})
        with Engine(tmp_path / f"{name}.db") as engine:
            engine.crawl(site.base + "/", workers=0)
    client = create_app(str(tmp_path / "one.db")).test_client()
    assert "Tulips" in client.get("/search?q=flowers").text
    (tmp_path / "two.db").replace(tmp_path / "one.db")
    assert "Roses" in client.get("/search?q=flowers").text


def test_a_locked_file_is_reported_and_tried_again(garden, tmp_path, monkeypatch):
    path = tmp_path / "locked.db"
    with sqlite3.connect(garden.path) as source, sqlite3.connect(path) as target:
        source.backup(target)
    monkeypatch.setattr("minisearch.store.database.BUSY_SECONDS", 0.05)
    client = create_app(str(path)).test_client()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    answer = client.get("/search?q=roses")
    assert answer.status_code == 503
    assert "locked" in answer.text
    holder.execute("ROLLBACK")
    holder.close()
    assert client.get("/search?q=roses").status_code == 200


@pytest.mark.parametrize("cut", [True, False], ids=["proxy cuts the prefix", "proxy keeps it"])
def test_below_a_prefix_every_link_has_it(garden, read, cut):
    app = create_app(str(garden.path), base_url="https://example.com/docs/")
    page = read(
        app.test_client().get("/search?q=roses" if cut else "/docs/search?q=roses", base_url="https://example.com")
    )
    own = [tag.get("href") or tag.get("action") for tag in page.find_all(["a", "link", "form"])]
    own = [url for url in own if url and url.startswith("/")]
    assert own
    assert all(url.startswith("/docs/") for url in own)


@pytest.mark.parametrize("trusted", ["search.example", "Search.Example", "search.example:8080", "SEARCH.example:80"])
def test_only_trusted_hosts_are_answered(garden, trusted):
    client = create_app(str(garden.path), trusted_hosts=(trusted,)).test_client()
    for host in ("search.example", "search.example:8080", "Search.EXAMPLE:8080"):
        assert client.get("/", base_url=f"http://{host}").status_code == 200
    for path in ("/", "/api/search?q=x", "/nowhere", "/static/x"):
        refused = client.get(path, base_url="http://evil.example")
        assert refused.status_code == 400
        assert refused.text == "Host not allowed. See serve --trusted-host.\n"
        assert "default-src 'none'" in refused.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("choices", "said"),
    [({"base_url": "example.com"}, "base-url"), ({"read_only": True, "allow_crawl": True}, "cannot be combined")],
)
def test_invalid_settings_are_refused(choices, said):
    with pytest.raises(BadInput, match=said):
        create_app("a.db", **choices)


def test_the_title_is_the_owners(garden, read):
    page = read(create_app(str(garden.path), title="Garden <search>").test_client().get("/"))
    assert page.title.text == page.h1.text == "Garden <search>"


def test_trusted_hosts_cannot_be_ipv6_addresses():
    with pytest.raises(BadInput, match="--trusted-host"):
        create_app("a.db", trusted_hosts=("[::1]:8080",))


def test_the_handbook_is_served_and_nothing_else_of_its_folder(client):
    assert "The search handbook" in client.get("/learn/").text
    assert client.get("/learn/handbook/handbook.css").mimetype == "text/css"
    for path in ("handbook/key.json", "handbook/README.md", "../app.py", "%2e%2e/app.py", "handbook/../../__init__.py"):
        assert client.get(f"/learn/{path}").status_code == 404


def test_only_web_addresses_are_linked():
    assert is_web("https://example.com/")
    assert not is_web("javascript:alert(1)")
    assert not is_web("//example.com")
    assert not is_web("http://[")


def test_a_breadcrumb_has_no_bidirectional_control_characters():
    assert breadcrumb("http://example.com/%E2%80%AEgnp.exe") == "example.com › gnp.exe"
    assert len(breadcrumb("http://example.com/" + "a" * 5000)) <= 200
