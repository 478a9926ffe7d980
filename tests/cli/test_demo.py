"""demo and exercise, run as a person would."""

import json
import os
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest

from minisearch.lesson.exercises import exercises
from minisearch.testing.server import FIXTURES


def minisearch(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "minisearch", *words],
        cwd=cwd, text=True, capture_output=True, timeout=300,
    )  # fmt: skip


def test_the_tour_succeeds_and_detects_the_spam_farm(tmp_path):
    done = minisearch("demo", "--once", "--db", "tour.db", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout
    assert "119 fetched, 5 merged" in told
    assert told.index("1. Why does damping matter?") < told.index("2. ")
    assert "/garden/hedge-maze-1.html" in told
    by_rank, by_trust, by_mass = (told.split(f"minisearch rank {how}")[1].split("\n$")[0] for how in (
        "--top", "--method trustrank", "--method spam-mass",
    ))  # fmt: skip
    elixir = "/handbook/farm/elixir.html"
    assert elixir in by_rank
    assert elixir not in by_trust.partition("The elixir is gone")[0]
    assert by_mass.count("/handbook/farm/") == 10
    assert "Where to look next" in told
    assert (tmp_path / "tour.db").exists()


def test_the_tour_overwrites_no_file(tmp_path):
    (tmp_path / "mine.db").write_text("precious")
    done = minisearch("demo", "--once", "--db", "mine.db", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "already exists" in done.stderr
    assert (tmp_path / "mine.db").read_text() == "precious"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_only_the_sites_are_served_until_a_signal(tmp_path, ending):
    command = [sys.executable, "-m", "minisearch", "demo", "--sites", "--site-port", "0"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, env=env) as server:
        lines = [server.stdout.readline() for _ in range(5)]
        for line in lines[:4]:
            with urlopen(line.split()[-1], timeout=60) as page:
                assert b"</html>" in page.read()
        base = lines[0].split()[-1].partition("/handbook/")[0]
        shown = (FIXTURES / "handbook" / "start.html").read_text("utf-8")
        assert f"$ minisearch demo --sites\n{''.join(lines)}".rstrip().replace(base, "http://127.0.0.1:8000") in shown
        server.send_signal(ending)
        try:
            assert server.wait(timeout=60) == 0
        finally:
            server.kill()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def exercise(tmp_path):
    return lambda *words: minisearch("exercise", *words, cwd=tmp_path)


def test_the_exercises_are_listed(exercise):
    assert len(exercise().stdout.splitlines()) == len(exercises())


def test_a_right_answer_is_accepted_and_a_wrong_one_gets_a_hint(exercise):
    right, wrong = exercise("1", "--check", "4"), exercise("1", "--check", "5")
    assert (right.returncode, right.stdout.split()[0]) == (0, "right:")
    assert wrong.returncode == 1
    assert json.loads(json.dumps(exercises()[0].hint)) in wrong.stdout
    assert "right" not in wrong.stdout


def test_the_question_does_not_give_the_answer_away(exercise):
    told = exercise("16", "--hint")
    assert "hint:" in told.stdout
    assert "5307" not in told.stdout


@pytest.mark.parametrize("words", [("99",), ("1", "--check", "many"), ("2", "--check", " "), ("--check", "4"), ("0",)])
def test_bad_input_is_reported(exercise, words):
    done = exercise(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert done.stderr
