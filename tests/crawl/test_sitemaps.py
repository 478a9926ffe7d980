import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl import sitemaps as module
from minisearch.crawl.sitemaps import MAX_BYTES, read_sitemap, sitemap_limits
from minisearch.fetch.fetcher import Response
from minisearch.limits import Limits


def zipped(data):
    return gzip.compress(data, mtime=0)  # the same bytes whenever it is done


HOME = "https://example.com"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def read(body, url=f"{HOME}/sitemap.xml"):
    return read_sitemap(Response(url, 200, {}, body.encode() if isinstance(body, str) else body))


def urlset(*urls, start='<?xml version="1.0" encoding="UTF-8"?>'):
    return f"{start}<urlset {NS}>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


TWO = (f"{HOME}/a", f"{HOME}/b")


# -- the forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        urlset(*TWO),
        urlset(*TWO, start=""),
        urlset(*TWO).replace("<", "\n <").replace("</loc>", " \n</loc>").strip(),
        "\n\n  " + urlset(*TWO),
        "\ufeff" + urlset(*TWO),
        urlset(*TWO, start="<?xml version='1.0' encoding='UTF-16'?>").encode("utf-16"),
        urlset(*TWO, start='<?xml version="1.0" encoding="windows-1251"?>').encode("cp1251"),
        urlset(*TWO, start='<?xml version="1.0" encoding="shift_jis"?>').encode("shift_jis"),
        urlset(*TWO, start='<?xml version="1.0" encoding="x-klingon"?>'),
        urlset(*TWO, start='<?xml version="1.0" encoding="UTF-16"?>'),
        urlset(*TWO, start='<?xml version="1.0" encoding="rot13"?>'),
        zipped(urlset(*TWO).encode()),
        zipped(urlset(*TWO).encode()[:50]) + zipped(urlset(*TWO).encode()[50:]),
        urlset(*TWO).replace("<", "<s:").replace("<s:/", "</s:").replace("<s:?", "<?").replace("xmlns=", "xmlns:s="),
        urlset("/a", "https://EXAMPLE.com:443/b"),
        "https://example.com/a\nhttps://example.com/b",
        "\ufeffhttps://example.com/a\r\n\r\n  https://example.com/b  \r\n",
        zipped(b"https://example.com/a\nhttps://example.com/b"),
        "https://example.com/a\nhttps://example.com/b".encode("utf-16"),
        f"<rss version='2.0'><channel><link>{HOME}/</link><item><title>x</title><link>{HOME}/a</link></item>"
        f"<item><link>\n{HOME}/b\n</link></item></channel></rss>",
        f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="{HOME}/"/><entry><link href="{HOME}/a"/>'
        f'<link rel="enclosure" href="{HOME}/x.mp3"/></entry>'
        f'<entry><link rel="alternate" href="{HOME}/b"/></entry></feed>',
        f"<urlset {NS} xmlns:image='i'><url><loc>{HOME}/a</loc><image:image><image:loc>{HOME}/i.png</image:loc>"
        f"</image:image></url><url><lastmod>2026</lastmod><loc>{HOME}/<!-- -->b</loc></url></urlset>",
        f"<urlset><url><loc><![CDATA[{HOME}/a]]></loc></url><url><loc>{HOME}/&#98;</loc></url></urlset>",
    ],
    ids=lambda body: str(body)[:40],
)
def test_all_forms_of_a_sitemap_are_read(body):
    found = read(body)
    assert found.pages == TWO
    assert (found.dropped, found.error) == (0, {})


def test_an_index_names_sitemaps():
    named = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in (f"{HOME}/1.xml.gz", "/2.xml"))
    found = read(f"<sitemapindex {NS}>{named}</sitemapindex>")
    assert (found.pages, found.sitemaps) == ((), (f"{HOME}/1.xml.gz", f"{HOME}/2.xml"))


def test_an_escaped_ampersand_is_decoded():
    assert read(urlset(f"{HOME}/a?b=1&amp;c=2")).pages == (f"{HOME}/a?b=1&c=2",)


@pytest.mark.parametrize("written", ["?b=1&c=2", "?b=1&amp;c=2&copy;", "?b&", "?b=1&#38;c&#x26;d&c"])
def test_an_unescaped_ampersand_is_no_error(written):
    meant = written.replace("&amp;", "&").replace("&#38;", "&").replace("&#x26;", "&")
    found = read(urlset(f"{HOME}/a{written}", f"<![CDATA[{HOME}/b{meant}]]>"))
    assert found.pages == (f"{HOME}/a{meant}", f"{HOME}/b{meant}")
    assert found.error == {}


