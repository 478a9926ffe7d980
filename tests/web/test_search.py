"""The search page, over a real crawl."""

import re

import pytest

from minisearch.web.params import SEARCH


def titles(page):
    return [found.get_text() for found in page.select(".hits h2 bdi")]


def test_the_home_page_has_a_box_and_two_buttons(client, read):
    page = read(client.get("/"))
    assert page.find("input", {"name": "q", "type": "search"})
    assert [button.text for button in page.select("form.box button")] == ["Search", "I'm feeling lucky"]


def test_results_show_title_url_snippet_and_score(client, read):
    page = read(client.get("/search?q=pruning+roses"))
    first = page.select_one(".hits > li")
    assert first.select_one("h2 a")["href"] == f"{client.site}/garden/roses.html"
    assert first.select_one("h2 a")["rel"] == ["noreferrer"]
    assert first.select_one("h2").get_text(strip=True) == "Pruning roses in late winter"
    assert first.select_one(".trail bdi").text.endswith(" › garden › roses.html")
    assert first.select("mark")
    assert "English" in read(client.get("/search?q=paprika+OR+garden")).select_one(".hits").text  # and Serbian
    assert re.fullmatch(r"1-\d+ of \d+ pages", page.find(role="status").text.strip())
    assert page.find(id="q")["value"] == "pruning roses"


def test_the_meta_line_is_made_of_words(client, read):
    page = read(client.get("/search?q=pruning+roses"))
    lines = [" ".join(line.text.split()) for line in page.select(".meta")]
    date = r"crawled \d{4}-\d\d-\d\d"
    assert re.fullmatch(rf"score \d+\.\d · Why this rank\? · Page details · {date}", lines[0])
    assert re.match(r"score \d+\.\d · Why this rank\? · Page details · Compare with #1 · ", lines[1])
    compared = read(client.get(page.find("a", string="Compare with #1")["href"]))
    assert "Pruning roses in late winter" in compared.h1.text


def test_a_divider_is_shown_before_pages_without_all_the_words(client, read):
    hits = client.get("/api/search?q=pruning+roses").json["hits"]
    first_without = [hit["all_words"] for hit in hits].index(False)
    items = read(client.get("/search?q=pruning+roses")).select(".hits > li")
    assert [number for number, item in enumerate(items) if item.select(".divider")] == [first_without]
    assert items[first_without].select_one(".divider").text == "Pages without all the words"
    none = read(client.get("/search?q=hedge+paprika")).select(".divider")
    assert [divider.text for divider in none] == ["No page contains all the words. These contain some of them:"]


def test_each_passage_can_be_jumped_to_and_has_its_section(client, read):
    hits = {
        hit.select_one("h2 a")["href"]: hit for hit in read(client.get("/search?q=pruning+roses")).select(".hits > li")
    }
    flowers, roses = (hits[f"{client.site}/garden/{name}.html"] for name in ("flowers", "roses"))
    assert flowers.select_one(".section").text == "Summer"
    assert not roses.select(".section")
    for hit, name in ((flowers, "flowers"), (roses, "roses")):
        jump = hit.find("a", string="Jump to passage")
        assert jump["href"].startswith(f"{client.site}/garden/{name}.html#:~:text=")


def test_the_home_page_describes_the_collection(client, read, garden):
    page = read(client.get("/"))
    lead = " ".join(page.select_one(".lead").text.split())
    overview = garden.engine.overview()
    assert lead.startswith(f"{overview['pages']} pages from {client.site.removeprefix('http://')}, last crawled 2")
    assert page.find(id="q")["placeholder"] == f"Search {overview['pages']} pages"
    links = {link["href"] for link in page.main.find_all("a")}
    assert {"/graph", "/lab", "/stats", "/why", "/learn/handbook/index.html"} <= links
    examples = page.select(".examples a")
    assert len(examples) == 3
    for link in examples:
        assert titles(read(client.get(link["href"])))


def test_pages_of_results_are_linked_and_keep_the_parameters(client, read):
    first = read(client.get("/search?q=garden&sort=text"))
    assert not first.find("a", rel="prev")
    second = read(client.get(first.find("a", rel="next")["href"]))
    assert "sort=text" in second.find("a", rel="prev")["href"]
    assert not set(titles(first)) & set(titles(second))


def test_a_misspelt_word_gets_a_suggestion(client, read):
    offer = read(client.get("/search?q=tomatoe+prunning")).select_one(".suggestion a")
    assert "pruning" in offer.text
    assert titles(read(client.get(offer["href"])))


def test_a_query_without_hits_is_reported(client, read):
    for path in ("/search?q=zeppelin", "/lucky?q=zeppelin"):
        assert read(client.get(path)).find(role="status").text == "No results for zeppelin."


def test_filters_have_right_counts_and_can_be_removed(client, read):
    page = read(client.get("/search?q=paprika+OR+garden"))
    choices = {item.a.text: (int(item.span.text), item.a["href"]) for item in page.select(".filters li")}
    assert len(choices) > 1
    count, address = choices["Serbian"]
    narrowed = read(client.get(address))
    assert re.search(rf"of {count} pages", narrowed.find(role="status").text)
    back = narrowed.find("a", {"aria-label": "Remove the filter sr"})
    assert titles(read(client.get(back["href"]))) == titles(page)


