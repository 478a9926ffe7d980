"""Help, former names, suggestions for typing errors, and defaults from minisearch.toml and the environment."""

import json
import re

import click
import pytest
from click.testing import CliRunner

from minisearch import Engine
from minisearch.cli.main import COMMANDS, FORMER, SECTIONS, main


def run(*words, **more):
    return CliRunner().invoke(main, words, prog_name="minisearch", **more)


def test_help_lists_at_most_24_commands_in_sections_without_cut_lines():
    shown = run("--help").stdout
    assert [title for title in re.findall(r"^(\w.*):$", shown, re.M) if title != "Options"] == [*SECTIONS]
    assert len(COMMANDS) <= 24
    assert "..." not in shown.partition("Build an index:")[2]
    assert not any(re.search(rf"^  {name}\b", shown, re.M) for name in FORMER)


def test_every_help_line_of_a_command_fits_on_one_line():
    lines = run("--help", terminal_width=80).stdout.partition("Build an index:")[2].splitlines()
    assert [line for line in lines if line.startswith("   ")] == []


@pytest.mark.parametrize("group", ["url", "shards"])
def test_the_help_of_a_group_has_no_cut_lines(group):
    assert "..." not in run(group, "--help").stdout.partition("Commands:")[2]


def test_crawl_and_search_show_their_options_in_groups():
    for command, titles in (
        ("crawl", ["What to crawl", "Requests", "Limits", "Storage", "Options"]),
        ("search", ["Ranking", "Output", "Options"]),
        ("rank", ["Algorithm", "Methods", "Options"]),
    ):
        assert re.findall(r"^(\w[\w ]*):$", run(command, "--help").stdout, re.M) == titles


@pytest.mark.parametrize("name", FORMER)
def test_former_commands_work(name):
    done = run(name, "--help")
    assert done.exit_code == 0
    assert f"Usage: minisearch {FORMER[name]} " in done.stdout


def all_commands():
    """(words, command) for all commands, those of groups too."""
    for name in COMMANDS:
        command = main.get_command(None, name)
        if isinstance(command, click.Group):
            yield from (([name, each], command.get_command(None, each)) for each in command.list_commands(None))
        else:
            yield [name], command


def test_ranges_in_the_help_have_bounds():
    for words, _command in all_commands():
        assert "None]" not in run(*words, "--help").stdout, words


def test_former_options_are_parsed_and_not_shown():
    found = [
        (words, option)
        for words, command in all_commands()
        for option in command.params
        if getattr(option, "former", ())
    ]
    assert len(found) >= 20
    for words, option in found:
        shown = run(*words, "--help").stdout
        for former in option.former:
            assert not re.search(rf"{former}\b(?!-)", shown), former
            value = [] if option.is_flag else ["3"]
            assert f"No such option: {former}" not in run(*words, former, *value, "x", "--help").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["crwl"], 'minisearch: No such command "crwl". Did you mean "crawl"? (see "minisearch --help")'),
        (["shards", "splt"], 'No such command "splt". Did you mean "split"? (see "minisearch shards --help")'),
        (["lab", "rnk"], 'No such command "rnk". Did you mean "rank"?'),
        (["xyzzy"], 'minisearch: No such command "xyzzy" (see "minisearch --help")'),
        (["stats", "--jsn"], 'Did you mean "--json"?'),
    ],
)
def test_a_mistyped_command_is_answered_with_the_nearest_one(words, message):
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


