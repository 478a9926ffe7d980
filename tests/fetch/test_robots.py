import gzip
import socket
import time
from itertools import islice, product

import protego
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.fetch.errors import Rejected
from minisearch.fetch.fetcher import Session, fetch
from minisearch.fetch.guard import Guard
from minisearch.fetch.robots import (
    MAX_BYTES,
    MAX_DELAY,
    MAX_REDIRECTS,
    RobotsFile,
    RobotsRules,
    decode_robots,
    fetch_robots,
)
from minisearch.limits import Limits

SITE = "https://example.com"
SHUT = "User-agent: *\nDisallow: /"


def allowed(text, path="/a"):
    return RobotsRules(RobotsFile(200, text)).refusal(SITE + path) is None


# -- what the rules say ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", "/a", True),
        (SHUT, "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: minisearch\nDisallow: /a", "/a", False),
        ("User-agent: MiniSearch\nDisallow: /a", "/a", False),
        ("User-agent: otherbot\nDisallow: /a", "/a", True),
        (f"{SHUT}\n\nUser-agent: minisearch\nAllow: /", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b/c", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a", "/A", True),
        ("User-agent: *\nDisallow: /%C5%A1", "/%C5%A1", False),
        ("User-agent: *\nDisallow: /\u0161", "/%C5%A1", False),
        ("<!DOCTYPE html><p>Not here.", "/a", True),
        ("Disallow: /", "/a", True),
        ("User-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: * # all\nDisallow: /a # this", "/a", False),
    ],
)
def test_rules_are_read_as_the_rfc_says(text, path, expected):
    assert allowed(text, path) is expected


@pytest.mark.parametrize(
    ("status", "rule"),
    [(200, "robots"), (401, ""), (403, ""), (404, ""), (410, ""), (304, "")]
    + [(status, "robots-unreachable") for status in (500, 503, 599, 429, 103, 0)],
)
def test_a_missing_file_allows_all_and_an_unreachable_one_nothing(status, rule):
    refusal = RobotsRules(RobotsFile(status, SHUT)).refusal(SITE + "/a")
    assert (refusal.rule if refusal else "") == rule


def test_a_refusal_names_the_error():
    assert RobotsRules(RobotsFile(503)).refusal(SITE).detail == {"cause": {"rule": "http-503"}}
    assert RobotsRules(RobotsFile(0, error={"rule": "dns"})).refusal(SITE).detail == {"cause": {"rule": "dns"}}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5", 5), ("0.5", 0.5), ("3600", MAX_DELAY), ("-5", 0), ("nan", 0), ("soon", 0), ("", 0)],
)
def test_a_delay_is_bounded(text, seconds):
    assert RobotsRules(RobotsFile(200, f"User-agent: *\nCrawl-delay: {text}")).delay == seconds


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 5\n\nUser-agent: minisearch\nDisallow:", 0),
        ("Crawl-delay: 5", 0),
        ("User-agent: other\nCrawl-delay: 5", 0),
        ("User-agent: minisearch\nCrawl-delay: 5", 5),
    ],
)
def test_a_delay_belongs_to_a_group(text, delay):
    assert RobotsRules(RobotsFile(200, text)).delay == delay


def test_sitemaps_may_be_anywhere_and_are_for_all_agents():
    text = "Sitemap: https://a/1.xml\nUser-agent: other\nDisallow: /\nsitemap:https://a/2.xml\nSitemap:"
    assert RobotsRules(RobotsFile(200, text)).sitemaps == ["https://a/1.xml", "https://a/2.xml"]


def test_an_unreachable_file_has_no_delay():
    assert RobotsRules(RobotsFile(500, "User-agent: *\nCrawl-delay: 9")).delay == 0


lines = st.lists(
    st.tuples(
        st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Request-rate", "Visit-time", ""]),
        st.text() | st.sampled_from(["*", "/", "/*$", "1/5m", "0900-1700"]),
    ).map(": ".join)
).map("\n".join)


@given(lines | st.binary().map(lambda raw: raw.decode("utf-8-sig", "replace")), st.text("/%*$aš?"))
def test_any_text_can_be_parsed(text, path):
    rules = RobotsRules(RobotsFile(200, text))
    assert getattr(rules.refusal(f"{SITE}/{path}"), "rule", "") in ("", "robots")
    assert 0 <= rules.delay <= MAX_DELAY


GROUPS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["*", "minisearch", "MiniSearch", "other"]), min_size=1, max_size=2),
        st.lists(
            st.sampled_from(["Crawl-delay: 1", "crawl-delay:2.5", "Crawl-delay: soon", "Sitemap: https://a/s", "#"])
        ),
    )
).map(
    lambda groups: "\n".join(
        "\n".join([*(f"User-agent: {name}" for name in names), "Disallow: /a", *directives])
        for names, directives in groups
    )
)


