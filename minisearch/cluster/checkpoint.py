"""Checkpoints: the vectors of an iteration in a file, so that a computation that was stopped can continue."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minisearch.cluster.blocks import DAMAGE


@dataclass(frozen=True, eq=False)
class State:
    """Iterations done, what the last one changed, and the vectors: whole in a checkpoint, in parts elsewhere."""

    done: int
    residual: float
    vectors: dict[str, Any]


class Checkpoints:
    """The checkpoints of one computation. Its `name` covers the graph and all settings; other names are ignored."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name

    def save(self, state: State) -> None:
        """Write a state under a temporary name, then rename it: it is complete or it does not exist."""
        temporary = self._path.with_name(f"{self._path.name}.tmp")
        with temporary.open("wb") as file:
            facts: dict[str, Any] = {"of": self._name, "done": state.done, "residual": state.residual}
            np.savez(file, allow_pickle=False, **facts, **state.vectors)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._path)

    def resume(self) -> State | None:
        """The last saved state, if it is of this computation and can be read."""
        try:
            with np.load(self._path) as stored:
                found = dict(stored)
            if str(found.pop("of")) != self._name:
                return None
            return State(int(found.pop("done")), float(found.pop("residual")), found)
        except (OSError, TypeError, *DAMAGE):
            return None
