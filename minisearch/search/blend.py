"""The blend: words first, links as a tie-breaker.

`score = text * (1 + w z)`, where w is the blend (recipe.py) and z the logarithm of the page's rank on a scale from 0
(the least linked page) to 1 (the best linked): a famous page cannot drown a relevant one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def prior(ranks: NDArray[np.float64], *, in_place: bool = False) -> NDArray[np.float64]:
    """z for every page. Pages without a rank, and all pages if they are equal, get 0. It may be written `in_place` of
    the ranks, if nobody needs these any more: new memory takes longer than the arithmetic.

    >>> prior(np.array([0.1, 0.01, 0.001, np.nan])).round(3).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    if len(ranks) and ranks.min() > 0 and ranks.max() < np.inf:  # NaN is neither
        return _scaled(ranks, ranks if in_place else None)
    scaled, known = np.zeros(len(ranks)), np.isfinite(ranks) & (ranks > 0)
    scaled[known] = _scaled(ranks[known])
    return scaled


def _scaled(ranks: NDArray[np.float64], out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log(ranks, out=out)
    least = logs.min(initial=np.inf)
    spread = logs.max(initial=-np.inf) - least
    if not spread > 1e-9:
        return np.zeros(len(ranks))
    logs -= least
    logs /= spread
    return logs
