"""scripts/bench: its parts on a small site, its tables, and its resumable runs."""

import doctest
import os
import shutil
import subprocess
import sys
from contextlib import closing
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest

LIB = Path(__file__).parent.parent / "scripts" / "lib"


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(LIB))
    monkeypatch.setenv("PYTHONPATH", str(LIB))


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    head = "<title>A page</title><body><script>hidden</script>"
    (folder / "index.html").write_text(f'{head}<a href="a.html#x">one</a><a href="core/b.html">two</a> seen', "utf-8")
    (folder / "a.html").write_text(f'{head}<a href="index.html">back</a><a href="note.txt">note</a>', "utf-8")
    return folder


@pytest.mark.parametrize(
    "name",
    [
        "__main__",
        "corpus",
        "crawl",
        "crawlers",
        "engines",
        "extrapolation",
        "frontier",
        "quality",
        "report",
        "runner",
        "scale",
        "search",
        "serve",
    ],
)
def test_doctests(name):
    done = doctest.testmod(import_module(f"bench.{name}"))
    assert done.attempted
    assert not done.failed


@pytest.mark.parametrize("command", ["search", "quality", "rank", "crawl", "scale", "serve"])
def test_each_command_has_a_module(command):
    module = import_module(f"bench.{command}")
    assert callable(module.measure)
    assert callable(module.tables)


NATURAL = {"id": "1", "query": "undo a commit", "relevant": {"git-revert.html": 2, "git-reset.html": 1}, "section": {}}


def judged_set(kind, name, queries):
    from bench.corpus import Corpus
    from bench.quality import Judged

    return Judged(kind, name, queries, 10, Corpus(Path("nowhere")), lambda url: url)


def test_natural_queries_have_strict_and_lenient_columns():
    from bench.quality import columns

    known = {"id": "2", "query": "revert", "relevant": ["git-revert.html"]}
    assert columns(judged_set("known", "git", [known])) == {"known git": [known]}
    for site in ("git", "pandas"):
        scored = columns(judged_set("natural", site, [NATURAL]))
        assert {column: queries[0]["relevant"] for column, queries in scored.items()} == {
            "natural strict": ["git-revert.html"],
            "natural lenient": ["git-revert.html", "git-reset.html"],
        }


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("http://127.0.0.1:1/howto/#top:~:text=undo", "howto/index.html#top"),
        ("http://127.0.0.1:1/git%2Dreset.html#:~:text=undo", "git-reset.html#"),
        ("http://127.0.0.1:1/git-reset.html", "git-reset.html#"),
    ],
)
def test_target_is_the_page_and_fragment_of_a_link(link, target):
    from bench import quality

    assert quality.target(link, judged_set("natural", "git", [])) == target


def test_quality_table_and_section_accuracy():
    from bench.quality import tables

    metrics = {"mrr10": 0.5, "s1": 0.25, "map": 0.125, "ndcg10": 0.75}
    columns = ["known a", "known b", "adhoc c", "natural strict", "natural lenient"]
    figures = {
        "engines": {"minisearch": dict.fromkeys(columns, metrics)},
        "queries": {"known a": 3, "known b": 2, "adhoc c": 4, "natural a": 5},
        "sections": {"judged": 4, "page": 2, "section": 1},
    }
    shown = tables(figures).splitlines()
    assert shown[0] == "Judged queries: known a 3, known b 2, adhoc c 4, natural a 5."
    assert shown[2] == (
        "|  | a MRR@10 / s@1 | b MRR@10 / s@1 | c MAP / nDCG@10 | natural strict MRR@10 / s@1 "
        "| natural lenient MRR@10 / s@1 | mean MRR@10 / s@1 | mean MAP / nDCG@10 |"
    )
    assert shown[4].count("0.500 / 0.250") == 5
    assert shown[4].count("0.125 / 0.750") == 2
    assert "the first hit of minisearch is on its page for 2 and links to the section for 1." in shown[6]
    assert len(tables(figures | {"sections": {"judged": 0, "page": 0, "section": 0}}).splitlines()) == 5