@given(GROUPS)
def test_protego_reads_the_same_delay_and_sitemaps(text):
    rules, second_opinion = RobotsRules(RobotsFile(200, text)), protego.Protego.parse(text)
    assert rules.delay == min(second_opinion.crawl_delay("minisearch") or 0, MAX_DELAY)
    assert rules.sitemaps == list(second_opinion.sitemaps)


NAMES = ["".join(letters) for letters in islice(product("abcdefghijklmnopqrstuvwxyz", repeat=4), 30_000)]
OUR_NAMES = [f"mini{'*' * n}" for n in range(900)]  # for protego, each is a robot of its own, and is us besides


@pytest.mark.parametrize("naming", ["Useragent:{}\n", "user agent {}\n"])
@pytest.mark.parametrize("names", [NAMES, [*OUR_NAMES, "minisearch", "*"]], ids=["others", "us"])
@pytest.mark.parametrize("rule", ["Disallow:/{}\n", "Crawl-delay:{}\n", ""])
def test_many_agents_with_many_shared_rules_are_parsed_in_linear_time(naming, names, rule):
    text = "".join(map(naming.format, names)) + "".join(map(rule.format, range(9000)))
    began = time.process_time()
    RobotsRules(RobotsFile(200, text[:MAX_BYTES]))
    assert time.process_time() - began < 3


# -- how the file is fetched -----------------------------------------------------------------


@pytest.fixture
def read(session):
    return lambda site=SITE, **limits: fetch_robots(site, session, Limits(**limits))


def test_the_file_is_read_whatever_its_type(web, read):
    web.get(f"{SITE}/robots.txt", SHUT, content_type="application/octet-stream")
    assert read() == RobotsFile(200, SHUT)


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_a_status_is_passed_on(web, read, status):
    web.get(f"{SITE}/robots.txt", "anything", status=status)
    assert read().status == status


def test_a_byte_order_mark_does_not_hide_the_first_line(web, read):
    web.get(f"{SITE}/robots.txt", b"\xef\xbb\xbf" + SHUT.encode())
    assert not allowed(read().text)


def test_bytes_that_are_no_text_hide_no_other_line(web, read):
    web.get(f"{SITE}/robots.txt", b"# caf\xe9\n" + SHUT.encode())
    assert not allowed(read().text)


@pytest.mark.parametrize(
    "written", [b"/caf\xe9", b"/caf\xe9$", b"/*\xe9", b"/%63af\xe9", b"/c\xc3\xa9/\nDisallow: /caf\xe9"]
)
def test_octets_that_are_no_utf_8_match_themselves(web, read, written):
    web.get(f"{SITE}/robots.txt", b"User-agent: *\nDisallow: " + written)
    text = read().text
    assert not allowed(text, "/caf%E9")
    assert allowed(text, "/caf%E8")
    assert allowed(text, "/caf%EF%BF%BD")
    assert allowed(text, "/c%C3%A9/") is (b"\xc3" not in written)


@given(st.binary())
def test_any_file_decodes_to_storable_text(body):
    text = decode_robots(body)
    assert text.encode().decode() == text


def test_only_the_beginning_of_an_endless_file_is_read(serve, read):
    def endless():
        yield SHUT.encode() + b"\n"
        while True:
            yield b"# and so on\n" * 1000

    site = serve(**{"robots.txt": lambda _: (200, {}, endless())})
    file = read(site)
    assert MAX_BYTES - len("# and so on\n") <= len(file.text) <= MAX_BYTES
    assert not allowed(file.text)


def test_only_the_beginning_of_a_decompressed_file_is_read(serve, read):
    bomb = gzip.compress(SHUT.encode() + b"\n#" + b" " * 1_000_000) + gzip.compress(b" " * 1_000_000) * 500
    site = serve(**{"robots.txt": (200, {"Content-Encoding": "gzip"}, bomb)})
    assert len(read(site).text) <= MAX_BYTES
    assert not allowed(read(site).text)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_cut_in_two_by_the_limit_forbids_nothing(web, read, end):
    start = f"User-agent: *{end}Disallow: /first{end}#"
    cut = f"{end}Disallow: /second"
    filler = "x" * (MAX_BYTES - len(start) - len(cut) + len("second"))  # so that the limit falls behind the slash
    web.get(f"{SITE}/robots.txt", start + filler + cut)
    text = read().text
    assert not allowed(text, "/first")
    assert allowed(text, "/second")


def test_a_refusal_names_the_line():
    rules = RobotsRules(RobotsFile(200, "# Hello\nUser-agent: *\nDisallow: /a\nDisallow: /a/b"))
    assert rules.refusal(f"{SITE}/a/b").detail == {"line": 4, "text": "Disallow: /a/b"}
    assert rules.refusal(f"{SITE}/a/c").detail == {"line": 3, "text": "Disallow: /a"}


def test_a_refusal_by_an_endless_line_is_short():
    rules = RobotsRules(RobotsFile(200, "User-agent: *\nDisallow: /" + "*a" * 9999))
    assert len(rules.refusal(f"{SITE}/" + "a" * 20000).detail["text"]) < 200


