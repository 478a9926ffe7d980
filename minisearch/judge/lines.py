"""Lines of a text file with their numbers, so that whoever reads them can say where something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from minisearch.errors import BadInput

GZIP = b"\x1f\x8b"  # how a packed file begins


def numbered(path: str | Path) -> Iterator[tuple[int, str]]:
    """(number, line) of every line that is not blank, counted from 1."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f'cannot read "{path}": {error.strerror}') from error
    if data.startswith(GZIP):
        raise BadInput(f"{path} is packed with gzip: unpack it first")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(path, data.count(b"\n", 0, error.start) + 1, "this is not UTF-8") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip("\r")


def wrong(path: str | Path, number: int, reason: str) -> BadInput:
    """The error that says what is wrong with a line."""
    return BadInput(f"{path}, line {number}: {reason}")


def write(path: str | Path, lines: Iterator[str], *, append: bool = False) -> None:
    """Put lines into a file, or after those it has."""
    path = Path(path)
    try:
        with path.open("a+b" if append else "wb") as file:
            if append and file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n":  # someone's editor left the last line open
                    file.write(b"\n")
            file.writelines(f"{line}\n".encode() for line in lines)
    except OSError as error:
        raise BadInput(f'cannot write "{path}": {error.strerror}') from error


def whole(word: str) -> str:
    """The word itself, if it can stand in a column of a file whose columns are separated by blanks."""
    if word.split() != [word]:
        raise BadInput(f"{word!r} cannot stand in a TREC file: it is empty or has blanks in it")
    return word
