"""Crawls that are bounded: what is dropped is written down with a rule and a sentence, and none is lost when a crawl
goes on, or its limits change.
"""

import socket
from itertools import product
from zlib import crc32

import pytest

from minisearch import Engine
from minisearch.errors import BadInput
from minisearch.limits import Limits
from minisearch.parse import page as rules

HTML = {"Content-Type": "text/html"}


def moved(target, status=301):
    return (status, {"Location": target}, b"")


@pytest.fixture
def crawl(engine, site):
    """Crawls from paths of the site, without indexing; gives the summary."""

    def crawl(*seeds, **options):
        options = {"workers": 0, "index": False, "rank": False, **options}
        return engine.crawl(*(seed if seed.startswith("http") else site.base + seed for seed in seeds), **options)

    return crawl


@pytest.fixture
def see(engine, site):
    """What became of a path, in two words."""

    def see(path):
        verdict = engine.why(path if ":" in path else site.base + path)
        assert verdict.reason
        return f"{verdict.state} {verdict.rule}"

    return see


def skipped_by(engine, rule):
    """The URLs that were skipped by a rule."""
    return [url for (url,) in engine.sql(f"SELECT url FROM urls WHERE state = 'skipped' AND rule = '{rule}'")[1]]


# -- the guard ---------------------------------------------------------------------------------------


class Names:
    """A resolver that knows what it is told, and may change its mind; counts how often it was asked."""

    def __init__(self, **answers):
        self.answers = {name.replace("_", "."): listed for name, listed in answers.items()}
        self.asked = []

    def __call__(self, host):
        self.asked.append(host)
        if host[0].isdigit() or ":" in host:
            return [host]
        answer = self.answers[host]
        return [answer.pop(0) if len(answer) > 1 else answer[0]] if isinstance(answer, list) else [answer]


@pytest.fixture
def tried(monkeypatch):
    """The addresses to which a connection was tried."""
    addresses = []
    connect = socket.socket.connect

    class Recorder(socket.socket):
        def connect(self, address):
            addresses.append(address[0])
            return connect(self, address)

    monkeypatch.setattr(socket, "socket", Recorder)
    return addresses


INSIDE = ["http://10.0.0.1/", "http://192.168.1.1/admin", "http://169.254.169.254/latest/", "http://[::ffff:a00:1]/"]
INSIDE += ["http://[fe80::1]/", "http://0.0.0.0:22/", "http://intranet.example/", "http://224.0.0.1/"]


@pytest.mark.parametrize("target", INSIDE)
@pytest.mark.parametrize("how", ["redirect", "link", "canonical"])
def test_no_link_and_no_redirect_leads_inside(crawl, see, site, tried, target, how):
    pages = {"/": ["/out"], "/out": moved(target)} if how == "redirect" else {"/": [target]}
    if how == "canonical":
        pages = {"/": f'<link rel=canonical href="{target}"><p>x'}
    site.show(pages)
    crawl("/", scope="any", delay=0, resolve=Names(intranet_example="172.16.0.9"))
    assert set(tried) == {"127.0.0.1"}
    if how != "canonical":  # of another host, which is not followed anyway
        assert see(target) == "skipped address"
    if how == "redirect":
        assert see("/out") == "skipped redirect"


def test_a_name_that_changes_its_meaning_during_a_crawl_leads_nowhere(crawl, see, site, tried):
    """DNS rebinding: a public address when the crawl begins, this machine when it is asked."""
    port = site.base.rpartition(":")[2]
    site.show({"/": [], "/secret": []})
    names = Names(rebind_example=["93.184.215.14", "127.0.0.1"])
    crawl(f"http://rebind.example:{port}/", delay=0, resolve=names)
    assert see(f"http://rebind.example:{port}/") == "skipped address"
    assert (tried, site.requests) == ([], [])
    assert len(names.asked) == 2


def test_the_person_may_open_what_is_inside(crawl, see, site):
    port = site.base.rpartition(":")[2]
    inside = f"http://intranet.example:{port}/a"
    site.show({"/": [inside], "/a": []})
    names = Names(outside_example="127.0.0.1", intranet_example="127.0.0.1")
    crawl(f"http://outside.example:{port}/", scope="any", delay=0, resolve=names)
    assert see(inside) == "skipped address"  # a seed that is a name opens nothing but itself
    crawl(f"http://outside.example:{port}/", scope="any", delay=0, resolve=names, allow_private=True)
    assert see(inside) == "fetched allowed"


