"""The house keeps its shape: who may import whom, how large a module may grow, what every folder says of itself."""

import ast
import re
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "minisearch"
MODULES = sorted(HOUSE.rglob("*.py"))
LONGEST = 300

# Room -> the rooms it may use, beside itself. A room is a folder, or a module at the top.
BASE = {"errors", "records", "packing"}
SHOWN = {"errors", "records", "settings", "testing"}
MAY_USE = {
    "errors": set(),
    "records": set(),
    "packing": {"errors", "native"},
    "native": set(),
    "text": {"native"},
    "textbook": set(),
    "testing": set(),
    "zoo": {"testing", "errors"},
    "store": {"errors", "records", "packing", "native"},
    "crawl": {"errors", "records", "text", "native"},
    "index": {"native", "text", "records", "packing"},
    "rank": {"errors"},
    "lab": {"rank", "textbook", "errors"},
    "search": {"store", "text", "records", "errors", "packing", "native"},
    "wiring": {"crawl", "index", "rank", "store", *BASE},
    "looking": {"crawl", "search", "wiring", "store", *BASE},
    "engine": {"crawl", "rank", "search", "wiring", "store", "looking", *BASE},
    "scale": {"rank", "errors", "records"},
    "evaluation": {"errors", "records"},
    "lesson": {"testing", "errors"},
    "settings": {"errors"},
    "web": {"engine", "lab", "evaluation", "records", "errors", "search"},
    "cli": {"native", "engine", "web", "lab", "evaluation", "scale", "lesson", "wiring", "search", "rank", *SHOWN},
    "__init__": {"engine", "errors", "records"},
    "__main__": {"cli"},
}


def room_of(module: Path) -> str:
    return module.relative_to(HOUSE).parts[0].removesuffix(".py")


def imports_of(module: Path) -> set[str]:
    """The rooms of ours that a module imports, also inside functions and for type checking."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "minisearch":
                names = [f"minisearch.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("minisearch.")}
    return found - {"__version__"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_room_may_use(module):
    room = room_of(module)
    assert imports_of(module) - {room} <= MAY_USE[room]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_opens_by_saying_what_it_is_and_stays_readable(module):
    source = module.read_text("utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= LONGEST


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in HOUSE.glob("*/__init__.py")), ids=lambda path: path.name
)
def test_a_folder_is_explained_by_the_question_it_answers(folder):
    (statement,) = ast.parse((folder / "__init__.py").read_text("utf-8")).body  # and nothing else: no re-exports
    assert "?" in ast.literal_eval(statement.value)


def test_the_textbook_needs_nothing_but_the_standard_library():
    import sys

    for module in (HOUSE / "textbook").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in {*sys.stdlib_module_names, "minisearch"}, f"{module.name} imports {name}"


def test_all_sql_is_in_the_store():
    sql = re.compile(r"\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM)\b")
    for module in MODULES:
        if room_of(module) != "store" and module.name != "sql_index.py":  # which teaches SQL
            assert not sql.search(module.read_text("utf-8")), f"{module} speaks SQL"


def test_every_command_says_what_it_does():
    from minisearch.cli.main import COMMANDS, main

    for name in COMMANDS:
        command = main.get_command(None, name)
        assert command.help
        for option in command.params:
            assert isinstance(option, click.Argument) or option.help, f"{name} {option.name} has no help"


def test_the_version_is_told_once():
    import tomllib

    import minisearch

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == minisearch.__version__


LOOPS = sorted((HOUSE / "native").rglob("*.c"))


@pytest.mark.parametrize("loop", LOOPS, ids=lambda path: str(path.relative_to(HOUSE / "native")))
def test_a_compiled_loop_says_what_it_is_and_where_python_does_the_same(loop):
    source = loop.read_text("utf-8")
    assert source.startswith("/* ")
    named = re.findall(r"minisearch/\S+\.(?:py|sql)\b", source.partition("*/")[0])
    assert all((ROOT / name).is_file() for name in named)
    room = loop.relative_to(HOUSE / "native").parts[0]
    assert room.endswith(".c") or (room in MAY_USE and named)


def test_every_compiled_loop_is_built():
    import tomllib

    (built,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["ext-modules"]
    assert sorted(built["sources"]) == [str(loop.relative_to(ROOT)) for loop in LOOPS]
