"""Counts are shown with separators of thousands, and in the singular where they are one."""

import json
import re
from dataclasses import fields, is_dataclass, replace
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.crawl import print_summary
from minisearch.cli.main import main
from minisearch.models import CrawlSummary
from minisearch.web.app import create_app

LARGE = 1_234_567
NOT_COUNTS = ("page_id", "status", "marks", "level", "places", "offset", "iterations", "time", "step")
DIGITS = re.compile(r"(?<![\d.,/:-])\d{4,}(?![\d-]| \d\d:)")  # but not in 0.1234, in dates and in URLs

PLURALS = re.compile(r"(?<![\d.,#])\b1 (?!page links)[a-zA-Z-]* ?(?:pages|links|words|times|results|URLs|rows)\b")


def counting(value, count, name=""):
    """A record with all its counts replaced."""
    if name in NOT_COUNTS or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return count if value else value
    if is_dataclass(value):
        changed = {each.name: counting(getattr(value, each.name), count, each.name) for each in fields(value)}
        return replace(value, **changed)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value._replace(**{each: counting(getattr(value, each), count, each) for each in value._fields})
    if isinstance(value, tuple | list):
        return type(value)(counting(each, count) for each in value)
    if isinstance(value, dict):
        return {each: counting(one, count, each) for each, one in value.items()}
    return value


@pytest.fixture(params=[LARGE, 1])
def counts(request, garden, monkeypatch):
    """Lets the engine count everything as 1,234,567, and then as 1."""
    for name in ("search", "explain", "against", "page", "term", "stats", "shape", "overview"):
        original = getattr(Engine, name)
        monkeypatch.setattr(
            Engine,
            name,
            lambda *words, original=original, **more: counting(original(*words, **more), request.param),
        )
    home = garden.home
    return SimpleNamespace(db=str(garden.path), home=home, first=f"{home}roses.html", second=f"{home}soil.html")


def check(text):
    assert DIGITS.findall(text) == []
    assert (
        re.findall(r"(?<![\d.,#])\b1 (?!page links)[a-zA-Z-]* ?(?:pages|links|words|times|results|URLs|rows)\b", text)
        == []
    )


COMMANDS = [
    "search roses",
    "search roses --table",
    "explain roses {first}",
    "explain roses {first} --against {second}",
    "page {first}",
    "term rose",
    "stats",
    "rankers roses",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_show_counts_for_people(counts, words):
    done = CliRunner().invoke(main, words.format(**vars(counts)).split(), env={"MINISEARCH_DB": counts.db})
    assert done.exit_code == 0, done.output
    check(re.sub(r"\S+://\S+|--limit \d+", "", done.output))


PATHS = [
    "/",
    "/search?q=roses",
    "/search?q=rosez",
    "/explain?q=roses&url={first}",
    "/explain?q=roses&url={first}&against={second}",
    "/page/1",
    "/term/rose",
    "/stats",
    "/graph",
    "/tables",
]


@pytest.mark.parametrize("path", PATHS)
def test_pages_show_counts_for_people(counts, path):
    response = create_app(counts.db).test_client().get(path.format(**vars(counts)))
    assert response.status_code == 200
    page = BeautifulSoup(response.text, "html5lib").body
    for data in page.find_all("script"):
        data.decompose()
    check(re.sub(r"\S+://\S+", "", page.get_text("\n")))


def test_json_has_plain_numbers(garden):
    done = CliRunner().invoke(main, ["stats", "--db", str(garden.path), "--json"])
    assert isinstance(json.loads(done.stdout)["links"], int)


def test_the_summary_of_a_crawl_has_separators(capsys):
    rules = {"robots": LARGE, "scope": 1}
    print_summary(CrawlSummary(LARGE, 1, LARGE, rules, rules, LARGE), "a.db")
    check(capsys.readouterr().out)
