"""What the README says is so: its commands run and print what it shows, its Python runs, its map leads somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from minisearch.cli.main import COMMANDS
from minisearch.testing.server import fixture_server

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SHOWN_SITE = "http://127.0.0.1:8000"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.M | re.S)
MEASURED = re.compile(r"\d+\.\d+ (ms|s)\b")  # no two runs take the same time


@pytest.fixture(scope="module")
def site():
    with fixture_server() as base_url:
        yield base_url


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.stdout


def steps():
    """(command, the output shown below it) of every minisearch command in a console block, in order."""
    for kind, text in BLOCKS:
        if kind == "console":
            yield from re.findall(r"^\$ (minisearch .*)\n((?:(?!\$ ).*\n)*)", text, re.M)


def test_every_shown_command_prints_what_the_readme_shows(site, folder):
    assert list(steps())
    for command, shown in steps():
        typed = shlex.split(command.replace(SHOWN_SITE, site))
        printed = run([sys.executable, "-m", *typed], folder).replace(site, SHOWN_SITE)
        assert MEASURED.sub("0 \\1", printed) == MEASURED.sub("0 \\1", shown), command


def test_the_python_example_runs_and_prints_what_it_says(site, folder):
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    printed = run([sys.executable, "-c", code.replace(SHOWN_SITE, site)], folder)
    assert "Pruning roses" in printed
    assert "Traceback" not in printed


def test_every_command_is_in_the_readme():
    for name in COMMANDS:
        assert f"minisearch {name}" in README, name


def test_every_place_on_the_map_exists():
    places = re.findall(r"`((?:minisearch|scripts|tests|fixtures_site)/[\w./]*)`", README)
    assert len(places) > 10
    for place in places:
        assert (ROOT / place).exists(), place