def test_a_seed_on_this_machine_needs_no_pauses_whatever_its_name(crawl, site):
    port = site.base.rpartition(":")[2]
    site.show({"/": [f"/{n}" for n in range(5)], **{f"/{n}": [] for n in range(5)}})
    summary = crawl(f"http://here.example:{port}/", resolve=Names(here_example="127.0.0.1"))
    assert summary.fetched == 6
    assert summary.seconds < 4


# -- links -------------------------------------------------------------------------------------------


def test_of_a_page_with_too_many_links_the_first_are_taken_and_it_is_said(engine, crawl, site):
    site.show({"/": [f"/{n}" for n in range(50)]})
    summary = crawl("/", links=10)
    assert summary.discovered == 11
    verdict = engine.why(site.base + "/")
    assert (verdict.state, verdict.rule) == ("fetched", "links")
    assert (
        verdict.reason
        == "fetched, but not read completely; 10 of the 50 URLs it links to were taken, which is the limit"
    )


def test_of_a_page_of_too_many_elements_the_first_are_read_and_it_is_said(engine, crawl, site, monkeypatch):
    monkeypatch.setattr(rules, "MAX_ELEMENTS", 100)
    monkeypatch.setattr(rules, "MAX_NESTING", 100)
    site.show({"/": "<p>one" * 200})
    crawl("/", workers=0)
    verdict = engine.why(site.base + "/")
    assert (verdict.state, verdict.rule) == ("fetched", "elements")
    assert verdict.reason.endswith(" characters were not read")


def test_a_page_that_needs_javascript_is_skipped_by_a_rule_of_its_own(engine, crawl, see, site):
    site.show(
        {"/": ["/app"], "/app": "<div id=root></div><noscript>Enable JavaScript</noscript><script src=a.js></script>"}
    )
    assert crawl("/").skipped == {"javascript": 1}
    assert see("/app") == "skipped javascript"
    assert engine.why(site.base + "/app").reason.startswith("the page needs JavaScript: ")
    assert engine.stats()["skipped"] == {"javascript": 1}


def test_links_that_nobody_can_follow_have_a_verdict(engine, crawl, see, site):
    odd = ["mailto:me@example.com", "javascript:void(0)", "tel:123", "data:text/html,hello", "http://[bad", "ftp://a/"]
    site.show({"/": "".join(f'<a href="{href}">x</a>' for href in odd)})
    summary = crawl("/")
    assert summary.skipped == {"scheme": 5, "malformed": 1}
    assert {href: see(href) for href in odd} == {
        href: f"skipped {'malformed' if '[' in href else 'scheme'}" for href in odd
    }
    assert engine.why("mailto:me@example.com").reason == "a mailto: URL; only http: and https: are followed"
    assert crawl("/").skipped == summary.skipped


def test_such_links_are_kept_short_and_few(engine, crawl, site):
    site.show({"/": "".join(f'<a href="data:,{n}{"x" * 5000}">x</a>' for n in range(500))})
    assert crawl("/").skipped == {"scheme": 20}
    rows = engine.store.db.execute("SELECT max(length(url)) FROM urls").fetchone()
    assert rows[0] <= 200


# -- traps -------------------------------------------------------------------------------------------


def calendar(request):
    number = int(request.path.rpartition("/")[2])
    links = "".join(f'<a href="/month/{number + more}">{number + more}</a> ' for more in (1, 2, 3))
    return (200, HTML, f"<title>Month {number}</title><p>No events in this month. Previous, next. {links}".encode())


class Months(dict):
    """A calendar without end."""

    def __contains__(self, path):
        return path == "/" or path.startswith("/month/")

    def __getitem__(self, path):
        return (200, HTML, b'<a href="/month/1">calendar</a> <a href="/about">about</a>') if path == "/" else calendar


@pytest.fixture
def months(site):
    site.show({})
    site.routes = Months()
    return site


def test_the_pattern_of_a_calendar_without_end_is_blocked(engine, crawl, months):
    summary = crawl("/")
    asked = [path for path in months.asked if path.startswith("/month/")]
    assert len(asked) <= 30
    assert (summary.waiting, summary.fetched) == (0, len(asked) + 1)
    pattern = f"the URL pattern {months.base}/month/# is blocked as a crawler trap"
    assert any(pattern in note for note in summary.notes)
    skipped = skipped_by(engine, "trap")
    assert skipped
    for url in skipped:
        assert pattern in engine.why(url).reason


