"""Near-identical pages in the terminal: one hit, a word about the others, and a way to see them."""

import csv
import io
import json
import random
import re

import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import main

WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]


def manual(version):
    prose = " ".join(random.Random(1).choices(WORDS, k=300))
    return f"<title>Zebra - Manual {version}</title><p>The zebra: {prose}"


@pytest.fixture
def run(site, tmp_path):
    pages = {f"/{version}/zebra.html": manual(version) for version in ("3.9", "3.10", "3.11")}
    site.show({"/": [*pages, "/lion"], "/lion": "<title>Lion</title><p>No zebra at all", **pages})
    db = str(tmp_path / "zoo.db")
    with Engine(db) as engine:
        engine.crawl(site.base + "/", workers=0)
    return lambda *words: CliRunner().invoke(main, ["search", "manual", "--db", db, *words]).stdout


def test_a_hit_says_how_many_are_similar(run):
    shown = run()
    assert re.search(r"2 similar: http\S+/zebra.html http\S+/zebra.html\n", shown)
    assert shown.count("Zebra - Manual") == 1


def test_no_collapse_shows_all_of_them(run):
    shown = run("--no-collapse")
    assert "similar" not in shown
    assert shown.count("Zebra - Manual") == 3


def test_json_and_csv_name_them(run, site):
    (hit,) = json.loads(run("--json"))["hits"]
    (row,) = csv.DictReader(io.StringIO(run("--csv")))
    urls = {f"{site.base}/{version}/zebra.html" for version in ("3.9", "3.10", "3.11")}
    assert {hit["url"], *hit["similar"]} == {row["url"], *row["similar"].split()} == urls


def test_a_table_counts_them(run):
    assert "(+ 2 similar)" in run("--table")
