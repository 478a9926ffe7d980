import os
from errno import EACCES
from pathlib import Path

import pytest

from minisearch.archives.mirror import Mirror
from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.limits import Limits

PAGE = "<!DOCTYPE html><title>x"


@pytest.fixture
def folder(tmp_path):
    def make(*names, top="site"):
        for name in names:
            path = tmp_path / top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE)
        return tmp_path / top

    return make


def response(mirror, url):
    found = mirror.response(url, Limits())
    return found and found[0]


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("index.html", "http://a/"),
        ("docs/index.htm", "http://a/docs/"),
        ("docs/a.html", "http://a/docs/a.html"),
        ("about.html", "http://a/about"),
        ("notes.txt", "http://a/notes.txt"),
        ("no-suffix", "http://a/no-suffix"),
        ("š i đ.html", "http://a/%C5%A1%20i%20%C4%91.html"),
        ("list.php?page=2", "http://a/list.php?page=2"),
        ("list.php?page=2", "http://a/list.php%3Fpage=2"),
        ("list?q=a b.html", "http://a/list?q=a%20b"),
        ("list?q=a%2Fb.html", "http://a/list?q=a%2Fb"),
        ("list?q=a%2Fb.html", "http://a/list?q=a/b"),
        ("list.php@page=2", "http://a/list.php?page=2"),
        ("a%3Ab.html@c=d%2Fe%3F.html", "http://a/a:b.html?c=d/e?"),
        ("q%3Fmark%22.html", "http://a/q%3Fmark%22.html"),
        ("index.html?page=2", "http://a/?page=2"),
        ("docs/index.html?page=2.html", "http://a/docs/?page=2"),
        ("b\udcff.html", "http://a/b%FF.html"),
        ("a.b/c.html", "http://a/a.b/c.html"),
        ("release-1.5", "http://a/release-1.5"),
    ],
)
def test_response_for_a_url_is_its_file(folder, name, url):
    found = response(Mirror(folder(name), "http://a/"), url)
    assert (found.url, found.status, found.body.decode()) == (url, 200, PAGE)


@pytest.mark.parametrize("start", ["<title>x", "\ufeff\n<!-- x --><p>", "<H1 class=a>", "<p>"])
def test_html_without_a_suffix_is_recognised_by_its_first_bytes(folder, start):
    top = folder("index.html", "odd")
    (top / "odd").write_text(start + "words", "utf-8")
    assert response(Mirror(top, "http://a/"), "http://a/odd").headers["content-type"] == "text/html"


@pytest.mark.parametrize(
    ("name", "start"), [("odd", "words"), ("odd.svg", "<title>x"), ("odd.js", "<!-- x"), ("odd", "<x>")]
)
def test_other_files_are_ignored(folder, name, start):
    top = folder("index.html")
    (top / name).write_text(start)
    assert response(Mirror(top, "http://a/"), f"http://a/{name}") is None


@pytest.mark.parametrize(
    "url", ["http://a/", "http://a/x.html", "http://b/a.html", "http://a/a.html?q", "http://a/a%00b"]
)
def test_no_response_for_unknown_urls(folder, url):
    assert response(Mirror(folder("a.html"), "http://a/"), url) is None


def test_a_folder_without_its_slash_redirects(folder):
    found = response(Mirror(folder("docs/index.html"), "http://a/"), "http://a/docs")
    assert (found.status, found.headers["location"]) == (301, "http://a/docs/")


@pytest.mark.parametrize(
    ("top", "names", "urls"),
    [
        ("example.com", ["index.html", "b.html"], ["http://example.com/", "http://example.com/b.html"]),
        (
            "m",
            ["example.com/a.html", "www.example.org/b.html"],
            ["http://example.com/a.html", "http://www.example.org/b.html"],
        ),
        ("m", ["localhost:8000/a.html"], ["http://localhost:8000/a.html"]),
        ("m", ["127.0.0.1+8000/a.html"], ["http://127.0.0.1:8000/a.html"]),
        ("m", ["a.html", "example.com/b.html"], ["http://localhost/m/a.html", "http://localhost/m/example.com/b.html"]),
    ],
)
def test_base_url_is_derived_from_folder_names(folder, top, names, urls):
    assert Mirror(folder(*names, top=top)).urls() == urls