def test_a_blocked_pattern_stays_blocked_when_the_crawl_is_run_again(crawl, months):
    crawl("/")
    months.requests.clear()
    crawl("/")
    assert months.asked == []


def test_a_blocked_pattern_is_tried_again_when_the_limit_changes(crawl, months):
    fetched = crawl("/").fetched
    assert crawl("/", pattern_repeats=25).fetched > fetched


@pytest.mark.parametrize("steps", [5, 12])
def test_a_crawl_in_several_runs_notices_a_trap_as_soon_as_one_does(engine, crawl, months, steps):
    whole = crawl("/", max_pages=1000).fetched
    with Engine() as other:
        for pages in range(steps, 3 * whole, steps):
            options = {"workers": 0, "index": False, "rank": False, "max_pages": pages}
            summary = other.crawl(f"{months.base}/", **options)
        state = "SELECT pattern, blocked, recent FROM traps"
        assert other.sql(state) == engine.sql(state)
    assert (summary.fetched, summary.waiting) == (whole, 0)


def test_what_is_known_of_traps_does_not_depend_on_how_it_is_said(engine, crawl, months):
    fetched = crawl("/").fetched
    with engine.store.transaction():
        engine.store.db.execute("UPDATE urls SET detail = '' WHERE rule = 'trap'")
    assert crawl("/", max_pages=2000).fetched == fetched


def test_goods_that_are_found_on_one_another_are_fetched_if_more_than_one_leads_to_them(crawl, site):
    goods = [f"/item/{name.replace(' ', '-')}" for name in GOODS]
    pages = {}
    for at, (path, name) in enumerate(zip(goods, GOODS, strict=True)):
        beside = "".join(
            f'<p><a href="{goods[other % 128]}">more</a>' for other in (at + 1, 3 * at, 3 * at + 1, at * at)
        )
        pages[path] = f"<title>{name}</title>{SHOP} {SHOP} {name}, {name[::-1]}.{beside}"
    site.show({"/": [goods[1]], **pages})
    summary = crawl("/", pattern_repeats=2)
    assert (summary.fetched, summary.notes) == (1 + len(GOODS), ())


class Everywhere(dict):
    """One page, whatever is asked for, with links that lead on from wherever it is."""

    def __contains__(self, path):
        return path != "/robots.txt"

    def __getitem__(self, path):
        links = "".join(f'<a href="{place}">more</a> ' for place in ("oak/", "elm/ash/", "../fir/"))
        return (200, HTML, f"<title>Trees</title><p>All about trees. {links}".encode())


def test_the_links_of_copies_of_one_page_are_not_followed(engine, crawl, site):
    site.show({})
    site.routes = Everywhere()
    summary = crawl("/", max_pages=1000)
    assert len(site.asked) < 100
    assert (summary.waiting, summary.fetched) == (0, 1)
    assert summary.skipped["duplicate-content"]
    for url in skipped_by(engine, "duplicate-content"):
        assert engine.why(url).reason == f"found on a copy of {site.base}/, of which 20 copies were fetched"
    before = len(site.asked)
    crawl("/", max_pages=1000, pattern_repeats=25)
    assert len(site.asked) > before


def test_copies_that_were_fetched_in_earlier_runs_count(crawl, site):
    site.show({})
    site.routes = Everywhere()
    for pages in range(7, 140, 7):
        summary = crawl("/", max_pages=pages)
    assert len(site.asked) < 100
    assert summary.waiting == 0


def test_the_links_of_the_first_of_many_equal_pages_are_followed(crawl, site):
    """An application that needs JavaScript says the same at every URL, and its first page may list them all."""
    said = "<title>Application</title><p>This application needs JavaScript."
    paths = [f"/page/{'abcdefgh'[n % 8]}{'abcdefgh'[n // 8]}" for n in range(64)]
    listed = "".join(f'<a href="{path}"></a>' for path in paths)
    site.show({"/": said + listed, **dict.fromkeys(paths, said)})
    crawl("/", pattern_repeats=5)
    assert len(site.asked) == 65


COLOURS = ("red", "blue", "white", "green", "pink", "black", "brown", "grey")
FLOWERS = ("rose", "tulip", "lily", "aster", "dahlia", "iris", "daisy", "peony")
GOODS = [" ".join(pair) for pair in product(COLOURS, FLOWERS, ("pot", "seed"))]
SHOP = (
    "<p>Home, basket, account, delivery, returns, terms. Free delivery and ten percent off on your first order today."
)


