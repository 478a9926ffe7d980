"""The link measures of a web in blocks, for whoever has links to rank: out of core, or on a cluster.

Everything lies in one work folder: the blocks, and the checkpoints of each measure. It is of use until the ranks are
safe elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from minisearch.rank.hits import Hits
from minisearch.rank.scores import Scores
from minisearch.scale import hits, walk
from minisearch.scale.blocks import Blocks
from minisearch.scale.checkpoint import Checkpoints
from minisearch.scale.cutting import CONTENTS, Links, cut
from minisearch.scale.workshop import Workshop


class Blockwise:
    """Link measures by blocks that lie in a work folder."""

    def __init__(self, folder: str | Path, workshop: Workshop, *, k: int | None = None) -> None:
        self._folder, self._workshop, self._k = Path(folder), workshop, k

    def graph(self, n: int, links: Iterable[Links], **options: Any) -> Blocks:
        """The web in blocks. Options are those of `cut`."""
        return cut(self._folder, n, links, k=self._k, **options)

    def pagerank(self, web: Blocks, /, **how: Any) -> Scores:
        """PageRank, going on where it was stopped. Options are those of `walk.pagerank`."""
        return walk.pagerank(web, self._workshop, checkpoints=self._checkpoints("pagerank", web, how), **how)

    def hits(self, web: Blocks, /, **how: Any) -> Hits:
        """Hubs and authorities, going on where they were stopped. Options are those of `scale.hits.hits`."""
        return hits.hits(web, self._workshop, checkpoints=self._checkpoints("hits", web, how), **how)

    def _checkpoints(self, method: str, web: Blocks, how: dict[str, Any]) -> Checkpoints:
        """How far to go is no part of the name: who wants more rounds goes on."""
        settings = {name: _told(value) for name, value in how.items() if name not in ("tolerance", "max_rounds")}
        name = json.dumps([method, web.name, web.n, web.size, settings], sort_keys=True)
        place = hashlib.sha256(name.encode()).hexdigest()[:16]
        return Checkpoints(self._folder / f"{method}-{place}", name)

    def clear(self) -> None:
        """The work is done: remove what was made for it, and the folder if nothing else is there."""
        for made in ("buckets", "links", "pagerank-*", "hits-*"):
            for place in self._folder.glob(made):
                shutil.rmtree(place, ignore_errors=True)
        for file in self._folder.glob(f"{CONTENTS}*"):
            file.unlink()
        with suppress(OSError):  # it is not empty, or it was never made
            self._folder.rmdir()


def _told(value: Any) -> Any:
    if value is None or isinstance(value, str | float | int):
        return value
    return hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
