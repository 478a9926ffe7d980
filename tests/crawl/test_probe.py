"""The one-url tools, against real servers and files."""

import pytest

from minisearch.crawl import probe
from minisearch.crawl.probe import fetch_report, inspect_report, robots_report
from minisearch.errors import BadInput, NotFound
from minisearch.limits import Limits

HTML = {"Content-Type": "text/html"}


# -- fetch ---------------------------------------------------------------------------------------


def test_fetch_tells_every_hop_and_the_verdict(site):
    site.show({"/a": (301, {"Location": "/b"}, b""), "/b": "<html lang=sr><title>Здраво</title><a href=/a>x</a>"})
    report, body = fetch_report(site.base + "/a")
    assert [(hop["url"], hop["status"]) for hop in report["hops"]] == [(site.base + "/a", 301), (site.base + "/b", 200)]
    assert (report["charset"], report["charset_evidence"]) == ("utf-8", "valid utf-8")
    assert report["verdict"]["title"] == "Здраво"
    assert report["verdict"]["reason"] == "a page that would be indexed"
    assert b"<title>" in body


def test_fetch_asks_for_no_robots_txt_and_nothing_twice(site):
    site.show({"/a": []})
    fetch_report(site.base + "/a")
    assert site.requests == [("GET", "/a")]


def test_a_redirect_to_an_address_inside_is_refused_unless_allowed(site):
    site.show({"/a": (302, {"Location": "http://10.255.255.1/"}, b"")})
    report, _ = fetch_report(site.base + "/a")
    assert "whose address is private" in report["hops"][-1]["trouble"]
    assert report["verdict"]["state"] == "skipped"


# -- robots --------------------------------------------------------------------------------------


def test_robots_names_the_deciding_line(site):
    said = b"User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 3\nSitemap: /s.xml"
    site.show({"/robots.txt": (200, {}, said)})
    report = robots_report(site.base + "/a")
    assert (report["allowed"], report["line"], report["rule"]) == (False, 2, "Disallow: /a")
    assert (report["delay"], report["sitemaps"], report["group"]) == (3.0, ["/s.xml"], "*")
    report = robots_report(site.base + "/a/b")
    assert (report["allowed"], report["line"]) == (True, 3)
    assert report["reason"] == "robots.txt allows it (line 3: Allow: /a/b)"
    assert robots_report(site.base + "/c")["reason"] == "robots.txt has no rule for it, so it is allowed"


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (429, False), (503, False)])
def test_robots_that_is_missing_or_unreachable(site, status, allowed):
    site.show({"/robots.txt": (status, {}, b"User-agent: *\nDisallow: /")})
    report = robots_report(site.base + "/a")
    assert (report["allowed"], report["line"]) == (allowed, None)
    assert str(status) in report["reason"]


def test_robots_can_be_asked_of_a_file(tmp_path):
    path = tmp_path / "robots.txt"
    path.write_bytes(b"\xef\xbb\xbfUser-agent: minisearch\r\nDisallow: /private\r\n")
    report = robots_report("https://example.com/private/x", file=path)
    assert (report["allowed"], report["line"], report["group"]) == (False, 2, "minisearch")
    with pytest.raises(BadInput, match="cannot read"):
        robots_report("https://example.com/", file=tmp_path / "none.txt")


# -- inspect -------------------------------------------------------------------------------------


def rules(report):
    return {each["rule"] for each in report["advice"]}


def test_a_page_on_the_web_is_inspected_where_it_is(site):
    site.show({"/a": (302, {"Location": "/b"}, b""), "/b": '<h1>Roses</h1><img src="big.png">'})
    site.routes["/b"][1]["X-Robots-Tag"] = "noindex"
    site.routes["/big.png"] = (200, {"Content-Type": "image/png"}, b"x" * 400_000)
    report = inspect_report(site.base + "/a")
    assert (report["url"], report["headings"]) == (site.base + "/b", [(1, "Roses")])
    assert {"title", "alt", "noindex", "viewport"} <= rules(report)
    assert "oversized" not in rules(report)
    assert "oversized" in rules(inspect_report(site.base + "/a", images=True))


@pytest.mark.parametrize(("kind", "headings"), [("application/xhtml+xml", [(1, "Roses")]), ("text/html", [])])
def test_a_page_of_xhtml_is_inspected_as_such(site, kind, headings):
    site.show({})
    site.routes["/x"] = (
        200,
        {"Content-Type": kind},
        b"<html><head><script src='a'/></head><body><h1>Roses</h1></body></html>",
    )
    assert inspect_report(site.base + "/x")["headings"] == headings


