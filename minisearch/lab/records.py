"""What an experiment asks for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.lab.trace import Trace
from minisearch.rank.matrices import Number
from minisearch.rank.pagerank import DAMPING
from minisearch.rank.surfer import Surf

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Experiment:
    """What is asked for. None means: as the method or the convention has it."""

    method: str = "pagerank"
    damping: Number | None = None
    dangling: str | None = None
    rounds: int | None = None
    tolerance: float | None = None
    max_rounds: int = 1000
    teleport: ArrayLike | None = None
    start: ArrayLike | None = None
    convention: str | None = None
    decimals: int | None = None
    rescale: bool = False
    apart: bool = False  # separate components ranked by themselves
    exact: bool = False
    trace: bool = False
    trusted: Sequence[str] = ()
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    preference: Mapping[str, float] = field(default_factory=dict)
    order: str = "authority"
    weighted: bool = False
    by_host: bool = False  # in HITS, the pages of a host are weighted as one
    fits: ArrayLike | None = None  # how well each page fits the topic, in the modified HITS
    steps: int = 100_000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of it: columns of numbers, one for each page, the first of which orders the pages."""

    columns: Mapping[str, Vector]
    verdict: str = ""
    converged: bool = True
    rounds: int = 0
    residual: float = 0.0
    fractions: Sequence[Fraction] = ()
    trace: Trace | None = None
    steps: Sequence[tuple[str, Vector, Vector]] = ()  # of HITS: name, raw, scaled
    exact_steps: Sequence[tuple[str, list[Fraction], list[Fraction]]] = ()  # the same exactly, if so asked
    surf: Surf | None = None
    damping: float = DAMPING
    notes: Sequence[str] = ()

    @property
    def main(self) -> Vector:
        """The column that orders the pages."""
        return next(iter(self.columns.values()))