def test_the_goods_of_a_shop_are_fetched_though_they_say_little_of_their_own(crawl, site):
    """They are found on lists, of which there are as many, and all of them have a name."""
    lists, pages = [GOODS[at : at + 4] for at in range(0, len(GOODS), 4)], {}
    for number, named in enumerate(lists):
        links = [f'<p><a href="/item/{GOODS.index(name)}">{name}</a>' for name in named]
        links += [f' <a href="/page/{other}">{other}</a>' for other in range(number, number + 4)]
        pages[f"/page/{number}"] = f"<title>Page {number}</title>{SHOP}{''.join(links)}"
    goods = {f"/item/{n}": f"<title>{name}</title>{SHOP} {name}, {n} euro." for n, name in enumerate(GOODS)}
    site.show({"/": ["/page/0"], **pages, **goods})
    summary = crawl("/", pattern_repeats=3)
    assert (summary.fetched, summary.notes) == (1 + len(lists) + len(GOODS), ())


def test_what_is_listed_on_a_list_of_lists_is_fetched_whatever_its_name(crawl, site):
    months = {f"/{year}/{month}/": f"<title>{month}</title>{SHOP}" for year in range(8) for month in range(8)}
    years = {f"/{year}/": [f"/{year}/{month}/" for month in range(8)] for year in range(8)}
    site.show({"/": [*years], **years, **months})
    summary = crawl("/", pattern_repeats=3)
    assert (len(site.asked), summary.notes) == (73, ())


def test_the_pictures_of_a_gallery_are_fetched_though_they_say_nothing(crawl, site):
    """They are found on the pages of albums, and on one another; the first page of an album names the others."""
    pages, pictures = {}, [f"/picture/{number}" for number in range(64)]
    for at, picture in enumerate(pictures):
        beside = f'<a href="/picture/{(at + 1) % 64}">Next</a>'
        pages[picture] = f'<title>IMG_{at}</title><p><img src="{at}.jpg" alt=""> {at} of 64 {beside}'
    for album in range(4):
        others = [f"/album/{album}/{page}" for page in range(2, 5)]
        for page, path in enumerate([f"/album/{album}", *others]):
            pages[path] = [*others, *pictures[album * 16 + page * 4 :][:4]]
    site.show({"/": [f"/album/{album}" for album in range(4)], **pages})
    summary = crawl("/", pattern_repeats=3)
    assert (len(site.asked), summary.notes) == (1 + 16 + 64, ())


@pytest.mark.parametrize(("shelf", "item"), [("/staff?letter={}", "/person.php?id={}"), ("/staff/{}", "/staff/of-{}")])
def test_near_duplicates_that_are_found_on_lists_are_fetched(crawl, site, shelf, item):
    """The pages say nearly the same, and the lists that lead to them have addresses as long as theirs."""
    lists = {shelf.format(letter): [item.format(2 * letter + 3 * "abcdef"[n]) for n in range(6)] for letter in "abcdef"}
    pages = [path for listed in lists.values() for path in listed]
    said = {path: f"<title>Profile</title>{SHOP} {crc32(path.encode())}" for path in pages}
    site.show({"/": [*lists], **lists, **said})
    summary = crawl("/", pattern_repeats=3)
    assert (summary.fetched, summary.notes) == (43, ())


@pytest.mark.parametrize(("limit", "rule"), [("host_pages", "host-pages"), ("pattern_pages", "pattern-pages")])
def test_pages_per_host_and_per_pattern_have_limits_that_can_be_raised(crawl, site, limit, rule):
    site.show({"/": [f"/{n}" for n in range(8)], **{f"/{n}": f"<p>{'abcdefgh'[n] * 5} page" for n in range(8)}})
    first = crawl("/", **{limit: 4})
    assert first.fetched == 4 + (limit == "pattern_pages")
    assert list(first.skipped) == [rule]
    assert crawl("/", **{limit: 4}).fetched == first.fetched
    assert len(site.asked) == first.fetched
    assert crawl("/", **{limit: 100}).fetched == 9


def test_paths_that_run_in_circles_are_skipped(crawl, see, site):
    site.show({"/": ["/a/b/"], "/a/b/": ["a/b/"], "/a/b/a/b/": ["a/b/"], "/a/b/a/b/a/b/": []})
    crawl("/")
    assert see("/a/b/a/b/a/b/") == "skipped path"
    assert site.asked == ["/", "/a/b/", "/a/b/a/b/"]


