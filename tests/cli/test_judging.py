"""judge and eval, run as a person would: real processes, a real site, and a terminal for the keys."""

import json
import os
import pty
import select
import subprocess
import sys
import termios
import time

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main
from minisearch.evaluation.trec import read_judgements, read_run


@pytest.fixture
def run(garden, tmp_path):
    """Runs a command on the garden, in a folder of its own."""

    def minisearch(*words, **more):
        return subprocess.run(
            [sys.executable, "-m", "minisearch", *words, "--db", str(garden.path)],
            cwd=tmp_path, text=True, capture_output=True, timeout=60, **more,
        )  # fmt: skip

    return minisearch


@pytest.fixture
def call(garden, tmp_path, monkeypatch):
    """The same within this process, where there are many cases."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, [*words, "--db", str(garden.path)])


@pytest.fixture
def press(garden, tmp_path):
    """Runs `minisearch judge` in a terminal where someone presses these keys; gives what the terminal shows."""

    def judge(query, keys):
        ours, theirs = pty.openpty()
        words = ["judge", query, "--qrels", "mine.qrels", "--db", str(garden.path)]
        process = subprocess.Popen(
            [sys.executable, "-m", "minisearch", *words], cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        try:
            shown = answer(ours, keys)
            return process.wait(timeout=10), shown
        finally:
            process.kill()
            process.wait()
            os.close(ours)

    return judge


def answer(terminal, keys):
    """Press a key at each question, again if it came too early to be seen; gives all that was shown until the end."""
    shown, until = "", time.monotonic() + 20
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                part = os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            shown += part
        elif "[q]uit" in shown.rpartition("\n")[2]:
            os.write(terminal, keys[shown.count("[q]uit") - 1].encode())
    return shown


@pytest.fixture
def judged(tmp_path):
    """Two queries of the garden as a JSONL set: the answer to the first is right, to the second not to be found."""
    rows = [
        {"id": "g1", "query": "pruning roses", "relevant": ["garden/roses.html"]},
        {"id": "g2", "query": "hedge maze", "relevant": ["garden/nowhere.html"]},
        {"id": "g3", "query": "compost", "relevant": []},
    ]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "set.jsonl"


def test_keys_become_judgements(press, garden, tmp_path):
    code, shown = press("pruning roses", "gbsq")
    assert code == 0
    assert "Pruning roses in late winter" in shown
    (found,) = read_judgements(tmp_path / "mine.qrels")
    assert (found.id, list(found.grades.values())) == ("pruning_roses", [1, 0])
    assert found.grades[f"{garden.home}roses.html"] == 1


def test_an_earlier_judgement_is_shown_and_can_be_changed(press, garden, tmp_path):
    press("pruning roses", "gq")
    _, shown = press("pruning roses", "bq")
    assert "judged good before" in shown
    assert (tmp_path / "mine.qrels").read_text().splitlines() == [
        f"pruning_roses 0 {garden.home}roses.html 1",
        f"pruning_roses 0 {garden.home}roses.html 0",
    ]


def test_judge_does_not_add_to_a_jsonl_set(press, tmp_path):
    (tmp_path / "mine.qrels").write_text('{"id": "1", "query": "x", "relevant": ["a"]}\n')
    code, shown = press("pruning roses", "g")
    assert code == 2
    assert "is a JSONL set" in shown


def test_judging_ends_with_a_message_when_the_terminal_closes(garden, tmp_path):
    ours, theirs = pty.openpty()
    words = ["judge", "pruning roses", "--qrels", "mine.qrels", "--db", str(garden.path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "minisearch", *words],
        cwd=tmp_path, text=True, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    shown = ""
    while "[q]uit" not in shown:
        shown += os.read(ours, 4096).decode(errors="replace")
    while termios.tcgetattr(ours)[3] & termios.ICANON:  # until it waits for a single key
        time.sleep(0.01)
    os.close(ours)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 2
    assert told.startswith("minisearch: ")
    assert told.count("\n") == 1


def test_judge_needs_a_terminal(run, tmp_path):
    done = run("judge", "roses", "--qrels", "mine.qrels", input="g")
    assert done.returncode == 2
    assert "run it in a terminal" in done.stderr
    assert not (tmp_path / "mine.qrels").exists()


def test_eval_prints_one_metric_per_line(run, judged):
    done = run("eval", "--qrels", judged)
    assert done.returncode == 0, done.stderr
    rows = dict(line.split() for line in done.stdout.splitlines())
    assert rows == {
        "P@10": "0.0500", "MRR@10": "0.5000", "MAP": "0.5000", "nDCG@10": "0.5000",
        "success@1": "0.5000", "success@10": "0.5000", "recall@100": "0.5000",
    }  # fmt: skip
    assert done.stderr == "2 queries\nleft out: 1 query without a relevant page\n"


def test_metrics_without_data_are_left_out(run, judged):
    done = run("eval", "--qrels", judged, "--limit", "5")
    rows = dict(line.split() for line in done.stdout.splitlines())
    assert list(rows) == ["P@5", "MRR@5", "MAP", "nDCG@5", "success@1", "success@5", "recall@5"]
    assert rows["P@5"] == "0.1000"
    assert "MAP is computed over 5 hits per query" in done.stderr


def test_trec_qrels_are_their_own_queries_or_have_a_file(run, garden, tmp_path):
    (tmp_path / "qrels").write_text(f"pruning_roses 0 {garden.home}roses.html 1\n")
    own = json.loads(run("eval", "--qrels", "qrels", "--json").stdout)
    assert (own["queries"], own["metrics"]["MRR@10"]) == (1, 1.0)
    (tmp_path / "queries").write_text("pruning_roses\tzeppelin\n")
    other = run("eval", "--qrels", "qrels", "--queries", "queries", "--json")
    assert json.loads(other.stdout)["metrics"]["MRR@10"] == 0.0
    assert "no judged page was found" in other.stderr


def test_the_run_file_has_the_hits_in_their_order(run, judged, garden, tmp_path):
    assert run("eval", "--qrels", judged, "--run-out", "run", "--limit", "5").returncode == 0
    answers = read_run(tmp_path / "run")["g1"]
    assert [url for url, _ in answers] == [hit.url for hit in garden.engine.search("pruning roses", limit=5).hits]
    assert [score for _, score in answers] == sorted((score for _, score in answers), reverse=True)


def test_hits_are_compared_with_an_earlier_run(run, judged, tmp_path):
    assert run("eval", "--qrels", judged, "--run-out", "before").returncode == 0
    found = json.loads(run("eval", "--qrels", judged, "--compare", "run=before", "--json").stdout)
    assert found["compared"][0]["metrics"] == found["metrics"]
    (tmp_path / "none").write_text("")
    nothing = json.loads(run("eval", "--qrels", judged, "--compare", "run=none", "--json").stdout)["compared"][0]
    assert set(nothing["metrics"].values()) == {0.0}
    assert nothing["gained"]["MRR@10"]["mean"] == -found["metrics"]["MRR@10"] < 0


def test_an_invalid_run_file_is_refused_before_any_query(run, judged, tmp_path):
    (tmp_path / "odd").write_text("nonsense\n")
    done = run("eval", "--qrels", judged, "--compare", "run=odd")
    assert done.returncode == 2
    assert "odd, line 1: expected 6 columns" in done.stderr


def test_compare_shows_the_effect_of_another_setting(run, judged):
    words = ("eval", "--qrels", judged, "--compare", "sort=text", "--compare", "blend=0")
    text, blend = json.loads(run(*words, "--json").stdout)["compared"]
    assert (text["setting"], blend["setting"]) == ("sort=text", "blend=0")
    assert text["metrics"] == blend["metrics"]  # both leave the links out
    assert text["gained"]["MAP"].keys() == {"mean", "low", "high", "p"}
    header = run(*words).stdout.splitlines()[0]
    assert header.split() == ["metric", "current", "sort=text", "difference", "95%", "interval", "p"]


@pytest.mark.parametrize(("least", "code"), [("MRR@10=0.5", 0), ("mrr@10=0.51", 3), ("nDCG@5=1", 3)])
def test_too_low_a_metric_is_exit_code_3(call, judged, least, code):
    done = call("eval", "--qrels", judged, "--fail-under", least)
    assert done.exit_code == code
    assert (", below " in done.stderr) == (code == 3)


WRONG = [
    (["--qrels", "missing"], 'cannot read "missing"'),
    (["--qrels", "set.jsonl", "--compare", "limit=3"], 'unknown ranking weight "limit"'),
    (["--qrels", "set.jsonl", "--compare", "blend=2"], "blend must be a number from 0 to 1"),
    (["--qrels", "set.jsonl", "--compare", "blend=much"], 'must be a number, not "much"'),
    (["--qrels", "set.jsonl", "--compare", "sort=date"], "sort must be one of"),
    (["--qrels", "set.jsonl", "--fail-under", "F1=0.5"], "unknown metric 'F1'"),
    (["--qrels", "set.jsonl", "--fail-under", "MAP=5"], "must be between 0 and 1"),
    (["--qrels", "set.jsonl", "--fail-under", "P@10=0.5", "--limit", "9"], "P@10 needs a higher --limit than 9"),
    (["--qrels", "set.jsonl", "--run-out", "no/such/folder"], "cannot write"),
    (["--qrels", "bad.qrels"], "bad.qrels, line 2: expected 4 columns"),
    (["--qrels", "empty.qrels"], "has a relevant page"),
]


@pytest.mark.parametrize(("words", "told"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_bad_input_is_one_line_and_exit_code_2(call, judged, tmp_path, words, told):
    (tmp_path / "bad.qrels").write_text("q 0 a 1\nq 0 a\n")
    (tmp_path / "empty.qrels").write_text("q 0 a 0\n")
    done = call("eval", *words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert isinstance(done.exception, SystemExit)


MERGED = [  # how it is judged, what is asked
    ("old-roses.html", "pruning roses"),  # a redirect
    ("sowing-calendar-print.html", "sowing calendar"),  # names another as its canonical page
    ("compost-heap.html", "making compost"),  # says the same as another
    ("roses.html#winter", "pruning roses"),
]


@pytest.mark.parametrize("form", ["path", "/path", "url"])
@pytest.mark.parametrize(("page", "query"), MERGED)
def test_a_judged_url_counts_for_its_canonical_page(call, garden, tmp_path, page, query, form):
    name = {"path": f"garden/{page}", "/path": f"/garden/{page}", "url": garden.home + page}[form]
    (tmp_path / "qrels").write_text(f"{query.replace(' ', '_')} 0 {name} 2\n")
    (tmp_path / "set").write_text(json.dumps({"id": "1", "query": query, "relevant": [name]}))
    for judged in ("qrels", "set"):
        metrics = json.loads(call("eval", "--qrels", judged, "--json").stdout)["metrics"]
        assert (metrics["MRR@10"], metrics["nDCG@10"]) == (1.0, 1.0)


def test_two_judged_urls_of_one_page_are_one_relevant_page(call, garden, tmp_path):
    names = ["garden/roses.html", "/garden/roses.html", f"{garden.home}roses.html", "garden/old-roses.html"]
    (tmp_path / "set").write_text(json.dumps({"id": "1", "query": "pruning roses", "relevant": names}))
    metrics = json.loads(call("eval", "--qrels", "set", "--json").stdout)["metrics"]
    assert (metrics["MAP"], metrics["nDCG@10"], metrics["recall@100"], metrics["P@10"]) == (1.0, 1.0, 1.0, 0.1)


def test_the_last_judgement_of_a_page_counts_for_all_its_urls(call, garden, tmp_path):
    lines = [f"roses 0 {garden.home}{page} {grade}\n" for page, grade in [("roses.html", 1), ("old-roses.html", 0)]]
    (tmp_path / "bad").write_text("".join(lines))
    assert "has a relevant page" in call("eval", "--qrels", "bad").stderr
    (tmp_path / "good").write_text("".join([*lines, lines[0]]))
    assert json.loads(call("eval", "--qrels", "good", "--json").stdout)["queries"] == 1


def test_judge_shows_a_judgement_of_another_url_of_the_page(press, garden, tmp_path):
    (tmp_path / "mine.qrels").write_text(f"pruning_roses 0 {garden.home}old-roses.html 1\n")
    assert "judged good before" in press("pruning roses", "q")[1]


def test_a_judged_url_counts_for_its_canonical_page_in_several_files(garden, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(main, ["shard", str(garden.path), "--n", "2", "--out", "parts"])
    (tmp_path / "qrels").write_text("pruning_roses 0 garden/old-roses.html 1\n")
    done = CliRunner().invoke(main, ["eval", "--qrels", "qrels", "--json", "--db", "parts/*"])
    assert json.loads(done.stdout)["metrics"]["MAP"] == 1.0
