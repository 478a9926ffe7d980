"""scripts/bench: that the parts of its `crawl` measure what they say, on a small site."""

import doctest
import json
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
    "name", ["crawl", "crawlers", "frontier", "nginx", "pieces", "quality", "report", "scale", "scalereport"]
)
def test_the_examples_in_its_modules_hold(name):
    done = doctest.testmod(import_module(f"bench.{name}"))
    assert done.attempted
    assert not done.failed


def test_every_command_has_somebody_who_measures_and_somebody_who_tells():
    from bench.__main__ import MODULES

    for measuring, telling in MODULES.values():
        assert callable(import_module(f"bench.{measuring}").measure)
        assert callable(import_module(f"bench.{telling}").tables)


NATURAL = {"id": "1", "query": "undo a commit", "relevant": {"git-revert.html": 2, "git-reset.html": 1}, "section": {}}


def judged_set(kind, name, queries):
    from bench.feed import Fed
    from bench.quality import Judged

    return Judged(kind, name, queries, 10, Fed(Path("nowhere")), lambda url: url)


def test_natural_queries_of_all_sites_are_scored_together_strictly_and_leniently():
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
    ("link", "place"),
    [
        ("http://127.0.0.1:1/howto/#top:~:text=undo", "howto/index.html#top"),
        ("http://127.0.0.1:1/git%2Dreset.html#:~:text=undo", "git-reset.html#"),
        ("http://127.0.0.1:1/git-reset.html", "git-reset.html#"),
    ],
)
def test_a_link_leads_to_a_page_and_its_fragment(link, place):
    from bench import quality

    assert quality.place(link, judged_set("natural", "git", [])) == place


def test_quality_is_one_table_with_the_section_accuracy_below():
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


def test_what_larger_webs_need_is_told_from_what_was_measured():
    from bench.scalereport import tables

    sizes = {"crawl": 2.0, "index": 1.0, "search": 0.001}
    stages = [
        {
            "pages": pages,
            **{
                stage: {"seconds": cost * pages / 1000, "processor": cost * pages / 1000, "memory": 1e8, "p99": cost}
                for stage, cost in sizes.items()
            },
        }
        for pages in (1000, 10_000)
    ]
    for one in stages:
        one["index"]["bytes"] = 10_000 * one["pages"]
    more = {"blocks": 1, "cut": 1.0, "rounds": 10, "processor": 1.0, "memory": 1e8, "threads": 1}
    ranks = [
        {"links": links, "pages": links // 10, "rank": links / 1e6, "disk": 8 * links, **more}
        for links in (10**6, 10**7)
    ]
    told = tables({"rank": ranks, "workers": [], "stages": stages})
    # A million pages: 2 ms each to crawl, 1 ms to index; 114 rounds of 0.1 s for each million links; 10 kB a page.
    assert "| 1e6 | 1e7 | 0.56 | 0.28 | 0.032 | 10 GB | 1 |" in told
    assert "| 1e10 | 1e11 | 5,600 | 2,800 | 320 | 100 TB |" in told


def test_a_long_run_keeps_what_it_has_measured(tmp_path, monkeypatch, capsys):
    from bench import pieces

    done = []

    def run(name, error=None):
        def work():
            done.append(name)
            if error:
                raise error
            return {"of": name}

        return work

    def piece(name, error=None):
        return pieces.Piece("part", name, 60, run(name, error))

    monkeypatch.setattr(pieces, "KEPT", tmp_path / "scale" / "kept.json")
    found = pieces.carried_out([piece("a"), piece("b", pieces.Failed("too full")), piece("c", KeyboardInterrupt())])
    assert found == {"part": [{"of": "a"}], "missing": ["b", "c"]}
    said = capsys.readouterr().err
    assert "a ... (1 of 3, about 3 minutes to go)" in said
    assert "b failed: too full" in said
    assert "the same command goes on" in said

    found = pieces.carried_out([piece("a"), piece("b"), piece("c")])
    assert found == {"part": [{"of": "a"}, {"of": "b"}, {"of": "c"}], "missing": []}
    assert done == ["a", "b", "c", "b", "c"]
    assert not pieces.KEPT.exists()


def test_what_was_measured_of_a_run_that_was_stopped_is_told():
    from bench.scalereport import tables

    assert tables({"rank": [], "workers": [], "stages": [], "missing": ["all"]}) == ""


nginx_is_here = pytest.mark.skipif(
    shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin") is None, reason="nginx is not installed"
)


@nginx_is_here
def test_nginx_serves_a_folder_and_ends(site):
    from bench.nginx import served

    with served(site) as home, urlopen(home) as answer:
        assert b"seen" in answer.read()
        assert answer.headers["content-type"] == "text/html"
    with pytest.raises(OSError, match="refused"):
        urlopen(home)


@nginx_is_here
def test_what_minisearch_crawled_is_counted(site, tmp_path):
    from bench.crawler import work
    from bench.crawlers import Job
    from bench.nginx import served

    with served(site) as home:
        done = work(Job("minisearch", str(tmp_path / "x.db"), home, (f"{home}core/",), None))
    assert (done["pages"], done["links"]) == (2, 4)
    assert 0 < done["seconds"] < done["whole"]
    assert done["memory"] > 10e6


def test_without_nginx_one_line_says_how_to_get_it(monkeypatch):
    from bench import nginx

    monkeypatch.setattr(nginx.shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="apt-get install nginx"):
        nginx.program()


def test_memory_is_that_of_all_processes_together():
    from bench.memory import Watch

    hold = "x = b'x' * 50_000_000; import time; time.sleep(1)"
    both = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {hold!r}]); {hold}; p.wait()"
    process = subprocess.Popen([sys.executable, "-c", both], text=True)
    with Watch(process) as watch:
        process.wait()
    assert 100e6 < watch.peak < 300e6
    assert watch.processes == 2


