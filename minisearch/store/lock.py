"""The lock of the one writer of a file: a file beside it, which is locked and named after it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from minisearch.errors import StoreBusy, StoreError


class WriterLock:
    """Held until `release`. It dies with the process, however that dies."""

    def __init__(self, path: Path) -> None:
        self._lock = path.with_name(path.name + "-writer")
        while True:
            try:
                handle = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                raise StoreError(f'cannot write beside "{path}": {error.strerror}') from error
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(handle)
                raise StoreBusy(f'another minisearch is writing to "{path}": wait for it, or stop it') from error
            if _same_file(handle, self._lock):
                self._handle = handle
                return
            os.close(handle)  # its last owner removed it between our open and our lock

    def release(self) -> None:
        """Let others write."""
        self._lock.unlink(missing_ok=True)
        os.close(self._handle)


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
