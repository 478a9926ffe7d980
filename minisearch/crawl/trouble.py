"""Trouble: why there is no usable answer to a request."""

from __future__ import annotations


class Unwanted(Exception):
    """An answer that is not for us: of another type, too large, or from where we may not go."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


class FetchError(Exception):
    """No usable answer. What is `transient` may work later."""

    def __init__(self, reason: str, rule: str, *, transient: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.transient = reason, rule, transient