def test_the_shelf_keeps_each_page_once_with_its_links(tmp_path):
    from bench.crawlers import Shelf, stored

    with closing(Shelf(str(tmp_path / "s.db"))) as shelf:
        shelf.put("http://a/", "A", "text", [("http://a/b", "b"), ("http://c/", "c")])
        shelf.put("http://a/", "A", "again", [("http://a/b", "b")])
    done = stored("scrapy", tmp_path / "s.db")
    assert (done["pages"], done["characters"], done["links"]) == (1, 4, 2)


def test_the_frontier_is_grown_left_and_gone_on_with(tmp_path, monkeypatch):
    from bench import frontier

    monkeypatch.setattr(frontier, "ROUNDS", 1)
    file = tmp_path / "f.db"
    grown = frontier.grow(file, 3000)
    assert set(grown["many"]) == {"bare", "linked"}
    assert frontier.resume(file, 3000)["steps"]["bare"] > 0
    assert frontier.reconsider(file, 3000)["first"] > 0


def crawler(rate, memory=100e6):
    done = {"pages": 10, "characters": 5, "links": 7, "bytes": 9, "whole": 2, "cpu": 1, "processes": 3}
    return {**done, "seconds": 10 / rate, "pages/s": rate, "memory": memory}


def test_a_goal_is_met_or_not():
    from bench.crawl import tables

    sites = {"a": {"scrapy": crawler(10), "tuned": crawler(60), "minisearch": crawler(200, 500e6)}}
    told = tables({"sites": sites, "pages": None})
    assert "| Scrapy, LinkExtractor and XPath | 10.0 | 20.0x | 100 |" in told
    assert "10 times as fast as Scrapy, LinkExtractor and XPath | 20.0x | met | met |" in told
    assert "a: 1.1 times as fast as Scrapy at its best | 3.33x | met | met |" in told
    assert "a: all processes below 400 MB | 500 MB | **not met** |" in told


@pytest.mark.parametrize(("known", "verdict"), [(1_000_000, "met"), (20_000, "too few to tell")])
def test_a_frontier_is_only_judged_when_it_is_large(known, verdict):
    from bench.crawl import frontier_goals

    steps = {"bare": 0.001, "linked": 0.002}
    one = {"few": steps, "many": steps, "memory": 90e6, "first": 1, "steps": steps}
    rows = frontier_goals({"known": known, "grow": one, "resume": one, "reconsider": one})
    assert [row[2] for row in rows] == [verdict] * 3


def test_a_random_web_is_cut_and_ranked_out_of_core(tmp_path):
    from bench.scaler import rank

    found = rank(1000, 9000, str(tmp_path / "web"), "2")
    assert found["pages"] == 1000
    assert 8000 < found["links"] <= 9540
    assert found["sum"] == pytest.approx(1)


@nginx_is_here
def test_a_site_that_is_made_up_is_crawled_whole(tmp_path):
    from bench.nginx import served
    from bench.scale import address, write_site
    from bench.scaler import crawl, index, search

    queries = write_site(tmp_path / "site", 30)
    with served(tmp_path / "site") as base:
        assert crawl(str(tmp_path / "site.db"), base + address(0), "auto")["pages"] == 30
    assert index(str(tmp_path / "site.db"))["pages"] == 30
    assert search(str(tmp_path / "site.db"), json.dumps(queries[:3]))["seconds"] > 0


def test_nothing_is_installed_to_tell_the_options(tmp_path):
    scripts = shutil.copytree(LIB.parent, tmp_path / "scripts")
    (scripts / "lib" / "venv.sh").write_text("use_venv() { :; }\nfind_python() { return 1; }\n", "utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    asked = [scripts / "bench", "search", "--help"]
    done = subprocess.run(asked, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, "--queries" in done.stdout) == (0, True), done.stderr
