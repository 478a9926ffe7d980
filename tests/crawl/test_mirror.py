import pytest

from minisearch.crawl.fetch import Limits
from minisearch.crawl.mirror import Mirror
from minisearch.errors import BadInput

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


def answer(mirror, url):
    found = mirror.answer(url, Limits())
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
        ("a.b/c.html", "http://a/a.b/c.html"),
        ("release-1.5", "http://a/release-1.5"),
    ],
)
def test_a_file_answers_for_its_address(folder, name, url):
    found = answer(Mirror(folder(name), "http://a/"), url)
    assert (found.url, found.status, found.body.decode()) == (url, 200, PAGE)


@pytest.mark.parametrize("start", ["<title>x", "\ufeff\n<!-- x --><p>", "<H1 class=a>", "<p>"])
def test_a_file_without_a_telling_name_is_known_by_how_it_begins(folder, start):
    top = folder("index.html", "odd")
    (top / "odd").write_text(start + "words", "utf-8")
    assert answer(Mirror(top, "http://a/"), "http://a/odd").headers["content-type"] == "text/html"


@pytest.mark.parametrize(
    ("name", "start"), [("odd", "words"), ("odd.svg", "<title>x"), ("odd.js", "<!-- x"), ("odd", "<x>")]
)
def test_what_is_no_page_is_passed_over(folder, name, start):
    top = folder("index.html")
    (top / name).write_text(start)
    assert answer(Mirror(top, "http://a/"), f"http://a/{name}") is None


@pytest.mark.parametrize(
    "url", ["http://a/", "http://a/x.html", "http://b/a.html", "http://a/a.html?q", "http://a/a%00b"]
)
def test_what_is_not_there_has_no_answer(folder, url):
    assert answer(Mirror(folder("a.html"), "http://a/"), url) is None


def test_a_folder_without_its_slash_redirects(folder):
    found = answer(Mirror(folder("docs/a.html"), "http://a/"), "http://a/docs")
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
def test_the_address_is_read_off_the_names(folder, top, names, urls):
    assert Mirror(folder(*names, top=top)).urls() == urls


def test_what_is_no_page_is_counted(folder):
    top = folder("a.html", "b.css", "c.PNG", ".hidden.html", ".git/config.html", "data")
    (top / "data").write_bytes(b"no page")
    mirror = Mirror(top, "http://a/")
    assert mirror.urls() == ["http://a/a.html"]
    assert mirror.passed == {".css": 1, ".png": 1, "hidden or outside": 1, "no page": 1}


def test_a_folder_without_pages_is_told(tmp_path):
    with pytest.raises(BadInput, match="there are no pages"):
        Mirror(tmp_path)
