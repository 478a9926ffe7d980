"""Debian's documentation packages: real sites that anybody can fetch by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.places import BENCH, say

FOLDER = BENCH / "packages"
DOCS = Path("usr", "share", "doc")


def unpacked(package: str) -> Path:
    """The folder of an unpacked package; fetched when it is not there yet."""
    folder = FOLDER / package
    if not folder.is_dir():
        archive = next(FOLDER.glob(f"{package}_*.deb"), None) or download(package)
        say(f"unpacking {archive.name} ...")
        half = FOLDER / f"{package}.unpacking"
        shutil.rmtree(half, ignore_errors=True)
        run("dpkg-deb", "-x", str(archive), str(half))
        half.rename(folder)
    return folder


def download(package: str) -> Path:
    """The package's archive, fetched by apt."""
    say(f"fetching {package} ...")
    FOLDER.mkdir(parents=True, exist_ok=True)
    run("apt-get", "--quiet", "download", package)
    return next(FOLDER.glob(f"{package}_*.deb"))


def version(package: str) -> str:
    """Which version was fetched; empty when only the unpacked folder is left."""
    archive = next(FOLDER.glob(f"{package}_*.deb"), None)
    return run("dpkg-deb", "--field", str(archive), "Version").strip() if archive else ""


def run(tool: str, *arguments: str) -> str:
    """What a tool of Debian's prints; whatever goes wrong ends the bench with one line."""
    if shutil.which(tool) is None:
        sys.exit(f"{tool} is missing: the pages come from Debian packages, so run this on Debian or Ubuntu")
    command = [tool, *arguments]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it did not say why"]
        sys.exit(f'{tool} {" ".join(arguments)} failed: {said[-1]} (does "apt-get update" help?)')
    return done.stdout


def page_files(package: str) -> dict[str, Path]:
    """Every HTML page of a package by its path below the folder that holds them all; no page twice."""
    found = []
    for folder, _, names in os.walk(unpacked(package) / DOCS):  # which enters no linked folder
        found += [Path(folder, name) for name in names if name.endswith(".html")]
    files = sorted(file for file in found if file.is_file() and not file.is_symlink())
    if not files:
        sys.exit(f"{package} holds no HTML pages")
    top = Path(os.path.commonpath([file.parent for file in files]))
    return {file.relative_to(top).as_posix(): file for file in files}