@pytest.mark.parametrize("command", ["search", "lucky", "explain"])
def test_h_alone_is_help(command):
    assert f"Usage: minisearch {command} " in run(command, "-h").stdout


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("stats other.db", "did you mean --db other.db?"),
        ("search roses other.db", "name another one with --db other.db"),
        ("crawl http://localhost/ other.db", "did you mean --db other.db?"),
        ("crawl pages", 'use "minisearch import pages"'),
        ("shards split other.db --n 0", "'--n': 0 is not in the range 1<=x<=999 (see"),
        ("page other.db --limit", "Option '--limit' requires an argument (see"),
        ("explain roses --db other.db", "explain needs a query and the URL of a page"),
    ],
)
def test_a_file_or_folder_in_the_wrong_place_is_recognised(words, hint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MINISEARCH_DB", raising=False)
    Engine(tmp_path / "other.db").close()
    (tmp_path / "pages").mkdir()
    done = run(*words.split())
    assert (done.exit_code, hint in done.stderr) == (2, True)


def test_a_search_in_an_empty_index_says_so(tmp_path):
    Engine(tmp_path / "empty.db").close()
    assert "the index has no pages" in run("search", "roses", "--db", str(tmp_path / "empty.db")).stderr


@pytest.mark.parametrize("words", [["search", "x", "--json", "--csv"], ["sql", "select 1", "--csv", "--json"]])
def test_two_output_formats_are_refused(words):
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.search("--(json|csv) and --(json|csv) cannot be combined", done.stderr)


@pytest.fixture
def garden_folder(garden, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINISEARCH_DB", str(garden.path))
    return tmp_path


def hits(*words):
    return len(json.loads(run(*words, "--json").stdout)["hits"])


def test_a_misspelt_variable_is_reported(garden_folder, monkeypatch):
    monkeypatch.setenv("MINISEARCH_SEARCH_LIMT", "3")
    monkeypatch.setenv("MINISEARCH_CRAWL_MAX_PGES", "3")  # reported when crawl runs
    done = run("search", "garden", "--json")
    message = 'unknown environment variable MINISEARCH_SEARCH_LIMT. Did you mean "MINISEARCH_SEARCH_LIMIT"?'
    assert (done.exit_code, done.stderr) == (0, f"minisearch: {message}\n")
    monkeypatch.setenv("MINISEARCH_SERCH_LIMIT", "3")
    assert "unknown environment variable MINISEARCH_SERCH_LIMIT" in run("stats").stderr


@pytest.mark.parametrize(
    ("words", "variable", "meant"),
    [
        (["url", "normalize", "x:/"], "MINISEARCH_URL_NORMALIZE_BSE", "MINISEARCH_URL_NORMALIZE_BASE"),
        (["url", "normalize", "x:/"], "MINISEARCH_URL_NRMALIZE_BASE", "MINISEARCH_URL_NORMALIZE_BASE"),
        (["url", "normalize", "x:/"], "MINISEARCH_NORMALIZE_BSE", "MINISEARCH_NORMALIZE_BASE"),  # its former name
        (["normalize", "x:/"], "MINISEARCH_URL_NORMALIZE_BSE", "MINISEARCH_URL_NORMALIZE_BASE"),
        (["graph", "show"], "MINISEARCH_GRAPH_EXPRT", "MINISEARCH_GRAPH_EXPORT"),  # its default command
        (["graph", "show"], "MINISEARCH_GRAPH_SHOW_EXPRT", "MINISEARCH_GRAPH_SHOW_EXPORT"),
        (["rankers", "x"], "MINISEARCH_LADDER_LIMT", "MINISEARCH_LADDER_LIMIT"),
        (["lab", "presets"], "MINISEARCH_LAB_PRESTS_JSON", "MINISEARCH_LAB_PRESETS_JSON"),
    ],
)
def test_misspelt_variables_of_groups_and_of_former_names_are_reported(monkeypatch, words, variable, meant):
    monkeypatch.setenv(variable, "x")
    monkeypatch.setenv("MINISEARCH_DB", "missing.db")
    assert f'unknown environment variable {variable}. Did you mean "{meant}"?\n' in run(*words).stderr


@pytest.mark.parametrize(
    "variable",
    [
        "MINISEARCH_URL_FETCH_USR_AGENT",
        "MINISEARCH_FETCH_USR_AGENT",
        "MINISEARCH_GRAPH_EXPRT",
        "MINISEARCH_STATS_JSN",
        "MINISEARCH_LAB_RANK_DMPING",
    ],
)
def test_variables_of_other_commands_are_not_checked(monkeypatch, variable):
    monkeypatch.setenv(variable, "x")
    assert run("url", "normalize", "http://a.test/").stderr == ""


def test_a_misspelt_command_of_a_group_is_reported_in_the_file(garden_folder):
    (garden_folder / "minisearch.toml").write_text("[url.fethc]\nuser-agent = 'x'\n")
    done = run("url", "normalize", "http://a.test/")
    assert done.exit_code == 2
    assert 'has a table [url.fethc], but there is no such command. Did you mean "fetch"?' in done.stderr


def test_former_names_work_in_the_environment_and_in_the_file(garden_folder, monkeypatch):
    steps = lambda: len(json.loads(run("rankers", "garden", "--json").stdout)["blend"]["hits"])  # noqa: E731
    monkeypatch.setenv("MINISEARCH_LADDER_LIMIT", "2")
    assert steps() == 2
    monkeypatch.delenv("MINISEARCH_LADDER_LIMIT")
    (garden_folder / "minisearch.toml").write_text("[ladder]\nlimit = 3\n[fetch]\nuser-agent = 'x'\n")
    assert steps() == 3
    (garden_folder / "minisearch.toml").write_text("limit = 2\n[search]\nall = true\n")
    assert hits("search", "garden") == 2


def test_the_file_may_set_a_format_that_the_command_line_overrides(garden_folder):
    (garden_folder / "minisearch.toml").write_text("[search]\njson = true\n")
    assert json.loads(run("search", "garden").stdout)["total"]
    assert run("search", "garden", "--csv").stdout.startswith("place,score")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[serch]\nlimit = 2", 'has a table [serch], but there is no such command. Did you mean "search"?'),
        ("[search]\nlimt = 2", '"limt" in [search] is not an option of that command. Did you mean "limit"?'),
    ],
)
def test_a_mistake_in_the_file_is_reported(garden_folder, text, message):
    (garden_folder / "minisearch.toml").write_text(text)
    done = run("search", "garden")
    assert done.exit_code == 2
    assert message in done.stderr


