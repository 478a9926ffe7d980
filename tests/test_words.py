"""No private dialect: phrases that no help text, message, page, script, name or document may contain."""

import re
from pathlib import Path

import click

from minisearch.cli.main import main

ROOT = Path(__file__).parents[1]
PHRASES = (
    "lest",
    "anew",
    "its kin",
    "put to sleep",
    "left in peace",
    "passed over",
    "by and by",
    "so many",
    "introduce ourselves",
    "the same command goes on",
    "what would turn it",
    "as the method likes it",
    "as somebody else does it",
    "speak with one voice",
    "did not settle",
    "settled after",
)
REFUSED = re.compile(r"\b(" + "|".join(phrase.replace(" ", r"[\s_]+") for phrase in PHRASES) + r")\b", re.IGNORECASE)
SOURCES = [
    *(path for path in (ROOT / "minisearch").rglob("*") if path.suffix in {".py", ".html", ".js", ".css", ".sql"}),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
]
FIXTURES = ROOT / "minisearch" / "sites"  # the handbook and the garden have a voice of their own


def refused(text):
    return sorted({" ".join(re.split(r"[\s_]+", found.lower())) for found in REFUSED.findall(text)})


def commands(command, context, path=""):
    """(path, help text) of a command and all below it."""
    yield path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            yield from commands(child, click.Context(child, context, info_name=name), f"{path} {name}".strip())


def test_the_test_finds_phrases_in_text_names_and_broken_lines():
    assert refused("Exactly so\n    many, LEST it be passed_over") == ["lest", "passed over", "so many"]
    assert refused("the latest, newest, so few, and a newcomer") == []


def test_help_texts():
    found = {path: refused(text) for path, text in commands(main, click.Context(main, info_name="minisearch"))}
    assert len(found) > 30
    assert {path: phrases for path, phrases in found.items() if phrases} == {}


def test_code_templates_scripts_and_documents():
    found = {}
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        if not path.is_relative_to(FIXTURES) and (phrases := refused(path.read_text("utf-8"))):
            found[name] = phrases
    assert found == {}
