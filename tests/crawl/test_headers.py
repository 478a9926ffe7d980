"""Headers for the origins of the seeds: sent nowhere else, and stored nowhere."""

import gzip

import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main
from minisearch.errors import BadInput
from minisearch.testing.server import SiteServer

SECRET = "Bearer 0123456789abcdef"
HTML = {"Content-Type": "text/html"}


class Recorder(SiteServer):
    """A server of some pages that records the Authorization header of every request."""

    def __init__(self, pages=None):
        super().__init__()
        self.pages, self.seen = pages or {}, {}

    def answer(self, request):
        self.seen.setdefault(request.path, []).append(request.headers.get("Authorization"))
        return self.pages.get(request.path, (404, HTML, b""))


def page(words, *urls):
    return (200, HTML, (f"<p>{words}" + "".join(f'<a href="{url}">to {url}</a>' for url in urls)).encode())


@pytest.fixture
def origins():
    """An intranet whose pages and redirects lead to another origin, and that origin."""
    other = Recorder({"/": page("outside"), "/moved": page("moved"), "/robots": (200, {}, b"User-agent: *\nDisallow:")})
    intranet = Recorder()
    with other as outside, intranet as inside:
        sitemap = f"<urlset><url><loc>{inside}/listed</loc></url></urlset>".encode()
        intranet.pages = {
            "/": page("home", "/a", "/there", outside + "/"),
            "/a": page("inside"),
            "/listed": page("listed"),
            "/there": (302, {"Location": f"{outside}/moved"}, b""),
            "/robots.txt": (200, {}, f"User-agent: *\nDisallow:\nSitemap: {inside}/sitemap.xml".encode()),
            "/sitemap.xml": (200, {"Content-Type": "text/xml"}, sitemap),
        }
        intranet.base, other.base = inside, outside
        yield intranet, other


def sent(server):
    return {value for values in server.seen.values() for value in values}


@pytest.mark.parametrize("workers", [0, 1])
def test_headers_are_sent_to_the_origin_of_the_seed_alone_and_stored_nowhere(origins, tmp_path, workers):
    intranet, other = origins
    file, archive = tmp_path / "a.db", tmp_path / "a.warc.gz"
    headers = {"Authorization": SECRET}
    with Engine(file) as engine:
        summary = engine.crawl(intranet.base + "/", scope="any", warc=archive, workers=workers, headers=headers)
        assert summary.fetched == 5
    assert {"/robots.txt", "/sitemap.xml", "/", "/a", "/listed", "/there"} <= set(intranet.seen)
    assert sent(intranet) == {SECRET}
    assert {"/robots.txt", "/", "/moved"} <= set(other.seen)
    assert sent(other) == {None}
    stored = [path.read_bytes() for path in tmp_path.iterdir()]
    assert not any(SECRET.encode() in content for content in [*stored, gzip.decompress(archive.read_bytes())])


def test_a_redirected_robots_txt_gets_no_headers_of_another_origin(origins):
    intranet, other = origins
    intranet.pages["/robots.txt"] = (302, {"Location": f"{other.base}/robots"}, b"")
    with Engine() as engine:
        engine.crawl(intranet.base + "/", workers=0, headers={"Authorization": SECRET})
    assert (other.seen["/robots"], intranet.seen["/"]) == ([None], [SECRET])


def test_another_port_is_another_origin_even_as_a_seed_of_another_crawl(origins):
    intranet, other = origins
    with Engine() as engine:
        for server in origins:
            engine.crawl(server.base + "/", workers=0)
        with pytest.raises(BadInput, match="name the seed URLs of the one that gets the headers"):
            engine.recrawl(workers=0, headers={"Authorization": SECRET})
        engine.recrawl(intranet.base + "/", workers=0, headers={"Authorization": SECRET})
    assert SECRET in sent(intranet)
    assert sent(other) == {None}


@pytest.mark.parametrize(
    ("name", "value"), [("Host", "a"), ("Connection", "close"), ("X Y", "a"), ("X-Key", "a\r\nX-Other: b"), ("", "a")]
)
def test_the_engine_refuses_a_malformed_header_before_any_request(origins, name, value):
    with Engine() as engine, pytest.raises(BadInput, match="header"):
        engine.crawl(origins[0].base + "/", headers={name: value})
    assert origins[0].seen == {}


# -- on the command line -------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, list(words))


def test_headers_come_from_options_and_from_the_environment(origins, run, monkeypatch):
    intranet, _ = origins
    words = ("crawl", intranet.base + "/", "--workers", "0", "--no-index")
    assert run(*words, "--header", f"Authorization: {SECRET}").exit_code == 0
    assert sent(intranet) == {SECRET}
    intranet.seen.clear()
    monkeypatch.setenv("MINISEARCH_CRAWL_HEADER", f"X-Other: 1\nAuthorization: {SECRET}")
    assert run(*words, "--db", "other.db").exit_code == 0
    assert sent(intranet) == {SECRET}


def test_recrawl_and_only_send_headers(origins, run):
    intranet, _ = origins
    run("crawl", intranet.base + "/", "--workers", "0")
    for words in (("recrawl", "--workers", "0"), ("crawl", "--only", intranet.base + "/a")):
        intranet.seen.clear()
        assert run(*words, "--header", f"Authorization:{SECRET}").exit_code == 0
        assert intranet.seen["/a"] == [SECRET]


VALUE = "0123456789abcdef"


@pytest.mark.parametrize(
    "header", [f"X-Key {VALUE}", f": {VALUE}", f"Host: {VALUE}", "X-Key:", f"X-Key: {VALUE}\x07", f"TE: {VALUE}"]
)
@pytest.mark.parametrize("command", ["crawl", "recrawl"])
def test_a_malformed_header_is_refused_in_one_line_that_does_not_repeat_its_value(run, command, header):
    done = run(command, "http://127.0.0.1:9/", "--header", header)
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert done.output.startswith("minisearch: ")
    assert VALUE not in done.output


@pytest.mark.parametrize("status", [401, 403])
def test_what_was_refused_is_requested_again_with_headers(origins, status):
    intranet, _ = origins

    refused, allowed = (status, HTML, b""), intranet.pages["/a"]
    with Engine() as engine:
        for headers, rule in [({}, f"http-{status}"), ({}, f"http-{status}"), ({"Authorization": SECRET}, "allowed")]:
            intranet.pages["/a"] = allowed if headers else refused
            engine.crawl(f"{intranet.base}/", headers=headers, workers=0)
            assert engine.why(f"{intranet.base}/a").rule == rule
    assert intranet.seen["/a"] == [None, SECRET]