def test_the_table_of_a_group_sets_options_of_its_commands(garden_folder):
    (garden_folder / "minisearch.toml").write_text("[url]\nbase = 'http://a.test/x/'\n")
    assert run("url", "normalize", "y").stdout == "http://a.test/x/y\n"


def test_the_file_may_set_an_option_that_is_called_as_a_command(garden_folder):
    (garden_folder / "minisearch.toml").write_text("sql = true\n")  # serve --sql
    assert run("sql", "select 1").exit_code == 0


def test_graph_without_a_command_shows_the_graph(garden_folder, garden):
    assert json.loads(run("graph", str(garden.path), "--json").stdout)["pages"] == 26
    assert json.loads(run("graph", "--json").stdout) == json.loads(run("graph", "show", "--json").stdout)
    assert "replay" in run("graph", "--help").stdout


def test_an_error_of_the_system_is_one_line_even_if_stdout_is_no_file(monkeypatch):
    def fail(*_arguments, **_options):
        raise PermissionError(13, "Permission denied", "x.db")

    monkeypatch.setattr("minisearch.engine.Engine.__init__", fail)
    done = run("stats")
    assert (done.exit_code, done.stderr) == (2, "minisearch: x.db: Permission denied\n")


def test_retries_are_attempts_after_the_first(garden_folder, site):
    site.show({"/": (503, {}, b"")})
    for words, attempts in ((("--retries", "0"), 1), (("--tries", "2"), 2)):
        site.requests.clear()
        run("crawl", f"{site.base}/", "--db", f"{attempts}.db", "--workers", "0", "--no-index", "--delay", "0", *words)
        assert [path for _, path in site.requests if path != "/robots.txt"] == ["/"] * attempts
