"""Read and write files as a whole, decompress them, and report errors with a line number."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
import zlib
from pathlib import Path

from minisearch.errors import BadInput

MOST_BYTES = 2_000_000_000  # of one file, unpacked: what one computer reads into memory without harm
LONGEST = 60  # letters of a word that are shown in a message
GZIP = b"\x1f\x8b"
HEAVIEST = 1e12  # a weight; millions of them can be added up without losing one


def wrong(where: str, line: int, reason: str) -> BadInput:
    """The error that says what is wrong with a line."""
    return BadInput(f"{where}, line {line}: {reason}")


def line_at(text: str, place: int) -> int:
    """The number of the line on which a place of a text lies, counted from 1."""
    return text.count("\n", 0, place) + 1


def clip(word: str) -> str:
    """A word of somebody's file as it can stand in a message: short, on one line, harmless to a terminal.

    >>> clip("a\\x1b[31m")
    'a?[31m'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in word[:LONGEST])


def read_bytes(name: str) -> bytes:
    """What a file holds, "-" being what is piped in; gzip is unpacked."""
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if name == "-" else _read_file(name)
    except OSError as error:
        raise BadInput(f'cannot read "{name}": {error.strerror or error}') from error
    if data.startswith(GZIP):
        data = unpack(data, shown(name), MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise BadInput(f"{shown(name)} is too large: more than {MOST_BYTES // 10**9} GB of graph")
    return data


def _read_file(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read(MOST_BYTES + 1)


def unpack(data: bytes, name: str, limit: int) -> bytes:
    """Decompress gzip, all members of a joined file; more than `limit` bytes are cut off after one more."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(limit + 1)
    except EOFError:
        raise BadInput(f"{name} is a truncated gzip file") from None
    except (OSError, zlib.error):
        raise BadInput(f"{name} is a damaged gzip file") from None


def decode(data: bytes, where: str) -> str:
    """Bytes as text; BadInput if they are none, or if there is nothing."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(where, data.count(b"\n", 0, error.start) + 1, "this is not text in UTF-8") from error
    if "\0" in text:
        raise wrong(where, line_at(text, text.index("\0")), "this is a binary file, not text")
    if not text.strip():
        raise BadInput(f"{where} is empty")
    return text


def read_text(name: str) -> str:
    """The text of a file."""
    return decode(read_bytes(name), shown(name))


def shown(name: str) -> str:
    """How a file is called in a message."""
    return "standard input" if name == "-" else name


def write_whole(name: str, data: bytes) -> None:
    """Put bytes into a file, all or nothing; into a .gz packed, onto standard output for "-"."""
    if name == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)  # the same graph gives the same file
    path = Path(name)
    if path.exists() and not path.is_file():  # a device or a pipe: there is nothing to replace
        try:
            path.write_bytes(data)
        except OSError as error:
            raise BadInput(f'cannot write "{name}": {error.strerror}') from error
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    except OSError as error:
        raise BadInput(f'cannot write "{name}": {error.strerror}') from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise BadInput(f'cannot write "{name}": {error.strerror}') from error
        raise


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now