class Folders(dict):
    """Every page is there, whatever its path, and leads into two folders more."""

    def __contains__(self, path):
        return path.endswith("/")

    def __getitem__(self, path):
        words = " ".join(f"{path}{number}" for number in range(50))  # each page has something else to say
        return (200, HTML, f'<p>{words} <a href="red/">red</a> <a href="blue/">blue</a>'.encode())


def test_two_folders_that_take_turns_in_a_path_come_to_an_end(engine, site):
    site.show({})
    site.routes = Folders()
    summary = engine.crawl(f"{site.base}/", max_pages=1000, workers=0)
    assert summary.waiting == 0
    assert len(site.asked) < 250


# -- limits that change ------------------------------------------------------------------------------


def test_what_was_too_large_is_fetched_when_it_no_longer_is(crawl, see, site):
    site.show({"/": ["/large", "/film"], "/large": "x" * 5000, "/film": (200, {"Content-Type": "video/mp4"}, b"")})
    assert crawl("/", page_bytes=2000).skipped == {"size": 1, "type": 1}
    site.requests.clear()
    assert crawl("/", page_bytes=2000).skipped == {"size": 1, "type": 1}
    assert site.asked == []
    assert crawl("/", page_bytes=9000).skipped == {"type": 1}
    assert site.asked == ["/large"], "and what another limit keeps out is not asked for again"


def test_limits_can_be_named_one_by_one_or_all_together(crawl, site):
    site.show({"/": "x" * 5000})
    assert crawl("/", page_bytes=10).skipped == {"size": 1}
    assert crawl("/", limits=Limits(page_bytes=10)).skipped == {"size": 1}
    assert crawl("/", limits=Limits(page_bytes=10), page_bytes=9000).fetched == 1


@pytest.mark.parametrize("options", [{"page_bytes": 0}, {"tries": 0}, {"page_seconds": 0}, {"redirects": -1}], ids=str)
def test_limits_that_make_no_sense_are_refused(engine, options):
    with pytest.raises(BadInput, match="must be"):
        engine.crawl("http://127.0.0.1:9/", **options)


# -- requests and url patterns -----------------------------------------------------------------------


def test_max_pages_bounds_requests(crawl, site):
    site.show({"/": [f"/missing/{n}" for n in range(600)]})
    summary = crawl("/", max_pages=2)
    assert len(site.requests) == summary.requests == 2 * 3 + 100
    assert (summary.fetched, summary.failed, summary.waiting) == (1, {"http-404": 104}, 496)
    assert summary.limit_reached == "requests"
    summary = crawl("/", max_pages=2)  # with a new allowance
    assert len(site.requests) == 2 * (2 * 3 + 100)
    assert (summary.failed, summary.waiting) == ({"http-404": 210}, 390)


def test_a_page_limit_below_what_was_fetched_before_is_reached(crawl, site):
    site.show({"/": [f"/{n}" for n in range(20)], **{f"/{n}": [] for n in range(20)}})
    assert crawl("/", max_pages=10).limit_reached == "pages"
    summary = crawl("/", max_pages=5)
    assert (summary.limit_reached, summary.fetched, summary.waiting) == ("pages", 10, 11)


def test_the_requests_of_a_recrawl_are_bounded_too(engine, crawl, site):
    site.show({"/": [f"/{n}" for n in range(20)], **{f"/{n}": [] for n in range(20)}})
    assert crawl("/").fetched == 21
    summary = engine.recrawl(max_requests=5, workers=0)
    assert (summary.visited, summary.not_visited) == (5, 16)


def test_a_page_with_very_many_links_of_one_pattern_does_not_starve_the_rest_of_the_site(crawl, see, site):
    guides = [f"/guide/{name}" for name in ("install", "query", "rank", "crawl", "serve")]
    site.show({"/": ["/list", "/guides"], "/list": [f"/item/{n}" for n in range(4000)], "/guides": guides})
    site.routes |= {f"/item/{n}": (200, HTML, b"<title>Item %d</title>" % n) for n in range(4000)}
    site.routes |= {path: (200, HTML, f"<title>{path}</title>".encode()) for path in guides}
    assert crawl("/", max_pages=12).fetched == 12
    assert sum(path.startswith("/item/") for path in site.asked) == 9
    crawl("/", max_pages=30)  # what is queued keeps its turn from one run to the next
    assert {see(path) for path in guides} == {"fetched allowed"}
    assert sum(path.startswith("/item/") for path in site.asked) == 22


# -- failing hosts -----------------------------------------------------------------------------------


