"""The fixture sites and their answer keys agree with one another."""

import json
import re
from collections import deque
from urllib.parse import urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup

from minisearch.testing.server import FIXTURES

TO_LATIN = dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
TO_LATIN |= {"љ": "lj", "њ": "nj", "џ": "dž"}
TO_LATIN |= {cyrillic.upper(): latin.capitalize() for cyrillic, latin in TO_LATIN.items()}

ROOT = "http://localhost"
HOME = ROOT + "/garden/"
REDIRECTS = {ROOT + old: ROOT + new for old, new in json.loads((FIXTURES / "redirects.json").read_text()).items()}


def load(site):
    folder = FIXTURES / site
    names = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.html"))
    soups = {name: BeautifulSoup((folder / name).read_bytes(), "html.parser") for name in names}
    return soups, json.loads((folder / "key.json").read_text("utf-8"))


FOUR, FOUR_KEY = load("four")
GARDEN, KEY = load("garden")
every_garden_page = pytest.mark.parametrize("name", GARDEN)


def links(soup, page):
    """The page's anchors: (absolute url after redirects, fragment, whether to follow)."""
    for a in soup.select("a[href]"):
        url, fragment = urldefrag(urljoin(page, a["href"]))
        yield REDIRECTS.get(url, url), fragment, "nofollow" not in a.get("rel", ())


def crawl():
    """The simplest crawl that keeps the rules: depths and graph of what it fetched, and what it did not."""
    depth, graph, skipped, failed, unfollowed = {"index.html": 0}, {}, {}, {}, set()
    queue = deque(depth)
    while queue:
        page = queue.popleft()
        targets = set()
        for url, _, follow in links(GARDEN[page], HOME + page):
            target = url.removeprefix(HOME)
            if url in KEY["ignored"]:
                continue
            if not url.startswith(HOME):
                skipped[url.replace(ROOT, "..")] = "scope"
            elif not follow:
                unfollowed.add(target)
            elif target.startswith("shed/"):
                skipped[target] = "robots"
            elif target not in GARDEN:
                failed[target] = "http-404"
            else:
                targets.add(target)
                if target not in depth:
                    depth[target] = depth[page] + 1
                    queue.append(target)
        graph[page] = sorted(targets)
    skipped |= dict.fromkeys(unfollowed - set(depth), "nofollow")
    return depth, graph, skipped, failed


def test_the_four_pages_link_as_the_key_says():
    found = {name: [url.removeprefix(ROOT + "/") for url, *_ in links(soup, ROOT + "/")] for name, soup in FOUR.items()}
    assert found == FOUR_KEY["graph"]


def test_the_four_ranks_follow_from_the_graph():
    graph, d = FOUR_KEY["graph"], FOUR_KEY["damping"]
    rank = dict.fromkeys(graph, 1 / 4)
    for _ in range(FOUR_KEY["rounds"]):
        rank = {
            page: (1 - d) / 4 + d * sum(rank[p] / len(out) for p, out in graph.items() if page in out) for page in graph
        }
    assert rank == pytest.approx(FOUR_KEY["ranks"], abs=FOUR_KEY["tolerance"])
    assert sorted(FOUR_KEY["rank_list"], key=rank.get, reverse=True) == FOUR_KEY["rank_list"]
    assert FOUR_KEY["lucky"] == max(rank, key=rank.get)


@pytest.mark.parametrize("order", ["newest-first", "breadth-first"])
def test_the_four_crawl_orders_follow_from_the_graph(order):
    waiting, crawled = deque([FOUR_KEY["start"]]), []
    while waiting:
        page = waiting.pop() if order == "newest-first" else waiting.popleft()
        if page not in crawled:
            crawled.append(page)
            waiting.extend(FOUR_KEY["graph"][page])
    assert crawled == FOUR_KEY["crawl_order"][order]
    for limit, pages in FOUR_KEY["max_pages"][order].items():
        assert pages == crawled[: int(limit)]


@every_garden_page
def test_a_garden_page_is_well_made(name):
    soup = GARDEN[name]
    words = soup.body.get_text(" ").split()
    assert soup.html["lang"] in ("en", "sr-Cyrl", "sr-Latn")
    assert soup.title.get_text()
    assert soup.find("meta", attrs={"name": "description"})["content"]
    assert len(soup.select("h1")) == 1
    assert soup.select("h2")
    assert all(image.get("aria-label") for image in soup.select("svg"))
    assert 120 <= len(words) <= 300