def test_requirements_of_larger_webs():
    from bench.scale import tables

    sizes = {"crawl": 2.0, "index": 1.0, "search": 0.001}
    stages = [
        {
            "pages": pages,
            **{
                stage: {"seconds": cost * pages / 1000, "cpu": cost * pages / 1000, "memory": 1e8, "p99": cost}
                for stage, cost in sizes.items()
            },
        }
        for pages in (1000, 10_000)
    ]
    for one in stages:
        one["index"]["bytes"] = 10_000 * one["pages"]
    more = {"blocks": 1, "cut": 1.0, "rounds": 10, "cpu": 1.0, "memory": 1e8, "threads": 1}
    ranks = [
        {"links": links, "pages": links // 10, "rank": links / 1e6, "disk": 8 * links, **more}
        for links in (10**6, 10**7)
    ]
    text = tables({"rank": ranks, "workers": [], "stages": stages})
    # A million pages: 2 ms each to crawl, 1 ms to index; 114 iterations of 0.1 s for a million links; 10 kB a page.
    assert "| 1e6 | 1e7 | 0.56 | 0.28 | 0.032 | 10 GB | 1 |" in text
    assert "| 1e10 | 1e11 | 5,600 | 2,800 | 320 | 100 TB |" in text


def test_a_stopped_run_is_resumed(tmp_path, monkeypatch, capsys):
    from bench import scale
    from bench.runner import Failed

    done = []

    def run(name, error=None):
        def measure():
            done.append(name)
            if error:
                raise error
            return {"of": name}

        return measure

    def step(name, error=None):
        return scale.Step("part", name, 60, run(name, error))

    monkeypatch.setattr(scale, "CHECKPOINT", tmp_path / "scale" / "checkpoint.json")
    found = scale.run_steps([step("a"), step("b", Failed("too full")), step("c", KeyboardInterrupt())])
    assert found == {"part": [{"of": "a"}], "missing": ["b", "c"]}
    messages = capsys.readouterr().err
    assert "a ... (1 of 3, about 3 minutes to go)" in messages
    assert "b failed: too full" in messages
    assert "run the same command to resume" in messages

    found = scale.run_steps([step("a"), step("b"), step("c")])
    assert found == {"part": [{"of": "a"}, {"of": "b"}, {"of": "c"}], "missing": []}
    assert done == ["a", "b", "c", "b", "c"]
    assert not scale.CHECKPOINT.exists()


def test_tables_of_a_run_without_figures():
    from bench.scale import tables

    assert tables({"rank": [], "workers": [], "stages": [], "missing": ["all"]}) == ""


nginx_is_here = pytest.mark.skipif(
    shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin") is None, reason="nginx is not installed"
)


@nginx_is_here
def test_nginx_serves_a_folder_and_stops(site):
    from bench import nginx

    with nginx.serve(site) as home, urlopen(home) as response:
        assert b"seen" in response.read()
        assert response.headers["content-type"] == "text/html"
    with pytest.raises(OSError, match="refused"):
        urlopen(home)


@nginx_is_here
def test_a_crawl_is_measured(site, tmp_path):
    from bench import nginx
    from bench.crawl import run_job
    from bench.crawlers import Job

    with nginx.serve(site) as home:
        done = run_job(Job("minisearch", str(tmp_path / "x.db"), home, (f"{home}core/",), None))
    assert (done["pages"], done["links"]) == (2, 4)
    assert 0 < done["seconds"] < done["whole"]
    assert done["memory"] > 10e6


def test_missing_nginx(monkeypatch):
    from bench import nginx

    monkeypatch.setattr(nginx.shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="apt-get install nginx"):
        nginx.find()


def test_memory_of_a_process_tree():
    from bench.runner import MemoryMonitor

    hold = "x = b'x' * 50_000_000; import time; time.sleep(1)"
    both = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {hold!r}]); {hold}; p.wait()"
    process = subprocess.Popen([sys.executable, "-c", both], text=True)
    with MemoryMonitor(process.pid) as monitor:
        process.wait()
    assert 100e6 < monitor.peak < 300e6
    assert monitor.processes == 2


