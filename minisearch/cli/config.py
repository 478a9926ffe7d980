"""Defaults of the command line: minisearch.toml, overridden by MINISEARCH_* variables, then by options.

[crawl]                      # minisearch.toml, in the current folder
max-pages = 500              # the same as --max-pages 500, or MINISEARCH_CRAWL_MAX_PAGES=500
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from minisearch.cli.output import suggest
from minisearch.errors import BadInput

FILE = "minisearch.toml"
PREFIX = "MINISEARCH"


def load(former: Mapping[str, str]) -> dict[str, Any]:
    """The contents of minisearch.toml, with `former` command names replaced; {} if there is no file."""
    path = Path(FILE)
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    for name in [name for name, value in found.items() if isinstance(value, dict) and name in former]:
        group, _, command = former[name].partition(" ")
        table = found.pop(name)
        found[group] = {**({command: table} if command else table), **found.get(group, {})}
    return found


def defaults(command: click.Command, own: Mapping[str, Any], shared: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The defaults of a command by parameter: those of its `own` table, and those outside of tables."""
    parameters = {name: each.name or "" for each in command.params for name in spellings(each)}
    wanted = {name.replace("-", "_"): value for name, value in own.items()}
    for name in wanted:
        if name not in parameters:
            meant = suggest(name, parameters)
            raise BadInput(f'{FILE}: "{name}" in [{where}] is not an option of that command{meant}')
    values = {name.replace("-", "_"): value for name, value in shared.items()} | wanted
    return {parameters[name]: value for name, value in values.items() if name in parameters}


def spellings(option: click.Parameter) -> set[str]:
    """The names by which an option can be set in the file and in the environment: current, former, and in Python."""
    if not isinstance(option, click.Option):
        return set()
    typed = (name.lstrip("-").replace("-", "_") for name in (*option.opts, *getattr(option, "former", ())))
    return {option.name or "", *typed}


def bind_variables(command: click.Command, names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Let options be set by variables of all their names; returns a message for each variable that is not known.

    `names` are those of the command, the current and the former ones, such as "rankers" and "ladder". Variables of
    `others`, which are names of other commands, are not checked.
    """
    prefixes = list(map(_prefix, names))
    known = {f"{PREFIX}_DB"}
    for option in command.params:
        variables = [f"{prefix}{name.upper()}" for prefix in prefixes for name in sorted(spellings(option))]
        known.update(variables)
        if isinstance(option, click.Option) and not option.envvar:
            option.envvar = variables
    ours = (name for name in sorted(os.environ) if name.startswith(f"{PREFIX}_"))
    unknown = [name for name in ours if name not in known and not name.startswith(tuple(map(_prefix, others)))]
    return [f"unknown environment variable {name}{suggest(name, known, 0.9)}" for name in unknown]


def _prefix(command: str) -> str:
    """How the variables of a command begin.

    >>> _prefix("lab index-structures")
    'MINISEARCH_LAB_INDEX_STRUCTURES_'
    """
    return f"{PREFIX}_{command.upper().replace(' ', '_').replace('-', '_')}_"
