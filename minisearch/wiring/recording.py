"""A crawl that is recorded as a web archive while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minisearch.crawl.workers import Pool, pool_of


def recording_pool(path: str, about: Mapping[str, Any], workers: int, *, most: int = 0, **chosen: Any) -> Pool:
    """Workers that record what they hear into the file at `path`; `about` tells how it was crawled."""
    from minisearch.archives.warc_writer import (  # warcio is loaded only by those who need it
        RecordingPool,
        is_compressed,
    )

    chosen["record"] = "gzip" if is_compressed(path) else "plain"
    return RecordingPool(pool_of(workers, most=most, **chosen), path, about)
