"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from typing import final

@final
class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none (chunks.c)."""

    def __new__(cls, cuts: bytes, seed: int, /) -> Table: ...
    def read(self, texts: list[bytes], first: int, /) -> tuple[bytes, bytes, list[bytes]]:
        """The chunks of some texts by number (int32), how many each text has (int64), and those that were never met
        before, which are numbered from `first` on.
        """
