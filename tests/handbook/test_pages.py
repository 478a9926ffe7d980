"""The pages of the handbook are well made: valid, accessible, of a readable length, and linked as intended."""

import json
import re
from itertools import pairwise
from urllib.parse import urldefrag, urljoin

import html5lib
import pytest
from bs4 import BeautifulSoup

from minisearch.testing.server import FIXTURES
from tests.handbook.console import HANDBOOK

KEY = json.loads((HANDBOOK / "key.json").read_text("utf-8"))
SOUPS = {
    str(file.relative_to(HANDBOOK)): BeautifulSoup(file.read_bytes(), "html.parser")
    for file in sorted(HANDBOOK.rglob("*.html"))
}
TWINS = {twin["page"]: name for name, twin in KEY["twins"].items()}
FRAME = {"index.html", "glossary.html", "exercises.html", "sources.html"}  # they lead to the chapters
PROPS = {*KEY["dangling"], *KEY["noindex"], *KEY["canonical"], "guestbook.html"}  # they are what chapters talk about
CHAPTERS = [name for name in SOUPS if "/" not in name and name not in FRAME | PROPS]
every_page = pytest.mark.parametrize("name", SOUPS)


def words(soup):
    """The words of a page that are meant to be read, and not commands, their output or labels in a figure."""
    main = BeautifulSoup(str(soup.main), "html.parser")
    for other in main.select("pre, svg"):
        other.extract()
    return main.get_text(" ").split()


def links(name):
    """(path from the handbook after redirects, fragment) for each link of a page."""
    for a in SOUPS[name].select("a[href]"):
        url, fragment = urldefrag(urljoin(f"http://here/handbook/{name}", a["href"]))
        path = url.removeprefix("http://here/handbook/").replace("http://here/", "../")
        yield KEY["redirect"].get(path, path), fragment


def test_there_are_enough_chapters_and_twelve_of_them_in_serbian():
    assert 40 <= len(CHAPTERS) <= 50
    assert len(TWINS) == 12
    scripts = [twin["language"] for twin in KEY["twins"].values()]
    assert {scripts.count("sr-Cyrl"), scripts.count("sr-Latn")} == {6}


@every_page
def test_a_page_is_valid_html(name):
    html5lib.HTMLParser(strict=True).parse((HANDBOOK / name).read_text("utf-8"))


@every_page
def test_a_page_can_be_read_by_everybody(name):
    soup = SOUPS[name]
    assert soup.html["lang"] in ("en", "sr-Cyrl", "sr-Latn")
    assert soup.title.get_text() == soup.h1.get_text()
    assert len(soup.select("h1")) == len(soup.select("main")) == 1
    assert soup.find("meta", attrs={"name": "description"})["content"]
    levels = [int(heading.name[1]) for heading in soup.select("h1, h2, h3")]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(image["role"] == "img" and image["aria-label"] for image in soup.select("svg"))
    assert all(box.get("tabindex") == "0" for box in soup.select("pre.console, pre.file"))
    assert all(bar["aria-label"] for bar in soup.select("nav"))
    assert all(table.select("thead th") for table in soup.select("table"))
    assert not soup.select("img, script, iframe")
    ids = [tag["id"] for tag in soup.select("[id]")]
    assert len(ids) == len(set(ids))


@every_page
def test_a_page_asks_for_nothing_but_the_style_sheet(name):
    asked = {tag.get("src") or tag.get("href") for tag in SOUPS[name].select("[src], link[rel=stylesheet]")}
    assert asked == {"../" * name.count("/") + "handbook.css"}
    assert not re.search(r"@import|url\(", (HANDBOOK / "handbook.css").read_text())


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_teaches_in_few_words_and_ends_with_something_to_try(name):
    soup = SOUPS[name]
    assert 200 <= len(words(soup)) <= 500
    assert soup.select("pre.console")
    assert soup.find("h2", id="try")
    if name != "start.html":
        assert {"index.html", "glossary.html"} <= {path for path, _ in links(name)}
        assert soup.find("h2", id="example") or name == "why-first.html"


@pytest.mark.parametrize("name", TWINS)
def test_a_translation_is_not_much_shorter_than_the_page(name):
    assert len(words(SOUPS[name])) >= 0.4 * len(words(SOUPS[TWINS[name]])) or name == "sr/index.html"
    assert SOUPS[name].select("pre.console, pre code, code")


@pytest.mark.parametrize("name", TWINS)
def test_a_translation_and_its_page_name_each_other(name):
    english = TWINS[name]
    language = KEY["twins"][english]["language"]
    assert SOUPS[name].html["lang"] == language
    for page, soup in ((name, SOUPS[name]), (english, SOUPS[english])):
        named = {tag["hreflang"]: urljoin(f"/{page}", tag["href"])[1:] for tag in soup.select("link[rel=alternate]")}
        assert named == {"en": english, language: name}
    cyrillic = len(re.findall("[а-шђјљњћџ]", " ".join(words(SOUPS[name])), re.IGNORECASE))
    assert (cyrillic > 300) is (language == "sr-Cyrl")


@every_page
def test_every_link_leads_somewhere_or_is_the_broken_one(name):
    for path, fragment in links(name):
        if path in KEY["broken"]:
            assert KEY["broken"][path] == name
        else:
            assert (HANDBOOK / path).is_file(), path
            assert not fragment or SOUPS[path].find(id=fragment)


def test_no_page_is_forgotten():
    linked = {path for name in SOUPS for path, _ in links(name)}
    assert set(SOUPS) <= linked | {*KEY["redirect"]}


def test_the_style_sheet_has_its_colours_for_dark_screens():
    assert "prefers-color-scheme: dark" in (HANDBOOK / "handbook.css").read_text()


def test_words_that_must_not_be_found_stand_only_on_pages_that_must_not():
    hidden = {*KEY["robots"], *KEY["nofollow"], *KEY["noindex"], *KEY["canonical"]}
    for case in KEY["nothing"]:
        pages = {name for name, soup in SOUPS.items() if case["query"] in soup.get_text().lower()}
        assert pages
        assert pages <= hidden, case


def test_the_exercises_on_the_page_are_those_that_are_checked():
    shown = [
        item.get_text().rpartition(" (")[0] for level in ("easy", "middle", "hard")
        for item in SOUPS["exercises.html"].find("h2", id=level).find_next("ol").select("li")
    ]  # fmt: skip
    asked = json.loads((HANDBOOK / "exercises.json").read_text("utf-8"))
    assert shown == [exercise["question"] for exercise in asked]


def test_the_sites_are_shipped_in_the_package():
    import tomllib

    from minisearch.testing import server as testing

    project = tomllib.loads((FIXTURES.parent / "pyproject.toml").read_text("utf-8"))
    assert "sites/**/*" in project["tool"]["setuptools"]["package-data"]["minisearch"]
    inside = FIXTURES.parent / "minisearch" / "sites"
    assert inside.resolve() == FIXTURES == testing.FIXTURES
