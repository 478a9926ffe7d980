"""Checkpoints: the vectors of an iteration in a folder, so that a computation that was stopped can continue."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minisearch.cluster.blocks import load, replace_text, save_vector
from minisearch.errors import MiniSearchError

STATE = "state.json"


@dataclass(frozen=True, eq=False)
class State:
    """Iterations done, what the last one changed, and the vectors in parts."""

    done: int
    residual: float
    vectors: dict[str, list[Any]]


class Checkpoints:
    """The checkpoints of one computation. Its `name` covers the graph and all settings; other names are ignored."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def save(self, state: State) -> State:
        """Write a state, the file that names it last; return it with its vectors as files."""
        place = self._folder / f"iteration-{state.done}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        files: dict[str, list[Any]] = {
            name: [save_vector(_part(place, name, number), part) for number, part in enumerate(parts)]
            for name, parts in state.vectors.items()
        }
        counts = {name: len(parts) for name, parts in files.items()}
        facts = {"name": self._name, "done": state.done, "residual": state.residual, "parts": counts}
        replace_text(self._folder / STATE, json.dumps(facts))
        for other in self._folder.glob("iteration-*"):
            if other != place:
                shutil.rmtree(other, ignore_errors=True)
        return replace(state, vectors=files)

    def resume(self) -> State | None:
        """The last saved state, if it is of this computation and can be read."""
        try:
            state = json.loads((self._folder / STATE).read_text("utf-8"))
            if state["name"] != self._name:
                return None
            place = self._folder / f"iteration-{state['done']}"
            vectors: dict[str, list[Any]] = {
                name: [_part(place, name, number) for number in range(count)] for name, count in state["parts"].items()
            }
            for parts in vectors.values():
                for file in parts:
                    load(file)
        except (OSError, json.JSONDecodeError, KeyError, MiniSearchError):
            return None
        return State(state["done"], state["residual"], vectors)


def _part(place: Path, name: str, number: int) -> Path:
    return place.absolute() / f"{name}-{number}.npy"