@every_garden_page
def test_every_garden_link_leads_somewhere_or_is_the_broken_one(name):
    for url, fragment, _ in links(GARDEN[name], HOME + name):
        target = url.removeprefix(HOME)
        if target in KEY["failed"] or not url.startswith(ROOT):
            continue
        assert (FIXTURES / url.removeprefix(ROOT + "/")).is_file()
        assert not fragment or GARDEN[target].find(id=fragment)


def test_the_garden_crawl_meets_what_the_key_says():
    depth, graph, skipped, failed = crawl()
    assert list(depth) == KEY["fetched"]
    assert depth == KEY["depth"]
    assert graph == KEY["graph"]
    assert skipped == KEY["skipped"]
    assert failed == KEY["failed"]


def test_the_merged_graph_is_the_graph_without_aliases():
    kept = {page: targets for page, targets in KEY["graph"].items() if page not in KEY["merged"]}
    folded = {page: sorted({KEY["merged"].get(t, t) for t in targets}) for page, targets in kept.items()}
    assert folded == KEY["merged_graph"]


def test_the_dangling_page_is_the_only_one_without_links():
    assert [name for name, soup in GARDEN.items() if not soup.select("a")] == KEY["dangling"]


def test_the_trap_can_be_entered_but_not_left():
    trap = set(KEY["trap"])
    assert all(set(KEY["graph"][page]) <= trap for page in trap)
    assert any(set(targets) & trap for page, targets in KEY["graph"].items() if page not in trap)


def test_the_noindex_page_alone_leads_to_another():
    [hidden] = [name for name, soup in GARDEN.items() if soup.select('meta[name=robots][content*="noindex"]')]
    only_here = [t for t in KEY["graph"][hidden] if sum(t in out for out in KEY["graph"].values()) == 1]
    assert ([hidden], only_here) == (KEY["noindex"], ["seed-saving.html"])


def test_aliases_are_a_redirect_a_canonical_link_and_a_copy():
    merged = {old.removeprefix(HOME): new.removeprefix(HOME) for old, new in REDIRECTS.items() if old.startswith(HOME)}
    for name, soup in GARDEN.items():
        for link in soup.select('link[rel="canonical"]'):
            merged[name] = link["href"]
    copy, original = FIXTURES / "garden" / "compost-heap.html", FIXTURES / "garden" / "compost.html"
    assert copy.read_bytes() == original.read_bytes()
    assert {**merged, copy.name: original.name} == KEY["merged"]


def test_no_other_two_pages_have_the_same_content():
    assert len({str(soup) for soup in GARDEN.values()}) == len(GARDEN) - 1


def test_the_twins_are_one_text_in_two_scripts():
    cyrillic, latin = (GARDEN[KEY["twins"][script]] for script in ("sr-Cyrl", "sr-Latn"))
    assert "".join(TO_LATIN.get(c, c) for c in cyrillic.get_text()) == latin.get_text()
    assert not re.search("[A-Za-z]", cyrillic.body.get_text())
    for script, soup in (("sr-Cyrl", cyrillic), ("sr-Latn", latin)):
        alternates = {link["hreflang"]: link["href"] for link in soup.select('link[rel="alternate"]')}
        assert (soup.html["lang"], alternates) == (script, KEY["twins"])


def test_words_that_must_not_be_found_stand_only_on_pages_that_must_not():
    shown = set(KEY["fetched"]) - set(KEY["merged"]) - set(KEY["noindex"])
    for case in KEY["nothing"]:
        pages = {name for name, soup in GARDEN.items() if case["query"] in soup.get_text().lower()}
        assert pages
        assert not pages & shown


def test_every_query_word_stands_on_a_page_that_must_come_first():
    assert len(KEY["queries"]) >= 20
    for case in KEY["queries"]:
        text = " ".join(GARDEN[name].get_text().lower() for name in case["first"])
        assert all(word in text for word in case["query"].split())


def test_the_readme_names_every_page_once():
    rows = re.findall(r"^\| `([^`]+\.html)` \|", (FIXTURES / "garden" / "README.md").read_text(), re.MULTILINE)
    assert sorted(rows) == list(GARDEN)