def test_a_failed_child_process_is_reported():
    from bench import runner
    from bench.frontier import resume

    with pytest.raises(runner.Failed, match="a child process ended with 1"):
        runner.call(Path(sys.executable), resume, "/nowhere/x.db", "not a number")


def test_the_page_store_stores_each_page_once(tmp_path):
    from bench.crawlers import PageStore, stored

    with closing(PageStore(str(tmp_path / "s.db"))) as store:
        store.add("http://a/", "A", "text", [("http://a/b", "b"), ("http://c/", "c")])
        store.add("http://a/", "A", "again", [("http://a/b", "b")])
    done = stored("scrapy", tmp_path / "s.db")
    assert (done["pages"], done["characters"], done["links"]) == (1, 4, 2)


def test_the_frontier_is_filled_and_resumed(tmp_path, monkeypatch):
    from bench import frontier

    monkeypatch.setattr(frontier, "GROUPS", 1)
    file = str(tmp_path / "f.db")
    grown = frontier.grow(file, 3000)
    assert set(grown["many"]) == {"bare", "linked"}
    assert frontier.resume(file, 3000)["steps"]["bare"] > 0
    assert frontier.resume_with_rules(file, 3000)["first"] > 0


def crawled(rate, memory=100e6):
    done = {"pages": 10, "characters": 5, "links": 7, "bytes": 9, "whole": 2, "cpu": 1, "processes": 3}
    return {**done, "seconds": 10 / rate, "pages/s": rate, "memory": memory}


def test_crawl_budgets():
    from bench.crawl import tables

    sites = {"a": {"scrapy": crawled(10), "tuned": crawled(60), "minisearch": crawled(200, 500e6)}}
    text = tables({"sites": sites, "pages": None})
    assert "| Scrapy, LinkExtractor and XPath | 10.0 | 20.0x | 100 |" in text
    assert "10 times as fast as Scrapy, LinkExtractor and XPath | 20.0x | met | met |" in text
    assert "a: 1.1 times as fast as Scrapy, tuned | 3.33x | met | met |" in text
    assert "a: all processes below 400 MB | 500 MB | **not met** |" in text


@pytest.mark.parametrize(("known", "verdict"), [(1_000_000, "met"), (20_000, "too few to tell")])
def test_frontier_budgets_hold_for_large_frontiers(known, verdict):
    from bench.crawl import frontier_budgets

    steps = {"bare": 0.001, "linked": 0.002}
    one = {"few": steps, "many": steps, "memory": 90e6, "first": 1, "steps": steps}
    rows = frontier_budgets({"known": known, "grow": one, "resume": one, "resume_with_rules": one})
    assert [row[2] for row in rows] == [verdict] * 3


def test_a_random_graph_is_ranked_out_of_core(tmp_path):
    from bench.workloads import rank

    found = rank(1000, 9000, str(tmp_path / "web"), "2")
    assert found["pages"] == 1000
    assert 8000 < found["links"] <= 9540
    assert found["sum"] == pytest.approx(1)


@nginx_is_here
def test_the_synthetic_site_is_crawled_indexed_and_searched(tmp_path):
    from bench import nginx
    from bench.scale import page_path, write_site
    from bench.workloads import crawl, index, search

    queries = write_site(tmp_path / "site", 30)
    with nginx.serve(tmp_path / "site") as base:
        assert crawl(str(tmp_path / "site.db"), base + page_path(0), None)["pages"] == 30
    assert index(str(tmp_path / "site.db"))["pages"] == 30
    assert search(str(tmp_path / "site.db"), queries[:3])["seconds"] > 0


def test_help_installs_nothing(tmp_path):
    scripts = shutil.copytree(LIB.parent, tmp_path / "scripts")
    (scripts / "lib" / "venv.sh").write_text("use_venv() { :; }\nfind_python() { return 1; }\n", "utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [scripts / "bench", "search", "--help"]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, "--queries" in done.stdout) == (0, True), done.stderr