def test_ignored_files_are_counted_by_kind(folder):
    top = folder("a.html", "b.css", "c.PNG", ".hidden.html", ".git/config.html", "data")
    (top / "data").write_bytes(b"no page")
    mirror = Mirror(top, "http://a/")
    assert mirror.urls() == ["http://a/a.html"]
    assert mirror.ignored == {".css": 1, ".png": 1, "hidden or outside": 1, "not a page": 1}


@pytest.mark.parametrize(
    "names",
    [
        ["index.html", "index.htm"],
        ["index.html?page=2", "list.html?page=2"],
        ["a.html?utm_source=x", "a.html?page=1&utm_source=x", "b.html?"],
        ["b\udcff.html", "\udce9/index.html"],
        ["a?b=c%2Fd", "a?b=c%2Fd.html", "a?b=c%252Fd.html", "a@b=c"],
    ],
)
def test_every_page_of_a_folder_has_a_url(folder, names):
    top = folder(*names)
    mirror = Mirror(top, "http://a/")
    assert sorted(os.path.relpath(mirror.location(url), top) for url in mirror.urls()) == sorted(names)


def test_encoded_slash_in_a_file_name_is_decoded_in_the_query(folder):
    assert Mirror(folder("a?b=c%2Fd"), "http://a/").urls() == ["http://a/a?b=c/d"]


def test_second_file_for_a_url_is_ignored_and_counted(folder):
    mirror = Mirror(folder("a.html", "a.html?utm_source=x"), "http://a/")
    assert mirror.urls() == ["http://a/a.html"]
    assert mirror.ignored == {"another file for the same URL": 1}


def test_pipes_and_broken_links_are_ignored_without_blocking(folder):
    top = folder("a.html")
    os.mkfifo(top / "pipe")
    os.mkfifo(top / "pipe.html")
    (top / "nowhere").symlink_to("gone")
    (top / "circle").symlink_to("circle")
    (top / "circle.html").symlink_to("circle.html")
    mirror = Mirror(top, "http://a/")
    assert mirror.urls() == ["http://a/a.html"]
    assert mirror.ignored == {"not a file": 5}
    assert [response(mirror, f"http://a/{name}") for name in ("pipe", "nowhere", "circle")] == [None] * 3


def test_symbolic_links_to_folders_are_not_followed(folder):
    top = folder("docs/index.html")
    (top / "docs/loop").symlink_to(".")
    mirror = Mirror(top, "http://a/")
    assert mirror.urls() == ["http://a/docs/"]
    assert response(mirror, "http://a/docs/loop/") is None


def test_symbolic_links_to_files_in_the_folder_work(folder):
    top = folder(".kept/x.html")
    (top / "a.html").symlink_to(".kept/x.html")
    assert response(Mirror(top, "http://a/"), "http://a/a.html").status == 200


def test_unreadable_files_are_counted_and_reported(folder, monkeypatch):
    top = folder("a.html", "odd", "shut/b.html")

    def refuse(*_):
        raise PermissionError(EACCES, os.strerror(EACCES))  # root never gets one

    scan = os.scandir
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(os, "scandir", lambda path: refuse() if str(path).endswith("shut") else scan(path))
    mirror = Mirror(top, "http://a/")
    assert mirror.ignored == {"permission denied": 2}
    with pytest.raises(FetchError, match="unreadable") as caught:
        mirror.response("http://a/a.html", Limits())
    assert caught.value.detail == {"error": "Permission denied"}


def test_base_url_loses_query_and_fragment(folder):
    assert Mirror(folder("a.html"), "http://a/b?c#d").urls() == ["http://a/b/a.html"]


def test_names_are_found_in_a_folder_with_a_space_in_its_name(folder):
    mirror = Mirror(folder("about.html", top="my notes"))
    assert mirror.urls() == ["http://localhost/my%20notes/about.html"]
    assert response(mirror, "http://localhost/my%20notes/about").status == 200


def test_folder_without_pages_is_refused(tmp_path):
    with pytest.raises(BadInput, match="there are no pages"):
        Mirror(tmp_path)
