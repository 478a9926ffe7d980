"""The compiled loops are taken where they are at hand, and nothing needs them."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

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