def test_a_filter_works_beside_an_open_quotation_mark(client, read):
    assert read(client.get('/search?q="paprika&lang=en')).find(role="status").text.startswith("No results")


@pytest.mark.parametrize("sort", SEARCH["sort"]["enum"])
def test_results_can_be_sorted(client, read, sort):
    page = read(client.get(f"/search?q=garden&sort={sort}"))
    assert page.select_one("#sort option[selected]")["value"] == sort
    assert len(titles(page)) == 10


def test_another_blend_marks_moved_results(client, read):
    usual, linked = (read(client.get(f"/search?q=garden{more}")) for more in ("", "&blend=1"))
    assert not usual.select(".moved")
    before, after = titles(usual), titles(linked)
    assert before != after
    for item in linked.select(".hits > li"):
        title, moved = item.select_one("h2 bdi").text, item.select_one(".moved")
        if title in before and moved:
            way, places = moved.text.split()
            assert before.index(title) - after.index(title) == int(places) * (1 if way == "up" else -1)
        elif title in before:
            assert before.index(title) == after.index(title)
    assert linked.find("a", string="Reset")


@pytest.mark.parametrize("path", ["/lucky?q=hedge+maze", "/search?q=hedge+maze&lucky=1"])
def test_lucky_goes_to_the_best_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer.location == f"{client.site}/garden/hedge-maze-1.html"


def test_a_near_tie_shows_both_pages_and_the_reason(site, tmp_path, read):
    from minisearch import Engine
    from minisearch.web.app import create_app

    site.show(
        {
            "/": ["/a", "/b"],
            "/a": "<title>A kiwi</title>The kiwi bird lives in New Zealand and sleeps by day.",
            "/b": "<title>B kiwi</title>The kiwi fruit grows on a vine and tastes of summer.",
        }
    )
    with Engine(tmp_path / "tie.db") as engine:
        engine.crawl(site.base + "/", workers=0)
    client = create_app(str(tmp_path / "tie.db")).test_client()
    page = read(client.get("/lucky?q=kiwi"))
    assert page.h1.text == "Two pages match almost equally well"
    assert sorted(titles(page)) == ["A kiwi", "B kiwi"]
    assert "kiwi" in page.main.p.text
    go = client.get(page.find("a", string="Open the first")["href"])
    assert go.status_code == 302
    assert go.location == page.select_one(".hits a")["href"]


@pytest.mark.parametrize("path", ["/search", "/search?q=", "/search?q=+", "/lucky", "/lucky?q="])
def test_no_query_leads_to_the_box(client, read, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert read(answer).body["class"] == ["home"]


@pytest.mark.parametrize("page", ["0", "-3", "999999999999", "x", "1e3"])
@pytest.mark.parametrize("rest", ["", "&blend=nan", "&blend=x&sort=y", "&blend=9&site=a b&lang=%22"])
def test_any_parameters_get_a_page(client, page, rest):
    assert client.get(f"/search?q=garden&page={page}{rest}").status_code == 200


def test_suggestions_are_in_the_opensearch_format(client):
    answer = client.get("/suggest?q=prun")
    assert answer.content_type == "application/x-suggestions+json"
    typed, found = answer.get_json(force=True)
    assert typed == "prun"
    assert any(text.startswith(("Prun", "prun")) for text in found)
    assert client.get("/suggest").get_json(force=True) == ["", []]


def test_filters_do_not_change_the_score_of_an_exact_match(client):
    title = "Pruning roses in late winter"
    place = client.site.partition("//")[2]
    for filters in ({}, {"site": place}, {"lang": "en"}, {"site": f"{place}/garden", "lang": "en"}):
        first = client.get("/api/search", query_string={"q": title, **filters}).json["hits"][0]
        assert first["title"] == title
        assert first["score"] == pytest.approx(
            client.get("/api/search", query_string={"q": title}).json["hits"][0]["score"]
        )


def test_a_query_without_hits_offers_its_words(client, read):
    page = read(client.get('/search?q=%2Bzeppelin "roses tulips" -red'))
    told = {each.text: each.find_next("dd").text for each in page.select("dl.alone dt")}
    assert set(told) == {"zeppelin", "roses", "tulips"}
    assert told["zeppelin"] == "no pages"
    for word in ("roses", "tulips"):
        found = read(client.get(page.find("a", string=word)["href"]))
        assert told[word].split()[0] in found.find(role="status").text
    some = page.find("a", string=lambda text: text and "some of the words" in text)
    assert some["href"].endswith("q=zeppelin+roses+tulips")
    assert some.text.split()[0] in read(client.get(some["href"])).find(role="status").text


def test_words_of_a_phrase_are_offered_as_typed(client, read):
    page = read(client.get("/search", query_string={"q": '"zeppelin AND roses OR 日本語 -C++"'}))
    told = {each.text: each.find_next("dd").text for each in page.select("dl.alone dt")}
    assert [*told] == ["zeppelin", "and", "roses", "or", "日本語", "C++"]
    assert told["and"] != "no pages"


def test_offered_words_are_counted_on_the_chosen_site(client, read):
    page = read(client.get("/search?q=zeppelin+roses&site=nowhere.example"))
    assert [each.text for each in page.select("dl.alone dd")] == ["no pages", "no pages"]


def test_one_word_without_hits_offers_only_help(client, read):
    page = read(client.get("/search?q=zeppelin"))
    assert not page.select("dl.alone")
    assert page.find("a", string="Search syntax")
