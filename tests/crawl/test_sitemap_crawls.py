"""Crawls of real servers that have sitemaps, and one that remembers robots.txt."""

import gzip

import pytest

from minisearch.limits import Limits

XML = {"Content-Type": "application/xml"}


def urlset(site, *paths):
    return "".join(["<urlset>", *(f"<url><loc>{site.base}{path}</loc></url>" for path in paths), "</urlset>"]).encode()


def robots(*lines):
    return (200, {"Content-Type": "text/plain"}, "\n".join(lines).encode())


@pytest.fixture
def crawl(engine, site):
    def crawl(seed="/docs/", **options):
        return engine.crawl(site.base + seed, **{"workers": 0, "index": False, "rank": False, **options})

    return crawl


@pytest.fixture
def mapped(site):
    """A site with a page that only its sitemap knows."""
    site.show({"/docs/": ["/docs/a"], "/docs/a": [], "/docs/hidden": ["/docs/deeper"], "/docs/deeper": []})
    site.routes["/robots.txt"] = robots(f"Sitemap: {site.base}/map.xml")
    site.routes["/map.xml"] = (200, XML, urlset(site, "/docs/hidden", "/docs/a", "/blog/x"))
    return site


def test_pages_that_only_a_sitemap_names_are_found(engine, crawl, mapped):
    summary = crawl()
    assert summary.fetched == 4
    assert summary.skipped == {"sitemap": 1, "scope": 1}
    verdict = engine.why(f"{mapped.base}/docs/hidden")
    assert (verdict.depth, verdict.path) == (1, (f"{mapped.base}/map.xml",))
    assert engine.why(f"{mapped.base}/map.xml").reason == "read as a sitemap: 3 URLs taken"
    assert mapped.asked.count("/map.xml") == 1


def test_worker_processes_read_sitemaps_too(crawl, mapped):
    assert crawl(workers=1).fetched == 4


@pytest.mark.parametrize(("sitemaps", "pages"), [("none", 2), ("robots", 4), ("auto", 4)])
def test_sitemaps_are_read_as_the_person_says(crawl, mapped, sitemaps, pages):
    assert crawl(sitemaps=sitemaps).fetched == pages


def test_a_sitemap_can_be_named_by_hand(crawl, mapped):
    mapped.routes["/robots.txt"] = (404, {}, b"")
    assert crawl(sitemaps=[f"{mapped.base}/map.xml"]).fetched == 4


def test_a_sitemap_in_the_usual_place_can_be_guessed(crawl, mapped):
    mapped.routes["/robots.txt"] = (404, {}, b"")
    mapped.routes["/sitemap.xml"] = mapped.routes.pop("/map.xml")
    assert crawl().fetched == 2
    assert crawl("/docs/a", sitemaps="auto").fetched >= 1
    assert "/sitemap.xml" in mapped.asked


def test_index_files_gzip_and_redirects_are_followed(engine, crawl, mapped):
    base = mapped.base
    index = f"<sitemapindex><sitemap><loc>{base}/moved</loc></sitemap></sitemapindex>".encode()
    mapped.routes["/moved"] = (301, {"Location": "/map.xml.gz"}, b"")
    packed = gzip.compress(urlset(mapped, "/docs/hidden"))
    mapped.routes["/map.xml.gz"] = (200, {"Content-Type": "application/gzip"}, packed)
    mapped.routes["/map.xml"] = (200, XML, index)
    assert crawl().fetched == 4
    assert "1 sitemap named" in engine.why(f"{base}/map.xml").reason
    assert "redirects (301)" in engine.why(f"{base}/moved").reason


def test_robots_txt_may_forbid_the_sitemap_it_names(engine, crawl, mapped):
    mapped.routes["/robots.txt"] = robots("User-agent: *", "Disallow: /map", f"Sitemap: {mapped.base}/map.xml")
    assert crawl().fetched == 2
    assert "/map.xml" not in mapped.asked
    assert "robots.txt does not allow it" in engine.why(f"{mapped.base}/map.xml").reason


def test_a_sitemap_that_is_missing_changes_nothing(engine, crawl, mapped):
    del mapped.routes["/map.xml"]
    assert crawl().fetched == 2
    verdict = engine.why(f"{mapped.base}/map.xml")
    assert (verdict.state, verdict.rule) == ("failed", "sitemap")
    assert "404" in verdict.reason


def test_a_sitemap_that_is_missing_is_no_page_to_be_tried_again(engine, crawl, mapped):
    mapped.routes["/map.xml"] = (503, {}, b"")
    crawl(limits=Limits(tries=1))
    assert crawl(limits=Limits(tries=1)).fetched == 2
    assert engine.why(f"{mapped.base}/map.xml").rule == "sitemap"


def test_with_depth_0_only_the_start_is_fetched(crawl, mapped):
    summary = crawl(max_depth=0)
    assert (summary.fetched, summary.skipped["depth"]) == (1, 2)


def test_a_list_of_urls_that_somebody_links_to_stays_a_page(engine, crawl, mapped):
    listed = f"{mapped.base}/docs/hidden\n".encode()
    mapped.routes["/docs/list.txt"] = (200, {"Content-Type": "text/plain"}, listed)
    mapped.routes["/docs/"] = mapped._answer("/docs/", ["/docs/list.txt"])
    mapped.routes["/robots.txt"] = (404, {}, b"")
    crawl()
    assert engine.why(f"{mapped.base}/docs/list.txt").state == "fetched"
    mapped.routes["/docs/new"] = mapped._answer("/docs/new", [])
    engine.crawl(
        f"{mapped.base}/docs/new", sitemaps=[f"{mapped.base}/docs/list.txt"], workers=0, index=False, rank=False
    )
    assert engine.why(f"{mapped.base}/docs/list.txt").state == "fetched"
    assert engine.why(f"{mapped.base}/docs/hidden").state == "fetched"