def test_escaping_ampersands_is_linear_with_unclosed_cdata_sections():
    began = time.process_time()
    read("<urlset>" + "<![CDATA[" * 200_000)
    assert time.process_time() - began < 2


# -- what is dropped is counted ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "dropped"),
    [
        (urlset(f"{HOME}/a", f"{HOME}/a#x"), 1),
        (urlset("", "mailto:x@y", f"{HOME}/a", "http://[bad"), 3),
        (f"{HOME}/a\nnot an address\n/b\n", 2),
    ],
)
def test_entries_that_cannot_be_used_are_counted(body, dropped):
    found = read(body)
    assert found.pages == (f"{HOME}/a",)
    assert found.dropped == dropped


def test_urls_beyond_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(module, "MAX_URLS", 3)
    found = read(urlset(*(f"{HOME}/{n}" for n in range(10))))
    assert len(found.pages) == 3
    assert found.dropped == 7


# -- broken and hostile sitemaps ----------------------------------------------------------------------


def test_what_was_read_before_an_error_is_kept():
    body = urlset(*TWO)
    found = read(body[: body.rindex("<url>") + 20])
    assert found.pages == TWO[:1]
    assert found.error == {"rule": "sitemap", "problem": "xml", "error": "no element found", "line": 1}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<html><body>404</body></html>", "root"),
        ("", None),
        (b"\x89PNG\0\0", "binary"),
        (b"\x1f\x8bnonsense that is no gzip", "encoding"),
        ("<urlset>" + "<a>" * 200, "xml"),
    ],
)
def test_what_is_no_sitemap_has_an_error(body, problem):
    found = read(body)
    assert (found.pages, found.error.get("problem", found.error.get("rule"))) == ((), problem)


BOMBS = {
    "billion laughs": '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    + urlset("&b;", start=""),
    "quadratic blowup": f'<!DOCTYPE x [<!ENTITY a "{"x" * 100_000}">]>' + urlset("&a;" * 10_000, start=""),
    "external entity": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + urlset("&a;", start=""),
    "parameter entity": '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/"> %a;]>' + urlset("x", start=""),
}


@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS)
def test_xml_bombs_do_not_go_off(body):
    began = time.monotonic()
    found = read(body)
    assert found.pages == ()
    assert found.error == {"rule": "sitemap", "problem": "entity", "name": "a"}
    assert time.monotonic() - began < 5


def test_gzip_bombs_do_not_go_off(monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 100_000)
    found = read(zipped(b" " * 50_000_000))
    assert (found.pages, found.error) == ((), {"rule": "size", "limit": 100_000})


def test_several_compressed_pieces_in_a_row_are_one():
    text = urlset(*TWO).encode()
    packed = zipped(text[:50]) + zipped(b"") + zipped(text[50:])
    assert read(packed).pages == TWO


def test_compressed_data_that_breaks_off_is_read_up_to_there():
    many = [f"http://a.example/{n}" for n in range(20_000)]
    packed = zipped(urlset(*many).encode())
    found = read(packed[: len(packed) // 2])
    assert (found.error["problem"], len(found.pages) > 1000) == ("xml", True)
    assert set(found.pages) < set(many)


def test_damaged_compressed_data_has_an_error():
    packed = zipped(urlset(*TWO).encode())
    assert read(packed[:-5] + b"?" + packed[-4:]).error == {"rule": "encoding"}


@pytest.mark.parametrize(
    "change",
    [lambda packed: packed[:-1], lambda packed: packed + b"trailing"],
)
def test_what_is_broken_after_the_last_entry_does_not_matter(change):
    found = read(change(zipped(urlset(*TWO).encode())))
    assert (found.pages, found.error) == (TWO, {})


def test_very_many_compressed_pieces_are_read_in_time():
    packed = zipped(b"") * 100_000 + zipped(urlset(*TWO).encode())
    began = time.process_time()
    assert read(packed).pages == TWO
    assert time.process_time() - began < 5


def test_an_endless_url_is_cut():
    found = read(urlset(f"{HOME}/" + "a" * 1_000_000))
    assert len(found.pages[0]) == module.MAX_URL_LENGTH


def test_no_entity_is_fetched_or_needed():
    found = read("<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:1/x.dtd'>" + urlset(*TWO, start=""))
    assert found.pages == TWO


@given(st.binary() | st.text().map(lambda text: f"<urlset><url><loc>{text}".encode("utf-8", "replace")))
def test_no_bytes_break_the_reader(body):
    found = read(body)
    assert len(found.pages) <= 2


def test_a_sitemap_may_be_larger_than_a_page_and_of_other_types():
    limits = sitemap_limits(Limits())
    assert limits.page_bytes == MAX_BYTES
    assert {"application/xml", "application/gzip", "text/plain"} <= set(limits.types)
