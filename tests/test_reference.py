"""The reference is well made and true. Its console blocks are run with those of the handbook (tests/handbook)."""

import re
from itertools import pairwise
from urllib.parse import urldefrag

import click
import html5lib
import pytest
from bs4 import BeautifulSoup

from minisearch.cli.main import main
from minisearch.testing.server import FIXTURES
from tests.handbook.console import README, REFERENCE

ROOT = FIXTURES.parent
PAGES = {file.name: BeautifulSoup(file.read_bytes(), "html.parser") for file in sorted(REFERENCE.glob("*.html"))}
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]+")
every_page = pytest.mark.parametrize("name", PAGES)


def commands():
    """(words of the command line, text) of every minisearch command in the reference and in the README."""
    texts = [code.get_text() for soup in PAGES.values() for code in soup.select("code, pre")]
    texts += re.findall(r"`([^`\n]+)`", README.read_text("utf-8"))
    texts += re.findall(r"^```\w*\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    for text in texts:
        for line in re.findall(r"^(?:\$ )?minisearch (?=[a-z])(.*)", text, re.M):
            yield line.split(), line


def find(words):
    """The click command that `words` name, and the words that are left."""
    command, left = main, list(words)
    while isinstance(command, click.Group) and left:
        found = command.get_command(click.Context(command), left[0])
        if found is None:
            break
        command, left = found, left[1:]
    return command, left


@every_page
def test_a_page_is_valid_html(name):
    html5lib.HTMLParser(strict=True).parse((REFERENCE / name).read_text("utf-8"))


@every_page
def test_a_page_is_accessible(name):
    soup = PAGES[name]
    assert soup.html["lang"] == "en"
    assert soup.title.get_text() == soup.h1.get_text()
    assert len(soup.select("h1")) == len(soup.select("main")) == 1
    assert soup.find("meta", attrs={"name": "description"})["content"]
    levels = [int(heading.name[1]) for heading in soup.select("h1, h2, h3")]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(box.get("tabindex") == "0" for box in soup.select("pre, .wide"))
    assert all(table.select("thead th") for table in soup.select("table"))
    ids = [tag["id"] for tag in soup.select("[id]")]
    assert len(ids) == len(set(ids))


@every_page
def test_every_link_leads_somewhere(name):
    for link in PAGES[name].select("a[href]"):
        path, fragment = urldefrag(link["href"])
        target = REFERENCE / (path or name)
        assert target.is_file(), path
        assert not fragment or BeautifulSoup(target.read_bytes(), "html.parser").find(id=fragment), link["href"]


def test_the_contents_lead_to_every_page():
    linked = {link["href"] for link in PAGES["index.html"].select("main a")}
    assert set(PAGES) - {"index.html"} <= linked


def test_every_visible_command_is_in_the_list_of_commands():
    text = PAGES["commands.html"].get_text(" ")
    context = click.Context(main)
    for name in main.list_commands(context):
        if not main.get_command(context, name).hidden:
            assert re.search(rf"\b{name}\b", text), name


def test_every_command_and_option_shown_exists():
    shown = [(*find(words), line) for words, line in commands()]
    assert len(shown) > 50
    for command, left, line in shown:
        if line.startswith("graph rank "):  # or parses its arguments itself
            continue
        assert command is not main, line
        known = {option for each in command.params for option in each.opts} | {"--help"}
        assert set(OPTION.findall(" ".join(left))) <= known, line


def test_every_file_named_exists():
    places = [code.get_text() for code in PAGES["architecture.html"].select("code")]
    places = [place for place in places if re.fullmatch(r"(minisearch|scripts|tests|fixtures_site)/[\w./]*", place)]
    assert len(places) > 20
    for place in places:
        assert (ROOT / place).exists(), place


def test_every_table_and_view_is_described():
    schema = (ROOT / "minisearch/store/schema.sql").read_text("utf-8")
    described = {code.get_text() for code in PAGES["file.html"].select("td code")}
    assert described == set(re.findall(r"^CREATE (?:TABLE|VIEW) (\w+)", schema, re.M))
