"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from collections.abc import Callable, Mapping
from typing import Any, final

@final
class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none (chunks.c)."""

    def __new__(cls, cuts: bytes, seed: int, /) -> Table: ...
    def read(self, texts: list[bytes], first: int, /) -> tuple[bytes, bytes, list[bytes]]:
        """The chunks of some texts by number (int32), how many each text has (int64), and those that were never met
        before, which are numbered from `first` on.
        """

@final
class Tree:
    """A page as the parser of `owner` keeps it from `root` on, which it reads by the parser's own `functions`.

    `root` and `functions` are addresses. `what` tells of each element that the parser knows by its number (uint16),
    and `others` of some by their names, what it is to us (tree.h).
    """

    def __new__(
        cls, owner: object, root: int, functions: tuple[int, ...], what: bytes, others: dict[str, int], /
    ) -> Tree: ...
    def survey(
        self, hides: Callable[[str], bool], /
    ) -> tuple[
        Mapping[str, str | None],
        str | None,
        list[Mapping[str, str | None]],
        list[tuple[Mapping[str, str | None], int]],
        list[tuple[Mapping[str, str | None], int]],
        list[list[Any]],
        list[list[Any]],
        int,
    ]:
        """The attributes of the page; its title; those of its <base>s; of its <meta>s, and in how many <noscript>s each
        is; of its <link>s, and whether each is in the body; its headings, then its terms: [level, address, in how many
        others it is, its id, its section's, and the first inside it, if there is one]; and how many links there are.
        `hides` tells whether a style keeps from the reader what it is of. (survey.c)
        """
    def read(
        self,
        numbers: bytes,
        known: dict[str, str],
        folders: tuple[str, ...],
        find: Callable[[str], str | None],
        link: type,
        nofollow: bool,
        /,
    ) -> tuple[str, list[tuple[int, str, int]], list[Any], list[int]]:
        """The text of a page that was surveyed; (number, text, start) of its headings; its links as they are made of
        (url, anchor, nofollow); and which of these are not plain, and are (tag, attributes, text).

        `numbers` (int32) are those of the terms that are headings, -1 for those that are not. Where links lead is
        `known`, or told by the `folders` in which the page lies, or `find` is asked. (reading.c)
        """
    def words(self, address: int, /) -> str | None:
        """The words inside an element, None if one of them is a link."""

def simhash(text: bytes, beside: bytes, kinds: bytes, factor: int, /) -> int:
    """The fingerprint of a text and what stands beside it; `factor` is to be nobody else's to know (votes.c)."""

def tidy(text: str, kept: bytes, /) -> str:
    """Percent-encoding with no choice left; `kept` tells of each byte whether it may stand as it is (percent.c)."""

def link_rows(page: int, links: tuple[tuple[str, str, bool], ...], ids: dict[str, int], /) -> list[Any]:
    """The values of the rows of a page's links: page, n, url, anchor, nofollow, count, and so on (rows.c)."""

def records(kind: type, columns: tuple[tuple[Any, ...], ...], /) -> tuple[Any, ...]:
    """A record of a kind, which is a tuple, for each row of some columns (rows.c)."""

def unsettled(found: tuple[Any, ...], lately: dict[str, Any], teller: str, shunned: str, far: int, /) -> list[Any]:
    """Those of the urls found that are not known, or may change by being found on the page `teller` (rows.c)."""
