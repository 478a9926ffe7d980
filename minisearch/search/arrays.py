"""Arrays: what numbers stand in them, by one name each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import Counts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = Counts  # of pages, where many are kept: 32 bits each, half as large
Mask = NDArray[np.bool_]  # of all pages, which of them are meant
