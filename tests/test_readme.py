"""The README is true: its commands print what it shows, its Python runs, its links lead somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from minisearch.testing.server import fixture_server
from tests.handbook.console import SHOWN_SITE, comparable, readme_steps

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


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


def test_every_shown_command_prints_what_the_readme_shows(site, folder):
    assert len(readme_steps()) >= 3
    for command, shown in readme_steps():
        typed = shlex.split(command.replace(SHOWN_SITE, site))
        printed = run([sys.executable, "-m", *typed], folder).replace(site, SHOWN_SITE).rstrip("\n")
        assert comparable(printed) == comparable(shown), command


def test_the_python_example_runs_and_prints_what_it_says(site, folder):
    (code,) = re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
    printed = run([sys.executable, "-c", code.replace(SHOWN_SITE, site)], folder)
    assert "Pruning roses" in printed
    assert "Traceback" not in printed


def test_the_readme_is_a_first_page_and_not_a_manual():
    assert len(README.splitlines()) <= 150


def test_every_link_of_the_readme_leads_somewhere():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) > 10
    for target in targets:
        assert (ROOT / target).is_file(), target