def test_a_slow_file_is_ended_at_the_limit(serve, read):
    def drip():
        for byte in SHUT.encode() * 99:
            yield bytes([byte])
            time.sleep(0.02)

    site = serve(**{"robots.txt": lambda _: (200, {"Content-Length": "9999"}, drip())})
    began = time.monotonic()
    file = read(site, page_seconds=0.3)
    assert time.monotonic() - began < 1.5
    assert (file.status, file.error) == (0, {"rule": "timeout", "problem": "total", "seconds": 0.3})


def test_redirects_have_the_time_of_one_page_in_all(serve, read):
    def later(request):
        time.sleep(0.2)
        return (301, {"Location": f"{request.path}x"}, b"")

    file = read(serve(**dict.fromkeys(["robots.txt" + "x" * count for count in range(6)], later)), page_seconds=0.5)
    assert (file.status, file.error["rule"]) == (0, "timeout")


def test_redirects_are_followed_to_another_host_too(web, read):
    web.get(f"{SITE}/robots.txt", status=301, headers={"Location": "http://www.example.org/r.txt"})
    web.get("http://www.example.org/r.txt", SHUT)
    assert read() == RobotsFile(200, SHUT)


@pytest.mark.parametrize(("hops", "status"), [(MAX_REDIRECTS, 200), (MAX_REDIRECTS + 1, 404)])
def test_after_five_redirects_the_file_counts_as_missing(web, read, hops, status):
    web.get(f"{SITE}/robots.txt", status=302, headers={"Location": "/1"})
    for hop in range(1, hops):
        web.get(f"{SITE}/{hop}", status=302, headers={"Location": f"/{hop + 1}"})
    web.get(f"{SITE}/{hops}", SHUT)
    assert read().status == status
    assert len(web.calls) <= 1 + MAX_REDIRECTS


@pytest.mark.parametrize("location", ["", "mailto:me@example.com", "http://[bad", "\xff", "http://"])
def test_a_redirect_to_nowhere_means_that_there_is_no_file(serve, read, location):
    site = serve(**{"robots.txt": (301, {"Location": location}, b"")})
    assert read(site).status == 404


def test_redirects_count_as_requests_though_the_file_cannot_be_read(serve, read):
    moved = {f"r{n}": (302, {"Location": f"/r{n + 1}"}, b"") for n in range(3)}
    site = serve(**{"robots.txt": (301, {"Location": "/r0"}, b""), **moved, "r3": None})
    assert read(site).redirects == 4


def test_a_redirect_to_a_blocked_address_cannot_change_for_the_better(web):
    web.get(f"{SITE}/robots.txt", status=301, headers={"Location": "http://10.0.0.1/robots.txt"})
    web.get("http://10.0.0.1/robots.txt", body=Rejected("address", host="10.0.0.1", kind="private"))
    with Session() as session:
        file = fetch_robots(SITE, session, Limits())
    assert (file.unreachable, file.is_transient) == (True, False)
    assert file.error["rule"] == "address"


def test_a_file_in_an_unknown_encoding_is_not_read(serve, read):
    site = serve(**{"robots.txt": (200, {"Content-Encoding": "zstd"}, b"\x28\xb5\x2f\xfd")})
    assert read(site).error == {"rule": "encoding", "problem": "unsupported", "encoding": "zstd"}


def test_an_unknown_host_is_named():
    def resolve(_host):
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    with Session(guard=Guard(resolve=resolve)) as session:
        assert fetch_robots(SITE, session, Limits()) == RobotsFile(0, error={"rule": "dns"})


def test_a_refused_connection_is_named(read):
    assert read("http://127.0.0.1:1") == RobotsFile(0, error={"rule": "connection", "problem": "refused"})


def test_silence_is_named(serve, read):
    site = serve(**{"robots.txt": lambda _: time.sleep(1)})
    assert read(site, silence_seconds=0.2) == RobotsFile(0, error={"rule": "timeout", "seconds": 0.2})


@pytest.mark.parametrize("route", [None, (200, {"Content-Length": "999"}, b"User-agent: *")], ids=["hangs up", "cut"])
def test_a_truncated_file_counts_as_unreachable(serve, read, route):
    site = serve(**{"robots.txt": route})
    assert read(site).status == 0


def test_cookies_are_not_carried_from_robots_txt_to_pages(web, read, session):
    web.get(f"{SITE}/robots.txt", SHUT, headers={"Set-Cookie": "who=you"})
    web.get(f"{SITE}/a", "")
    read()
    fetch(f"{SITE}/a", session, Limits())
    assert "Cookie" not in web.calls[1].request.headers


def test_compressed_file(serve, read):
    site = serve(**{"robots.txt": (200, {"Content-Encoding": "gzip"}, gzip.compress(SHUT.encode()))})
    assert read(site) == RobotsFile(200, SHUT)


def test_redirect_to_itself_means_that_there_is_no_file(serve, read):
    site = serve(**{"robots.txt": (302, {"Location": "/robots.txt"}, b"")})
    assert read(site).status == 404
