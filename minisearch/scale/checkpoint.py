"""Checkpoints: what a round has left behind, kept in a folder, so that who is killed goes on from there.

The pieces are written first and named last, by one rename: a checkpoint is whole or it does not exist.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minisearch.scale.blocks import Filed

STATE = "state.json"


@dataclass(frozen=True, eq=False)
class State:
    """Where a computation stands: rounds done, what the last one changed, and its vectors in pieces."""

    done: int
    residual: float
    pieces: dict[str, list[Any]]


class Checkpoints:
    """The checkpoints of one computation. Its `name` tells the web and all settings: those of another do not count."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def save(self, state: State) -> dict[str, list[Any]]:
        """Keep a state; gives its pieces as they lie there."""
        place = self._folder / f"round-{state.done}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        kept: dict[str, list[Any]] = {}
        for name, pieces in state.pieces.items():
            kept[name] = [Filed(str(place / f"{name}-{number}")) for number in range(len(pieces))]
            for piece, values in zip(kept[name], pieces, strict=True):
                _write(Path(f"{piece.path}.npy"), values)
        told = {"name": self._name, "done": state.done, "residual": state.residual}
        told["pieces"] = {name: len(pieces) for name, pieces in kept.items()}
        half = self._folder / f"{STATE}.half"
        with half.open("w", encoding="utf-8") as file:
            json.dump(told, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(self._folder / STATE)
        for other in self._folder.glob("round-*"):
            if other != place:
                shutil.rmtree(other, ignore_errors=True)
        return kept

    def resumed(self) -> State | None:
        """The last state that was kept, if it is of this computation."""
        try:
            told = json.loads((self._folder / STATE).read_text("utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        if told["name"] != self._name:
            return None
        place = self._folder / f"round-{told['done']}"
        pieces = {
            name: [np.load(place / f"{name}-{number}.npy") for number in range(count)]
            for name, count in told["pieces"].items()
        }
        return State(told["done"], told["residual"], pieces)


def _write(path: Path, values: Any) -> None:
    with path.open("wb") as file:
        np.save(file, np.asarray(values))
        file.flush()
        os.fsync(file.fileno())