@pytest.mark.parametrize("first", ["/map-1.xml", "/docs/"])
def test_pages_that_a_sitemap_names_are_no_trap_whatever_it_is_called_itself(crawl, mapped, first):
    goods = {f"/docs/item/{n}": f"<title>Item</title><p>In stock, {n} euro." for n in range(40)}
    for path, said in goods.items():
        number = int(path.rpartition("/")[2])
        mapped.routes[path] = mapped._answer(path, f'{said}<a href="/docs/item/{number + 1}">next</a>')
    if first == "/docs/":  # some of them are met before the sitemap is read
        mapped.routes[first] = mapped._answer(first, ["/docs/item/0"])
    mapped.routes["/robots.txt"] = robots(f"Sitemap: {mapped.base}/map-1.xml")
    mapped.routes["/map-1.xml"] = (200, XML, urlset(mapped, *goods))
    assert crawl(pattern_repeats=3).skipped == {"sitemap": 1}
    assert {*goods} <= {*mapped.asked}


def test_a_sitemap_for_people_is_a_page_like_any_other(engine, crawl, mapped):
    mapped.routes["/docs/map"] = mapped._answer("/docs/map", ["/docs/hidden"])
    mapped.routes["/docs/"] = mapped._answer("/docs/", ["/docs/map"])
    mapped.routes["/robots.txt"] = robots(f"Sitemap: {mapped.base}/docs/map", f"Sitemap: {mapped.base}/map.html")
    mapped.routes["/map.html"] = mapped._answer("/map.html", [])
    assert crawl().fetched == 4
    assert engine.why(f"{mapped.base}/docs/map").state == "fetched"
    outside = engine.why(f"{mapped.base}/map.html")
    assert (outside.rule, outside.past) == ("sitemap", ())


@pytest.mark.parametrize("called", ["text/html; charset=utf-8", "application/xhtml+xml"])
def test_a_sitemap_that_its_server_calls_html_is_a_sitemap_and_no_page(engine, crawl, mapped, called):
    mapped.routes["/robots.txt"] = robots(f"Sitemap: {mapped.base}/docs/map.php")
    mapped.routes["/docs/map.php"] = (200, {"Content-Type": called}, urlset(mapped, "/docs/hidden"))
    assert crawl().fetched == 4
    assert engine.why(f"{mapped.base}/docs/map.php").reason == "read as a sitemap: 1 URL taken"


def test_the_next_run_reads_the_sitemaps_that_the_request_limit_left_unread(crawl, site):
    site.show({"/": [], **{f"/page{n}": [] for n in range(8)}})
    maps = "".join(f"<sitemap><loc>{site.base}/map{n}.xml</loc></sitemap>" for n in range(8))
    site.routes["/robots.txt"] = robots(f"Sitemap: {site.base}/index.xml")
    site.routes["/index.xml"] = (200, XML, f"<sitemapindex>{maps}</sitemapindex>".encode())
    site.routes |= {f"/map{n}.xml": (200, XML, urlset(site, f"/page{n}")) for n in range(8)}
    while crawl("/", max_requests=6).limit_reached:
        assert len(site.requests) < 60
    assert {f"/page{n}" for n in range(8)} <= {*site.asked}
    assert [site.asked.count(f"/map{n}.xml") for n in range(8)] == [1] * 8


def test_sitemaps_that_were_left_unread_are_read_though_no_page_is_queued(engine, crawl, mapped):
    crawl()
    engine.store.db.execute(
        "UPDATE urls SET state = 'failed', detail = '{\"problem\": \"unreadable\"}' WHERE rule = 'sitemap'"
    )
    mapped.routes["/map.xml"] = (200, XML, urlset(mapped, "/docs/new"))
    mapped.routes["/docs/new"] = mapped._answer("/docs/new", [])
    assert crawl().fetched == 5


# -- robots.txt, from one run to the next --------------------------------------------------------


def asked_for_robots(site):
    return sum(path == "/robots.txt" for _, path in site.requests)


def test_robots_txt_is_asked_for_once_a_day(engine, crawl, mapped):
    crawl(max_pages=1)
    crawl(max_pages=2)
    assert asked_for_robots(mapped) == 1
    engine.store.db.execute("UPDATE robots SET fetched_at = '2020-01-01T00:00:00+00:00'")
    crawl(max_pages=3)
    assert asked_for_robots(mapped) == 2


def test_an_unreachable_robots_txt_is_asked_for_again_by_the_next_run(crawl, mapped):
    known = mapped.routes["/robots.txt"]
    mapped.routes["/robots.txt"] = (503, {}, b"")
    assert crawl(limits=Limits(tries=1)).skipped == {"robots-unreachable": 1}
    mapped.routes["/robots.txt"] = known
    assert crawl().fetched == 4


def test_a_robots_txt_that_is_unreachable_for_a_moment_is_waited_for(crawl, mapped):
    known = mapped.routes["/robots.txt"]
    answers = iter([(503, {}, b""), known])
    mapped.routes["/robots.txt"] = lambda _: next(answers, known)
    assert crawl().fetched == 4
    assert asked_for_robots(mapped) == 2
