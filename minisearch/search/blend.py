"""The blend: words first, links as a tie-breaker.

`score = text * (1 + w z)`, where w is the blend (recipe.py) and z the logarithm of the page's rank on a scale from 0
(the least linked page) to 1 (the best linked): a famous page cannot drown a relevant one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def prior(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """z for every page. Pages without a rank, and all pages if they are equal, get 0.

    >>> prior(np.array([0.1, 0.01, 0.001, np.nan])).round(3).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    known = np.isfinite(ranks) & (ranks > 0)
    scaled = np.zeros(len(ranks))
    if known.any():
        logs = ranks[known]  # worked on in place: new memory takes longer than the arithmetic
        np.log(logs, out=logs)
        least = logs.min()
        spread = logs.max() - least
        if spread > 1e-9:
            logs -= least
            logs /= spread
            scaled[known] = logs
    return scaled
