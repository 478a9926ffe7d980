"""minisearch lab and minisearch graph, as a person would type them."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import tomllib
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import click
import networkx
import pytest
from click.testing import CliRunner

from minisearch.cli.lab import COMMANDS, lab
from minisearch.cli.main import main
from minisearch.lab.options import METHODS
from minisearch.rank.conventions import CONVENTIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `minisearch lab ...` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *words, **more: CliRunner().invoke(main, ["lab", *words], **more)


@pytest.fixture
def said(run):
    """The same, for what must succeed; gives what is printed."""

    def well(*words, **more):
        done = run(*words, **more)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    return well


def rows(table):
    """The lines of a printed table as lists of words, without its heading."""
    return [line.split() for line in table.splitlines()[1:] if line.strip()]


def test_presets_are_listed_with_names_ids_and_sources(said):
    text = said("presets")
    for word in ("five-pages", "000-five", "spider-trap", "nine-links", "D. Horvat and D. Mundar, Ranking websites"):
        assert word in text
    assert len(json.loads(said("presets", "--json"))) == 16


def test_nine_iterations_are_printed_as_in_the_article(said, oracles):
    table, ranks = said("rank", "003-four", "--trace", "--rounds", "9").split("\n\n")
    found = {words[0]: words[1:] for words in rows(table)}
    assert list(found) == [str(number) for number in range(10)]
    for number, row in oracles["003-iterations"]["printed"].items():
        assert found[number] == [f"{value:.16f}" for value in row.values()]
    assert {words[2] for words in rows(ranks)} == set(found["9"])
    assert said("rank", "one-dead-end", "--trace", "--convention", "horvat-mundar").split("\n\n")[0] == table


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak", "remove", "two-pass"])
@pytest.mark.parametrize("convention", list(CONVENTIONS))
def test_the_iterations_of_every_convention_are_printed_or_refused(convention, dangling):
    asked = ["rank", "003-four", "--trace", "--rounds", "3", "--convention", convention, "--dangling", dangling]
    result = CliRunner().invoke(main, ["lab", *asked], catch_exceptions=False)
    assert result.exit_code in (0, 2)
    assert (len(result.stdout.splitlines()) > 8) == (result.exit_code == 0)


@pytest.mark.parametrize("more", [["--digits", "16"], ["--edit", "add P4 P4", "--edit", "cut P4 P4"], ["--exact"]])
def test_without_a_convention_all_digits_are_right(said, more):
    table = said("rank", "003-four", "--trace", "--rounds", "2", *more).split("\n\n")[0]
    assert rows(table)[2][3] in ("0.1802734375000000", "923/5120")  # not 0.1802734374999999


@pytest.mark.parametrize(
    "asked", [["rank", "ten-pages"], ["rank", "ten-pages", "--picture", "ranks"], ["surf", "ten-pages"]]
)
def test_pictures_are_drawn_as_svg_and_as_png(said, tmp_path, asked):
    for name, first in (("a.svg", b"<svg"), ("a.png", b"\x89PNG")):
        said(*asked, "--plot", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(first)


def test_the_linear_system_is_solved_in_fractions(said):
    table = rows(said("rank", "003-four", "--method", "solve", "--exact"))
    assert {words[1]: words[-1] for words in table} == {
        "P1": "5307/17165",
        "P2": "4389/17165",
        "P3": "616/3433",
        "P4": "4389/17165",
    }
    assert [words[0] for words in table] == ["1", "2", "2", "4"]  # equals share a place


def test_the_doctor_names_the_cause(said):
    text = said("doctor", "000-five", ".19,.23,.06,.28,.14")
    assert text.startswith("These are 49 multiplications with 1/3 stored as 0.33, no teleporting (damping 1).")
    assert "Erratum E000-01: the program stores 1/3 as 0.33" in text
    assert "convention thesis" in text


def test_the_doctor_reads_files_and_gives_json(said, tmp_path):
    (tmp_path / "mine.csv").write_text("page,rank\nC,0.0690\nA,0.2069\nB,0.2586\nD,0.3103\nE,0.1552\n")
    (found,) = json.loads(said("doctor", "five-pages", "mine.csv", "--json"))
    assert found["explained"]
    assert "no teleporting (damping 1)" in found["explanations"][0]["words"]
    assert found["known"] is None


def test_the_doctor_explains_what_is_printed_for_a_preset(said):
    text = said("doctor", "three-sites")
    assert text.count("These are") == 2
    assert "the hub scores of HITS" in text


def test_errata_are_listed_with_their_cause(said):
    text = said("errata")
    assert len(re.findall(r"^  E\d{3}-\d\d  ", text, re.M)) == 48
    assert text.count("      cause ") == 48
    assert len(json.loads(said("errata", "--source", "Ilic", "--json"))) == 13


def test_one_erratum_is_shown_with_its_diagnosis(said):
    text = said("errata", "E004-02")
    assert "(361/868, 65/434, 65/434, 247/868)" in text
    assert "scaled to Euclidean length 1" in text


def test_conventions_are_listed_with_their_choices(run):
    done = run("conventions")
    assert [words[0] for words in rows(done.stdout)] == [
        one["name"] for one in json.loads(run("conventions", "--json").stdout)
    ]
    assert "thesis: Belgrade PageRank thesis" in done.stderr


def test_matrices_are_shown_in_both_notations(said, oracles):
    for name, words in (("003-H", ["H"]), ("003-S", ["S"]), ("003-G", ["G"]), ("003-S-plus-E", ["S+E"])):
        shown = json.loads(said("matrix", "003-four", *words, "--fractions", "--columns", "--json"))
        assert shown["entries"] == oracles[name]["expected"]
    table = said("matrix", "004-four", "G", "--damping", "0.9", "--digits", "3")
    assert rows(table)[0] == ["1", "0.025", "0.325", "0.325", "0.325"]


def test_the_removal_of_dead_ends_is_listed_step_by_step(said):
    text = said("removal", "two-dead-ends")
    assert "1. remove E; remaining: A, B, C, D" in text
    assert "2. remove C; remaining: A, B, D" in text
    found = json.loads(said("removal", "two-dead-ends", "--json"))
    assert {row["page"]: row["exact"] for row in found["ranks"]} == {
        "A": "2/9", "B": "4/9", "C": "13/54", "D": "1/3", "E": "13/54",
    }  # fmt: skip


def test_a_graph_that_shrinks_to_nothing_is_reported(run):
    done = run("removal", "-", input="3\n(A,B) (B,C)")
    assert done.exit_code == 0
    assert "nothing is left to rank" in done.stderr


def test_the_bow_tie_has_its_parts(said, oracles):
    parts = json.loads(said("bowtie", "bow-tie", "--json"))["parts"]
    expected = oracles["derived-bowtie-classes"]["expected"]
    names = {"SCC": "core", "IN": "in", "OUT": "out", "TENDRIL": "tendril", "TUBE": "tube", "ISLAND": "island"}
    assert parts == {names[name]: pages for name, pages in expected.items()}
    assert "links lead into the core" in said("bowtie", "bow-tie")


def test_blocks_give_the_same_as_the_direct_product(said, oracles):
    found = json.loads(said("blocks", "000-four", "-k", "2", "--json"))
    assert {name: block["links"] for name, block in found["blocks"].items()} == oracles["000-blocks"]["expected"]
    step = oracles["derived-mapreduce-step"]["expected"]
    assert {name: block["pays"] for name, block in found["blocks"].items()} == step["block_partial"]
    assert found["sum"] == step["reduced"]
    assert "M22" in said("blocks", "000-four")


def test_a_farm_gains_what_the_formula_predicts(said, oracles):
    found = json.loads(said("farm", "--supporters", "3", "--json"))
    expected = oracles["derived-farm-exact"]["expected"]
    assert found["x"] == pytest.approx(expected["x"], abs=1e-12)
    assert found["target"]["ranked"] == pytest.approx(expected["y"], abs=1e-12)
    assert found["target"]["formula"] == pytest.approx(expected["y"], abs=1e-12)
    assert found["target"]["published"] == pytest.approx(expected["y_seed_formula"], abs=1e-12)
    assert "3.6036" in said("farm")
    many = json.loads(said("farm", "--supporters", "1000", "--in", "five-pages", "--from", "A,B", "--json"))
    assert many["target"]["ranked"] == pytest.approx(many["target"]["formula"], abs=1e-12)


def test_two_graphs_are_compared(said):
    found = json.loads(said("compare", "ten-pages", "ten-pages-one-link-more", "--damping", "1", "--json"))
    assert (found[0]["page"], found[0]["place_before"], found[0]["place_after"]) == ("A", 8, 2)
    assert found[0]["why"].startswith("a new link from J")
    edited = json.loads(said("compare", "ten-pages", "--edit", "add J A", "--damping", "1", "--json"))
    assert edited == found
    assert "a new link from J" in said("compare", "ten-pages", "--edit", "add J A")


def test_a_surfer_walks_and_shows_the_path(said):
    words = ("surf", "nine-links", "--steps", "50", "--damping", "0.9", "--seed", "4")
    found = json.loads(said(*words, "--path", "--json"))
    assert len(found["path"]) == 50
    assert found == json.loads(said(*words, "--path", "--json"))
    counted = {row["page"]: row["counted"] for row in found["pages"]}
    assert counted["0"] == found["path"].count("0") / 50
    assert said(*words, "--path", "--start", "3").startswith("3 ")


def test_ranking_options_are_used(said):
    trap = json.loads(said("rank", "spider-trap", "--damping", "0.8", "--dangling", "leak", "--json"))
    assert trap["pages"][0]["pagerank"] == pytest.approx(261 / 425, abs=1e-9)
    topic = json.loads(said("rank", "five-pages", "--method", "topic", "--topic", "A,E", "--damping", ".8", "--json"))
    assert topic["pages"][0]["page"] == "A"
    jump = json.loads(said("rank", "003-four", "--teleport", "P1=1,P2=1", "--dangling", "teleport", "--json"))
    assert jump["pages"][0]["pagerank"] == pytest.approx(88800 / 217193, abs=1e-9)
    thesis = json.loads(said("rank", "five-pages", "--convention", "thesis", "--rounds", "19", "--json"))
    assert thesis["pages"][0]["pagerank"] == pytest.approx(0.2983886474968779, abs=1e-15)
    assert thesis["notes"][0].startswith("Belgrade PageRank thesis")
    trust = json.loads(said("rank", "four-pages", "--method", "trustrank", "--trust", "B", "--trust", "D", "--json"))
    assert set(trust["pages"][0]) == {"page", "place", "trustrank", "pagerank", "spam_mass"}
    hubs = json.loads(said("rank", "three-sites", "--method", "hits", "--trace", "--rounds", "2", "--json"))
    assert [step["name"] for step in hubs["steps"]] == ["a1", "h1", "a2", "h2"]


def test_iterations_can_be_shown_as_fractions(said):
    table = said("rank", "four-page-site", "--damping", "1", "--trace", "--exact", "--rounds", "2").split("\n\n")[0]
    assert rows(table)[2] == ["2", "5/12", "1/6", "1/6", "1/4"]


def test_damping_of_zero_and_one_are_commented(run):
    assert "links are never followed" in run("rank", "five-pages", "--damping", "0").stderr
    assert "no teleporting" in run("rank", "five-pages", "--damping", "1").stderr


def test_what_did_not_converge_is_reported_with_its_residual(run):
    done = run("rank", "-", "--damping", "1", "--start", "A", "--max-rounds", "7", input="2\n(A,B) (B,A)")
    assert "did not converge: residual 2.0e+00 after 7 iterations" in done.stderr


def test_graphs_come_from_files_and_from_standard_input(said, tmp_path):
    (tmp_path / "mine.csv").write_text("a,b\nb,a\n")
    assert rows(said("rank", "mine.csv"))[0][1:] == ["a", "0.500000"]
    assert rows(said("rank", "-", input="2\n0 1 1 0"))[0][1:] == ["0", "0.500000"]
    assert "a" in said("rank", "-", "--format", "csv", input="a,b\n")


def test_converted_graphs_can_be_read_again(said, tmp_path):
    for name in ("a.gexf", "a.graphml", "a.json", "a.exchange.json", "a.csv", "a.tsv.gz", "a-vertices.txt.gz"):
        said("convert", "nine-links", name, "--once")
        assert said("matrix", name, "links").count("1") >= 7
    said("convert", "nine-links", "b.ints.txt")
    original = said("convert", "nine-links", "-", "--to", "ints")
    assert (tmp_path / "b.ints.txt").read_text() == original
    said("convert", "five-pages", "c.gexf", "--scores", "--edit", "add A E")
    graph = networkx.read_gexf(tmp_path / "c.gexf")
    assert {"pagerank", "hubs", "authorities"} <= set(graph.nodes["0"])
    assert graph.has_edge("0", "4")


@pytest.mark.parametrize(
    ("words", "picture"),
    [
        (["rank", "five-pages"], "five-pages: convergence"),
        (["rank", "five-pages", "--rounds", "9", "--picture", "ranks"], "five-pages: ranks by iteration"),
        (["surf", "nine-links"], "nine-links: a surfer after 1,000 moves"),
        (["rank", "nine-links", "--method", "surfer", "--steps", "500"], "nine-links: a surfer after 500 moves"),
    ],
)
def test_pictures_are_drawn(said, tmp_path, words, picture):
    said(*words, "--plot", "out.svg")
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    assert root.find("{http://www.w3.org/2000/svg}title").text == picture


def test_index_structures_are_timed_beside_ours(said):
    found = json.loads(said("index-structures", "--sizes", "5,10", "--words", "30", "--json"))
    names = [timing["structure"] for timing in found["timings"]]
    assert names[:6] == names[6:] == [
        "list", "hash table, first letter", "hash table, sum of letters", "Python map", "relational tables in SQLite",
        "minisearch, in SQLite",
    ]  # fmt: skip
    assert [one["name"] for one in found["buckets"]] == ["first letter", "sum of letters"]
    text = said("index-structures", "--sizes", "10", "--words", "30")
    assert "0.080776" in text
    assert "1217 to 1363" in text


BAD = [
    (["rank", "fve-pages"], 'did you mean "five-pages"?'),
    (["rank", "nothing-like-it"], "minisearch lab presets"),
    (["rank", "missing.csv"], 'cannot read "missing.csv"'),
    (["rank", "bad.csv"], "bad.csv, line 2: a weight must be a number above 0"),
    (["rank", "five-pages", "--damping", "1.2"], "damping must be between 0 and 1, not 1.2"),
    (["rank", "five-pages", "--damping", "much"], "damping must be a number"),
    (["rank", "five-pages", "--teleport", "Z"], 'no page is called "Z"'),
    (["rank", "five-pages", "--teleport", "Z=0.5"], 'no page is called "Z"'),
    (["rank", "five-pages", "--teleport", "0 0 0 0 0"], "teleport is zero everywhere"),
    (["rank", "five-pages", "--teleport", "1 -1 0 0 0"], "teleport gives B the weight -1:"),
    (["rank", "five-pages", "--teleport", "1 2"], "teleport needs one number for each of the 5 pages"),
    (["rank", "five-pages", "--teleport", "A=x"], '"x" is not a number'),
    (["rank", "five-pages", "--method", "trustrank"], "needs trusted pages"),
    (["rank", "five-pages", "--method", "trustrank", "--trust", "*.edu"], 'no page matches "*.edu"'),
    (["rank", "five-pages", "--iterations", "many"], "'--iterations': 'many' is not a valid integer"),
    (["rank", "five-pages", "--dampng", "1"], "--dampng"),
    (["rank"], "Missing argument 'GRAPH'"),
    (["rnk"], 'No such command "rnk". Did you mean "rank"?'),
    (["surf", "five-pages", "--steps", "0"], 'lab surf --help")'),
    (["rank", "five-pages", "--query", "x"], "--query needs a crawl"),
    (["rank", "five-pages", "--plain"], "--plain needs --query"),
    (["rank", "five-pages", "--picture", "ranks"], "--picture needs --plot"),
    (["surf", "five-pages", "--draw", "0.5", "--seed", "3"], "--draw cannot be combined with --seed"),
    (["rank", "five-pages", "--edit", "paint A"], "start with add"),
    (["rank", "five-pages", "--plot", "out.pdf"], "must end with .svg or .png"),
    (["rank", "five-pages", "--teleport", ""], "--teleport needs a value"),
    (["doctor", "five-pages", "--teleport="], "--teleport needs a value"),
    (["rank", "five-pages", "--method", "solve", "--plot", "out.svg"], "has no iterations"),
    (["rank", "crawl:"], "crawl: needs a file name"),
    (["rank", "crawl:missing.db"], "missing.db"),
    (["matrix", "five-pages", "Q"], 'unknown matrix "Q"'),
    (["compare", "five-pages"], "nothing to compare with"),
    (["convert", "five-pages", "out"], "cannot choose a format"),
    (["convert", "five-pages", "out.csv", "--to", "dot"], 'unknown format "dot"'),
    (["blocks", "five-pages", "-k", "9"], "can be cut into 1 to 5 pieces"),
    (["farm", "--damping", "1"], "with damping 1 the farm's rank grows without bound"),
    (["farm", "--from", "Z"], 'no page is called "Z"'),
    (["convert", "five-pages", "out.csv", "--scores"], "csv cannot hold scores: choose from node-link, gexf"),
    (["doctor", "five-pages", ".1 .2"], "there are 2 numbers for 5 pages"),
    (["doctor", "five-pages", ".1"], "there is 1 number for 5 pages"),
    (["doctor", "five-pages", "nan .2 .2 .2 .2"], '"nan .2 .2 .2 .2" is neither a file nor a list of numbers'),
    (["doctor", "five-pages", ""], '"" is neither a file nor a list of numbers'),
    (["doctor", "five-pages", "bad.csv"], 'line 1: no page of the graph is called "a"'),
    (["doctor", "bow-tie"], "no published numbers for this graph"),
    (["errata", "E999-99"], "lab errata"),
    (
        ["errata", "--source", "horvat", "--kind", "code"],
        'no known erratum of the kind code in a source matching "horvat"',
    ),
    (["errata", "E004-02", "--kind", "code"], "E004-02 cannot be combined with --source or --kind"),
    (["index-structures", "--sizes", "few"], "--sizes must be numbers of pages"),
]


@pytest.mark.parametrize(("words", "told"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_bad_input_is_one_line_and_nothing_is_written(run, tmp_path, words, told):
    (tmp_path / "bad.csv").write_text("a,b\na,c,-1\n")
    done = run(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_a_graph_can_be_given_as_text(said, run):
    typed = said("rank", "A:B,C;B:A;C:A", "--json")
    assert [row["page"] for row in json.loads(typed)["pages"]] == ["A", "B", "C"]
    assert said("convert", "five-pages", "-", "--to", "address") == "A:B,C,D;B:A,D;C:B,D;D:B,E;E:A,D\n"
    assert "a weight must be a number above 0" in run("rank", "A:B*x;B:A").stderr


NEEDED = {"trustrank": ["--trust", "http://a/1"], "topic": ["--topic", "x=http://a/1", "--topic", "y=http://a/2"]}
OPTIONS = {
    "--damping": ["0.5"],
    "--dangling": ["leak"],
    "--iterations": ["3"],
    "--tolerance": ["0.1"],
    "--max-iterations": ["2"],
    "--teleport": ["http://a/1"],
    "--start": ["http://a/2"],
    "--convention": ["cs101"],
    "--decimals": ["1"],
    "--rescale": ["--dangling", "leak"],
    "--apart": [],
    "--exact": [],
    "--trust": ["http://b/1"],
    "--topic": ["z=http://b/1"],
    "--prefer": ["x=3"],
    "--order": ["hub"],
    "--weighted": [],
    "--by-host": [],
    "--fits": ["http://a/1"],
    "--query": ["roses"],
    "--plain": [],
    "--steps": ["50"],
    "--seed": ["5"],
    "--trace": [],
    "--picture": ["ranks"],
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("option", OPTIONS)
def test_no_option_is_silently_ignored(run, tmp_path, method, option):
    web = tmp_path / "links.csv"
    links = "a/1 b/1, a/1 b/1, a/1 c/1, a/1 a/2, a/2 b/1, a/2 f/1, b/1 a/1, c/1 b/1, d/1 e/1, d/1 d/2"
    web.write_text("".join("http://{},http://{}\n".format(*link.split()) for link in links.split(",")))
    asked = ["rank", str(web), "--method", method, *NEEDED.get(method, [])]
    value = OPTIONS[option]
    beside = value if option == "--rescale" else []
    without, done = run(*asked, *beside), run(*asked, option, *value)
    assert done.exit_code == 2 or (without.exit_code == 0 and done.output != without.output)


def test_an_option_of_another_method_is_refused_with_its_methods(run):
    done = run("rank", "five-pages", "--method", "hits", "--start", "A")
    assert (done.exit_code, done.stderr) == (
        2,
        "minisearch: --start does not apply to --method hits, only to pagerank, surfer\n",
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--iterations 5 --max-iterations 2", "--iterations cannot be combined with --max-iterations"),
        ("--rounds 5 --max-rounds 2", "--iterations cannot be combined with --max-iterations"),
        ("--convention cs101 --max-iterations 2", "--convention cannot be combined with --max-iterations"),
        ("--exact --max-iterations 2", "--exact cannot be combined with --max-iterations"),
        ("--method hits --exact --iterations 2 --tolerance 0.1", "--exact cannot be combined with --tolerance"),
    ],
)
def test_a_limit_that_is_not_used_is_refused(run, words, why):
    done = run("rank", "five-pages", *words.split())
    assert done.exit_code == 2
    assert why in done.stderr


@pytest.mark.parametrize("words", [("--apart",), ("--exact", "--rounds", "3"), ("--method", "topic", "--topic", "A")])
def test_what_leaks_is_rescaled_however_it_is_ranked(said, words):
    found = json.loads(said("rank", "two-dead-ends", "--dangling", "leak", "--rescale", "--json", *words))
    column = "topic" if "topic" in words else "pagerank"
    assert sum(row[column] for row in found["pages"]) == pytest.approx(1)


def test_a_surfer_follows_the_teleport_and_dangling_options(said):
    words = ("surf", "one-dead-end", "--draw", "0.5", "--start", "P4", "--teleport", "P2", "--json")
    chances = {page: chance for page, chance, _ in json.loads(said(*words))["points"]}
    assert chances == pytest.approx({"P1": 0.2125, "P2": 0.3625, "P3": 0.2125, "P4": 0.2125})
    followed = json.loads(said(*words, "--dangling", "teleport"))["points"]
    assert {page: chance for page, chance, _ in followed} == {"P1": 0, "P2": 1, "P3": 0, "P4": 0}


def test_every_experiment_describes_itself():
    for name in COMMANDS:
        command = lab.get_command(None, name)
        assert command.help
        for option in command.params:
            assert isinstance(option, click.Argument) or option.help, f"{name} {option.name} has no help"


def test_the_graphs_are_part_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "lab/graphs/*" in project["tool"]["setuptools"]["package-data"]["minisearch"]


# -- on a crawl ----------------------------------------------------------------------------------


def test_a_crawl_is_a_graph(said, garden):
    found = json.loads(said("rank", f"crawl:{garden.path}", "--json"))
    assert {row["page"] for row in found["pages"]} >= {f"{garden.home}index.html", f"{garden.home}roses.html"}
    assert sum(row["pagerank"] for row in found["pages"]) == pytest.approx(1)


def test_hubs_and_authorities_of_a_query_are_about_it(said, garden):
    words = ("rank", f"crawl:{garden.path}", "--method", "hits", "--query", "pruning roses", "--json")
    found = json.loads(said(*words))
    best = max(found["pages"], key=lambda row: row["authority"])["page"]
    assert "rose" in best or "prun" in best
    assert "pages that match the query" in CliRunner().invoke(main, ["lab", *words[:-1]]).stderr


def test_a_query_without_hits_is_reported(run, garden):
    done = run("rank", f"crawl:{garden.path}", "--method", "hits", "--query", "zeppelin")
    assert done.exit_code == 2
    assert 'no page matches "zeppelin"' in done.stderr


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.ints.txt"])
def test_a_crawl_is_exported_as_links_alone(garden, tmp_path, name):
    out = tmp_path / name
    done = CliRunner().invoke(main, ["graph", str(garden.path), "--export", str(out)])
    assert done.exit_code == 0, done.stderr
    assert out.stat().st_size > 100


def test_names_in_json_have_no_bidirectional_characters(said, tmp_path):
    (tmp_path / "x.csv").write_text("A\u202e,B\n", encoding="utf-8")
    printed = said("rank", "x.csv", "--json")
    assert "\u202e" not in printed
    assert {row["page"] for row in json.loads(printed)["pages"]} == {"A\u202e", "B"}
    assert "\u202e" not in said("surf", "x.csv", "--path", "--steps", "3")


def test_a_crawl_is_exported_with_all_its_scores(garden, tmp_path):
    out = tmp_path / "out.gexf"
    done = CliRunner().invoke(main, ["graph", str(garden.path), "--export", str(out), "--top", "5"])
    assert done.exit_code == 0, done.stderr
    graph = networkx.read_gexf(out)
    assert len(graph) == 5
    assert {"label", "pagerank", "hubs", "authorities", "in", "out"} <= set(graph.nodes["0"])
    best = max(graph.nodes, key=lambda node: graph.nodes[node]["pagerank"])
    assert graph.nodes[best]["label"] == garden.engine.top(1)[0][0]


def test_a_crawl_is_shown_in_numbers(garden):
    done = CliRunner().invoke(main, ["graph", str(garden.path), "--json"])
    found = json.loads(done.stdout)
    assert found["pages"] == sum(found["bow_tie"].values())
    assert found["top"][0]["url"] == garden.engine.top(1)[0][0]
    assert "bow tie: core" in CliRunner().invoke(main, ["graph", str(garden.path)]).stderr


def test_structures_are_built_from_the_pages_of_a_crawl(said, garden):
    found = json.loads(said("index-structures", "--db", str(garden.path), "--sizes", "5", "--words", "20", "--json"))
    assert {timing["pages"] for timing in found["timings"]} == {5}


def test_on_a_narrow_terminal_no_number_is_cut(tmp_path):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
    words = [sys.executable, "-m", "minisearch", "lab", "rank", "one-dead-end", "--trace", "--rounds", "1"]
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen(words, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # Linux says so when the other end is closed
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert process.wait(timeout=60) == 0
    text = shown.decode()
    assert "…" not in text
    assert text.count("0.2677083333333333") == 4
    assert "\x1b[1m" in text  # headings are bold: it is pretty


def test_python_m_minisearch_works(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "minisearch", "lab", "rank", "five-pages", "--top", "1"],
        cwd=tmp_path, text=True, capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "rank  page  pagerank\n1     D     0.299024\n"
    assert "1 of 5 pages; --top 5 shows all" in done.stderr
