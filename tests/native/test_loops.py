"""The compiled loops are taken where they are at hand, and nothing needs them."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from minisearch.native import loops

BUILT = find_spec("minisearch.native.compiled") is not None
TELL = "from minisearch.native.loops import compiled; print(compiled is None)"


@pytest.mark.parametrize(("plain", "without"), [("1", "True\n"), ("", f"{not BUILT}\n")])
def test_one_can_do_without_them(monkeypatch, plain, without):
    monkeypatch.setenv("MINISEARCH_PLAIN", plain)
    assert subprocess.run([sys.executable, "-c", TELL], capture_output=True, text=True).stdout == without


def test_where_they_were_not_compiled_python_does_it_all(tmp_path):
    hide = "import sys; sys.modules['minisearch.native.compiled'] = None; "
    assert subprocess.run([sys.executable, "-c", hide + TELL], capture_output=True, text=True).stdout == "True\n"


@pytest.mark.parametrize("plain", ["", "1"])
def test_the_version_tells_whether_they_are_in_use(monkeypatch, plain):
    monkeypatch.setenv("MINISEARCH_PLAIN", plain)
    told = subprocess.run([sys.executable, "-m", "minisearch", "--version"], capture_output=True, text=True).stdout
    assert told.endswith("without compiled loops\n" if plain or not BUILT else "with compiled loops\n")


def test_what_is_promised_is_what_is_compiled():
    source = Path(loops.PROMISES).with_name("module.c").read_text("utf-8")
    assert re.findall(r"#define PROMISED (\w+)", source) == [f"{loops.promised():#010x}u"], "compiled.pyi has changed"


@pytest.mark.skipif(not BUILT, reason="nothing is compiled")
def test_what_was_compiled_for_other_promises_is_not_used():
    older = "import minisearch.native.compiled as c; c.promised = 1; "
    version = "import sys; sys.argv = ['minisearch', '--version']; from minisearch.cli.main import main; main()"
    told = [
        subprocess.run([sys.executable, "-c", older + then], capture_output=True, text=True).stdout
        for then in (TELL, version)
    ]
    assert told[0] == "True\n"
    assert told[1].endswith("without compiled loops (those at hand are out of date: install it again)\n")
