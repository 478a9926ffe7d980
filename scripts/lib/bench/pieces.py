"""A long run in pieces: each is kept as soon as it is measured, so that one that fails or is stopped costs no other.

The same command goes on where it was stopped; a run that came to its end leaves nothing behind.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.places import SCALE, say

START = 3.0  # seconds that any piece takes
KEPT = SCALE / "kept.json"

Figures = dict[str, Any]


class Failed(Exception):
    """A piece could not be measured."""


@dataclass(frozen=True)
class Piece:
    """One piece of work."""

    part: str  # of the report that its figures are for
    name: str
    seconds: float  # that it takes, roughly
    run: Callable[[], Figures]


def carried_out(pieces: list[Piece]) -> Figures:
    """The figures of each part, in the order of the pieces; "missing" names those that there are no figures of."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Figures] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    left = [piece for piece in pieces if piece.name not in kept]
    if len(left) < len(pieces):
        say(f"{len(pieces) - len(left)} of {len(pieces)} were measured before: remove {KEPT} to measure them again")
    told = spent = 0.0
    try:
        for number, piece in enumerate(left):
            ahead = sum(START + each.seconds for each in left[number:]) * (spent / told if told else 1)
            say(f"{piece.name} ... ({len(pieces) - len(left) + number + 1} of {len(pieces)}, {about(ahead)} to go)")
            began = time.monotonic()
            try:
                kept[piece.name] = piece.run()
            except Failed as failure:
                say(f"{piece.name} failed: {failure}")
                continue
            KEPT.write_text(json.dumps(kept), "utf-8")
            spent, told = spent + time.monotonic() - began, told + START + piece.seconds
    except KeyboardInterrupt:
        say("interrupted: the same command goes on")
    found: Figures = {piece.part: [] for piece in pieces}
    for piece in pieces:
        if piece.name in kept:
            found[piece.part].append(kept[piece.name])
    found["missing"] = [piece.name for piece in pieces if piece.name not in kept]
    if not found["missing"]:
        KEPT.unlink(missing_ok=True)
    return found


def about(seconds: float) -> str:
    """A time to wait, roughly.

    >>> about(20), about(100), about(2000)
    ('less than a minute', 'about 2 minutes', 'about 33 minutes')
    """
    return "less than a minute" if seconds < 45 else f"about {max(round(seconds / 60), 1)} minutes"
