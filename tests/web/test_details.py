"""The pages behind the results: every number shown is the engine's own, and leads to where it comes from."""

import sqlite3

import pytest

from minisearch import Engine
from minisearch.web.app import create_app


@pytest.fixture
def roses(client):
    return f"{client.site}/garden/roses.html"


def test_an_explanation_has_every_part_of_the_score(client, read, garden, roses):
    page = read(client.get("/explain", query_string={"q": "pruning roses", "url": roses}))
    account = garden.engine.explain("pruning roses", roses)
    assert page.select_one(".sum strong").text == f"{account.score:.4f}"
    shown = [row.select("td.n")[0].text for row in page.select("table.parts tbody tr")]
    assert shown == [f"{field.score:.4f}" for part in account.parts for field in part.fields]
    assert page.find("a", href="/term/pruning")
    payers = [link["href"] for link in page.select("table")[1].select("tbody a")]
    assert len(payers) == len(account.paid_by)
    assert all(client.get(href, follow_redirects=True).status_code == 200 for href in payers)


def test_another_ranking_is_called_by_its_name(garden, read, roses, tmp_path):
    copy = tmp_path / "trust.db"
    with sqlite3.connect(garden.path) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    with Engine(copy) as engine:
        engine.rank(method="trustrank", trust=(roses,))
        engine.ranking({"prior": "trustrank"})
    client = create_app(str(copy)).test_client()
    explained = read(client.get("/explain", query_string={"q": "pruning roses", "url": roses})).main.text
    assert "Where this trustrank comes from" in explained
    assert "PageRank" not in explained
    assert "PageRank" not in client.get("/search?q=roses&sort=rank").text


def test_the_explanation_leads_to_comparisons(client, read, garden, roses):
    page = read(client.get("/explain", query_string={"q": "pruning roses", "url": roses}))
    other = page.select(".rivals a")[0]["href"]
    compared = read(client.get(other))
    told = garden.engine.against("pruning roses", roses, garden.home + "flowers.html")
    assert told.because in compared.main.text
    assert compared.h1.text.startswith("Why is Pruning roses in late winter above")
    assert f"{told.first.score - told.second.score:+.4f}" in compared.main.text


def test_an_explanation_without_a_page_asks_for_one(client, read):
    assert read(client.get("/explain")).find("input", {"name": "url"})
    assert client.get("/explain?q=x&url=http://nowhere.example/").status_code == 404
    assert client.get("/explain?q=x&url=nonsense").status_code == 400


def test_a_page_shows_its_details(client, read, garden, roses):
    answer = client.get("/page", query_string={"url": roses}, follow_redirects=True)
    page, account = read(answer), garden.engine.page(roses, limit=20)
    assert page.h1.text == "Pruning roses in late winter"
    assert f"{account.standings[0].place} of {account.standings[0].pages}" in page.main.text
    assert page.find(id="in").text.startswith(f"{account.in_count} pages link here")
    assert page.find(id="out").text == f"Links to {account.out_count} URLs"
    for weight in account.terms[:5]:
        assert page.find("a", href=f"/term/{weight.term}")
    assert "no rule excludes it" in page.main.text
    assert page.find(id="advice")


def test_the_text_of_a_page_is_shown_as_text(client, read, garden, roses):
    number = garden.engine.number(roses)
    page = read(client.get(f"/page/{number}/text"))
    assert "bramble in evening dress" in page.article.text
    assert not page.article.find(["a", "img", "script"])
    assert client.get(f"/page/{number}/text?part=99").status_code == 200


@pytest.mark.parametrize("path", ["/page/0", "/page/999999", f"/page/{1 << 70}", "/page/99999999/text", "/page/x"])
def test_an_unknown_page_is_404(client, path):
    assert client.get(path).status_code == 404


def test_a_url_without_a_page_leads_to_its_status(client, read, garden):
    answer = client.get("/page", query_string={"url": garden.home + "shed/tools.html"}, follow_redirects=True)
    assert "robots.txt does not allow it" in read(answer).find(role="status").text


def test_a_word_shows_its_postings(client, read, garden):
    page, account = read(client.get("/term/roses")), garden.engine.term("roses")
    assert f"On {account.df} of {account.pages} pages" in page.main.text
    assert len(page.select(".postings > li")) == len(account.postings)
    assert read(client.get("/term/?word=roses")).h1.text == page.h1.text
    assert "No page contains this word" in client.get("/term/zeppelin").text
    assert client.get("/term/two words").status_code == 400


def test_why_shows_the_status_of_a_url(client, read, garden):
    page = read(client.get("/why", query_string={"url": garden.home + "shed/tools.html"}))
    assert "skipped" in page.find(role="status").text
    assert [item.text.rpartition(" › ")[2] for item in page.select(".way li")] == ["index.html", "soil.html"]
    never = client.get("/why?url=http://nowhere.example/")
    assert never.status_code == 404
    assert "never discovered" in never.text


def test_statistics_are_those_of_the_engine_and_every_chart_has_a_table(client, read, garden):
    page = read(client.get("/stats"))
    told = {item.dt.text: item.dd.text for item in page.select(".numbers div")}
    assert int(told["pages"]) == garden.engine.stats()["pages"]
    figures = {figure.figcaption.text: figure for figure in page.select("figure")}
    assert {"Pages by link depth", "Bow tie of the link graph", "Links per page", "Word frequencies (Zipf)"} <= set(
        figures
    )
    assert all(figure.find("svg") and figure.select("table tbody tr") for figure in figures.values())
    depths = [int(row.select("td")[1].text) for row in figures["Pages by link depth"].select("tbody tr")]
    assert depths == list(garden.engine.stats()["depths"].values())


def test_earlier_statuses_of_a_url_are_shown(site, tmp_path, read):
    site.show({"/": ["/a"], "/a": "<title>A kiwi</title>fruit"})
    path = tmp_path / "a.db"
    with Engine(path) as engine:
        engine.crawl(site.base + "/", workers=0)
        page = engine.number(site.base + "/a")
        site.show({"/": ["/a"]})
        engine.recrawl(accept_shrink=True)
        assert [one.state for one in engine.why(site.base + "/a").past] == ["fetched"]
        site.show({"/": ["/a"], "/a": "<title>A kiwi</title>bird"})
        engine.recrawl()
        page = engine.number(site.base + "/a")
    client = create_app(str(path)).test_client()
    for answer in (client.get("/why", query_string={"url": site.base + "/a"}), client.get(f"/page/{page}")):
        told = [one.text for one in read(answer).select(".history li")]
        assert len(told) == 2
        assert "failed" in told[0]
        assert "404" in told[0]
        assert "fetched" in told[1]
