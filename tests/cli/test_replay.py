import json

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main


@pytest.fixture
def run(garden):
    return lambda *words: CliRunner().invoke(
        main, ["graph", "replay", str(garden.path), *words], catch_exceptions=False
    )


def test_a_table_shows_the_share_after_n_pages(run):
    done = run()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["pages", "breadth", "newest", "best", "ideal"]
    assert lines[10].split()[1:] == ["100.0%"] * 4
    assert lines[11].split()[0] == "mean"


def test_one_order_alone(run):
    assert run("--order", "newest").stdout.splitlines()[0].split() == ["pages", "newest", "ideal"]


def test_json_has_every_step(run):
    report = json.loads(run("--json").output)
    assert report["breadth"]["mass"][-1] == pytest.approx(1)
    assert len(report["best"]["mass"]) == report["best"]["pages"] == 28


def test_curves_are_drawn_into_a_file(run, tmp_path):
    done = run("--plot", str(tmp_path / "curves.svg"))
    assert done.exit_code == 0
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")
    assert "cannot write" in run("--svg", str(tmp_path / "no" / "curves.svg")).output
