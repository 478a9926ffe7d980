"""Near-identical pages on the search page: one hit, the others in a fold, and a link that shows all."""

import random
import re

import pytest

from minisearch import Engine
from minisearch.web.app import create_app
from minisearch.web.params import HITS

WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]
CHAPTERS = HITS + 2


def chapter(number, version):
    prose = " ".join(random.Random(number).choices(WORDS, k=300))
    return f"<title>Chapter c{number}k - Manual {version}</title><p>The zebra: {prose}"


@pytest.fixture(scope="module")
def client(site, tmp_path_factory):
    pages = {f"/{v}/c{n}.html": chapter(n, v) for n in range(CHAPTERS) for v in ("3.10", "3.11")}
    site.show({"/": list(pages), **pages})
    db = tmp_path_factory.mktemp("similar") / "manual.db"
    with Engine(db) as engine:
        engine.crawl(site.base + "/", workers=0)
    return create_app(str(db)).test_client()


def hits(html):
    return re.findall(r"<h2[^>]*><a[^>]*><bdi>Chapter c(\d+)k - Manual ([\d.]+)", html)


def test_each_hit_collapses_the_other_version(client):
    first, second = (client.get(f"/search?q=zebra&page={page}").text for page in (1, 2))
    assert len(hits(first)) == HITS
    assert sorted(int(number) for number, _ in hits(first) + hits(second)) == list(range(CHAPTERS))
    assert first.count("<summary>1 similar</summary>") == HITS
    assert f"of {2 * CHAPTERS}" in first


def test_there_is_no_page_of_hits_without_hits(client):
    last = client.get("/search?q=zebra&page=2").text
    assert "Page 2 of 2" in last
    assert "Next" not in last


def test_a_link_shows_all_of_them_on_every_page(client):
    assert 'href="/search?q=zebra&amp;fold=0"' in client.get("/search?q=zebra").text
    unfolded = client.get("/search?q=zebra&fold=0").text
    assert "similar" not in unfolded
    assert "page=2&amp;fold=0" in unfolded
    found = [hit for page in (1, 2, 3) for hit in hits(client.get(f"/search?q=zebra&fold=0&page={page}").text)]
    assert len(set(found)) == 2 * CHAPTERS