def test_a_file_is_inspected_with_the_images_beside_it(tmp_path):
    (tmp_path / "big.png").write_bytes(b"x" * 400_000)
    page = tmp_path / "page.html"
    page.write_text("<title>Hi</title><img src=big.png alt=x>", "utf-8")
    report = inspect_report(str(page))
    assert (report["url"], report["titles"]) == ("http://localhost/page.html", ["Hi"])
    assert "oversized" in rules(report)
    assert inspect_report(str(page), url="https://example.com/x")["url"] == "https://example.com/x"


def test_a_file_belongs_where_it_says_it_belongs(tmp_path):
    page = tmp_path / "page.html"
    page.write_text('<link rel=canonical href="https://example.com/p">', "utf-8")
    report = inspect_report(str(page))
    assert report["url"] == "https://example.com/p"
    assert "canonical" not in rules(report)


def test_what_cannot_be_inspected_is_told_in_words(site, tmp_path):
    site.show({})
    with pytest.raises(NotFound, match="404 Not Found"):
        inspect_report(site.base + "/none")
    site.routes["/pic"] = (200, {"Content-Type": "image/png"}, b"x")
    with pytest.raises(NotFound, match="its type is image/png"):
        inspect_report(site.base + "/pic")
    with pytest.raises(BadInput, match="there is no file"):
        inspect_report("none.html")
    with pytest.raises(BadInput, match="cannot read"):
        inspect_report(str(tmp_path))
    (tmp_path / "pic.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(BadInput, match="is not a page"):
        inspect_report(str(tmp_path / "pic.png"))


def test_a_page_that_is_nested_too_deeply_is_inspected_up_to_a_limit(tmp_path):
    (tmp_path / "a.html").write_text(f"<title>Deep</title>words{'<div>' * 100_000}")
    report = inspect_report(str(tmp_path / "a.html"))
    assert (report["titles"], report["words"]) == (["Deep"], 1)


def test_a_file_is_inspected_up_to_the_size_of_a_page(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_bytes(b"x" * 1001)
    monkeypatch.setattr(probe, "LIMITS", Limits(page_bytes=1000))
    with pytest.raises(BadInput, match="larger than 1,000 bytes"):
        inspect_report(str(tmp_path / "a.html"))
    monkeypatch.setattr(probe, "LIMITS", Limits(page_bytes=1001))
    assert inspect_report(str(tmp_path / "a.html"))["bytes"] == 1001


@pytest.mark.parametrize(("name", "url"), [("a b?c#d.html", "a%20b%3Fc%23d.html"), ("\udcff.html", "%FF.html")])
def test_a_file_of_any_name_is_inspected(tmp_path, name, url):
    (tmp_path / name).write_text("<title>x")
    assert inspect_report(str(tmp_path / name))["url"] == f"http://localhost/{url}"


# -- what the crawler makes of a traced response ------------------------------------------------


def traced(serve, response):
    return fetch_report(serve(a=response) + "/a")[0]


def test_the_evidence_for_a_charset_is_reported(serve):
    html = "<meta charset=windows-1251>Ћирилица".encode("cp1251")
    report = traced(serve, (200, {"Content-Type": "text/html"}, html))
    assert (report["charset"], report["charset_evidence"]) == ("windows-1251", "meta tag")
    report = traced(serve, (200, {"Content-Type": "image/png"}, b"\x89PNG"))
    assert (report["charset"], report["charset_evidence"]) == ("", "")


@pytest.mark.parametrize(
    ("response", "state", "rule"),
    [
        ((200, {"Content-Type": "text/html"}, b"<title>x"), "fetched", ""),
        ((200, {"Content-Type": "text/html", "X-Robots-Tag": "noindex"}, b"<title>x"), "fetched", "noindex"),
        ((200, {"Content-Type": "image/png"}, b"\x89PNG"), "skipped", "type"),
        ((200, {"Content-Type": "text/html"}, b"\0\0\0\0binary"), "skipped", "binary"),
        ((503, {"Content-Type": "text/html"}, b""), "failed", "http-503"),
        ((302, {"Location": "/a"}, b""), "failed", "redirect-loop"),
        ((302, {}, b""), "failed", "redirect"),
        ((200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, b"no gzip"), "failed", "encoding"),
        ((200, {"Content-Type": "text/html"}, b"x" * 10_000_001), "skipped", "size"),
    ],
)
def test_the_verdict_is_that_of_the_crawler(serve, response, state, rule):
    verdict = traced(serve, response)["verdict"]
    assert (verdict["state"], verdict["rule"]) == (state, rule)