def test_a_host_that_keeps_failing_is_skipped_and_the_summary_says_so(engine, crawl, see, site):
    site.show({"/": [f"/{n}" for n in range(6)], **{f"/{n}": (503, {}, b"") for n in range(6)}})
    summary = crawl("/", tries=1, host_failures=3)
    assert (summary.failed, summary.skipped) == ({"http-503": 3}, {"host-failures": 3})
    (note,) = summary.notes
    assert note.startswith(
        site.base.removeprefix("http://") + " is skipped until the next crawl: 3 of its URLs failed in a row"
    )
    assert engine.why(site.base + "/5").reason == note
    site.show({"/": [f"/{n}" for n in range(6)], **{f"/{n}": f"<p>{n} is up again" for n in range(6)}})
    assert crawl("/", tries=1, host_failures=3).fetched == 7


# -- redirects ---------------------------------------------------------------------------------------


def test_a_redirect_shares_the_fate_of_what_it_leads_to(engine, crawl, see, site):
    site.show({"/docs/": ["/docs/a", "/docs/b"], "/docs/a": moved("/docs/c"), "/docs/c": moved("/blog")})
    site.routes["/docs/b"] = moved("/docs/gone")
    summary = crawl("/docs/")
    assert (summary.merged, summary.skipped, summary.failed) == (
        0,
        {"redirect": 2, "scope": 1},
        {"redirect": 1, "http-404": 1},
    )
    assert see("/docs/a") == see("/docs/c") == "skipped redirect"
    reason = engine.why(site.base + "/docs/a").reason
    assert reason.startswith(
        f"redirects (301) to {site.base}/docs/c; in the end that is {site.base}/blog, skipped: outside"
    )
    site.routes["/blog"] = site._answer("/blog", [])
    assert crawl("/docs/", scope="host").merged == 2
    assert engine.why(site.base + "/docs/a").reason == f"redirects (301) to {site.base}/docs/c"


def test_a_seed_that_moves_late_lets_in_what_was_outside_before(crawl, see, site):
    there = site.base.replace("127.0.0.1", "localhost")
    site.show({"/docs/": [f"{there}/blog/x", "/docs/a"], "/docs/a": [], "/blog/x": [], "/blog/": []})
    site.routes["/late/"] = moved(f"{there}/blog/")
    crawl("/docs/", "/late/", order="newest")  # the other seed comes first
    crawl("/docs/", "/late/")
    assert see(f"{there}/blog/x") == "fetched allowed"


@pytest.mark.parametrize("order", ["breadth", "newest"])
def test_a_seed_that_moves_late_does_so_in_the_same_run(order, site):
    there = site.base.replace("127.0.0.1", "localhost")
    site.show({"/docs/": [f"{there}/blog/x"], "/blog/x": [], "/blog/": [], "/late/": moved(f"{there}/blog/")})
    with Engine() as engine:
        engine.crawl(site.base + "/docs/", site.base + "/late/", order=order, workers=0, index=False, rank=False)
        assert engine.why(f"{there}/blog/x").state == "fetched"


@pytest.mark.parametrize("first", ["/far", "/near"])
def test_redirects_are_counted_on_the_shortest_way(crawl, see, site, first):
    """/x is two redirects away from /far, and a link away from /near; two more lead on from it."""
    links = ["/far", "/near"] if first == "/far" else ["/near", "/far"]
    site.show({"/": links, "/near": ["/x"], "/y": moved("/z"), "/z": []})
    site.routes |= {"/far": moved("/1"), "/1": moved("/x"), "/x": moved("/y")}
    crawl("/", redirects=2)
    assert see("/z") == "fetched allowed"


# -- the same with any number of workers -------------------------------------------------------------


def test_where_a_url_was_found_does_not_depend_on_who_was_faster(site, tmp_path):
    names = [f"/{letter}" for letter in "hgfedcba"]
    site.show({"/": names, **{name: ["/shared", f"{name}/own"] for name in names}, "/shared": []})
    found = []
    for workers in (0, 3):
        with Engine(tmp_path / f"{workers}.db") as engine:
            engine.crawl(site.base + "/", workers=workers, index=False, rank=False)
            assert engine.why(site.base + "/shared").found_on == site.base + "/a"
            question = "SELECT urls.url, on_it.url FROM urls LEFT JOIN urls AS on_it ON on_it.id = urls.referrer_id"
            found.append(sorted(engine.store.db.execute(question), key=lambda row: row[0]))
    assert found[0] == found[1]
