"""Forking: a worker that is a copy of this process, and so has loaded all it needs when it is born.

A fresh interpreter takes longer to load its libraries than a small site takes to crawl. A copy takes no time, but
only of a process with a single thread is it a sound one: locks that other threads hold would stay shut in it for
ever. (The threads of numpy's BLAS do not count: it knows about forks.)
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

OPEN_FILES = Path("/proc/self/fd")


class Copy:
    """A copy of this process, by its number. Has what is used of a `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def kill(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        """Bury it."""
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def may_fork() -> bool:
    """Whether a copy of this process would be a sound one."""
    alone = len(sys._current_frames()) == 1
    return alone and OPEN_FILES.exists() and sys.platform == "linux"  # elsewhere, system libraries dislike it


def fork(live: Callable[[int, int], None], tasks: int, results: int) -> Copy:
    """A copy of this process that does nothing but `live(tasks, results)`; these are files it reads and writes."""
    sys.stdout.flush()  # what is still to be written is for the parent to write
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])  # until it knows what to do
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python counts the threads of BLAS, too
            pid = os.fork()
        if not pid:
            _begin(live, tasks, results, before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Copy(pid)


def _begin(live: Callable[[int, int], None], tasks: int, results: int, mask: set[int | signal.Signals]) -> None:
    """The life of a copy; nothing of what the parent was about to do is done by it."""
    status = 1
    try:
        os.setpgid(0, 0)  # Ctrl-C at a terminal is for the parent alone
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        gc.freeze()  # what belongs to the parent is not ours to end
        _let_go({0, 1, 2, tasks, results})
        live(tasks, results)
        status = 0
    except BaseException:  # noqa: BLE001 - it must not return into the parent's business, whatever happens
        traceback.print_exc()
    finally:
        os._exit(status)


def _let_go(kept: set[int]) -> None:
    """Let go of all files but a few, lest a lock or a pipe outlive the parent. Their numbers stay taken, for objects
    of the parent may believe that they are theirs.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in map(int, os.listdir(OPEN_FILES)):
        if number not in kept and number != nothing:
            with suppress(OSError):  # the list itself was read through one that is closed by now
                os.fstat(number)
                os.dup2(nothing, number, inheritable=False)
